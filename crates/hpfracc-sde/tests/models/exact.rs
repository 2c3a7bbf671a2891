//! Exact covariances among each other, and against sums that need no formula.

use hpfracc_sde::models::{
    CaputoOrnsteinUhlenbeck, CoxIngersollRoss, FractionalLangevin, FractionalOrnsteinUhlenbeck,
    GeometricBrownian, InertialLangevin, Named, OrnsteinUhlenbeck,
};

fn near(found: f64, exact: f64, relative: f64) {
    assert!((found - exact).abs() <= relative * exact.abs(), "{found} {exact}");
}

/// `sum e^(-theta (s-u)) e^(-theta (t-v)) E dB(u) dB(v)` over small cells, with their exact
/// covariance.
fn by_cells(theta: f64, hurst: f64, (s, t): (f64, f64), n: usize) -> f64 {
    let h = t / n as f64;
    let power = |k: f64| k.abs().powf(2.0 * hurst);
    let c: Vec<f64> = (0..n as i32)
        .map(f64::from)
        .map(|k| 0.5 * h.powf(2.0 * hurst) * (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)))
        .collect();
    let before_s = (s / h).round() as usize;
    let weight = |end: f64, cell: usize| (-theta * (end - (cell as f64 + 0.5) * h)).exp();
    let (at_s, at_t): (Vec<f64>, Vec<f64>) = (0..n).map(|k| (weight(s, k), weight(t, k))).unzip();
    let row = |u: usize| (0..n).map(|v| at_t[v] * c[u.abs_diff(v)]).sum::<f64>();
    (0..before_s).map(|u| at_s[u] * row(u)).sum()
}

#[test]
fn fractional_ornstein_uhlenbeck() {
    for hurst in [0.2, 0.5, 0.8] {
        let model = FractionalOrnsteinUhlenbeck::default().theta(1.7).unwrap().sigma(1.0).unwrap();
        let model = model.hurst(hurst).unwrap();
        for (s, t) in [(1.0, 1.0), (0.5, 1.5), (0.75, 1.0)] {
            let sum = by_cells(1.7, hurst, (s, t), 600);
            near(model.covariance(s, t).unwrap(), sum, 2e-3);
            assert_eq!(model.covariance(s, t).unwrap(), model.covariance(t, s).unwrap());
        }
        near(model.covariance(1.2, 1.2).unwrap(), model.variance(1.2).unwrap(), 1e-12);
        near(model.variance(60.0).unwrap(), model.stationary_variance(), 1e-6);
        // Both forms of the integral to infinity, on either side of where they meet: what is left
        // of the noise is a power of the distance, and at H = 1/2 nothing.
        let [before, after] =
            [40.0 - 1e-6, 40.0 + 1e-6].map(|x| model.covariance(2.0, 2.0 + x / 1.7).unwrap());
        assert!((before - after).abs() < 1e-6 * before.abs() + 1e-15, "{before} {after}");
    }
    let classical = OrnsteinUhlenbeck::default();
    let fractional = FractionalOrnsteinUhlenbeck::default().hurst(0.5).unwrap();
    for (s, t) in [(0.3, 0.3), (0.2, 1.0), (3.0, 8.0), (1.0, 20.0)] {
        let (found, exact) = (fractional.covariance(s, t).unwrap(), classical.covariance(s, t));
        assert!((found - exact).abs() < 1e-15, "{found} {exact}");
    }
    assert_eq!(classical.covariance(0.4, 0.4), classical.variance(0.4));
}

