//! What the selector loses against always taking the best backend.

use super::replay::{Account, Selectors, World};
use super::suite::{Case, NAMES, Times, cases, mean, measure};
use crate::bench::Bench;
use crate::cell::{label, nothing, number, percent, total};
use crate::measure::Budget;
use hpfracc_selector::{Effort, Settings};
use std::sync::Arc;
use std::time::Duration;

/// Seconds of a case by one backend: plan, binding and all applications; and one application.
#[derive(Debug, Clone, Copy)]
struct Cost {
    all: f64,
    applying: f64,
    once: f64,
}

fn cost(case: &Case, times: &Times, backend: usize) -> Option<Cost> {
    let readings = times[backend].as_ref()?;
    let once = mean(&readings.apply);
    let applying = once * case.applications as f64;
    Some(Cost { all: mean(&readings.plan) + mean(&readings.bind) + applying, applying, once })
}

fn best(case: &Case, times: &Times, by: impl Fn(Cost) -> f64) -> f64 {
    (0..NAMES.len()).filter_map(|b| cost(case, times, b)).map(by).fold(f64::INFINITY, f64::min)
}

/// The suite through the selector, twice, against always taking the best backend in hindsight and
/// against each backend alone; errors of predictions at lengths held out.
pub(crate) fn regret(bench: &mut Bench) {
    let rounds = if bench.quick { 5 } else { 9 };
    let budget = Budget { slice: Duration::from_millis(1), ..bench.budget.at_most(rounds) };
    let cases = cases(bench.quick);
    bench.note(format!(
        "{} cases, each backend measured in turn on this machine; the selector then runs on backends that take the \
         times measured (the quicker half of the readings, in turn), each map applied until 2^22 samples went through \
         it. Times include plan and binding. Hindsight: the best backend of each case. What a backend \
         alone has no algorithm for is done by the best that has, at no extra cost.",
        cases.len(),
    ));
    let times: Vec<Times> = cases.iter().map(|case| measure(case, budget)).collect();
    let hindsight: f64 = cases.iter().zip(&times).map(|(c, t)| best(c, t, |c| c.all)).sum();
    let applying: f64 = cases.iter().zip(&times).map(|(c, t)| best(c, t, |c| c.applying)).sum();
    bench.columns("what runs | total | total / hindsight | applications / hindsight");
    let mut row = |name: &str, all: f64, alone: f64| {
        bench.row([
            label(name),
            total(all),
            number(all / hindsight, 3),
            number(alone / applying, 3),
        ]);
    };
    row("best in hindsight", hindsight, applying);
    let world = World::new(&cases, &times);
    let mut selectors = Selectors::new(&world, Settings::default());
    let passes = ["selector, first pass", "selector, second pass", "selector, third pass"];
    let mut accounts = Vec::new();
    for name in passes {
        let accounted = pass(&world, &mut selectors, &cases);
        let sum = |f: fn(&Account) -> f64| accounted.iter().map(f).sum::<f64>();
        row(name, sum(|a| a.all), sum(|a| a.applying));
        accounts.push(accounted);
    }
    fixed(&cases, &times, &mut row);
    let explored = selectors.experience.exploration_paid().1.as_secs_f64();
    bench.row([
        label("trials in all passes, within them"),
        total(explored),
        number(explored / hindsight, 3),
        nothing(),
    ]);
    worst(bench, &cases, &times, &accounts[1]);
    held_out(bench, &cases, &times, &world);
}

/// Runs all cases; what each of them took.
fn pass(world: &Arc<World>, selectors: &mut Selectors, cases: &[Case]) -> Vec<Account> {
    let account = || *world.account.lock().expect("no thread panics");
    cases
        .iter()
        .map(|case| {
            let before = account();
            selectors.run(case);
            let after = account();
            Account { all: after.all - before.all, applying: after.applying - before.applying }
        })
        .collect()
}

/// Each backend alone; what it has no algorithm for is done by the best that has, at no extra cost.
fn fixed(cases: &[Case], times: &[Times], row: &mut impl FnMut(&str, f64, f64)) {
    for (backend, name) in NAMES.into_iter().enumerate() {
        let sum = |by: fn(Cost) -> f64| -> f64 {
            let each = cases.iter().zip(times);
            each.map(|(c, t)| cost(c, t, backend).map_or_else(|| best(c, t, by), by)).sum()
        };
        row(&format!("{name} alone"), sum(|c| c.all), sum(|c| c.applying));
    }
}

/// The case furthest from its best after one pass of learning, of those whose application takes more
/// than 100 us, and of all.
fn worst(bench: &mut Bench, cases: &[Case], times: &[Times], accounts: &[Account]) {
    let ratios = |longer_than: f64| {
        let each = cases.iter().zip(times).zip(accounts);
        let long = each.filter(move |((c, t), _)| best(c, t, |c| c.once) > longer_than);
        let ratios = long.map(|((c, t), a)| {
            let ratio = a.all / best(c, t, |c| c.all);
            (ratio, a.applying / best(c, t, |c| c.applying), c)
        });
        ratios.max_by(|a, b| a.0.total_cmp(&b.0))
    };
    bench.note("Furthest from its best in the second pass.");
    bench.columns(
        "an application takes | total / best | applications / best | scalar | workload | \
         direction",
    );
    for (what, longer_than) in [("above 100 us", 1e-4), ("any time", 0.0)] {
        if let Some((ratio, applying, case)) = ratios(longer_than) {
            let Case { workload, scalar, direction, .. } = case;
            bench.row([
                label(what),
                number(ratio, 2),
                number(applying, 2),
                label(scalar),
                label(workload),
                label(format!("{direction:?}")),
            ]);
        }
    }
}

/// Two thirds of the lengths are measured, the rest is predicted.
fn held_out(bench: &mut Bench, cases: &[Case], times: &[Times], world: &Arc<World>) {
    let selectors = Selectors::new(world, Settings::default());
    for case in cases.iter().filter(|case| !case.held_out) {
        selectors.measure(case, Effort::Exhaustive);
    }
    let mut errors: Vec<f64> = Vec::new();
    for (case, times) in cases.iter().zip(times).filter(|(case, _)| case.held_out) {
        let predicted = selectors.predict(case);
        let best = best(case, times, |c| c.once);
        for backend in 0..NAMES.len() {
            let Some(readings) = times[backend].as_ref().filter(|t| !t.extrapolated) else {
                continue;
            };
            let seconds = mean(&readings.apply);
            if seconds < 20.0 * best {
                errors.push((predicted[backend] / seconds - 1.0).abs());
            }
        }
    }
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| percent(errors[(part * (errors.len() - 1) as f64) as usize]);
    bench.note("Errors of predictions at lengths held out: of each backend that takes less than 20 times the best.");
    bench.columns("predictions | median error | 90 % below");
    bench.row([number(errors.len() as f64, 0), at(0.5), at(0.9)]);
}
