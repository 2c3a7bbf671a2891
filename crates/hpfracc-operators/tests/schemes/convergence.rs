//! Observed orders on powers of t, weakly singular ones included, and what schemes get exactly.

use hpfracc_backend::Reference;
use hpfracc_operators::{Operator, named};
use hpfracc_special::{gamma, recip_gamma};
use hpfracc_testkit::{Table, max_abs, observed_order, record_error, relative_max_error};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2};
use std::f64::consts::{FRAC_PI_2, TAU};

fn apply(operator: &str, scheme: &str, alpha: f64, grid: Grid, f: impl Fn(f64) -> f64) -> Vec<f64> {
    let operator = named(operator, Some(scheme), Order::new(alpha).unwrap(), &[]).unwrap();
    let samples: Array1<f64> = grid.points().map(f).collect();
    operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap().to_vec()
}

/// The time that entry n of a result belongs to.
fn time(scheme: &str, alpha: f64, grid: Grid, n: usize) -> f64 {
    grid.t(n) - if scheme == "l2-1sigma" { 0.5 * alpha * grid.dt() } else { 0.0 }
}

/// What the operator makes of t^q.
fn exact(operator: &str, alpha: f64, q: f64, t: f64) -> f64 {
    let alpha = if operator == "rl-integral" { -alpha } else { alpha };
    if operator == "miller-ross" {
        let factor = |q: f64| gamma(q + 1.0) * recip_gamma(q + 1.0 - alpha);
        return factor(q) * factor(q - alpha) * t.powf(q - 2.0 * alpha);
    }
    if operator == "caputo" && q.fract() == 0.0 && q < alpha {
        return 0.0;
    }
    gamma(q + 1.0) * recip_gamma(q + 1.0 - alpha) * t.powf(q - alpha)
}

