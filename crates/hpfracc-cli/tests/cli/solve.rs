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
        let words = "solve relaxation --alpha 0.6 --param rate=2 --param y0=3 --t1 4 --n 400";
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
    let run = folder
        .run("solve relaxation --param rate=2 --param y0=3 --t1 4 --n 1 --scheme collocation -q");
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
        ("solve lorentz", "no system `lorentz`; the systems are relaxation, oscillator"),
        ("solve lorenz --param r=1", "lorenz has no parameter `r`; the parameters are sigma, rho"),
        ("solve lorenz --param rho", "--param rho: expected NAME=NUMBER"),
        ("solve lorenz --param rho=inf", "--param rho=inf: expected NAME=NUMBER"),
        ("solve lorenz --alpha 1.2", "--alpha 1.2: the orders of lorenz are above 0 and at most 1"),
        ("solve lorenz --alpha 0", "--alpha 0: the orders of lorenz"),
        ("solve lorenz --alpha NaN", "--alpha NaN: the orders of lorenz"),
        ("solve oscillator --alpha 1", "--alpha 1: the orders of oscillator are above 1"),
        ("solve lorenz --alpha 0.9,0.9", "the list of orders has length 2, expected 3"),
        ("solve bagley-torvik --alpha 1.2,1.3", "the list of orders has length 2, expected 1"),
        ("solve delay-logistic --alpha 0.9,0.8", "the list of orders has length 2, expected 1"),
        ("solve delay-logistic --param tau=-1", "delay 0 is -1 at t = 0"),
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
        ("solve relaxation --param rate=-1e6 --t1 1e9", "not finite at t ="),
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
    let run = folder.run("solve relaxation --param rate=100 --n 20 --t1 1");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("steps exceed the stability limit of this explicit scheme"),
        "{}",
        run.stderr
    );
}

#[test]
fn systems_lists_what_there_is() {
    let run = Folder::with(&[]).run("systems");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for text in [
        "lorenz: Lorenz system, 0 < alpha <= 1",
        "sigma=10",
        "scheme pece",
        "D^alpha z = x y - beta z",
    ] {
        assert!(run.stdout.contains(text), "{text}");
    }
}
