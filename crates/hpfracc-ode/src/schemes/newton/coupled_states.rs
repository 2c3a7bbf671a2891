//! Linear systems of coupled states, by complex shifts of one Jacobian.

use crate::ShiftedJacobian;
use hpfracc_special::Complex64;
use nalgebra::{DMatrix, Schur};

/// Solver for states coupled by a matrix W, `x_p - sum_q W_pq J x_q = r_p`, all with the same J.
///
/// With the Schur form `W = Q T Q*` the unknowns `y = Q* x` follow from the last state to the first,
/// each by a solve with a complex shift:
///
/// ```text
/// (I - T_pp J) y_p = (Q* r)_p + sum_{q > p} T_pq J y_q
/// ```
///
/// The transposed equation goes from the first to the last. Cost: a complex solve for each state, and
/// states^2 operations for each component.
pub(crate) struct CoupledStates<'a> {
    jacobian: Box<dyn ShiftedJacobian + 'a>,
    dim: usize,
    /// Q and T.
    schur: Option<(DMatrix<Complex64>, DMatrix<Complex64>)>,
    /// `y_p` and `J y_p`, state by state.
    y: Vec<Complex64>,
    product: Vec<Complex64>,
}

impl<'a> CoupledStates<'a> {
    /// For a number of states; None if the Jacobian has no solver for complex shifts.
    pub(crate) fn new(
        mut jacobian: Box<dyn ShiftedJacobian + 'a>,
        dim: usize,
        states: usize,
    ) -> Option<Self> {
        jacobian.complex()?;
        let zeros = vec![Complex64::default(); states * dim];
        Some(Self { jacobian, dim, schur: None, y: zeros.clone(), product: zeros })
    }

    /// Number of states.
    pub(crate) fn states(&self) -> usize {
        self.y.len() / self.dim
    }

    /// Takes J at this time and state.
    pub(crate) fn linearise(&mut self, t: f64, y: &[f64]) {
        self.jacobian.linearise(t, y);
    }

    /// Prepares solves for W; false if it has no Schur form.
    pub(crate) fn couple(&mut self, w: impl Fn(usize, usize) -> f64) -> bool {
        let states = self.states();
        let matrix = DMatrix::from_fn(states, states, |p, q| Complex64::from(w(p, q)));
        let finite = matrix.iter().all(|w| w.re.is_finite());
        let schur = if finite { Schur::try_new(matrix, f64::EPSILON, 10_000) } else { None };
        self.schur = schur.map(Schur::unpack);
        self.schur.is_some()
    }

    /// Overwrites the right-hand side with the solution; false if there is none.
    pub(crate) fn solve(&mut self, x: &mut [f64], transposed: bool) -> bool {
        let (dim, states) = (self.dim, self.states());
        let Self { jacobian, schur, y, product, .. } = self;
        let (Some((q, t)), Some(shifts)) = (schur, jacobian.complex()) else { return false };
        // y = Q* x, or Q' x of the transposed equation.
        y.fill(Complex64::default());
        for p in 0..states {
            for from in 0..states {
                let entry = if transposed { q[(from, p)] } else { q[(from, p)].conj() };
                let values = x[from * dim..][..dim].iter();
                y[p * dim..][..dim].iter_mut().zip(values).for_each(|(y, x)| *y += entry * x);
            }
        }
        for step in 0..states {
            let p = if transposed { step } else { states - 1 - step };
            for before in 0..step {
                let (before, entry) = if transposed {
                    (before, t[(before, p)])
                } else {
                    (states - 1 - before, t[(p, states - 1 - before)])
                };
                let products = product[before * dim..][..dim].iter();
                y[p * dim..][..dim].iter_mut().zip(products).for_each(|(y, z)| *y += entry * z);
            }
            let (y, product) = (&mut y[p * dim..][..dim], &mut product[p * dim..][..dim]);
            product.copy_from_slice(y);
            let shift = t[(p, p)];
            let solved =
                if transposed { shifts.solve_transposed(shift, y) } else { shifts.solve(shift, y) };
            if !solved || shift == Complex64::default() {
                return false;
            }
            product.iter_mut().zip(&*y).for_each(|(z, y)| *z = (y - *z) / shift);
        }
        x.fill(0.0);
        for (p, x) in x.chunks_exact_mut(dim).enumerate() {
            for (from, y) in y.chunks_exact(dim).enumerate() {
                let entry = if transposed { q[(p, from)].conj() } else { q[(p, from)] };
                x.iter_mut().zip(y).for_each(|(x, y)| *x += (entry * y).re);
            }
        }
        true
    }
}
