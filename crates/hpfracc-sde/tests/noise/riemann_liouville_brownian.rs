//! Fractional Brownian motion of Riemann and Liouville by the hybrid scheme.

use crate::paths::{covariances, rows, rows_with, same_bits, values};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{
    Brownian, CellIntegral, Noise, NoiseProcess, Normalisation, RiemannLiouvilleBrownian, Tile,
};

/// Mean of `u^c` over the cell that ends k cells back, for cells of length 1.
fn mean(c: f64, k: usize) -> f64 {
    let k = k as f64;
    (k.powf(c + 1.0) - (k - 1.0).powf(c + 1.0)) / (c + 1.0)
}

/// The scheme's formula on the increments and integrals of Brownian motion, term by term.
#[test]
fn the_scheme_is_its_formula() {
    let hurst = [0.07, 0.5, 0.85];
    let (seed, h) = (3, 0.02f64);
    for (kappa, steps) in [(1, 30), (2, 31), (3, 1), (3, 40), (2, 2001)] {
        let tile = Tile { first_path: 5, lanes: if steps > 100 { 3 } else { 18 }, steps, h };
        let near = |noise: usize| {
            (0..kappa).map(move |lag| CellIntegral { noise, exponent: hurst[noise] - 0.5, lag })
        };
        let integrals: Vec<_> = (0..3).flat_map(near).collect();
        let white = rows_with::<f64>(&Brownian::new(seed, 3).unwrap(), tile, &integrals);
        let noise = RiemannLiouvilleBrownian::<f64>::new(seed, &hurst).unwrap();
        let found = rows(&noise.with_near_cells(kappa).unwrap(), tile);
        let noise = RiemannLiouvilleBrownian::<f32>::new(seed, &hurst).unwrap();
        let single = rows(&noise.with_near_cells(kappa).unwrap(), tile);
        for (component, hurst) in hurst.iter().enumerate() {
            let c = hurst - 0.5;
            let (found, single) = (values(&found, component), values(&single, component));
            for n in (1..=steps).step_by(1 + steps / 50) {
                for lane in 0..tile.lanes {
                    let cell = |k: usize| {
                        if k <= kappa {
                            white[n - k][3 + component * kappa + k - 1][lane]
                        } else {
                            h.powf(c) * mean(c, k) * white[n - k][component][lane]
                        }
                    };
                    let exact = (2.0 * hurst).sqrt() * (1..=n).map(cell).sum::<f64>();
                    let scale = (n as f64 * h).powf(*hurst);
                    let errors = [found[n - 1][lane] - exact, single[n - 1][lane] - exact];
                    let [double, single] = errors.map(|error| error.abs() / scale);
                    assert!(double < 1e-13 * steps.max(30) as f64, "H = {hurst}, {n}: {double:e}");
                    assert!(single < 2e-5, "H = {hurst}, {n}: {single:e}");
                }
            }
        }
    }
}

/// Covariances of all pairs of nodes of Y and of the Brownian motion beside it: the scheme's own.
#[test]
fn the_law_of_the_scheme() {
    let (nodes, lanes, h, rho, kappa) = (8, 60_000, 0.3f64, -0.7, 2);
    for hurst in [0.1, 0.4, 0.8] {
        let c = hurst - 0.5;
        let noise = RiemannLiouvilleBrownian::<f32>::new(11, &[hurst]).unwrap();
        let noise = noise.with_near_cells(kappa).unwrap().with_correlated(rho).unwrap();
        let steps = rows(&noise, Tile { first_path: 0, lanes, steps: nodes, h });
        let x: Vec<_> = [values(&steps, 0), values(&steps, 1)].concat();
        // int_0^1 u^c (1+u)^c du with u = v^(1/(c+1))
        let power = 1.0 / (c + 1.0);
        let near = (0..2000).map(|i| (1.0 + ((f64::from(i) + 0.5) / 2e3).powf(power)).powf(c));
        let near = near.sum::<f64>() * power / 2e3;
        let cell = |a: usize, b: usize| match (a.min(b), a.max(b)) {
            (a, b) if a == b && a <= kappa => mean(2.0 * c, a),
            (1, 2) => near,
            (a, b) => mean(c, a) * mean(c, b),
        };
        covariances(&x, |i, j| {
            let (n, m) = (i % nodes + 1, j % nodes + 1);
            let both = n.min(m);
            match (i < nodes, j < nodes) {
                (true, true) => {
                    let cells = (1..=both).map(|k| cell(k + n - both, k + m - both));
                    2.0 * hurst * h.powf(2.0 * hurst) * cells.sum::<f64>()
                }
                (false, false) => h * both as f64,
                (of_y, _) => {
                    let last = if of_y { n } else { m };
                    let means = (last - both + 1..=last).map(|k| mean(c, k)).sum::<f64>();
                    rho * (2.0 * hurst).sqrt() * h.powf(hurst + 0.5) * means
                }
            }
        });
    }
}

