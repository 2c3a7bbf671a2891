//! `hpfracc train`.

use crate::command::{Folder, numbers, table};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

pub(crate) const CONFIG: &str = r#"
[data]
file = "record.csv"
columns = ["x"]
delays = [2]

[windows]
length = 5

[model.drift.perceptron]
hidden = [6]

[model.diffusion.additive]
start = 0.1

[model.orders.learned]
lower = 0.6
upper = 1.0
start = 0.9
each = false

[loss]
paths = 2

[training]
schedule.constant = 0.02
epochs = 5
batch = 8

[checkpoints]
every = 1

[forecast]
from = "validation"
rows = 8
paths = 40
"#;

/// An oscillation that fades.
fn record(rows: usize) -> String {
    let x = |t: usize| (-0.01 * t as f64).exp() * (0.7 * t as f64).sin() + 3.0;
    let rows = (0..rows).map(|t| format!("{t},{:.6}\n", x(t)));
    "t,x\n".to_owned() + &rows.collect::<String>()
}

/// Folder with a configuration and its data.
pub(crate) fn folder() -> Folder {
    Folder::with(&[("config.toml", CONFIG), ("record.csv", &record(52))])
}

/// What two runs of one training must both have, byte for byte.
const SAME: [&str; 6] =
    ["parameters", "metrics.jsonl", "loss.svg", "forecast.csv", "forecast.svg", "drift.json"];

pub(crate) fn same(folder: &Folder, run: &str, other: &str) {
    for name in SAME {
        let [a, b] = [run, other].map(|run| folder.read(&format!("{run}/{name}")));
        assert!(!a.is_empty() && a == b, "{name} of {run} and {other} differ");
    }
}

#[test]
fn a_record_is_learned_and_forecast() {
    let folder = folder();
    let run = folder.run("train config.toml --out run");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("run: 25 steps, 5 epochs"), "{}", run.stderr);
    assert!(run.stderr.contains("run: orders 0."), "{}", run.stderr);
    let metrics = String::from_utf8(folder.read("run/metrics.jsonl")).unwrap();
    let records: Vec<serde_json::Value> =
        metrics.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind| records.iter().filter(move |record| record["kind"] == kind);
    assert_eq!((of("step").count(), of("epoch").count()), (25, 5));
    let losses: Vec<f64> = of("epoch").map(|record| record["loss"].as_f64().unwrap()).collect();
    assert!(losses[4] < 0.8 * losses[0], "{losses:?}");
    let forecast = String::from_utf8(folder.read("run/forecast.csv")).unwrap();
    let (names, rows) = table(&forecast);
    let quantiles = ["q0.05(x)", "q0.25(x)", "q0.5(x)", "q0.75(x)", "q0.95(x)"];
    assert_eq!(names, [&["t", "x", "mean(x)"][..], &quantiles].concat());
    // Of 50 rows with both components, the last 10 are held out.
    assert_eq!((rows.len(), numbers(&forecast, 0)[0], numbers(&forecast, 0)[7]), (8, 43.0, 50.0));
    let all = String::from_utf8(folder.read("record.csv")).unwrap();
    assert_eq!(numbers(&forecast, 1), numbers(&all, 1)[43..51]);
    for row in 0..8 {
        let levels: Vec<f64> = (3..8).map(|column| numbers(&forecast, column)[row]).collect();
        assert!(levels.windows(2).all(|pair| pair[0] < pair[1]), "{levels:?}");
        assert!((1.0..5.0).contains(&numbers(&forecast, 2)[row]));
    }
    let checkpoints = fs::read_dir(folder.path("run/checkpoints")).unwrap().count();
    assert_eq!(checkpoints, 3);
    // The drift is a network of an equation.
    let text = "net f: x, past -> 6 tanh -> 2 from \"run/drift.json\"
        D^0.8 [x, past] = f; x(0) = 3; past(0) = 3; t in [0, 5]";
    let solved = folder.run_with(&["solve", "--equation", text, "--n", "50"]);
    assert_eq!(solved.code, 0, "{}", solved.stderr);
    assert!(numbers(&solved.stdout, 1).iter().all(|x| (-10.0..20.0).contains(x)));
    // The same on one thread, and after going on from the end; but not over it.
    let mut command = folder.command();
    command.args(["train", "config.toml", "--quiet", "--out", "one"]);
    let one = command.env("HPFRACC_THREADS", "1").output().unwrap();
    assert!(one.status.success() && one.stderr.is_empty(), "{one:?}");
    same(&folder, "run", "one");
    let refused = folder.run("train config.toml --out run");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("run/parameters already exists"), "{}", refused.stderr);
    let again = folder.run("train config.toml --out one --resume");
    assert!(again.stderr.contains("resumed after 25 steps, 5 epochs"), "{}", again.stderr);
    same(&folder, "run", "one");
}

