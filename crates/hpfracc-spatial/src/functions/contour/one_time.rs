use super::inverse_laplace::Contour;
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::{Result, ShiftedSolver, SpatialError, SpatialOperator};
use num_complex::Complex64;
use rayon::prelude::*;

/// Solves at a time.
const GROUP: usize = 4;

/// A function at one time, with prepared solves.
pub(crate) struct OneTime<'a> {
    contour: Contour,
    coefficients: Vec<Complex64>,
    solvers: Vec<Box<dyn ShiftedSolver + 'a>>,
}

impl<'a> OneTime<'a> {
    pub(crate) fn new(
        operator: &'a dyn SpatialOperator,
        function: Function,
        tolerance: f64,
    ) -> Result<Self> {
        let (alpha, t) = match function {
            Function::Exponential { t } => (1.0, t),
            Function::MittagLeffler { alpha, t } => (alpha, t),
            Function::Power(_) => {
                return Err(SpatialError::Unsupported {
                    method: "the contour",
                    request: function.to_string(),
                    reason: "it is for exponentials and Mittag-Leffler functions; use \
                             `Way::Rational`",
                });
            }
        };
        let contour = Contour::new(alpha, [t, t], tolerance, operator.spectrum().highest)?;
        let shifts = contour.shifts();
        let solvers =
            shifts.into_par_iter().map(|z| operator.shifted(z)).collect::<Result<Vec<_>>>()?;
        let coefficients = contour.coefficients(t);
        Ok(Self { contour, coefficients, solvers })
    }
}

impl Plan for OneTime<'_> {
    fn apply(&self, _: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let b: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
        y.fill(0.0);
        for (solvers, c) in self.solvers.chunks(GROUP).zip(self.coefficients.chunks(GROUP)) {
            let solve = |solver: &dyn ShiftedSolver| -> Result<Vec<Complex64>> {
                let mut solution = b.clone();
                solver.solve(&mut solution)?;
                Ok(solution)
            };
            let solutions = solvers.par_iter().map(|solver| solve(solver.as_ref()));
            let solutions = solutions.collect::<Result<Vec<_>>>()?;
            for (solution, c) in solutions.iter().zip(c) {
                y.iter_mut().zip(solution).for_each(|(y, x)| *y += (c * x).im);
            }
        }
        Ok(())
    }

    fn explain(&self) -> String {
        format!("hyperbolic contour, {} complex shifted solves", self.solvers.len())
    }

    fn error(&self) -> f64 {
        self.contour.error()
    }
}
