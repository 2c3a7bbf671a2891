//! Elementary functions of generated shaders: the bits of the CPU in single and double precision, and bounds of
//! double-float numbers.

use super::case::Ended;
use super::device;
use hpfracc_equation::wgsl::{Rounding, ShaderFunction};
use hpfracc_equation::{Binary, Execute, Graph, Id, Input, Unary, Values, evaluate};
use hpfracc_lanes::random::Philox;
use hpfracc_types::Real;
use hpfracc_wgpu::Precision;
use hpfracc_wgpu::ensemble::{
    PathEquation, PathGrid, PathObserver, PathScheme, PathSolver, PathSummary,
};

/// Numbers of all magnitudes up to a power of ten, with those at which functions change.
fn numbers(range: i32) -> Vec<f64> {
    let special = [
        0.0, 1.0, -1.0, 0.5, 0.85, 0.35, 0.41, -0.29, 6.0, 9.5, 19.5, 88.7, 89.0, 104.0, 708.0,
        709.9, -745.5, 746.0, 1e5, 1.1e5, -3e7, 1e9, 1.1e9, 1e20, 3e38,
    ];
    let spread = |i: usize| {
        let [a, b, c, d] = Philox::new(5).block([i as u32, 0, 0, 0]);
        let word = (u64::from(b) << 32 | u64::from(c)) as f64;
        let size = word / 2f64.powi(64) * 2.0 - 1.0;
        match a % 4 {
            0 => size * 10f64.powi((d % (2 * range) as u32) as i32 - range),
            1 => size * 100.0,
            2 => size * 3.0,
            _ => size * 1e6,
        }
    };
    special.into_iter().chain((0..1 << 15).map(spread)).collect()
}

/// Takes values for the states of the first component, and the states of the second one.
struct Table<'a, T> {
    x: &'a [T],
    y: Vec<T>,
}

impl<T: Real> PathObserver<T> for Table<'_, T> {
    type Error = Ended;

    fn start(&mut self, path: usize, lanes: usize, rows: &mut [T]) -> Result<(), Ended> {
        rows[..lanes].copy_from_slice(&self.x[path..path + lanes]);
        rows[lanes..].fill(T::zero());
        Ok(())
    }

    fn record(&mut self, _: usize, path: usize, lanes: usize, rows: &[T]) -> Result<(), Ended> {
        self.y[path..path + lanes].copy_from_slice(&rows[lanes..]);
        Ok(())
    }

    fn summary(&mut self, _: usize, _: usize, _: usize, _: &PathSummary) -> Result<(), Ended> {
        Ok(())
    }

    fn pause(&mut self, _: u64) -> Result<(), Ended> {
        Ok(())
    }
}

/// A function as the drift of a component, whose other drift is zero.
fn function(build: impl FnOnce(&mut Graph, Id) -> Id) -> (Graph, Id) {
    let mut graph = Graph::new();
    let (x, _) = (graph.variable(0), graph.variable(1));
    let root = build(&mut graph, x);
    (graph, root)
}

/// Values on the device: a step of length 1 from 0.
fn values<P: Precision>(precision: &P, (graph, root): &(Graph, Id), x: &[P::Host]) -> Vec<P::Host> {
    let mut graph = graph.clone();
    let zero = graph.constant(0.0);
    let inputs = [Input::Row(0), Input::Row(1)];
    let names = ["x".to_owned(), "y".to_owned()];
    let roots = [zero, *root];
    let equation = PathEquation {
        coefficients: ShaderFunction::new("coefficients", &graph, &roots, (&inputs, &names))
            .unwrap(),
        parameters: vec![],
        dim: 2,
        streams: vec![],
        correlation: None,
        integrals: None,
        fractional: vec![],
        stops: None,
        jumps: vec![],
        noise: vec![vec![], vec![]],
        scheme: PathScheme::EulerMaruyama,
    };
    let solver = PathSolver::new(precision, equation, Rounding::Guarded).unwrap();
    let grid = PathGrid {
        seed: 0,
        first_path: 0,
        paths: x.len(),
        tile: 1,
        t0: 0.0,
        h: 1.0,
        saved: vec![1],
    };
    let mut table = Table { x, y: vec![P::Host::NAN; x.len()] };
    solver.solve(&grid, &mut table).unwrap();
    table.y
}