/// (operator, scheme, alpha, q, order at t = 1)
const CASES: &[(&str, &str, f64, f64, f64)] = &[
    ("caputo", "l1", 0.6, 2.0, 1.4),
    ("caputo", "l1", 0.6, 3.0, 1.4),
    ("caputo", "l1", 0.3, 6.0, 1.7),
    ("caputo", "l1", 0.6, 0.6, 1.4),
    ("caputo", "l1", 0.1, 0.3, 1.3),
    ("caputo", "l1-2", 0.6, 2.0, 3.0),
    ("caputo", "l1-2", 0.6, 3.0, 2.4),
    ("caputo", "l1-2", 0.2, 5.0, 2.8),
    ("caputo", "l1-2", 0.9, 3.0, 2.1),
    ("caputo", "l1-2", 0.6, 0.6, 1.6),
    ("caputo", "l2-1sigma", 0.6, 3.0, 2.4),
    ("caputo", "l2-1sigma", 0.2, 5.0, 2.8),
    ("caputo", "l2-1sigma", 0.9, 3.0, 2.1),
    ("caputo", "l2-1sigma", 0.6, 0.6, 1.6),
    ("caputo", "l2-midpoint", 1.5, 3.0, 1.5),
    ("caputo", "l2-midpoint", 1.2, 4.0, 1.8),
    ("caputo", "l2-midpoint", 1.8, 5.0, 1.2),
    ("caputo", "l2-midpoint", 1.4, 1.7, 0.7),
    ("caputo", "bdf1", 0.6, 2.0, 1.0),
    ("caputo", "bdf2", 0.6, 2.0, 2.0),
    ("caputo", "bdf2", 0.6, 3.0, 2.0),
    ("caputo", "bdf2", 1.5, 3.0, 2.0),
    ("caputo", "bdf3", 0.4, 3.0, 3.0),
    ("caputo", "bdf4", 0.6, 4.0, 4.0),
    ("caputo", "bdf4", 0.6, 3.0, 4.0),
    ("caputo", "bdf3", 2.5, 4.0, 3.0),
    ("caputo", "bdf6", 0.6, 6.0, 6.0),
    ("caputo", "bdf4", 0.6, 0.6, 1.6),
    ("caputo", "bdf2", 1.3, 1.5, 0.5),
    ("riemann-liouville", "l1", 0.6, 2.0, 1.4),
    ("riemann-liouville", "l1", 0.6, 0.4, 1.4),
    ("riemann-liouville", "bdf2", 0.6, 3.0, 2.0),
    // Starts whose coefficients grow as h^(q-k), and the formula's own error in powers from p on.
    ("riemann-liouville", "bdf2", 1.3, 0.5, 1.5),
    ("riemann-liouville", "bdf2", 1.3, 2.0, 2.0),
    ("riemann-liouville", "bdf2", 2.6, 0.5, 1.5),
    ("riemann-liouville", "bdf3", 2.6, 0.5, 1.5),
    ("riemann-liouville", "bdf1", 1.6, 0.5, 1.0),
    ("riemann-liouville", "bdf1", 0.6, 0.3, 1.0),
    ("riemann-liouville", "bdf4", 1.3, 0.5, 1.5),
    ("caputo", "bdf1", 0.6, 0.3, 1.0),
    ("riemann-liouville", "bdf2", 1.6, 3.0, 2.0),
    ("riemann-liouville", "bdf4", 0.6, 3.0, 4.0),
    ("riemann-liouville", "bdf5", 0.6, 5.0, 5.0),
    ("grunwald-letnikov", "standard", 0.6, 1.0, 1.0),
    ("grunwald-letnikov", "standard", 0.6, 0.0, 1.0),
    ("grunwald-letnikov", "standard", 1.7, 3.0, 1.0),
    ("grunwald-letnikov", "bdf2", 0.6, 3.0, 2.0),
    ("grunwald-letnikov", "bdf3", 0.6, 4.0, 3.0),
    ("grunwald-letnikov", "bdf4", 0.6, 5.0, 4.0),
    ("grunwald-letnikov", "bdf4", 0.6, 1.0, 2.0),
    ("grunwald-letnikov", "bdf6", 0.6, 0.6, 1.6),
    ("rl-integral", "rectangle", 0.5, 1.0, 1.0),
    ("rl-integral", "rectangle", 1.5, 2.0, 1.0),
    ("rl-integral", "rectangle", 0.5, 0.3, 1.0),
    ("rl-integral", "trapezoid", 0.5, 2.0, 2.0),
    ("rl-integral", "trapezoid", 1.7, 3.0, 2.0),
    ("rl-integral", "trapezoid", 0.5, 0.3, 1.3),
    ("rl-integral", "simpson", 0.5, 3.0, 3.5),
    ("rl-integral", "simpson", 0.2, 5.0, 3.2),
    ("rl-integral", "simpson", 1.0, 5.0, 4.0),
    ("rl-integral", "simpson", 1.7, 4.0, 4.0),
    ("rl-integral", "simpson", 0.5, 0.3, 1.3),
    ("rl-integral", "simpson", 0.5, 3.5, 3.5),
    ("rl-integral", "simpson", 2.5, 3.0, 4.0),
    ("marchaud", "linear-zero", 0.6, 3.0, 1.4),
    ("marchaud", "linear-held", 0.6, 3.0, 1.4),
    ("marchaud", "quadratic-zero", 0.6, 3.0, 2.4),
    ("marchaud", "quadratic-held", 0.2, 5.0, 2.8),
    ("marchaud", "quadratic-held", 0.9, 3.0, 2.1),
    ("marchaud", "quadratic-held", 0.6, 0.6, 1.6),
    ("miller-ross", "caputo", 0.6, 1.0, 1.4),
    ("miller-ross", "caputo", 0.3, 1.0, 1.7),
    ("miller-ross", "caputo", 0.6, 3.0, 2.4),
    ("miller-ross", "riemann-liouville", 0.3, 0.0, 1.0),
    ("miller-ross", "riemann-liouville", 0.8, 1.0, 2.0),
    ("miller-ross", "riemann-liouville", 0.6, 3.0, 2.0),
];

