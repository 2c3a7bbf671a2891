//! Made-up records: what is slower, what only looks so, and what cannot be compared.

use super::*;
use crate::bench::Part;
use crate::cell::{beside, floor, label, ratio, size, time};
use crate::machine::Program;
use crate::measure::Time;

/// Readings close to a time.
fn about(seconds: f64) -> Time {
    Time::of((0..25).map(|k| seconds * (1.0 + 1e-4 * f64::from(k))).collect())
}

fn row(n: usize, floors: f64, work: f64) -> Vec<Cell> {
    let (lower, upper) = (about(floors), about(work));
    vec![label("x"), size(n), floor(&lower), time(&upper), ratio(&upper, &lower)]
}

fn group(rows: Vec<Vec<Cell>>) -> Group {
    let columns = ["name", "N", "floor", "work", "work / floor"].map(String::from).to_vec();
    Group {
        name: "made/up".to_owned(),
        date: record::today(),
        program: Program::here(),
        quick: false,
        seconds: 1.0,
        machine: Vec::new(),
        found: vec![Part::Note("Nothing.".to_owned()), Part::Table(Table { columns, rows })],
    }
}

fn baseline(rows: Vec<Vec<Cell>>) -> Baseline {
    Baseline { path: "old.json".into(), groups: vec![group(rows)] }
}

fn compare(before: Vec<Vec<Cell>>, now: Vec<Vec<Cell>>) -> Comparison {
    let now = [group(now)];
    baseline(before).compare(&now, |_| Some(now[0].clone()))
}

#[test]
fn ten_per_cent_is_the_bound() {
    for (factor, verdict) in [
        (1.09, Verdict::Same),
        (1.11, Verdict::Slower),
        (0.92, Verdict::Same),
        (0.9, Verdict::Quicker),
    ] {
        let found = compare(vec![row(9, 1.0, 3.0)], vec![row(9, 1.0, 3.0 * factor)]);
        let verdicts: Vec<_> = found.changes.iter().map(|change| change.verdict).collect();
        assert_eq!(verdicts, [verdict], "{factor}: {found}");
        assert_eq!(found.slower(), usize::from(verdict == Verdict::Slower));
    }
}

#[test]
fn a_machine_that_drifts_changes_nothing() {
    let found = compare(vec![row(9, 1.0, 3.0)], vec![row(9, 2.0, 6.1)]);
    assert_eq!(found.changes[0].verdict, Verdict::Same, "{found}");
    // The time is the same, and the machine is twice as quick.
    let found = compare(vec![row(9, 1.0, 3.0)], vec![row(9, 0.5, 3.0)]);
    assert_eq!(found.slower(), 1, "{found}");
    assert!(found.to_string().contains("+100 % of floors"), "{found}");
}

#[test]
fn times_without_a_floor_are_compared_by_the_machine() {
    let table = |seconds: f64, machine: &[(&str, f64)]| {
        let columns = vec!["name".to_owned(), "work".to_owned()];
        let rows = vec![vec![label("x"), time(&about(seconds))]];
        let machine = machine.iter().map(|(name, t)| ((*name).to_owned(), [*t; 2])).collect();
        Group { found: vec![Part::Table(Table { columns, rows })], machine, ..group(Vec::new()) }
    };
    let factor = |before, now| {
        let before = Baseline { path: "old.json".into(), groups: vec![before] };
        let found = before.compare(&[now], |_| None);
        (found.slower(), found.changes[0].factor)
    };
    // Nothing is known of the machine on one side, or on both.
    for known in [&[][..], &[("copy", 1.0)]] {
        assert_eq!(factor(table(1.0, known), table(1.2, &[])), (1, 1.2));
        assert_eq!(factor(table(1.0, known), table(1.05, &[])).0, 0);
    }
    let machine = |products, copy| [("products", products), ("copy", copy)];
    let (slower, factor_of) =
        factor(table(1.0, &machine(1.0, 4.0)), table(1.5, &machine(1.5, 6.0)));
    assert!(slower == 0 && (factor_of - 1.0).abs() < 1e-12, "{factor_of}");
    let (slower, factor_of) =
        factor(table(1.0, &machine(1.0, 4.0)), table(1.0, &machine(0.5, 2.0)));
    assert!(slower == 1 && (factor_of - 2.0).abs() < 1e-12, "{factor_of}");
}

#[test]
fn our_own_work_is_no_floor() {
    let row = |own: f64, work: f64| {
        let (own, work) = (about(own), about(work));
        vec![label("x"), beside(&own), time(&work), ratio(&work, &own)]
    };
    // What others are measured by has become quicker, and they have not become slower by that.
    let found = compare(vec![row(1.0, 3.0)], vec![row(0.5, 3.0)]);
    assert_eq!((found.slower(), count(&found.changes, Verdict::Quicker)), (0, 1), "{found}");
    // A slower row is reported.
    let found = compare(vec![row(1.0, 3.0)], vec![row(1.5, 3.0)]);
    assert_eq!((found.slower(), count(&found.changes, Verdict::Same)), (1, 1), "{found}");
}

#[test]
fn quick_runs_are_not_compared_with_whole_ones() {
    let before = baseline(vec![row(9, 1.0, 3.0)]);
    let quick = Group { quick: true, ..group(vec![row(9, 1.0, 9.0)]) };
    let found = before.compare(&[quick], |_| panic!("nothing to measure again"));
    assert_eq!(found.apart, ["made/up: a whole run in the record, a quick one here"]);
    assert!(found.changes.is_empty(), "{found}");
}

