//! Brownian motion with correlated components.

use crate::paths::{covariances, rows, rows_with, same_bits};
use hpfracc_sde::SdeError;
use hpfracc_sde::ndarray::{Array2, array};
use hpfracc_sde::noise::{
    Brownian, CellIntegral, CorrelatedBrownian, CorrelationError, Noise, NoiseProcess, Tile,
};
use hpfracc_sde::{
    Ensemble, Milstein, NoiseKind, Paths, Sric2, StochasticProblem, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};

fn wide(rows: &[Vec<f32>]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.iter().map(|x| f64::from(*x)).collect()).collect()
}

/// Increments, time integrals and integrals with a singular kernel, of all components.
#[test]
fn covariances_are_those_given() {
    let covariance = array![
        [0.09, -0.1, 0.0, 0.02],
        [-0.1, 1.0, 0.3, 0.1],
        [0.0, 0.3, 0.25, 0.0],
        [0.02, 0.1, 0.0, 2.0]
    ];
    let (h, lanes) = (0.4f64, 60_000);
    let noise = CorrelatedBrownian::from_covariance(3, covariance.view()).unwrap();
    let exponents = [0.0, 1.0, -0.3];
    let of = |exponent| (0..4).map(move |noise| CellIntegral { noise, exponent, lag: 0 });
    let integrals: Vec<_> = exponents[1..].iter().flat_map(|exponent| of(*exponent)).collect();
    let tile = Tile { first_path: 0, lanes, steps: 2, h };
    let steps = rows_with::<f32>(&noise, tile, &integrals);
    let x = [wide(&steps[0]), wide(&steps[1])].concat();
    covariances(&x, |i, j| {
        let power = exponents[i % 12 / 4] + exponents[j % 12 / 4] + 1.0;
        let same_step = f64::from(u8::from(i / 12 == j / 12));
        same_step * covariance[[i % 4, j % 4]] * h.powf(power) / power
    });
}

/// Equal, opposite, and a mean of two: singular, and so to rounding.
#[test]
fn components_that_others_determine() {
    let half = 0.5f64.sqrt();
    let correlation = array![
        [1.0, 1.0, 0.0, half, -1.0],
        [1.0, 1.0, 0.0, half, -1.0],
        [0.0, 0.0, 1.0, half, 0.0],
        [half, half, half, 1.0, -half],
        [-1.0, -1.0, 0.0, -half, 1.0]
    ];
    let noise = CorrelatedBrownian::new(3, correlation.view()).unwrap();
    let tile = Tile { first_path: 5, lanes: 9, steps: 7, h: 0.1 };
    let white = rows::<f64>(&Brownian::new(3, 5).unwrap(), tile);
    for (z, white) in rows::<f64>(&noise, tile).iter().zip(&white) {
        assert_eq!(z[0], white[0]);
        assert_eq!(z[1], white[0]);
        assert_eq!(z[2], white[1]);
        for lane in 0..9 {
            assert_eq!(z[4][lane], -z[0][lane]);
            assert!((z[3][lane] - half * (z[0][lane] + z[2][lane])).abs() < 1e-15);
        }
    }
}

/// Schemes that correct products of increments by their mean refuse another variance, and
/// correlations of a matrix of noises; what does not need the correction takes them.
#[test]
fn laws_and_the_schemes_that_take_them() {
    let solve = |scheme: &dyn Fn(&StochasticProblem<f64, Geometric>) -> Option<SdeError>,
                 noise_kind,
                 additive| {
        let system = Geometric { noise_kind, additive };
        scheme(&StochasticProblem::new(system, (0.0, 1.0), &[1.0, 1.0]).unwrap())
    };
    let noise =
        |matrix: Array2<f64>| CorrelatedBrownian::from_covariance(1, matrix.view()).unwrap();
    let ensemble = Ensemble::new(2, 4).unwrap();
    let (diagonal, matrix) = (NoiseKind::Diagonal, NoiseKind::General { noises: 2 });
    let correlated = noise(array![[1.0, 0.5], [0.5, 1.0]]);
    let scaled = noise(array![[1.0, 0.0], [0.0, 4.0]]);
    let process = |component| Noise::<f64>::process(&scaled, component);
    assert_eq!(
        [process(0), process(1)],
        [NoiseProcess::Brownian, NoiseProcess::CorrelatedBrownian { variance: 4.0 }]
    );
    let milstein = |noise: &CorrelatedBrownian, noise_kind, additive| {
        solve(
            &|problem| ensemble.solve(problem, &Milstein, noise, &Paths).err(),
            noise_kind,
            additive,
        )
    };
    let sric2 = |noise: &CorrelatedBrownian, noise_kind, additive| {
        solve(&|problem| ensemble.solve(problem, &Sric2, noise, &Paths).err(), noise_kind, additive)
    };
    assert!(milstein(&correlated, diagonal, false).is_none());
    assert!(sric2(&scaled, matrix, true).is_none() && sric2(&correlated, matrix, true).is_none());
    for refused in [
        milstein(&scaled, diagonal, false),
        sric2(&scaled, matrix, false),
        sric2(&correlated, matrix, false),
    ] {
        assert!(matches!(refused, Some(SdeError::NotTaken { .. })), "{refused:?}");
    }
}

/// `dX_i = X_i dZ_i`, or dZ_i.
struct Geometric {
    noise_kind: NoiseKind,
    additive: bool,
}

impl StochasticSystem<f64> for Geometric {
    fn dim(&self) -> usize {
        2
    }

