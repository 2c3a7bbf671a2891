//! `hpfracc difference` and `hpfracc hurst`.

use crate::command::{Folder, numbers, table};
use serde_json::Value;

/// White noise: sums of uniform numbers of a linear congruential generator.
fn white(count: usize) -> Vec<f64> {
    let mut state: u64 = 12345;
    let mut uniform = || {
        state = (1_103_515_245 * state + 12345) % (1 << 31);
        state as f64 / (1u64 << 31) as f64
    };
    (0..count).map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0).collect()
}

fn path(noise: &[f64]) -> Vec<f64> {
    noise
        .iter()
        .scan(0.0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect()
}

fn csv(name: &str, values: &[f64]) -> String {
    let rows = values.iter().map(|x| format!("{x}\n"));
    format!("{name}\n{}", rows.collect::<String>())
}

#[test]
fn differences_and_their_inverse() {
    let folder = Folder::with(&[("x.csv", "day,x\n1,3\n2,1\n3,4\n4,1\n5,5\n")]);
    let run = folder.run("difference -d 1 --time day -q x.csv");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, "day,x,difference_1(x)\n1,3,3\n2,1,-2\n3,4,3\n4,1,-3\n5,5,4\n");
    assert_eq!(folder.run("difference -d 0.4 --time day x.csv -o y.csv --plot y.svg").code, 0);
    assert!(String::from_utf8(folder.read("y.svg")).unwrap().contains("difference_0.4(x)"));
    let words = [
        "difference",
        "-d",
        "0.4",
        "--inverse",
        "--column",
        "difference_0.4(x)",
        "--time",
        "day",
        "y.csv",
    ];
    let back = folder.run_with(&words);
    let (header, _) = table(&back.stdout);
    assert_eq!(header[2], "integral_0.4(difference_0.4(x))", "{}", back.stderr);
    for (found, exact) in numbers(&back.stdout, 2).iter().zip([3.0, 1.0, 4.0, 1.0, 5.0]) {
        assert!((found - exact).abs() < 1e-14);
    }
    // Without a time column, and with the order of the inverse.
    let negative = folder.run_with_input("difference -d -1 -", "x\n1\n2\n4\n");
    assert_eq!(
        negative.stdout, "t,x,difference_-1(x)\n0,1,1\n1,2,3\n2,4,7\n",
        "{}",
        negative.stderr
    );
}

/// The help of `difference` names this command for constant memory.
#[test]
fn a_difference_in_constant_memory() {
    let folder = Folder::with(&[("x.csv", &csv("x", &white(700)))]);
    let whole = folder.run("difference -d 0.4 x.csv");
    let stream = folder.run("diff --operator grunwald-letnikov --alpha 0.4 --dt 1 --stream x.csv");
    let (whole, stream) = (numbers(&whole.stdout, 2), numbers(&stream.stdout, 2));
    assert_eq!((whole.len(), stream.len()), (700, 700));
    let distance = whole.iter().zip(&stream).map(|(a, b)| (a - b).abs());
    assert!(distance.fold(0.0, f64::max) < 1e-8);
}

fn estimates(stdout: &str) -> Vec<(String, f64, f64)> {
    let document: Value = serde_json::from_str(stdout).unwrap();
    let of = |estimate: &Value| {
        let method = estimate["method"].as_str().unwrap().to_owned();
        let parameters = estimate["parameters"].as_array().unwrap();
        let hurst = parameters.iter().find(|parameter| parameter["name"] == "hurst").unwrap();
        let number = |key: &str| hurst[key].as_f64().unwrap();
        (method, number("value"), number("standard_error"))
    };
    document["estimates"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn hurst_exponents_of_noises_and_paths() {
    let noise = white(1000);
    let folder =
        Folder::with(&[("x.csv", &csv("x", &noise)), ("sums.csv", &csv("x", &path(&noise)))]);
    let run = folder.run("hurst --noise --json -q x.csv");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let found = estimates(&run.stdout);
    assert_eq!(found.len(), 4);
    for (method, hurst, error) in &found {
        assert!((hurst - 0.5).abs() < 3.0 * error, "{method}: {hurst} +- {error}");
    }
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&document["record"], &document["observations"]), (&"noise".into(), &1000.into()));
    let described = document["descriptions"].as_array().unwrap();
    assert_eq!(described.len(), 2);
    assert_eq!(described[0]["expected"].as_array().unwrap().len(), 5);
    // The steps of the sums are the noise but for the first value.
    let run = folder.run("hurst --path --likelihood whittle --arfima 1,0 -q sums.csv");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for text in [
        "a path of 1000 values with 999 steps",
        "95 % interval",
        "ARFIMA(1, d, 0)",
        "ar1",
        "DFA",
        "H = 0.9",
    ] {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
    }
    let wrong = folder.run("hurst --noise sums.csv");
    assert!(wrong.stderr.contains("say --path"), "{}", wrong.stderr);
    let wrong = folder.run("hurst --path x.csv");
    assert!(wrong.stderr.contains("say --noise"), "{}", wrong.stderr);
}

