//! `hpfracc explain`, and wisdom from one run to the next.

use crate::command::Folder;
use hpfracc::Machine;
use hpfracc::operators::catalogue;
use serde_json::Value;
use std::sync::LazyLock;

/// The command with variables of the environment; code, standard output, standard error.
fn run_in(folder: &Folder, words: &str, variables: &[(&str, &str)]) -> (i32, String, String) {
    let output = folder
        .command()
        .args(words.split_whitespace())
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Names of the backends on the processor (`cpu-`) or on a GPU (`wgpu-`), without their variants.
fn backends(prefix: &str) -> Vec<&'static str> {
    let names = Machine::backend_names().iter().map(String::as_str);
    let variant = |name: &str| name.ends_with("-df64") || name.ends_with("-rounded-to-f32");
    names.filter(|name| name.starts_with(prefix) && !variant(name)).collect()
}

/// Variable with which no adapter is opened: the backends are those of the processor.
fn host() -> (&'static str, &'static str) {
    static DISABLED: LazyLock<String> = LazyLock::new(|| backends("wgpu-").join(", "));
    ("HPFRACC_DISABLE", &DISABLED)
}

fn explained(folder: &Folder, words: &str) -> Value {
    let (code, out, err) = run_in(folder, &format!("explain --json {words}"), &[host()]);
    assert_eq!((code, err.as_str()), (0, ""), "{words}");
    serde_json::from_str(&out).unwrap()
}

fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_operator_of_the_catalogue_is_explained() {
    let folder = Folder::with(&[]);
    for entry in catalogue() {
        let joined = explained(
            &folder,
            &format!("--operator {}-{} --n 500", entry.definition.name, entry.scheme),
        );
        assert_eq!(
            (&joined["operator"], &joined["scheme"]),
            (&entry.definition.name.into(), &entry.scheme.into())
        );
        let explanations = joined["further"].as_array().unwrap().iter();
        let explanations: Vec<&Value> =
            [&joined["explanation"]].into_iter().chain(explanations).collect();
        if explanations == [&Value::Null] {
            assert!(!joined["without_backend"].as_array().unwrap().is_empty(), "{entry:?}");
            continue;
        }
        assert_eq!(explanations.len(), joined["times"].as_array().unwrap().len());
        for explanation in explanations {
            let rows = explanation["rows"].as_array().unwrap();
            let able = rows.iter().filter(|row| !row["bytes"].is_null()).count();
            let workload = explanation["task"]["workload"].as_object().unwrap();
            let expected = match workload.keys().next().unwrap().as_str() {
                "CausalConvolution" => 3,
                "SpectralMultiplier" | "TrigonometricMultiplier" => 2,
                _ => 1,
            };
            assert_eq!(able, expected, "{entry:?}: {workload:?}");
            let chosen = &explanation["chosen"];
            assert_eq!(chosen, &rows[0]["prediction"]["candidate"]);
            assert_eq!(rows[0]["reason"], "chosen");
            assert!(chosen.as_str().unwrap().starts_with("cpu-"), "{chosen}");
        }
    }
    // By its own name, with the scheme that is usual for the order.
    for (words, scheme) in [
        ("--operator caputo --n 9", "l1"),
        ("--operator caputo --alpha 1.5 --n 9", "l2-midpoint"),
        ("--operator caputo --scheme bdf3 --n 9", "bdf3"),
        // Names of columns that `hpfracc diff` prints.
        ("--operator caputo_bdf3 --n 9", "bdf3"),
        ("--operator caputo_l2-midpoint_1.5(x) --n 9", "l2-midpoint"),
        ("--operator tempered-caputo_l1_0.5_lambda=2(x) --n 9", "l1"),
    ] {
        assert_eq!(explained(&folder, words)["scheme"], scheme, "{words}");
    }
}

#[test]
fn the_document_keeps_its_names() {
    let folder = Folder::with(&[]);
    let document =
        explained(&folder, "--operator caputo --n 100 --batch 3 --f32 --transpose --once");
    let kept =
        ["explanation", "further", "operator", "scheme", "times", "version", "without_backend"];
    assert_eq!(names(&document), kept);
    let explanation = &document["explanation"];
    assert_eq!(names(explanation), ["chosen", "executions", "rows", "scalar", "task"]);
    assert_eq!(explanation["scalar"], "f32");
    let task = &explanation["task"];
    assert_eq!((&task["direction"], &task["usage"]), (&"transpose".into(), &"once".into()));
    let sizes = &task["workload"]["CausalConvolution"];
    assert_eq!((&sizes["len"], &sizes["batch"]), (&100.into(), &3.into()));
    let row = &explanation["rows"][0];
    assert_eq!(names(row), ["bytes", "place", "prediction", "reason", "samples"]);
    assert_eq!(names(&row["prediction"]), ["candidate", "high", "low", "seconds", "source"]);
}

/// Centred differences go to both sides: the map and its transpose.
#[test]
fn what_an_operator_is_made_of_is_told() {
    let folder = Folder::with(&[]);
    let words = "--operator riesz-ortigueira --n 500";
    assert_eq!(explained(&folder, words)["times"], serde_json::json!([2]));
    let text = run_in(&folder, &format!("explain {words}"), &[host()]).1;
    assert!(text.contains("made of: causal convolution, 1 x 500, applied 2 times\n"), "{text}");
    let plain = run_in(&folder, "explain --operator caputo --n 500", &[host()]).1;
    assert!(!plain.contains("made of"), "{plain}");
}