    fn noise_kind(&self) -> NoiseKind {
        self.noise_kind
    }

    fn additive(&self) -> bool {
        self.additive
    }

    fn commutative(&self) -> bool {
        true
    }

    fn drift(&self, _: f64, _: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f.as_mut_slice().fill(0.0);
    }

    fn diffusion(&self, _: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g.as_mut_slice().fill(0.0);
        let apart = if self.noise_kind == NoiseKind::Diagonal { 1 } else { 3 };
        for i in 0..2 {
            g[i * apart].iter_mut().zip(&x[i]).for_each(|(g, x)| {
                *g = if self.additive { 1.0 } else { *x };
            });
        }
    }
}

#[test]
fn the_same_bits_in_any_tile() {
    let noise = CorrelatedBrownian::new(6, array![[1.0, 0.3], [0.3, 1.0]].view()).unwrap();
    same_bits::<f32>(&noise, 11, 0.2);
}

/// Random sums of noises: covariances L L' of any rank are taken, and one made indefinite is not.
#[test]
fn semidefinite_matrices_of_any_rank() {
    let mut state = 5u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    for n in 1..12 {
        for rank in 1..=n {
            let l = Array2::from_shape_fn((n, rank), |_| random());
            let covariance = l.dot(&l.t());
            let symmetric =
                Array2::from_shape_fn((n, n), |(i, j)| covariance[[i.max(j), i.min(j)]]);
            CorrelatedBrownian::from_covariance(1, symmetric.view())
                .unwrap_or_else(|error| panic!("{n}, rank {rank}: {error}"));
            if rank < n {
                // One direction of the null space gets a negative variance.
                let mut worse = symmetric;
                worse[[n - 1, n - 1]] *= 1.0 - 1e-6;
                let refused = CorrelatedBrownian::from_covariance(1, worse.view());
                assert!(matches!(refused, Err(SdeError::Correlation(_))), "{n}, rank {rank}");
            }
        }
    }
}

#[test]
fn matrices_that_are_no_correlation() {
    let error = |matrix: Array2<f64>| match CorrelatedBrownian::new(1, matrix.view()) {
        Err(SdeError::Correlation(error)) => error,
        other => panic!("{other:?}"),
    };
    let found = error(array![[1.0, 0.2, 0.3], [0.2, 1.0, 0.1], [0.31, 0.1, 1.0]]);
    let expected = CorrelationError::NotSymmetric { row: 0, column: 2, value: 0.3, mirrored: 0.31 };
    assert_eq!(found, expected);
    let found = error(array![[1.0, 0.2], [0.2, 1.5]]);
    assert_eq!(found, CorrelationError::Diagonal { row: 1, value: 1.5, expected: "1" });
    let found = error(array![[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]]);
    assert!(matches!(found, CorrelationError::Indefinite { row: 2, variance } if variance < -1.0));
    let found = error(array![[1.0, 1.0, 0.5], [1.0, 1.0, 0.6], [0.5, 0.6, 1.0]]);
    assert!(matches!(found, CorrelationError::Indefinite { row: 1, .. }), "{found}");
    let found = error(array![[1.0, 1.0, 1.0], [1.0, 1.0, 0.5], [1.0, 0.5, 1.0]]);
    let expected = CorrelationError::Determined { row: 1, column: 2, covariance: -0.5 };
    assert_eq!(found, expected);
    let found = error(array![[1.0, 1.2], [1.2, 1.0]]);
    assert!(found.to_string().contains("component 1 would have the variance -4.400e-1"), "{found}");
    let found = error(array![[1.0, f64::NAN], [f64::NAN, 1.0]]);
    assert!(matches!(found, CorrelationError::NotFinite { row: 0, column: 1, .. }));
    assert_eq!(error(array![[1.0, 0.5]]), CorrelationError::Shape { rows: 1, columns: 2 });
    assert_eq!(error(Array2::zeros((0, 0))), CorrelationError::Shape { rows: 0, columns: 0 });
    let negative = CorrelatedBrownian::from_covariance(1, array![[-1.0]].view()).unwrap_err();
    assert!(negative.to_string().contains("diagonal entry 0 is -1"), "{negative}");
    // Without variance, but correlated.
    let impossible = array![[0.0, 0.1], [0.1, 1.0]];
    assert!(CorrelatedBrownian::from_covariance(1, impossible.view()).is_err());
    let hardly = array![[0.0, 1e-36], [1e-36, 1e-40]];
    let refused = CorrelatedBrownian::from_covariance(1, hardly.view()).unwrap_err().to_string();
    assert!(refused.contains("components 0 and 1"), "{refused}");
    // Correlations that overflow.
    let huge = array![[1e-300, 1e300, 0.0], [1e300, 1e-300, 1e-300], [0.0, 1e-300, 1e-300]];
    assert!(CorrelatedBrownian::from_covariance(1, huge.view()).is_err());
    let silent = array![[0.0, 0.0], [0.0, 1.0]];
    CorrelatedBrownian::from_covariance(1, silent.view()).unwrap();
    let noise = CorrelatedBrownian::new(1, array![[1.0]].view()).unwrap();
    let tile = Tile { first_path: 0, lanes: 1, steps: 1, h: 1.0 };
    let integral = CellIntegral { noise: 1, exponent: 1.0, lag: 0 };
    assert!(Noise::<f64>::increments(&noise, tile, &[integral]).is_err());
}
