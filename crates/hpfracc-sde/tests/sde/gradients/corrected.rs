//! The fractional scheme with a corrected drift: against differences, and without noise against the
//! gradient of the method of Adams.

use super::case::{Case, STEPS, blocks_are_direct_sums, close};
use super::systems::{double_well, mixed, one_noisy, oscillator};
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Cotangents, Options, Parametric, Problem, Steps, gradient, solve,
};
use hpfracc_sde::RowsMut;
use hpfracc_sde::noise::NoNoise;
use hpfracc_sde::{
    Drift, Ensemble, EnsembleGradient, FractionalEulerMaruyama, NoiseKind, PathMemory, SavedStates,
    StochasticProblem,
};
use ndarray::array;

/// With few exponentials, so that a gradient of the exact weights would be seen.
const COARSE: PathMemory = PathMemory::Exponentials { tolerance: 1e-2 };

fn corrected(memory: PathMemory) -> FractionalEulerMaruyama {
    FractionalEulerMaruyama::new(memory).drift(Drift::PredictorCorrector)
}

#[test]
fn each_coupling_and_memory() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    for (name, system) in systems {
        for orders in [[0.6, 0.6], [0.75, 1.0], [1.0, 1.0]] {
            for memory in [PathMemory::Direct, COARSE] {
                let case = Case::new(system.clone(), &orders);
                let name = format!("{name}, {orders:?}, {memory:?}");
                case.check(&name, &corrected(memory));
            }
        }
    }
    let mut case = Case::new(one_noisy(), &[0.7, 0.3]);
    case.system.noise_kind = NoiseKind::LeadingDiagonal { noises: 1 };
    case.check("leading", &corrected(COARSE).near_cells(1));
}

/// Transforms of blocks are the direct sums, in all that is differentiated.
#[test]
fn blocks_of_steps() {
    blocks_are_direct_sums(corrected);
}

#[test]
fn orders() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    let direct = corrected(PathMemory::Direct);
    let exponentials = PathMemory::Exponentials { tolerance: 1e-10 };
    for (name, system) in systems {
        for orders in [[0.6, 0.6], [0.75, 0.95], [0.6, 1.0], [1.0, 1.0]] {
            let case = Case::new(system.clone(), &orders);
            let expected = [0, 1].map(|i| case.difference_in_order(&direct, i));
            for (memory, tolerance) in [(PathMemory::Direct, 2e-9), (exponentials, 2e-8)] {
                let scheme = corrected(memory);
                let found = case.gradient::<f64, _>(&scheme, |gradient| gradient.with_orders());
                for i in 0..2 {
                    let name = format!("{name}, {orders:?}, {memory:?}: order {i}");
                    close(&name, found.orders.values[i], expected[i], tolerance);
                }
                let without = case.gradient::<f64, _>(&scheme, |gradient| gradient);
                assert_eq!(
                    (&found.start, &found.parameters),
                    (&without.start, &without.parameters)
                );
            }
        }
    }
}

/// Where the loss looks: not at the last step.
const LOOKS: [usize; 2] = [9, STEPS - 3];

/// `x_0^2 / 2 + x_1` at two nodes.
fn loss(saved: SavedStates<'_, f64>, losses: &mut [f64], mut xbar: RowsMut<'_, f64>) {
    for time in 0..LOOKS.len() {
        for lane in 0..losses.len() {
            let x = [0, 1].map(|i| saved.x[2 * time + i][lane]);
            losses[lane] += 0.5 * x[0] * x[0] + x[1];
            (xbar[2 * time][lane], xbar[2 * time + 1][lane]) = (x[0], 1.0);
        }
    }
}

/// Path for path what `ode::gradient` has for the same nodes, weights and start.
#[test]
fn without_noise_it_is_that_of_the_method_of_adams() {
    let mut system = double_well();
    system.noise_kind = NoiseKind::LeadingDiagonal { noises: 0 };
    let theta = system.theta[..2].to_vec();
    let starts = array![[0.7, -0.4], [0.1, 0.9], [-1.2, 0.3]];
    for orders in [[0.7, 0.7], [0.4, 1.0], [0.9, 0.15]] {
        for (drift, passes) in [(Drift::Rectangle, 0), (Drift::PredictorCorrector, 1)] {
            for (path, start) in starts.rows().into_iter().enumerate() {
                let start = start.to_vec();
                let rhs = |_: f64, x: &[f64], p: &[f64], f: &mut [f64]| {
                    (0..2).for_each(|i| f[i] = p[0] * x[i] - p[1] * x[i].powi(3));
                    f[1] += 0.2 * x[0];
                };
                let jacobians = |_: f64, x: &[f64], p: &[f64], f_x: &mut [f64], f_p: &mut [f64]| {
                    for i in 0..2 {
                        f_x[3 * i] = p[0] - 3.0 * p[1] * x[i] * x[i];
                        (f_p[2 * i], f_p[2 * i + 1]) = (x[i], -x[i].powi(3));
                    }
                    f_x[2] = 0.2;
                };
                let parametric = Parametric::new(&theta, rhs, jacobians);
                let problem = Problem::of(parametric, &orders, (0.5, 2.0), &[&start]).unwrap();
                let (scheme, steps) = (AdamsBashforthMoulton { passes }, Steps::Uniform(STEPS));
                let direct = || Options { history: HistoryChoice::Direct, ..Options::default() };
                let solution = solve(&problem, &scheme, &steps, direct()).unwrap();
                let values = LOOKS.map(|node| [solution.trajectory().state(node)[0], 1.0]);
                let at = [(LOOKS[0], &values[0][..]), (LOOKS[1], &values[1][..])];
                let cotangents = Cotangents::At(&at);
                let expected = gradient(&problem, &scheme, &solution, cotangents, &direct());
                let expected = expected.unwrap();
                for memory in [PathMemory::Direct, PathMemory::Blocked] {
                    let each = StochasticProblem::with_starts(
                        system.clone(),
                        (0.5, 2.0),
                        starts.slice(ndarray::s![path..=path, ..]),
                    );
                    let each = each.unwrap().of_orders(&orders).unwrap();
                    let ensemble = Ensemble::new(1, STEPS).unwrap().saving_nodes(&LOOKS).unwrap();
                    let found = EnsembleGradient::new(ensemble).with_orders().with_each_path();
                    let scheme = FractionalEulerMaruyama::new(memory).drift(drift);
                    let found = found.solve(&each, &scheme, &NoNoise, &loss).unwrap();
                    let name = format!("{orders:?}, {drift:?}, {memory:?}");
                    for i in 0..2 {
                        let expected = expected.initial[[0, i]];
                        close(&format!("{name}: start"), found.start.values[i], expected, 1e-12);
                        assert_eq!(found.starts.as_ref().unwrap()[[0, i]], found.start.values[i]);
                    }
                    for (found, expected) in
                        found.parameters.values.iter().zip(&expected.parameters)
                    {
                        close(&format!("{name}: theta"), *found, *expected, 1e-12);
                    }
                    for (found, expected) in found.orders.values.iter().zip(&expected.orders) {
                        close(&format!("{name}: order"), *found, *expected, 1e-12);
                    }
                }
            }
        }
    }
}
