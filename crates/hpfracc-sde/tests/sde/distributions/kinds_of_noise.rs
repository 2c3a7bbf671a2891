//! Each pair of a component's order and a noise's distribution: what is refused, and the distribution of what is not.

use crate::noises::{Silent, WhiteAndFractional};
use crate::systems::{Constant, Linear, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Brownian, FractionalBrownian, Noise, NoiseProcess};
use hpfracc_sde::{
    Ensemble, FractionalEulerMaruyama, Heun, MeanAndCovariance, Moments, NoiseKind,
    StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};
use hpfracc_special::recip_gamma;

const PATHS: usize = 40_000;
const STEPS: usize = 32;
const T1: f64 = 2.0;
const H: f64 = T1 / STEPS as f64;
const LIMIT: f64 = 4.9;

fn solve(
    system: &Constant,
    orders: &[f64],
    scheme: FractionalEulerMaruyama,
    noise: &impl Noise<f64>,
) -> Result<MeanAndCovariance, SdeError> {
    let start = vec![0.0; system.matrix.len()];
    let problem = problem_of(system.clone(), (0.0, T1), &start)?.of_orders(orders)?;
    Ensemble::new(PATHS, STEPS)?.solve(&problem, &scheme, noise, &Moments)
}

fn refusal(system: &Constant, orders: &[f64], processes: &[NoiseProcess]) -> Option<SdeError> {
    let scheme = FractionalEulerMaruyama::default();
    let start = vec![0.0; system.matrix.len()];
    let problem = problem_of(system.clone(), (0.0, T1), &start).unwrap();
    let problem = problem.of_orders(orders).unwrap();
    let ensemble = Ensemble::new(1, 4).unwrap();
    ensemble.solve(&problem, &scheme, &Silent(processes.to_vec()), &Moments).err()
}

#[test]
fn every_process_has_its_least_order() {
    let one = Constant { noise_kind: NoiseKind::Scalar, matrix: vec![vec![1.0]] };
    for (process, least) in [
        (NoiseProcess::Brownian, 0.5),
        (NoiseProcess::Jumps, 0.5),
        (NoiseProcess::Fractional { hurst: 0.75 }, 0.25),
        (NoiseProcess::Fractional { hurst: 0.25 }, 0.75),
        (NoiseProcess::Stable { index: 1.25 }, 0.2),
        (NoiseProcess::Stable { index: 0.7 }, 0.0),
        (NoiseProcess::Smooth, 0.0),
    ] {
        for alpha in [least + 1e-9, 0.8, 1.0] {
            assert!(refusal(&one, &[alpha], &[process]).is_none(), "{process:?} {alpha}");
        }
        for alpha in [least - 1e-9, least, 1.0 + 1e-9] {
            if alpha > 0.0 {
                let error = refusal(&one, &[alpha], &[process]).unwrap();
                let SdeError::OrderUnderNoise { component: 0, noise: 0, least: found, .. } = error
                else {
                    panic!("{process:?} {alpha}: {error}")
                };
                assert!((found - least).abs() < 1e-15, "{process:?}: {found}");
            }
        }
    }
}

/// Component 1 of order 0.4 takes the smooth noise and the fractional one, not the white one.
#[test]
fn pairs_are_judged_one_by_one() {
    let processes =
        [NoiseProcess::Smooth, NoiseProcess::Fractional { hurst: 0.7 }, NoiseProcess::Brownian];
    let orders = [1.0, 0.4, 0.7];
    let diagonal = |order: [usize; 3]| {
        let system = Constant { noise_kind: NoiseKind::Diagonal, matrix: vec![vec![1.0]; 3] };
        refusal(&system, &orders, &order.map(|i| processes[i]))
    };
    assert!(diagonal([2, 1, 0]).is_none() && diagonal([2, 0, 1]).is_none());
    let error = diagonal([1, 2, 0]).unwrap();
    let expected = "the order of component 1 is 0.4, expected 0.5 < alpha <= 1: noise 1 is too rough \
                    for lower orders";
    assert_eq!(error.to_string(), expected);
    let general = NoiseKind::General { noises: 3 };
    let system = Constant { noise_kind: general, matrix: vec![vec![1.0; 3]; 3] };
    let error = refusal(&system, &orders, &processes).unwrap();
    assert!(matches!(error, SdeError::OrderUnderNoise { component: 1, noise: 2, .. }), "{error}");
}

