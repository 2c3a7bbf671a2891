//! Kernels without singularity: Caputo and Fabrizio, Atangana and Baleanu.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    AtanganaBaleanu, CaputoFabrizio, FirstOrder, Normalisation, Operator, OperatorError, Weights,
    named,
};
use hpfracc_special::{gamma, mittag_leffler, recip_gamma};
use hpfracc_testkit::{max_abs, observed_order};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn apply(
    operator: impl Operator + Clone + 'static,
    grid: Grid,
    f: impl Fn(f64) -> f64,
) -> Array1<f64> {
    let samples: Array1<f64> = grid.points().map(f).collect();
    operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap()
}

/// sin t -> (M/(1-alpha)) (l cos t + sin t - l exp(-l t))/(l^2+1)
#[test]
fn caputo_fabrizio_of_a_sine() {
    for alpha in [0.01, 0.3, 0.9, 0.99] {
        let l = alpha / (1.0 - alpha);
        let pairs: Vec<(f64, f64)> = [100, 200, 400]
            .into_iter()
            .map(|n| {
                let grid = Grid::uniform(n + 1, 2.0 / n as f64).unwrap();
                let y = apply(CaputoFabrizio::derivative(order(alpha)).unwrap(), grid, f64::sin);
                let exact = |t: f64| {
                    (l * t.cos() + t.sin() - l * (-l * t).exp()) / (l * l + 1.0) / (1.0 - alpha)
                };
                let errors: Vec<f64> = grid.points().zip(&y).map(|(t, y)| y - exact(t)).collect();
                (grid.dt(), max_abs(&errors))
            })
            .collect();
        let seen = observed_order(&pairs);
        // At 0.99 a step of 0.02 is two time constants long: between the orders 1 and 2.
        let theory = if alpha < 0.95 { 2.0 } else { 1.5 };
        assert!((seen - theory).abs() < if alpha < 0.95 { 0.2 } else { 0.5 }, "{alpha}: {seen}");
    }
}

/// Linear f is exact at every node: t -> M/alpha (1 - exp(-l t)).
#[test]
fn caputo_fabrizio_is_exact_on_lines() {
    let grid = Grid::uniform(10_000, 0.01).unwrap();
    for alpha in [1e-9, 0.3, 0.7, 0.999] {
        for m in [Normalisation::One, Normalisation::LosadaNieto] {
            let derivative =
                CaputoFabrizio::derivative(order(alpha)).unwrap().with_normalisation(m);
            let y = apply(derivative, grid, |t| 7.0 + t);
            let l = alpha / (1.0 - alpha);
            for (t, y) in grid.points().zip(&y) {
                let exact = -m.value(alpha) / alpha * (-l * t).exp_m1();
                // The differences of 7 + t, each 0.01, are rounded as t up to 107 is.
                assert!(
                    (y - exact).abs() < 1e-11 * exact.abs().max(1.0),
                    "{alpha} {t}: {y} {exact}"
                );
            }
            assert_eq!(y[0], 0.0);
        }
    }
}

#[test]
fn caputo_fabrizio_at_the_ends() {
    let grid = Grid::uniform(300, 0.01).unwrap();
    let f = |t: f64| (3.0 * t).cos();
    let at = |alpha: f64| apply(CaputoFabrizio::derivative(order(alpha)).unwrap(), grid, f);
    let (zero, one) = (at(0.0), at(1.0));
    for n in 1..grid.n() {
        assert!((zero[n] - (f(grid.t(n)) - 1.0)).abs() < 1e-13);
        let difference = (f(grid.t(n)) - f(grid.t(n - 1))) / grid.dt();
        assert!((one[n] - difference).abs() < 1e-12);
    }
    assert!(max_abs(&(at(1e-12) - &zero)) < 1e-10);
    assert!(max_abs(&(at(1.0 - 1e-5) - &one)) < 1e-3);
    // Gradients exist at both ends.
    for alpha in [0.0, 1.0] {
        let bound = CaputoFabrizio::derivative(order(alpha)).unwrap().on(grid, &Reference).unwrap();
        let samples: Array1<f64> = grid.points().map(f).collect();
        let slope = bound.vjp_order(samples.view(), samples.view()).unwrap();
        let ahead = if alpha == 0.0 { 1e-6 } else { 1.0 - 1e-6 };
        let difference = (at(ahead) - at(alpha)).dot(&samples) / (ahead - alpha);
        assert!((slope - difference).abs() < 1e-3 * difference.abs(), "{slope} {difference}");
    }
}

/// The integrals undo the derivatives: exactly for Caputo and Fabrizio at order 0, else to the
/// schemes' order.
#[test]
fn integrals_undo_derivatives() {
    let f = |t: f64| 2.0 + (2.0 * t).sin();
    for m in [Normalisation::One, Normalisation::Gamma] {
        let error = |n: usize, kind: usize| {
            let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
            let alpha = order(0.6);
            let (first, second, level) = match kind {
                0 => {
                    let first = CaputoFabrizio::derivative(alpha).unwrap().with_normalisation(m);
                    let second = CaputoFabrizio::integral(alpha).unwrap().with_normalisation(m);
                    let y = apply(first, grid, f);
                    (y, second.on(grid, &Reference).unwrap(), f(0.0))
                }
                kind => {
                    let sense =
                        if kind == 1 { AtanganaBaleanu::caputo } else { AtanganaBaleanu::riemann };
                    let first = sense(alpha).unwrap().with_normalisation(m);
                    let second = AtanganaBaleanu::integral(alpha).unwrap().with_normalisation(m);
                    let level = if kind == 1 { f(0.0) } else { 0.0 };
                    (apply(first, grid, f), second.on(grid, &Reference).unwrap(), level)
                }
            };
            let back = second.apply(first.view()).unwrap();
            (grid.dt(), (back[n] - (f(1.0) - level)).abs())
        };
        for (kind, theory) in [(0, 2.0), (1, 1.6), (2, 1.2)] {
            let pairs = [error(100, kind), error(200, kind), error(400, kind)];
            assert!(pairs[2].1 < 1e-3, "{kind}: {pairs:?}");
            let seen = observed_order(&pairs);
            println!("{m:?} {kind}: {seen:.2}");
            assert!(seen > theory - 0.2, "{kind}: order {seen}, at least {theory}; {pairs:?}");
        }
    }
}

