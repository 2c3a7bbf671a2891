//! Shifted solves.

use super::Diffusion;
use crate::boxes::laplacian::Laplacian;
use crate::boxes::tridiagonal_solver::TridiagonalSolver;
use crate::error::require;
use crate::krylov::{preconditioned_conjugate_gradients, solve_parts};
use crate::scalar::Scalar;
use crate::{NullSpace, Result, ShiftedSolver, SpatialOperator};
use num_complex::Complex64;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Solver of `(z + A) x = b` for a [`Diffusion`] A.
pub struct DiffusionSolver<'a> {
    z: Complex64,
    method: Method<'a>,
    iterations: AtomicUsize,
}

enum Method<'a> {
    Direct(TridiagonalSolver),
    Iterative { diffusion: &'a Diffusion, preconditioner: Box<Preconditioner> },
}

/// `D (w + L) D` with the Laplacian L of mean coefficients and w the shift plus the mean reaction.
///
/// For smooth kappa the diagonal D gives it the diagonal of `z + A`, which it is then close to. D is
/// 1 if kappa jumps: with D the number of iterations would grow with that of the cells.
struct Preconditioner {
    /// Solver with `w + L`.
    inverse: Box<dyn ShiftedSolver>,
    scaling: Scaling,
}

/// The inverse of D.
enum Scaling {
    Real(Vec<f64>),
    Complex(Vec<Complex64>),
}

impl Preconditioner {
    fn new(diffusion: &Diffusion, z: Complex64) -> Result<Self> {
        let mean = mean_laplacian(diffusion)?;
        let w = z + mean_reaction(diffusion);
        if jumps(diffusion) {
            let ones = diffusion.grid.len();
            let scaling = if z.im == 0.0 {
                Scaling::Real(vec![1.0; ones])
            } else {
                Scaling::Complex(vec![Complex64::ONE; ones])
            };
            return Ok(Self { inverse: mean.into_shifted(w)?, scaling });
        }
        let diagonals = diffusion.diagonal().into_iter().zip(mean.diagonal());
        let scaling = if z.im == 0.0 {
            Scaling::Real(diagonals.map(|(a, l)| ((w.re + l) / (z.re + a)).abs().sqrt()).collect())
        } else {
            Scaling::Complex(diagonals.map(|(a, l)| ((w + l) / (z + a)).sqrt()).collect())
        };
        Ok(Self { inverse: mean.into_shifted(w)?, scaling })
    }
}

/// Whether kappa differs by a factor above 4 between neighbouring faces.
fn jumps(diffusion: &Diffusion) -> bool {
    diffusion.faces.iter().enumerate().any(|(axis, faces)| {
        let layout = diffusion.grid.layout(axis);
        let differ = |(a, b): (&f64, &f64)| a.max(*b) > 4.0 * a.min(*b);
        let mut slabs = faces.chunks_exact((layout.n + 1) * layout.inner);
        slabs.any(|slab| slab.iter().zip(&slab[layout.inner..]).any(differ))
    })
}

/// Laplacian with the geometric mean of kappa along each axis.
fn mean_laplacian(diffusion: &Diffusion) -> Result<Laplacian> {
    let mean = |(axis, faces): (&crate::Axis, &Vec<f64>)| {
        let logs: f64 = faces.iter().map(|f| f.ln()).sum();
        (logs / faces.len() as f64).exp() * axis.cell_width().powi(2)
    };
    let kappa: Vec<f64> = diffusion.grid.axes().iter().zip(&diffusion.faces).map(mean).collect();
    Laplacian::new(diffusion.grid.clone(), &kappa)
}

/// Mean of the reaction coefficient.
fn mean_reaction(diffusion: &Diffusion) -> f64 {
    diffusion.reaction.as_ref().map_or(0.0, |c| c.iter().sum::<f64>() / c.len() as f64)
}

impl<'a> DiffusionSolver<'a> {
    pub(super) fn new(diffusion: &'a Diffusion, z: Complex64) -> Result<Self> {
        require(z.re.is_finite(), "the real part of a shift", z.re, "a finite number")?;
        require(z.im.is_finite(), "the imaginary part of a shift", z.im, "a finite number")?;
        if z == Complex64::ZERO {
            let invertible = diffusion.spectrum().null_space == NullSpace::Zero;
            require(invertible, "the shift", 0.0, "not minus an eigenvalue")?;
        }
        let method = if diffusion.grid.dim() > 1 {
            let preconditioner = Box::new(Preconditioner::new(diffusion, z)?);
            Method::Iterative { diffusion, preconditioner }
        } else {
            Method::Direct(TridiagonalSolver::new(&diffusion.matrix(), z)?)
        };
        Ok(Self { z, method, iterations: AtomicUsize::new(0) })
    }

    /// Number of iterations of the last solve, of its last part for a complex right-hand side; 0 for
    /// one axis.
    pub fn iterations(&self) -> usize {
        self.iterations.load(Ordering::Relaxed)
    }

    /// Overwrites x with the solution by conjugate gradients; `inverse` is that of `w + L`.
    fn iterate<T: Scalar>(
        &self,
        diffusion: &Diffusion,
        z: T,
        scaling: &[T],
        inverse: impl Fn(&mut [T]) -> Result<()>,
        x: &mut [T],
    ) -> Result<()> {
        let precondition = |r: &[T], y: &mut [T]| {
            for (y, (r, s)) in y.iter_mut().zip(r.iter().zip(scaling)) {
                *y = *r * *s;
            }
            inverse(y)?;
            y.iter_mut().zip(scaling).for_each(|(y, s)| *y = *y * *s);
            Ok(())
        };
        let apply = |x: &[T], y: &mut [T]| diffusion.apply_shifted(z, x, y);
        let (b, stopping) = (x.to_vec(), diffusion.stopping);
        x.fill(T::default());
        let done = preconditioned_conjugate_gradients(None, apply, precondition, &b, x, stopping)?;
        self.iterations.store(done.iterations, Ordering::Relaxed);
        Ok(())
    }
}

impl ShiftedSolver for DiffusionSolver<'_> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        match &self.method {
            Method::Direct(solver) => solver.solve(x),
            Method::Iterative { diffusion, preconditioner } => match &preconditioner.scaling {
                Scaling::Real(_) => solve_parts(x, |part| self.solve_real(part)),
                Scaling::Complex(scaling) => {
                    let inverse = &preconditioner.inverse;
                    solve_parts(x, |part| {
                        self.iterate(diffusion, self.z, scaling, |y| inverse.solve(y), part)
                    })
                }
            },
        }
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        match &self.method {
            Method::Direct(solver) => solver.solve_real(x),
            Method::Iterative { diffusion, preconditioner } => match &preconditioner.scaling {
                Scaling::Real(scaling) => {
                    let inverse = &preconditioner.inverse;
                    self.iterate(diffusion, self.z.re, scaling, |y| inverse.solve_real(y), x)
                }
                Scaling::Complex(_) => {
                    require(false, "the imaginary part of a shift", self.z.im, "0")
                }
            },
        }
    }
}
