//! Transforms along all axes, and solves with them.

use super::{Laplacian, sums};
use crate::boxes::along_axis::along_axis;
use crate::boxes::lines::AxisOperator;
use crate::boxes::value::Value;
use crate::error::require;
use crate::{Modes, Result, ShiftedSolver};
use hpfracc_backend::TransformAxes;
use num_complex::Complex64;
use std::borrow::Borrow;

impl Laplacian {
    fn axis_to_modes<T: Value>(&self, axis: usize, x: &mut [T], work: &mut [T]) {
        let transform = &self.axes[axis].transform;
        along_axis(x, self.grid.layout(axis), work, transform.scratch_len(), |_, line, scratch| {
            transform.to_modes(line, scratch);
        });
    }

    fn axis_to_values<T: Value>(&self, axis: usize, x: &mut [T], work: &mut [T]) {
        let transform = &self.axes[axis].transform;
        along_axis(x, self.grid.layout(axis), work, transform.scratch_len(), |_, line, scratch| {
            transform.to_values(line, scratch);
        });
    }

    /// Overwrites x with its product with a function of A. `multiply(offsets, line)` multiplies a
    /// complex line of coefficients along the first axis, whose eigenvalues are those of the axis
    /// plus the offset of the line.
    fn multiply_modes<T: Value>(
        &self,
        x: &mut [T],
        work: &mut [T],
        multiply: impl Fn(&[f64], &mut [Complex64]) + Sync,
    ) {
        for axis in (1..self.axes.len()).rev() {
            self.axis_to_modes(axis, x, work);
        }
        let transform = &self.axes[0].transform;
        along_axis(
            x,
            self.grid.layout(0),
            work,
            transform.scratch_len(),
            |first, line, scratch| {
                transform.to_modes(line, scratch);
                multiply(&self.offsets[first..], line);
                transform.to_values(line, scratch);
            },
        );
        for axis in 1..self.axes.len() {
            self.axis_to_values(axis, x, work);
        }
    }
}

impl Modes for Laplacian {
    fn eigenvalues(&self) -> &[f64] {
        self.eigenvalues.get_or_init(|| sums(&self.axes, &self.kappa))
    }

    fn to_modes(&self, x: &mut [f64]) {
        self.real.with(|work| {
            for axis in (0..self.axes.len()).rev() {
                self.axis_to_modes(axis, x, work);
            }
        });
    }

    fn to_values(&self, x: &mut [f64]) {
        self.real.with(|work| {
            for axis in 0..self.axes.len() {
                self.axis_to_values(axis, x, work);
            }
        });
    }

    fn transform_axes(&self) -> Option<TransformAxes> {
        let named = |axis: &AxisOperator| Some((axis.eigenvalues.len(), axis.named?));
        let axes: Option<Vec<_>> = self.axes.iter().map(named).collect();
        TransformAxes::new(&axes?).ok()
    }
}

/// Solves `(z + A) x = b` by transforms.
pub(super) struct ModesSolver<L> {
    laplacian: L,
    z: Complex64,
    /// Eigenvalues of the first axis, times its coefficient.
    first: Vec<f64>,
}

impl<L: Borrow<Laplacian>> ModesSolver<L> {
    pub(super) fn new(owner: L, z: Complex64) -> Result<Self> {
        let laplacian = owner.borrow();
        require(z.re.is_finite(), "the real part of a shift", z.re, "a finite number")?;
        require(z.im.is_finite(), "the imaginary part of a shift", z.im, "a finite number")?;
        let kappa = laplacian.kappa[0];
        let first: Vec<f64> =
            laplacian.axes[0].eigenvalues.iter().map(|value| kappa * value).collect();
        let singular = z.im == 0.0
            && z.re <= 0.0
            && first.iter().any(|a| laplacian.offsets.iter().any(|b| z.re + (a + b) == 0.0));
        require(!singular, "the shift", z.re, "not minus an eigenvalue")?;
        Ok(Self { laplacian: owner, z, first })
    }
}

impl<L: Borrow<Laplacian> + Send + Sync> ShiftedSolver for ModesSolver<L> {
    fn solve(&self, x: &mut [Complex64]) -> Result<()> {
        let laplacian = self.laplacian.borrow();
        laplacian.complex.with(|work| {
            laplacian.multiply_modes(x, work, |offsets, line| {
                for (c, value) in line.iter_mut().zip(&self.first) {
                    let s = self.z + (value + offsets[0]);
                    *c = *c * s.conj() * (1.0 / s.norm_sqr());
                }
            });
        });
        Ok(())
    }

    fn solve_real(&self, x: &mut [f64]) -> Result<()> {
        require(self.z.im == 0.0, "the imaginary part of a shift", self.z.im, "0")?;
        let laplacian = self.laplacian.borrow();
        laplacian.real.with(|work| {
            laplacian.multiply_modes(x, work, |offsets, line| {
                // The imaginary part is another line, or 0 if there is none.
                let (a, b) = (offsets[0], offsets.get(1).unwrap_or(&offsets[0]));
                for (c, value) in line.iter_mut().zip(&self.first) {
                    c.re /= self.z.re + (value + a);
                    c.im /= self.z.re + (value + b);
                }
            });
        });
        Ok(())
    }
}
