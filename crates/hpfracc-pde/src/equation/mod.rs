mod time_derivatives;

use crate::data::boundary::{BoundaryTerm, BoundaryValues};
use crate::data::source::{Source, SourceValues};
use crate::error::{PdeError, Result, require, require_len, require_positive};
use crate::{BoxOperator, Points, Site, Term};
use hpfracc_spatial::{BoxGrid, Face, SpatialOperator};
use std::ops::Range;
use std::sync::Arc;
pub(crate) use time_derivatives::FieldDerivative;

/// Time-fractional equation of one or several fields u_k, with Caputo derivatives from t = 0:
///
/// ```text
/// D^alpha_k u_k = -c_k A_k u_k + sum of the terms N_k(t, x, u) + sum of the sources s_k(t, x)
/// ```
///
/// with an operator A_k >= 0 and a coefficient c_k for each field, 0 < alpha_k < 2. The linear part
/// is implicit in all schemes. Orders above 1 also need the initial velocity du/dt(0). A field may
/// have [several or distributed orders](Self::time_derivative) or a [variable
/// order](Self::variable_order) instead.
///
/// Parameters, for [`gradient`](hpfracc_ode::gradient): the coefficients, those of each term, and
/// an amplitude for each source, in the order of the calls; see [`parameters`](Self::parameters).
///
/// ```
/// use hpfracc_pde::{Equation, Reaction, Settings, solve};
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid, Laplacian};
/// use std::sync::Arc;
///
/// // D^0.7 u = 0.1 u_xx + u (1 - u), u = 0 at both ends.
/// let axis = Axis::new(0.0, 10.0, 200, [Boundary::Dirichlet; 2])?;
/// let laplacian = Laplacian::new(BoxGrid::new(vec![axis])?, &[1.0])?;
/// let growth = Reaction::new(
///     |_, [u], _: &[f64; 0]| [u * (1.0 - u)],
///     |_, [u], _| ([[1.0 - 2.0 * u]], [[]]),
/// );
/// let equation = Equation::on_box(Arc::new(laplacian))
///     .order(0.7)?
///     .coefficient(0.1)?
///     .term(growth, &[])?
///     .start_from(|x| (-(x[0] - 5.0).powi(2)).exp())?;
/// let solution = solve(&equation, 2.0, Settings::default())?;
/// assert!(solution.last()[100] > 0.5);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Clone)]
pub struct Equation<'a> {
    pub(crate) operators: Vec<Arc<dyn SpatialOperator + 'a>>,
    on_box: Vec<Arc<dyn BoxOperator + 'a>>,
    pub(crate) points: Points,
    pub(crate) derivatives: Vec<FieldDerivative<'a>>,
    /// Coefficients, parameters of the terms, amplitudes of the sources.
    pub(crate) theta: Vec<f64>,
    pub(crate) terms: Vec<(Arc<dyn Term + 'a>, Range<usize>)>,
    pub(crate) sources: Vec<Source<'a>>,
    pub(crate) boundaries: Vec<BoundaryTerm<'a>>,
    pub(crate) start: Option<Vec<f64>>,
    pub(crate) velocity: Option<Vec<f64>>,
}

impl<'a> Equation<'a> {
    /// Equation of one field with order 1 and coefficient 1, and no start yet.
    pub fn new(operator: Arc<dyn SpatialOperator + 'a>) -> Self {
        Self::of(vec![operator], Vec::new(), Points::default())
    }

    /// Equation of several fields with an operator each. It takes no boundary values other than 0,
    /// and coordinates by [`with_grid`](Self::with_grid).
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for no operator, [`Length`](PdeError::Length) for
    /// operators on fields of different lengths.
    pub fn coupled(operators: Vec<Arc<dyn SpatialOperator + 'a>>) -> Result<Self> {
        check_operators(&operators)?;
        Ok(Self::of(operators, Vec::new(), Points::default()))
    }

