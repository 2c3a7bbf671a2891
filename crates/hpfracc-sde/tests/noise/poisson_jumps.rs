//! Compound Poisson processes.

use crate::paths::{empirical, rows, same_bits};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{
    CellIntegral, CompoundPoisson, JumpDistribution, Noise, NoiseProcess, PoissonJumps, Tile,
};

const DISTRIBUTIONS: [JumpDistribution; 4] = [
    JumpDistribution::Constant(-0.5),
    JumpDistribution::Normal { mean: 0.3, standard_deviation: 0.7 },
    JumpDistribution::DoubleExponential { upward: 0.3, mean_up: 0.5, mean_down: 0.8 },
    JumpDistribution::DoubleExponential { upward: 1.0, mean_up: 2.0, mean_down: 0.0 },
];

fn processes(intensity: f64) -> Vec<CompoundPoisson> {
    DISTRIBUTIONS.map(|distribution| CompoundPoisson { intensity, distribution }).to_vec()
}

/// The characteristic function of a jump.
fn of_a_jump(distribution: JumpDistribution, u: f64) -> (f64, f64) {
    match distribution {
        JumpDistribution::Constant(size) => ((u * size).cos(), (u * size).sin()),
        JumpDistribution::Normal { mean, standard_deviation } => {
            let size = (-0.5 * (u * standard_deviation).powi(2)).exp();
            (size * (u * mean).cos(), size * (u * mean).sin())
        }
        JumpDistribution::DoubleExponential { upward: p, mean_up: a, mean_down: b } => {
            // p/(1 - iau) + (1-p)/(1 + ibu)
            let (up, down) = (p / (1.0 + (a * u).powi(2)), (1.0 - p) / (1.0 + (b * u).powi(2)));
            (up + down, up * a * u - down * b * u)
        }
        other => panic!("{other:?}"),
    }
}

/// Steps with few jumps and with many, and the sum of two; with their mean and without.
#[test]
fn characteristic_functions() {
    let lanes = 20_000;
    for (intensity, h) in [(0.2, 0.5), (3.0, 0.5), (100.0, 0.4)] {
        for compensated in [false, true] {
            let noise = PoissonJumps::new(8, &processes(intensity)).unwrap();
            let noise = if compensated { noise.compensated() } else { noise };
            let steps = rows::<f64>(&noise, Tile { first_path: 0, lanes, steps: 2, h });
            for (component, distribution) in DISTRIBUTIONS.into_iter().enumerate() {
                let step = |n: usize| steps[n][component].clone();
                let sum: Vec<f64> = step(0).iter().zip(step(1)).map(|(a, b)| a + b).collect();
                for (x, t) in [(step(0), h), (step(1), h), (sum, 2.0 * h)] {
                    for u in [0.1, 0.7, 2.0].map(|u| u / (intensity * t).sqrt().max(1.0)) {
                        let exact = |u: f64| {
                            let (re, im) = of_a_jump(distribution, u);
                            let drift = if compensated { distribution.mean() * u } else { 0.0 };
                            let size = (intensity * t * (re - 1.0)).exp();
                            let angle = intensity * t * (im - drift);
                            (size * angle.cos(), size * angle.sin())
                        };
                        empirical(
                            &x,
                            u,
                            exact,
                            &format!("{distribution:?}, {intensity}, {t}, u = {u}"),
                        );
                    }
                }
            }
        }
    }
}

/// Numbers of jumps: mean and variance are both lambda h, to 1000 of them.
#[test]
fn numbers_of_jumps() {
    let lanes = 50_000;
    for mean in [0.01, 1.0, 30.0, 1000.0] {
        let counting = CompoundPoisson {
            intensity: 10.0 * mean,
            distribution: JumpDistribution::Constant(1.0),
        };
        let noise = PoissonJumps::new(2, &[counting]).unwrap();
        let steps = rows::<f64>(&noise, Tile { first_path: 0, lanes, steps: 3, h: 0.1 });
        for step in &steps {
            let counts = &step[0];
            assert!(counts.iter().all(|count| *count >= 0.0 && count.fract() == 0.0));
            let average = counts.iter().sum::<f64>() / lanes as f64;
            let square = counts.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / lanes as f64;
            let z = (average - mean) / (mean / lanes as f64).sqrt();
            assert!(z.abs() < 4.9, "{mean}: {average}");
            // The fourth central moment is mean + 3 mean^2.
            let z = (square - mean) / ((mean + 2.0 * mean * mean) / lanes as f64).sqrt();
            assert!(z.abs() < 4.9, "{mean}: variance {square}");
        }
        // Steps are independent of each other.
        let pairs = steps[0][0].iter().zip(&steps[1][0]);
        let product = pairs.map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
        assert!((product / (lanes as f64).sqrt() / mean).abs() < 4.9, "{mean}: {product}");
    }
}

#[test]
fn the_same_bits_in_any_tile() {
    let noise = PoissonJumps::new(8, &processes(20.0)).unwrap();
    same_bits::<f32>(&noise, 9, 0.1);
    same_bits::<f64>(&noise.compensated(), 8, 0.1);
}

#[test]
fn parameters_out_of_range() {
    let refused = |intensity, distribution, text: &str| {
        let process = CompoundPoisson { intensity, distribution };
        let error = PoissonJumps::new(1, &[process]).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    };
    refused(-1.0, DISTRIBUTIONS[0], "the intensity of jumps is -1");
    refused(f64::NAN, DISTRIBUTIONS[0], "the intensity of jumps is NaN");
    refused(1.0, JumpDistribution::Constant(f64::INFINITY), "the size of jumps is inf");
    let distribution = JumpDistribution::Normal { mean: 0.0, standard_deviation: -0.1 };
    refused(1.0, distribution, "the standard deviation of jumps is -0.1");
    let distribution =
        |upward, mean_up| JumpDistribution::DoubleExponential { upward, mean_up, mean_down: 1.0 };
    refused(1.0, distribution(1.5, 1.0), "the probability of an upward jump is 1.5");
    refused(1.0, distribution(0.5, -2.0), "the mean size of upward jumps is -2");
    assert!(PoissonJumps::new(1, &[]).is_err());
    let noise = PoissonJumps::new(1, &processes(2001.0)).unwrap();
    assert_eq!(Noise::<f64>::process(&noise, 0), NoiseProcess::Jumps);
    let tile = Tile { first_path: 0, lanes: 1, steps: 2, h: 0.5 };
    let many = Noise::<f64>::increments(&noise, tile, &[]).err().map(|error| error.to_string());
    assert!(many.is_some_and(|text| text.contains("jumps in a step is 1000.5")));
    let integral = CellIntegral { noise: 0, exponent: 1.0, lag: 0 };
    let refused = Noise::<f64>::increments(&noise, tile, &[integral]);
    assert!(matches!(refused, Err(SdeError::NoIntegrals { .. })));
}