/// `E Y_s Y_t` of the process, by the scheme: from its weights, and the error that the
/// documentation states is what the variance lacks.
#[test]
fn the_error_is_that_stated() {
    let stated = [
        (0.05, [0.0284, 0.0152, 0.0104]),
        (0.1, [0.0368, 0.0204, 0.0142]),
        (0.2, [0.0417, 0.0246, 0.0179]),
        (0.3, [0.0367, 0.0231, 0.0174]),
        (0.4, [0.0230, 0.0154, 0.0122]),
        (0.7, [0.0874, 0.0715, 0.0634]),
        (0.9, [0.346, 0.323, 0.310]),
    ];
    for (hurst, by_kappa) in stated {
        for (kappa, stated) in (1..).zip(by_kappa) {
            let c = hurst - 0.5;
            let lacking = |k| mean(2.0 * c, k) - mean(c, k).powi(2);
            let cells = (kappa + 1..3000).map(lacking).sum::<f64>();
            let rest = c * c / 12.0 * 3000f64.powf(2.0 * c - 1.0) / (1.0 - 2.0 * c);
            let error = (2.0 * hurst * (cells + rest)).sqrt();
            assert!((error / stated - 1.0).abs() < 5e-3, "H = {hurst}, {kappa}: {error}");
        }
    }
}

#[test]
fn the_driver_beside_it_is_brownian_motion() {
    let (hurst, seed) = ([0.2, 0.6], 9);
    let tile = Tile { first_path: 2, lanes: 21, steps: 50, h: 0.01 };
    let noise = || RiemannLiouvilleBrownian::<f32>::new(seed, &hurst).unwrap();
    let alone = rows(&noise(), tile);
    let white = rows::<f32>(&Brownian::new(seed, 2).unwrap(), tile);
    let with_driver = rows(&noise().with_driver(), tile);
    let correlated = rows(&noise().with_correlated(0.3).unwrap(), tile);
    for step in 0..tile.steps {
        for i in 0..2 {
            assert_eq!(with_driver[step][i], alone[step][i]);
            assert_eq!(correlated[step][i], alone[step][i]);
            assert_eq!(with_driver[step][2 + i], white[step][i]);
        }
    }
    let noise = noise().with_driver();
    let processes: Vec<_> = (0..4).map(|i| Noise::process(&noise, i)).collect();
    let fractional = hurst.map(|hurst| NoiseProcess::Fractional { hurst });
    assert_eq!(
        processes,
        [fractional[0], fractional[1], NoiseProcess::Brownian, NoiseProcess::Brownian]
    );
}

#[test]
fn the_factor_before_the_integral() {
    let tile = Tile { first_path: 0, lanes: 3, steps: 20, h: 0.1 };
    let noise = || RiemannLiouvilleBrownian::<f64>::new(1, &[0.3]).unwrap();
    let variance = rows(&noise(), tile);
    let integral = rows(&noise().normalised(Normalisation::FractionalIntegral), tile);
    let ratio = hpfracc_special::recip_gamma(0.8) / 0.6f64.sqrt();
    for (a, b) in integral.iter().zip(&variance) {
        a[0].iter().zip(&b[0]).for_each(|(a, b)| assert!((a - ratio * b).abs() < 1e-13));
    }
}

#[test]
fn the_same_bits_in_any_tile() {
    let noise = RiemannLiouvilleBrownian::<f32>::new(4, &[0.1, 0.7]).unwrap();
    same_bits(&noise.with_correlated(0.4).unwrap(), 45, 0.01);
    same_bits(&RiemannLiouvilleBrownian::<f64>::new(4, &[0.1]).unwrap(), 9, 0.01);
    same_bits(&RiemannLiouvilleBrownian::<f32>::new(4, &[0.1]).unwrap(), 1600, 0.01);
}

#[test]
fn parameters_out_of_range() {
    let new = |hurst: &[f64]| RiemannLiouvilleBrownian::<f64>::new(1, hurst);
    for bad in [0.0, 1.0, -0.1, f64::NAN] {
        let refused = new(&[0.5, bad]);
        assert!(matches!(refused, Err(SdeError::OutOfRange { .. })), "{refused:?}");
    }
    assert!(new(&[]).is_err());
    for kappa in [0, 4] {
        assert!(new(&[0.1]).unwrap().with_near_cells(kappa).is_err());
    }
    for rho in [1.01, -2.0, f64::NAN] {
        let refused = new(&[0.1]).unwrap().with_correlated(rho).unwrap_err().to_string();
        assert!(refused.contains(&rho.to_string()), "{refused}");
    }
    let tile = Tile { first_path: 0, lanes: 1, steps: 2, h: 0.5 };
    let integral = CellIntegral { noise: 0, exponent: 1.0, lag: 0 };
    let noise = new(&[0.1]).unwrap();
    assert!(matches!(noise.increments(tile, &[integral]), Err(SdeError::NoIntegrals { .. })));
}
