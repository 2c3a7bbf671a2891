//! Equations from text, on a box or with any operator as their Laplacian.

mod applied;
pub mod catalogue;
mod parts;
mod points;
mod pointwise;
mod term;

use crate::data::boundary::{BoundaryTerm, BoundaryValues};
use crate::error::{PdeError, Result, require_len};
use crate::scratch::Scratch;
use crate::{BoxOperator, Equation, SpectralPower};
use applied::{MapKind, SpatialMap};
use hpfracc_equation::{
    Applied, FieldEquation, FieldVariables, Id, Node, ParameterError, SpatialOperation,
};
use hpfracc_spatial::{Boundary, BoxGrid, Diffusion, Face, Laplacian, SpatialOperator};
use parts::{Parts, is_zero, value_of};
use points::ExtendedPoints;
use pointwise::{At, Pointwise};
use std::sync::Arc;
use term::{FaceFunction, SideValues, Step, TextTerm};

/// Equation of a text in space: on a box, or on a graph or any other set of points with an operator in
/// place of -lap.
///
/// The linear part of each field, its Laplacian, a power of it or diffusion in a given medium with a
/// positive coefficient, becomes the implicit side of the [`Equation`]; everything else is a term with
/// derivatives that are exact for the discrete equation.
///
/// On a box, `lap` is [`Laplacian`] of the grid, a power that of [`SpectralPower`]; `grad` and
/// `div(k grad(u))` are central differences and fluxes of order 2 between cells, which conserve the
/// integral. An expression other than a field has on Dirichlet faces the value that follows from the
/// boundary values of the fields (operators in space in it are 0 there) and no flux through Neumann ones.
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

