//! Comparisons of synthetic records: slower, apparently slower and incomparable times.

use super::*;
use crate::bench::Block;
use crate::cell::{floor, label, ratio, reference_time, size, time};
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
        name: "some/group".to_owned(),
        date: record::today(),
        program: Program::here(),
        quick: false,
        seconds: 1.0,
        machine: Vec::new(),
        blocks: vec![Block::Note("Nothing.".to_owned()), Block::Table(Table { columns, rows })],
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
fn changes_within_ten_per_cent_are_ignored() {
    for (factor, verdict) in [
        (1.09, Verdict::Same),
        (1.11, Verdict::Slower),
        (0.92, Verdict::Same),
        (0.9, Verdict::Faster),
    ] {
        let comparison = compare(vec![row(9, 1.0, 3.0)], vec![row(9, 1.0, 3.0 * factor)]);
        let verdicts: Vec<_> = comparison.changes.iter().map(|change| change.verdict).collect();
        assert_eq!(verdicts, [verdict], "{factor}: {comparison}");
        assert_eq!(comparison.slower(), usize::from(verdict == Verdict::Slower));
    }
}

#[test]
fn the_drift_of_the_machine_is_removed() {
    let comparison = compare(vec![row(9, 1.0, 3.0)], vec![row(9, 2.0, 6.1)]);
    assert_eq!(comparison.changes[0].verdict, Verdict::Same, "{comparison}");
    // The time is the same, and the machine is twice as fast.
    let comparison = compare(vec![row(9, 1.0, 3.0)], vec![row(9, 0.5, 3.0)]);
    assert_eq!(comparison.slower(), 1, "{comparison}");
    assert!(comparison.to_string().contains("+100 % of floors"), "{comparison}");
}

