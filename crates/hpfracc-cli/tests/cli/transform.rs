//! `hpfracc transform`.

use crate::command::{Folder, numbers, table};
use std::f64::consts::{PI, TAU};

/// exp(-pi (u - 1)^2) on u = j/16, j = -128 .. 127, which is the grid of 256 samples.
fn bump() -> String {
    let rows = (0..256).map(|j| {
        let u = f64::from(j - 128) / 16.0;
        format!("{u},{:e}\n", (-PI * (u - 1.0).powi(2)).exp())
    });
    "t,x\n".to_owned() + &rows.collect::<String>()
}

/// A turning number of 0.123 turns a sample, and its missing ends.
fn tone() -> String {
    let rows = (0..200).map(|j| {
        let (im, re) = (TAU * 0.123 * f64::from(j)).sin_cos();
        format!("{j},{re:e},{im:e}\n")
    });
    "t,x,y\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn the_fractional_fourier_transform_of_a_gaussian() {
    let folder = Folder::with(&[("x.csv", &bump())]);
    let words = "transform --kind fractional-fourier --order 0.5 x.csv --plot p.svg";
    let run = folder.run(words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (header, rows) = table(&run.stdout);
    let name = "fractional-fourier_order=0.5(x)";
    let parts = ["re", "im", "abs"].map(|part| format!("{part}({name})"));
    assert_eq!((header[0].as_str(), &header[1..], rows.len()), ("u", &parts[..], 256));
    let columns: Vec<Vec<f64>> = (0..4).map(|k| numbers(&run.stdout, k)).collect();
    // exp(-pi (u - cos phi)^2 - i pi (2 u sin phi - sin phi cos phi)), phi = pi/4
    let c = (PI / 4.0).cos();
    for j in 0..256 {
        let u = columns[0][j];
        assert_eq!(u, (j as f64 - 128.0) / 16.0);
        let (size, phase) = ((-PI * (u - c).powi(2)).exp(), -PI * (2.0 * u * c - c * c));
        for (k, exact) in [(1, size * phase.cos()), (2, size * phase.sin()), (3, size)] {
            assert!((columns[k][j] - exact).abs() < 1e-13, "{u}: {} {exact}", columns[k][j]);
        }
    }
    assert!(run.stderr.contains("at order 0 time in units of 1, at order 1"), "{}", run.stderr);
    let svg = String::from_utf8(folder.read("p.svg")).unwrap();
    for text in ["x: fractional-fourier, order 0.5", "modulus", "imaginary part"] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn the_discrete_transform_keeps_the_size_of_any_data() {
    let folder = Folder::with(&[("x.csv", &tone())]);
    let words =
        "transform --kind discrete-fractional-fourier --order 0.3 --column x --imag y -q x.csv";
    let run = folder.run(words);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let energy: f64 = numbers(&run.stdout, 3).iter().map(|y| y * y).sum();
    assert!((energy - 200.0).abs() < 1e-9, "{energy}");
    let name = "abs(discrete-fractional-fourier_order=0.3(x+i*y))";
    assert_eq!(table(&run.stdout).0[3], name);
}

#[test]
fn the_fractional_dft_looks_between_the_bins() {
    let folder = Folder::with(&[("x.csv", &tone())]);
    let words = "transform --kind fractional-dft --first 0.12 --rate 0.001 --bins 7 --column x \
                 --imag y x.csv -o out.csv";
    let run = folder.run(words);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let text = String::from_utf8(folder.read("out.csv")).unwrap();
    let (frequencies, moduli) = (numbers(&text, 0), numbers(&text, 3));
    assert_eq!((table(&text).0[0].as_str(), frequencies.len()), ("frequency", 7));
    assert!((frequencies[3] - 0.123).abs() < 1e-15);
    // All samples add up at the tone, and nothing of them one two-hundredth away.
    assert!((moduli[3] - 200.0).abs() < 1e-9, "{moduli:?}");
    assert!(moduli.iter().enumerate().all(|(k, m)| k == 3 || *m < 199.0), "{moduli:?}");
    let bins = folder.run("transform --kind fractional-dft --rate 0.005 --column x -q x.csv");
    assert_eq!(table(&bins.stdout).1.len(), 200);
}

#[test]
fn what_is_refused() {
    let long: String = (0..3000).map(|j| format!("{j},1\n")).collect();
    let folder = Folder::with(&[
        ("x.csv", &tone()),
        ("long.csv", &format!("t,x\n{long}")),
        ("gap.csv", "t,x,y\n0,1,1\n1,,1\n2,3,1\n"),
        ("ends.csv", "t,x,y\n0,,1\n1,2,2\n2,3,\n3,4,5\n4,1,\n"),
        ("ends2.csv", "t,x,y\n0,,1\n1,2,2\n2,3,4\n3,4,\n"),
    ]);
    for (words, said) in [
        (
            "--kind fractional-fourier --column x x.csv",
            "--kind fractional-fourier: --order is required",
        ),
        ("--kind fractional-dft --column x x.csv", "--kind fractional-dft: --rate is required"),
        (
            "--kind fractional-dft --rate 0.1 --order 1 --column x x.csv",
            "--order 1: fractional-dft has no",
        ),
        (
            "--kind discrete-fractional-fourier --order 1 --bins 3 --column x x.csv",
            "--bins 3: discrete-fractional-fourier has no such parameter",
        ),
        (
            "--kind fourier --order 1 --column x x.csv",
            "invalid value 'fourier' for '--kind <KIND>'",
        ),
        (
            "--kind fractional-fourier --order inf --column x x.csv",
            "order is inf, expected a finite",
        ),
        ("--kind fractional-dft --rate 0.1 --bins 0 --column x x.csv", "is 0, expected 1 to"),
        ("--kind discrete-fractional-fourier --order 0.5 long.csv", "3000, expected 2 to 2048"),
        ("--kind fractional-fourier --order 0.5 --imag y x.csv", "--column <NAME>"),
        ("--kind fractional-fourier --order 0.5 x.csv", "2 columns qualify as the input"),
        (
            "--kind fractional-fourier --order 0.5 --column x gap.csv",
            "row 3, column `x`: the value is missing",
        ),
        (
            "--kind fractional-fourier --order 1 --column y --imag x gap.csv",
            "row 3, column `x`: the value is missing",
        ),
        (
            "--kind fractional-fourier --order 1 --column x --imag y --missing drop ends2.csv",
            "column `x` goes from 1 to 3 and column `y` from 0 to 2",
        ),
        (
            "--kind fractional-fourier --order 1 --column x --plot p.pdf x.csv",
            "--plot p.pdf: the name must end in .svg or .png",
        ),
        (
            "--kind fractional-fourier --order 1 --column x -o x.csv x.csv",
            "x.csv is named twice: the input and --output",
        ),
    ] {
        let before = folder.names();
        let run = folder.run(&format!("transform {words}"));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{words}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
        assert_eq!(folder.names(), before, "{words}");
    }
}
