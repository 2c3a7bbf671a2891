//! Equations of several or distributed orders.

use super::two_orders::TwoOrders;
use super::windows::{CHUNK, Window, in_windows};
use crate::error::{Result, require};
use hpfracc_spatial::{Complex64, Contour, LinearDatum, Modes, SpatialOperator, TimeDerivative};
use rayon::prelude::*;

/// Largest rounding of an eigenvalue 0, relative to the highest one.
const ROUNDING: f64 = 1e-10;

/// Solution of `P(D) u + c A u = s`.
pub(super) struct SeveralOrders<'a> {
    pub(super) operator: &'a dyn SpatialOperator,
    pub(super) derivative: &'a TimeDerivative,
    pub(super) c: f64,
    /// The start comes first.
    pub(super) data: Vec<(LinearDatum, &'a [f64])>,
}

impl SeveralOrders<'_> {
    /// Adds the solutions; None if the operator has no modes and no real spectrum.
    pub(super) fn solve(
        &self,
        times: &[f64],
        tolerance: f64,
        mut out: Vec<&mut [f64]>,
    ) -> Result<Option<()>> {
        let start = self.data[0].1;
        match self.operator.modes() {
            _ if self.c == 0.0 => {
                let eigenvalues = vec![0.0; self.operator.len()];
                self.in_coefficients(&eigenvalues, &self.data, times, tolerance, &mut out)?;
            }
            Some(modes) => {
                let of = |(datum, x): &(LinearDatum, &[f64])| {
                    let mut coefficients = x.to_vec();
                    modes.to_modes(&mut coefficients);
                    (*datum, coefficients)
                };
                let data: Vec<(LinearDatum, Vec<f64>)> = self.data.iter().map(of).collect();
                let data: Vec<(LinearDatum, &[f64])> =
                    data.iter().map(|(datum, x)| (*datum, &x[..])).collect();
                self.in_coefficients(modes.eigenvalues(), &data, times, tolerance, &mut out)?;
                self.to_values(modes, times, out);
            }
            None if self.operator.is_self_adjoint() => {
                in_windows(times, out, start, |window| self.by_solves(window, tolerance))?;
            }
            None => return Ok(None),
        }
        Ok(Some(()))
    }

    /// Transforms coefficients to values, with the bits of the start at t = 0.
    fn to_values(&self, modes: &dyn Modes, times: &[f64], out: Vec<&mut [f64]>) {
        for (t, u) in times.iter().zip(out) {
            if *t > 0.0 {
                modes.to_values(u);
            } else {
                u.copy_from_slice(self.data[0].1);
            }
        }
    }

    /// The scalar equation for each eigenvalue.
    fn in_coefficients(
        &self,
        eigenvalues: &[f64],
        data: &[(LinearDatum, &[f64])],
        times: &[f64],
        tolerance: f64,
        out: &mut [&mut [f64]],
    ) -> Result<()> {
        let out: Vec<&mut [f64]> = out.iter_mut().map(|u| &mut **u).collect();
        match TwoOrders::of(self.derivative) {
            Some(two) => {
                let two = two?;
                for (t, u) in times.iter().zip(out) {
                    two.add(*t, self.c, eigenvalues, data, u);
                }
                Ok(())
            }
            None => in_windows(times, out, data[0].1, |window| {
                self.by_sums(eigenvalues, data, window, tolerance)
            }),
        }
    }

    fn contour(&self, window: &Window<'_>, tolerance: f64, highest: f64) -> Result<Contour> {
        let ends = [window[0].0, window[window.len() - 1].0];
        Ok(Contour::of_derivative(self.derivative.clone(), ends, tolerance, self.c * highest)?)
    }

    fn by_sums(
        &self,
        eigenvalues: &[f64],
        data: &[(LinearDatum, &[f64])],
        window: &mut Window<'_>,
        tolerance: f64,
    ) -> Result<()> {
        let highest = eigenvalues.iter().copied().fold(0.0, f64::max);
        let lowest = eigenvalues.iter().copied().fold(0.0, f64::min);
        let rounding = lowest >= -ROUNDING * highest;
        require(rounding, "an eigenvalue of an equation of several orders", lowest, "at least 0")?;
        let contour = self.contour(window, tolerance, highest)?;
        let symbols = contour.shifts();
        for (t, u) in window {
            let weights: Vec<Vec<Complex64>> =
                data.iter().map(|(datum, _)| contour.coefficients_for(*datum, *t)).collect();
            u.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, u)| {
                for (i, u) in u.iter_mut().enumerate() {
                    let i = CHUNK * chunk + i;
                    let shift = self.c * eigenvalues[i];
                    let node = |k: usize| {
                        let sum =
                            |sum: Complex64, (weights, (_, x)): (&Vec<Complex64>, &(_, &[f64]))| {
                                sum + weights[k] * x[i]
                            };
                        let right = weights.iter().zip(data).fold(Complex64::ZERO, sum);
                        (right / (symbols[k] + shift)).im
                    };
                    *u = (0..symbols.len()).map(node).sum();
                }
            });
        }
        Ok(())
    }

    /// By a shifted solve for each node, with the shift P(z) / c.
    fn by_solves(&self, window: &mut Window<'_>, tolerance: f64) -> Result<()> {
        let contour = self.contour(window, tolerance, self.operator.spectrum().highest)?;
        let solve = |p: Complex64| -> Result<Vec<Vec<Complex64>>> {
            let solver = self.operator.shifted(p / self.c)?;
            let of = |(_, x): &(LinearDatum, &[f64])| {
                let mut solution: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
                solver.solve(&mut solution).map(|()| solution)
            };
            Ok(self.data.iter().map(of).collect::<Result<_, _>>()?)
        };
        let solutions: Vec<Vec<Vec<Complex64>>> =
            contour.shifts().into_par_iter().map(solve).collect::<Result<_>>()?;
        for (t, u) in window {
            for (k, (datum, _)) in self.data.iter().enumerate() {
                for (node, weight) in solutions.iter().zip(contour.coefficients_for(*datum, *t)) {
                    let weight = weight / self.c;
                    u.iter_mut().zip(&node[k]).for_each(|(u, x)| *u += (weight * x).im);
                }
            }
        }
        Ok(())
    }
}
