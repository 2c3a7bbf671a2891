//! Messages about files with control characters and cells of any length, and standard output that
//! fails: one short printable line, and the documented exit code.

use crate::command::{Folder, Run};
use std::fs::File;

const CAPUTO: &str = "diff --operator caputo --alpha 0.5";

/// Control characters, directions of text, no UTF-8, and a length that fills a terminal.
fn hostile() -> Vec<Vec<u8>> {
    let escape = b"\x1b[2J\x1b]0;title\x07\0\x08".to_vec();
    let direction = "a\u{202e}b\u{2066}\u{85}\u{9b}31m".as_bytes().to_vec();
    vec![
        escape,
        direction,
        b"\xff\xfe\x1b\xc3".to_vec(),
        b"x".repeat(100_000),
        b"\x1b`".repeat(50_000),
    ]
}

fn check(run: &Run, words: &str) {
    assert_eq!(run.code, 2, "{words}: {}", run.stderr);
    printable(run, words);
}

fn printable(run: &Run, words: &str) {
    let said = &run.stderr;
    let is_bad = |c: char| {
        c != '\n'
            && (c.is_control()
                || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    };
    assert!(!said.contains(is_bad), "{words}: {said:?}");
    assert!(said.len() < 20_000 && !said.contains("panicked"), "{words}: {}", said.len());
    assert_eq!(run.stdout, "", "{words}");
}

/// Every message that has a cell, a name or a line of a file.
#[test]
fn files_do_not_control_the_terminal() {
    let commands = [
        "diff --operator caputo --scheme bdf2 --alpha 0.5 x.csv",
        "diff --operator caputo --alpha 0.5 --stream x.csv",
        "diff --operator caputo --alpha 0.5 --chunk 10 x.csv",
        "diff --operator caputo --alpha 0.5 --column y x.csv",
        "diff --operator caputo --alpha 0.5 --dt 1 x.csv",
        "transform --kind fractional-fourier --order 0.5 --column a --imag b x.csv",
    ];
    for text in hostile() {
        let cell =
            |before: &str, after: &str| [before.as_bytes(), &text, after.as_bytes()].concat();
        for (name, file) in [
            ("value", cell("t,x\n0,1\n1,", "\n2,3\n")),
            ("time", cell("t,x\n0,1\n", ",2\n2,3\n")),
            ("name of a column", cell("t,a,", "\n0,1,2\n1,2,3\n")),
            ("twice", [cell("", ","), cell("", "\n")].concat()),
            ("no header", cell("1,2,", ",\n")),
            ("text below text", cell("t,x\n", ",a\nb,c\n")),
        ] {
            let folder = Folder::with(&[]);
            std::fs::write(folder.path("x.csv"), &file).unwrap();
            for words in commands {
                let run = folder.run(&format!("{words} -o out.csv"));
                // Some of these are valid for some commands.
                if run.code == 0 {
                    printable(&run, &format!("{name}: {words}"));
                } else {
                    check(&run, &format!("{name}: {words}"));
                }
            }
        }
    }
}

/// Times, whose texts are in messages of their own.
#[test]
fn times_do_not_control_the_terminal() {
    let zeros = "0".repeat(100_000);
    for rows in [
        format!("0,1\n1.{zeros},2\n1.{zeros},3\n"),
        format!("0,1\n1.{zeros},2\n3.{zeros}5,3\n4,1\n5,1\n"),
        format!("0,1\n1.{zeros},2\n4.{zeros},3\n5,1\n6,1\n"),
        format!("-1e308,1\n1{},2\n", "0".repeat(307)),
        format!("0,{zeros}\n1,inf{zeros}\n"),
    ] {
        let folder = Folder::with(&[("x.csv", &format!("t,x\n{rows}"))]);
        for more in ["", " --stream", " --dt 0.5", " --missing drop"] {
            let words =
                format!("diff --operator caputo --scheme l1 --alpha 0.5{more} x.csv -o out.csv");
            let run = folder.run(&words);
            assert!([0, 2].contains(&run.code), "{words}: {}", run.stderr);
            printable(&run, &words);
        }
    }
}

/// Words of the command line, of configurations and of the environment.
#[test]
fn words_do_not_control_the_terminal() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,1\n1,2\n")]);
    for text in ["\x1b[2J\x07".to_owned(), "\u{202e}\u{9b}".to_owned(), "x".repeat(100_000)] {
        for words in [
            vec!["diff", "--operator", &text, "--alpha", "0.5", "x.csv"],
            vec!["diff", "--operator", "caputo", "--scheme", &text, "--alpha", "0.5", "x.csv"],
            vec!["diff", "--operator", "caputo", "--alpha", &text, "x.csv"],
            vec!["diff", "--operator", "caputo", "--alpha", "0.5", "--set", &text, "x.csv"],
            vec!["diff", "--operator", "caputo", "--alpha", "0.5", "--column", &text, "x.csv"],
            vec!["diff", "--operator", "caputo", "--alpha", "0.5", "--backend", &text, "x.csv"],
            vec!["diff", "--operator", "caputo", "--alpha", "0.5", "--plot", &text, "x.csv"],
            vec!["diff", &format!("--{text}")],
            vec![text.as_str()],
            vec!["solve", &text],
            vec!["solve", "lorenz", "--scheme", &text],
            vec!["solve", "lorenz", "--phase", &text],
            vec!["simulate", &text],
            vec!["simulate", "rough-bergomi", "--set", &format!("{text}=1")],
            vec!["operators", &text],
            vec!["explain", "--operator", &text, "--n", "10"],
            vec!["mittag-leffler", "--alpha", "1", &text],
        ] {
            let mut command = folder.command();
            let run = Run::of(&command.args(&words).output().unwrap());
            check(&run, &format!("{words:?}"));
        }
        let config = format!("[data]\nfile = \"x.csv\"\n{text:?} = 1\n");
        std::fs::write(folder.path("c.toml"), config).unwrap();
        check(&folder.run("train c.toml"), "train");
        let run = folder.run_with_input("mittag-leffler --alpha 1 -", &text);
        check(&run, "mittag-leffler");
    }
}

