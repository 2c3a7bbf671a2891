//! `hpfracc solve` and `hpfracc systems`.

use crate::command::{Folder, numbers, refused, table};

#[test]
fn a_relaxation_beside_its_exact_solution() {
    let folder = Folder::with(&[]);
    for (scheme, most) in [
        ("pece", 2e-2),
        ("rectangle", 2e-2),
        ("trapezoid", 2e-2),
        ("fractional-trapezoid", 1e-3),
        ("newton-gregory", 1e-3),
        ("bdf2", 1e-3),
        ("l1", 0.1),
        ("collocation", 1e-9),
    ] {
        let words = "solve relaxation --alpha 0.6 --set rate=2 --set y0=3 --t1 4 --n 400";
        let run = folder.run(&format!("{words} --scheme {scheme}"));
        assert_eq!(run.code, 0, "{scheme}: {}", run.stderr);
        assert_eq!(table(&run.stdout).0, ["t", "y", "exact(y)"]);
        let [t, y, exact] = [0, 1, 2].map(|column| numbers(&run.stdout, column));
        assert_eq!((t.len(), t[100], t[400], exact[0]), (401, 1.0, 4.0, 3.0));
        let error = y.iter().zip(&exact).map(|(y, e)| (y - e).abs()).fold(0.0, f64::max);
        assert!(error < most, "{scheme}: {error:e}");
        assert!(run.stderr.contains("largest error against the exact solution"));
    }
    // 3 E_0.6(-2 4^0.6), the function by the other command.
    let words = format!("mittag-leffler --alpha 0.6 -- {}", -2.0 * 4f64.powf(0.6));
    let value: f64 = folder.run(&words).stdout.trim().parse().unwrap();
    let run =
        folder.run("solve relaxation --set rate=2 --set y0=3 --t1 4 --n 1 --scheme collocation -q");
    assert_eq!(run.stderr, "");
    assert!((numbers(&run.stdout, 1)[1] - 3.0 * value).abs() < 1e-10);
}

#[test]
fn an_order_for_each_component() {
    let folder = Folder::with(&[]);
    let run = folder.run("solve brusselator --alpha 0.8,0.7 --t1 5 --n 200");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(table(&run.stdout).0, ["t", "x", "y"]);
    let other = folder.run("solve brusselator --alpha 0.8 --t1 5 --n 200");
    assert_ne!(run.stdout, other.stdout);
}