/// Waits until the metrics have more than `bytes` bytes, and a little longer.
fn wait(child: &mut Child, metrics: &Path, bytes: u64, longer: Duration) -> bool {
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if fs::metadata(metrics).is_ok_and(|file| file.len() > bytes) {
            thread::sleep(longer);
            return true;
        }
        thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_training_that_is_killed_at_any_moment_goes_on_with_the_same_bits() {
    let folder = folder();
    let whole = folder.run("train config.toml --out whole");
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let metrics = folder.path("killed/metrics.jsonl");
    let (mut kills, mut state) = (0, std::process::id());
    loop {
        let mut child = folder
            .command()
            .args(["train", "config.toml", "--out", "killed", "--resume", "--quiet"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let before = fs::metadata(&metrics).map_or(0, |file| file.len());
        // After none to some records, and up to two milliseconds, in which a checkpoint is written.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (more, longer) = (state >> 24, state >> 16 & 0xff);
        let longer = Duration::from_micros(8 * u64::from(longer));
        if kills < 6 && wait(&mut child, &metrics, before + u64::from(more), longer) {
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            continue;
        }
        let end = child.wait_with_output().unwrap();
        assert!(end.status.success(), "{}", String::from_utf8_lossy(&end.stderr));
        break;
    }
    assert!(kills > 1, "{kills}");
    same(&folder, "whole", "killed");
}

#[test]
fn what_is_wrong_is_named() {
    let with = |from: &str, to: &str| {
        assert!(CONFIG.contains(from), "{from}");
        CONFIG.replacen(from, to, 1)
    };
    let cases = [
        (with("epochs = 5", "epoch = 5"), "config.toml: line 27: unknown field `epoch`"),
        (with("length = 5", "length = \"5\""), "config.toml: line 8: invalid type"),
        (with("length = 5", ""), "config.toml: line 7: missing field `length`"),
        (with("hidden = [6]", "hidden = [6]\nwidth = 3"), "config.toml: line 12: unknown field"),
        (with("length = 5", "length = "), "config.toml: line 8: "),
        (with("record.csv", "missing.csv"), "cannot read missing.csv"),
        (with("[\"x\"]", "[\"y\"]"), "no column `y`; the columns are `t`, `x`"),
        (with("[\"x\"]", "[]"), "[data] columns is []"),
        (with("[\"x\"]", "[\"x\"]\ntime = \"u\""), "no column `u`"),
        (with("epochs = 5", "epochs = 0"), "epochs is 0, expected at least 1"),
        (with("length = 5", "length = 10"), "the held-out part of the data has 10 rows, fewer"),
        (with("length = 5", "length = 50"), "the training part of the data has 40 rows"),
        (with("length = 5", "length = 5\nvalidation = 1.0"), "[windows] validation is 1"),
        (with("length = 5", "length = 5\nvalidation = 0.0"), "[forecast] from is validation"),
        (with("delays = [2]", "delays = [60]"), "record.csv: the data has 52 rows"),
        (with("lower = 0.6", "lower = 0.3"), "the least order is 0.3"),
        (with("batch = 8", "batch = 0"), "batch is 0, expected at least 1"),
        (with("constant = 0.02", "constant = -1.0"), "a rate of a schedule is -1"),
        (with("rows = 8", "rows = 0"), "[forecast] rows is 0"),
        (with("every = 1", "every = 0"), "every, the steps from one checkpoint to the next, is 0"),
        (with("every = 1", "keep = 0"), "keep, the number of checkpoints, is 0"),
        (with("epochs = 5", "steps = 0"), "steps is 0, expected at least 1"),
        (with("start = 0.1", "start = -0.1"), "the diffusion at the start is -0.1"),
        (with("delays = [2]", "delays = [2, 0]"), "[data] delays is 0, expected at least 1"),
        (with("delays = [2]", "delays = [3, 2, 3]"), "[data] delays is 3"),
        (with("delays = [2]", "time = \"x\""), "be both the time and the input"),
        (with("delays = [2]", "dt = -1.0"), "[data] dt -1: expected a positive finite step"),
        (with("length = 5", "length = 5\nstride = 0"), "[windows]: the stride is 0"),
        (with("paths = 2", "paths = 0"), "[loss]: "),
        (with("paths = 2", "paths = 4000000000000000000"), "[loss] paths is 4000000000000000000"),
        (with("rows = 8", "rows = 4294967296"), "[forecast] rows is 4294967296, expected fewer"),
        (with("paths = 40", "paths = 1000000000"), "[forecast] paths is 1000000000, expected few"),
        (with("[loss]", "[solver]\nsteps = 900000000\n[loss]"), "[windows] length is 5, expected"),
        (
            with("additive]\nstart = 0.1", "general]\nnoises = 9223372036854775808").replace(
                "[model.orders",
                "[model.diffusion.general.of.perceptron]\nhidden = [6]\n[model.orders",
            ),
            "[model]: the diffusion: more rows or parameters",
        ),
    ];
    for (config, message) in cases {
        let folder = Folder::with(&[("config.toml", &config), ("record.csv", &record(52))]);
        let run = folder.run("train config.toml");
        let (code, said) = (run.code, &run.stderr);
        assert_eq!(code, if message.starts_with("cannot") { 1 } else { 2 }, "{message}: {said}");
        assert!(said.contains(message), "`{message}` is not in: {said}");
        assert_eq!(folder.names(), ["config.toml", "record.csv"], "{message}");
    }
}

#[test]
fn a_record_with_gaps_is_refused_in_words_of_the_configuration() {
    let gaps = record(52).replacen("\n9,", "\n9,NaN\n99,", 1);
    let gaps = gaps.lines().filter(|line| !line.starts_with("99,")).collect::<Vec<_>>().join("\n");
    let folder = Folder::with(&[("config.toml", CONFIG), ("record.csv", &gaps)]);
    let said = folder.run("train config.toml").stderr;
    assert!(said.contains("[data] missing = \"interpolate\" fills such gaps"), "{said}");
    assert!(!said.contains("--missing"), "{said}");
    let two = CONFIG.replacen("columns = [\"x\"]", "", 1);
    let data = "t,x,y\n0,1,2\n1,2,3\n2,3,4\n";
    let folder = Folder::with(&[("config.toml", &two), ("record.csv", data)]);
    let said = folder.run("train config.toml").stderr;
    assert!(said.contains("choose one with [data] columns; the columns are"), "{said}");
}

/// What is only looked at is neither waited for nor used up.
#[test]
fn a_record_that_is_no_file_is_not_looked_at() {
    let config = CONFIG.replacen("record.csv", ".", 1);
    let folder = Folder::with(&[("config.toml", &config), ("record.csv", &record(52))]);
    let refused = hpfracc_cli::check_training(&folder.path("config.toml")).unwrap_err();
    assert!(refused.to_string().contains("the data file is not a regular file"), "{refused}");
    fs::write(folder.path("config.toml"), CONFIG).unwrap();
    hpfracc_cli::check_training(&folder.path("config.toml")).unwrap();
}

/// The equation may count in another unit than the column.
#[test]
fn a_forecast_goes_on_by_the_step_of_the_time_column() {
    let x = |t: usize| (0.7 * t as f64).sin() + 3.0;
    let rows = (0..52).map(|t| format!("{},{:.6}\n", 1900 + 2 * t, x(t)));
    let data = "year,x\n".to_owned() + &rows.collect::<String>();
    let config = CONFIG.replacen("delays = [2]", "delays = [2]\ndt = 0.25", 1);
    let config = config.replacen("\"validation\"", "\"end\"", 1).replacen("= 5\nb", "= 1\nb", 1);
    let folder = Folder::with(&[("config.toml", &config), ("record.csv", &data)]);
    let run = folder.run("train config.toml");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let forecast = String::from_utf8(folder.read("config/forecast.csv")).unwrap();
    let times: Vec<f64> = (1..=8).map(|row| f64::from(2002 + 2 * row)).collect();
    assert_eq!(numbers(&forecast, 0), times);
}

#[test]
fn another_training_and_losses_that_break_leave_what_is_there() {
    let folder = folder();
    assert_eq!(folder.run("train config.toml --quiet").code, 0);
    let before = SAME.map(|name| folder.read(&format!("config/{name}")));
    for (from, to, message) in [
        ("hidden = [6]", "hidden = [7]", "parameter block 0 was `drift.0.weight` [6, 2]"),
        (
            "paths = 2",
            "paths = 3",
            "[loss] was {\"path-loss\":{\"each\":\"mean-square\"},\"paths\":2}, now it is",
        ),
        ("delays = [2]", "delays = [1]", "the number of samples was 35, now it is 36"),
    ] {
        fs::write(folder.path("config.toml"), CONFIG.replacen(from, to, 1)).unwrap();
        let run = folder.run("train config.toml --resume");
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(message), "`{message}` is not in: {}", run.stderr);
        assert_eq!(SAME.map(|name| folder.read(&format!("config/{name}"))), before);
    }
    let broken = CONFIG.replacen("constant = 0.02", "constant = 1e30", 1);
    fs::write(folder.path("config.toml"), broken).unwrap();
    let run = folder.run("train config.toml --out broken");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("train: epoch 0, batch 1 (samples "), "{}", run.stderr);
    // The start, and the step before.
    assert_eq!(fs::read_dir(folder.path("broken/checkpoints")).unwrap().count(), 2);
}

#[test]
fn the_configuration_of_the_help_is_one() {
    let help = Folder::with(&[]).run("train --help").stdout;
    let lines =
        help.lines().skip_while(|line| !line.starts_with("Configuration; required")).skip(1);
    let config: Vec<&str> = lines.collect();
    let config = config.join("\n").replace("epochs = 100", "epochs = 1");
    let data = record(80).replace("t,x", "YEAR,SUNACTIVITY");
    let config = config.replace("length = 24", "length = 9").replace("paths = 1000", "paths = 9");
    let folder = Folder::with(&[("all.toml", &config), ("sunspots.csv", &data)]);
    let run = folder.run("train all.toml");
    assert_eq!(run.code, 0, "{}\n{config}", run.stderr);
    assert!(folder.read("all/forecast.svg").starts_with(b"<svg"));
    let forecast = String::from_utf8(folder.read("all/forecast.csv")).unwrap();
    assert_eq!((numbers(&forecast, 0)[0], table(&forecast).1.len()), (80.0, 30));
    // Nothing is known of what comes after the record.
    assert!(table(&forecast).1.iter().all(|row| row[1].is_empty()));
}

/// The line of the README, with fewer epochs, on the configuration and the data of the repository.
/// States in 16 bits: nearly the same losses.
#[test]
fn states_are_stored_in_the_format_of_the_configuration() {
    let losses = |storage: &str| -> Vec<f64> {
        let solver = format!("[solver]\nstorage = \"{storage}\"\n[loss]");
        let config = CONFIG.replacen("[loss]", &solver, 1);
        let folder = Folder::with(&[("config.toml", &config), ("record.csv", &record(52))]);
        let run = folder.run("train config.toml --out run");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let metrics = String::from_utf8(folder.read("run/metrics.jsonl")).unwrap();
        let records = metrics.lines().map(|line| serde_json::from_str(line).unwrap());
        let epochs = records.filter(|record: &serde_json::Value| record["kind"] == "epoch");
        epochs.map(|record| record["loss"].as_f64().unwrap()).collect()
    };
    let full = losses("full");
    for storage in ["bfloat16", "float16"] {
        let found = losses(storage);
        assert_ne!(found, full, "{storage}");
        for (found, full) in found.iter().zip(&full) {
            assert!((found / full - 1.0).abs() < 0.02, "{storage}: {found} {full}");
        }
    }
    let config = CONFIG.replacen("[loss]", "[solver]\nstorage = \"float8\"\n[loss]", 1);
    let folder = Folder::with(&[("config.toml", &config), ("record.csv", &record(52))]);
    let run = folder.run("train config.toml --out run");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("unknown variant `float8`"), "{}", run.stderr);
}

