//! Operators on points at any distances: against the uniform weights, against each other, on
//! powers.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Bound, Caputo, MeshMemory, Operator, OperatorError, RiemannLiouville, RlIntegral,
    SumOfExponentials, Weights, named,
};
use hpfracc_special::{gamma, recip_gamma};
use hpfracc_testkit::{Table, max_abs, observed_order};
use hpfracc_types::{Grid, Mesh, Order};
use ndarray::{Array1, Array2};
use std::collections::BTreeMap;
use std::sync::Arc;

type Make = fn(f64) -> Arc<dyn Operator>;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

/// Every scheme that has a form on a mesh, with the exponent by which it shifts powers.
fn operators() -> Vec<(Arc<dyn Operator>, f64)> {
    let mut found: Vec<(Arc<dyn Operator>, f64)> = Vec::new();
    for alpha in [0.02, 0.3, 0.5, 0.9, 0.999] {
        found.push((Arc::new(Caputo::l1(order(alpha)).unwrap()), -alpha));
        found.push((Arc::new(RiemannLiouville::l1(order(alpha)).unwrap()), -alpha));
    }
    for alpha in [0.01, 0.4, 0.8, 1.0, 1.3, 1.99, 2.0] {
        found.push((Arc::new(RlIntegral::rectangle(order(alpha)).unwrap()), alpha));
        found.push((Arc::new(RlIntegral::trapezoid(order(alpha)).unwrap()), alpha));
    }
    found
}

/// Uneven, with steps that rise, fall and jump.
fn uneven(n: usize) -> Mesh {
    with_jumps(n, 1e-6)
}

/// Every 17th step is that much shorter.
fn with_jumps(n: usize, jump: f64) -> Mesh {
    let mut t = 0.3;
    let step = |i: usize| {
        t += 0.01 * (1.1 + (1.3 * i as f64).sin()) * if i % 17 == 5 { jump } else { 1.0 };
        t
    };
    Mesh::new((0..n).map(step).collect()).unwrap()
}

fn bound(operator: &Arc<dyn Operator>, mesh: &Mesh, memory: MeshMemory) -> Bound<f64> {
    Arc::clone(operator).on_mesh_with(mesh, memory, &Reference).unwrap()
}

fn signal(mesh: &Mesh) -> Array1<f64> {
    mesh.points().iter().map(|t| (7.0 * t).cos() + 0.3 * t + 1.0).collect()
}

/// The sums of `|w| |g|` over the cells, g the slopes for derivatives and the samples for
/// integrals.
fn terms(operator: &Arc<dyn Operator>, mesh: &Mesh, f: &Array1<f64>) -> Array1<f64> {
    if operator.name().0 == "rl-integral" {
        let exact = bound(operator, mesh, MeshMemory::Exact);
        return exact.apply(f.mapv(f64::abs).view()).unwrap();
    }
    let slopes: Arc<dyn Operator> = Arc::new(Caputo::l1(operator.order()).unwrap());
    let mut rising = f.clone();
    for i in 1..f.len() {
        rising[i] = rising[i - 1] + (f[i] - f[i - 1]).abs();
    }
    bound(&slopes, mesh, MeshMemory::Exact).apply(rising.view()).unwrap()
}

#[test]
fn equal_steps_give_the_weights_of_the_grid() {
    let grid = Grid::uniform(120, 0.05).unwrap();
    let mesh = Mesh::uniform(grid, 0.0).unwrap();
    for (operator, _) in operators() {
        let exact = Arc::clone(&operator).on::<f64, _>(grid, &Reference).unwrap();
        let exact = exact.to_matrix().unwrap();
        for (memory, bound_on_error) in [(MeshMemory::Exact, 2e-13), (MeshMemory::default(), 2e-12)]
        {
            let found = bound(&operator, &mesh, memory).to_matrix().unwrap();
            let error = max_abs(&(&found - &exact)) / max_abs(&exact);
            let name = format!("{:?} {} {memory:?}", operator.name(), operator.order());
            assert!(error < bound_on_error, "{name}: {error:e}");
        }
    }
}

