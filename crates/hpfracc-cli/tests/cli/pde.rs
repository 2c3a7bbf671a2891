//! `hpfracc pde`.

use crate::command::{Folder, Run, numbers, table};

/// Runs `hpfracc pde` with these words, the first as one.
fn pde(folder: &Folder, text: &str, words: &[&str]) -> Run {
    folder.run_with(&[&["pde", text], words].concat())
}

fn solved(folder: &Folder, text: &str, words: &[&str]) -> Run {
    let run = pde(folder, text, words);
    assert_eq!(run.code, 0, "{text}: {}", run.stderr);
    run
}

/// Values of a NumPy file after its header of a multiple of 64 bytes.
fn npy(bytes: &[u8]) -> (String, Vec<f64>) {
    let length = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let values = bytes[length..].chunks_exact(8);
    let values = values.map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    (String::from_utf8_lossy(&bytes[10..length]).into_owned(), values)
}

const LINE: [&str; 4] = ["--box", "0:1:40", "--boundary", "dirichlet"];

#[test]
fn a_mode_relaxes_by_the_mittag_leffler_function() {
    let folder = Folder::with(&[]);
    let text = "D^0.6 u = k lap(u); k = 0.1; u(0) = sin(pi x)";
    let words = [&LINE[..], &["--until", "2", "--times", "0,0.5,2"]].concat();
    let run = solved(&folder, text, &words);
    assert_eq!(table(&run.stdout).0, ["t", "x", "u"]);
    assert!(run.stderr.contains("without time steps"), "{}", run.stderr);
    let u = numbers(&run.stdout, 2);
    assert_eq!(u.len(), 3 * 40);
    let lambda = (2.0 * 40.0 * (std::f64::consts::PI / 80.0).sin()).powi(2);
    for (k, t) in [(1, 0.5f64), (2, 2.0)] {
        let z = -0.1 * lambda * t.powf(0.6);
        let value = folder.run(&format!("mittag-leffler --alpha 0.6 -- {z}")).stdout;
        let value: f64 = value.trim().parse().unwrap();
        assert!((u[40 * k + 20] / u[20] - value).abs() < 1e-11, "{t}");
    }
    // The same by steps, and by another order.
    let steps = [&words[..], &["--scheme", "product-trapezoid", "--n", "400"]].concat();
    let stepped = numbers(&solved(&folder, text, &steps).stdout, 2);
    assert!(u.iter().zip(&stepped).all(|(a, b)| (a - b).abs() < 1e-5));
    let other = solved(&folder, text, &[&words[..], &["--alpha", "0.9"]].concat());
    assert_ne!(other.stdout, run.stdout);
}

#[test]
fn pictures_animations_and_arrays() {
    let folder = Folder::with(&[]);
    let text = "D^0.6 u = 0.1 lap(u) + u - u^3";
    let words = ["--start", "sin(pi x)", "--until", "1", "--frames", "5", "--plot", "heat.svg"];
    let files = ["--animate", "u.png", "--output", "u.npy", "--n", "40"];
    let run = solved(&folder, text, &[&LINE[..], &words, &files].concat());
    assert!(run.stderr.contains("integral of u"), "{}", run.stderr);
    let (header, values) = npy(&folder.read("u.npy"));
    assert!(header.contains("'shape': (5, 40)"), "{header}");
    assert!((values[20] - (std::f64::consts::PI * 20.5 / 40.0).sin()).abs() < 1e-15);
    assert!(folder.read("u.png").windows(4).any(|chunk| chunk == b"acTL"), "an animation");
    assert!(String::from_utf8_lossy(&folder.read("heat.svg")).contains("<svg"));

    // A plane of two fields, whose start is the file of another run.
    let plane = ["--box", "0:1:8", "--box", "0:2:6", "--boundary", "periodic"];
    let words = ["--times", "1", "--n", "10", "--output", "v.npy"];
    solved(&folder, "gray-scott", &[&plane[..], &words, &["--plot", "maps.png"]].concat());
    let (header, last) = npy(&folder.read("v.npy"));
    assert!(header.contains("'shape': (1, 2, 8, 6)"), "{header}");
    let start: String = std::iter::once("u,v\n".to_owned())
        .chain((0..48).map(|k| format!("{},{}\n", last[k], last[48 + k])))
        .collect();
    std::fs::write(folder.path("start.csv"), start).unwrap();
    let words = ["--start", "start.csv", "--until", "1", "--times", "0", "--output", "w.npy"];
    solved(&folder, "gray-scott", &[&plane[..], &words].concat());
    assert_eq!(npy(&folder.read("w.npy")).1, last);
}

#[test]
fn values_on_faces_and_starts_of_fields() {
    let folder = Folder::with(&[]);
    let face = ["--value", "u(x=0) = q sin(t)", "--until", "3", "--times", "3", "--n", "100"];
    let text = "D^0.8 u = 5 lap(u); q = 2; u(0) = 0";
    let mixed = ["--box", "0:1:30", "--boundary", "dirichlet,neumann"];
    let u = numbers(&solved(&folder, text, &[&mixed[..], &face].concat()).stdout, 2);
    assert!((u[0] - 2.0 * 3f64.sin()).abs() < 0.05, "{}", u[0]);
    let text = "D u = lap(u) + v; D v = lap(v)";
    let starts = ["--start", "u=x", "--start", "v = 1 - x", "--until", "1", "--times", "0"];
    let run = solved(&folder, text, &[&LINE[..], &starts].concat());
    assert_eq!(table(&run.stdout).0, ["t", "x", "u", "v"]);
    let [x, u, v] = [1, 2, 3].map(|column| numbers(&run.stdout, column));
    assert!(x == u && x.iter().zip(&v).all(|(x, v)| (1.0 - x - v).abs() < 1e-15));
}