#[test]
fn the_example_of_the_readme_trains() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let line = "hpfracc train examples/data/sunspots.toml --out sunspots";
    assert!(text("README.md").lines().any(|found| found == line), "the README has `{line}`");
    hpfracc_cli::check_training(&root.join("examples/data/sunspots.toml")).unwrap();
    let config = text("examples/data/sunspots.toml");
    let short = config.replace("epochs = 60", "epochs = 1").replace("paths = 1000", "paths = 20");
    assert_ne!(short, config);
    let data = text("examples/data/sunspots.csv");
    let folder = Folder::with(&[("sunspots.toml", &short), ("sunspots.csv", &data)]);
    let run = folder.run("train sunspots.toml --out sunspots");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(
        table(&String::from_utf8(folder.read("sunspots/forecast.csv")).unwrap()).1.len(),
        30
    );
}

/// A relaxation of order 0.7 from 1, without noise in the model: one window that begins where the
/// relaxation does.
const RELAXATION: &str = r#"
[data]
file = "record.csv"

[windows]
length = 63
validation = 0.0

[model.drift.perceptron]
hidden = [8]

[model.orders.learned]
lower = 0.2
upper = 1.0
start = 0.9
each = false

[solver]
steps = 2
drift = "predictor-corrector"
"#;

/// `E_0.7(-t^0.7)` at 64 times, with errors.
fn relaxation(error: f64) -> String {
    let exact = hpfracc::special::MittagLeffler::new(0.7, 1.0).unwrap();
    let row = |n: usize| {
        let t = 0.0625 * n as f64;
        let y = exact.eval(-t.powf(0.7)) + error * (37.0 * (n * n) as f64).sin();
        format!("{t},{y:.12}\n")
    };
    "t,y\n".to_owned() + &(0..64).map(row).collect::<String>()
}

#[test]
fn an_order_is_told_with_its_error() {
    let of = |error| {
        let data = relaxation(error);
        let folder = Folder::with(&[("config.toml", RELAXATION), ("record.csv", &data)]);
        let run = folder.run("train config.toml");
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    let exact = of(0.0);
    let order = exact.lines().find_map(|line| line.split_once("config: orders 0.")).unwrap();
    let order: f64 = format!("0.{}", order.1).parse().unwrap();
    assert!((order - 0.7).abs() < 0.02, "{exact}");
    let estimated = "config: orders estimated before the training 0.";
    assert!(exact.contains(estimated) && !exact.contains("warning"), "{exact}");
    let noisy = of(0.02);
    let warning = "is not identifiable from the data: its standard error is 0.";
    assert!(noisy.contains(estimated) && noisy.contains(warning), "{noisy}");
    let given = RELAXATION.to_owned() + "[training]\norders.estimate = false\nepochs = 1\n";
    let folder = Folder::with(&[("config.toml", &given), ("record.csv", &relaxation(0.0))]);
    let said = folder.run("train config.toml").stderr;
    assert!(said.contains("config: orders 0.9") && !said.contains("estimated"), "{said}");
}