#[test]
fn orders_at_the_end_are_those_of_theory() {
    for &(operator, scheme, alpha, q, order) in CASES {
        // High orders meet rounding early; low ones need small steps to show.
        let first = match order {
            o if o > 4.5 || alpha > 2.0 => 20,
            o if o > 3.5 => 60,
            _ => 160,
        };
        // Schemes on pairs of cells treat even and odd nodes differently.
        for odd in [0, 1] {
            let pairs: Vec<(f64, f64)> = [1, 2, 4]
                .iter()
                .map(|factor| {
                    let n = first * factor + odd;
                    let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
                    let y = apply(operator, scheme, alpha, grid, |t| t.powf(q));
                    let t = time(scheme, alpha, grid, n);
                    (grid.dt(), (y[n] - exact(operator, alpha, q, t)).abs())
                })
                .collect();
            let seen = observed_order(&pairs);
            println!("{operator} {scheme}, alpha {alpha}, t^{q}: {seen:.2} ({order})");
            let what = "observed orders of operators on powers of t, difference from theory";
            record_error(what, (seen - order).abs(), 0.2);
            assert!(
                (seen - order).abs() < 0.2,
                "{operator} {scheme}, alpha {alpha}, t^{q}: order {seen:.3}, theory {order}; {pairs:?}"
            );
        }
    }
}

/// The shifted formula looks one sample ahead: the function must end flat.
#[test]
fn the_shifted_formula_has_order_one_on_a_record_that_ends_in_zero() {
    let alpha = 1.6;
    let at_half = |n: usize| {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
        let y = apply("grunwald-letnikov", "shifted", alpha, grid, |t| t.powi(3) * (1.0 - t));
        let exact = exact("", alpha, 3.0, 0.5) - exact("", alpha, 4.0, 0.5);
        (grid.dt(), (y[n / 2] - exact).abs())
    };
    let seen = observed_order(&[at_half(200), at_half(400), at_half(800)]);
    assert!((seen - 1.0).abs() < 0.2, "order {seen}");
}

/// (operator, scheme, alpha, powers that must come out to rounding at every node but the first)
#[test]
fn low_powers_are_exact_at_every_node() {
    let grid = Grid::uniform(200, 0.05).unwrap();
    for (operator, scheme, alpha, powers) in [
        ("caputo", "l1", 0.4, &[0.0, 1.0][..]),
        ("caputo", "l1-2", 0.4, &[0.0, 1.0]),
        ("caputo", "l2-1sigma", 0.4, &[0.0, 1.0, 2.0]),
        ("caputo", "l2-1sigma", 0.97, &[0.0, 1.0, 2.0]),
        ("caputo", "l2-midpoint", 1.3, &[0.0, 1.0, 2.0]),
        ("caputo", "bdf1", 0.7, &[0.0]),
        ("caputo", "bdf1", 1.7, &[0.0, 1.0, 2.0]),
        ("caputo", "bdf3", 0.7, &[0.0, 1.0]),
        ("caputo", "bdf2", 1.7, &[0.0, 1.0, 2.0]),
        ("caputo", "bdf3", 2.4, &[0.0, 1.0, 2.0, 3.0]),
        ("caputo", "bdf4", 2.0, &[0.0, 1.0, 2.0]),
        ("riemann-liouville", "l1", 0.4, &[0.0, 1.0]),
        ("riemann-liouville", "bdf1", 0.4, &[0.0]),
        ("riemann-liouville", "bdf2", 1.7, &[0.0, 1.0]),
        ("riemann-liouville", "bdf4", 1.4, &[0.0, 1.0, 2.0]),
        ("riemann-liouville", "bdf2", 1.0, &[0.0, 1.0]),
        ("rl-integral", "rectangle", 0.6, &[0.0]),
        ("rl-integral", "trapezoid", 0.6, &[0.0, 1.0]),
        ("rl-integral", "trapezoid", 2.2, &[0.0, 1.0]),
        ("rl-integral", "simpson", 0.6, &[0.0, 1.0, 2.0]),
        ("rl-integral", "simpson", 1.0, &[0.0, 1.0, 2.0, 3.0]),
        ("rl-integral", "simpson", 2.2, &[0.0, 1.0, 2.0]),
        ("marchaud", "linear-zero", 0.4, &[0.0, 1.0]),
        ("marchaud", "quadratic-zero", 0.1, &[0.0, 1.0, 2.0]),
        ("marchaud", "quadratic-zero", 0.96, &[0.0, 1.0, 2.0]),
        ("marchaud", "quadratic-held", 0.4, &[1.0, 2.0]),
    ] {
        for &q in powers {
            let y = apply(operator, scheme, alpha, grid, |t| t.powf(q));
            for n in 1..grid.n() {
                let exact = exact(operator, alpha, q, time(scheme, alpha, grid, n));
                // What cancels are terms of size t^q h^-alpha.
                let scale = exact.abs() + grid.t(n).powf(q) * grid.dt().powf(-alpha);
                let error = (y[n] - exact).abs() / scale;
                assert!(error < 1e-13, "{operator} {scheme} {alpha} t^{q} node {n}: {error:e}");
            }
        }
    }
}