/// t^p -> (B/(1-alpha)) Gamma(p+1) t^p E_{alpha,p+1}(-l t^alpha); the scheme has order 2 for smooth
/// f.
#[test]
fn atangana_baleanu_of_powers() {
    for (sense, p) in [("caputo", 1.0), ("caputo", 3.0), ("riemann", 0.0), ("riemann", 2.0)] {
        for alpha in [0.1, 0.5, 0.9] {
            let l = alpha / (1.0 - alpha);
            let b = Normalisation::Gamma.value(alpha);
            let exact = |t: f64| {
                let e = mittag_leffler(alpha, p + 1.0, -l * t.powf(alpha)).unwrap();
                b / (1.0 - alpha) * gamma(p + 1.0) * t.powf(p) * e
            };
            let error = |n: usize| {
                let grid = Grid::uniform(n + 1, 2.0 / n as f64).unwrap();
                let name = format!("atangana-baleanu-{sense}");
                let given = [("normalisation", 1.0)];
                let operator = named(&name, None, order(alpha), &given).unwrap();
                let samples: Array1<f64> = grid.points().map(|t| t.powf(p)).collect();
                let y = operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap();
                let errors: Vec<f64> =
                    grid.points().zip(&y).map(|(t, y)| (y - exact(t)) / exact(2.0)).collect();
                (grid.dt(), max_abs(&errors))
            };
            if p <= 1.0 {
                assert!(error(500).1 < 3e-13, "{sense} {alpha} t^{p}: {:e}", error(500).1);
                continue;
            }
            let seen = observed_order(&[error(100), error(200), error(400)]);
            println!("{sense} {alpha} t^{p}: {seen:.2}");
            assert!((seen - 2.0).abs() < 0.2, "{sense} {alpha} t^{p}: {seen}");
        }
    }
}

/// (1-alpha)/B t^q + alpha/B Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha), exact for q = 0 and 1.
#[test]
fn atangana_baleanu_integral_of_lines() {
    let grid = Grid::uniform(500, 0.01).unwrap();
    for alpha in [0.2, 0.8] {
        let b = Normalisation::Gamma.value(alpha);
        for q in [0.0, 1.0] {
            let integral = AtanganaBaleanu::integral(order(alpha)).unwrap();
            let y = apply(integral.with_normalisation(Normalisation::Gamma), grid, |t| t.powf(q));
            for (t, y) in grid.points().zip(&y) {
                let memory = gamma(q + 1.0) * recip_gamma(q + 1.0 + alpha) * t.powf(q + alpha);
                let exact = ((1.0 - alpha) * t.powf(q) + alpha * memory) / b;
                assert!((y - exact).abs() < 1e-13 * exact.abs().max(1.0), "{alpha} {q} {t}");
            }
        }
    }
}

/// Towards alpha = 0 f - f(0) and f, towards 1 the backward difference.
#[test]
fn atangana_baleanu_at_the_ends() {
    let grid = Grid::uniform(200, 0.01).unwrap();
    let f = |t: f64| 1.0 + (3.0 * t).sin();
    let low = apply(AtanganaBaleanu::caputo(order(1e-9)).unwrap(), grid, f);
    let riemann = apply(AtanganaBaleanu::riemann(order(1e-9)).unwrap(), grid, f);
    let high = apply(AtanganaBaleanu::caputo(order(1.0 - 1e-6)).unwrap(), grid, f);
    for n in 1..grid.n() {
        assert!((low[n] - (f(grid.t(n)) - 1.0)).abs() < 1e-7, "{n}");
        assert!((riemann[n] - f(grid.t(n))).abs() < 1e-7, "{n}");
        let difference = (f(grid.t(n)) - f(grid.t(n - 1))) / grid.dt();
        assert!((high[n] - difference).abs() < 1e-3, "{n}: {} {difference}", high[n]);
    }
}

#[test]
fn caputo_fabrizio_is_one_recurrence() {
    let grid = Grid::uniform(10, 0.1).unwrap();
    let weights = CaputoFabrizio::derivative(order(0.5)).unwrap().weights(grid).unwrap();
    let Weights::FirstOrder(FirstOrder { rate, .. }) = weights else { panic!("{weights:?}") };
    assert!((rate + (-0.1f64).exp_m1()).abs() < 1e-17);
}

#[test]
fn bad_parameters_are_named() {
    for refused in [
        CaputoFabrizio::derivative(order(1.1)).err(),
        CaputoFabrizio::integral(order(2.0)).err(),
        AtanganaBaleanu::caputo(order(0.0)).err(),
        AtanganaBaleanu::riemann(order(1.0)).err(),
        AtanganaBaleanu::integral(order(1.0)).err(),
    ] {
        assert!(matches!(refused.unwrap(), OperatorError::OutOfRange { .. }));
    }
    for value in [3.0, 0.5, f64::NAN] {
        let given = [("normalisation", value)];
        let refused = named("caputo-fabrizio", None, order(0.5), &given).err().unwrap();
        assert!(matches!(refused, OperatorError::Parameter { what: "normalisation", .. }));
    }
}
