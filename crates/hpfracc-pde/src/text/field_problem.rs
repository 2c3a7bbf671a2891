use super::parts::{Parts, is_zero, value_of};
use super::pointwise::Pointwise;
use super::sampling::{at_faces, at_points};
use super::space::{Operator, Space};
use super::steps::steps;
use super::term::{FaceFunction, SideValues, TextTerm};
use crate::error::{PdeError, Result, require, require_len};
use crate::scratch::Scratch;
use crate::{BoxOperator, Equation};
use hpfracc_equation::{FieldEquation, Id, ParameterError, SpatialOperation};
use hpfracc_spatial::{BoxGrid, Diffusion, Face, SpatialOperator};
use std::sync::Arc;

/// Equation of a text in space: on a box, or on a graph or any other set of points with an operator in
/// place of -lap.
///
/// The linear part of each field, its Laplacian, a power of it or diffusion in a given medium with a
/// positive coefficient, becomes the implicit side of the [`Equation`]; everything else is a term with
/// derivatives that are exact for the discrete equation.
///
/// On a box, `lap` is [`Laplacian`](hpfracc_spatial::Laplacian) of the grid, a power that of
/// [`SpectralPower`](crate::SpectralPower); `grad` and `div(k grad(u))` are central differences and
/// fluxes of order 2 between cells, which conserve the integral. An expression other than a field has
/// on Dirichlet faces the value that follows from the boundary values of the fields (operators in
/// space in it are 0 there) and no flux through Neumann ones.
///
/// ```
/// use hpfracc_equation::FieldEquation;
/// use hpfracc_pde::{FieldProblem, Settings, solve};
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let text = "D^0.6 u = 0.1 lap(u) + u - u^3; u(0) = sin(pi x)";
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 200, [Boundary::Dirichlet; 2])?])?;
/// let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
/// let solution = solve(&problem.equation()?, 1.0, Settings::default())?;
/// assert!(solution.last()[100] > 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct FieldProblem {
    equation: FieldEquation,
    space: Space,
    boundaries: Vec<(usize, Face, FaceFunction)>,
}

impl FieldProblem {
    /// On a box whose axes are the coordinates of the text.
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for another number of axes.
    pub fn on_box(equation: FieldEquation, grid: BoxGrid) -> Result<Self> {
        require_len("the box of a text", grid.dim(), equation.coordinates().len())?;
        Ok(Self { equation, space: Space::Box(grid), boundaries: Vec::new() })
    }

    /// With an operator A in place of -lap, such as the Laplacian of a graph, for a text without
    /// coordinates. Powers need its [modes](SpatialOperator::modes).
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for a text with coordinates.
    pub fn with_operator(
        equation: FieldEquation,
        operator: Arc<dyn SpatialOperator>,
    ) -> Result<Self> {
        require_len("the text of an operator", equation.coordinates().len(), 0)?;
        Ok(Self { equation, space: Space::Operator(operator), boundaries: Vec::new() })
    }

    /// Boundary value g(t, x) of a field on a face, in the condition of the axis.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a field that does not exist,
    /// [`NoBox`](PdeError::NoBox) without a box, [`Spatial`](PdeError::Spatial) for a face that does not
    /// exist or is periodic.
    pub fn boundary(
        mut self,
        field: usize,
        face: Face,
        g: impl Fn(f64, &[f64]) -> f64 + Send + Sync + 'static,
    ) -> Result<Self> {
        let count = self.equation.fields().len();
        let expected = "below the number of fields";
        require(field < count, "the number of a field", field as f64, expected)?;
        let Space::Box(grid) = &self.space else {
            return Err(PdeError::NoBox { what: "a boundary value" });
        };
        grid.face_axis(face)?;
        self.boundaries.push((field, face, Arc::new(g)));
        Ok(self)
    }

    /// The equation of the text.
    pub fn text(&self) -> &FieldEquation {
        &self.equation
    }

    /// The grid of the box, None with an operator.
    pub fn grid(&self) -> Option<&BoxGrid> {
        match &self.space {
            Space::Box(grid) => Some(grid),
            Space::Operator(_) => None,
        }
    }

    /// The problem on another grid, with the same boundary values.
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for another number of axes than coordinates.
    pub fn with_grid(mut self, grid: BoxGrid) -> Result<Self> {
        require_len("the box of a text", grid.dim(), self.equation.coordinates().len())?;
        self.space = Space::Box(grid);
        Ok(self)
    }

    /// The problem with another value of a parameter of the text.
    ///
    /// # Errors
    /// [`Text`](PdeError::Text) for an unknown parameter, and a value that the equation cannot have.
    pub fn with_value(mut self, name: &str, value: f64) -> Result<Self> {
        let text = |error: ParameterError| PdeError::Text { reason: error.to_string() };
        self.equation = self.equation.with_value(name, value).map_err(text)?;
        Ok(self)
    }

