mod build;
#[cfg(feature = "noise")]
mod noise;
mod variations;
mod watched;

pub use watched::Shown;

use super::sampling::at_points;
use super::space::Space;
use super::term::FaceFunction;
use super::zero_outside::ZeroOutside;
use crate::TimeScheme;
use crate::error::{PdeError, Result, require, require_len};
use hpfracc_equation::{FieldEquation, Orders, ParameterError};
use hpfracc_spatial::{BoxGrid, Face, SpatialOperator};
use std::sync::Arc;

/// Equation of a text in space: on a box, with zero outside of a domain, or on a graph or any other
/// set of points with an operator in place of -lap.
///
/// The linear part of each field, its Laplacian, a power of it or diffusion in a given medium with a
/// positive coefficient, becomes the implicit side of the [`Equation`](crate::Equation);
/// everything else is a term with derivatives that are exact for the discrete equation.
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
    /// coordinates. Powers need its [modes](SpatialOperator::modes), or at most 500 values (2000 with the
    /// feature `sparse` of `hpfracc-spatial`).
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for a text with coordinates.
    pub fn with_operator(
        equation: FieldEquation,
        operator: Arc<dyn SpatialOperator>,
    ) -> Result<Self> {
        require_len("the text of an operator", equation.coordinates().len(), 0)?;
        Self::on_points(equation, operator, &[])
    }

    /// With an operator A in place of -lap, for a text whose coordinates are quantities with a value at
    /// each point: positions, or other attributes of the nodes of a graph.
    ///
    /// ```
    /// use hpfracc_equation::FieldEquation;
    /// use hpfracc_pde::{FieldProblem, Settings, solve};
    /// use hpfracc_spatial::{Graph, GraphLaplacian};
    /// use std::sync::Arc;
    ///
    /// // Growth at the nodes of a ring with the capacity k.
    /// let ring = GraphLaplacian::combinatorial(&Graph::ring(5)?)?;
    /// let text = "D^0.8 u = 0.1 lap(u) + u (1 - u/k); u(0) = k/10";
    /// let equation = FieldEquation::parse(text, &["k"])?;
    /// let capacity = [1.0, 2.0, 1.0, 1.0, 3.0];
    /// let problem = FieldProblem::on_points(equation, Arc::new(ring), &[&capacity])?;
    /// let solution = solve(&problem.equation()?, 5.0, Settings::default())?;
    /// assert!(solution.last()[4] > solution.last()[3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for another number of coordinates or values;
    /// [`NotFinite`](PdeError::NotFinite) for a value.
    pub fn on_points(
        equation: FieldEquation,
        operator: Arc<dyn SpatialOperator>,
        coordinates: &[&[f64]],
    ) -> Result<Self> {
        let expected = equation.coordinates().len();
        require_len("the list of coordinates", coordinates.len(), expected)?;
        for (field, values) in coordinates.iter().enumerate() {
            require_len("a coordinate", values.len(), operator.len())?;
            if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                let (what, value) = ("a coordinate", values[index]);
                return Err(PdeError::NotFinite { what, field, index, value });
            }
        }
        let space = Space::Operator(operator, coordinates.concat().into());
        Ok(Self { equation, space, boundaries: Vec::new() })
    }

    /// With zero outside of a domain whose axes are the coordinates of the text: powers of -lap are
    /// those of the integral definition, with exponents below 1, and there are no other operators in
    /// space.
    ///
    /// ```
    /// use hpfracc_equation::FieldEquation;
    /// use hpfracc_pde::{FieldProblem, ZeroOutside, solve_linear};
    ///
    /// // The mean time until a jump ends outside of (-1, 1) is the limit sqrt(1 - x^2).
    /// let text = "D^0.9 u = -(-lap)^0.5(u) + 1; u(0) = 0";
    /// let domain = ZeroOutside::on(&[(-1.0, 1.0, 99)])?;
    /// let problem = FieldProblem::zero_outside(FieldEquation::parse(text, &["x"])?, domain)?;
    /// let u = solve_linear(&problem.linear_equation()?, &[1000.0], 1e-10)?;
    /// assert!((u[0][49] - 1.0).abs() < 1e-2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for another number of axes.
    pub fn zero_outside(equation: FieldEquation, domain: ZeroOutside) -> Result<Self> {
        require_len("the domain of a text", domain.axes().len(), equation.coordinates().len())?;
        Ok(Self { equation, space: Space::ZeroOutside(domain), boundaries: Vec::new() })
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

    /// The grid of the box, None without one.
    pub fn grid(&self) -> Option<&BoxGrid> {
        match &self.space {
            Space::Box(grid) => Some(grid),
            _ => None,
        }
    }

    /// Number of values of a field.
    pub fn n(&self) -> usize {
        self.space.n()
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

    /// Orders of the fields: the highest of several, a variable order at t = 0.
    pub fn orders(&self) -> Vec<f64> {
        self.equation.highest_orders()
    }

    /// Scheme for time steps: the default, and [`L1`](TimeScheme::L1) for several, distributed and
    /// variable orders.
    pub fn default_scheme(&self) -> TimeScheme {
        if self.equation.has_single_orders() { TimeScheme::default() } else { TimeScheme::L1 }
    }

    /// Tolerance for [`solve_linear`](crate::solve_linear): 1e-12 on boxes with one order for each
    /// field, 1e-10 elsewhere.
    pub fn default_tolerance(&self) -> f64 {
        let on_box = matches!(self.space, Space::Box(_));
        if on_box && self.equation.has_single_orders() { 1e-12 } else { 1e-10 }
    }

    /// Whether the equation has noise.
    pub fn has_noise(&self) -> bool {
        (0..self.equation.fields().len()).any(|field| self.equation.noise(field).is_some())
    }

    fn has_variable_order(&self) -> bool {
        let mut fields = 0..self.equation.fields().len();
        fields.any(|field| {
            let terms = self.equation.time_derivative(field);
            terms.iter().any(|term| matches!(term.orders, Orders::Variable(_)))
        })
    }
}