/// Each entry within 1e-13 of the largest of its row, in values and in derivatives, exactly; by
/// exponentials within what the tolerance leaves.
#[test]
fn weights_agree_with_the_table() {
    let table = Table::parse(include_str!("../data/mesh_weights.csv"));
    let points = [0.0, 2f64.powi(-40), 2f64.powi(-30), 2f64.powi(-10), 0.5, 1.0];
    let points = points.into_iter().chain([1.0 + 2f64.powi(-20), 40.0]).collect();
    let mesh = Mesh::new(points).unwrap();
    let n = mesh.n();
    let mut groups: BTreeMap<(String, String), Vec<_>> = BTreeMap::new();
    for row in table.rows() {
        let key = (row.text("scheme").to_owned(), row.text("alpha").to_owned());
        groups.entry(key).or_default().push(row);
    }
    assert_eq!(groups.len(), 12);
    for ((scheme, alpha), rows) in groups {
        let (name, rule) = scheme.split_once('/').unwrap();
        let alpha: f64 = alpha.parse().unwrap();
        let operator = named(name, Some(rule), order(alpha), &[]).unwrap();
        let mut expected = [Array2::<f64>::zeros((n, n)), Array2::zeros((n, n))];
        for row in &rows {
            let at = [row.number("row") as usize, row.number("column") as usize];
            expected[0][at] = row.number("weight");
            expected[1][at] = row.number("derivative");
        }
        for (memory, allowed) in [(MeshMemory::Exact, 1e-13), (MeshMemory::default(), 2e-11)] {
            if memory != MeshMemory::Exact && alpha > 2.0 {
                continue;
            }
            let near = bound(&operator, &mesh, memory);
            let values = near.to_matrix().unwrap();
            // Row by row: the gradient of one result with respect to the order, for unit samples.
            let slopes = Array2::from_shape_fn((n, n), |(row, column)| {
                let unit = |at: usize| Array1::from_shape_fn(n, |i| f64::from(u8::from(i == at)));
                near.vjp_order(unit(column).view(), unit(row).view()).unwrap()
            });
            for (found, expected) in [values, slopes].iter().zip(&expected) {
                for (i, (found, expected)) in
                    found.rows().into_iter().zip(expected.rows()).enumerate()
                {
                    let size = max_abs(expected).max(f64::MIN_POSITIVE);
                    let error = max_abs(&(&found - &expected)) / size;
                    assert!(error < allowed, "{scheme} {alpha} row {i} {memory:?}: {error:e}");
                }
            }
        }
    }
}

/// By exponentials and exactly, in values and in derivatives, relative to the terms of the sums.
#[test]
fn exponentials_are_within_the_tolerance() {
    let meshes = [
        ("uneven", uneven(90)),
        ("graded", Mesh::graded(90, 2.0, 4.0).unwrap()),
        ("strongly graded", Mesh::graded(90, 2.0, 13.0).unwrap()),
        ("shrinking", Mesh::new((0..60).map(|i| -(0.7f64.powi(i))).collect()).unwrap()),
        ("two", Mesh::new(vec![0.0, 0.3]).unwrap()),
        ("three", Mesh::new(vec![0.0, 0.3, 0.4]).unwrap()),
    ];
    for (operator, _) in operators() {
        for (name, mesh) in &meshes {
            let f = signal(mesh);
            let exact = bound(&operator, mesh, MeshMemory::Exact);
            let terms = terms(&operator, mesh, &f);
            let sizes = exact.to_matrix().unwrap().mapv(f64::abs).dot(&f.mapv(f64::abs));
            for tolerance in [1e-4, 1e-8, 1e-12] {
                let memory = MeshMemory::Exponentials { tolerance };
                let near = bound(&operator, mesh, memory);
                let difference = near.apply(f.view()).unwrap() - exact.apply(f.view()).unwrap();
                let what =
                    format!("{:?} {} {name} {tolerance:e}", operator.name(), operator.order());
                for ((d, terms), size) in difference.iter().zip(&terms).zip(&sizes) {
                    // A matrix rounds relative to the samples, and not to their differences.
                    let allowed = tolerance * terms + 1e-14 * size;
                    assert!(d.abs() <= allowed, "{what}: {d:e} of {terms:e}");
                }
            }
        }
    }
}

#[test]
fn gradients_in_the_samples_are_the_transpose() {
    for mesh in [uneven(60), Mesh::graded(60, 1.0, 6.0).unwrap()] {
        for (operator, _) in operators() {
            let near = bound(&operator, &mesh, MeshMemory::default());
            let matrix = near.to_matrix().unwrap();
            let lbar = mesh.points().iter().map(|t| (3.0 * t).sin() + 0.5).collect::<Array1<f64>>();
            let found = near.vjp(lbar.view()).unwrap();
            let expected = matrix.t().dot(&lbar);
            let terms = matrix.t().mapv(f64::abs).dot(&lbar.mapv(f64::abs));
            for ((found, expected), terms) in found.iter().zip(&expected).zip(&terms) {
                let what = format!("{:?} {}", operator.name(), operator.order());
                assert!((found - expected).abs() <= 1e-13 * terms, "{what}: {found} {expected}");
            }
        }
    }
}

