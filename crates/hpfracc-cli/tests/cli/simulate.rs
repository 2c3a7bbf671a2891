//! `hpfracc simulate`.

use crate::command::{Folder, numbers, refused, table};
use hpfracc::sde::models::Named;

#[test]
fn models_are_listed_and_explained() {
    let folder = Folder::with(&[]);
    let list = folder.run("simulate");
    assert_eq!((list.code, list.stderr.as_str()), (0, ""));
    assert!(list.stdout.lines().all(|line| line.chars().count() <= 100), "{}", list.stdout);
    for model in Named::all() {
        let definition = model.definition();
        let page = folder.run(&format!("simulate {} --explain", definition.name));
        assert_eq!((page.code, page.stderr.as_str()), (0, ""));
        assert!(page.stdout.lines().all(|line| line.chars().count() <= 100), "{}", page.stdout);
        // Lines may break anywhere.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let texts = [definition.name, definition.title]
            .into_iter()
            .chain(definition.equation.iter().copied());
        for text in texts {
            assert!(words(&list.stdout).contains(text) && words(&page.stdout).contains(text));
        }
        for parameter in definition.parameters {
            let default = format!("{}={}", parameter.name, parameter.default);
            assert!(list.stdout.contains(&default), "{default}: {}", list.stdout);
            for text in [parameter.meaning.trim_end_matches('.'), parameter.range.text] {
                assert!(words(&page.stdout).contains(text), "{text}: {}", page.stdout);
            }
        }
        assert!(words(&page.stdout).contains(definition.scheme), "{}", page.stdout);
    }
}