    /// Whether the equation is linear with constant coefficients and sources, so that
    /// [`solve_linear`](crate::solve_linear) takes [`linear_equation`](Self::linear_equation).
    pub fn is_linear(&self) -> bool {
        Parts::new(&self.equation).is_linear_autonomous(&self.equation.variables())
            && self.boundaries.is_empty()
    }

    /// The equation with sources as fixed values, for [`solve_linear`](crate::solve_linear).
    ///
    /// # Errors
    /// [`NotLinear`](PdeError::NotLinear), and those of [`equation`](Self::equation).
    pub fn linear_equation(&self) -> Result<Equation<'static>> {
        if !self.is_linear() {
            return Err(PdeError::NotLinear { what: "terms or boundary values of a text" });
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

    /// The equation, with all parameters of the text as parameters of each of its terms.
    ///
    /// # Errors
    /// [`Text`](PdeError::Text) for what cannot be computed on these points or has no derivative;
    /// [`Spatial`](PdeError::Spatial) for a discretisation that an operator does not have;
    /// [`NotFinite`](PdeError::NotFinite) for a start that is not finite.
    pub fn equation(&self) -> Result<Equation<'static>> {
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
        let applied = text.applied();
        let mut operators: Vec<Arc<dyn SpatialOperator>> = Vec::new();
        let mut on_box: Vec<Arc<dyn BoxOperator>> = Vec::new();
        let mut coefficients = Vec::new();
        for linear in &parts.linear {
            let coefficient =
                linear.and_then(|(_, c)| value_of(text, (&parts.graph, &variables), c));
            coefficients.push(coefficient.unwrap_or(0.0));
            match self.linear_operator(parts, linear.map(|(k, _)| applied[k].operation))? {
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
            Space::Operator(_) => Equation::coupled(operators)?,
        };
        let mut equation = equation.with_parameters(&coefficients)?.orders(&self.orders())?;
        if let Some(start) = self.initial_values(0)? {
            equation = equation.start(&start)?;
        }
        match self.initial_values(1)? {
            Some(velocity) => equation.start_velocity(&velocity),
            None => Ok(equation),
        }
    }

    /// The operator of a linear part, -lap without one.
    fn linear_operator(
        &self,
        parts: &Parts,
        operation: Option<SpatialOperation>,
    ) -> Result<Operator> {
        match (operation, &self.space) {
            (Some(SpatialOperation::Diffusion { coefficient }), Space::Box(grid)) => {
                let kappa = at_faces(&self.equation, grid, (&parts.graph, coefficient))?;
                Ok(Operator::OfBox(Arc::new(Diffusion::from_faces(grid.clone(), kappa)?)))
            }
            (Some(SpatialOperation::Laplacian { exponent }), space) => {
                space.laplacian(self.equation.values(&[exponent])[0])
            }
            (_, space) => space.laplacian(1.0),
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

    /// Initial values of a field from the text, of its velocity for the derivative 1; None if the text
    /// has none.
    ///
    /// # Errors
    /// [`Text`](PdeError::Text) for an expression that cannot be compiled.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn initial(&self, field: usize, derivative: usize) -> Result<Option<Vec<f64>>> {
        let state = &self.equation.fields()[field];
        let root = state.initial().get(derivative).copied().flatten();
        let graph = self.equation.graph();
        root.map(|root| at_points(&self.equation, &self.space, (graph, root))).transpose()
    }

    /// Orders of the fields.
    pub fn orders(&self) -> Vec<f64> {
        let fields = self.equation.fields();
        self.equation.values(&fields.iter().map(|state| state.order()).collect::<Vec<_>>())
    }

    /// Term of one root for each field, with the operators in space that they need.
    fn term(&self, parts: &Parts, roots: &[Id]) -> Result<TextTerm> {
        let variables = self.equation.variables();
        let mut points = self.space.points()?;
        let with_values = !self.boundaries.is_empty();
        let steps = steps(&self.equation, &self.space, (parts, roots), &points, with_values)?;
        let (mut boundaries, mut laplacian) = (Vec::new(), None);
        if steps.is_empty() {
            points.leave_faces();
        } else {
            laplacian = Some(match self.space.laplacian(1.0)? {
                Operator::OfBox(operator) => operator as Arc<dyn SpatialOperator>,
                Operator::Any(operator) => operator,
            });
            for (field, face, values) in &self.boundaries {
                let side = points.sides.iter().position(|side| side.face == *face);
                let values = values.clone();
                boundaries.extend(side.map(|side| SideValues { field: *field, side, values }));
            }
        }
        Ok(TextTerm {
            fields: roots.len(),
            parameters: variables.parameters.len(),
            applied: variables.applied.len(),
            roots: Pointwise::new(&parts.graph, roots, &variables)?,
            steps,
            boundaries,
            points,
            laplacian,
            scratch: Scratch::default(),
        })
    }
}
