//! Timings: `cargo test --release -p hpfracc-spatial --test timings -- --ignored --nocapture`.
//! They print figures and assert only errors and counts.

use hpfracc_spatial::{
    Complex64, Function, Graph, GraphLaplacian, NullSpace, OperatorFunction, ShiftedSolver,
    SpatialError, SpatialOperator, Spectrum, Way,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[path = "functions/operators.rs"]
#[expect(dead_code, reason = "shared with the tests of functions")]
mod operators;

/// Counts products.
struct Counted<'a>(&'a GraphLaplacian, AtomicUsize);

impl SpatialOperator for Counted<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.apply(x, y);
    }

    fn spectrum(&self) -> Spectrum {
        self.0.spectrum()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.0.weights()
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        self.0.shifted(z)
    }
}

/// Best of five, in milliseconds.
fn milliseconds(mut f: impl FnMut()) -> f64 {
    let time = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(|_| time(&mut f)).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "timing"]
fn relaxation_in_one_dimension() {
    let a = operators::Tridiagonal::new(1000);
    let x = operators::numbers(1000, 0.2);
    let mut y = vec![0.0; 1000];
    for alpha in [0.3, 0.5, 0.9] {
        let function = Function::MittagLeffler { alpha, t: 0.01 };
        let ms = milliseconds(|| {
            let f = OperatorFunction::new(&a, function, Way::Contour, 1e-10).unwrap();
            f.apply(&x, &mut y).unwrap();
        });
        let f = OperatorFunction::new(&a, function, Way::Contour, 1e-10).unwrap();
        let apply = milliseconds(|| f.apply(&x, &mut y).unwrap());
        println!("contour, n = 1000, alpha {alpha}: {ms:.2} ms, applied {apply:.2} ms (bar 2)");
        println!("  {}", f.explain());
    }
}

#[test]
#[ignore = "timing"]
fn square_root_of_a_normalised_laplacian() {
    let graph = Graph::preferential_attachment(100_000, 4, 1).unwrap();
    let a = GraphLaplacian::normalised(&graph).unwrap();
    let mut delta = vec![0.0; a.len()];
    delta[50_000] = 1.0;
    let mut y = vec![0.0; a.len()];
    let product = milliseconds(|| a.apply(&delta, &mut y));
    println!("product: {product:.2} ms");
    for (name, x) in [("delta", delta), ("dense", operators::numbers(a.len(), 0.3))] {
        let counted = Counted(&a, AtomicUsize::new(0));
        let apply = |tolerance: f64, y: &mut [f64]| {
            let f = OperatorFunction::new(&counted, Function::Power(0.5), Way::Lanczos, tolerance);
            f.unwrap().apply(&x, y).unwrap();
        };
        apply(1e-8, &mut y);
        let products = counted.1.load(Ordering::Relaxed);
        let ms = milliseconds(|| apply(1e-8, &mut y));
        let mut exact = vec![0.0; a.len()];
        apply(1e-13, &mut exact);
        let error = operators::distance(&y, &exact) / operators::norm(&exact);
        println!("{name}: {products} products (bar 25), {ms:.1} ms (bar 60), error {error:.1e}");
    }
}

#[test]
#[ignore = "timing"]
fn square_root_on_a_torus() {
    let a = GraphLaplacian::combinatorial(&Graph::torus(&[316, 316]).unwrap()).unwrap();
    let mut x = vec![0.0; a.len()];
    x[0] = 1.0;
    let mut y = vec![0.0; a.len()];
    let start = Instant::now();
    let f = OperatorFunction::new(&a, Function::Power(0.5), Way::Rational, 1e-6).unwrap();
    println!("{} ({:.2} s)", f.explain(), start.elapsed().as_secs_f64());
    f.apply(&x, &mut y).unwrap();
    println!("applied after {:.2} s", start.elapsed().as_secs_f64());
    assert!(matches!(a.spectrum().null_space, NullSpace::Components { .. }));
}

#[test]
#[ignore = "timing"]
fn products_with_many_columns() {
    let graph = Graph::preferential_attachment(100_000, 4, 1).unwrap();
    let a = GraphLaplacian::normalised(&graph).unwrap();
    let columns = 64;
    let x: Vec<f32> = (0..a.len() * columns).map(|i| (i % 97) as f32).collect();
    let mut y = vec![0.0f32; x.len()];
    // As many bytes as are read and written: a row for each entry and the diagonal.
    let entries = 2 * graph.edges().count() + a.len();
    let source = vec![1.0f32; entries * columns];
    let mut target = vec![0.0f32; entries * columns];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (mut product, mut copy) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        let ms = milliseconds(|| pool.install(|| a.apply_columns(columns, &x, &mut y)).unwrap());
        product = product.min(ms);
        copy = copy.min(milliseconds(|| target.copy_from_slice(&source)));
    }
    // The copy moves twice the bytes that the product reads.
    let read = 4.0 * (entries * columns) as f64;
    let (rate, stream) = (read / product / 1e6, 2.0 * read / copy / 1e6);
    println!("{product:.1} ms: {rate:.1} GB/s read; copy {stream:.1} GB/s, {:.2}", rate / stream);
}
