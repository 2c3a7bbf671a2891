use crate::{Bytes, Target};
use hpfracc::backend::Reference;
use hpfracc::cpu::Fft;
use hpfracc::ndarray::{Array1, Array2, aview1};
use hpfracc::operators::{Bound, Discrete, MeshMemory, Operator, OperatorError, Stream, catalogue};
use hpfracc::types::{Grid, Mesh, Order};
use std::sync::Arc;

/// All rows of the catalogue with orders, parameters, grids and meshes of any bits.
pub(super) const TARGET: Target =
    Target { name: "operators", about: "orders, parameters and grids of operators", run };

/// Maximum number of samples.
const MAX_SAMPLES: usize = 40;

fn run(data: &[u8]) {
    if let Err(error) = trial(&mut Bytes::new(data)) {
        drop(error.to_string());
    }
}

fn trial(bytes: &mut Bytes<'_>) -> Result<(), OperatorError> {
    let rows: Vec<_> = catalogue().collect();
    let entry = *bytes.one_of(&rows);
    // Any number, or as often one in the range of the scheme.
    let alpha = match bytes.byte() % 4 {
        0 | 1 => *bytes.one_of(entry.range.examples),
        _ => bytes.real(),
    };
    let order = Order::new(alpha)?;
    let values: Vec<_> = entry
        .definition
        .parameters
        .iter()
        .map(|p| (p.name, if bytes.flag() { bytes.real() } else { p.example }))
        .collect();
    let operator = entry.make(order, &values)?;
    match bytes.byte() % 4 {
        0 | 1 => on_grid(operator, bytes),
        2 => on_mesh(operator, bytes),
        _ => as_stream(operator, bytes),
    }
}

fn on_grid(operator: Arc<dyn Operator>, bytes: &mut Bytes<'_>) -> Result<(), OperatorError> {
    // A small number, or one that a grid refuses.
    let n = bytes.count(MAX_SAMPLES);
    let dt = if bytes.flag() { bytes.real() } else { 0.1 };
    let grid = Grid::uniform(n, dt)?;
    let _ = operator.recurrence(dt, 1 + bytes.word() % (1 << 50), bytes.real());
    let bound: Bound<f64> = operator.clone().on(grid, &Reference)?;
    signals(&bound, n, bytes)?;
    let single: Bound<f32> = operator.clone().on(grid, &Fft::default())?;
    let f: Vec<f32> = (0..n).map(|j| j as f32).collect();
    single.apply(aview1(&f))?;
    Ok(())
}

fn on_mesh(operator: Arc<dyn Operator>, bytes: &mut Bytes<'_>) -> Result<(), OperatorError> {
    let n = bytes.count(MAX_SAMPLES);
    let mesh = match bytes.byte() % 4 {
        0 => Mesh::graded(n, bytes.real(), bytes.real())?,
        1 => Mesh::geometric(n, bytes.real(), bytes.real())?,
        2 => Mesh::uniform(Grid::uniform(n, bytes.real())?, bytes.real())?,
        _ => {
            let points = bytes.below(MAX_SAMPLES);
            Mesh::new(bytes.reals(points))?
        }
    };
    let memory = match bytes.byte() % 3 {
        0 => MeshMemory::default(),
        1 => MeshMemory::Exact,
        _ => MeshMemory::Exponentials { tolerance: bytes.real() },
    };
    operator.mesh_weights(&mesh, memory)?;
    let n = mesh.n();
    let bound: Bound<f64> = operator.on_mesh_with(&mesh, memory, &Reference)?;
    signals(&bound, n, bytes)
}