/// A batch in blocks, two scalars, columns.
#[test]
fn batches_and_single_precision() {
    let mesh = uneven(50);
    let operator: Arc<dyn Operator> = Arc::new(RlIntegral::trapezoid(order(1.3)).unwrap());
    let near = bound(&operator, &mesh, MeshMemory::default());
    let f = Array2::from_shape_fn((37, 50), |(s, i)| ((s * i) as f64).sin());
    let (y, g) = (near.apply(f.view()).unwrap(), near.vjp(f.view()).unwrap());
    for s in 0..37 {
        assert_eq!(y.row(s), near.apply(f.row(s)).unwrap(), "{s}");
        assert_eq!(g.row(s), near.vjp(f.row(s)).unwrap(), "{s}");
    }
    let single: Bound<f32> = operator.on_mesh(&mesh, &Reference).unwrap();
    let rounded = single.apply(f.mapv(|v| v as f32).view()).unwrap().mapv(f64::from);
    assert!(max_abs(&(&rounded - &y)) < 1e-6 * max_abs(&y));
}

/// d/d alpha against differences of exact weights, and by exponentials against that.
#[test]
fn gradients_in_the_order() {
    for mesh in [with_jumps(60, 1e-3), Mesh::graded(60, 2.0, 3.0).unwrap()] {
        let (f, lbar) = (signal(&mesh), signal(&mesh).mapv(|v| v * v - 0.4));
        let make: [(&str, Make, &[f64]); 4] = [
            ("caputo", |a| Arc::new(Caputo::l1(order(a)).unwrap()), &[0.03, 0.4, 0.97]),
            ("rl", |a| Arc::new(RiemannLiouville::l1(order(a)).unwrap()), &[0.03, 0.4, 0.97]),
            (
                "rectangle",
                |a| Arc::new(RlIntegral::rectangle(order(a)).unwrap()),
                &[0.03, 0.6, 1.0, 1.02, 1.7, 2.0],
            ),
            (
                "trapezoid",
                |a| Arc::new(RlIntegral::trapezoid(order(a)).unwrap()),
                &[0.03, 0.6, 1.0, 1.02, 1.7, 2.0],
            ),
        ];
        for (name, make, orders) in make {
            for &alpha in orders {
                let loss = |alpha: f64| {
                    let exact = bound(&make(alpha), &mesh, MeshMemory::Exact);
                    exact.apply(f.view()).unwrap().dot(&lbar)
                };
                let step = 2e-4;
                let expected = (8.0 * (loss(alpha + step) - loss(alpha - step))
                    - (loss(alpha + 2.0 * step) - loss(alpha - 2.0 * step)))
                    / (12.0 * step);
                let exact = bound(&make(alpha), &mesh, MeshMemory::Exact);
                // Differences magnify the rounding of a loss.
                let matrix = exact.to_matrix().unwrap().mapv(f64::abs);
                let terms = matrix.dot(&f.mapv(f64::abs)).dot(&lbar.mapv(f64::abs));
                let rounding = f64::EPSILON * terms / step;
                let exact = exact.vjp_order(f.view(), lbar.view()).unwrap();
                let size = expected.abs() + loss(alpha).abs();
                assert!(
                    (exact - expected).abs() < 1e-8 * size + rounding,
                    "{name} {alpha}: {exact} {expected}"
                );
                for (tolerance, allowed) in [(1e-12, 1e-10), (1e-6, 1e-5)] {
                    let near = bound(&make(alpha), &mesh, MeshMemory::Exponentials { tolerance });
                    let near = near.vjp_order(f.view(), lbar.view()).unwrap();
                    let error = (near - exact).abs() / size;
                    assert!(error < allowed, "{name} {alpha} {tolerance:e}: {error:e}");
                }
            }
        }
    }
}

/// What piecewise lines hold is exact on every mesh.
#[test]
fn low_powers_are_exact() {
    for mesh in [uneven(200), Mesh::graded(400, 1.0, 5.0).unwrap()] {
        let steps = mesh.points().windows(2).map(|pair| pair[1] - pair[0]);
        let shortest = steps.fold(f64::INFINITY, f64::min);
        for (operator, shift) in operators() {
            let powers: &[f64] = match operator.name() {
                (_, "rectangle") => &[0.0],
                _ => &[0.0, 1.0],
            };
            for &q in powers {
                let t0 = mesh.start();
                let f: Array1<f64> = mesh.points().iter().map(|t| (t - t0).powf(q)).collect();
                let y = bound(&operator, &mesh, MeshMemory::default()).apply(f.view()).unwrap();
                let caputo = operator.name().0 == "caputo";
                for (i, t) in mesh.points().iter().enumerate().skip(1) {
                    let x = t - t0;
                    let exact = gamma(q + 1.0) * recip_gamma(q + 1.0 + shift) * x.powf(q + shift);
                    let exact = if caputo && q == 0.0 { 0.0 } else { exact };
                    let scale = exact.abs().max(if q == 0.0 && caputo { 1.0 } else { 0.0 });
                    // Samples are rounded, and their differences divided by powers of the shortest
                    // step.
                    let rounding = f64::EPSILON * x.powf(q) * shortest.powf(shift.min(0.0));
                    let error = (y[i] - exact).abs() - 2.0 * rounding;
                    let what = format!("{:?} {} t^{q} node {i}", operator.name(), operator.order());
                    assert!(error <= 3e-12 * scale, "{what}: {} {exact}", y[i]);
                }
            }
        }
    }
}