#[test]
fn poisson_in_both_definitions() {
    let folder = Folder::with(&[]);
    let common = ["--s", "0.5", "--source", "1", "--box", "-1:1:401"];
    let run = |words: &[&str]| solved(&folder, "poisson", &[&common[..], words].concat());
    let spectral = run(&["--definition", "spectral", "--boundary", "dirichlet"]);
    assert!((numbers(&spectral.stdout, 1)[200] - 0.742_453_8).abs() < 1e-4);
    let integral = run(&["--definition", "integral"]);
    assert!((numbers(&integral.stdout, 1)[200] - 1.0).abs() < 1e-3);
    let words =
        ["--definition", "integral", "--s", "0.5", "--source", "1", "--domain", "x^2 + y^2 < 1"];
    let disk = ["--box", "-1:1:31", "--box", "-1:1:31", "--output", "u.csv", "--plot", "disk.svg"];
    solved(&folder, "poisson", &[&words[..], &disk].concat());
    let u = numbers(&String::from_utf8(folder.read("u.csv")).unwrap(), 2);
    let most = u.iter().copied().fold(0.0, f64::max);
    assert!((most - std::f64::consts::FRAC_2_PI).abs() < 0.03, "{most}");
}

#[test]
fn ready_equations_are_listed() {
    let list = Folder::with(&[]).run("pde list");
    assert!(list.code == 0 && list.stdout.contains("fisher-kpp: Front"), "{}", list.stdout);
}

#[test]
fn bad_input_is_refused() {
    let folder = Folder::with(&[("bad.npy", "PK"), ("short.csv", "u\n1\n2\n")]);
    let text = "D^0.6 u = k lap(u); k = 0.1; u(0) = 1; t in [0, 1]";
    let file = |name: &str| folder.path(name).display().to_string();
    let (bad, short) = (file("bad.npy"), file("short.csv"));
    let cases: &[(&str, &[&str], &str)] = &[
        (text, &["--box", "0:1"], "--box 0:1: expected FROM:TO:N"),
        (text, &["--box", "0:1:9"], "--boundary is given 0 times for 1 axes"),
        (text, &["--box", "1:0:9", "--boundary", "neumann"], "expected"),
        (text, &["--box", "0:1:1", "--boundary", "dirichlet"], "expected"),
        (text, &["--box", "0:1:9", "--boundary", "open"], "--boundary open: expected periodic"),
        (text, &["--box", "0:1:9", "--boundary", "periodic,neumann"], "periodic"),
        ("nope", &LINE, "no equation `nope`"),
        ("diffusion", &LINE, "no end of the time"),
        ("D u = lap(u)", &[&LINE[..], &["--until", "1"]].concat(), "no start of u"),
        ("D u = lap(w)", &LINE, "unknown name `w`"),
        (text, &[&LINE[..], &["--start", "q x"]].concat(), "no name `q`; the names are x, k"),
        (text, &[&LINE[..], &["--start", "ln(-x)"]].concat(), "NaN"),
        (text, &[&LINE[..], &["--start", &bad]].concat(), "no NumPy file"),
        (text, &[&LINE[..], &["--start", &short]].concat(), "2 rows, expected 40"),
        (text, &[&LINE[..], &["--set", "q=1"]].concat(), "no parameter `q`"),
        (text, &[&LINE[..], &["--alpha", "2.5"]].concat(), "2.5"),
        (text, &[&LINE[..], &["--alpha", "1.5"]].concat(), "1.5"),
        (text, &[&LINE[..], &["--times", "0.5,0.2"]].concat(), "--times 0.2: expected increasing"),
        (text, &[&LINE[..], &["--scheme", "euler"]].concat(), "no scheme `euler`"),
        (
            text,
            &[&LINE[..], &["--animate", "u.gif"]].concat(),
            "--animate u.gif: the name must end",
        ),
        (text, &[&LINE[..], &["--field", "v"]].concat(), "no field `v`"),
        (text, &[&LINE[..], &["--value", "u(x=2) = 1"]].concat(), "the faces are at x = 0 and 1"),
        (text, &[&LINE[..], &["--value", "u = 1"]].concat(), "this is no boundary value"),
        (
            "D u = lap(u) + t; u(0) = 1",
            &[&LINE[..], &["--until", "1", "--scheme", "none"]].concat(),
            "--scheme none: the equation is not linear",
        ),
        (
            "poisson",
            &[
                "--definition",
                "spectral",
                "--s",
                "-1",
                "--source",
                "1",
                "--box",
                "0:1:9",
                "--boundary",
                "dirichlet",
            ],
            "-1",
        ),
        (
            "poisson",
            &[
                "--definition",
                "spectral",
                "--s",
                "0.5",
                "--source",
                "1",
                "--box",
                "0:1:9",
                "--boundary",
                "neumann",
            ],
            "mean",
        ),
        (
            "poisson",
            &[
                "--definition",
                "integral",
                "--s",
                "0.5",
                "--source",
                "1",
                "--box",
                "0:1:9",
                "--boundary",
                "periodic",
            ],
            "no boundary condition",
        ),
        (
            "poisson",
            &[
                "--definition",
                "spectral",
                "--s",
                "0.5",
                "--source",
                "1",
                "--box",
                "0:1:9",
                "--boundary",
                "dirichlet",
                "--domain",
                "x < 1",
            ],
            "take --definition integral",
        ),
    ];
    for (text, words, said) in cases {
        let run = pde(&folder, text, words);
        assert_eq!(run.code, 2, "{text} {words:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{text} {words:?}: {}", run.stderr);
    }
}