#[test]
fn pictures_of_time_and_of_phase() {
    let folder = Folder::with(&[]);
    let lorenz = "solve lorenz --t1 5 --n 1000 --output out.csv";
    for (words, picture, texts) in [
        (format!("{lorenz} --plot time.svg"), "time.svg", vec!["\"x\"", "\"y\"", "\"z\"", "\"t\""]),
        (format!("{lorenz} --phase x,z --plot xz.svg"), "xz.svg", vec!["\"x\"", "\"z\"", "\"start\""]),
        (
            "solve robertson --scheme l1 --grading 8 --n 200 --log-time --output r.csv --plot r.svg"
                .to_owned(),
            "r.svg",
            // The middle one is 1e5 times smaller than the others and has a chart of its own.
            vec!["\"y1\"", "\"y2\"", "\"y3\"", "\"10⁴\""],
        ),
        (
            "solve relaxation --n 100 --output out.csv --plot exact.svg".to_owned(),
            "exact.svg",
            vec!["Relaxation, order 0.6", "\"exact\""],
        ),
    ] {
        let run = folder.run(&words);
        assert_eq!(run.code, 0, "{words}: {}", run.stderr);
        let svg: String = String::from_utf8(folder.read(picture)).unwrap();
        resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
        // Texts stand on lines of their own.
        let svg: String = svg.lines().collect();
        for text in texts {
            assert!(svg.contains(text), "{words}: {text}");
        }
    }
    let run = folder.run(&format!("{lorenz} --phase x,z --plot xz.png"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&folder.read("xz.png")).unwrap();
    let blue = |p: &&resvg::tiny_skia::PremultipliedColorU8| {
        (p.red(), p.green(), p.blue()) == (0, 114, 178)
    };
    assert!(pixels.pixels().iter().filter(blue).count() > 5000);
}

#[test]
fn what_is_refused() {
    for (words, said) in [
        ("solve lorentz", "no system `lorentz`; the systems are arneodo, atangana-baleanu-lorenz"),
        ("solve lorenz --set r=1", "lorenz has no parameter `r`; the parameters are sigma, rho"),
        ("solve lorenz --set rho", "--set rho: expected NAME=NUMBER"),
        ("solve lorenz --set rho=inf", "--set rho=inf: expected NAME=NUMBER"),
        ("solve lorenz --alpha 1.2", "alpha = 1.2 is outside its range (0, 1]"),
        ("solve lorenz --alpha 0", "alpha = 0 is outside its range (0, 1]"),
        ("solve lorenz --alpha NaN", "alpha = NaN is outside its range (0, 1]"),
        ("solve oscillator --alpha 1", "alpha = 1 is outside its range (1, 2]"),
        ("solve lorenz --alpha 0.9,0.9", "the list of orders has length 2, expected 1 or 3"),
        ("solve bagley-torvik --alpha 1.2,1.3", "the list of orders has length 2, expected 1"),
        ("solve delay-logistic --alpha 0.9,0.8", "the list of orders has length 2, expected 1"),
        ("solve delay-logistic --set tau=-1", "tau = -1 is outside its range (0, inf)"),
        ("solve lorenz --t1 -1", "the interval [0, -1] is empty"),
        ("solve lorenz --n 0", "'--n <N>'"),
        ("solve lorenz --n 99999999999", "'--n <N>'"),
        ("solve lorenz --scheme euler", "no scheme `euler`; the schemes are pece, rectangle"),
        (
            "solve lorenz --rtol 1e-9",
            "--rtol 0.000000001: the scheme pece has fixed steps, set by --n",
        ),
        ("solve lorenz --min-step 0.1", "--min-step 0.1: the scheme pece has fixed steps"),
        ("solve lorenz --max-steps 9", "--max-steps 9: the scheme pece has fixed steps"),
        ("solve relaxation --scheme collocation --max-steps 2", "need more than 2 steps"),
        ("solve lorenz --scheme bdf2 --grading 2", "does not take graded steps"),
        ("solve lorenz --scheme l1 --grading 0.5", "the exponent of graded steps is 0.5"),
        (
            "solve lorenz --scheme collocation --grading 0.5 --t1 1",
            "--grading 0.5: expected at least 1",
        ),
        ("solve lorenz --scheme collocation --rtol -1", "-1, expected"),
        ("solve lorenz --phase x,z", "--plot"),
        ("solve lorenz --phase x --plot p.svg", "--phase x: expected the names of two components"),
        (
            "solve lorenz --phase x,w --plot p.svg",
            "lorenz has no component `w`; the components are x, y, z",
        ),
        ("solve lorenz --plot p.pdf", "--plot p.pdf: the name must end in .svg or .png"),
        ("solve lorenz --plot out.csv", "--plot out.csv: the name must end"),
        ("solve relaxation --set rate=-1e6 --t1 1e9", "not finite at t ="),
    ] {
        refused(words, said);
    }
    let folder = Folder::with(&[]);
    let run = folder.run("solve sir --output same.svg --plot ./same.svg");
    assert_eq!((run.code, folder.names().len()), (2, 0));
    assert!(run.stderr.contains("is named twice"), "{}", run.stderr);
}

#[test]
fn a_scheme_out_of_its_depth_says_so() {
    let folder = Folder::with(&[]);
    let run = folder.run("solve relaxation --set rate=100 --n 20 --t1 1");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("steps exceed the stability limit of this explicit scheme"),
        "{}",
        run.stderr
    );
}

const CUBIC: &str = "D^alpha y = -k y^3 + sin(t); k = 1 in (0, 10]; alpha = 0.7 in (0, 1]; y(0) = 1; \
    t in [0, 2]; show energy = y^2";