/// Samples that are exact leave only the rounding of the arithmetic, which must not be that of
/// samples times h^-alpha: start corrections are differences of samples of size 1.
#[test]
fn start_corrections_lose_no_digits() {
    let n = 1 << 14;
    let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
    for (scheme, alpha) in
        [("bdf2", 2.5), ("bdf4", 2.5), ("bdf4", 2.9), ("bdf4", 3.5), ("bdf6", 2.2)]
    {
        let y = apply("caputo", scheme, alpha, grid, |t| 1.0 + t + t * t + t * t * t);
        let error = (1..=n).map(|n| (y[n] - exact("caputo", alpha, 3.0, grid.t(n))).abs());
        let error = error.fold(0.0, f64::max);
        let of_samples = f64::EPSILON * grid.dt().powf(-alpha);
        println!(
            "{scheme} {alpha}: {error:.1e}, {:.1e} of the rounding of samples",
            error / of_samples
        );
        assert!(error < 2e-4 * of_samples, "{scheme} {alpha}: {error:e} {of_samples:e}");
    }
}

/// The first entries are as accurate as the last: for a function without special points, that of a long
/// past, the error at every early node stays within a few per cent of the exact value there.
#[test]
fn first_entries_are_right() {
    let grid = Grid::uniform(400, 1.0 / 400.0).unwrap();
    for (operator, scheme, alpha) in [
        ("caputo", "l1", 0.5),
        ("caputo", "l1-2", 0.5),
        ("caputo", "l2-1sigma", 0.5),
        ("marchaud", "quadratic-zero", 0.5),
        ("rl-integral", "simpson", 0.5),
        ("rl-integral", "simpson", 3.7),
        ("caputo", "l2-midpoint", 1.5),
        ("riemann-liouville", "l1", 0.5),
        ("caputo", "bdf2", 0.5),
        ("caputo", "bdf2", 0.99),
        ("caputo", "bdf4", 1.4),
        ("rl-integral", "trapezoid", 0.5),
    ] {
        // D (a + b t + c t^2) with all three terms of one size at the last sample.
        let y = apply(operator, scheme, alpha, grid, |t| 1.0 + t + t * t);
        for n in 1..30 {
            let t = time(scheme, alpha, grid, n);
            let terms = [0.0, 1.0, 2.0].map(|q| exact(operator, alpha, q, t));
            let expected: f64 = terms.iter().sum();
            let error = (y[n] - expected).abs() / expected.abs();
            assert!(error < 0.03, "{operator} {scheme} {alpha} node {n}: {} {expected}", y[n]);
        }
    }
}

