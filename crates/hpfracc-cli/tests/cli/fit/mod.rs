//! `hpfracc fit`.

mod bad_input;
mod fields;
mod interruptions;

use crate::command::{Folder, Run, numbers, table};
use serde_json::Value;

/// Numbers between -1/2 and 1/2.
fn scatter(k: usize) -> f64 {
    (k as f64 * 12.9898).sin() * 43_758.545_3 % 1.0 / 2.0
}

/// Stretched exponential with noise, as CSV.
fn decay(a: f64) -> String {
    let row = |k: usize| {
        let t = 0.1 * 1.15f64.powi(k as i32);
        let y = a * (-(t / 1.5).powf(0.6)).exp() + 0.1 + 0.01 * scatter(k);
        format!("{t},{y},0.003\n")
    };
    format!("t,y,err\n{}", (0..40).map(row).collect::<String>())
}

const STRETCHED: &str = "y = a exp(-(t/tau)^s) + c; a = 1; tau = 1 in (0, inf); s = 0.8; c = 0";

fn folder() -> Folder {
    let sweep = include_str!("../../../../../examples/data/rheology_sweep.csv");
    let impedance = include_str!("../../../../../examples/data/impedance.csv");
    let (one, two) = (decay(2.0), decay(3.0));
    Folder::with(&[
        ("one.csv", &one),
        ("two.csv", &two),
        ("sweep.csv", sweep),
        ("impedance.csv", impedance),
    ])
}

fn fitted(folder: &Folder, words: &[&str]) -> Run {
    let run = folder.run_with(&[&["fit"], words].concat());
    assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    run
}

fn report(folder: &Folder, words: &[&str]) -> Value {
    let run = fitted(folder, &[words, &["--json"]].concat());
    serde_json::from_str(&run.stdout).unwrap()
}

/// Value and standard error of a parameter.
fn parameter(report: &Value, name: &str) -> (f64, Option<f64>) {
    let all = report["parameters"].as_array().unwrap();
    let found = all.iter().find(|parameter| parameter["name"] == name).unwrap();
    (found["value"].as_f64().unwrap(), found["standard-error"].as_f64())
}

/// Whether a parameter is within four standard errors of its true value.
fn recovers(report: &Value, name: &str, truth: f64) {
    let (value, error) = parameter(report, name);
    let error = error.unwrap();
    assert!(
        (value - truth).abs() < 4.0 * error && error < 0.2 * truth.abs(),
        "{name}: {value} {error}"
    );
}

#[test]
fn a_formula() {
    let folder = folder();
    let words = [STRETCHED, "one.csv", "--derived", "tau*2", "--profile", "s", "-o", "rows.csv"];
    let run = fitted(&folder, &[&words[..], &["--plot", "fit.svg"]].concat());
    assert!(run.stderr.contains("one: 40 rows in memory"), "{}", run.stderr);
    for text in ["converged to a minimum", "tau*2 = ", "profile of s, 95 %: ", "AICc"] {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
    }
    let rows = String::from_utf8(folder.read("rows.csv")).unwrap();
    let (header, all) = table(&rows);
    assert_eq!(header, ["t", "y", "model(y)", "low(y)", "high(y)", "residual(y)"]);
    assert_eq!(all.len(), 40);
    for ((model, low), high) in
        numbers(&rows, 2).iter().zip(numbers(&rows, 3)).zip(numbers(&rows, 4))
    {
        assert!(low < *model && *model < high);
    }
    assert!(String::from_utf8(folder.read("fit.svg")).unwrap().contains("residual"));
    let report = report(&folder, &words[..2]);
    for (name, truth) in [("a", 2.0), ("tau", 1.5), ("s", 0.6), ("c", 0.1)] {
        recovers(&report, name, truth);
    }
    assert_eq!(report["errors"], "equal, estimated from the residuals");
    let known = self::report(&folder, &[STRETCHED, "one.csv", "--sigma", "err"]);
    assert_eq!(known["errors"], "known standard deviations");
    assert_eq!(known["standard-deviation"], 1.0);
}