fn expected<T: Real + Execute>((graph, root): &(Graph, Id), x: &[T]) -> Vec<T> {
    let of =
        |x: &T| evaluate::<T>(graph, &[*root], &[Values::Path(*x), Values::Path(T::zero())])[0];
    x.iter().map(of).collect()
}

/// Functions of one argument, and powers.
fn functions() -> Vec<(String, (Graph, Id))> {
    let without = [Unary::Gamma, Unary::Digamma, Unary::Trigamma];
    let unary = Unary::ALL.iter().filter(|operation| !without.contains(operation));
    let mut all: Vec<(String, (Graph, Id))> = unary
        .map(|operation| {
            (format!("{operation:?}"), function(|graph, x| graph.unary(*operation, x)))
        })
        .collect();
    for y in [1.7, -0.3, 12.5, 3.0, -2.0, 0.0, 1e-3, 80.25] {
        let power = function(|graph, x| {
            let y = graph.constant(y);
            graph.binary(Binary::Power, x, y)
        });
        all.push((format!("power {y}"), power));
    }
    all
}

#[test]
fn functions_in_double_precision_have_the_bits_of_the_cpu() {
    let Some(gpu) = device::gpu("functions_in_double_precision") else { return };
    let Ok(precision) = gpu.f64() else { return println!("skipped: no double precision") };
    let x = numbers(300);
    let mut failed = false;
    for (name, function) in functions() {
        let (mut differ, mut worst, mut first) = (0, 0, None);
        let found = values(&precision, &function, &x);
        for ((x, y), expected) in x.iter().zip(found).zip(expected(&function, &x)) {
            let tiny = |value: f64| value.abs() < f64::MIN_POSITIVE;
            let same = y == expected || (y.is_nan() && expected.is_nan());
            if !(same || tiny(y) && tiny(expected)) {
                differ += 1;
                let bits = |x: f64| i128::from(x.to_bits() as i64);
                worst = worst.max((bits(y) - bits(expected)).abs());
                first.get_or_insert((*x, y, expected));
            }
        }
        println!("{name}: {differ} of {} differ, by at most {worst} bits {first:?}", x.len());
        failed |= differ > 0;
    }
    assert!(!failed);
}

/// Double-float numbers against double precision, relative to the results, where these are normal numbers of `f32` with all
/// their digits.
#[test]
fn functions_of_double_float_numbers_are_near_those_of_the_cpu() {
    let Some(gpu) = device::gpu("functions_of_double_float_numbers") else { return };
    let precision = gpu.double_float().unwrap();
    // Numbers that have 48 digits.
    let exact = |x: f64| f64::from(x as f32) + f64::from((x - f64::from(x as f32)) as f32);
    let x: Vec<f64> = numbers(25).into_iter().map(exact).collect();
    let mut failed = false;
    for (name, function) in functions() {
        let (mut worst, mut at) = (0.0, None);
        let found = values(&precision, &function, &x);
        for ((x, y), expected) in x.iter().zip(found).zip(expected(&function, &x)) {
            if expected.is_nan() {
                failed |= !y.is_nan();
                continue;
            }
            if expected.abs() > 3e38 || expected.abs() < 1e-30 {
                // Infinite, or with fewer digits.
                let near = (y - expected).abs() < 1e-40;
                let large = y.abs() > 3e38 && (y < 0.0) == (expected < 0.0);
                if !(if expected.abs() > 3e38 { large } else { near }) {
                    failed = true;
                    println!("{name}({x:e}) is {y:e}, not {expected:e}");
                }
                continue;
            }
            // Powers magnify the error of the logarithm.
            let magnified = if name.starts_with("power") { expected.abs().ln().abs() } else { 0.0 };
            // Beyond, the angle has an absolute error.
            let far = (name == "Sin" || name == "Cos") && x.abs() > 1e5;
            let scale = if far { 1.0 } else { expected.abs() };
            let error = (y - expected).abs() / scale / (1.0 + 0.4 * magnified);
            if error > worst || error.is_nan() {
                (worst, at) = (error, Some((*x, y, expected)));
            }
        }
        println!("{name}: {worst:e} at {at:?}");
        failed |= worst > 5e-14 || worst.is_nan();
    }
    assert!(!failed);
}