#[test]
fn measuring_shows_in_the_table() {
    let folder = Folder::with(&[]);
    let words = "explain --operator caputo --n 300 --measure";
    let (code, out, err) = run_in(&folder, words, &[host()]);
    assert_eq!((code, err.as_str()), (0, ""));
    for expected in
        ["caputo, scheme l1", "candidate", "expected", "samples", "reason", "timed", "chosen"]
    {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    let without = run_in(&folder, &words.replace(" --measure", ""), &[host()]).1;
    assert!(!without.contains("timed") && without.contains("prior"), "{without}");
}

#[test]
fn one_backend_alone_is_explained_too() {
    let folder = Folder::with(&[]);
    let words = "--operator caputo --n 300 --backend cpu-fft-rounded-to-f32";
    let rows = &explained(&folder, words)["explanation"]["rows"];
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(rows[0]["prediction"]["candidate"], "cpu-fft-rounded-to-f32");
}

/// Nothing is planned that would end the process for want of memory.
#[test]
fn a_size_beyond_the_memory_is_explained_as_such() {
    let folder = Folder::with(&[]);
    let found = explained(&folder, "--operator caputo --n 1000000000000");
    let rows = found["explanation"]["rows"].as_array().unwrap();
    let reasons: Vec<&str> = rows.iter().map(|row| row["reason"].as_str().unwrap()).collect();
    assert!(reasons.iter().all(|reason| reason.contains("left out")), "{reasons:?}");
    assert!(reasons.iter().any(|reason| reason.contains("24000000000000 bytes")), "{reasons:?}");
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let folder = Folder::with(&[]);
    for (words, said) in [
        ("--operator kaputo --n 10", "unknown operator `kaputo`; known are caputo,"),
        ("--operator caputo --scheme l9 --n 10", "has no scheme `l9`"),
        ("--operator caputo-l1 --alpha 1.5 --n 10", "outside 0 < alpha < 1"),
        ("--operator caputo --n 9 --set a=1", "has no parameter `a`; it has none"),
        ("--operator caputo --n 9 --set a", "--set a: expected NAME=NUMBER"),
        ("--operator caputo --n 0", "no elements"),
        ("--operator caputo --n 10 --batch 0", "no elements"),
        ("--operator caputo --n 2.5", "invalid value"),
        ("--operator caputo --n 10 --backend abacus", "--backend: unknown backend `abacus`"),
    ] {
        let (code, out, err) = run_in(&folder, &format!("explain {words}"), &[host()]);
        assert_eq!((code, out.as_str()), (2, ""), "{words}");
        assert!(err.contains(said), "{words}: {err}");
    }
}

/// What one run has measured, the next one knows; a damaged file is an error, another one is not.
#[test]
fn runs_remember_through_a_file() {
    let folder = Folder::with(&[("damaged.json", "{"), ("x.csv", "t,x\n0,0\n1,1\n2,4\n3,9\n")]);
    let words = "explain --operator caputo --n 300";
    let with = |words: &str, file| run_in(&folder, words, &[host(), ("HPFRACC_WISDOM", file)]);
    assert_eq!(with(&format!("{words} --measure"), "wisdom.json").0, 0);
    let (code, out, err) = with(words, "wisdom.json");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("timed"), "{out}");
    // `diff` learns, too.
    let diff = "diff --operator caputo --alpha 0.5 x.csv -q";
    assert_eq!(with(diff, "wisdom.json").0, 0);
    assert!(with("explain --operator caputo --n 4", "wisdom.json").1.contains("timed"));

    let other = [host(), ("HPFRACC_WISDOM", "wisdom.json"), ("HPFRACC_THREADS", "3")];
    let (code, out, err) = run_in(&folder, words, &other);
    assert!(code == 0 && !out.contains("timed"), "{out}");
    assert!(err.contains("is ignored") && err.contains("`candidates`"), "{err}");

    let (code, out, err) = with(diff, "damaged.json");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("damaged.json"), "{err}");
}

#[cfg(feature = "gpu")]
#[test]
fn adapters_are_among_the_candidates() {
    let folder = Folder::with(&[]);
    let (_, devices, _) = run_in(&folder, "devices --json", &[]);
    let devices: Value = serde_json::from_str(&devices).unwrap();
    let adapters = devices["adapters"].as_array().unwrap();
    let required = std::env::var("HPFRACC_REQUIRE_GPU").as_deref() == Ok("1");
    assert!(!required || !adapters.is_empty(), "no adapter");
    let words = "explain --operator caputo --n 1000 --f32 --json";
    let (code, out, err) = run_in(&folder, words, &[]);
    assert_eq!((code, err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&out).unwrap();
    let rows = document["explanation"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), backends("cpu-").len() + backends("wgpu-").len() * adapters.len());
    for adapter in adapters {
        let on_it = |row: &&Value| {
            row["place"].as_str().unwrap().contains(adapter["name"].as_str().unwrap())
        };
        assert!(rows.iter().filter(on_it).count() >= 3, "{adapter}");
    }
}
