//! Texts with noise.

use super::FieldProblem;
use crate::error::Result;
use crate::text::space::Space;
use crate::{Equation, SpaceTimeNoise};

impl FieldProblem {
    /// The equation, and the noise of its fields, white in space and time, for
    /// [`solve_path`](crate::solve_path).
    ///
    /// ```
    /// use hpfracc_equation::FieldEquation;
    /// use hpfracc_pde::{FieldProblem, solve_path};
    /// use hpfracc_spatial::{Axis, BoxGrid};
    ///
    /// let text = "D^0.8 u = 0.1 lap(u) + u - u^3 + s dW/dt; s = 0.05; u(0) = 0.1 sin(6.28 x)";
    /// let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 64)?])?;
    /// let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
    /// let (equation, noise) = problem.noisy(42)?;
    /// let path = solve_path(&equation, 1.0, 100, &noise, 0)?;
    /// assert!(problem.equation().is_err() && path.times().len() == 101);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`equation`](Self::equation) for the text without its noise, and of
    /// [`SpaceTimeNoise::of_fields`] for the factors of the noise.
    pub fn noisy(&self, seed: u64) -> Result<(Equation<'static>, SpaceTimeNoise<'static>)> {
        let text = &self.equation;
        let factor =
            |field| text.noise(field).map_or(0.0, |factor| text.values(&[factor])[0].abs());
        let factors: Vec<f64> = (0..text.fields().len()).map(factor).collect();
        let noise = SpaceTimeNoise::of_fields(&factors, seed)?;
        let noise = match &self.space {
            Space::Operator(..) => noise,
            space => noise.with_volumes(space.weights())?,
        };
        Ok((self.without_noise()?, noise))
    }
}
