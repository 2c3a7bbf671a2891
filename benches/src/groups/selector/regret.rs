//! What the selector loses against always taking the best backend.

use super::real_runs::{Contender, compare};
use super::replay::{Account, Selectors, World};
use super::suite::{Case, NAMES, Times, cases, mean, measure};
use crate::bench::Bench;
use crate::cell::{label, nothing, number, percent, total};
use crate::measure::Budget;
use hpfracc::Machine;
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft};
use hpfracc_selector::{Candidate, Effort, Experience, Prior, Selector, Settings, UnitCosts};
use hpfracc_types::Real;
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

/// The suite through the selector, three times, against always taking the best backend in hindsight
/// and against each backend alone; errors of predictions at lengths held out.
pub(crate) fn regret(bench: &mut Bench) {
    let rounds = if bench.quick { 5 } else { 9 };
    let budget = Budget { slice: Duration::from_millis(1), ..bench.budget.at_most(rounds) };
    let cases = cases(bench.quick);
    bench.note(format!(
        "{} cases, each backend measured in turn on this machine; the selector then runs on backends that take the \
         times measured (the quicker half of the readings, in turn), each map applied until 2^22 samples went through \
         it. Times include plan and binding. Hindsight: the best backend of each case.",
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
    let explored = selectors.experience.exploration_paid().1.as_secs_f64();
    bench.row([
        label("trials in all passes, within them"),
        total(explored),
        number(explored / hindsight, 3),
        nothing(),
    ]);
    fixed(bench, &cases, &times);
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

/// Each backend over the cases that it has an algorithm for.
fn fixed(bench: &mut Bench, cases: &[Case], times: &[Times]) {
    bench.note("Each backend alone, over the cases that it has an algorithm for.");
    bench.columns("backend | cases | total | total / hindsight of these cases");
    for (backend, name) in NAMES.into_iter().enumerate() {
        let own =
            || cases.iter().zip(times).filter_map(|(c, t)| Some((cost(c, t, backend)?.all, c, t)));
        let seconds: f64 = own().map(|(all, ..)| all).sum();
        let hindsight: f64 = own().map(|(_, c, t)| best(c, t, |c| c.all)).sum();
        let count = number(own().count() as f64, 0);
        bench.row([label(name), count, total(seconds), number(seconds / hindsight, 3)]);
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

/// The same suite in real runs, with the time of the selector, from a cold start with the priors of
/// this library and with priors that know nothing of the processor.
pub(crate) fn real_runs(bench: &mut Bench) {
    let cases = cases(bench.quick);
    bench.note(format!(
        "{} cases as in `selector/regret`, computed: wall time of plan, binding and all applications, by selectors that \
         start without timings and by each backend, in turn. The other selector's priors: a nanosecond for each unit \
         of work of every backend, 100 ns a call. Hindsight: for each case the backend with the least total.",
        cases.len(),
    ));
    let threads = rayon::current_num_threads();
    let known = |name: &str| Machine::prior(name, threads).expect("a backend on the processor");
    let selectors = [
        selector("selector, priors of this library", known),
        selector("selector, priors that know no processor", |name| unknown(known(name))),
    ];
    let backends = [
        Contender::new(NAMES[0], Direct),
        Contender::new(NAMES[1], Fft::new()),
        Contender::new(NAMES[2], ParallelFft::new()),
        Contender::new(NAMES[3], Gemm),
    ];
    compare(bench, &cases, &selectors, &backends);
}

fn selector(name: &str, prior: impl Fn(&str) -> Prior) -> Contender {
    let experience = Experience::new(Settings::default());
    Contender {
        name: name.to_owned(),
        single: Arc::new(selector_of::<f32>(&prior, &experience)),
        double: Arc::new(selector_of::<f64>(&prior, &experience)),
    }
}

fn selector_of<T: Real>(
    prior: &impl Fn(&str) -> Prior,
    experience: &Arc<Experience>,
) -> Selector<T> {
    let candidates = vec![
        Candidate::new(Direct, prior(NAMES[0])),
        Candidate::new(Fft::new(), prior(NAMES[1])),
        Candidate::new(ParallelFft::new(), prior(NAMES[2])),
        Candidate::new(Gemm, prior(NAMES[3])),
    ];
    Selector::new(candidates, Arc::clone(experience)).expect("names differ")
}

/// The work of an algorithm without the speed of any processor.
fn unknown(prior: Prior) -> Prior {
    let unit = |cost: f64| if cost == 0.0 { 0.0 } else { 1e-9 };
    let costs = |costs: UnitCosts| UnitCosts {
        call: 1e-7,
        signal: unit(costs.signal),
        sample: unit(costs.sample),
        kernel: unit(costs.kernel),
        transform: unit(costs.transform),
        product: unit(costs.product),
    };
    Prior { plan: costs(prior.plan), bind: costs(prior.bind), apply: costs(prior.apply) }
}
