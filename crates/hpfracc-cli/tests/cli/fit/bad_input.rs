//! Messages for input that no fit can be made of: one line each, with the value and its place.

use super::{STRETCHED, folder};
use crate::command::Folder;

fn refused(folder: &Folder, words: &[&str], said: &str) {
    let run = folder.run_with(&[&["fit"], words].concat());
    assert_eq!(run.code, 2, "{words:?}: {}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains(said), "{words:?}: `{said}` is not in: {}", run.stderr);
    assert!(!run.stderr.contains("panicked") && run.stdout.is_empty(), "{words:?}: {}", run.stderr);
}

#[test]
fn of_data() {
    let folder = folder();
    let files = [
        ("gap.csv", "t,y\n1,2\n2,\n3,1\n4,1\n5,0.5\n"),
        ("text.csv", "t,y\n1,2\n2,x\n3,1\n"),
        ("few.csv", "t,y\n1,2\n2,1.5\n3,1\n"),
        ("zero.csv", "t,y,err\n1,2,0.1\n2,1.5,0\n3,1,0.1\n4,1,0.1\n5,0.5,0.1\n"),
        ("infinite.csv", "t,y\n1,2\n2,inf\n3,1\n4,1\n5,0.5\n"),
        ("none.csv", "t,y\n"),
        ("negative.csv", "t,y\n-1,2\n2,1\n3,1\n4,1\n5,0.5\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.path(name), text).unwrap();
    }
    for (name, said) in [
        ("gap.csv", "--skip leaves such rows out"),
        ("text.csv", "row 3"),
        ("few.csv", "3 data cannot determine 4 parameters"),
        ("infinite.csv", "row"),
        ("none.csv", "no"),
        ("negative.csv", "is not finite in row 0 at the start: a = 1"),
        ("missing.csv", "cannot read missing.csv"),
    ] {
        let run = folder.run_with(&["fit", STRETCHED, name]);
        assert!(matches!(run.code, 1 | 2), "{name}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(said), "{name}: `{said}` is not in: {}", run.stderr);
        assert!(!run.stderr.contains("panicked") && run.stdout.is_empty());
    }
    refused(&folder, &[STRETCHED, "zero.csv", "--sigma", "err"], "row");
    refused(&folder, &[STRETCHED, "one.csv", "--sigma", "er"], "did you mean `err`?");
    refused(&folder, &[STRETCHED, "one.csv", "one.csv"], "two sets are called `one`");
    refused(&folder, &[STRETCHED], "a fit needs data");
    let skipped = folder.run_with(&["fit", "y = a + b t; a = 0; b = 0", "gap.csv", "--skip"]);
    assert!(skipped.stdout.contains("1 rows skipped"), "{}", skipped.stdout);
}

#[test]
fn of_models() {
    let folder = folder();
    refused(&folder, &["cole-colle", "one.csv"], "did you mean `cole-cole`?");
    refused(&folder, &["circuit R0-p(R1", "impedance.csv"], "this bracket is not closed");
    refused(&folder, &["y = a exp(-t/tau", "one.csv"], "formula");
    refused(&folder, &["a exp(-t/tau)", "sweep.csv"], "t");
    refused(&folder, &["D^alpha y = -y; alpha = 0.5; y(0) = 1", "sweep.csv"], "which columns");
    std::fs::write(folder.path("pair.csv"), "t,y\n1,2\n2,1\n3,1\n").unwrap();
    refused(
        &folder,
        &["cole-cole", "pair.csv"],
        "which columns are the responses eps_real, eps_loss? --map NAME=COLUMN says it",
    );
    refused(
        &folder,
        &["circuit R0-C1", "impedance.csv", "--map", "omega=frequencies"],
        "frequencies",
    );
    let run = folder.run_with(&["fit", "circuit R0-C1", "impedance.csv"]);
    assert!(run.stderr.contains("in hertz?"), "{}", run.stderr);
    refused(&folder, &["stretched-exponential", "one.csv", "--hertz"], "omega");
    refused(&folder, &["stretched-exponential", "one.csv", "--constant", "q=1"], "q");
    refused(&folder, &["stretched-exponential", "one.csv", "--response", "y,err"], "2 responses");
}

#[test]
fn of_parameters() {
    let folder = folder();
    let with = |more: &[&str], said: &str| {
        refused(&folder, &[&[STRETCHED, "one.csv"], more].concat(), said);
    };
    with(&["--start", "b=1"], "no parameter is called `b`");
    with(&["--start", "a=x"], "a=x");
    with(&["--within", "s=0.9:1", "--start", "s=0.5"], "s");
    with(&["--within", "s=1:0.5"], "s");
    with(&["--within", "s=1"], "s=1");
    with(&["--tie", "a=b + 1"], "b");
    with(&["--tie", "a=c + 1", "--tie", "c=a - 1"], "a");
    with(&["--profile", "b"], "no parameter is called `b`");
    with(&["--fix", "a=1", "--profile", "a"], "a");
    with(&["--derived", "tau*"], "tau*");
    with(&["--own", "b"], "b");
    with(&["--bootstrap", "0"], "the number of replicates is 0");
    with(&["--bootstrap", "9", "--resample", "block"], "--resample is `block`");
    with(&["--bootstrap", "9", "--resample", "blocks:100"], "100");
    with(&["--sample", "4"], "--sample is `4`");
    with(&["--sample", "0x10"], "the number of chains is 0");
    with(&["--sample", "4x2000000000"], "memory");
    with(&["--resume", "run", "--every", "-1"], "--every");
    with(&["--resume", "one.csv"], "checkpoints cannot be used");
    with(&["--compare", "cole-colle"], "did you mean `cole-cole`?");
}
