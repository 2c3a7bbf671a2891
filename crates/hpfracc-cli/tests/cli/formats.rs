//! Files as other programs write them: delimiters, decimal commas, clock times, comments, units,
//! codes of missing values. All give the numbers of the plain file.

use crate::command::{Folder, numbers};

const PLAIN: &str = "t,x\n0,1.5\n0.5,2\n1,-3.25\n1.5,1000\n2,0.125\n";
const CAPUTO: &str = "diff --operator caputo --scheme l1 --alpha 0.5";

#[test]
fn formats_of_other_programs_give_the_same_numbers() {
    let plain = Folder::with(&[("x.csv", PLAIN)]).run(&format!("{CAPUTO} -q x.csv"));
    assert_eq!(plain.code, 0, "{}", plain.stderr);
    let semicolons = PLAIN.replace(',', ";").replace('.', ",");
    let tabs = PLAIN.replace(',', "\t");
    for (text, notes) in [
        (semicolons.clone(), vec!["cells are separated by `;`", "numbers have a decimal comma"]),
        (semicolons.replace(';', "\t"), vec!["separated by tabs", "a decimal comma"]),
        (tabs.clone(), vec!["separated by tabs"]),
        (format!("# made by a logger\n# 2 columns, of 5 rows\n\n{PLAIN}# end\n"), vec![]),
        (PLAIN.replace("x\n", "x\ns,m/s\n"), vec!["row 2 is skipped as units: `s`, `m/s`"]),
        (
            format!("\u{feff}#\n{}", semicolons.replace("x\n", "x\n[s];[m]\n")),
            vec!["row 3 is skipped"],
        ),
        (PLAIN.replace("1.5,", "1.50,").replace("1.5\n", "+1.500e0\n"), vec![]),
    ] {
        let folder = Folder::with(&[("x.csv", &text)]);
        for more in ["", " --stream --tolerance 1e-12", " --chunk 2"] {
            let run = folder.run(&format!("{CAPUTO}{more} x.csv"));
            assert_eq!(run.code, 0, "{text}{more}: {}", run.stderr);
            for note in &notes {
                assert!(run.stderr.contains(note), "{text}{more}: {}", run.stderr);
            }
            assert_eq!(numbers(&run.stdout, 0), [0.0, 0.5, 1.0, 1.5, 2.0], "{text}");
            assert_eq!(numbers(&run.stdout, 1), numbers(&plain.stdout, 1), "{text}");
            for (y, expected) in numbers(&run.stdout, 2).iter().zip(numbers(&plain.stdout, 2)) {
                assert!((y - expected).abs() <= 1e-9 * expected.abs(), "{text}{more}: {y}");
            }
            // A stream writes its notes before its rows, once.
            assert_eq!(
                run.stderr.matches("decimal comma").count(),
                usize::from(text.contains("1,5"))
            );
        }
    }
}

#[test]
fn two_decimal_marks_are_refused() {
    for text in [
        "t;x\n0;1,5\n1;1.500\n2;3\n",
        "t;x\n0;1.5\n1;1,5\n2;3\n",
        "t;x\n0;1.234,5\n1;2\n2;3\n",
        "t\tx\n0\t1,234\n1\t1,500\n2\t3\n",
    ] {
        let folder = Folder::with(&[("x.csv", text)]);
        for more in ["", " --stream"] {
            let run = folder.run(&format!("{CAPUTO}{more} x.csv"));
            assert_eq!(run.code, 2, "{text}{more}");
            assert!(run.stderr.contains("is not a finite number"), "{text}: {}", run.stderr);
        }
    }
}