#[test]
fn an_equation() {
    let folder = folder();
    let text = "D^alpha y = (c - y)/tau; alpha = 0.9; tau = 1 in (0, inf); c = 0; y(0) = a; a = 1";
    let report = report(&folder, &[text, "one.csv"]);
    // Not the model of the data: the residuals tell.
    assert!(parameter(&report, "alpha").0 < 0.95);
    let run = fitted(&folder, &[text, "one.csv"]);
    assert!(run.stdout.contains("residuals of consecutive rows are correlated"), "{}", run.stdout);
}

#[test]
fn models_of_the_literature() {
    let folder = folder();
    let zener = ["fractional-zener-modulus", "sweep.csv", "--relative", "each"];
    let starts = ["--start", "E0=0.5,E1=1,tau=1,alpha=0.5"];
    let other = "parallel-springpots-modulus";
    let run =
        fitted(&folder, &[&zener[..], &starts, &["--compare", other, "--plot", "z.svg"]].concat());
    assert!(run.stdout.contains("the data do not determine"), "{}", run.stdout);
    assert!(
        run.stdout.contains("models, the best one by AICc first:\n  parallel"),
        "{}",
        run.stdout
    );
    assert!(folder.names().contains(&"z.svg".to_owned()));
    // Complex data in hertz; the inductance of the leads is in series.
    let circuit = "circuit L0-R0-p(R1,CPE1)-p(R2-Wo1,CPE2)";
    let words =
        [circuit, "impedance.csv", "--hertz", "--map", "f=frequency", "--relative", "modulus"];
    let report = report(&folder, &words);
    let deviation = report["standard-deviation"].as_f64().unwrap();
    assert!(deviation < 0.02, "{deviation}: {report}");
    assert_eq!(report["number-of-data"], 132);
}

#[test]
fn several_files() {
    let folder = folder();
    let report = report(&folder, &[STRETCHED, "one.csv", "two.csv", "--own", "a,c"]);
    assert_eq!(report["data"], "one, two");
    for (name, truth) in [("a@one", 2.0), ("a@two", 3.0), ("tau", 1.5), ("s", 0.6), ("c@two", 0.1)]
    {
        recovers(&report, name, truth);
    }
    fitted(
        &folder,
        &[STRETCHED, "one.csv", "two.csv", "--own", "a", "-o", "rows.csv", "-p", "p.png"],
    );
    let rows = String::from_utf8(folder.read("rows.csv")).unwrap();
    assert!(rows.starts_with("set,t,y,") && rows.contains("\ntwo,"), "{rows}");
}

#[test]
fn a_model_file() {
    let folder = folder();
    let file = "formula = \"y = a exp(-(t/tau)^s) + c\"\nown = [\"a\"]\n\
        [data]\nsigma = \"err\"\n\
        [[set]]\ndata = \"one.csv\"\nname = \"monday\"\n[[set]]\ndata = \"two.csv\"\n\
        [parameters]\na = { start = 1.0 }\ntau = { start = 2.0, within = [0.1, 9.0], log = true }\n\
        s = { start = 0.7, prior = { mean = 0.6, sd = 0.1 } }\nc = { fixed = 0.1 }\n\
        [fit]\nlevel = 0.9\n[derived]\nhalf = \"tau*0.69^(1/s)\"\n";
    std::fs::write(folder.path("model.toml"), file).unwrap();
    let report = report(&folder, &["model.toml"]);
    recovers(&report, "a@monday", 2.0);
    recovers(&report, "a@two", 3.0);
    assert_eq!(report["level"], 0.9);
    assert_eq!(report["derived"][0]["name"], "half");
    let two = "model = \"cole-cole\"\nformula = \"y = a\"\n";
    std::fs::write(folder.path("two.toml"), two).unwrap();
    let run = folder.run("fit two.toml one.csv");
    assert!(run.code == 2 && run.stderr.contains("expected one of `model`"), "{}", run.stderr);
}

