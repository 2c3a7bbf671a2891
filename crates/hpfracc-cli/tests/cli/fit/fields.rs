//! Fits of equations of fields.

use super::{fitted, parameter, recovers, report};
use crate::command::{Folder, table};

const DIFFUSION: &str = "D^alpha u = kappa lap(u); u(0) = exp(-x^2/0.02)";
const BOX: [&str; 4] = ["--box", "-1:1:100", "--boundary", "neumann"];

/// Every seventh point of a solution by `hpfracc pde`, with noise between -sd sqrt 3 and sd sqrt 3.
fn data(folder: &Folder, words: &[&str], name: &str, sd: f64) {
    let run = folder.run_with(&[&["pde"], words, &["--quiet"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (header, rows) = table(&run.stdout);
    let mut text = header.join(",") + "\n";
    for (k, row) in rows.iter().enumerate().skip(3).step_by(7) {
        let mut numbers: Vec<f64> = row.iter().map(|cell| cell.parse().unwrap()).collect();
        let noise = ((k as f64 * 12.9898).sin() * 43_758.545_3).fract();
        *numbers.last_mut().unwrap() += sd * 3f64.sqrt() * noise;
        text += &(numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n");
    }
    std::fs::write(folder.path(name), text).unwrap();
}

fn diffusion(folder: &Folder) {
    let text = "D^0.7 u = 0.05 lap(u); u(0) = exp(-x^2/0.02)";
    let options = ["--until", "1", "--times", "0.1,0.2,0.5,1"];
    data(folder, &[&[text], &BOX[..], &options].concat(), "field.csv", 0.004);
}

/// Order and coefficient without values in the text, or with starts.
#[test]
fn subdiffusion() {
    let folder = Folder::with(&[]);
    diffusion(&folder);
    let words = [&[DIFFUSION, "field.csv"], &BOX[..]].concat();
    let run = fitted(&folder, &[&words[..], &["-o", "rows.csv", "-p", "fit.svg"]].concat());
    for text in ["converged to a minimum", "alpha", "kappa", "AICc"] {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
    }
    let rows = String::from_utf8(folder.read("rows.csv")).unwrap();
    assert_eq!(table(&rows).0, ["t", "x", "u", "model(u)", "low(u)", "high(u)", "residual(u)"]);
    let searched = report(&folder, &words);
    let starts = ["--start", "alpha=0.9,kappa=0.1"];
    let started = report(&folder, &[&words[..], &starts].concat());
    for report in [&searched, &started] {
        recovers(report, "alpha", 0.7);
        recovers(report, "kappa", 0.05);
    }
    let difference = parameter(&searched, "kappa").0 - parameter(&started, "kappa").0;
    assert!(difference.abs() < 1e-6, "{difference}");
    let fixed = report(&folder, &[&words[..], &["--fix", "alpha=0.7"]].concat());
    recovers(&fixed, "kappa", 0.05);
}

/// A ready equation, and the box in a model file.
#[test]
fn ready_equations_and_model_files() {
    let folder = Folder::with(&[]);
    let options = ["--until", "2", "--times", "0.5,1,2", "--set", "r=1.5"];
    let space = ["--box", "0:10:80", "--boundary", "neumann"];
    data(&folder, &[&["fisher-kpp"], &space[..], &options].concat(), "front.csv", 0.003);
    let words = [&["fisher-kpp", "front.csv", "--fix", "alpha=0.8"], &space[..]].concat();
    let of_name = report(&folder, &words);
    recovers(&of_name, "r", 1.5);
    let file = "equation = \"fisher-kpp\"\n[space]\nbox = [\"0:10:80\"]\nboundary = [\"neumann\"]\n\
                [parameters]\nalpha = { fixed = 0.8 }\n";
    std::fs::write(folder.path("model.toml"), file).unwrap();
    assert_eq!(of_name["parameters"], report(&folder, &["model.toml", "front.csv"])["parameters"]);
}

#[test]
fn refusals() {
    let folder = Folder::with(&[]);
    diffusion(&folder);
    let refused = |words: &[&str], said: &str| {
        let run = folder.run_with(&[&["fit"], words].concat());
        assert_eq!(run.code, 2, "{words:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(said), "{words:?}: `{said}` is not in: {}", run.stderr);
        assert!(!run.stderr.contains("panicked") && run.stdout.is_empty(), "{words:?}");
    };
    let of = |text| [&[text, "field.csv"], &BOX[..]].concat();
    refused(&[DIFFUSION, "field.csv"], "add --box FROM:TO:N for each axis");
    refused(&[DIFFUSION, "field.csv", "--box", "-1:1:100"], "--boundary is given 0 times");
    refused(
        &[DIFFUSION, "field.csv", "--box", "-1:0.5:100", "--boundary", "neumann"],
        "outside of the box [-1, 0.5]",
    );
    refused(&of("u = a exp(-x^2) t"), "expected an equation of fields as the model");
    refused(&of("D^alpha u = kapa lap(u) + foo(u); u(0) = 1"), "unknown name `alpha`");
    refused(&of("D^alpha u = kappa lap(u) - v u; u(0) = 1"), "`v` has no start");
    refused(&of("D^alpha u = kappa lap(u)"), "has no start");
    refused(&of("D^alpha w = kappa lap(w) + q; D w2 = lap(w2); w(0) = 1; w2(0) = 1"), "w, w2");
    let bad = "t,x,u\n0.5,0.1,1\n-1,0.2,1\n1,0.3,1\n1,0.5,1\n";
    std::fs::write(folder.path("bad.csv"), bad).unwrap();
    refused(&[&[DIFFUSION, "bad.csv"], &BOX[..]].concat(), "the time -1 in row 1");
    let two = ["--box", "0:1:9", "--box", "0:1:9", "--boundary", "neumann"];
    refused(
        &[&[DIFFUSION, "field.csv"], &two[..]].concat(),
        "no column `y`; the columns are t, x, u",
    );
}