/// Where fractional noise multiplies X, the exponents of both have to add up to more than 1.
#[test]
fn fractional_noise_that_multiplies() {
    let refused = |alpha: f64, hurst| {
        let system = Linear { dim: 1, lambda: -1.0, sigma: 0.0, rho: 1.0 };
        let problem = problem_of(system, (0.0, T1), &[1.0f64]).unwrap();
        let problem = problem.of_orders(&[alpha]).unwrap();
        let (scheme, silence) =
            (FractionalEulerMaruyama::default(), Silent(vec![NoiseProcess::Fractional { hurst }]));
        Ensemble::new(1, 4).unwrap().solve(&problem, &scheme, &silence, &Moments).err()
    };
    assert!(refused(0.51, 0.75).is_none() && refused(1.0, 0.51).is_none());
    for alpha in [0.3, 0.5] {
        let error = refused(alpha, 0.75).unwrap();
        let SdeError::OrderUnderNoise { least, .. } = error else { panic!("{error}") };
        assert_eq!(least, 0.5);
    }
}

/// `dX = dZ_0`, `dY = Y dZ_1`: one noise is added, the other one multiplies.
struct OneOfEach;

impl StochasticSystem<f64> for OneOfEach {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }
    fn additive_in(&self, noise: usize) -> bool {
        noise == 0
    }
    fn drift(&self, _: f64, _: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f.as_mut_slice().fill(0.0);
    }
    fn diffusion(&self, _: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].fill(1.0);
        g[1].copy_from_slice(&x[1]);
    }
}

/// What only multiplying noise must not be is no matter where another noise multiplies.
#[test]
fn noises_are_added_or_multiply_one_by_one() {
    let ensemble = Ensemble::new(1, 4).unwrap();
    let problem = || problem_of(OneOfEach, (0.0, T1), &[0.0, 1.0]).unwrap();
    let rough = NoiseProcess::Fractional { hurst: 0.3 };
    let with_memory = |alpha: f64, processes: [NoiseProcess; 2]| {
        let problem = problem().of_orders(&[alpha]).unwrap();
        let scheme = FractionalEulerMaruyama::default();
        ensemble.solve(&problem, &scheme, &Silent(processes.to_vec()), &Moments).err()
    };
    assert_eq!(
        with_memory(0.8, [rough, NoiseProcess::Brownian]).map(|error| error.to_string()),
        None
    );
    let error = with_memory(0.7, [rough, NoiseProcess::Brownian]).unwrap();
    assert!(matches!(error, SdeError::OrderUnderNoise { noise: 0, least: 0.7, .. }), "{error}");
    let error = with_memory(0.8, [NoiseProcess::Brownian, rough]).unwrap();
    assert!(matches!(error, SdeError::RoughNoise { component: 1, .. }), "{error}");
    let without = |processes: [NoiseProcess; 2]| {
        ensemble
            .solve(&problem().stratonovich(), &Heun, &Silent(processes.to_vec()), &Moments)
            .err()
    };
    for jumps in [NoiseProcess::Jumps, NoiseProcess::Stable { index: 1.5 }] {
        assert_eq!(without([jumps, NoiseProcess::Brownian]).map(|error| error.to_string()), None);
        let error = without([NoiseProcess::Brownian, jumps]).unwrap();
        assert!(matches!(error, SdeError::NotTaken { .. }), "{error}");
    }
}

/// The mean of the kernel over each cell, over h.
fn means(alpha: f64, n: usize) -> Vec<f64> {
    let difference = |m: usize| (m as f64 + 1.0).powf(alpha) - (m as f64).powf(alpha);
    (0..n).map(|m| H.powf(alpha - 1.0) * recip_gamma(alpha + 1.0) * difference(m)).collect()
}