#[test]
fn the_run_that_counts_is_the_best() {
    let before = baseline(vec![row(9, 1.0, 3.0), row(10, 1.0, 3.0)]);
    let [worst, bad, good] = [(4.0, 4.0), (4.0, 3.0), (3.0, 3.0)]
        .map(|(a, b)| group(vec![row(9, 1.0, a), row(10, 1.0, b)]));
    let counted = |runs: &[&Group]| {
        let mut later = runs[1..].iter();
        let found = before.compare(&[runs[0].clone()], |_| later.next().map(|run| (*run).clone()));
        assert!(later.next().is_none());
        found.counted().to_vec()
    };
    assert!(counted(&[&good]).is_empty());
    assert_eq!(counted(&[&bad, &good]), std::slice::from_ref(&good));
    assert_eq!(counted(&[&worst, &bad, &worst]), std::slice::from_ref(&bad));
    // The first one is known already.
    assert!(counted(&[&bad, &worst, &worst]).is_empty());
}

#[test]
fn what_looks_slower_is_measured_again() {
    let before = baseline(vec![row(9, 1.0, 3.0), row(10, 1.0, 3.0)]);
    let slow = group(vec![row(9, 1.0, 4.0), row(10, 1.0, 3.0)]);
    let better = group(vec![row(9, 1.0, 3.1), row(10, 1.0, 4.0)]);
    // Each time by its best run.
    let mut times = 0;
    let found = before.compare(std::slice::from_ref(&slow), |name| {
        assert_eq!(name, "made/up");
        times += 1;
        Some(better.clone())
    });
    assert_eq!((found.slower(), times), (0, 1), "{found}");
    let mut times = 0;
    let found = before.compare(std::slice::from_ref(&slow), |_| {
        times += 1;
        Some(slow.clone())
    });
    assert_eq!((found.slower(), times), (1, AGAIN), "{found}");
}

#[test]
fn medians_that_overlap_are_not_called_slower() {
    let wide = |least: f64| {
        let time = Time::of((0..25).map(|k| least * (1.0 + 0.02 * f64::from(k))).collect());
        vec![label("x"), self::time(&time)]
    };
    let found = compare(vec![wide(1.0)], vec![wide(1.15)]);
    assert_eq!((found.slower(), count(&found.changes, Verdict::Unsure)), (0, 1), "{found}");
    assert_eq!(compare(vec![wide(1.0)], vec![wide(1.5)]).slower(), 1);
}

#[test]
fn a_floor_that_was_disturbed_makes_nothing_slower() {
    // Among the readings of the floor is one that nobody disturbed, as there was none before.
    let floors = |least: f64| Time::of((0..25).map(|k| if k == 0 { least } else { 2.0 }).collect());
    let row = |least| vec![label("x"), floor(&floors(least)), time(&about(6.0))];
    let found = compare(vec![row(2.0)], vec![row(1.0)]);
    assert_eq!((found.slower(), count(&found.changes, Verdict::Unsure)), (0, 1), "{found}");
}

#[test]
fn rates_are_times_and_ratios_are_left_out() {
    let rate = |time: f64| vec![label("x"), crate::cell::rate(5.0, &about(time))];
    assert_eq!(compare(vec![rate(1.0)], vec![rate(1.2)]).slower(), 1);
    let found = compare(vec![rate(1.0)], vec![rate(0.8)]);
    assert_eq!(count(&found.changes, Verdict::Quicker), 1);
    assert_eq!(compare(vec![row(9, 1.0, 3.0)], vec![row(9, 1.0, 3.0)]).changes.len(), 1);
}

#[test]
fn rows_on_one_side_are_told() {
    let found = compare(
        vec![row(1, 1.0, 3.0), row(2, 1.0, 5.0), row(2, 1.0, 3.0)],
        vec![row(2, 1.0, 5.0), row(2, 1.0, 3.0), row(4, 1.0, 3.0)],
    );
    // Two rows with the same names are told apart by their order.
    assert_eq!((found.changes.len(), found.slower()), (2, 0), "{found}");
    assert_eq!(found.apart.len(), 2, "{found}");
    assert_eq!(found.apart[0], "made/up: in the record only: x, 1, work");
    assert_eq!(found.apart[1], "made/up: in this run only: x, 4, work");
    let other = Group { name: "other".to_owned(), ..group(Vec::new()) };
    let found = baseline(Vec::new()).compare(&[other], |_| None);
    assert_eq!(found.apart, ["other: not in the record"]);
    let machine = Group { name: MACHINE.to_owned(), ..group(vec![row(1, 1.0, 9.0)]) };
    let before = Baseline { path: "old.json".into(), groups: vec![machine.clone()] };
    assert!(before.compare(&[machine], |_| None).changes.is_empty());
}

#[test]
fn another_machine_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = Machine::here();
    let error = Baseline::read(None, &here, folder.path()).unwrap_err().to_string();
    assert!(error.contains("no record in"), "{error}");
    let path = folder.path().join("2026-01-31.json");
    let record = Record { machine: here.clone(), groups: vec![group(vec![row(1, 1.0, 2.0)])] };
    record.write(&path).unwrap();
    assert_eq!(Baseline::read(None, &here, folder.path()).unwrap().groups, record.groups);
    let other = Machine { threads: here.threads + 1, memory: 1.0, ..here.clone() };
    let error = Baseline::read(Some(&path), &other, folder.path()).unwrap_err().to_string();
    let expected = format!("threads is {} there and {} here", here.threads, other.threads);
    // Memory is described, but times do not depend on it.
    assert!(error.contains(&expected) && !error.contains("memory"), "{error}");
}