/// Hourly samples from a date, and from midnight, with one hour missing.
#[test]
fn clock_times_are_counted_in_days() {
    let values = [1.0, 4.0, 2.0, 8.0];
    for (times, inserted) in [
        (["2000-02-29 22:30", "2000-02-29 23:30", "2000-03-01 01:30"], "2000-03-01 00:30"),
        (
            ["2000-02-29T22:30:00.5Z", "2000-02-29T23:30:00.5Z", "2000-03-01T01:30:00.5Z"],
            "2000-03-01T00:30:00.5Z",
        ),
        // Summer time begins.
        (
            ["2000-03-26T01:00+01:00", "2000-03-26T03:00+02:00", "2000-03-26T05:00+02:00"],
            "2000-03-26T03:00+01:00",
        ),
        (["08:00:00", "09:00:00", "11:00:00"], "10:00:00"),
    ] {
        let rows = times.iter().zip([values[0], values[1], values[3]]);
        let rows: String = rows.map(|(t, x)| format!("{t},{x}\n")).collect();
        let folder = Folder::with(&[("x.csv", &format!("time,x\n{rows}"))]);
        let run = folder.run(&format!("{CAPUTO} x.csv"));
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("1 row of step 0.0416666666667 missing"), "{}", run.stderr);
        let run = folder.run(&format!("{CAPUTO} --missing interpolate x.csv"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("step is 0.0416666666667 days"), "{}", run.stderr);
        let labels: Vec<&str> =
            run.stdout.lines().map(|row| row.split(',').next().unwrap()).collect();
        assert_eq!(labels, ["time", times[0], times[1], inserted, times[2]]);
        // In hours with --dt 1.
        let hours = folder.run(&format!("{CAPUTO} --missing interpolate --dt 1 x.csv"));
        for (day, hour) in numbers(&run.stdout, 2).iter().zip(numbers(&hours.stdout, 2)) {
            assert!((day - hour * 24f64.sqrt()).abs() <= 1e-9 * day.abs(), "{day} {hour}");
        }
    }
    for (text, said) in [
        (
            "t,x\n2000-01-01 12:00,1\n2000-01-02,2\n",
            "is not a date and time of day like YYYY-MM-DD",
        ),
        ("t,x\n2000-01-01T12:00Z,1\n2000-01-01T13:00,2\n", "with a zone in every row or in none"),
        ("t,x\n12:00,1\n25:00,2\n", "`25:00` is not a time of day HH:MM:SS"),
    ] {
        for more in ["", " --stream"] {
            let run = Folder::with(&[("x.csv", text)]).run(&format!("{CAPUTO}{more} x.csv"));
            assert_eq!(run.code, 2, "{text}");
            assert!(run.stderr.contains(said), "{text}: {}", run.stderr);
        }
    }
}

/// Microseconds since 1970 are below the rounding of days.
#[test]
fn clock_times_are_exact() {
    let rows = (0..50).map(|k| format!("2024-05-01T10:00:00.{:06},{k}\n", 7 * k));
    let text = "t,x\n".to_owned() + &rows.collect::<String>();
    let folder = Folder::with(&[("x.csv", &text)]);
    for more in ["", " --stream"] {
        let run = folder.run(&format!("{CAPUTO}{more} x.csv"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(numbers(&run.stdout, 1)[49], 49.0);
    }
}

/// A code below the header is a missing sample, not a row of units.
#[test]
fn a_code_of_missing_values_is_no_unit() {
    let folder = Folder::with(&[
        ("x.csv", "x\n---\n2\n3\n"),
        (
            "c.toml",
            "[data]\nfile = \"x.csv\"\ndt = 1\nmissing-values = [\"---\"]\n[windows]\nlength = 1\n\
             [model.drift.perceptron]\nhidden = [2]\n[training]\nepochs = 1\n",
        ),
    ]);
    for more in ["", " --stream", " --chunk 2"] {
        let run = folder.run(&format!("{CAPUTO}{more} --dt 1 --missing-value --- x.csv"));
        let said = "row 2, column `x`: the value is missing (`---`)";
        assert!(run.code == 2 && run.stderr.contains(said), "{more}: {}", run.stderr);
        // Without the code the cell is a unit.
        let run = folder.run(&format!("{CAPUTO}{more} --dt 1 x.csv"));
        assert!(run.code == 0 && run.stderr.contains("skipped as units"), "{}", run.stderr);
    }
    let run = folder.run("train c.toml");
    let said = "row 2, column `x`: the value is missing (`---`)";
    assert!(run.code == 2 && run.stderr.contains(said), "{}", run.stderr);
}

/// Below a row of units, another row that looks like one is a sample.
#[test]
fn units_are_skipped_once() {
    let folder = Folder::with(&[("x.csv", "a,b\nu,v\n1,w\nNA,2\n3,4\n")]);
    for more in ["", " --stream"] {
        let run = folder.run(&format!("{CAPUTO}{more} --dt 1 --column b x.csv"));
        let said = "row 3, column `b`: `w` is not a finite number";
        assert!(run.code == 2 && run.stderr.contains(said), "{more}: {}", run.stderr);
    }
}

#[test]
fn codes_of_missing_values() {
    let text = "t,x\n0,1\n1,-999\n2,-999.00\n3,7\n";
    let folder = Folder::with(&[
        ("x.csv", text),
        ("plain.csv", &text.replace("-999.00", "").replace("-999", "")),
    ]);
    let words = format!("{CAPUTO} --missing interpolate -q");
    let plain = folder.run(&format!("{words} plain.csv"));
    let run = folder.run(&format!("{words} --missing-value -999 x.csv"));
    assert_eq!((run.code, run.stdout), (0, plain.stdout));
    for more in ["", " --stream"] {
        let run =
            folder.run(&format!("{CAPUTO}{more} --missing-value=-999 --missing-value ? x.csv"));
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains("row 3, column `x`: the value is missing (`-999`)"),
            "{}",
            run.stderr
        );
    }
}
