//! `hpfracc train --backend`.

use crate::command::{Folder, numbers};
use std::fs;

const CONFIG: &str = r#"
[data]
file = "record.csv"
columns = ["x"]
delays = [2]

[windows]
length = 5

[model]
orders.learned = { lower = 0.6, upper = 1.0, start = 0.9, each = false }

[model.drift.perceptron]
hidden = [6]

[model.diffusion.additive]
start = 0.1

[loss]
path-loss = "energy-score"
paths = 3

[training]
schedule.constant = 0.02
epochs = 3
batch = 8

[checkpoints]
every = 1

[forecast]
rows = 5
paths = 40
"#;

/// An oscillation that fades, with missing values in neither column.
fn folder(config: &str) -> Folder {
    let x = |t: usize| (-0.01 * t as f64).exp() * (0.7 * t as f64).sin() + 3.0;
    let rows: String = (0..42).map(|t| format!("{t},{:.6}\n", x(t))).collect();
    Folder::with(&[("config.toml", config), ("record.csv", &("t,x\n".to_owned() + &rows))])
}

const FILES: [&str; 6] =
    ["parameters", "metrics.jsonl", "loss.svg", "forecast.csv", "forecast.svg", "drift.json"];

fn same(folder: &Folder, run: &str, other: &str) {
    for name in FILES {
        let [a, b] = [run, other].map(|run| folder.read(&format!("{run}/{name}")));
        assert!(!a.is_empty() && a == b, "{name} of {run} and {other} differ");
    }
}

fn losses(folder: &Folder, run: &str) -> Vec<f64> {
    let metrics = String::from_utf8(folder.read(&format!("{run}/metrics.jsonl"))).unwrap();
    let lines =
        metrics.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.map(|record| record["loss"].as_f64().unwrap()).collect()
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-3 * expected.abs(), "{found} {expected}");
    }
}

/// A copy of a run without its results and its newest checkpoint: as if it was ended before the last step.
fn interrupted(folder: &Folder, run: &str, copy: &str) {
    let [from, to] = [run, copy].map(|run| folder.path(&format!("{run}/checkpoints")));
    fs::create_dir_all(&to).unwrap();
    let mut names: Vec<_> =
        fs::read_dir(&from).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names.pop();
    assert!(!names.is_empty());
    for name in names {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
    let metrics = |run: &str| folder.path(&format!("{run}/metrics.jsonl"));
    fs::copy(metrics(run), metrics(copy)).unwrap();
}

/// True if this computer has no adapter, and needs none.
fn skipped(stderr: &str) -> bool {
    let skipped =
        stderr.contains("no adapter") && std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1");
    if skipped {
        println!("skipped: no adapter");
    }
    skipped
}

#[test]
fn a_gpu_trains_as_the_cpu_does() {
    let folder = folder(CONFIG);
    let run = folder.run("train config.toml --out gpu --backend wgpu");
    if skipped(&run.stderr) {
        return;
    }
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("gpu: trained on "), "{}", run.stderr);
    let on_cpu = folder.run("train config.toml --out cpu --backend cpu");
    assert_eq!(on_cpu.code, 0, "{}", on_cpu.stderr);
    near(&losses(&folder, "gpu"), &losses(&folder, "cpu"));
    let of = |run: &str| {
        let forecast = folder.read(&format!("{run}/forecast.csv"));
        numbers(&String::from_utf8(forecast).unwrap(), 2)
    };
    near(&of("gpu"), &of("cpu"));

    // The same bits again, and after an interruption.
    assert_eq!(folder.run("train config.toml --out again --quiet --backend wgpu").code, 0);
    same(&folder, "gpu", "again");
    interrupted(&folder, "gpu", "resumed");
    let resumed = folder.run("train config.toml --out resumed --resume --backend wgpu");
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(resumed.stderr.contains("resumed after "), "{}", resumed.stderr);
    same(&folder, "gpu", "resumed");

    // The backend is no fact of a training: one that was begun on the CPU goes on on a GPU, and back.
    for (begun, backend) in [("cpu", "wgpu"), ("gpu", "cpu")] {
        let other = format!("{begun}-to-{backend}");
        interrupted(&folder, begun, &other);
        let run =
            folder.run(&format!("train config.toml --out {other} --resume --backend {backend}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("resumed after "), "{}", run.stderr);
        near(&losses(&folder, &other), &losses(&folder, "cpu"));
    }
}

#[test]
fn what_a_gpu_does_not_train_is_named() {
    let with = |from: &str, to: &str| {
        assert!(CONFIG.contains(from), "{from}");
        CONFIG.replacen(from, to, 1)
    };
    let exponentials = "[solver]\nmemory.exponentials = { tolerance = 1e-6 }\n[loss]";
    let corrected = "[solver]\ndrift = \"predictor-corrector\"\n[loss]";
    let cases = [
        (
            with("[loss]", exponentials),
            "a learned order with a memory of exponentials is not computed on a GPU",
        ),
        (with("[loss]", corrected), "choose drift = \"rectangle\" or train on the CPU"),
    ];
    for (config, said) in cases {
        let folder = folder(&config);
        let run = folder.run("train config.toml --backend wgpu");
        if skipped(&run.stderr) {
            return;
        }
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("--backend: "), "{}", run.stderr);
        assert!(run.stderr.contains(said), "`{said}` is not in: {}", run.stderr);
        // Where the choice is free, it is the CPU.
        let run = folder.run("train config.toml --backend auto");
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("trained on the CPU: "), "{}", run.stderr);
    }
    let folder = folder(&("precision = \"f64\"\n".to_owned() + CONFIG));
    let run = folder.run("train config.toml --backend wgpu@0");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("set precision = \"f32\""), "{}", run.stderr);
    let run = folder.run("train config.toml --backend auto");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("trained on the CPU: a GPU trains in single"), "{}", run.stderr);
    for (name, code, said) in [
        ("gpu", 2, "unknown backend `gpu` of trainings; known are auto, cpu and wgpu"),
        ("wgpu@", 2, "unknown backend `wgpu@`"),
    ] {
        let run = folder.run(&format!("train config.toml --backend {name}"));
        assert_eq!(run.code, code, "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn an_adapter_that_is_not_there_lists_the_others() {
    let folder = folder(CONFIG);
    let run = folder.run("train config.toml --backend wgpu@99");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("--backend: no adapter: requested adapter 99"), "{}", run.stderr);
    let run = folder.run("train config.toml --out auto --backend auto");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("auto: trained on "), "{}", run.stderr);
}
