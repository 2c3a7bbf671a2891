//! Schemes of higher order, tamed and implicit ones: with each kind of noise that they take.

use super::case::{Case, close};
use super::systems::{Written, additive, commuting, double_well, mixed, one_noisy, oscillator};
use crate::systems::{Linear, differentiable};
use hpfracc_sde::noise::{BrownianTree, Gaussian};
use hpfracc_sde::{
    DifferentiableStochasticScheme, DriftImplicit, Ensemble, EnsembleGradient, Milstein, NoiseKind,
    RowsMut, SavedStates, Sra1, Sric2, Sriw1, StochasticGradient, TamedEuler,
};

const GENERAL: NoiseKind = NoiseKind::General { noises: 3 };
const LEADING: NoiseKind = NoiseKind::LeadingDiagonal { noises: 1 };

/// Step of the differences, and how far gradients may be from them.
const SMOOTH: (f64, f64) = (3e-4, 3e-9);

fn parts<T>(gradient: &StochasticGradient<T>) -> Vec<f64> {
    [&gradient.loss, &gradient.parameters, &gradient.start].map(|part| part.values.clone()).concat()
}

/// Against differences; the same bits with fewer stored states; and in single precision.
fn check<C>(scheme: &C, differences: (f64, f64), systems: &[(&str, Written)])
where
    C: DifferentiableStochasticScheme<f64> + DifferentiableStochasticScheme<f32>,
{
    for (kind, system) in systems {
        let name = format!("{}, {kind}", <C as hpfracc_sde::StochasticScheme<f64>>::NAME);
        let case = Case::new(system.clone(), &[1.0]);
        case.check_within(&name, scheme, differences);
        let plain = case.gradient::<f64, _>(scheme, |gradient| gradient);
        for steps in [5, 24] {
            let again = case.gradient(scheme, |gradient| gradient.in_segments_of(steps));
            assert_eq!(again, plain, "{name}: segments of {steps}");
        }
        for states in [1, 3] {
            let again = case.gradient(scheme, |gradient| gradient.with_checkpoints(states));
            assert_eq!(again, plain, "{name}: {states} checkpoints");
        }
        let single = case.gradient::<f32, _>(scheme, |gradient| gradient);
        let scale = parts(&plain).iter().fold(0.0f64, |most, x| most.max(x.abs()));
        for (single, double) in parts(&single).iter().zip(parts(&plain)) {
            assert!((single - double).abs() < 3e-6 * scale, "{name}: {single} and {double}");
        }
    }
}

/// One component without noise, which is not called for it.
fn leading() -> Written {
    let mut system = one_noisy();
    system.noise_kind = LEADING;
    system
}

#[test]
fn tamed_euler() {
    let systems = [
        ("diagonal", double_well()),
        ("scalar", oscillator()),
        ("general", mixed()),
        ("leading", leading()),
    ];
    // Short: the largest component of f is another one at a few points.
    check(&TamedEuler, (1e-5, 1e-8), &systems);
}

#[test]
fn milstein() {
    let systems = [
        ("diagonal", double_well()),
        ("scalar", oscillator()),
        ("additive general", additive(GENERAL)),
        ("additive leading", additive(LEADING)),
    ];
    check(&Milstein, SMOOTH, &systems);
}

#[test]
fn sra1() {
    let systems = [
        ("diagonal", additive(NoiseKind::Diagonal)),
        ("scalar", additive(NoiseKind::Scalar)),
        ("general", additive(GENERAL)),
        ("leading", additive(LEADING)),
    ];
    check(&Sra1, SMOOTH, &systems);
}

#[test]
fn sric2() {
    let systems = [
        ("diagonal", double_well()),
        ("scalar", oscillator()),
        ("general", commuting()),
        ("leading", leading()),
        ("additive general", additive(GENERAL)),
    ];
    check(&Sric2, SMOOTH, &systems);
}

#[test]
fn sriw1() {
    let systems = [
        ("diagonal", double_well()),
        ("scalar", oscillator()),
        ("additive diagonal", additive(NoiseKind::Diagonal)),
    ];
    check(&Sriw1, SMOOTH, &systems);
}

/// With theta = 1, and 1/2.
#[test]
fn drift_implicit() {
    let systems = [
        ("diagonal", double_well()),
        ("scalar", oscillator()),
        ("general", mixed()),
        ("leading", leading()),
    ];
    check(&DriftImplicit::default(), SMOOTH, &systems);
    check(&DriftImplicit::new(0.5).unwrap(), SMOOTH, &systems);
}

/// The loss of a path is its end.
fn end<T: Gaussian>(saved: SavedStates<'_, T>, losses: &mut [T], mut xbar: RowsMut<'_, T>) {
    losses.copy_from_slice(&saved.x[0]);
    xbar[0].fill(T::one());
}