/// At a fixed number of steps from the start, where f'' is not zero: the line on the first cell of
/// L1-2 costs order 2 - alpha there, the other schemes have no such cell.
#[test]
fn orders_at_the_first_nodes() {
    let alpha = 0.4;
    for (operator, scheme, node, order) in [
        ("caputo", "l1-2", 1, 1.6),
        ("caputo", "l1-2", 2, 1.6),
        ("caputo", "l2-1sigma", 1, 2.6),
        ("caputo", "l2-1sigma", 2, 2.6),
        ("marchaud", "quadratic-held", 1, 3.6),
        ("marchaud", "quadratic-held", 2, 2.6),
    ] {
        let error = |steps: usize| {
            let grid = Grid::uniform(10, 1.0 / steps as f64).unwrap();
            let y = apply(operator, scheme, alpha, grid, f64::exp);
            let t = time(scheme, alpha, grid, node);
            let exact: f64 = (1..20)
                .map(|k| recip_gamma(f64::from(k) + 1.0 - alpha) * t.powf(f64::from(k) - alpha))
                .sum();
            (grid.dt(), (y[node] - exact).abs())
        };
        let seen = observed_order(&[error(40), error(80), error(160)]);
        println!("{operator} {scheme} node {node}: {seen:.2}");
        assert!((seen - order).abs() < 0.2, "{operator} {scheme} node {node}: {seen:.2}, {order}");
    }
}

/// At whole orders the derivative is classical from the first entry on, for every step.
#[test]
fn whole_orders_are_right_from_the_first_entry_on() {
    let grid = Grid::uniform(200, 1e-3).unwrap();
    for operator in ["caputo", "riemann-liouville"] {
        for alpha in [1.0, 2.0, 3.0] {
            for p in 1..=6 {
                let y = apply(operator, &format!("bdf{p}"), alpha, grid, f64::exp);
                for n in 0..30 {
                    let error = (y[n] - grid.t(n).exp()).abs();
                    assert!(error < 0.02, "{operator} bdf{p} {alpha} node {n}: {}", y[n]);
                }
            }
        }
    }
}

#[test]
fn centred_differences_have_order_two_on_a_gaussian() {
    let table = Table::parse(include_str!("../data/gaussian.csv"));
    for alpha in [0.5, 1.0, 1.2, 1.8, 2.0] {
        let error_at = |per_unit: usize| {
            // Beyond |x| = 8 the Gaussian is below rounding.
            let n = 16 * per_unit + 1;
            let grid = Grid::uniform(n, 1.0 / per_unit as f64).unwrap();
            let y = apply("fractional-laplacian", "ortigueira", alpha, grid, |t| {
                (-(t - 8.0).powi(2)).exp()
            });
            let rows = table.rows().filter(|row| row.number("alpha") == alpha);
            let errors: Vec<f64> = rows
                .map(|row| {
                    let node = ((8.0 + row.number("x")) * per_unit as f64).round() as usize;
                    y[node] - row.number("value")
                })
                .collect();
            assert_eq!(errors.len(), 6);
            (grid.dt(), max_abs(&errors))
        };
        let seen = observed_order(&[error_at(16), error_at(32), error_at(64)]);
        assert!((seen - 2.0).abs() < 0.2, "alpha {alpha}: order {seen}");
    }
}

#[test]
fn the_spectral_laplacian_meets_the_line_on_a_long_period() {
    // The copies' tails |x|^(-1-alpha) overlap: the difference falls as L^(-1-alpha).
    let table = Table::parse(include_str!("../data/gaussian.csv"));
    let error = |length: f64| {
        let grid = Grid::uniform((8.0 * length) as usize, 0.125).unwrap();
        let y = apply("fractional-laplacian", "spectral", 1.2, grid, |t| {
            (-(t - 0.5 * length).powi(2)).exp()
        });
        let row = table.rows().find(|r| r.number("alpha") == 1.2 && r.number("x") == 0.0).unwrap();
        (1.0 / length, (y[grid.n() / 2] - row.number("value")).abs())
    };
    let seen = observed_order(&[error(32.0), error(64.0), error(128.0)]);
    assert!((seen - 2.2).abs() < 0.2, "order {seen}");
}

