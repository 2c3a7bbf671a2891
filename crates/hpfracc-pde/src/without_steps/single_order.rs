//! Equations of one order.

use super::windows::{CHUNK, Window, in_windows};
use crate::error::Result;
use hpfracc_spatial::{Complex64, Contour, LinearDatum, Modes, SpatialOperator};
use hpfracc_special::{MittagLeffler, gamma};
use rayon::prelude::*;

/// `sum over (beta, x) of t^(beta - 1) E_(alpha, beta)(-c A t^alpha) x`.
pub(super) struct SingleOrder<'a> {
    pub(super) operator: &'a dyn SpatialOperator,
    pub(super) alpha: f64,
    pub(super) c: f64,
    /// The start comes first.
    pub(super) data: Vec<(f64, &'a [f64])>,
}

impl<'a> SingleOrder<'a> {
    pub(super) fn new(
        operator: &'a dyn SpatialOperator,
        alpha: f64,
        c: f64,
        data: &[(LinearDatum, &'a [f64])],
    ) -> Self {
        let beta = |datum: LinearDatum| match datum {
            LinearDatum::Start => 1.0,
            LinearDatum::Velocity => 2.0,
            LinearDatum::Source => alpha + 1.0,
        };
        let data = data.iter().map(|(datum, x)| (beta(*datum), *x)).collect();
        Self { operator, alpha, c, data }
    }

    /// Adds the solutions; None if the operator has no modes and no real spectrum.
    pub(super) fn solve(
        &self,
        times: &[f64],
        tolerance: f64,
        out: Vec<&mut [f64]>,
    ) -> Result<Option<()>> {
        match self.operator.modes() {
            _ if self.c == 0.0 => self.by_powers(times, out),
            Some(modes) => self.by_modes(modes, times, out)?,
            None if self.operator.is_self_adjoint() => self.by_contours(times, tolerance, out)?,
            None => return Ok(None),
        }
        Ok(Some(()))
    }

    /// For c = 0: E_(alpha, beta)(0) is 1 / Gamma(beta).
    fn by_powers(&self, times: &[f64], out: Vec<&mut [f64]>) {
        for (t, u) in times.iter().zip(out) {
            for (beta, x) in &self.data {
                let factor = t.powf(beta - 1.0) / gamma(*beta);
                u.iter_mut().zip(*x).for_each(|(u, x)| *u += factor * x);
            }
        }
    }

    fn by_modes(&self, modes: &dyn Modes, times: &[f64], mut out: Vec<&mut [f64]>) -> Result<()> {
        let values = modes.eigenvalues();
        for (beta, x) in &self.data {
            let function = MittagLeffler::new(self.alpha, *beta)?;
            let mut coefficients = x.to_vec();
            modes.to_modes(&mut coefficients);
            for (t, out) in times.iter().zip(&mut out) {
                let (scale, power) = (-self.c * t.powf(self.alpha), t.powf(beta - 1.0));
                let chunks = out.par_chunks_mut(CHUNK).enumerate();
                chunks.try_for_each(|(k, out)| -> Result<()> {
                    let first = k * CHUNK;
                    let z: Vec<f64> =
                        values[first..first + out.len()].iter().map(|l| scale * l).collect();
                    let mut e = vec![0.0; z.len()];
                    function.eval_slice(&z, &mut e)?;
                    for (i, out) in out.iter_mut().enumerate() {
                        *out += power * e[i] * coefficients[first + i];
                    }
                    Ok(())
                })?;
            }
        }
        out.iter_mut().for_each(|u| modes.to_values(u));
        Ok(())
    }

    fn by_contours(&self, times: &[f64], tolerance: f64, out: Vec<&mut [f64]>) -> Result<()> {
        in_windows(times, out, self.data[0].1, |window| self.in_window(window, tolerance))
    }

    /// For times in increasing order that share a contour.
    fn in_window(&self, window: &mut Window<'_>, tolerance: f64) -> Result<()> {
        // Time is measured such that the coefficient is 1.
        let unit = self.c.powf(1.0 / self.alpha);
        let ends = [unit * window[0].0, unit * window[window.len() - 1].0];
        let highest = self.operator.spectrum().highest;
        let contour = Contour::new(self.alpha, ends, tolerance, highest)?;
        // All data share the prepared solves of a node.
        let solve = |z: Complex64| -> Result<Vec<Vec<Complex64>>> {
            let solver = self.operator.shifted(z)?;
            let of = |(_, x): &(f64, &[f64])| {
                let mut solution: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
                solver.solve(&mut solution).map(|()| solution)
            };
            Ok(self.data.iter().map(of).collect::<Result<_, _>>()?)
        };
        let solutions: Vec<Vec<Vec<Complex64>>> =
            contour.shifts().into_par_iter().map(solve).collect::<Result<_>>()?;
        for (t, u) in window.iter_mut() {
            for (k, (beta, _)) in self.data.iter().enumerate() {
                let scale = unit.powf(1.0 - beta);
                let t = (unit * *t).clamp(ends[0], ends[1]);
                for (node, c) in solutions.iter().zip(contour.coefficients_of(*beta, t)) {
                    let c = scale * c;
                    u.iter_mut().zip(&node[k]).for_each(|(u, x)| *u += (c * x).im);
                }
            }
        }
        Ok(())
    }
}