#[test]
fn paths_with_their_times() {
    let folder = Folder::with(&[]);
    let words = "simulate rough-heston --paths 3 --steps 20 --t1 2 --every 8 --seed 5";
    let run = folder.run(words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(table(&run.stdout).0, ["t", "s[0]", "v[0]", "s[1]", "v[1]", "s[2]", "v[2]"]);
    assert_eq!(numbers(&run.stdout, 0), [0.0, 0.8, 1.6, 2.0]);
    assert_eq!(numbers(&run.stdout, 3)[0], 1.0);
    assert!(run.stderr.contains("3 paths of 20 steps to t = 2, seed 5"), "{}", run.stderr);
    // The same seed, whatever the threads and however many paths; another seed.
    let mut command = folder.command();
    command.args(words.split_whitespace()).env("HPFRACC_THREADS", "1");
    assert_eq!(String::from_utf8(command.output().unwrap().stdout).unwrap(), run.stdout);
    let more = folder.run(&words.replace("--paths 3", "--paths 300"));
    assert_eq!(numbers(&more.stdout, 5), numbers(&run.stdout, 5));
    let other = folder.run(&words.replace("--seed 5", "--seed 6"));
    assert_ne!(numbers(&other.stdout, 1), numbers(&run.stdout, 1));
    let single = folder.run(&format!("{words} --dtype f32 -q"));
    assert_eq!(single.stderr, "");
    for (a, b) in numbers(&single.stdout, 1).iter().zip(numbers(&run.stdout, 1)) {
        assert!((a - b).abs() < 1e-5 && (*a as f32) as f64 == *a, "{a} {b}");
    }
}

/// Events in the text and of the options: diagnostics, columns and a file.
#[test]
fn events_stop_paths() {
    let folder = Folder::with(&[]);
    let equation = "dX = 0.5 dt + dW; X(0) = 0; t in [0, 2]";
    let run = |arguments: &[&str]| {
        let mut command = folder.command();
        command.args(["simulate", "--equation", equation, "--paths", "400", "--steps", "50"]);
        let output = command.args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let stops = ["--stop-when", "X = 1 rising", "--stop-when", "X = -t/2 - 0.5"];
    let (code, csv, said) =
        run(&[&stops[..], &["--moments", "--every", "25", "--stops", "stops.csv"]].concat());
    assert_eq!(code, Some(0), "{said}");
    let header = ["t", "mean(X)", "variance(X)", "stopped(1)", "stopped(2)"];
    assert_eq!(table(&csv).0, header);
    let file = String::from_utf8(folder.read("stops.csv")).unwrap();
    let (header, rows) = table(&file);
    assert_eq!((header, rows.len()), (["path", "event", "t"].map(str::to_owned).to_vec(), 400));
    for (event, column) in [("1", 3), ("2", 4)] {
        let count = rows.iter().filter(|row| row[1] == event).count();
        assert_eq!(numbers(&csv, column)[2], count as f64 / 400.0);
        let expected = format!("event {event} stopped {count} of 400 paths, at a mean time of ");
        assert!(count > 20 && said.contains(&expected), "{said}");
    }
    assert!(rows.iter().all(|row| row[1].is_empty() == row[2].is_empty()));
    assert!(said.contains("0.5 before "), "{said}");
    let (code, _, said) = run(&["--stops", "stops.csv"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("no event stops paths: add --stop-when"), "{said}");
    let (code, _, said) = run(&["--stop-when", "X > 1"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("write `when x = 1 rising: ...`"), "{said}");
    let (code, _, said) = run(&["--stop-when", "X = 5", "-o", "same.csv", "--stops", "same.csv"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("--output") && said.contains("--stops"), "{said}");
}

/// The predictor-corrector scheme by its name.
#[test]
fn fractional_predictor_corrector_has_a_name() {
    let folder = Folder::with(&[]);
    let mut command = folder.command();
    let equation = "D^0.7 X = -X; X(0) = 1; t in [0, 1]";
    command.args(["simulate", "--equation", equation, "--paths", "1", "--steps", "100"]);
    let output = command.args(["--scheme", "fractional-predictor-corrector"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let exact = hpfracc::special::mittag_leffler(0.7, 1.0, -1.0).unwrap();
    let last = *numbers(&text, 1).last().unwrap();
    assert!((last - exact).abs() < 1e-3, "{last} {exact}");
}

#[test]
fn moments_beside_the_exact_ones() {
    let folder = Folder::with(&[]);
    let run = folder.run(
        "simulate fractional-langevin --set alpha=0.5 --set kt=2 --paths 4000 --steps 32 --t1 4 \
         --moments --quantiles 0.25,0.5 --output out.csv",
    );
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let csv = String::from_utf8(folder.read("out.csv")).unwrap();
    assert_eq!(
        table(&csv).0,
        [
            "t",
            "mean(x)",
            "exact(mean(x))",
            "variance(x)",
            "exact(variance(x))",
            "q0.25(x)",
            "q0.5(x)"
        ]
    );
    let [mean, exact, variance, exact_variance, low, median] =
        [1, 2, 3, 4, 5, 6].map(|column| *numbers(&csv, column).last().unwrap());
    // 2 kT t^(1/2) / Gamma(3/2)
    assert!((exact_variance - 9.027033336764101).abs() < 1e-12 && exact == 0.0);
    let deviation = exact_variance.sqrt();
    assert!(mean.abs() < 4.9 * deviation / 4000f64.sqrt(), "{mean}");
    assert!((variance / exact_variance - 1.0).abs() < 4.9 * (2.0 / 4000f64).sqrt(), "{variance}");
    // Of a normal variable; the errors of these quantiles are 1.36 and 1.25 of the mean's.
    assert!(
        (low + 0.6744897501960817 * deviation).abs() < 6.7 * deviation / 4000f64.sqrt(),
        "{low}"
    );
    assert!(median.abs() < 6.2 * deviation / 4000f64.sqrt(), "{median}");
}

/// Quantiles lie between the values that they are taken of.
#[test]
fn quantiles_of_few_paths() {
    let folder = Folder::with(&[]);
    let words = "simulate geometric-brownian --paths 5 --steps 4";
    let paths = folder.run(words);
    let quantiles = folder.run(&format!("{words} --quantiles 0.5,0.3"));
    assert_eq!(table(&quantiles.stdout).0, ["t", "q0.5(s)", "q0.3(s)"]);
    let mut values: Vec<f64> = (1..=5).map(|k| numbers(&paths.stdout, k)[4]).collect();
    values.sort_by(f64::total_cmp);
    assert_eq!(numbers(&quantiles.stdout, 1)[4], values[2]);
    let between = 0.8 * values[1] + 0.2 * values[2];
    assert!((numbers(&quantiles.stdout, 2)[4] - between).abs() < 1e-14);
}

/// With more values than are stored, quantiles of the sketch are close to those of all values.
#[test]
fn quantiles_of_many_paths() {
    let folder = Folder::with(&[]);
    let words = "simulate geometric-brownian --set mu=0 --steps 2 --quantiles 0.5,0.9 --dtype f32";
    let few = folder.run(&format!("{words} --paths 1300000"));
    assert!(!few.stderr.contains("at most 1/128"), "{}", few.stderr);
    let many = folder.run(&format!("{words} --paths 1500000"));
    assert!(many.stderr.contains("at most 1/128"), "{}", many.stderr);
    for column in [1, 2] {
        let (few, many) = (numbers(&few.stdout, column)[2], numbers(&many.stdout, column)[2]);
        assert!((few / many - 1.0).abs() < 3e-3, "{few} {many}");
    }
}

#[test]
fn fans() {
    let folder = Folder::with(&[]);
    for (model, texts) in [
        ("rough-bergomi", vec!["Rough Bergomi model, 200 paths", "\"s\"", "\"v\"", "\"t\""]),
        (
            "cox-ingersoll-ross",
            vec!["\"x\"", "\"mean\"", "\"exact mean\"", "\"paths\"", "\"5 to 95 %\""],
        ),
    ] {
        let words = format!("simulate {model} --paths 200 --steps 50 --plot fan.svg -o out.csv");
        let run = folder.run(&words);
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        let svg = String::from_utf8(folder.read("fan.svg")).unwrap();
        resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
        let svg: String = svg.lines().collect();
        for text in texts {
            assert!(svg.contains(text), "{words}: {text}");
        }
        assert_eq!(svg.matches("<polygon").count() % 2, 0);
        assert!(svg.contains("<polygon"), "bands");
    }
    let run = folder.run("simulate cox-ingersoll-ross --paths 9 --steps 9 -p fan.png -o out.csv");
    assert!(run.stderr.contains("2 kappa theta / sigma^2 is 1.3333"), "{}", run.stderr);
    resvg::tiny_skia::Pixmap::decode_png(&folder.read("fan.png")).unwrap();
}

#[test]
fn what_is_refused() {
    for (words, said) in [
        (
            "simulate rough-heaven",
            "no model `rough-heaven`; the models are ornstein-uhlenbeck, frac",
        ),
        (
            "simulate rough-heston --set eta=1",
            "rough-heston has no parameter `eta`; the parameters are s0, v0, kappa",
        ),
        ("simulate rough-heston --set rho=2", "simulate: the parameter rho is 2, expected -1 to 1"),
        ("simulate rough-heston --set rho", "--set rho: expected NAME=NUMBER"),
        ("simulate rough-heston --paths 0", "'--paths <N>'"),
        ("simulate rough-heston --steps 0", "'--steps <N>'"),
        ("simulate rough-heston --every 0", "'--every <K>'"),
        ("simulate rough-heston --paths -5", "'--paths <N>'"),
        ("simulate rough-heston --steps -5", "'--steps <N>'"),
        ("simulate rough-heston --every -5", "'--every <K>'"),
        ("simulate rough-heston --seed -1", "--seed"),
        ("simulate rough-heston --t1 -1", "the interval [0, -1] is empty"),
        ("simulate rough-heston --quantiles 0.5,1", "--quantiles 1: expected numbers above 0"),
        ("simulate rough-heston --quantiles NaN", "--quantiles NaN: expected"),
        ("simulate rough-heston --plot p.pdf", "--plot p.pdf: the name must end in .svg or .png"),
        ("simulate rough-heston --dtype f16", "'--dtype <TYPE>'"),
        ("simulate --set rho=1", "MODEL"),
        ("simulate rough-heston --paths 1000000000000", "--moments stores no paths"),
        // Steps that are too long for the explicit scheme.
        (
            "simulate ornstein-uhlenbeck --set theta=1e9 --t1 1000 --steps 100 --paths 4",
            "component 0 is not finite after step",
        ),
    ] {
        refused(words, said);
    }
    let folder = Folder::with(&[]);
    let run = folder.run("simulate rough-heston --output same.svg --plot ./same.svg");
    assert_eq!((run.code, folder.names().len()), (2, 0));
    let mut command = folder.command();
    let run = command.args(["simulate", "rough-heston"]).env("HPFRACC_THREADS", "many").output();
    let run = run.unwrap();
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("HPFRACC_THREADS"), "{said}");
}

/// A file that cannot be written is refused before the first step, which would fail here.
#[test]
fn files_are_tried_first() {
    let folder = Folder::with(&[]);
    let fails = "simulate ornstein-uhlenbeck --set theta=1e9 --t1 1000 --steps 100 --paths 4";
    for files in ["--output no/out.csv", "--output .", "--output o.csv --plot no/fan.svg"] {
        let run = folder.run(&format!("{fails} {files}"));
        assert_eq!((run.code, folder.names().len()), (1, 0), "{files}: {}", run.stderr);
        assert!(run.stderr.contains("cannot write"), "{files}: {}", run.stderr);
    }
}

/// Feller's condition is reported if there is noise.
#[test]
fn fellers_condition() {
    let folder = Folder::with(&[]);
    for (parameters, said) in [
        ("--set sigma=0.3", "2 kappa theta / sigma^2 is 1.3333: 0 is never reached"),
        ("--set sigma=0.6", "2 kappa theta / sigma^2 is 0.3333: below 1: 0 is reached"),
        ("--set sigma=0 --set theta=0", ""),
        ("--set sigma=0", ""),
    ] {
        let words = format!("simulate cox-ingersoll-ross --paths 3 --steps 2 {parameters}");
        let run = folder.run(&words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(said), "{parameters}: {}", run.stderr);
        assert_eq!(run.stderr.contains("sigma^2 is"), !said.is_empty(), "{}", run.stderr);
    }
}

/// An equation of one's own gives the moments of the model with the same equation.
#[test]
fn an_equation_of_ones_own() {
    let folder = Folder::with(&[]);
    let text = "dX = theta (mu - X) dt + sigma dW; theta = 1; mu = 0; sigma = 0.5; X(0) = 1; t in [0, 1]; \
        show square = X^2";
    let words = ["simulate", "--equation", text, "--paths", "4000", "--steps", "50", "--moments"];
    let run = folder.run_with(
        &[&words[..], &["--set", "mu=0.5", "--plot", "fan.svg", "--output", "out.csv"]].concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("Euler-Maruyama method"), "{}", run.stderr);
    let table = String::from_utf8(folder.read("out.csv")).unwrap();
    let mean = *numbers(&table, 1).last().unwrap();
    assert!((mean - (0.5 + 0.5 * (-1f64).exp())).abs() < 0.03, "{mean}");
    for (words, said) in [
        (vec!["simulate", "--equation", "dX = dt + X(t - 1) dt; X(0) = 1; t in [0, 1]"], "X"),
        (vec!["simulate", "--equation", "dX = dt + dW; X(0) = 1"], "write `t in [0, 1]`"),
    ] {
        let run = folder.run_with(&words);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

/// An equation on a GPU has the paths of the CPU, and what it cannot solve is refused with the reason.
#[cfg(feature = "gpu")]
#[test]
fn equations_on_a_gpu() {
    let folder = Folder::with(&[]);
    let simulate = |text: &str, words: &str| {
        let mut arguments = vec!["simulate", "--equation", text];
        arguments.extend(words.split_whitespace());
        folder.run_with(&arguments)
    };
    let text = "dX = (sin(t) - X) dt + 0.3 X dW; X(0) = 1; t in [0, 1]";
    let sizes = "--paths 20 --steps 30 --seed 5 --dtype f32 --scheme milstein";
    let found = simulate(text, &format!("{sizes} --backend wgpu-guarded"));
    let missing = found.code == 1 && found.stderr.contains("no adapter");
    if missing && std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1") {
        println!("skipped: equations_on_a_gpu: no adapter");
        return;
    }
    assert_eq!(found.code, 0, "{}", found.stderr);
    assert_eq!(found.stdout, simulate(text, sizes).stdout);
    let moments = simulate(text, &format!("{sizes} --backend wgpu --moments"));
    assert_eq!(moments.code, 0, "{}", moments.stderr);
    // The default precision: of the device, or double-float numbers.
    let sizes_of_double = "--paths 20 --steps 30 --seed 5 --scheme milstein";
    let found = simulate(text, &format!("{sizes_of_double} --backend wgpu"));
    assert_eq!(found.code, 0, "{}", found.stderr);
    let expected = simulate(text, sizes_of_double);
    for (a, b) in numbers(&found.stdout, 1).iter().zip(numbers(&expected.stdout, 1)) {
        assert!((a - b).abs() <= 1e-12, "{a} {b}");
    }
    let guarded = simulate(text, &format!("{sizes_of_double} --backend wgpu-guarded"));
    if found.stderr.contains("; in f64") {
        assert_eq!(guarded.stdout, expected.stdout);
    } else {
        assert!(found.stderr.contains("double-float numbers"), "{}", found.stderr);
        assert!(guarded.stderr.contains("take wgpu in place of wgpu-guarded"));
    }
    // Statistics of the device, and the first paths of the picture.
    let words = "--paths 20000 --steps 20 --seed 5 --every 10 --dtype f32 --moments --quantiles 0.1 --plot fan.svg";
    let [found, expected] = ["wgpu", "cpu"].map(|backend| {
        let run = simulate(text, &format!("{words} --backend {backend} --output {backend}.csv"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        String::from_utf8(folder.read(&format!("{backend}.csv"))).unwrap()
    });
    for column in 0..4 {
        for (a, b) in numbers(&found, column).iter().zip(numbers(&expected, column)) {
            assert!((a - b).abs() <= 1e-5 * b.abs(), "column {column}: {a} {b}");
        }
    }
    // Fractional Brownian motion of the catalogue.
    let words = "--paths 20 --steps 30 --seed 5 --dtype f32";
    let [found, expected] = ["wgpu", "cpu"].map(|backend| {
        let run = simulate("fractional-brownian-motion", &format!("{words} --backend {backend}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    });
    for (a, b) in numbers(&found, 20).iter().zip(numbers(&expected, 20)) {
        assert!((a - b).abs() <= 1e-5, "{a} {b}");
    }
    // A software adapter is never chosen: without another one it is the CPU.
    let auto = simulate(text, &format!("{sizes} --backend auto-guarded"));
    assert_eq!(auto.code, 0, "{}", auto.stderr);
    assert_eq!(auto.stdout, simulate(text, sizes).stdout);
    assert!(auto.stderr.contains(": backend "), "{}", auto.stderr);
    for (text, words, said) in [
        (text, "--backend gpu --dtype f32", "known are cpu, wgpu"),
        (
            text,
            "--backend wgpu --dtype f32 --scheme drift-implicit",
            "drift-implicit is none of its schemes",
        ),
        ("dX = -Gamma(2 + X) dt; X(0) = 1; t in [0, 1]", "--backend wgpu --dtype f32", "no shader"),
    ] {
        let refused = simulate(text, words);
        assert_eq!(refused.code, 2, "{words}: {}", refused.stderr);
        assert!(refused.stderr.contains(said), "{words}: {}", refused.stderr);
    }
}

/// Schemes of an equation: each takes the noise it is for, and names those that do where it does not.
#[test]
fn schemes_of_equations() {
    let folder = Folder::with(&[
        ("price.eq", "dS = 0.1 S dt + 0.8 S dW; S(0) = 1; t in [0, 1]"),
        ("additive.eq", "dX = -X dt + 0.3 dW; X(0) = 1; t in [0, 1]"),
        ("circle.eq", "dS = 0.1 S dt + 0.8 S o dW; S(0) = 1; t in [0, 1]"),
        ("memory.eq", "D^0.8 X = -X + 0.3 dW/dt; X(0) = 1; t in [0, 1]"),
    ]);
    let simulate = |equation: &str, words: &str| {
        folder.run(&format!("simulate --equation {equation} --paths 4 --seed 3 {words}"))
    };
    let ends = |equation: &str, words: &str| -> Vec<f64> {
        let run = simulate(equation, words);
        assert_eq!(run.code, 0, "{equation} {words}: {}", run.stderr);
        (1..=4).map(|column| *numbers(&run.stdout, column).last().unwrap()).collect()
    };
    // The default, by its name.
    for (equation, scheme) in [
        ("price.eq", "euler-maruyama"),
        ("circle.eq", "heun"),
        ("memory.eq", "fractional-euler-maruyama"),
    ] {
        let named = simulate(equation, &format!("--steps 50 --scheme {scheme}"));
        assert_eq!(named.stdout, simulate(equation, "--steps 50").stdout, "{equation}");
        assert!(named.stderr.contains(scheme), "{}", named.stderr);
    }
    // The sum of squared increments is all that Euler and Maruyama's scheme and Milstein's differ by:
    // their ends differ, the mean of the higher scheme is exact to the order of a step.
    let [euler, milstein, sriw1] = ["euler-maruyama", "milstein", "sriw1"]
        .map(|scheme| ends("price.eq", &format!("--steps 400 --scheme {scheme}")));
    let apart = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    assert!(apart(&milstein, &sriw1) < 0.2 * apart(&euler, &milstein));
    for (equation, scheme) in [
        ("additive.eq", "sra1"),
        ("additive.eq", "heun"),
        ("additive.eq", "milstein"),
        ("price.eq", "tamed-euler"),
        ("price.eq", "drift-implicit"),
        ("price.eq", "sric2"),
        ("circle.eq", "reversible-heun"),
    ] {
        let dtype = if scheme == "sric2" { "--dtype f32" } else { "" };
        ends(equation, &format!("--steps 50 --scheme {scheme} {dtype}"));
    }
    for (words, said) in [
        (
            "simulate --equation ornstein-uhlenbeck --scheme milstien",
            "no scheme `milstien`; the schemes are euler-maruyama, tamed-euler, drift-implicit, \
             milstein, sric2, sriw1, sra1, heun, reversible-heun, fractional-euler-maruyama, fractional-predictor-corrector; \
             did you mean `milstein`?",
        ),
        (
            "simulate ornstein-uhlenbeck --scheme milstein",
            "--scheme milstein: the model ornstein-uhlenbeck has its own scheme",
        ),
        ("simulate --scheme milstein", "MODEL"),
        (
            "simulate --equation geometric-brownian --scheme sra1",
            "--scheme sra1: the scheme SRA1 does not take this equation: its noise must be additive; \
             SRIW1 takes g that depend on x; schemes of this equation: euler-maruyama, ",
        ),
        (
            "simulate --equation geometric-brownian --scheme heun",
            "--scheme heun: heun is of Stratonovich calculus, the equation of Ito",
        ),
        (
            "simulate --equation stable-levy-motion --scheme milstein",
            "its noise must be Brownian motion",
        ),
        (
            "simulate --equation caputo-ornstein-uhlenbeck --scheme euler-maruyama",
            "schemes of this equation: fractional-euler-maruyama",
        ),
    ] {
        refused(words, said);
    }
}