#[test]
fn periodic_derivatives_are_exact_on_harmonics() {
    for n in [31, 32, 100] {
        let period = 3.0;
        let grid = Grid::uniform(n, period / n as f64).unwrap();
        for (alpha, harmonic) in [(0.5, 1), (0.5, 3), (1.0, 2), (1.7, 4), (2.0, 1), (3.3, 2)] {
            let w = TAU * f64::from(harmonic) / period;
            let check = |operator: &str, exact: &dyn Fn(f64) -> f64| {
                let y = apply(operator, "spectral", alpha, grid, |t| (w * t).sin());
                let exact: Vec<f64> = grid.points().map(exact).collect();
                let error = relative_max_error(&y, &exact);
                // Rounding at the highest frequency grows with its power.
                let bound = 3e-15 * (n as f64 / 2.0 / f64::from(harmonic)).powf(alpha);
                assert!(error < bound, "{operator} n {n} alpha {alpha}: {error:e}");
            };
            let size = w.powf(alpha);
            check("weyl", &|t| size * (w * t + FRAC_PI_2 * alpha).sin());
            check("riesz", &|t| -size * (w * t).sin());
            check("fractional-laplacian", &|t| size * (w * t).sin());
        }
    }
}

/// The highest frequency of an even number of points has no phase: of cos(w t) at t = j dt, where
/// the sine vanishes, the exact derivative is w^alpha cos(pi alpha / 2) cos(w t).
#[test]
fn the_nyquist_frequency_has_the_real_part() {
    let grid = Grid::uniform(16, 0.5).unwrap();
    let w = TAU;
    for alpha in [0.5, 1.0, 1.6, 2.0] {
        let alternating = |t: f64| (w * t).cos();
        let size = w.powf(alpha);
        for (operator, factor) in [("weyl", (FRAC_PI_2 * alpha).cos()), ("riesz", -1.0)] {
            let y = apply(operator, "spectral", alpha, grid, alternating);
            for (n, y) in y.iter().enumerate() {
                let exact = factor * size * alternating(grid.t(n));
                assert!((y - exact).abs() < 1e-13 * size, "{operator} {alpha}: {y} {exact}");
            }
        }
    }
}

#[test]
fn a_box_multiplies_each_plane_wave_by_its_own_frequency() {
    let (nx, ny, nz) = (6, 8, 5);
    // Three different periods.
    let stretch = [1.0, 2.5, 0.4];
    let grid = |n: usize, axis: usize| Grid::uniform(n, stretch[axis] * TAU / n as f64).unwrap();
    let axes = [grid(nx, 0), grid(ny, 1), grid(nz, 2)];
    let order = Order::new(1.3).unwrap();
    let riesz = hpfracc_operators::Riesz::spectral(order).on_box(&axes, &Reference).unwrap();
    for (a, b, c) in [(1, 0, 0), (2, -1, 1), (0, 3, 2), (-1, 2, -2)] {
        let wave = |i: usize, j: usize, k: usize| {
            let phase = f64::from(a) / stretch[0] * axes[0].t(i)
                + f64::from(b) / stretch[1] * axes[1].t(j)
                + f64::from(c) / stretch[2] * axes[2].t(k);
            (phase + 0.3).cos()
        };
        let f = ndarray::Array3::from_shape_fn((nx, ny, nz), |(i, j, k)| wave(i, j, k));
        let squares = [a, b, c].into_iter().zip(stretch).map(|(m, s)| (f64::from(m) / s).powi(2));
        let xi = squares.sum::<f64>().sqrt();
        let y = riesz.apply(f.view()).unwrap();
        let exact = &f * -xi.powf(1.3);
        let error = max_abs((&y - &exact).iter()) / max_abs(exact.iter());
        assert!(error < 1e-13, "({a}, {b}, {c}): {error:e}");
    }
    // Leading axes are a batch.
    let batch = Array2::from_shape_fn((2, nx * ny * nz), |(s, i)| (s + i) as f64);
    let batch = batch.into_shape_with_order((2, nx, ny, nz)).unwrap();
    let both = riesz.apply(batch.view()).unwrap();
    for s in 0..2 {
        let one = riesz.apply(batch.index_axis(ndarray::Axis(0), s)).unwrap();
        let difference = &both.index_axis(ndarray::Axis(0), s) - &one;
        assert!(max_abs(difference.iter()) < 1e-11);
    }
}
