//! What is refused: exit code, message with value and place, and no output.

use crate::command::Folder;

const CAPUTO: &str = "diff --operator caputo --alpha 0.5";
/// A scheme that needs equal steps.
const EVEN: &str = "diff --operator caputo --scheme bdf2 --alpha 0.5";

/// The command must fail with this code and these words, and leave nothing.
fn refused(folder: &Folder, words: &str, code: i32, said: &[&str]) {
    let before = folder.names();
    let run = folder.run(words);
    assert_eq!(run.code, code, "{words}: {}", run.stderr);
    assert_eq!(run.stdout, "", "{words}");
    for part in said {
        assert!(run.stderr.contains(part), "{words}: `{part}` is not in: {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{words}: {}", run.stderr);
    assert_eq!(folder.names(), before, "{words}");
}

#[test]
fn files_that_are_no_record() {
    for (text, said) in [
        ("", "x.csv: the file is empty"),
        ("t,x\n", "x.csv: column `x` has 0 samples; expected at least 2"),
        ("t,x\n0,1\n", "x.csv: column `x` has 1 sample; expected at least 2"),
        ("0,1\n1,2\n2,3\n", "x.csv: row 1 holds numbers or dates only (`0,1`)"),
        (
            "2001-01-01,1\n2001-01-02,2\n2001-01-03,5\n",
            "x.csv: row 1 holds numbers or dates only (`2001-01-01,1`)",
        ),
        ("t,x\n0,1\n1,2,3\n2,3\n", "x.csv: row 3 has 3 cells, the header has 2"),
        ("t,x\n0,1\n1\n2,3\n", "x.csv: row 3 has 1 cells, the header has 2"),
        ("t,x,x\n0,1,1\n1,2,2\n", "x.csv: row 1: columns 2 and 3 are both named `x`"),
        ("t,x\n0,1\n\n1,two\n2,3\n", "x.csv: row 4, column `x`: `two` is not a finite number"),
        ("t,x\n0,1\n1,inf\n2,3\n", "x.csv: row 3, column `x`: `inf` is not a finite number"),
        ("t,x\n0,1\nlater,2\n2,3\n", "x.csv: row 3, column `t`: `later` is not a finite number"),
        (
            "t,x,y\n0,1,1\n1,2,2\n",
            "x.csv: 2 columns qualify as the input, expected 1: choose one with --column; the columns are `t`, `x`, `y`",
        ),
        (
            "a,b\n0,1\n1,2\n",
            "x.csv: no time column: choose one with --time or set the step size with --dt; the columns are `a`, `b`",
        ),
        (
            "date,x\n20010131,1\n20010132,2\n",
            "x.csv: row 3, column `date`: `20010132` is not a date YYYYMMDD",
        ),
    ] {
        let folder = Folder::with(&[("x.csv", text)]);
        for more in ["", " --output out.csv --plot out.svg"] {
            refused(&folder, &format!("{CAPUTO} x.csv{more}"), 2, &[said]);
        }
    }
}

#[test]
fn missing_values() {
    for (text, missing, said) in [
        (
            "t,x\n0,1\n1,\n2,\n3,1\n",
            "error",
            "x.csv: row 3, column `x`: the value is missing (``), and 1 more",
        ),
        (
            "t,x\n0,1\n1,NA\n2,3\n",
            "error",
            "row 3, column `x`: the value is missing (`NA`); --missing",
        ),
        ("t,x\n0,1\n1,NaN\n2,3\n", "error", "row 3, column `x`: the value is missing (`NaN`)"),
        (
            "t,x\n0,\n1,1\n2,3\n",
            "interpolate",
            "row 2, column `x`: the value is missing (``) at the start",
        ),
        (
            "t,x\n0,1\n1,1\n2,\n",
            "interpolate",
            "row 4, column `x`: the value is missing (``) at the end",
        ),
        (
            "t,x\n0,1\n1,\n2,3\n",
            "drop",
            "row 3, column `x`: the value is missing (``) inside the time series",
        ),
        ("t,x\n0,\n1,\n2,\n", "drop", "x.csv: column `x` has 0 samples"),
        ("t,x\n0,\n1,\n2,5\n", "drop", "x.csv: column `x` has 1 sample"),
        (
            "t,x\n0,1\n1,2\n3,3\n4,3\n",
            "error",
            "row 4, column `t`: the time goes from `1` to `3`, 1 row of step 1 missing",
        ),
        (
            "t,x\n0,1\n1,2\n4,3\n5,3\n",
            "drop",
            "row 4, column `t`: the time goes from `1` to `4`, 2 rows of step 1 missing",
        ),
        (
            "date,x\n20000101,1\n20000108,2\n20000122,3\n20000129,1\n",
            "error",
            "row 4, column `date`: the time goes from `20000108` to `20000122`, 1 row of step 7",
        ),
        ("t,x\n0,1\n,2\n2,3\n", "interpolate", "row 3, column `t`: `` is not a finite number"),
    ] {
        let folder = Folder::with(&[("x.csv", text)]);
        refused(&folder, &format!("{EVEN} --missing {missing} x.csv -o out.csv"), 2, &[said]);
    }
}

#[test]
fn times_that_are_no_grid() {
    for (text, said) in [
        (
            "t,x\n0,1\n1,2\n2.5,3\n3.5,1\n",
            "row 4, column `t`: the step from `1` to `2.5` is 1.5, the median step is 1",
        ),
        ("t,x\n0,1\n1,2\n1,3\n2,3\n", "row 4, column `t`: the time `1` is not after `1`"),
        ("t,x\n2,1\n1,2\n0,3\n", "row 3, column `t`: the time `1` is not after `2`"),
        ("date,x\n20010101,1\n20010201,2\n20010301,3\n", "column `date`: the step from"),
    ] {
        let folder = Folder::with(&[("x.csv", text)]);
        refused(&folder, &format!("{EVEN} x.csv -o out.csv"), 2, &[said]);
    }
}

#[test]
fn a_step_given_does_not_switch_checks_off() {
    for (text, missing, said) in [
        (
            "t,x\n0,1\n1,2\n4,3\n5,3\n",
            "error",
            "row 4, column `t`: the time goes from `1` to `4`, 2 rows of step 1 missing",
        ),
        (
            "t,x\n0,1\n1,2\n4,3\n5,3\n",
            "drop",
            "row 4, column `t`: the time goes from `1` to `4`, 2 rows of step 1 missing",
        ),
        (
            "date,x\n20010101,1\n20010201,2\n20010401,3\n20010501,3\n",
            "interpolate",
            "row 4, column `date`: the time goes from `20010201` to `20010401`, about 2 times the",
        ),
        ("t,x\n0,1\n1,2\n1,3\n2,3\n", "error", "the time `1` is not after `1`"),
        ("t,x\n0,1\n1,2\n2?,3\n3,3\n", "error", "`2?` is not a finite number"),
    ] {
        let folder = Folder::with(&[("x.csv", text)]);
        refused(&folder, &format!("{CAPUTO} --missing {missing} --dt 0.5 x.csv"), 2, &[said]);
    }
}

#[test]
fn messages_stay_short() {
    let huge = "t,x\n0,1\n1e300,2\n2.5e300,3\n3.5e300,3\n";
    for (text, more, said) in [
        (huge, "", "is 1.5e300, the median step is 1e300;"),
        ("t,x\n-1e308,1\n1e308,2\n", "", "from `-1e308` to `1e308` are too far apart"),
        ("x\n1\n2\n", "--dt -1e300", "--dt -1e300: expected a positive finite step"),
    ] {
        let folder = Folder::with(&[("x.csv", text)]);
        refused(&folder, &format!("{EVEN} {more} x.csv"), 2, &[said]);
        let run = folder.run(&format!("{EVEN} {more} x.csv"));
        assert!(run.stderr.len() < 260, "{}", run.stderr);
        assert!(!text.contains("308") || !run.stderr.contains("--dt"), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_output_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("x.csv", "t,x\n0,1\n1,2\n"), ("out.csv", "old")]);
    let permissions = std::fs::Permissions::from_mode(0o444);
    std::fs::set_permissions(folder.path("out.csv"), permissions).unwrap();
    refused(&folder, &format!("{CAPUTO} x.csv -o out.csv"), 1, &["cannot write out.csv: "]);
    assert_eq!(folder.read("out.csv"), b"old");
}

#[test]
fn parameters() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,1\n1,2\n2,4\n3,8\n")]);
    let long: String = (0..3).map(|j| format!("{j},1e39\n")).collect();
    std::fs::write(folder.path("big.csv"), format!("t,x\n{long}")).unwrap();
    for (words, said) in [
        ("--operator caputo --alpha nan x.csv", "--alpha: order alpha = NaN is not finite"),
        ("--operator caputo --alpha inf x.csv", "--alpha: order alpha = inf is not finite"),
        ("--operator caputo --alpha -0.5 x.csv", "--alpha: order alpha = -0.5 is negative"),
        (
            "--operator caputo --scheme l1 --alpha 1.5 x.csv",
            "order alpha = 1.5 is outside 0 < alpha < 1",
        ),
        (
            "--operator rl-integral --alpha 0 x.csv",
            "rl-integral: no scheme for order alpha = 0; there are schemes for 0 < alpha <= 20",
        ),
        ("--operator caputo --alpha half x.csv", "invalid value 'half' for '--alpha <ALPHA>'"),
        ("--operator kaputo --alpha 0.5 x.csv", "unknown operator `kaputo`; known are caputo,"),
        (
            "--operator caputo_l1_0.5(x) --alpha 0.7 x.csv",
            "--operator: the column of `caputo` has the order 0.5, --alpha is 0.7",
        ),
        (
            "--operator caputo --scheme l2 --alpha 0.5 x.csv",
            "operator `caputo` has no scheme `l2`; it has l1,",
        ),
        (
            "--operator caputo --alpha 0.5 --backend abacus x.csv",
            "--backend: unknown backend `abacus`; known are",
        ),
        (
            "--operator caputo --alpha 0.5 --column y x.csv",
            "x.csv: no column `y`; the columns are `t`, `x`",
        ),
        (
            "--operator caputo --alpha 0.5 --time s x.csv",
            "x.csv: no column `s`; the columns are `t`, `x`",
        ),
        ("--operator caputo --alpha 0.5 --time x --column x x.csv", "column `x` cannot be both"),
        ("--operator caputo --alpha 0.5 --dt 0 x.csv", "--dt 0: expected a positive finite step"),
        ("--operator caputo --alpha 0.5 --dt -1 x.csv", "--dt -1: expected a positive finite step"),
        (
            "--operator caputo --alpha 0.5 --dt nan x.csv",
            "--dt NaN: expected a positive finite step",
        ),
        (
            "--operator caputo --alpha 0.5 --missing guess x.csv",
            "invalid value 'guess' for '--missing <HOW>'",
        ),
        (
            "--operator caputo --alpha 0.5 --dtype f16 x.csv",
            "invalid value 'f16' for '--dtype <TYPE>'",
        ),
        (
            "--operator caputo --alpha 0.5 --dtype f32 big.csv",
            "big.csv: column `x`: 1e39 at `0` is outside the range of f32",
        ),
        (
            "--operator caputo --alpha 0.5 --plot p.pdf x.csv",
            "--plot p.pdf: the name must end in .svg or .png",
        ),
        (
            "--operator caputo --alpha 0.5 --output x.csv x.csv",
            "x.csv is named twice: the input and --output",
        ),
        (
            "--operator caputo --alpha 0.5 -o a.svg --plot a.svg x.csv",
            "a.svg is named twice: --output and --plot",
        ),
        (
            "--operator caputo --alpha 0.5 -o a.svg --plot ./a.svg x.csv",
            "./a.svg is named twice: --output and --plot",
        ),
        (
            "--operator caputo --alpha 0.5 --set lambda=1 x.csv",
            "operator `caputo` has no parameter `lambda`; it has none",
        ),
        (
            "--operator caputo --alpha 0.5 --set lambda x.csv",
            "--set lambda: expected NAME=NUMBER with a finite number",
        ),
        (
            "--operator tempered-caputo --alpha 0.5 x.csv",
            "operator `tempered-caputo` needs parameter `lambda`",
        ),
        (
            "--operator tempered-caputo --alpha 0.5 --set lamda=1 x.csv",
            "operator `tempered-caputo` has no parameter `lamda`; it has lambda",
        ),
        (
            "--operator tempered-caputo --alpha 0.5 --set lambda=1 --set lambda=2 x.csv",
            "operator `tempered-caputo`: parameter `lambda` is given twice",
        ),
        ("--operator tempered-caputo --alpha 0.5 --set lambda=-1 x.csv", "lambda is -1, expected"),
        ("--alpha 0.5 x.csv", "--operator <NAME>"),
    ] {
        refused(&folder, &format!("diff {words}"), 2, &[said]);
    }
    assert_eq!(folder.read("x.csv"), b"t,x\n0,1\n1,2\n2,4\n3,8\n");
}

