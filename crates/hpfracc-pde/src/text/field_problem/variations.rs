//! How parameters of a text change its problems.

use super::FieldProblem;
use crate::MethodOfLines;
use hpfracc_equation::SpatialOperation;
use hpfracc_ode::{Differentiable, Problem, Variation};

impl FieldProblem {
    /// Whether a parameter changes an operator in space: an exponent of the Laplacian, or a medium
    /// `div(k grad(u))`. Solutions have no tangents with respect to it.
    ///
    /// ```
    /// use hpfracc_equation::FieldEquation;
    /// use hpfracc_pde::FieldProblem;
    /// use hpfracc_spatial::{Axis, BoxGrid};
    ///
    /// let text = "D^alpha u = k lap^s(u); alpha = 0.5; k = 0.1; s = 0.7; u(0) = 1";
    /// let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 8)?])?;
    /// let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
    /// assert!(problem.changes_operator("s") && !problem.changes_operator("k"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changes_operator(&self, name: &str) -> bool {
        let text = &self.equation;
        let place = text.parameters().iter().position(|known| known.name() == name);
        let variables = text.variables();
        let variable = place.and_then(|place| variables.parameters.get(place));
        let depends = text.graph().depends(|number| Some(&number) == variable);
        text.applied().iter().any(|applied| match applied.operation {
            SpatialOperation::Laplacian { exponent } => depends[exponent.index()],
            SpatialOperation::Diffusion { coefficient } => depends[coefficient.index()],
            SpatialOperation::Gradient { .. } | SpatialOperation::Reduction(_) => false,
        })
    }

    /// Adds a multiple of the initial values, parameters and orders of a problem to a direction, whose
    /// difference quotients are [`tangents`](hpfracc_ode::tangents) with respect to a parameter of a
    /// text. None for other numbers of them.
    pub fn add_to_direction(
        direction: &mut Variation,
        weight: f64,
        of: &Problem<MethodOfLines<'_>>,
    ) -> Option<()> {
        let Variation { initial, parameters, orders } = direction;
        if (of.orders().len(), of.initial().len()) != (orders.len(), initial.nrows()) {
            return None;
        }
        let values = initial.iter_mut().zip(of.initial().flatten());
        let others = parameters.iter_mut().zip(of.system().parameters());
        let others = others.chain(orders.iter_mut().zip(of.orders()));
        values.chain(others).for_each(|(to, from)| *to += weight * from);
        Some(())
    }
}
