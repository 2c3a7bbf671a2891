//! A machine learns which algorithm sums the history of an equation.

use hpfracc::backend::Autotuner;
use hpfracc::ode::history::{HistoryChoice, Kernel, Rule};
use hpfracc::ode::{LinearMultistep, ProductRectangle, Status};
use hpfracc::prelude::*;
use hpfracc::selector::{Explanation, Source};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const T1: f64 = 10.0;
const SIZES: [usize; 4] = [900, 1500, 3000, 8000];
const WITHIN: HistoryChoice = HistoryChoice::Within { tolerance: 1e-10 };

fn solved(
    scheme: &dyn Scheme,
    n: usize,
    history: HistoryChoice,
    machine: Option<&Machine>,
) -> Vec<f64> {
    let f = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, T1), &[&[1.0]], f).unwrap();
    let autotuner = machine.map(|machine| Arc::new(machine.clone()) as Arc<dyn Autotuner>);
    let options = Options { history, autotuner, ..Options::default() };
    let solution = solve(&problem, scheme, &Steps::Uniform(n), options).unwrap();
    assert_eq!(solution.status(), Status::Complete);
    solution.states().iter().copied().collect()
}

/// The report on the sums of the predictor-corrector method.
fn explain(machine: &Machine, n: usize, history: HistoryChoice) -> Explanation {
    let rules = [Rule::Rectangle, Rule::Trapezoid];
    let kernels = rules.map(|rule| Kernel::product(rule, &[0.5], T1 / n as f64));
    history.describe(&kernels, 1, n, |work| machine.explain_work(work)).unwrap()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn solves_teach_a_machine_and_wisdom_keeps_the_timings() {
    let (machine, scheme) = (Machine::detect(), AdamsBashforthMoulton::default());
    for n in SIZES {
        let direct = solved(&scheme, n, HistoryChoice::Direct, None);
        for (history, error) in [(HistoryChoice::Exact, 1e-13), (WITHIN, 1e-9)] {
            for _ in 0..30 {
                let tuned = solved(&scheme, n, history, Some(&machine));
                let found = difference(&tuned, &direct);
                assert!(found < error, "{history:?}, {n} steps: {found:e}");
            }
            let report = explain(&machine, n, history);
            assert_eq!(report.executions, 30, "{report}");
            assert!(report.rows.iter().any(|row| row.prediction.source == Source::Timed));
            assert!(report.to_string().contains(&format!("{n} steps")), "{report}");
        }
    }
    let summary = machine.summary();
    assert_eq!(summary.works.len(), 2 * SIZES.len());
    let chosen = |machine: &Machine, n| {
        let report = explain(machine, n, HistoryChoice::Exact);
        assert!(report.rows.iter().any(|row| row.prediction.source == Source::Timed), "{report}");
        assert!(report.chosen.is_some(), "{report}");
        report.chosen
    };

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wisdom.json");
    machine.save_wisdom(&path).unwrap();
    let later = Machine::detect();
    assert!(later.load_wisdom(&path).unwrap() > 0);
    for n in SIZES {
        assert_eq!(chosen(&machine, n), chosen(&later, n), "{n} steps");
    }
}

/// Each scheme with a history records each solve once.
#[test]
fn every_scheme_records_its_history() {
    let pece = AdamsBashforthMoulton::default();
    let (bdf2, exponential) =
        (LinearMultistep::Bdf2, hpfracc::ode::Exponential::trapezoid(&[-0.5]));
    let schemes: [&dyn Scheme; 6] =
        [&pece, &ProductRectangle::Implicit, &ProductTrapezoid, &bdf2, &L1, &exponential];
    for scheme in schemes {
        let machine = Machine::detect();
        (0..3).for_each(|_| drop(solved(scheme, 3000, HistoryChoice::Exact, Some(&machine))));
        let executions: Vec<u64> = machine.summary().works.iter().map(|w| w.executions).collect();
        assert_eq!(executions, [3], "{}", scheme.name());
    }
}

/// A solve that does not reach its end, a named history and a short solve record nothing, and
/// without a choice the bits are those without a machine.
#[test]
fn only_whole_solves_with_a_choice_are_recorded() {
    let machine = Machine::detect();
    let f = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, T1), &[&[1.0]], f).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let cancel = AtomicBool::new(true);
    let autotuner: Option<Arc<dyn Autotuner>> = Some(machine.experience().clone());
    let options = Options { autotuner, cancel: Some(&cancel), ..Options::default() };
    let cancelled = solve(&problem, &scheme, &Steps::Uniform(5000), options).unwrap();
    assert_eq!(cancelled.status(), Status::Cancelled);
    for (n, history) in [(50, HistoryChoice::Exact), (3000, HistoryChoice::Blocked)] {
        let with = solved(&scheme, n, history, Some(&machine));
        assert_eq!(with, solved(&scheme, n, history, None));
    }
    let executions: u64 = machine.summary().works.iter().map(|work| work.executions).sum();
    assert_eq!(executions, 0);
}