fn as_stream(operator: Arc<dyn Operator>, bytes: &mut Bytes<'_>) -> Result<(), OperatorError> {
    let dt = if bytes.flag() { bytes.real() } else { 0.1 };
    let longest = if bytes.flag() { bytes.word() } else { 1000 };
    let tolerance = if bytes.flag() { bytes.real() } else { 1e-6 };
    let recurrence = operator.recurrence(dt, longest, tolerance)?;
    let mut stream: Stream<f64> = Stream::new(&recurrence, 1, &Reference)?;
    for sample in [1.0, bytes.real(), bytes.real(), 0.0] {
        stream.push(sample)?;
    }
    let mut again: Stream<f64> = Stream::resume(&recurrence, &stream.state(), &Reference)?;
    let (sample, bits) = (bytes.real(), |y: f64| if y.is_nan() { 0 } else { y.to_bits() });
    assert_eq!(bits(stream.push(sample)?), bits(again.push(sample)?), "resumed with other bits");
    if let Ok(n) = usize::try_from(longest.min(1000)) {
        let of = Discrete::Exponentials(Grid::uniform(n, dt)?, tolerance);
        let _ = operator.order_derivative(&of)?;
    }
    Ok(())
}

/// Compares application, transpose and matrix.
fn signals(bound: &Bound<f64>, n: usize, bytes: &mut Bytes<'_>) -> Result<(), OperatorError> {
    let plain = bytes.flag();
    let mut sample = |j: usize| if plain { (j as f64 * 0.7).sin() } else { bytes.real() };
    let f: Array1<f64> = (0..n).map(&mut sample).collect();
    let seed: Array1<f64> = (0..n).map(&mut sample).collect();
    let y = bound.apply(f.view())?;
    let x = bound.vjp(seed.view())?;
    let matrix = bound.to_matrix()?;
    if plain {
        product("forward", &matrix, &f, &y);
        product("backward", &matrix.t().to_owned(), &seed, &x);
    }
    bound.vjp_order(f.view(), seed.view())?;
    Ok(())
}

/// Checks that a result equals the product with the matrix up to rounding.
///
/// A scheme may convolve q-fold differences of the samples, q <= 2, with weights c, whose q-fold
/// differences are the entries of the matrix A. Weights that are multiplied by no sample do not
/// contribute. So each side is a sum of terms of at most 2^q max|c| max|x|, and over n columns
/// max|c| <= C(n+q-1, q) max|A|. The rounding error of such a sum of n terms is at most
/// (n+q) EPSILON times the sum of their magnitudes; twice that, because the matrix has the same
/// errors. Multipliers (max|symbol| <= n max|A|) and sums of exponentials of one sign stay below.
fn product(what: &str, matrix: &Array2<f64>, x: &Array1<f64>, y: &Array1<f64>) {
    let n = x.len() as f64;
    let largest =
        |values: &mut dyn Iterator<Item = &f64>| values.fold(0.0f64, |m, v| m.max(v.abs()));
    let weights = n * (n + 1.0) / 2.0 * largest(&mut matrix.iter());
    let bound = 2.0 * (n + 2.0) * f64::EPSILON * n * 4.0 * weights * largest(&mut x.iter());
    let in_range = weights < 1e290; // NaN is not
    if !in_range {
        return;
    }
    let expected = matrix.dot(x);
    for (j, (y, expected)) in y.iter().zip(&expected).enumerate() {
        let close = (y - expected).abs() <= bound + 1e-290;
        assert!(close, "{what}, entry {j}: {y}, by the matrix {expected}, bound {bound:e}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error of 1e-7 of the largest weight is detected.
    #[test]
    fn a_wrong_weight_is_detected() {
        for n in [1, 2, 10, MAX_SAMPLES - 1] {
            let weight =
                |(i, j): (usize, usize)| if j <= i { ((1 + i - j) as f64).powf(-0.3) } else { 0.0 };
            let matrix = Array2::from_shape_fn((n, n), weight);
            let x: Array1<f64> = (0..n).map(|j| (j as f64 * 0.7).cos()).collect();
            product("right", &matrix, &x, &matrix.dot(&x));
            let mut wrong = matrix.clone();
            wrong[(0, 0)] *= 1.0 + 1e-7;
            let y = wrong.dot(&x);
            let result = std::panic::catch_unwind(|| product("wrong", &matrix, &x, &y));
            assert!(result.is_err(), "{n}");
        }
    }
}
