//! Equations from the parts of a text.

use super::FieldProblem;
use crate::error::{PdeError, Result};
use crate::scratch::Scratch;
use crate::text::orders::derivative;
use crate::text::parts::{Parts, is_zero, value_of};
use crate::text::pointwise::Pointwise;
use crate::text::sampling::{at_faces, at_points};
use crate::text::space::{Operator, Space};
use crate::text::term::{SideValues, TextTerm, steps};
use crate::{BoxOperator, Equation};
use hpfracc_equation::{Id, SpatialOperation};
use hpfracc_spatial::{Diffusion, SpatialOperator};
use std::sync::Arc;

impl FieldProblem {
    /// Whether the equation is linear with constant coefficients, orders and sources, without noise and
    /// events, so that [`solve_linear`](crate::solve_linear) takes
    /// [`linear_equation`](Self::linear_equation).
    pub fn is_linear(&self) -> bool {
        self.needs_steps().is_none()
    }

    /// What makes time steps necessary.
    fn needs_steps(&self) -> Option<&'static str> {
        let text = &self.equation;
        if self.has_variable_order() {
            Some("a variable order")
        } else if self.has_noise() {
            Some("noise")
        } else if !text.events().is_empty() {
            Some("events")
        } else if !Parts::new(text).is_linear_autonomous(&text.variables())
            || !self.boundaries.is_empty()
        {
            Some("terms or boundary values of a text")
        } else {
            None
        }
    }

    /// The equation with sources as fixed values, for [`solve_linear`](crate::solve_linear).
    ///
    /// # Errors
    /// [`NotLinear`](PdeError::NotLinear), and those of [`equation`](Self::equation).
    pub fn linear_equation(&self) -> Result<Equation<'static>> {
        if let Some(what) = self.needs_steps() {
            return Err(PdeError::NotLinear { what });
        }
        let parts = Parts::new(&self.equation);
        let mut equation = self.without_terms(&parts)?;
        for (field, root) in parts.reactions.iter().enumerate() {
            if !is_zero(&parts.graph, *root) {
                let source = at_points(&self.equation, &self.space, (&parts.graph, *root))?;
                equation = equation.constant_source(field, &source)?;
            }
        }
        Ok(equation)
    }

    /// The equation, with all parameters of the text as parameters of each of its terms. Its
    /// [events](Self::events) are observers of their own.
    ///
    /// # Errors
    /// [`Noise`](PdeError::Noise) for an equation with noise;
    /// [`Text`](PdeError::Text) for what cannot be computed on these points or has no derivative;
    /// [`Spatial`](PdeError::Spatial) for a discretisation that an operator does not have;
    /// [`OutOfRange`](PdeError::OutOfRange) for an order, and for an exponent of an integral Laplacian;
    /// [`NotFinite`](PdeError::NotFinite) for a start that is not finite.
    pub fn equation(&self) -> Result<Equation<'static>> {
        if self.has_noise() {
            return Err(PdeError::Noise);
        }
        self.without_noise()
    }

    pub(super) fn without_noise(&self) -> Result<Equation<'static>> {
        let parts = Parts::new(&self.equation);
        let mut equation = self.without_terms(&parts)?;
        for (field, face, g) in &self.boundaries {
            // Fields without a linear part meet boundary values in their terms alone.
            if parts.linear[*field].is_some() {
                let g = Arc::clone(g);
                equation = equation.boundary(*field, *face, move |t, x| g(t, x))?;
            }
        }
        let theta: Vec<f64> = self.equation.parameters().iter().map(|p| p.value()).collect();
        let any = |roots: &[Id]| roots.iter().any(|root| !is_zero(&parts.graph, *root));
        if any(&parts.reactions) {
            equation = equation.term(self.term(&parts, &parts.reactions)?, &theta)?;
        }
        if any(&parts.coupling) {
            equation = equation.term(self.term(&parts, &parts.coupling)?, &theta)?;
        }
        Ok(equation)
    }

    /// Operators, coefficients, orders and start.
    fn without_terms(&self, parts: &Parts) -> Result<Equation<'static>> {
        let (text, variables) = (&self.equation, self.equation.variables());
        let mut operators: Vec<Arc<dyn SpatialOperator>> = Vec::new();
        let mut on_box: Vec<Arc<dyn BoxOperator>> = Vec::new();
        let mut coefficients = Vec::new();
        for linear in &parts.linear {
            let coefficient =
                linear.and_then(|(_, c)| value_of(text, (&parts.graph, &variables), c));
            coefficients.push(coefficient.unwrap_or(0.0));
            match self.linear_operator(parts, linear.map(|(k, _)| k))? {
                Operator::OfBox(operator) => {
                    operators.push(operator.clone());
                    on_box.push(operator);
                }
                Operator::Any(operator) => operators.push(operator),
            }
        }
        let all_on_box = on_box.len() == operators.len();
        if !all_on_box && !self.boundaries.is_empty() {
            let what = "a boundary value beside a power of the Laplacian";
            return Err(PdeError::NoBox { what });
        }
        let equation = match &self.space {
            Space::Box(grid) if all_on_box => Equation::on_boxes(on_box, grid),
            Space::Box(grid) => Equation::coupled(operators)?.with_grid(grid)?,
            Space::ZeroOutside(_) | Space::Operator(..) => Equation::coupled(operators)?,
        };
        let fields = 0..text.fields().len();
        let derivatives = fields.map(|field| derivative(text, field)).collect::<Result<_>>()?;
        let equation = equation.with_parameters(&coefficients)?;
        let mut equation = equation.with_derivatives(derivatives);
        if let Some(start) = self.initial_values(0)? {
            equation = equation.start(&start)?;
        }
        match self.initial_values(1)? {
            Some(velocity) => equation.start_velocity(&velocity),
            None => Ok(equation),
        }
    }

    /// The operator of a linear part, by the number of the applied one; -lap without one.
    fn linear_operator(&self, parts: &Parts, applied: Option<usize>) -> Result<Operator> {
        let Some(number) = applied else { return self.space.placeholder() };
        match (self.equation.applied()[number].operation, &self.space) {
            (SpatialOperation::Diffusion { coefficient }, Space::Box(grid)) => {
                let kappa = at_faces(&self.equation, grid, (&parts.graph, coefficient))?;
                Ok(Operator::OfBox(Arc::new(Diffusion::from_faces(grid.clone(), kappa)?)))
            }
            (SpatialOperation::Laplacian { exponent }, space) => {
                space.laplacian(self.equation.values(&[exponent])[0])
            }
            (_, space) => {
                space.require_cells(self.equation.applied_name(number))?;
                space.placeholder()
            }
        }
    }

    /// The start, or its velocity (derivative 1), of all fields from the text; None unless the text has
    /// it for all fields with an order above the number of the derivative, or if there are none.
    fn initial_values(&self, derivative: usize) -> Result<Option<Vec<f64>>> {
        let mut values = Vec::new();
        let orders = self.orders();
        if orders.iter().all(|alpha| *alpha <= derivative as f64) {
            return Ok(None);
        }
        for (field, alpha) in orders.iter().enumerate() {
            match self.initial(field, derivative)? {
                Some(row) => values.extend(row),
                None if *alpha <= derivative as f64 => {
                    values.resize(values.len() + self.space.n(), 0.0);
                }
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    /// Term of one root for each field, with the operators in space that they need.
    fn term(&self, parts: &Parts, roots: &[Id]) -> Result<TextTerm> {
        let pointwise = Pointwise::new(&parts.graph, roots, &self.equation.variables())?;
        self.term_of(parts, (roots, pointwise))
    }

    /// Compiled expressions with the operators in space that they need.
    pub(super) fn term_of(
        &self,
        parts: &Parts,
        (roots, pointwise): (&[Id], Pointwise),
    ) -> Result<TextTerm> {
        let variables = self.equation.variables();
        let mut points = self.space.points()?;
        let with_values = !self.boundaries.is_empty();
        let steps = steps(&self.equation, &self.space, (parts, roots), &points, with_values)?;
        let (mut boundaries, mut laplacian) = (Vec::new(), None);
        if steps.is_empty() {
            points.leave_faces();
        } else {
            laplacian = match &self.space {
                Space::ZeroOutside(_) => steps.iter().find_map(|step| step.map.operator()),
                space => Some(space.laplacian(1.0)?.any()),
            };
            for (field, face, values) in &self.boundaries {
                let side = points.sides.iter().position(|side| side.face == *face);
                let values = values.clone();
                boundaries.extend(side.map(|side| SideValues { field: *field, side, values }));
            }
        }
        Ok(TextTerm {
            fields: variables.fields.len(),
            parameters: variables.parameters.len(),
            applied: variables.applied.len(),
            roots: pointwise,
            steps,
            boundaries,
            points,
            laplacian,
            scratch: Scratch::default(),
        })
    }
}