#[test]
fn refits_and_draws() {
    let folder = folder();
    let words =
        [STRETCHED, "one.csv", "--bootstrap", "199", "--sample", "4x400", "--draws", "d.csv"];
    let report = report(&folder, &words);
    let error = parameter(&report, "s").1.unwrap();
    let resampled = &report["bootstrap"]["parameters"][2];
    let drawn = &report["posterior"]["parameters"][2];
    for other in [&resampled["standard-error"], &drawn["standard-deviation"]] {
        assert!((other.as_f64().unwrap() / error - 1.0).abs() < 0.25, "{error} {other}");
    }
    assert_eq!(report["posterior"]["converged"], true);
    let draws = String::from_utf8(folder.read("d.csv")).unwrap();
    assert!(draws.starts_with("chain,draw,a,tau,s,c\n0,0,") && draws.lines().count() == 1601);
    // The same numbers again.
    assert_eq!(report, self::report(&folder, &words));
    let text =
        fitted(&folder, &[STRETCHED, "one.csv", "--bootstrap", "99", "--resample", "blocks:4"]);
    assert!(text.stdout.contains("99 refits to resampled blocks of 4 rows"), "{}", text.stdout);
}

#[test]
fn losses() {
    let folder = folder();
    let outliers: String = decay(2.0)
        .lines()
        .enumerate()
        .map(|(k, line)| match line.split(',').collect::<Vec<_>>()[..] {
            [t, y, err] if k % 9 == 5 => format!("{t},{},{err}\n", y.parse::<f64>().unwrap() + 1.0),
            _ => format!("{line}\n"),
        })
        .collect();
    std::fs::write(folder.path("outliers.csv"), outliers).unwrap();
    let squares = report(&folder, &[STRETCHED, "outliers.csv"]);
    let cauchy = report(&folder, &[STRETCHED, "outliers.csv", "--loss", "cauchy"]);
    assert!((parameter(&squares, "c").0 - 0.1).abs() > 0.03);
    recovers(&cauchy, "s", 0.6);
    assert_eq!(cauchy["criteria"], Value::Null);
}

/// Every model that is listed is described, with a model file that is read.
#[test]
fn the_list_of_models() {
    let folder = folder();
    let list = folder.run("fit --list");
    assert_eq!((list.code, list.stderr.as_str()), (0, ""));
    let names: Vec<&str> = list
        .stdout
        .lines()
        .filter_map(|line| line.split_once(": ").map(|(name, _)| name))
        .collect();
    let names: Vec<&str> =
        names.into_iter().filter(|name| !name.starts_with([' ', '`', 'C'])).collect();
    assert!(names.len() > 40, "{names:?}");
    for name in names.into_iter().chain([
        "circuit R0-p(R1,CPE1)",
        "debye + cole-cole",
        "transfer (b0)/(1 + a1 s^alpha)",
    ]) {
        let page = fitted(&folder, &["--list", name]).stdout;
        let (_, file) = page.split_once("Model file\n").unwrap();
        let model = file.lines().next().unwrap().trim();
        assert!(model.starts_with("model = \""), "{name}: {model}");
        std::fs::write(folder.path("model.toml"), file).unwrap();
        // The file is read: what is missing are the columns.
        let run = folder.run("fit model.toml one.csv");
        assert!(run.code == 0 || run.stderr.contains("column"), "{name}: {}", run.stderr);
    }
}

/// The line of the README, on the data of the repository.
#[test]
fn the_line_of_the_readme() {
    let folder = folder();
    let words = "fit fractional-zener-modulus sweep.csv --relative each --plot moduli.svg";
    let line = format!("hpfracc {words}").replace("sweep.csv", "examples/data/rheology_sweep.csv");
    let page = include_str!("../../../../../README.md");
    assert!(page.lines().any(|found| found == line), "the README has `{line}`");
    assert_eq!(folder.run(words).code, 0);
    assert!(folder.names().contains(&"moduli.svg".to_owned()));
}
