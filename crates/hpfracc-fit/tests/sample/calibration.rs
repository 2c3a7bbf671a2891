//! Simulation-based calibration: the rank of the true parameter among draws from its posterior is
//! uniform if parameter and data come from prior and model.
//!
//! Source: Talts, Betancourt, Simpson, Vehtari and Gelman, arXiv:1804.06788 (2018). The variable
//! `HPFRACC_CALIBRATION` sets another number of replicates.

use crate::densities::sample;
use hpfracc_equation::Formula;
use hpfracc_fit::sample::{
    Coordinates, DensityFn, LogDensity, Nuts, Posterior, Support, Whitening,
};
use hpfracc_fit::{Fit, FormulaModel, Set};
use hpfracc_lanes::random::{Gaussian, Philox, unit};

/// Random numbers of a replicate, in sequence.
struct Random {
    replicate: u32,
    index: u32,
}

impl Random {
    fn words(&mut self) -> [u32; 4] {
        self.index += 1;
        Philox::new(99).block([self.index, self.replicate, 0, 0])
    }

    fn uniform(&mut self) -> f64 {
        let [a, b, ..] = self.words();
        unit(a, b)
    }

    fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    fn normal(&mut self) -> f64 {
        let [a, b, ..] = self.words();
        f64::pair(a, b).0
    }
}

/// Draws of a replicate, of which every third counts, and bins of their ranks.
const DRAWS: u32 = 3 * 99;
const BINS: usize = 20;

/// Chi-square with 19 degrees of freedom is larger in one of 10^4 cases.
const LARGEST: f64 = 50.8;

/// Checks the ranks of all parameters; a replicate is the true parameters and their density.
fn check<D: LogDensity>(
    name: &str,
    supports: &[Support],
    replicate: impl Fn(&mut Random) -> (Vec<f64>, D),
) {
    check_draws(name, supports.len(), |random, settings| {
        let (truth, density) = replicate(random);
        let coordinates = Coordinates::new(&truth, supports, Whitening::Identity).unwrap();
        let posterior = sample(settings, &density, coordinates);
        (truth, posterior)
    });
}

/// The same for replicates of draws.
fn check_draws(
    name: &str,
    parameters: usize,
    replicate: impl Fn(&mut Random, &Nuts) -> (Vec<f64>, Posterior),
) {
    let replicates: u32 = std::env::var("HPFRACC_CALIBRATION")
        .map_or(400, |text| text.parse().expect("a number of replicates"));
    let mut counts = vec![[0u32; BINS]; parameters];
    for number in 0..replicates {
        let seed = u64::from(number);
        let settings = Nuts { chains: 1, draws: DRAWS, warm_up: 200, seed, ..Nuts::default() };
        let mut random = Random { replicate: number, index: 0 };
        let (truth, posterior) = replicate(&mut random, &settings);
        for (parameter, truth) in truth.iter().enumerate() {
            let series = posterior.series(parameter)[0];
            let rank = series.iter().skip(2).step_by(3).filter(|x| *x < truth).count();
            counts[parameter][rank * BINS / 100] += 1;
        }
    }
    for (parameter, counts) in counts.iter().enumerate() {
        let expected = f64::from(replicates) / BINS as f64;
        let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
        let chi_square: f64 = counts.iter().map(square).sum();
        println!("{name}, parameter {parameter}: chi-square {chi_square:.1} of 19");
        assert!(chi_square < LARGEST, "{name}, {parameter}: {chi_square}, {counts:?}");
    }
}

/// Conjugate normal model: the variance s is inverse gamma (3, 2), the mean m given s is normal
/// (0, s), and 8 data are normal (m, s).
#[test]
fn normal_of_unknown_mean_and_variance() {
    check("normal", &[Support::Real, Support::Above(0.0)], |random| {
        let s = 2.0 / (0..3).map(|_| random.exponential()).sum::<f64>();
        let m = s.sqrt() * random.normal();
        let data: Vec<f64> = (0..8).map(|_| m + s.sqrt() * random.normal()).collect();
        let density = DensityFn::new(2, move |theta: &[f64], gradient: &mut [f64]| {
            let (m, s) = (theta[0], theta[1]);
            let squares: f64 = data.iter().map(|x| (x - m).powi(2)).sum();
            let away: f64 = data.iter().map(|x| x - m).sum();
            // Powers of s: 4 of the prior of s, 1/2 of that of m, 8/2 of the data.
            let (power, sum) = (8.5, 2.0 + (m * m + squares) / 2.0);
            gradient[0] = (away - m) / s;
            gradient[1] = -power / s + sum / (s * s);
            -power * s.ln() - sum / s
        });
        (vec![m, s], density)
    });
}

/// The rate is exponential, and 5 data are exponential with this rate.
#[test]
fn rate_of_an_exponential() {
    check("exponential", &[Support::Above(0.0)], |random| {
        let rate = random.exponential();
        let sum: f64 = (0..5).map(|_| random.exponential() / rate).sum();
        let density = DensityFn::new(1, move |theta: &[f64], gradient: &mut [f64]| {
            gradient[0] = 5.0 / theta[0] - sum - 1.0;
            5.0 * theta[0].ln() - (sum + 1.0) * theta[0]
        });
        (vec![rate], density)
    });
}

/// The probability is uniform, and 12 events have it.
#[test]
fn probability_of_an_event() {
    check("binomial", &[Support::Between(0.0, 1.0)], |random| {
        let p = random.uniform();
        let events = (0..12).filter(|_| random.uniform() < p).count() as f64;
        let density = DensityFn::new(1, move |theta: &[f64], gradient: &mut [f64]| {
            let p = theta[0];
            gradient[0] = events / p - (12.0 - events) / (1.0 - p);
            events * p.ln() + (12.0 - events) * (-p).ln_1p()
        });
        (vec![p], density)
    });
}

/// A stretched exponential whose time and order have priors, from 10 data of known errors, through its fit: the logarithm
/// of the time is fitted and has no prior but a normal one of the time itself.
#[test]
fn relaxation_through_its_fit() {
    let text = "y = exp(-(x/tau)^s); tau = 1 in (0, inf); s = 0.7 in (0, inf)";
    let model = FormulaModel::new(&[Formula::parse(text, &["x", "y"]).unwrap()]).unwrap();
    let x: Vec<f64> = (0..10).map(|i| 0.05 * 1.8f64.powi(i)).collect();
    let sigma = [0.05; 10];
    check_draws("relaxation", 2, |random, settings| {
        let (tau, s) = (1.0 + 0.15 * random.normal(), 0.7 + 0.1 * random.normal());
        let noisy = |x: &f64| (-(x / tau).powf(s)).exp() + 0.05 * random.normal();
        let y: Vec<f64> = x.iter().map(noisy).collect();
        let fit = Fit::new(Set::new("data", &model).input(&x).response(&y).sigma(&sigma)).unwrap();
        let fit = fit.logarithmic("tau").unwrap().prior("tau", 1.0, 0.15).unwrap();
        let found = fit.prior("s", 0.7, 0.1).unwrap().run().unwrap();
        (vec![tau, s], found.sample(settings).unwrap())
    });
}