/// An equation of one's own: as a text, as a file, with parameters, shown quantities, sensitivities.
#[test]
fn an_equation_of_ones_own() {
    let folder = Folder::with(&[("cubic.eq", CUBIC)]);
    let text = folder.run_with(&["solve", "--equation", CUBIC, "--n", "20"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    assert_eq!(table(&text.stdout).0, ["t", "y", "energy"]);
    let file = folder.run("solve --equation cubic.eq --n 20");
    assert_eq!(file.stdout, text.stdout);
    let [y, energy] = [1, 2].map(|column| numbers(&text.stdout, column));
    assert!(y.iter().zip(&energy).all(|(y, energy)| (y * y - energy).abs() < 1e-15));

    let run =
        folder.run("solve --equation cubic.eq --scheme pece --n 400 --sensitivity k,alpha -q");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(table(&run.stdout).0, ["t", "y", "energy", "dy/dk", "dy/dalpha"]);
    let last = |words: &str| {
        let run =
            folder.run(&format!("solve --equation cubic.eq --scheme pece --n 400 -q {words}"));
        *numbers(&run.stdout, 1).last().unwrap()
    };
    for (column, name, value) in [(3, "k", 1.0), (4, "alpha", 0.7)] {
        let difference = (last(&format!("--set {name}={}", value + 1e-5))
            - last(&format!("--set {name}={}", value - 1e-5)))
            / 2e-5;
        let found = *numbers(&run.stdout, column).last().unwrap();
        assert!((found - difference).abs() < 1e-7, "{name}: {found} {difference}");
    }
}

/// A column of a file as a forcing: the file is beside that of the equation.
#[test]
fn tables_of_data() {
    let text =
        |table: &str| format!("D^0.7 y = load(t) - y; y(0) = 0; t in [0, 2]; table load: {table}");
    let csv = "time;Force (N)\ns;N\n# pressed\n0;0\n0,5;1,5\n2;1\n";
    let from_file = text("time -> \"Force (N)\" from \"drive.csv\"");
    let inline = text("[0, 0.5, 2] -> [0, 1.5, 1]");
    let folder = Folder::with(&[("drive.csv", csv), ("forced.eq", &from_file)]);
    let run = |text: &str| folder.run_with(&["solve", "--equation", text, "--n", "20", "-q"]);
    let (file, beside, inline) = (run("forced.eq"), run(&from_file), run(&inline));
    assert_eq!(file.code, 0, "{}", file.stderr);
    assert!(file.stdout == inline.stdout && beside.stdout == inline.stdout);
    let printed = folder.run("equation forced.eq").stdout;
    assert!(printed.contains("table load: time -> \"Force (N)\" from \"drive.csv\""), "{printed}");
    for (csv, said) in [
        ("time,f\n0,1\n1,\n", "bad.csv: row 3, column `f`: `` is not a finite number"),
        ("time,f\n0,1\n1,x\n", "bad.csv: row 3, column `f`: `x` is not a finite number"),
        (
            "time,f\n0,1\n1,2\n1,3\n",
            "row 3 has the argument 1 after 1: the arguments have to increase",
        ),
        ("time,g\n0,1\n", "bad.csv: no column `f`"),
        (
            "time,f\n0,1\n1,2\n",
            "the table `load` has values from 0 to 1, but `load(t)` needs them from 0 to 2",
        ),
        ("", "the file is empty"),
    ] {
        let folder = Folder::with(&[("bad.csv", csv)]);
        let text = text("time -> f from \"bad.csv\"");
        let run = folder.run_with(&["solve", "--equation", &text, "--n", "20"]);
        assert!(run.code == 2 && run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    let missing = run(&text("time -> f from \"none.csv\""));
    assert!(missing.stderr.contains("cannot read none.csv"), "{}", missing.stderr);
}

/// A row for each value of the parameter, and the picture of the maxima.
#[test]
fn scans_of_a_parameter() {
    let folder = Folder::with(&[]);
    let words =
        "solve lorenz --scan rho=0:200:5 --t1 2 --n 200 --plot maxima.svg --output scan.csv";
    let run = folder.run(words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let scan = String::from_utf8(folder.read("scan.csv")).unwrap();
    assert_eq!(table(&scan).0[..4], ["rho", "x", "min(x)", "max(x)"]);
    assert_eq!(numbers(&scan, 0), [0.0, 50.0, 100.0, 150.0, 200.0]);
    let alone = folder.run("solve lorenz --set rho=150 --t1 2 --n 200 -q");
    assert_eq!(numbers(&scan, 1)[3], *numbers(&alone.stdout, 1).last().unwrap());
    // A column in place of the maxima.
    let min = format!("{words} --quantity min(z)").replace("maxima.svg", "min.svg");
    assert_eq!(folder.run(&min).code, 0);
    let svg = String::from_utf8(folder.read("min.svg")).unwrap();
    assert!(svg.contains("\"min(z)\"") && svg.contains("<polyline"));
    for (words, said) in [
        ("solve lorenz --scan rho=0:1", "expected NAME=FROM:TO:COUNT"),
        (
            "solve lorenz --scan rho=0:1:3 --plot p.svg --quantity max(w)",
            "the scan of lorenz has no column `max(w)`; the columns are x, min(x), max(x), y",
        ),
        ("solve lorenz --quantity x --plot p.svg", "--scan"),
        ("solve lorenz --scan rho=0:1:3 --scan rho=0:1:3", "rho is scanned twice"),
        (
            "solve lorenz --scan rho=0:1:3 --scan sigma=0:1:3 --scan beta=0:1:3",
            "--scan beta=0:1:3: at most two parameters are scanned",
        ),
        (
            "solve lorenz --scan rho=0:1:3 --scan alpha=0.5:1.5:3",
            "alpha = 1.5 is outside its range (0, 1]",
        ),
        (
            "solve lorenz --scan rho=0:1:2000 --scan sigma=0:1:2000",
            "4000000 pairs of values, at most 1000000 are solved",
        ),
        (
            "solve lorenz --scan rho=0:1:400 --scan sigma=0:1:400 --plot p.svg",
            "the scans have 160000 cells, a heat map at most 100000",
        ),
        ("solve lorenz --scan r=0:1:3", "lorenz has no parameter `r`"),
        ("solve lorenz --scan alpha=0.5:1.5:3", "alpha = 1.5 is outside its range (0, 1]"),
        ("solve lorenz --sensitivity r", "lorenz has no parameter `r`"),
        (
            "solve robertson --sensitivity k1",
            "the scheme collocation has no derivatives; choose --scheme pece",
        ),
        ("solve ornstein-uhlenbeck", "this is a stochastic equation"),
        ("solve", "expected the name of an equation"),
    ] {
        refused(words, said);
    }
}

/// Every pair of values as a row, the same numbers as one by one, and a heat map.
#[test]
fn scans_of_two_parameters() {
    let folder = Folder::with(&[]);
    let words = "solve lorenz --scan rho=0:100:3 --scan sigma=5:15:2 --t1 2 --n 200";
    let run = folder.run(&format!("{words} --plot heat.svg --output scan.csv"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("lorenz: 6 values of rho, sigma, 0 without a solution"));
    let scan = String::from_utf8(folder.read("scan.csv")).unwrap();
    assert_eq!(table(&scan).0[..5], ["rho", "sigma", "x", "min(x)", "max(x)"]);
    assert_eq!(numbers(&scan, 0), [0.0, 0.0, 50.0, 50.0, 100.0, 100.0]);
    assert_eq!(numbers(&scan, 1), [5.0, 15.0, 5.0, 15.0, 5.0, 15.0]);
    let alone = folder.run("solve lorenz --set rho=50 --set sigma=15 --t1 2 --n 200 -q");
    let x = numbers(&alone.stdout, 1);
    assert_eq!(numbers(&scan, 2)[3], x[200]);
    let [low, high] = [3, 4].map(|column| numbers(&scan, column)[3]);
    assert_eq!(low, x[100..].iter().copied().fold(f64::INFINITY, f64::min));
    assert_eq!(high, x[100..].iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let svg = String::from_utf8(folder.read("heat.svg")).unwrap();
    resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
    let svg: String = svg.lines().collect();
    for text in ["\"rho\"", "\"sigma\"", "\"max(x)\"", "Lorenz system"] {
        assert!(svg.contains(text), "{text}");
    }
    // The parameters are no quantities. z grows with rho: columns get lighter to the right in both rows.
    let rho = folder.run(&format!("{words} --quantity rho --plot heat.png"));
    assert!(rho.code == 2 && rho.stderr.contains("no column `rho`"), "{}", rho.stderr);
    let png = folder.run(&format!("{words} --quantity max(z) --plot heat.png --output scan.csv"));
    assert_eq!(png.code, 0, "{}", png.stderr);
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&folder.read("heat.png")).unwrap();
    for y in [400, 900] {
        let lightness = [400, 900, 1400].map(|x| {
            let pixel = pixels.pixel(x, y).unwrap();
            u32::from(pixel.red()) + u32::from(pixel.green()) + u32::from(pixel.blue())
        });
        assert!(lightness.is_sorted_by(|a, b| a < b), "{lightness:?}");
    }
}

/// Quantities that an equation shows are scanned, exact solutions are not; failures are NaN.
#[test]
fn scans_have_what_is_shown() {
    let explosion = "y' = a y^2; a = 0; y(0) = 1; t in [0, 3]";
    let folder = Folder::with(&[("cubic.eq", CUBIC), ("explosion.eq", explosion)]);
    let run = folder.run("solve --equation cubic.eq --scan k=1:2:2 --n 20 -q");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let names = ["k", "y", "min(y)", "max(y)", "energy", "min(energy)", "max(energy)"];
    assert_eq!(table(&run.stdout).0, names);
    let [y, energy] = [1, 4].map(|column| numbers(&run.stdout, column));
    assert!(y.iter().zip(&energy).all(|(y, energy)| (y * y - energy).abs() < 1e-15));
    let run = folder.run("solve relaxation --scan rate=1:2:2 --n 20 -q");
    assert_eq!(table(&run.stdout).0, ["rate", "y", "min(y)", "max(y)"]);
    let run = folder.run("solve --equation explosion.eq --scan a=0:1:2 --scheme pece --n 300");
    assert!(run.stderr.contains("2 values of a, 1 without a solution"), "{}", run.stderr);
    assert_eq!(table(&run.stdout).1[0], ["0", "1", "1", "1"]);
    assert_eq!(table(&run.stdout).1[1], ["1", "NaN", "NaN", "NaN"]);
}

/// A wrong text is shown with its place, over several lines.
#[test]
fn errors_of_texts_have_pictures() {
    let run = Folder::with(&[]).run_with(&["solve", "--equation", "D^0.7 y = -kk y; y(0) = 1"]);
    assert_eq!(run.code, 2);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].contains("--equation: line 1, column 12: unknown name `kk`"), "{lines:?}");
    assert!(lines[1].ends_with("D^0.7 y = -kk y; y(0) = 1"), "{lines:?}");
    let caret = lines[2].find('^').unwrap();
    assert_eq!(lines[1].find("kk"), Some(caret));
}

#[test]
fn facts_of_an_equation() {
    let folder = Folder::with(&[("cubic.eq", CUBIC)]);
    let run = folder.run("equation cubic.eq");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for line in [
        "# form        Caputo fractional differential equation, 1 state",
        "# orders      y 0.7",
        "# parameters  k = 1 in (0, 10]; alpha = 0.7 in (0, 1]",
        "# time        the right-hand side depends on t",
        "show energy = y^2",
    ] {
        assert!(run.stdout.lines().any(|found| found == line), "{line}: {}", run.stdout);
    }
    // What it prints is an equation again.
    let again = folder.run_with(&["equation", &run.stdout]);
    assert_eq!(again.stdout, run.stdout);
    let jacobian = folder.run("equation cubic.eq --jacobian");
    assert!(jacobian.stdout.starts_with("df_y/dy = "), "{}", jacobian.stdout);
    let noise = folder.run_with(&["equation", "dX = -X dt + 0.3 dW; X(0) = 1; t in [0, 5]"]);
    assert!(
        noise.stdout.contains("W Brownian motion: diagonal, additive, commuting"),
        "{}",
        noise.stdout
    );
    let svg = folder.run("equation lorenz --graph lorenz.svg");
    assert_eq!(svg.code, 0, "{}", svg.stderr);
    let svg = String::from_utf8(folder.read("lorenz.svg")).unwrap();
    resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
    for label in ["sigma", "rho", "beta", "x", "z"] {
        assert!(svg.contains(&format!("aria-label=\"{label}\"")), "{label}");
    }
    // The operands of four differences have places, those of products have none.
    for place in [1, 2] {
        assert_eq!(svg.matches(&format!("aria-label=\"{place}\"")).count(), 4);
    }
    let wgsl = folder.run("equation lorenz --wgsl").stdout;
    assert!(wgsl.contains("fn coefficients(at: u32, x0: real, x1: real, x2: real)"), "{wgsl}");
    let rust = folder.run("equation lorenz --rust --graph lorenz.dot");
    assert!(rust.stdout.starts_with("fn rhs(t: f64, state: &[f64], slope: &mut [f64]) {"));
    assert!(String::from_utf8(folder.read("lorenz.dot")).unwrap().starts_with("digraph"));
}

/// Pictures of graphs by the ending of their names, up to a size.
#[test]
fn large_graphs_are_written_for_graphviz() {
    let terms: Vec<String> = (0..6000).map(|k| format!("sin({k}.5 x)")).collect();
    let text = format!("x' = {}; x(0) = 1; t in [0, 1]", terms.join(" + "));
    let folder = Folder::with(&[("large.eq", &text)]);
    let run = folder.run("equation large.eq --graph large.svg");
    assert_eq!((run.code, folder.names().len()), (2, 1), "{}", run.stderr);
    assert!(run.stderr.contains("--graph large.svg: the graph has"), "{}", run.stderr);
    assert!(run.stderr.contains("write it as .dot"), "{}", run.stderr);
    assert_eq!(folder.run("equation large.eq --graph large.dot").code, 0);
    let run = folder.run("equation lorenz --graph lorenz.pdf");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--graph lorenz.pdf: the name must end in .dot or .svg"));
}

/// Derivatives of formulas: D^1/2 t^2 = 2/Gamma(5/2) t^(3/2), and of a constant by Riemann-Liouville.
#[test]
fn derivatives_of_formulas() {
    let folder = Folder::with(&[]);
    let values = |words: &[&str]| -> Vec<f64> {
        let run = folder.run_with(words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().map(|line| line.parse().unwrap()).collect()
    };
    let found = values(&["derivative", "--of", "a t^2; a = 3", "--alpha", "0.5", "--at", "1,2"]);
    for (value, t) in found.iter().zip([1.0f64, 2.0]) {
        assert!((value - 3.0 * 1.504_505_556_127_35 * t.powf(1.5)).abs() < 1e-11, "{value}");
    }
    let words = ["derivative", "--of", "5", "--alpha", "0.5", "--at", "4"];
    assert_eq!(values(&words), [0.0]);
    let words = [&words[..], &["--operator", "riemann-liouville"]].concat();
    let exact = 5.0 / (4.0 * std::f64::consts::PI).sqrt();
    assert!((values(&words)[0] - exact).abs() < 1e-12);
    let words =
        ["derivative", "--of", "sin(t)", "--operator", "weyl", "--alpha", "0.5", "--at", "1"];
    let run = folder.run_with(&words);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("derivative has no operator `weyl`; the operators are caputo"),
        "{}",
        run.stderr
    );
}

#[test]
fn systems_lists_what_there_is() {
    let run = Folder::with(&[]).run("systems");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for text in [
        "lorenz: Lorenz system",
        "sigma=10",
        "scheme pece",
        "D^alpha z = x y - beta z",
        "sriw1",
        "Stratonovich, any noise",
        "dX = ",
    ] {
        assert!(run.stdout.contains(text), "{text}");
    }
    // Parameters whose names begin with d are no equations.
    assert!(!run.stdout.contains("damping = 1"), "{}", run.stdout);
}