/// `sum_ij u_i v_j E dB_i dB_j`
fn fractional_covariance(u: &[f64], v: &[f64], hurst: f64) -> f64 {
    let power = |k: f64| k.abs().powf(2.0 * hurst);
    let covariance = |k: f64| (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)) / 2.0;
    let pairs = u.iter().enumerate().flat_map(|(i, u)| {
        v.iter().enumerate().map(move |(j, v)| u * v * covariance(i as f64 - j as f64))
    });
    H.powf(2.0 * hurst) * pairs.sum::<f64>()
}

/// Covariances of Gaussian variables, within their standard errors.
fn agree(what: &str, found: &MeanAndCovariance, (i, j): (usize, usize), exact: f64) {
    let covariance = |i, j| found.covariance[[0, i, j]];
    let error = (covariance(i, i) * covariance(j, j) + exact * exact).sqrt();
    let z = (covariance(i, j) - exact) / error * (PATHS as f64).sqrt();
    println!("{what}, {i} {j}: {} {exact} ({z:.2} standard errors)", covariance(i, j));
    assert!(z.abs() < LIMIT, "{what}, {i} {j}: {} {exact} ({z})", covariance(i, j));
}

/// Orders far below 1/2 under persistent noise, orders near 1 under rough noise that is added, and
/// an order 1 beside them.
#[test]
fn driven_by_fractional_brownian_motion() {
    for (hurst, orders) in [(0.8, [0.3, 1.0]), (0.6, [0.8, 0.45]), (0.2, [0.9, 1.0])] {
        let system =
            Constant { noise_kind: NoiseKind::Scalar, matrix: vec![vec![1.5], vec![-0.5]] };
        let noise = FractionalBrownian::<f64>::new(2, &[hurst]).unwrap();
        let scheme = FractionalEulerMaruyama::default();
        let found = solve(&system, &orders, scheme, &noise).unwrap();
        let weights = orders.map(|alpha| means(alpha, STEPS));
        for (i, j) in [(0, 0), (0, 1), (1, 1)] {
            let factor = system.matrix[i][0] * system.matrix[j][0];
            let exact = factor * fractional_covariance(&weights[i], &weights[j], hurst);
            agree(&format!("H {hurst}, {orders:?}"), &found, (i, j), exact);
        }
    }
}

/// Each of two noises on one component keeps the weights of its distribution.
#[test]
fn white_and_fractional_noise_together() {
    let (alpha, hurst) = (0.55, 0.75);
    let system = Constant {
        noise_kind: NoiseKind::General { noises: 2 },
        matrix: vec![vec![0.5, 1.0], vec![0.0, 2.0]],
    };
    let q = 2.0 * alpha - 1.0;
    // Whatever the step.
    let white = T1.powf(q) / q * recip_gamma(alpha).powi(2);
    let weights = means(alpha, STEPS);
    let fractional = fractional_covariance(&weights, &weights, hurst);
    for near in [0, 2] {
        let scheme = FractionalEulerMaruyama::default().near_cells(near);
        let noise = WhiteAndFractional::new(5, hurst);
        let found = solve(&system, &[alpha], scheme, &noise).unwrap();
        let what = format!("{near} near cells");
        agree(&what, &found, (0, 0), 0.25 * white + fractional);
        agree(&what, &found, (0, 1), 2.0 * fractional);
        agree(&what, &found, (1, 1), 4.0 * fractional);
    }
}

#[test]
fn near_cells_that_there_are_not() {
    let system = Constant { noise_kind: NoiseKind::Scalar, matrix: vec![vec![1.0]] };
    let fractional = FractionalBrownian::<f64>::new(2, &[0.7]).unwrap();
    let white = Brownian::new(2, 1).unwrap();
    let near = |near| FractionalEulerMaruyama::default().near_cells(near);
    for refused in
        [solve(&system, &[0.8], near(1), &fractional), solve(&system, &[0.8], near(4), &white)]
    {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("the number of near cells is"), "{error}");
    }
}