/// t^alpha keeps the L1 scheme at order alpha over all points; grading gives 2 - alpha back.
#[test]
fn grading_restores_the_order() {
    for alpha in [0.4, 0.6, 0.8] {
        let error = |n: usize, r: f64| {
            let mesh = Mesh::graded(n + 1, 1.0, r).unwrap();
            let f: Array1<f64> = mesh.points().iter().map(|t| t.powf(alpha) + t * t).collect();
            let bound = Caputo::l1(order(alpha)).unwrap().on_mesh::<f64, _>(&mesh, &Reference);
            let y = bound.unwrap().apply(f.view()).unwrap();
            // Away from the first few points, where the exact Gamma(alpha + 1) is never met.
            let exact =
                |t: f64| gamma(1.0 + alpha) + 2.0 / gamma(3.0 - alpha) * t.powf(2.0 - alpha);
            let worst = mesh.points().iter().zip(&y).filter(|(t, _)| **t >= 0.05);
            let worst = worst.fold(0.0f64, |worst, (t, y)| worst.max((y - exact(*t)).abs()));
            (1.0 / n as f64, worst)
        };
        let r = (2.0 - alpha) / alpha;
        let pairs: Vec<_> = [500, 1000, 2000].iter().map(|n| error(*n, r)).collect();
        let seen = observed_order(&pairs);
        println!("alpha {alpha}: {seen}, {pairs:?}");
        assert!((seen - (2.0 - alpha)).abs() < 0.2, "{alpha}: {seen} {pairs:?}");
    }
}

/// Strong grading over many points: finite, and as near as the tolerance says, where weights formed
/// literally have lost most of their digits.
#[test]
fn a_long_strongly_graded_mesh() {
    let alpha = 0.4;
    let mesh = Mesh::graded(20_000, 1.0, 4.0).unwrap();
    let f: Array1<f64> = mesh.points().iter().copied().collect();
    let operator = Caputo::l1(order(alpha)).unwrap();
    let memory = MeshMemory::Exponentials { tolerance: 1e-10 };
    let y = operator.on_mesh_with::<f64, _>(&mesh, memory, &Reference).unwrap();
    let y = y.apply(f.view()).unwrap();
    for (t, y) in mesh.points().iter().zip(&y).skip(1) {
        let exact = recip_gamma(2.0 - alpha) * t.powf(1.0 - alpha);
        assert!((y - exact).abs() < 1e-10 * exact, "{t:e}: {y} {exact}");
    }
}

/// The bound of the sums over the ratios that graded meshes have.
#[test]
fn sums_of_exponentials_over_large_ratios() {
    for (b, ratio, tolerance) in
        [(0.4, 1e20, 1e-10), (0.6, 1e20, 1e-12), (0.1, 1e95, 1e-10), (1.4, 1e30, 1e-6)]
    {
        let sum = SumOfExponentials::of_power(b, (1.0 / ratio, 1.0), tolerance).unwrap();
        let points = 40_009;
        let worst = (0..=points).fold(0.0f64, |worst, i| {
            let t = ratio.powf(f64::from(i) / f64::from(points) - 1.0);
            worst.max((sum.value(t) * t.powf(b) - 1.0).abs())
        });
        println!("{b} {ratio:e} {tolerance:e}: {} nodes, {worst:e}", sum.rates().len());
        assert!(worst <= tolerance, "{b} {ratio:e}: {worst:e}");
    }
}

#[test]
fn refuses_orders_and_tolerances_without_exponentials() {
    let mesh = uneven(9);
    let third = RlIntegral::trapezoid(order(2.5)).unwrap();
    let refused = third.mesh_weights(&mesh, MeshMemory::default()).unwrap_err();
    assert!(matches!(refused, OperatorError::Parameter { value, .. } if value == 2.5), "{refused}");
    let exact = third.mesh_weights(&mesh, MeshMemory::Exact);
    assert!(matches!(exact, Ok(Weights::Matrix(_))));
    for tolerance in [0.0, 1e-14, 0.5, f64::NAN] {
        let memory = MeshMemory::Exponentials { tolerance };
        let refused = Caputo::l1(order(0.5)).unwrap().mesh_weights(&mesh, memory);
        assert!(matches!(refused, Err(OperatorError::Parameter { .. })), "{tolerance}");
    }
}