#[test]
fn a_configuration_has_to_be_text() {
    let folder = Folder::with(&[]);
    std::fs::write(folder.path("c.toml"), b"[data]\nfile = \"\xff\"\n").unwrap();
    let run = folder.run("train c.toml");
    check(&run, "train");
    assert!(run.stderr.contains("c.toml: line 2: the text is not UTF-8"), "{}", run.stderr);
}

#[test]
fn what_is_not_finite_or_named_twice_is_refused() {
    let config =
        "[data]\nfile = \"x.csv\"\n[windows]\nlength = 2\n[model.drift.perceptron]\nhidden = [2]\n";
    let folder = Folder::with(&[("x.csv", "t,x,y\n0,1,2\n1,2,3\n2,4,4\n")]);
    for (more, said) in [
        (
            "[solver]\nmemory = { exponentials = { tolerance = nan } }",
            "c.toml: line 8: expected a finite number",
        ),
        ("[training]\nclip = inf", "c.toml: line 8: expected a finite number"),
        ("[model.orders]\nfixed = [0.5, 1e999]", "c.toml: line 8: expected a finite number"),
    ] {
        std::fs::write(folder.path("c.toml"), format!("{config}{more}\n")).unwrap();
        let run = folder.run("train c.toml");
        check(&run, more);
        assert!(run.stderr.contains(said), "{more}: {}", run.stderr);
    }
    let twice = config.replace("x.csv\"", "x.csv\"\ncolumns = [\"x\", \"y\", \"x\"]");
    std::fs::write(folder.path("c.toml"), twice).unwrap();
    for (words, said) in [
        ("train c.toml", "[data] columns is `x` twice, expected distinct names"),
        (
            "transform --kind fractional-fourier --order 1 --column x --imag x x.csv",
            "cannot be both",
        ),
        (
            "transform --kind fractional-dft --first 1e308 --rate 1e308 --column x x.csv",
            "bin 2 is not a finite",
        ),
        (
            "transform --kind fractional-dft --first inf --rate 1 --column x x.csv",
            "is inf, expected",
        ),
        ("solve lorenz --phase x,x --plot p.svg", "X,Y, which differ"),
        ("diff --operator caputo --alpha 0.5 --column x --stream --tolerance nan x.csv", "NaN"),
    ] {
        let run = folder.run(words);
        check(&run, words);
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,1\n1,2\n")]);
    let caputo = format!("{CAPUTO} -q x.csv");
    for words in [
        "--help",
        "--version",
        "diff --help",
        "help",
        "operators",
        "systems",
        "devices",
        "simulate",
        "mittag-leffler --alpha 1 1",
        &caputo,
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = folder.command();
        let output = command.args(words.split_whitespace()).stdout(full).output().unwrap();
        let run = Run::of(&output);
        assert_eq!(run.code, 1, "{words}: {}", run.stderr);
        assert!(
            run.stderr.contains("cannot write <stdout>: No space left"),
            "{words}: {}",
            run.stderr
        );
    }
}

#[test]
fn similar_names_are_suggested() {
    let folder = Folder::with(&[("x.csv", "t,Height,b\n0,1,1\n1,2,2\n")]);
    for (words, said) in [
        ("diff --operator kaputo --alpha 0.5 x.csv", "did you mean `caputo`?"),
        ("diff --operator caputo --scheme l1a --alpha 0.5 x.csv", "did you mean `l1`?"),
        (
            "diff --operator tempered-caputo --alpha 0.5 --set lamda=1 x.csv",
            "did you mean `lambda`?",
        ),
        ("diff --operator caputo --alpha 0.5 --column heigth x.csv", "did you mean `Height`?"),
        ("diff --operator caputo --alpha 0.5 --colum b x.csv", "'--column'"),
        ("diff --operator caputo --alpha 0.5 --backend cpu-ftt x.csv", "did you mean `cpu-fft`?"),
        ("diff --operator caputo --alpha 0.5 --missing interpolat x.csv", "'interpolate'"),
        ("solve lorentz", "did you mean `lorenz`?"),
        ("solve lorenz --scheme bdf", "did you mean `bdf2`?"),
        ("solve lorenz --set roh=1", "did you mean `rho`?"),
        ("simulate rough-bergommi", "did you mean `rough-bergomi`?"),
        ("simulat rough-bergomi", "'simulate'"),
        ("operators Caputo", "did you mean `caputo`?"),
        ("explain --operator caputa --n 10", "did you mean `caputo`?"),
    ] {
        let run = folder.run(words);
        assert_eq!(run.code, 2, "{words}");
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
    let run = folder.run("solve pendulum");
    assert!(!run.stderr.contains("did you mean"), "{}", run.stderr);
}
