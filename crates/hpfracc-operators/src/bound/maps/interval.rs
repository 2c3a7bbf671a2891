use super::planned::PlannedMaps;
use super::signal_map::{Call, Direction, Pending, SignalMap, narrow};
use crate::bound::scratch::Scratch;
use crate::error::fits;
use crate::{Boundary, Eigenvalues, Result};
use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// A multiplier of sines or cosines, by the Fourier transform of the odd or even extension.
///
/// ```text
/// odd:  0, f_0 .. f_{n-1}, 0, -f_{n-1} .. -f_0        even:  f_0 .. f_{n-1}, f_{n-1} .. f_0
/// ```
pub(super) struct Interval<T> {
    boundary: Boundary,
    n: usize,
    period: usize,
    extended: PlannedMaps<T>,
    scratch: Scratch<T>,
}

impl<T: Real> Interval<T> {
    pub(super) fn new(eigenvalues: &Eigenvalues, backend: &Arc<dyn Backend<T>>) -> Result<Self> {
        let Eigenvalues { boundary, values } = eigenvalues;
        let (n, period) = (values.len(), eigenvalues.period());
        fits("the number of eigenvalues", n, n.max(1))?;
        // The half spectrum has more frequencies than there are eigenvectors; none of the others is
        // in an extension of this parity.
        let first = if *boundary == Boundary::Dirichlet { vec![0.0] } else { Vec::new() };
        let half = first.iter().chain(values).chain(&[0.0]);
        let pairs: Vec<f64> = half.flat_map(|value| [*value, 0.0]).collect();
        let shape = Shape::line(period);
        let of_batch = move |batch| Workload::SpectralMultiplier { shape, batch };
        let extended = PlannedMaps::new(shape, narrow(pairs)?, of_batch, backend)?;
        Ok(Self { boundary: *boundary, n, period, extended, scratch: Scratch::new() })
    }

    fn extend(&self, x: &[T], wide: &mut [T]) {
        let (n, period) = (self.n, self.period);
        for (x, wide) in x.chunks_exact(n).zip(wide.chunks_exact_mut(period)) {
            let start = self.start();
            let (head, mirror) = wide.split_at_mut(start + n);
            head[start..].copy_from_slice(x);
            match self.boundary {
                Boundary::Dirichlet => {
                    (head[0], mirror[0]) = (T::zero(), T::zero());
                    mirror[1..].iter_mut().zip(x.iter().rev()).for_each(|(m, x)| *m = -*x);
                }
                Boundary::Neumann => {
                    mirror.iter_mut().zip(x.iter().rev()).for_each(|(m, x)| *m = *x);
                }
            }
        }
    }

    fn restrict(&self, wide: &[T], y: &mut [T]) {
        let start = self.start();
        for (y, wide) in y.chunks_exact_mut(self.n).zip(wide.chunks_exact(self.period)) {
            y.copy_from_slice(&wide[start..start + self.n]);
        }
    }

    /// Index of the first sample in the extension.
    fn start(&self) -> usize {
        usize::from(self.boundary == Boundary::Dirichlet)
    }
}

impl<T: Real> SignalMap<T> for Interval<T> {
    fn shape(&self) -> Shape {
        Shape::line(self.n)
    }

    /// Real factors of orthogonal vectors: a symmetric matrix.
    fn run(&self, Call { from, to, batch, .. }: Call<'_, T>) -> Result<()> {
        let len = self.period * batch;
        self.scratch.lend(len, |wide| {
            self.scratch.lend(len, |result| {
                self.extend(from, wide);
                self.extended.run(Call::new(Direction::Forward, wide, result, batch))?;
                self.restrict(result, to);
                Ok(())
            })
        })
    }

    fn run_async<'a>(&'a self, Call { from, to, batch, .. }: Call<'a, T>) -> Pending<'a> {
        Box::pin(async move {
            let mut wide = vec![T::zero(); self.period * batch];
            let mut result = wide.clone();
            self.extend(from, &mut wide);
            self.extended
                .run_async(Call::new(Direction::Forward, &wide, &mut result, batch))
                .await?;
            self.restrict(&result, to);
            Ok(())
        })
    }
}