/// `X(1) = x_0 exp((mu - sigma^2/2) + sigma W(1))`, path by path, with the derivatives `X(1)/x_0`,
/// `X(1)` in mu and `(W(1) - sigma) X(1)` in sigma.
fn geometric<C: DifferentiableStochasticScheme<f64>>(scheme: &C, least_order: f64, bound: f64) {
    let (mu, sigma, x0, paths) = (0.3, 0.4, 1.5, 200);
    let system = Linear { dim: 1, lambda: mu, sigma: 0.0, rho: sigma };
    let problem = differentiable(system, (0.0, 1.0), &[x0]).unwrap();
    let tree = BrownianTree::new(3, 1).unwrap();
    let errors = [32, 256].map(|steps| {
        let mut sums = [0.0; 3];
        for path in 0..paths {
            let ensemble = Ensemble::new(1, steps).unwrap().starting_at(path);
            let gradient = EnsembleGradient::new(ensemble).with_checkpoints(6);
            let found = gradient.solve(&problem, scheme, &tree, &end::<f64>).unwrap();
            let w: f64 = tree.at((path, 0), 1.0, (0, 1)).unwrap();
            let x = x0 * (mu - 0.5 * sigma * sigma + sigma * w).exp();
            let exact = [x / x0, x, (w - sigma) * x];
            let parameters = &found.parameters.values;
            let found = [found.start.values[0], parameters[0], parameters[2]];
            for (sum, (found, exact)) in sums.iter_mut().zip(found.iter().zip(exact)) {
                *sum += (found - exact).powi(2) / paths as f64;
            }
        }
        sums.map(f64::sqrt)
    });
    for (quantity, (coarse, fine)) in errors[0].iter().zip(errors[1]).enumerate() {
        let observed = (coarse / fine).log2() / 3.0;
        println!("{}, {quantity}: {fine:.1e}, order {observed:.2}", scheme.name());
        assert!(fine < bound && observed > least_order, "{}: {quantity}", scheme.name());
    }
}

#[test]
fn geometric_brownian_motion() {
    geometric(&TamedEuler, 0.3, 2e-1);
    geometric(&DriftImplicit::default(), 0.3, 1e-1);
    geometric(&Milstein, 0.85, 5e-2);
    geometric(&Sric2, 0.85, 5e-2);
    geometric(&Sriw1, 1.3, 1e-3);
}

/// With X_{n+1} = a_n X_n, the end is x_0 times the product of the a_n, and its derivatives in mu and
/// sigma are the end times the sum of those of `ln a_n`.
#[test]
fn factors_of_linear_equations() {
    let (mu, sigma, x0, steps) = (0.3, 0.4, 1.5, 64);
    let h = 1.0 / steps as f64;
    let tree = BrownianTree::new(3, 1).unwrap();
    // The factor, and its derivatives.
    type Factor = fn(f64, f64, f64, f64) -> [f64; 3];
    fn check<C: DifferentiableStochasticScheme<f64>>(
        (scheme, factor): (&C, Factor),
        (mu, sigma, x0, h): (f64, f64, f64, f64),
        dw: &[f64],
        tree: &BrownianTree,
    ) {
        let system = Linear { dim: 1, lambda: mu, sigma: 0.0, rho: sigma };
        let problem = differentiable(system, (0.0, 1.0), &[x0]).unwrap();
        let gradient = EnsembleGradient::new(Ensemble::new(1, dw.len()).unwrap().starting_at(7));
        let found = gradient.solve(&problem, scheme, tree, &end::<f64>).unwrap();
        let [mut product, mut by_mu, mut by_sigma] = [1.0, 0.0, 0.0];
        for dw in dw {
            let [a, a_mu, a_sigma] = factor(mu, sigma, h, *dw);
            product *= a;
            by_mu += a_mu / a;
            by_sigma += a_sigma / a;
        }
        let (name, x) = (scheme.name(), x0 * product);
        close(&format!("{name}: loss"), found.loss.values[0], x, 1e-13);
        close(&format!("{name}: start"), found.start.values[0], product, 1e-13);
        close(&format!("{name}: parameter 0"), found.parameters.values[0], x * by_mu, 1e-12);
        close(&format!("{name}: parameter 2"), found.parameters.values[2], x * by_sigma, 1e-12);
    }
    let w = |n: u32| tree.at::<f64>((7, 0), 1.0, (6, n)).unwrap();
    let dw: Vec<f64> = (0..steps as u32).map(|n| w(n + 1) - w(n)).collect();
    let equation = (mu, sigma, x0, h);
    let milstein: Factor = |mu, sigma, h, dw| {
        let square = dw * dw - h;
        [1.0 + mu * h + sigma * dw + 0.5 * sigma * sigma * square, h, dw + sigma * square]
    };
    check((&Milstein, milstein), equation, &dw, &tree);
    let implicit: Factor = |mu, sigma, h, dw| {
        let (above, below) = (1.0 + sigma * dw, 1.0 - mu * h);
        [above / below, h * above / (below * below), dw / below]
    };
    check((&DriftImplicit::default(), implicit), equation, &dw, &tree);
    let trapezoidal: Factor = |mu, sigma, h, dw| {
        let (above, below) = (1.0 + 0.5 * mu * h + sigma * dw, 1.0 - 0.5 * mu * h);
        let by_mu = 0.5 * h * (1.0 / below + above / (below * below));
        [above / below, by_mu, dw / below]
    };
    check((&DriftImplicit::new(0.5).unwrap(), trapezoidal), equation, &dw, &tree);
}
