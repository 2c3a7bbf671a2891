//! [`Weights`] rounded once to the scalar type and bound to a backend: a linear map of slices.

mod cell_differences;
mod combined;
mod decay_kernels;
mod diagonal;
mod first_order;
mod interval;
mod planned;
mod recurrence;
mod signal_map;
mod sum_of_exponentials;
mod toeplitz;
mod transposed;
mod variable_memory;

pub(crate) use signal_map::{Call, Direction, SignalMap, narrow};
pub(crate) use sum_of_exponentials::applied;
pub(crate) use toeplitz::Start;
pub(crate) use variable_memory::VariableSum;

use crate::error::fits;
use crate::{Result, Weights};
use combined::{Product, Sum};
use diagonal::Diagonal;
use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_types::Real;
use interval::Interval;
use planned::PlannedMaps;
use recurrence::BoundRecurrence;
use std::sync::Arc;
use sum_of_exponentials::BoundSum;
use toeplitz::BoundToeplitz;
use transposed::Transposed;
use variable_memory::BoundVariableSum;

/// Rounds weights and binds them. Fails if the backend cannot plan them for one signal.
pub(crate) fn bind<T: Real>(
    weights: Weights,
    backend: &Arc<dyn Backend<T>>,
) -> Result<Box<dyn SignalMap<T>>> {
    let all = |weights: Vec<Weights>| {
        weights.into_iter().map(|w| bind(w, backend)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match weights {
        Weights::Toeplitz(toeplitz) => Box::new(BoundToeplitz::new(toeplitz, backend)?),
        Weights::Symbol(symbol) => {
            let pairs: Vec<f64> = symbol.half.iter().flat_map(|m| [m.re, m.im]).collect();
            let (shape, kernel) = (symbol.shape, narrow(pairs)?);
            let of_batch = move |batch| Workload::SpectralMultiplier { shape, batch };
            Box::new(PlannedMaps::new(shape, kernel, of_batch, backend)?)
        }
        Weights::Matrix(matrix) => {
            let (rows, cols) = matrix.dim();
            fits("the number of columns of a matrix", cols, rows)?;
            let entries: Vec<f64> = matrix.into_iter().collect();
            let of_batch = move |batch| Workload::Dense { rows, cols, batch };
            let (shape, kernel) = (Shape::line(rows), narrow(entries)?);
            Box::new(PlannedMaps::new(shape, kernel, of_batch, backend)?)
        }
        Weights::Exponentials(memory) => Box::new(BoundSum::new::<T>(&memory)?),
        Weights::Diagonal(factors) => Box::new(Diagonal::new(narrow(factors)?)?),
        Weights::FirstOrder(map) => first_order::bind(&map)?,
        Weights::Recurrence { of, n } => Box::new(BoundRecurrence::new(&of, n, backend)?),
        Weights::Product(factors) => Box::new(Product::new(all(factors)?)?),
        Weights::Sum(terms) => Box::new(Sum::new(all(terms)?)?),
        Weights::Transposed(weights) => Box::new(Transposed(bind(*weights, backend)?)),
        Weights::Eigenvalues(eigenvalues) => Box::new(Interval::new(&eigenvalues, backend)?),
        Weights::VariableMemory(memory) => Box::new(BoundVariableSum::new::<T>(&memory)?),
    })
}

#[cfg(test)]
mod tests {
    use super::{Call, Direction, bind};
    use crate::{FirstOrder, OperatorError, Toeplitz, Weights};
    use hpfracc_backend::{Backend, Reference};
    use ndarray::array;
    use std::sync::Arc;

    /// All kinds of weights together: (D T + M / 2) of two signals, and its transpose.
    #[test]
    fn parts_act_as_their_matrices_do() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        let toeplitz = || Weights::from(Toeplitz::causal(vec![1.0, 2.0]));
        let diagonal = || Weights::Diagonal(vec![3.0, 5.0]);
        let matrix = || Weights::Matrix(array![[2.0, 4.0], [6.0, 8.0]]);
        let sum = |factor: f64| {
            let product = Weights::Product(vec![diagonal(), toeplitz()]);
            Weights::Sum(vec![product, matrix().scaled(0.5)]).scaled(factor)
        };
        // D T = [[3, 0], [10, 5]], M / 2 = [[1, 2], [3, 4]]
        let map = bind(sum(1.0), &backend).unwrap();
        let (mut y, mut x) = ([f64::NAN; 4], [f64::NAN; 4]);
        map.run(Call::new(Direction::Forward, &[1.0, 0.0, 0.0, 1.0], &mut y, 2)).unwrap();
        assert_eq!(y, [4.0, 13.0, 2.0, 9.0]);
        map.run(Call::new(Direction::Transposed, &[1.0, 0.0, 0.0, 1.0], &mut x, 2)).unwrap();
        assert_eq!(x, [4.0, 2.0, 13.0, 9.0]);
        bind(sum(2.0), &backend)
            .unwrap()
            .run(Call::new(Direction::Forward, &[1.0, 1.0, 0.0, 0.0], &mut y, 2))
            .unwrap();
        assert_eq!(y, [12.0, 44.0, 0.0, 0.0]);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        let (two, three) = (vec![1.0; 2], vec![1.0; 3]);
        let unequal = || vec![Weights::Diagonal(two.clone()), Weights::Diagonal(three.clone())];
        let wide = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        for weights in [
            Weights::Product(unequal()),
            Weights::Sum(unequal()),
            Weights::Product(Vec::new()),
            Weights::Sum(Vec::new()),
            Weights::Diagonal(Vec::new()),
            Weights::Matrix(wide),
        ] {
            let refused = bind(weights, &backend).err().unwrap();
            assert!(matches!(refused, OperatorError::Malformed { .. }), "{refused}");
        }
    }

    /// Every length around whole windows and tiles against the formula sample by sample, and the
    /// transpose against columns of the matrix.
    #[test]
    fn windows_are_the_recurrence() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        for n in [1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 18, 24, 31, 32, 33, 40, 513] {
            for rate in [0.0, 1e-9, 0.3, 1.0] {
                let mut map =
                    FirstOrder { n, direct: 0.5, rate, slope: 2.0, level: -0.7, start: 1.5 };
                let bound = bind(Weights::from(map), &backend).unwrap();
                let formula = |x: &[f64]| -> Vec<f64> {
                    let mut z = map.start * x[0];
                    let mut y = vec![map.direct * x[0] + z];
                    for k in 1..n {
                        let s = map.slope * (x[k] - x[k - 1]) + map.level * x[k - 1];
                        z = (1.0 - rate) * z + s;
                        y.push(map.direct * x[k] + z);
                    }
                    y
                };
                let signals = |k: usize| ((3 * k + 1) as f64).sin();
                let x: Vec<f64> = (0..2 * n).map(signals).collect();
                let (mut y, mut back) = (vec![f64::NAN; 2 * n], vec![f64::NAN; 2 * n]);
                bound.run(Call::new(Direction::Forward, &x, &mut y, 2)).unwrap();
                bound.run(Call::new(Direction::Transposed, &x, &mut back, 2)).unwrap();
                for signal in 0..2 {
                    let own = signal * n..(signal + 1) * n;
                    let (f, found) = (&x[own.clone()], &y[own.clone()]);
                    for (found, expected) in found.iter().zip(formula(f)) {
                        assert!((found - expected).abs() < 1e-12 * n as f64, "{n} {rate}");
                    }
                    // <A e_i, f> for the unit vectors that matter, and <A f, f>.
                    let dot =
                        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                    for i in
                        [0, 1, n / 2, n.saturating_sub(2), n - 1].into_iter().filter(|i| *i < n)
                    {
                        let mut unit = vec![0.0; n];
                        unit[i] = 1.0;
                        let expected = dot(&formula(&unit), f);
                        let found = back[own.clone()][i];
                        assert!((found - expected).abs() < 1e-12 * n as f64, "{n} {rate} {i}");
                    }
                    let (forward, backward) = (dot(found, f), dot(f, &back[own]));
                    assert!((forward - backward).abs() < 1e-11 * n as f64, "{n} {rate}");
                }
                for rate in [1.5, f64::NAN, -1e30] {
                    let refused = bind(Weights::from(FirstOrder { rate, ..map }), &backend).err();
                    assert!(matches!(refused, Some(OperatorError::Overflow { .. })), "{rate}");
                }
                map.n = 0;
                let refused = bind(Weights::from(map), &backend).err().unwrap();
                assert!(matches!(refused, OperatorError::Malformed { .. }));
            }
        }
    }

    /// Buffers that begin anywhere give the same bits.
    #[test]
    fn alignment_does_not_change_bits() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        for (n, level) in [(5, 0.0), (40, 0.0), (40, -0.7)] {
            let direct = 0.5 * level;
            let map = FirstOrder { n, direct, rate: 0.3, slope: 2.0, level, start: 1.5 };
            let bound = bind(Weights::from(map), &backend).unwrap();
            let x: Vec<f64> = (0..n).map(|k| ((3 * k + 1) as f64).sin()).collect();
            for direction in [Direction::Forward, Direction::Transposed] {
                let mut y = vec![f64::NAN; n];
                bound.run(Call::new(direction, &x, &mut y, 1)).unwrap();
                for offset in 1..9 {
                    let (mut from, mut to) = (vec![0.0; n + 8], vec![0.0; n + 8]);
                    from[8 - offset % 3..][..n].copy_from_slice(&x);
                    let (from, to) = (&from[8 - offset % 3..][..n], &mut to[offset - 1..][..n]);
                    bound.run(Call::new(direction, from, to, 1)).unwrap();
                    assert_eq!(to, y, "{n} {level} {offset}");
                }
            }
        }
    }

    /// A slow decay over a long signal, where powers of a rounded decay would be wrong in the tenth
    /// digit.
    #[test]
    fn slow_decays_keep_their_digits() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        let (n, x): (usize, f64) = (1_000_001, 3e-7);
        let rate = -(-x).exp_m1();
        let map = FirstOrder { n, direct: 0.0, rate, slope: 0.0, level: 0.0, start: 1.0 };
        let bound = bind(Weights::from(map), &backend).unwrap();
        let (mut f, mut y) = (vec![0.0; n], vec![0.0; n]);
        f[0] = 1.0;
        bound.run(Call::new(Direction::Forward, &f, &mut y, 1)).unwrap();
        let exact = (-x * (n - 1) as f64).exp();
        assert!((y[n - 1] / exact - 1.0).abs() < 1e-13, "{:e}", y[n - 1] / exact - 1.0);
    }
}