#[test]
fn diffusion_of_particles() {
    let noise = white(1200);
    let tracks: Vec<Vec<f64>> = noise.chunks(300).map(path).collect();
    let rows = (0..300).flat_map(|k| {
        let pairs = [("a", 0, 1), ("b", 2, 3)];
        let tracks = &tracks;
        pairs.map(|(name, x, y)| format!("{name},{},{}\n", tracks[x][k], tracks[y][k]))
    });
    let text = format!("particle,x,y\n{}", rows.collect::<String>());
    let folder = Folder::with(&[("t.csv", &text)]);
    let run = folder.run("hurst --tracks particle --columns x,y --dt 1 --json -q t.csv");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&document["tracks"], &document["observations"]), (&2.into(), &1196.into()));
    let parameters = document["estimate"]["parameters"].as_array().unwrap();
    let of = |name: &str| {
        let found = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        (found["value"].as_f64().unwrap(), found["standard_error"].as_f64().unwrap())
    };
    // Steps of variance 1 are 2 D h.
    for (name, exact) in [("alpha", 1.0), ("D", 0.5), ("hurst", 0.5)] {
        let (value, error) = of(name);
        assert!((value - exact).abs() < 3.0 * error, "{name}: {value} +- {error}");
    }
    let run = folder.run("hurst --tracks particle --columns x,y --dt 1 t.csv");
    assert!(run.stdout.contains("tracks of 2 particles in 2 dimensions"), "{}", run.stdout);
}

#[test]
fn inputs_without_an_answer() {
    let folder = Folder::with(&[
        ("x.csv", &csv("flow", &white(30))),
        ("constant.csv", "x\n1\n1\n1\n"),
        ("short.csv", "x\n1\n2\n4\n"),
        ("gap.csv", "id,x\na,1\na,\na,2\n"),
    ]);
    let cases = [
        ("hurst x.csv", "is the time series a noise or a path? Say --noise"),
        ("hurst --noise --path x.csv", "cannot be used with"),
        (
            "hurst --noise --column flaw x.csv",
            "hpfracc: error: x.csv: no column `flaw`; the columns are `flow`; did you mean `flow`?",
        ),
        (
            "hurst --noise constant.csv",
            "hpfracc: error: constant.csv: column `x`: all values of the series are 1: there is no variance to describe",
        ),
        ("hurst --noise short.csv", "hpfracc: error: short.csv: column `x`: "),
        ("hurst --noise --arfima 1 x.csv", "expected two counts such as 1,0"),
        ("hurst --tracks id --columns x gap.csv", "--dt"),
        (
            "hurst --tracks id --columns x --dt 1 gap.csv",
            "hpfracc: error: gap.csv: row 3, column `x`: the position is missing (``); split the track there",
        ),
        ("difference x.csv", "-d"),
        (
            "difference -d nan x.csv",
            "hpfracc: error: x.csv: column `flow`: `d` is NaN, expected a finite number",
        ),
        (
            "difference -d 0.4 gap.csv",
            "hpfracc: error: gap.csv: row 3, column `x`: the value is missing",
        ),
    ];
    for (words, message) in cases {
        let run = folder.run(words);
        assert_eq!(run.code, 2, "{words}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{words}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{words}");
    }
    // Too short for some methods: they say so, the others answer.
    let run = folder.run("hurst --noise x.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("without a result: wavelet estimator: "), "{}", run.stdout);
}
