//! `hpfracc diff` on records that are as they should be.

use crate::command::{Folder, numbers, table};
use std::f64::consts::PI;
use std::process::Stdio;

/// f(t) = t on 0, 0.01 .. 2.
fn ramp() -> String {
    let rows = (0..=200).map(|j| format!("{},{0}\n", f64::from(j) / 100.0));
    "t,x\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn the_half_derivative_of_t() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    let run = folder.run("diff --operator caputo --scheme l1 --alpha 0.5 ramp.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (header, rows) = table(&run.stdout);
    assert_eq!(header, ["t", "x", "caputo_l1_0.5(x)"]);
    assert_eq!(rows.len(), 201);
    // L1 is exact for functions that are linear between the samples.
    for (t, y) in numbers(&run.stdout, 0).into_iter().zip(numbers(&run.stdout, 2)) {
        let exact = 2.0 * (t / PI).sqrt();
        assert!((y - exact).abs() < 1e-13, "at {t}: {y}, expected {exact}");
    }
    assert!(run.stderr.contains("ramp.csv: time is column `t`"), "{}", run.stderr);
    assert!(run.stderr.contains("ramp.csv: input is column `x`"), "{}", run.stderr);
}

/// Steps that are too small for a derivative of this order are said to be.
#[test]
fn rounding_of_samples_that_exceeds_the_error_of_the_scheme_is_told() {
    let record = |n: usize| {
        let rows = (0..=n).map(|j| format!("{}\n", (0.5 * j as f64 / n as f64).exp()));
        "x\n".to_owned() + &rows.collect::<String>()
    };
    let folder = Folder::with(&[("coarse.csv", &record(50)), ("fine.csv", &record(5000))]);
    let run = |file: &str, dt: f64, more: &str| {
        let operator = "--operator caputo --scheme bdf4 --alpha 2.5";
        let run = folder.run(&format!("diff {operator} --dt {dt} {more} {file}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    let told = "rounding of the samples may change values by";
    assert!(run("fine.csv", 2e-4, "").contains(told));
    assert!(!run("coarse.csv", 0.02, "").contains(told));
    assert_eq!(run("fine.csv", 2e-4, "-q"), "");
}

#[test]
fn the_usual_scheme_follows_the_order() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    for (arguments, column) in [
        ("--operator caputo --alpha 0.5", "caputo_l1_0.5(x)"),
        ("--operator caputo --alpha 1.5", "caputo_l2-midpoint_1.5(x)"),
        // Names as errors and earlier results print them.
        ("--operator caputo-bdf3 --alpha 0.5", "caputo_bdf3_0.5(x)"),
        ("--operator caputo_bdf3_0.5(x) --alpha 0.5", "caputo_bdf3_0.5(x)"),
        ("--operator riemann-liouville --alpha 0.25", "riemann-liouville_l1_0.25(x)"),
        ("--operator grunwald-letnikov --alpha 1", "grunwald-letnikov_standard_1(x)"),
        ("--operator rl-integral --alpha 0.5", "rl-integral_trapezoid_0.5(x)"),
        ("--operator weyl --alpha 0.5", "weyl_spectral_0.5(x)"),
        ("--operator riesz --alpha 1.5", "riesz_spectral_1.5(x)"),
        ("--operator fractional-laplacian --alpha 1.5", "fractional-laplacian_spectral_1.5(x)"),
    ] {
        let run = folder.run(&format!("diff {arguments} -q ramp.csv"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments}");
        assert_eq!(table(&run.stdout).0[2], column);
    }
}

#[test]
fn digits_are_enough_to_get_the_numbers_back() {
    let samples = [0.1, 1.0 / 3.0, -2.5e-17, 1.7976931348623157e308, 5e-324, 123456789.12345679];
    let rows: String = samples.iter().map(|x| format!("{x:e}\n")).collect();
    let folder = Folder::with(&[("x.csv", &format!("x\n{rows}"))]);
    let run = folder.run("diff --operator weyl --alpha 0 --dt 0.1 x.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(numbers(&run.stdout, 1), samples);
    // Inputs are written as they were, and no result with more digits than it needs.
    for row in table(&run.stdout).1 {
        assert!(
            row.iter().all(|cell| cell.trim_start_matches(['-', '0', '.']).len() <= 22),
            "{row:?}"
        );
    }
    let folder = Folder::with(&[("x.csv", "t,x\n0,316.1\n0.5,315.28\n1,-0.000123\n")]);
    let run = folder.run("diff --operator caputo --alpha 0.5 x.csv");
    for line in ["0,316.1,0", "0.5,315.28,", "1,-0.000123,"] {
        assert!(run.stdout.lines().any(|row| row.starts_with(line)), "{}", run.stdout);
    }
}

/// Whatever rounding the transforms of a backend leave.
#[test]
fn a_caputo_derivative_begins_with_zero() {
    let rows =
        (0..300).map(|k| format!("{},{}\n", f64::from(k) / 7.0, 316.1 + f64::from(k * k % 17)));
    let folder = Folder::with(&[("x.csv", &("t,x\n".to_owned() + &rows.collect::<String>()))]);
    for (operator, orders) in [
        ("caputo --scheme l1", &["0.5"][..]),
        ("caputo --scheme bdf3", &["0.5", "1.5", "2.5"]),
        ("tempered-caputo --scheme grunwald-letnikov --set lambda=0.5", &["0.5"]),
    ] {
        for alpha in orders {
            for more in ["--backend cpu-fft", "--backend cpu-direct", "--chunk 64", "--dtype f32"] {
                let words = format!("diff --operator {operator} --alpha {alpha} {more} x.csv");
                let run = folder.run(&words);
                assert_eq!(run.code, 0, "{words}: {}", run.stderr);
                assert_eq!(table(&run.stdout).1[0][2], "0", "{words}");
            }
        }
    }
}

#[test]
fn standard_streams_and_files_give_the_same() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    let from_file = folder.run("diff --operator caputo --alpha 0.5 ramp.csv");
    let from_stdin = folder.run_with_input("diff --operator caputo --alpha 0.5 - -o -", &ramp());
    assert_eq!(from_file.stdout, from_stdin.stdout);
    let run = folder.run("diff --operator caputo --alpha 0.5 ramp.csv --output out.csv");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert_eq!(folder.read("out.csv"), from_file.stdout.as_bytes());
    assert_eq!(folder.names(), ["out.csv", "ramp.csv"]);
}

#[test]
fn every_backend_gives_the_same_within_rounding() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    let run =
        |more: &str| folder.run(&format!("diff --operator caputo --alpha 0.5 ramp.csv {more}"));
    let expected = numbers(&run("--backend reference").stdout, 2);
    for (more, bound) in [
        ("", 1e-13),
        ("--backend cpu-direct", 1e-13),
        ("--backend cpu-fft", 1e-13),
        ("--dtype f32", 1e-5),
    ] {
        let result = run(more);
        assert_eq!(result.code, 0, "{}", result.stderr);
        let found = numbers(&result.stdout, 2);
        let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < bound, "{more}: {worst}");
        // Single precision must show, or the option does nothing.
        assert!(!more.contains("f32") || worst > 1e-9, "{more}: {worst}");
    }
}

#[test]
fn a_long_record_goes_through_the_fft() {
    let n = 2000;
    let rows = (0..n).map(|j| f64::from(j) / f64::from(n - 1)).map(|t| format!("{t},{}\n", t * t));
    let folder = Folder::with(&[("x.csv", &format!("t,x\n{}", rows.collect::<String>()))]);
    let run = |backend: &str| {
        let words = format!("diff --operator caputo --alpha 0.5 -q --backend {backend} x.csv");
        let run = folder.run(&words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let auto = run("auto");
    for (t, y) in numbers(&auto, 0).into_iter().zip(numbers(&auto, 2)) {
        // Gamma(3) / Gamma(5/2) t^(3/2), and the scheme's error of order 3/2.
        let exact = 8.0 / (3.0 * PI.sqrt()) * t * t.sqrt();
        assert!((y - exact).abs() < 1e-5, "at {t}: {y}, expected {exact}");
    }
    // Direct summation rounds otherwise, so equal digits are the same path.
    assert!(auto == run("cpu-fft") && auto != run("cpu-direct"));
}

#[test]
fn schemes_are_taken_by_name() {
    let rows = (0..=200).map(|j| f64::from(j) / 100.0).map(|t| format!("{t},{}\n", t * t));
    let folder = Folder::with(&[("x.csv", &format!("t,x\n{}", rows.collect::<String>()))]);
    let run = folder.run("diff --operator caputo --scheme l2-midpoint --alpha 1.5 -q x.csv");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(table(&run.stdout).0[2], "caputo_l2-midpoint_1.5(x)");
    let (times, result) = (numbers(&run.stdout, 0), numbers(&run.stdout, 2));
    // 2 t^(1/2) / Gamma(3/2); the scheme gives the mean of two neighbouring points.
    let exact = |t: f64| 4.0 * (t / PI).sqrt();
    for k in 100..201 {
        assert!((result[k] - exact(times[k])).abs() < 0.02, "{}: {}", times[k], result[k]);
    }
}

#[test]
fn dates_count_in_days_and_stay_as_they_are() {
    for (first, second, third) in
        [("20000228", "20000306", "20000313"), ("2000-02-28", "2000-03-06", "2000-03-13")]
    {
        let text = format!("Date,x\n{first},1\n{second},2\n{third},4\n");
        let folder = Folder::with(&[("x.csv", &text)]);
        let run = folder.run("diff --operator grunwald-letnikov --alpha 1 x.csv");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let rows = table(&run.stdout).1;
        assert_eq!([&rows[0][0], &rows[1][0], &rows[2][0]], [first, second, third]);
        let result = numbers(&run.stdout, 2);
        for (y, exact) in result.iter().zip([1.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]) {
            assert!((y - exact).abs() < 1e-15, "{result:?}");
        }
        assert!(run.stderr.contains("step is 7 days"), "{}", run.stderr);
    }
}

#[test]
fn gaps_are_filled_on_request_and_told() {
    let folder = Folder::with(&[("x.csv", "year,x\n2000,1\n2001,NA\n2002,3\n2004,7\n2005,8\n")]);
    let run = folder.run("diff --operator caputo --alpha 0.5 --missing interpolate x.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(numbers(&run.stdout, 0), [2000.0, 2001.0, 2002.0, 2003.0, 2004.0, 2005.0]);
    assert_eq!(numbers(&run.stdout, 1), [1.0, 2.0, 3.0, 5.0, 7.0, 8.0]);
    let told = "2 of 6 values of `x` were missing, filled linearly between neighbours: 2001, 2003";
    assert!(run.stderr.contains(told), "{}", run.stderr);
}

#[test]
fn gaps_at_the_ends_can_be_dropped() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,\n1,1\n2,2\n3,nan\n")]);
    let run = folder.run("diff --operator caputo --alpha 0.5 --missing drop x.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(numbers(&run.stdout, 0), [1.0, 2.0]);
    assert!(run.stderr.contains("2 rows without a value dropped"), "{}", run.stderr);
}

#[test]
fn a_step_replaces_the_time_column() {
    let folder = Folder::with(&[("x.csv", "x,note\n1,a\n3,b\n2,c\n")]);
    let run = folder.run("diff --operator grunwald-letnikov --alpha 1 --dt 0.5 x.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(table(&run.stdout).0[0], "t");
    assert_eq!(numbers(&run.stdout, 0), [0.0, 0.5, 1.0]);
    let result = numbers(&run.stdout, 2);
    assert!(result.iter().zip([2.0, 4.0, -2.0]).all(|(y, e)| (y - e).abs() < 1e-14), "{result:?}");
}

#[test]
fn a_step_given_measures_the_rows_of_the_time_column() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,0\n1,1\n4,4\n5,5\n")]);
    let words =
        "diff --operator grunwald-letnikov --alpha 1 --missing interpolate --dt 0.5 -q x.csv";
    let run = folder.run(words);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(numbers(&run.stdout, 0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let result = numbers(&run.stdout, 2);
    assert!(result[1..].iter().all(|y| (y - 2.0).abs() < 1e-14), "{result:?}");
}

#[test]
fn nanoseconds_are_exact() {
    let rows = (0..100).map(|k| format!("{},{k}\n", 1_700_000_000_000_000_000_i64 + k * 1000));
    let folder = Folder::with(&[("x.csv", &format!("t,x\n{}", rows.collect::<String>()))]);
    let run = folder.run("diff --operator grunwald-letnikov --alpha 1 x.csv -p x.svg");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("step is 1000\n"), "{}", run.stderr);
    let result = numbers(&run.stdout, 2);
    assert!(result[1..].iter().all(|y| (y - 1e-3).abs() < 1e-17), "{result:?}");
    assert_eq!(table(&run.stdout).1[99][0], "1700000000000099000");
}

#[test]
fn columns_are_taken_by_name() {
    let folder = Folder::with(&[("x.csv", "s,a,b\n0,1,5\n1,2,5\n2,3,5\n")]);
    let run = folder.run("diff --operator caputo --alpha 0.5 --time s --column b x.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (header, _) = table(&run.stdout);
    assert_eq!(header, ["s", "b", "caputo_l1_0.5(b)"]);
    assert!(numbers(&run.stdout, 2).iter().all(|y| y.abs() < 1e-15));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let rows: String = (0..50_000).map(|j| format!("{j},1\n")).collect();
    let folder = Folder::with(&[("x.csv", &format!("t,x\n{rows}"))]);
    let mut child = folder
        .command()
        .args(["diff", "--operator", "caputo", "--alpha", "0.5", "-q", "x.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[cfg(unix)]
#[test]
fn an_output_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    folder.run("diff --operator caputo --alpha 0.5 ramp.csv --output out.csv");
    let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("out.csv"), mode("ramp.csv"));
}

#[test]
fn parameters_are_given_by_name() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    let words = "diff --operator tempered-caputo --scheme l1 --alpha 0.5";
    let run = folder.run(&format!("{words} --set lambda=1.5 ramp.csv --plot p.svg"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(table(&run.stdout).0[2], "tempered-caputo_l1_0.5_lambda=1.5(x)");
    let svg = String::from_utf8(folder.read("p.svg")).unwrap();
    assert!(svg.contains("tempered-caputo, scheme l1, order 0.5, lambda = 1.5"), "no title");
    let plain = folder.run("diff --operator caputo --scheme l1 --alpha 0.5 -q ramp.csv");
    let (tempered, plain) = (numbers(&run.stdout, 2), numbers(&plain.stdout, 2));
    assert!(tempered[200] - plain[200] > 0.1, "{} {}", tempered[200], plain[200]);
    let none = folder.run(&format!("{words} --set lambda=0 -q ramp.csv"));
    let none = numbers(&none.stdout, 2);
    assert!(none.iter().zip(&plain).all(|(a, b)| (a - b).abs() < 1e-13));
    // The name has default values of parameters too.
    let usual = folder.run("diff --operator caputo-fabrizio --alpha 0.5 -q ramp.csv");
    let name = "caputo-fabrizio_recurrence_0.5_normalisation=0(x)";
    assert_eq!(table(&usual.stdout).0[2], name);
}