#[test]
fn the_system_may_fail_as_well() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,1\n1,2\n2,4\n")]);
    refused(&folder, &format!("{CAPUTO} none.csv"), 1, &["cannot read none.csv: "]);
    refused(&folder, &format!("{CAPUTO} x.csv -o no/out.csv"), 1, &["cannot write no/out.csv: "]);
    // Both or neither: a table without its picture would be half an output.
    let words = format!("{CAPUTO} x.csv -o out.csv --plot no/out.svg");
    refused(&folder, &words, 1, &["cannot write no/out.svg: "]);
}

#[test]
fn an_old_output_survives_a_refusal() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,1\n1,?\n"), ("out.csv", "old")]);
    refused(&folder, &format!("{CAPUTO} x.csv -o out.csv"), 2, &["row 3, column `x`: `?`"]);
    assert_eq!(folder.read("out.csv"), b"old");
}

#[test]
fn standard_input_has_rows_as_well() {
    let folder = Folder::with(&[]);
    let run = folder.run_with_input(&format!("{CAPUTO} -"), "t,x\n0,1\n1,oops\n");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr,
        "hpfracc: error: <stdin>: row 3, column `x`: `oops` is not a finite number\n"
    );
}

/// A launcher of ranks needs a build with MPI.
#[cfg(not(feature = "mpi"))]
#[test]
fn a_launcher_without_mpi() {
    let folder = Folder::with(&[]);
    let mut command = folder.command();
    let words = "simulate brownian-motion --paths 10 --moments --output moments.csv";
    command.args(words.split_whitespace()).env("OMPI_COMM_WORLD_SIZE", "2");
    let run = crate::command::Run::of(&command.output().unwrap());
    assert_eq!((run.code, &run.stdout[..]), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("build the command with its feature `mpi`"), "{}", run.stderr);
    assert_eq!(folder.names(), [""; 0]);
}
