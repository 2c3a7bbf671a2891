//! `hpfracc diff --stream` and `--chunk`.

use crate::command::{Folder, numbers, table};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// Samples with a jump at the start, a slope and a wave.
fn wave(n: usize) -> String {
    let rows = (0..n).map(|j| {
        let t = j as f64 / 128.0;
        format!("{t},{}\n", 1.0 + t + (3.0 * t).sin())
    });
    "t,x\n".to_owned() + &rows.collect::<String>()
}

const SCHEMES: [&str; 4] = [
    "--operator caputo --scheme l1 --alpha 0.4",
    "--operator riemann-liouville --scheme l1 --alpha 0.7",
    "--operator grunwald-letnikov --alpha 1.3",
    "--operator rl-integral --alpha 0.6",
];

fn worst(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
    found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

#[test]
fn a_stream_gives_what_the_whole_record_gives() {
    let folder = Folder::with(&[("x.csv", &wave(3000))]);
    for scheme in SCHEMES {
        let whole = folder.run(&format!("diff {scheme} -q x.csv"));
        for (more, bound, at_least) in
            [("", 1e-9, 0.0), ("--tolerance 1e-4", 1e-3, 1e-12), ("--dtype f32", 1e-4, 1e-9)]
        {
            let run = folder.run(&format!("diff {scheme} -q --stream {more} x.csv"));
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{scheme} {more}");
            assert_eq!(table(&run.stdout).0, table(&whole.stdout).0);
            assert_eq!(numbers(&run.stdout, 0), numbers(&whole.stdout, 0));
            assert_eq!(numbers(&run.stdout, 1), numbers(&whole.stdout, 1));
            let error = worst(&numbers(&run.stdout, 2), &numbers(&whole.stdout, 2));
            // A tolerance or a precision that does nothing would not show.
            assert!((at_least..bound).contains(&error), "{scheme} {more}: {error:e}");
        }
    }
}

#[test]
fn chunks_give_what_the_whole_record_gives() {
    let folder = Folder::with(&[("x.csv", &wave(1000))]);
    let corrected = ["--operator caputo --scheme bdf3 --alpha 0.4"];
    for scheme in SCHEMES.iter().chain(&corrected) {
        let whole = numbers(&folder.run(&format!("diff {scheme} -q x.csv")).stdout, 2);
        for chunk in [1, 7, 64, 333, 1000, 5000] {
            let run = folder.run(&format!("diff {scheme} -q --chunk {chunk} x.csv"));
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{scheme}, {chunk}");
            let error = worst(&numbers(&run.stdout, 2), &whole);
            assert!(error < 1e-12, "{scheme}, chunk {chunk}: {error:e}");
        }
    }
}

#[test]
fn pipes_and_files_give_the_same() {
    let text = wave(400);
    let folder = Folder::with(&[("x.csv", &text)]);
    for manner in ["--stream", "--chunk 100"] {
        let words = format!("diff {} {manner}", SCHEMES[0]);
        let to_stdout = folder.run(&format!("{words} x.csv"));
        assert!(to_stdout.stderr.contains("x.csv: time is column `t`"), "{}", to_stdout.stderr);
        let step = "step is 0.0078125, from the first 64 rows";
        assert!(to_stdout.stderr.contains(step), "{}", to_stdout.stderr);
        let run = folder.run(&format!("{words} x.csv -o out.csv"));
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        assert_eq!(folder.read("out.csv"), to_stdout.stdout.as_bytes());
        assert_eq!(folder.names(), ["out.csv", "x.csv"]);
        let piped = folder.run_with_input(&format!("{words} -"), &text);
        let (found, expected) = (numbers(&piped.stdout, 2), numbers(&to_stdout.stdout, 2));
        // Of a pipe nobody knows the length, and the nodes depend on it.
        assert!(worst(&found, &expected) < 1e-9, "{manner}");
        std::fs::remove_file(folder.path("out.csv")).unwrap();
    }
}

/// Rows are out before the next ones are written, however few there are.
#[test]
fn rows_come_as_they_go() {
    let folder = Folder::with(&[]);
    for end in ["\n", "\r\n", "\n\n"] {
        let mut child = folder
            .command()
            .args("diff --operator caputo --alpha 0.5 --stream --dt 1 -q -".split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut lines = BufReader::new(output).lines().map(Result::unwrap);
        let mut write = |row: &str| input.write_all(format!("{row}{end}").as_bytes()).unwrap();
        ["x", "0", "1"].into_iter().for_each(&mut write);
        assert_eq!(lines.next().unwrap(), "t,x,caputo_l1_0.5(x)");
        assert!(lines.next().unwrap().starts_with("0,0,"));
        assert!(lines.next().unwrap().starts_with("1,1,"));
        write("3");
        let third = lines.next().unwrap();
        let (t, y) = third.split_once(",3,").unwrap();
        let (t, y): (f64, f64) = (t.parse().unwrap(), y.parse().unwrap());
        // (sqrt 2 - 1 + 2) / Gamma(3/2)
        assert!(t == 2.0 && (y - 2.7241482887012433).abs() < 1e-9, "{t}: {y}");
        drop(input);
        assert!(lines.next().is_none() && child.wait().unwrap().success());
    }
}

/// The error of a row, and the results before it.
#[test]
fn a_row_that_is_wrong_is_named() {
    let good: String = (0..200).map(|j| format!("{j},1\n")).collect();
    for (rows, said) in [
        ("200,\n", "row 202, column `x`: the value is missing (``)"),
        ("200,\n", "--stream and --chunk do not support --missing: run without them"),
        ("200,x\n", "row 202, column `x`: `x` is not a finite number"),
        ("later,1\n", "row 202, column `t`: `later` is not a finite number"),
        ("200,1,1\n", "row 202 has 3 cells, the header has 2"),
        ("201,1\n", "row 202, column `t`: the step from `199` to `201` is 2, the median step is 1"),
        ("\n\n199,1\n", "row 204, column `t`: the time `199` is not after `199`"),
        ("1e300,1\n", "row 202, column `t`: "),
    ] {
        for manner in ["--stream", "--chunk 50"] {
            let folder = Folder::with(&[("x.csv", &format!("t,x\n{good}{rows}"))]);
            let words = format!("diff --operator caputo --alpha 0.5 {manner} x.csv");
            let run = folder.run(&format!("{words} -o out.csv"));
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{rows}");
            assert!(run.stderr.contains(said), "{rows}: {}", run.stderr);
            // A file appears whole or not at all; standard output has what was good.
            assert_eq!(folder.names(), ["x.csv"]);
            let run = folder.run(&words);
            assert!(run.code == 2 && numbers(&run.stdout, 2).len() >= 150, "{rows}");
        }
    }
}

#[test]
fn records_and_options_that_are_refused() {
    let folder = Folder::with(&[
        ("x.csv", &wave(100)),
        ("one.csv", "t,x\n0,1\n"),
        ("gap.csv", "t,x\n0,1\n1,1\n3,1\n4,1\n5,1\n"),
        ("empty.csv", ""),
        ("big.csv", "t,x\n0,1e39\n1,2\n2,4\n"),
    ]);
    for (words, code, said) in [
        ("--operator riesz --alpha 1.5 --stream x.csv", 2, "--stream: riesz, scheme spectral"),
        ("--operator riesz --alpha 1.5 --stream x.csv", 2, "supported schemes: caputo l1, "),
        (
            "--operator caputo --alpha 0.5 --stream --tolerance 1 x.csv",
            2,
            "1e-12 <= tolerance <= 0.1",
        ),
        (
            "--operator caputo --alpha 0.5 --stream --tolerance 0 x.csv",
            2,
            "1e-12 <= tolerance <= 0.1",
        ),
        ("--operator caputo --alpha 0.5 --tolerance 1e-3 x.csv", 2, "--stream"),
        ("--operator caputo --alpha 0.5 --chunk 0 x.csv", 2, "chunk"),
        ("--operator riesz --alpha 1.5 --chunk 10 x.csv", 2, "riesz, scheme spectral"),
        ("--operator caputo --alpha 0.5 --chunk -1 x.csv", 2, "unexpected argument '-1'"),
        ("--operator caputo --alpha 0.5 --chunk 5 --stream x.csv", 2, "cannot be used with"),
        ("--operator caputo --alpha 0.5 --stream --plot x.svg x.csv", 2, "cannot be used with"),
        ("--operator caputo --alpha 0.5 --stream --missing drop x.csv", 2, "cannot be used with"),
        (
            "--operator caputo --alpha 0.5 --stream one.csv",
            2,
            "column `x` has 1 sample; expected at least 2",
        ),
        (
            "--operator caputo --alpha 0.5 --chunk 5 one.csv",
            2,
            "column `x` has 1 sample; expected at least 2",
        ),
        ("--operator caputo --alpha 0.5 --stream empty.csv", 2, "empty.csv: the file is empty"),
        (
            "--operator caputo --alpha 0.5 --stream gap.csv",
            2,
            "row 4, column `t`: the time goes from",
        ),
        ("--operator caputo --alpha 0.5 --stream none.csv", 1, "cannot read none.csv: "),
        ("--operator caputo --alpha 0.5 --chunk 9 none.csv", 1, "cannot read none.csv: "),
        ("--operator caputo --alpha 0.5 --stream --dt 0 x.csv", 2, "--dt 0: expected a positive"),
        ("--operator caputo --alpha 0.5 --stream -o x.csv x.csv", 2, "x.csv is named twice"),
        (
            "--operator caputo --alpha 0.5 --stream --dtype f32 big.csv",
            2,
            "column `x`: 1e39 at `0` is outside the range of f32",
        ),
    ] {
        let before = folder.names();
        let run = folder.run(&format!("diff {words}"));
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{words}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
        assert_eq!(folder.names(), before, "{words}");
    }
}

#[test]
fn a_step_given_and_one_that_drifts() {
    // Each step within a millionth of the first ones, all of them longer.
    let rows: String = (0..2000)
        .map(|j: i32| format!("{:.9},{j}\n", f64::from(j) + 5e-7 * f64::from((j - 64).max(0))))
        .collect();
    let months: String = (1..=12).map(|m| format!("2001-{m:02}-01,{m}\n")).collect();
    let folder = Folder::with(&[
        ("x.csv", &format!("t,x\n{rows}")),
        ("months.csv", &format!("date,x\n{months}")),
    ]);
    let words = "diff --operator grunwald-letnikov --alpha 1 --stream";
    let drifting = folder.run(&format!("{words} x.csv"));
    let said = "the mean step of all rows is 1.00000048399, not 1";
    assert!(drifting.stderr.contains(said), "{}", drifting.stderr);
    let given = folder.run(&format!("{words} --dt 0.5 x.csv"));
    assert!(!given.stderr.contains("mean step"), "{}", given.stderr);
    assert!(numbers(&given.stdout, 2)[1..].iter().all(|y| (y - 2.0).abs() < 1e-9));
    let monthly = folder.run(&format!("{words} --dt 1 months.csv"));
    assert_eq!(monthly.code, 0, "{}", monthly.stderr);
    assert!(monthly.stderr.contains("--dt 1 is used row by row"), "{}", monthly.stderr);
    assert_eq!(table(&monthly.stdout).1[11][0], "2001-12-01");
}