#[derive(Clone)]
enum Space {
    Box(BoxGrid),
    Operator(Arc<dyn SpatialOperator>),
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
    /// [`OutOfRange`](PdeError::OutOfRange) for a field that does not exist.
    pub fn boundary(
        mut self,
        field: usize,
        face: Face,
        g: impl Fn(f64, &[f64]) -> f64 + Send + Sync + 'static,
    ) -> Result<Self> {
        let count = self.equation.fields().len();
        let expected = "below the number of fields";
        crate::error::require(field < count, "the number of a field", field as f64, expected)?;
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
        let mut equation = self.start_of(&parts)?;
        for (field, root) in parts.reactions.iter().enumerate() {
            if !is_zero(&parts.graph, *root) {
                equation = equation.constant_source(field, &self.sampled(&parts, *root)?)?;
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
        let mut equation = self.start_of(&parts)?;
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
            equation = equation.term(self.term(&parts, &parts.reactions, false)?, &theta)?;
        }
        if any(&parts.coupling) {
            equation = equation.term(self.term(&parts, &parts.coupling, true)?, &theta)?;
        }
        Ok(equation)
    }

    /// Operators, coefficients, orders and start.
    fn start_of(&self, parts: &Parts) -> Result<Equation<'static>> {
        let (text, variables) = (&self.equation, self.equation.variables());
        let applied = text.applied();
        let mut operators: Vec<Arc<dyn SpatialOperator>> = Vec::new();
        let mut on_box: Vec<Arc<dyn BoxOperator>> = Vec::new();
        let mut coefficients = Vec::new();
        for linear in &parts.linear {
            coefficients.push(match linear {
                Some((_, c)) => value_of(text, (&parts.graph, &variables), *c).unwrap_or(0.0),
                None => 0.0,
            });
            let operation = linear.map(|(k, _)| applied[k].operation);
            match (self.operator(parts, operation)?, &self.space) {
                (Operator::OfBox(operator), Space::Box(_)) => {
                    operators.push(operator.clone());
                    on_box.push(operator);
                }
                (Operator::OfBox(operator), _) => operators.push(operator),
                (Operator::Any(operator), _) => operators.push(operator),
            }
        }
        let all_on_box = on_box.len() == operators.len();
        if !all_on_box && !self.boundaries.is_empty() {
            let what = "a boundary value beside a power of the Laplacian";
            return Err(PdeError::NoBox { what });
        }
        let mut equation = match &self.space {
            Space::Box(grid) if all_on_box => Equation::on_boxes(on_box, grid),
            Space::Box(grid) => Equation::coupled(operators)?.with_grid(grid)?,
            Space::Operator(_) => Equation::coupled(operators)?,
        };
        let mut theta = equation.parameters().to_vec();
        theta.copy_from_slice(&coefficients);
        equation = equation.with_parameters(&theta)?.orders(&self.orders())?;
        let start = self.initial_values(0)?;
        let equation = match start {
            Some(start) => equation.start(&start)?,
            None => equation,
        };
        match self.initial_values(1)? {
            Some(velocity) => equation.start_velocity(&velocity),
            None => Ok(equation),
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
                None if *alpha <= derivative as f64 => values.resize(values.len() + self.n(), 0.0),
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
        root.map(|root| self.sampled_in(self.equation.graph(), root)).transpose()
    }

    /// Orders of the fields.
    pub fn orders(&self) -> Vec<f64> {
        let fields = self.equation.fields();
        self.equation.values(&fields.iter().map(|state| state.order()).collect::<Vec<_>>())
    }

    /// Number of values of a field.
    fn n(&self) -> usize {
        match &self.space {
            Space::Box(grid) => grid.len(),
            Space::Operator(operator) => operator.len(),
        }
    }

    /// The operator of a linear part, -lap without one.
    fn operator(&self, parts: &Parts, operation: Option<SpatialOperation>) -> Result<Operator> {
        let exponent = match operation {
            Some(SpatialOperation::Laplacian { exponent }) => self.equation.values(&[exponent])[0],
            _ => 1.0,
        };
        match &self.space {
            Space::Operator(operator) if exponent == 1.0 => Ok(Operator::Any(operator.clone())),
            Space::Operator(operator) => {
                Ok(Operator::Any(Arc::new(SpectralPower::new(operator.clone(), exponent)?)))
            }
            Space::Box(grid) => match operation {
                Some(SpatialOperation::Diffusion { coefficient }) => {
                    let values = self.face_values(parts, grid, coefficient)?;
                    Ok(Operator::OfBox(Arc::new(Diffusion::from_faces(grid.clone(), values)?)))
                }
                _ if exponent == 1.0 => Ok(Operator::OfBox(Arc::new(laplacian(grid)?))),
                _ => {
                    let laplacian = Arc::new(laplacian(grid)?);
                    Ok(Operator::Any(Arc::new(SpectralPower::new(laplacian, exponent)?)))
                }
            },
        }
    }

    /// Values of a coefficient at the centres of the faces between cells, for each axis.
    fn face_values(&self, parts: &Parts, grid: &BoxGrid, root: Id) -> Result<Vec<Vec<f64>>> {
        let mut all = Vec::with_capacity(grid.dim());
        for axis in 0..grid.dim() {
            let mut shape = grid.shape();
            shape[axis] += 1;
            let n: usize = shape.iter().product();
            let mut coordinates = vec![0.0; grid.dim() * n];
            for index in 0..n {
                let mut rest = index;
                for d in (0..grid.dim()).rev() {
                    let (k, a) = (rest % shape[d], &grid.axes()[d]);
                    rest /= shape[d];
                    let face = a.ends()[0] + k as f64 * a.cell_width();
                    // Periodic ends are one face.
                    let first = d == axis && k == a.len() && a.is_periodic();
                    coordinates[d * n + index] = match (d == axis, first) {
                        (true, true) => a.ends()[0],
                        (true, false) => face,
                        (false, _) => a.points()[k],
                    };
                }
            }
            all.push(self.values_at(&parts.graph, root, n, coordinates)?);
        }
        Ok(all)
    }

    fn sampled(&self, parts: &Parts, root: Id) -> Result<Vec<f64>> {
        self.sampled_in(&parts.graph, root)
    }

    /// Values of an expression of coordinates and parameters at all points.
    fn sampled_in(&self, graph: &hpfracc_equation::Graph, root: Id) -> Result<Vec<f64>> {
        let (n, coordinates) = match &self.space {
            Space::Operator(operator) => (operator.len(), Vec::new()),
            Space::Box(grid) => {
                let points = ExtendedPoints::of(grid)?;
                let rows = points.coordinates.chunks_exact(points.extended);
                (points.n, rows.flat_map(|row| row[..points.n].to_vec()).collect())
            }
        };
        self.values_at(graph, root, n, coordinates)
    }

    fn values_at(
        &self,
        graph: &hpfracc_equation::Graph,
        root: Id,
        n: usize,
        mut rows: Vec<f64>,
    ) -> Result<Vec<f64>> {
        let variables = self.equation.variables();
        let pointwise = Pointwise::of_values(graph, root, &variables)?;
        rows.resize((variables.coordinates.len() + variables.fields.len()) * n, f64::NAN);
        rows.resize(rows.len() + variables.applied.len() * n, f64::NAN);
        let theta: Vec<f64> = self.equation.parameters().iter().map(|p| p.value()).collect();
        let mut values = vec![0.0; n];
        pointwise.values(n, At { rows: &rows, t: f64::NAN, theta: &theta }, &mut values);
        Ok(values)
    }

    /// Term of one root for each field, with the operators in space that they need.
    fn term(&self, parts: &Parts, roots: &[Id], in_space: bool) -> Result<TextTerm> {
        let variables = self.equation.variables();
        let applied = self.equation.applied();
        let mut points = match &self.space {
            Space::Box(grid) => ExtendedPoints::of(grid)?,
            Space::Operator(operator) => ExtendedPoints::nodes(operator.len()),
        };
        let needed = needed(parts, roots, &applied, &variables);
        if !in_space || needed.is_empty() {
            points.leave_faces();
        }
        let laplacian: Arc<dyn SpatialOperator> = match &self.space {
            Space::Box(grid) => Arc::new(laplacian(grid)?),
            Space::Operator(operator) => operator.clone(),
        };
        let mut boundaries = Vec::new();
        for (field, face, values) in &self.boundaries {
            if let Some(side) = points.sides.iter().position(|side| side.face == *face) {
                boundaries.push(SideValues { field: *field, side, values: values.clone() });
            }
        }
        let steps = needed.iter().map(|k| self.step(parts, &applied[*k], *k, &points));
        Ok(TextTerm {
            fields: roots.len(),
            parameters: variables.parameters.len(),
            applied: applied.len(),
            steps: steps.collect::<Result<_>>()?,
            roots: Pointwise::new(&parts.graph, roots, &variables)?,
            boundaries,
            points,
            laplacian: Some(laplacian),
            scratch: Scratch::default(),
        })
    }

    fn step(
        &self,
        parts: &Parts,
        applied: &Applied,
        number: usize,
        points: &ExtendedPoints,
    ) -> Result<Step> {
        let variables = self.equation.variables();
        let of_field = matches!(parts.graph.node(applied.of),
            Node::Variable(number) if variables.fields.contains(&number));
        let name = || self.equation.applied_name(number);
        let robin = points.sides.iter().any(|side| matches!(side.boundary, Boundary::Robin(_)));
        if robin && !of_field {
            let reason = format!("`{}` at a Robin boundary, where only fields have values", name());
            return Err(PdeError::Text { reason });
        }
        let mut roots = vec![applied.of];
        let kind = match applied.operation {
            SpatialOperation::Laplacian { .. } => {
                match self.operator(parts, Some(applied.operation))? {
                    Operator::OfBox(operator) => {
                        let faces = face_weights(&*operator, points, of_field)?;
                        MapKind::Minus { operator, faces }
                    }
                    Operator::Any(operator) => MapKind::Minus { operator, faces: Vec::new() },
                }
            }
            SpatialOperation::Gradient { axis } => {
                self.require_cells(name())?;
                MapKind::Gradient(axis)
            }
            SpatialOperation::Diffusion { coefficient } => {
                self.require_cells(name())?;
                roots.push(coefficient);
                MapKind::Diffusion
            }
        };
        let of = Pointwise::new(&parts.graph, &roots, &self.equation.variables())?;
        Ok(Step { number, map: SpatialMap { kind, of_field }, of })
    }

    /// Refuses differences on graphs and on axes without cells of second order.
    fn require_cells(&self, name: &str) -> Result<()> {
        let reason = match &self.space {
            Space::Operator(_) => format!("`{name}` needs coordinates"),
            Space::Box(grid) => {
                let second = hpfracc_spatial::Discretisation::Second;
                if grid.axes().iter().all(|axis| axis.discretisation() == second) {
                    return Ok(());
                }
                format!("`{name}` is computed between cells, and an axis has other points")
            }
        };
        Err(PdeError::Text { reason })
    }
}

/// Operator of a linear part, with boundary values if it has them.
enum Operator {
    OfBox(Arc<dyn BoxOperator>),
    Any(Arc<dyn SpatialOperator>),
}

fn laplacian(grid: &BoxGrid) -> Result<Laplacian> {
    Ok(Laplacian::new(grid.clone(), &vec![1.0; grid.dim()])?)
}

/// Contributions of face values to `-A e`: cell, face among the extended points, weight.
fn face_weights(
    operator: &dyn BoxOperator,
    points: &ExtendedPoints,
    of_field: bool,
) -> Result<Vec<(usize, usize, f64)>> {
    let mut weights = Vec::new();
    for side in &points.sides {
        if !of_field && side.boundary != Boundary::Dirichlet {
            continue;
        }
        let lines = &points.lines[side.face.axis];
        let one = BoundaryValues::Constant(1.0);
        let term = BoundaryTerm::new(operator, 0, side.face, one)?;
        for (cell, weight) in term.contributions() {
            let line = cell / (lines.n * lines.stride) * lines.stride + cell % lines.stride;
            weights.push((cell, side.first + line, weight));
        }
    }
    Ok(weights)
}

/// Operators in space that roots need, each after those that it needs.
fn needed(
    parts: &Parts,
    roots: &[Id],
    applied: &[Applied],
    variables: &FieldVariables,
) -> Vec<usize> {
    let uses =
        |id: Id, k: usize| parts.graph.depends(|number| number == variables.applied[k])[id.index()];
    let mut needed = vec![false; applied.len()];
    for k in (0..applied.len()).rev() {
        let by_root = roots.iter().any(|root| uses(*root, k));
        let by_later = (k + 1..applied.len()).filter(|later| needed[*later]).any(|later| {
            let coefficient = match applied[later].operation {
                SpatialOperation::Diffusion { coefficient } => uses(coefficient, k),
                _ => false,
            };
            coefficient || uses(applied[later].of, k)
        });
        needed[k] = by_root || by_later;
    }
    (0..applied.len()).filter(|k| needed[*k]).collect()
}