#[test]
fn caputo_ornstein_uhlenbeck() {
    // By xtask/references/caputo_ornstein_uhlenbeck.py.
    for (alpha, theta, t, exact) in [
        (0.55, 1.0, 0.7, 2.845_275_998_737_972),
        (0.6, 2.0, 5.0, 1.109_707_517_952_58),
        (0.8, 1.0, 5.0, 0.573_845_730_572_605_8),
        (0.95, 0.3, 12.0, 1.571_898_812_389_658),
    ] {
        let model = CaputoOrnsteinUhlenbeck::default().alpha(alpha).unwrap().theta(theta).unwrap();
        near(model.sigma(1.0).unwrap().variance(t).unwrap(), exact, 1e-13);
    }
    // At the order 1, and without memory of the return.
    let classical = OrnsteinUhlenbeck::default().theta(1.7).unwrap().mu(0.3).unwrap();
    let model = CaputoOrnsteinUhlenbeck::default().theta(1.7).unwrap().mu(0.3).unwrap();
    let model = model.alpha(1.0).unwrap();
    for t in [1e-3, 0.4, 3.0, 40.0] {
        near(model.mean(t).unwrap(), classical.mean(t), 1e-13);
        near(model.variance(t).unwrap(), classical.variance(t), 1e-13);
    }
    near(model.stationary_variance().unwrap(), 0.25 / 3.4, 1e-13);
    for alpha in [0.501, 0.7, 0.99] {
        let model = CaputoOrnsteinUhlenbeck::default().alpha(alpha).unwrap();
        let free = 0.25 / hpfracc_special::gamma(alpha).powi(2) / (2.0 * alpha - 1.0);
        let t = 1e-30f64;
        near(model.variance(t).unwrap(), free * t.powf(2.0 * alpha - 1.0), 1e-12);
        // It rises to its limit, and does not jump where the formulas meet.
        let [before, after] = [1.0 - 1e-12, 1.0 + 1e-12].map(|t| model.variance(t).unwrap());
        near(before, after, 1e-11);
        let limit = model.stationary_variance().unwrap();
        near(model.variance(1e6).unwrap(), limit, 1e-11);
        near(model.variance(1e12).unwrap(), limit, 1e-12);
    }
    assert_eq!(model.variance(0.0).unwrap(), 0.0);
    // Rates whose time scale theta^(-1/alpha) overflows or vanishes.
    for alpha in [0.51, 0.8, 1.0] {
        let model = CaputoOrnsteinUhlenbeck::default().alpha(alpha).unwrap();
        let power = 2.0 * alpha - 1.0;
        let slow = model.theta(1e-200).unwrap();
        let free = 0.25 / hpfracc_special::gamma(alpha).powi(2) / power;
        near(slow.variance(3.0).unwrap(), free * 3f64.powf(power), 1e-13);
        let fast = model.theta(1e200).unwrap();
        let limit = model.stationary_variance().unwrap();
        near(fast.variance(1.0).unwrap(), limit * 1e200f64.powf(-power / alpha), 1e-12);
    }
    assert!(CaputoOrnsteinUhlenbeck::default().alpha(0.5).is_err());
}

#[test]
fn langevin_equations() {
    let free = FractionalLangevin::default().alpha(0.6).unwrap().kt(0.7).unwrap();
    let held = free.k(1e-9).unwrap();
    for (s, t) in [(0.5, 0.5), (0.2, 2.0)] {
        near(held.covariance(s, t).unwrap(), free.covariance(s, t).unwrap(), 1e-8);
    }
    // Equilibrium, and the Newtonian bath: Ornstein and Uhlenbeck's process.
    let held = free.k(2.0).unwrap().x0(1.0).unwrap();
    near(held.variance(1e12).unwrap(), 0.35, 1e-6);
    let newtonian = held.alpha(1.0).unwrap();
    let classical = OrnsteinUhlenbeck::default().theta(2.0).unwrap().sigma(1.4f64.sqrt()).unwrap();
    near(newtonian.mean(0.3).unwrap(), classical.mean(0.3), 1e-12);
    near(newtonian.covariance(0.3, 0.8).unwrap(), classical.covariance(0.3, 0.8), 1e-12);
    // Without noise there is the mean alone.
    let cold = held.kt(0.0).unwrap();
    let displacement = cold.mean_square_displacement(2.0).unwrap();
    near(displacement, (cold.mean(2.0).unwrap() - 1.0).powi(2), 1e-14);
    // At first inertia, in the end the friction alone.
    let heavy = InertialLangevin::default().alpha(0.6).unwrap().kt(0.7).unwrap();
    near(heavy.thermal_mean_square_displacement(1e-3).unwrap(), 0.7e-6, 1e-3);
    let t = 1e8;
    let late = heavy.thermal_mean_square_displacement(t).unwrap();
    near(late, free.variance(t).unwrap(), 1e-3);
    near(heavy.variance_of_velocity(1e6).unwrap(), 0.7, 1e-6);
}

#[test]
fn variances_are_covariances_at_one_time() {
    let growth = GeometricBrownian::default();
    assert_eq!(growth.covariance(0.7, 0.7), growth.variance(0.7));
    near(growth.variance(0.7), (0.07f64).exp() * (0.04f64 * 0.7).exp_m1(), 1e-14);
    let rate = CoxIngersollRoss::default();
    assert_eq!(rate.covariance(0.7, 0.7), rate.variance(0.7));
    near(rate.covariance(0.7, 1.0), (-0.45f64).exp() * rate.variance(0.7), 1e-14);
    near(rate.variance(1e3), 0.04 * 0.09 / 3.0, 1e-12);
}

#[test]
fn at_the_start_everything_is_known() {
    for model in Named::all() {
        let known = model.known(0.0).unwrap();
        assert_eq!(known.len(), model.definition().observables.len());
        for known in known {
            assert!(known.variance.is_none_or(|v| v.abs() < 1e-15), "{model:?}");
            assert!(known.mean.is_some(), "{model:?}");
        }
    }
}