    /// Equation of one field on a box: sources and terms have coordinates, faces boundary values.
    pub fn on_box<A: BoxOperator + 'a>(operator: Arc<A>) -> Self {
        let points = Points::of(operator.grid());
        Self::of(vec![operator.clone()], vec![operator], points)
    }

    /// Adds the coordinates of a grid, for an operator that takes no boundary values, such as a
    /// fractional power.
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) for a grid with another number of points.
    pub fn with_grid(mut self, grid: &BoxGrid) -> Result<Self> {
        require_len("the grid", grid.len(), self.n())?;
        self.points = Points::of(grid);
        Ok(self)
    }

    /// Equation of several fields on one box.
    pub(crate) fn on_boxes(on_box: Vec<Arc<dyn BoxOperator + 'a>>, grid: &BoxGrid) -> Self {
        let operators = on_box.iter().map(|operator| operator.clone() as _).collect();
        Self::of(operators, on_box, Points::of(grid))
    }

    fn of(
        operators: Vec<Arc<dyn SpatialOperator + 'a>>,
        on_box: Vec<Arc<dyn BoxOperator + 'a>>,
        points: Points,
    ) -> Self {
        let fields = operators.len();
        Self {
            operators,
            on_box,
            points,
            derivatives: vec![FieldDerivative::first(); fields],
            theta: vec![1.0; fields],
            terms: Vec::new(),
            sources: Vec::new(),
            boundaries: Vec::new(),
            start: None,
            velocity: None,
        }
    }

    /// Coefficient of all operators, c > 0.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange).
    pub fn coefficient(self, c: f64) -> Result<Self> {
        let coefficients = vec![c; self.field_count()];
        self.coefficients(&coefficients)
    }

    /// Coefficient of the operator of each field.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange), [`Length`](PdeError::Length).
    pub fn coefficients(mut self, coefficients: &[f64]) -> Result<Self> {
        require_len("the list of coefficients", coefficients.len(), self.field_count())?;
        for &c in coefficients {
            require_positive("the coefficient of an operator", c)?;
        }
        self.theta[..coefficients.len()].copy_from_slice(coefficients);
        Ok(self)
    }

    /// The same equation with coefficients 0: terms and sources alone.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for an equation with boundary values, which act through
    /// the linear part.
    pub fn without_linear_part(mut self) -> Result<Self> {
        let fields = self.field_count();
        self.theta[..fields].fill(0.0);
        self.check_boundaries()?;
        Ok(self)
    }

    /// Adds a term with its parameters.
    ///
    /// # Errors
    /// [`Length`](PdeError::Length) if the term has another number of fields or parameters,
    /// [`OutOfRange`](PdeError::OutOfRange) for a parameter that is not finite, and the errors of
    /// [`Term::check`].
    pub fn term(mut self, term: impl Term + 'a, theta: &[f64]) -> Result<Self> {
        require_len("the list of fields of a term", term.field_count(), self.field_count())?;
        term.check(self.n())?;
        require_len("the parameters of a term", theta.len(), term.parameter_count())?;
        for &theta in theta {
            require(theta.is_finite(), "a parameter of a term", theta, "a finite number")?;
        }
        let first = self.theta.len();
        self.theta.extend_from_slice(theta);
        self.terms.push((Arc::new(term), first..self.theta.len()));
        Ok(self)
    }

    /// Adds a source s(t, x) to a field, with amplitude 1.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a field that does not exist.
    pub fn source(
        self,
        field: usize,
        s: impl Fn(&Site<'_>) -> f64 + Send + Sync + 'a,
    ) -> Result<Self> {
        self.with_source(field, SourceValues::Function(Arc::new(s)))
    }

    /// Adds a source that does not depend on time, one value for each point, with amplitude 1.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a field that does not exist,
    /// [`Length`](PdeError::Length), [`NotFinite`](PdeError::NotFinite).
    pub fn constant_source(self, field: usize, s: &[f64]) -> Result<Self> {
        require_len("a source", s.len(), self.n())?;
        check_finite("the source", s, self.n(), field)?;
        self.with_source(field, SourceValues::Constant(s.into()))
    }

    fn with_source(mut self, field: usize, values: SourceValues<'a>) -> Result<Self> {
        self.check_field(field)?;
        self.sources.push(Source { field, amplitude: self.theta.len(), values });
        self.theta.push(1.0);
        Ok(self)
    }

    /// Boundary value g(t, x) of a field on a face of the box, in the condition of the axis. It
    /// acts through the linear part; terms such as a [`Flux`](crate::Flux) do not see it.
    ///
    /// # Errors
    /// [`NoBox`](PdeError::NoBox), [`OutOfRange`](PdeError::OutOfRange) for a field that does not
    /// exist or has the coefficient 0, [`Spatial`](PdeError::Spatial) for a face that does not
    /// exist or is periodic.
    pub fn boundary(
        self,
        field: usize,
        face: Face,
        g: impl Fn(f64, &[f64]) -> f64 + Send + Sync + 'a,
    ) -> Result<Self> {
        self.with_boundary(field, face, BoundaryValues::Function(Arc::new(g)))
    }

    /// Constant boundary value g of a field on a face of the box.
    ///
    /// # Errors
    /// As [`boundary`](Self::boundary), and for a g that is not finite.
    pub fn constant_boundary(self, field: usize, face: Face, g: f64) -> Result<Self> {
        require(g.is_finite(), "a boundary value", g, "a finite number")?;
        self.with_boundary(field, face, BoundaryValues::Constant(g))
    }

    fn with_boundary(
        mut self,
        field: usize,
        face: Face,
        values: BoundaryValues<'a>,
    ) -> Result<Self> {
        self.check_field(field)?;
        let what = "a boundary value";
        let operator = self.on_box.get(field).ok_or(PdeError::NoBox { what })?;
        self.boundaries.push(BoundaryTerm::new(&**operator, field, face, values)?);
        self.check_boundaries()?;
        Ok(self)
    }

    /// Refuses boundary values of a field with the coefficient 0.
    fn check_boundaries(&self) -> Result<()> {
        let what = "the coefficient of a field with boundary values";
        self.boundaries.iter().try_for_each(|b| require_positive(what, self.theta[b.field]))
    }

    /// Values u(0) of all fields, one after the other. They need not agree with boundary values.
    ///
    /// # Errors
    /// [`Length`](PdeError::Length), [`NotFinite`](PdeError::NotFinite) with the position.
    pub fn start(mut self, u: &[f64]) -> Result<Self> {
        self.start = Some(self.checked_start("the start", u)?);
        Ok(self)
    }

    /// Values u(0) of the only field from a function of the coordinates.
    ///
    /// # Errors
    /// [`NoBox`](PdeError::NoBox) without coordinates, and the errors of [`start`](Self::start).
    pub fn start_from(self, u: impl Fn(&[f64]) -> f64) -> Result<Self> {
        if self.points == Points::default() {
            return Err(PdeError::NoBox { what: "a start from coordinates" });
        }
        let mut cursor = self.points.cursor(0);
        let mut values = Vec::with_capacity(self.n());
        for _ in 0..self.n() {
            values.push(u(cursor.x()));
            cursor.advance();
        }
        self.start(&values)
    }

    /// Initial velocities du/dt(0) of all fields, one after the other, for orders above 1. Fields
    /// of orders up to 1 have no initial velocity: their entries must be 0, which
    /// [`problem`](Self::problem), [`solve`](crate::solve) and
    /// [`solve_linear`](crate::solve_linear) check.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_velocity(mut self, v: &[f64]) -> Result<Self> {
        self.velocity = Some(self.checked_start("the initial velocity", v)?);
        Ok(self)
    }

    fn checked_start(&self, what: &'static str, values: &[f64]) -> Result<Vec<f64>> {
        require_len(what, values.len(), self.len())?;
        check_finite(what, values, self.n(), 0)?;
        Ok(values.to_vec())
    }

    fn check_field(&self, field: usize) -> Result<()> {
        let what = "the number of a field";
        require(field < self.field_count(), what, field as f64, "below the number of fields")
    }

    /// The same equation with other parameters.
    ///
    /// # Errors
    /// [`Length`](PdeError::Length); [`OutOfRange`](PdeError::OutOfRange) for a negative
    /// coefficient, the coefficient 0 of a field with boundary values, or a parameter that is not
    /// finite.
    pub fn with_parameters(mut self, theta: &[f64]) -> Result<Self> {
        require_len("the list of parameters", theta.len(), self.theta.len())?;
        for (k, &theta) in theta.iter().enumerate() {
            require(theta.is_finite(), "a parameter", theta, "a finite number")?;
            let positive = k >= self.field_count() || theta >= 0.0;
            require(positive, "the coefficient of an operator", theta, "at least 0")?;
        }
        self.theta.copy_from_slice(theta);
        self.check_boundaries()?;
        Ok(self)
    }

    /// Parameters: coefficients of the operators, parameters of the terms and amplitudes of the
    /// sources in the order of the calls.
    pub fn parameters(&self) -> &[f64] {
        &self.theta
    }

    /// Number of fields.
    pub fn field_count(&self) -> usize {
        self.operators.len()
    }

    /// Number of values of a field.
    pub fn n(&self) -> usize {
        self.operators[0].len()
    }

    /// Number of values of all fields.
    pub fn len(&self) -> usize {
        self.n() * self.field_count()
    }

    /// Whether fields have no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Operator of a field.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn operator(&self, field: usize) -> &(dyn SpatialOperator + 'a) {
        &*self.operators[field]
    }

    /// Coordinates of the values.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Part of a field in a list of all values.
    pub(crate) fn range(&self, field: usize) -> Range<usize> {
        field * self.n()..(field + 1) * self.n()
    }
}

fn check_operators(operators: &[Arc<dyn SpatialOperator + '_>]) -> Result<()> {
    let first = operators.first().map_or(0, |operator| operator.len());
    require(!operators.is_empty(), "the number of fields", 0.0, "at least 1")?;
    operators.iter().try_for_each(|a| require_len("an operator", a.len(), first))
}

/// Refuses NaN and infinite values of fields of n values.
fn check_finite(what: &'static str, values: &[f64], n: usize, first: usize) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => Err(PdeError::NotFinite {
            what,
            field: first + at / n,
            index: at % n,
            value: values[at],
        }),
    }
}