#[test]
fn times_without_a_floor_are_relative_to_the_machine() {
    let table = |seconds: f64, machine: &[(&str, f64)]| {
        let columns = vec!["name".to_owned(), "work".to_owned()];
        let rows = vec![vec![label("x"), time(&about(seconds))]];
        let machine = machine.iter().map(|(name, t)| ((*name).to_owned(), [*t; 2])).collect();
        Group { blocks: vec![Block::Table(Table { columns, rows })], machine, ..group(Vec::new()) }
    };
    let factor = |before, now| {
        let before = Baseline { path: "old.json".into(), groups: vec![before] };
        let comparison = before.compare(&[now], |_| None);
        (comparison.slower(), comparison.changes[0].factor)
    };
    // The machine's own times are missing on one side, or on both.
    for own in [&[][..], &[("copy", 1.0)]] {
        assert_eq!(factor(table(1.0, own), table(1.2, &[])), (1, 1.2));
        assert_eq!(factor(table(1.0, own), table(1.05, &[])).0, 0);
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
fn reference_times_are_compared_and_are_no_floors() {
    let row = |own: f64, work: f64| {
        let (own, work) = (about(own), about(work));
        vec![label("x"), reference_time(&own), time(&work), ratio(&work, &own)]
    };
    // A faster reference does not make the times relative to it slower.
    let comparison = compare(vec![row(1.0, 3.0)], vec![row(0.5, 3.0)]);
    assert_eq!(
        (comparison.slower(), count(&comparison.changes, Verdict::Faster)),
        (0, 1),
        "{comparison}"
    );
    // A slower reference is reported.
    let comparison = compare(vec![row(1.0, 3.0)], vec![row(1.5, 3.0)]);
    assert_eq!(
        (comparison.slower(), count(&comparison.changes, Verdict::Same)),
        (1, 1),
        "{comparison}"
    );
}

#[test]
fn quick_runs_are_not_compared_with_full_ones() {
    let before = baseline(vec![row(9, 1.0, 3.0)]);
    let quick = Group { quick: true, ..group(vec![row(9, 1.0, 9.0)]) };
    let comparison = before.compare(&[quick], |_| panic!("nothing to repeat"));
    assert_eq!(comparison.unmatched, ["some/group: a full run in the record, a quick one here"]);
    assert!(comparison.changes.is_empty(), "{comparison}");
}

#[test]
fn the_best_run_replaces_the_first() {
    let before = baseline(vec![row(9, 1.0, 3.0), row(10, 1.0, 3.0)]);
    let [worst, bad, good] = [(4.0, 4.0), (4.0, 3.0), (3.0, 3.0)]
        .map(|(a, b)| group(vec![row(9, 1.0, a), row(10, 1.0, b)]));
    let better = |runs: &[&Group]| {
        let mut later = runs[1..].iter();
        let comparison =
            before.compare(&[runs[0].clone()], |_| later.next().map(|run| (*run).clone()));
        assert!(later.next().is_none());
        comparison.better_reruns().to_vec()
    };
    assert!(better(&[&good]).is_empty());
    assert_eq!(better(&[&bad, &good]), std::slice::from_ref(&good));
    assert_eq!(better(&[&worst, &bad, &worst]), std::slice::from_ref(&bad));
    // The first run is the best one.
    assert!(better(&[&bad, &worst, &worst]).is_empty());
}

#[test]
fn groups_with_slower_times_are_repeated() {
    let before = baseline(vec![row(9, 1.0, 3.0), row(10, 1.0, 3.0)]);
    let slow = group(vec![row(9, 1.0, 4.0), row(10, 1.0, 3.0)]);
    let better = group(vec![row(9, 1.0, 3.1), row(10, 1.0, 4.0)]);
    // The least change of each time counts.
    let mut times = 0;
    let comparison = before.compare(std::slice::from_ref(&slow), |name| {
        assert_eq!(name, "some/group");
        times += 1;
        Some(better.clone())
    });
    assert_eq!((comparison.slower(), times), (0, 1), "{comparison}");
    let mut times = 0;
    let comparison = before.compare(std::slice::from_ref(&slow), |_| {
        times += 1;
        Some(slow.clone())
    });
    assert_eq!((comparison.slower(), times), (1, MAX_RERUNS), "{comparison}");
}

#[test]
fn overlapping_intervals_are_inconclusive() {
    let wide = |least: f64| {
        let time = Time::of((0..25).map(|k| least * (1.0 + 0.02 * f64::from(k))).collect());
        vec![label("x"), self::time(&time)]
    };
    let comparison = compare(vec![wide(1.0)], vec![wide(1.15)]);
    assert_eq!(
        (comparison.slower(), count(&comparison.changes, Verdict::Inconclusive)),
        (0, 1),
        "{comparison}"
    );
    assert_eq!(compare(vec![wide(1.0)], vec![wide(1.5)]).slower(), 1);
}

#[test]
fn a_disturbed_floor_is_inconclusive() {
    // One reading of the floor is undisturbed; in the record there is none.
    let floors = |least: f64| Time::of((0..25).map(|k| if k == 0 { least } else { 2.0 }).collect());
    let row = |least| vec![label("x"), floor(&floors(least)), time(&about(6.0))];
    let comparison = compare(vec![row(2.0)], vec![row(1.0)]);
    assert_eq!(
        (comparison.slower(), count(&comparison.changes, Verdict::Inconclusive)),
        (0, 1),
        "{comparison}"
    );
}

#[test]
fn rates_are_compared_and_ratios_are_not() {
    let rate = |time: f64| vec![label("x"), crate::cell::rate(5.0, &about(time))];
    assert_eq!(compare(vec![rate(1.0)], vec![rate(1.2)]).slower(), 1);
    let comparison = compare(vec![rate(1.0)], vec![rate(0.8)]);
    assert_eq!(count(&comparison.changes, Verdict::Faster), 1);
    assert_eq!(compare(vec![row(9, 1.0, 3.0)], vec![row(9, 1.0, 3.0)]).changes.len(), 1);
}

#[test]
fn rows_on_one_side_are_listed() {
    let comparison = compare(
        vec![row(1, 1.0, 3.0), row(2, 1.0, 5.0), row(2, 1.0, 3.0)],
        vec![row(2, 1.0, 5.0), row(2, 1.0, 3.0), row(4, 1.0, 3.0)],
    );
    // Rows with the same labels and sizes are matched in order.
    assert_eq!((comparison.changes.len(), comparison.slower()), (2, 0), "{comparison}");
    assert_eq!(comparison.unmatched.len(), 2, "{comparison}");
    assert_eq!(comparison.unmatched[0], "some/group: in the record only: x, 1, work");
    assert_eq!(comparison.unmatched[1], "some/group: in this run only: x, 4, work");
    let other = Group { name: "other".to_owned(), ..group(Vec::new()) };
    let comparison = baseline(Vec::new()).compare(&[other], |_| None);
    assert_eq!(comparison.unmatched, ["other: not in the record"]);
    let machine = Group { name: MACHINE_GROUP.to_owned(), ..group(vec![row(1, 1.0, 9.0)]) };
    let before = Baseline { path: "old.json".into(), groups: vec![machine.clone()] };
    assert!(before.compare(&[machine], |_| None).changes.is_empty());
}

#[test]
fn records_of_another_machine_are_refused() {
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
    // Times do not depend on the size of the memory.
    assert!(error.contains(&expected) && !error.contains("memory"), "{error}");
}
