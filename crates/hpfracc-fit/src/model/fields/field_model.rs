use super::ranges;
use super::table::Solved;
use crate::FitError;
use crate::model::declared::Declared;
use crate::model::nodes::{Nodes, Resolution};
use hpfracc_pde::FieldProblem;
use hpfracc_spatial::{Axis, BoxGrid};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Default number of time steps.
const STEPS: usize = 200;

/// Model of a fractional partial differential equation, whose parameters, orders, exponents of Laplacians, coefficients and
/// starts are fitted: those that have names in its text.
///
/// Its inputs are time and the coordinates, its responses are fields of the equation: values at points, or whole
/// fields, whose rows [`points`](Self::points) makes.
///
/// Linear equations with constant coefficients and sources are solved without time steps, to some 1e-13 in time
/// ([`solve_linear`](hpfracc_pde::solve_linear)). Others take the product trapezoidal rule on steps that are denser after the start as
/// `T (j/N)^3`, 200 by default, and **every time of the data is a node** of them. Between the points of the grid fields
/// are interpolated by cubics along each axis, with an error of order h^4, below that of the differences, h^2.
/// [`Found::discretisation`](crate::Found::discretisation) repeats the fit with half of the steps and of the widths of cells and compares the change with the
/// statistical error.
///
/// | solutions | derivatives | cost for p parameters |
/// |---|---|---|
/// | without steps | central differences of solutions, errors of some 1e-8 | 2 p solves, in parallel |
/// | by steps | exact tangents of the numerical solution | about three solves for three parameters |
/// | by steps, exponents and media `div(k grad(u))` | differences, errors of some 1e-6 | 2 p solves, in parallel |
///
/// Differences replace tangents for more than 1500 steps or 512 MiB of them; next to bounds they are one-sided. Residuals
/// alone cost one solve. Memory: `(1 + p) T n` numbers, of T times in the data and n values of the fields; tangents store those
/// of all steps in place of T.
///
/// Parameters without a range in the text have that in which they make sense: orders lie between the whole numbers of initial
/// values that they take, exponents between 0 and 2, factors of a Laplacian have the sign of diffusion. Of these three a fit
/// can [search](Self::search) the starts.
///
/// ```
/// use hpfracc_equation::FieldEquation;
/// use hpfracc_fit::{FieldModel, Fit, Set};
/// use hpfracc_pde::FieldProblem;
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let text = "D^alpha u = kappa lap(u); alpha = 0.9; kappa = 0.2; u(0) = sin(pi x)";
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 50, [Boundary::Dirichlet; 2])?])?;
/// let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
/// // Two sensors; the truth is alpha = 0.7, kappa = 0.1.
/// let t = [0.1, 0.3, 0.6, 1.0, 0.1, 0.3, 0.6, 1.0];
/// let x = [0.5, 0.5, 0.5, 0.5, 0.2, 0.2, 0.2, 0.2];
/// let u = [0.811, 0.649, 0.512, 0.404, 0.477, 0.381, 0.301, 0.237];
/// let model = FieldModel::new(problem, &["u"], &t, &[&x])?;
/// let found = Fit::new(Set::new("sensors", &model).input(&t).input(&x).response(&u))?.run()?;
/// let alpha = found.estimate("alpha").unwrap();
/// assert!((alpha.value - 0.7).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FieldModel {
    problem: FieldProblem,
    pub(super) grid: BoxGrid,
    /// Numbers of the observed fields.
    pub(super) observed: Vec<usize>,
    pub(super) declared: Vec<Declared>,
    pub(super) resolution: Resolution,
    pub(super) nodes: Nodes,
    /// Threads of the solves, apart from those that evaluate the model: these wait for a solve without beginning
    /// other work, which could wait for the same solve.
    pub(super) pool: Arc<ThreadPool>,
    /// The last parameters whose derivatives were computed: a step with acceleration needs them twice.
    latest: Mutex<Option<Arc<Solved>>>,
}

impl FieldModel {
    /// Model of fields of an equation on a box, by their names, at the times and coordinates of the data, a
    /// column for each coordinate.
    ///
    /// # Errors
    /// [`FitError::Time`] for times that are not finite or negative, [`FitError::OutsideBox`] for points outside of the box,
    /// [`FitError::OutOfRange`] for another number of columns, [`FitError::Quantity`] for a name that is no field,
    /// [`FitError::Equation`] for an equation that cannot be solved on this box.
    pub fn new(
        problem: FieldProblem,
        quantities: &[&str],
        times: &[f64],
        coordinates: &[&[f64]],
    ) -> Result<Self, FitError> {
        let refused = |reason: String| FitError::Equation { reason };
        let Some(grid) = problem.grid().cloned() else {
            return Err(refused(
                "fits of fields need a box, and this one is on a graph".to_owned(),
            ));
        };
        if coordinates.len() != grid.dim() {
            let (what, value) = ("the number of columns of coordinates", coordinates.len() as f64);
            return Err(FitError::OutOfRange { what, value, expected: "one for each axis" });
        }
        check_start(&problem)?;
        check_points(&problem, &grid, coordinates)?;
        let resolution = Resolution { equal: STEPS, unequal: STEPS, refinement: 1 };
        let nodes = Nodes::unequal(0.0, times, resolution)?;
        let observed = observed(&problem, quantities)?;
        let declared = ranges::all(problem.text(), &grid, nodes.end());
        check_equation(&problem, nodes.end())?;
        let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
        let pool = Arc::new(threads.build().map_err(|error| refused(error.to_string()))?);
        let latest = Mutex::new(None);
        Ok(Self { problem, grid, observed, declared, resolution, nodes, pool, latest })
    }

    /// Parameters that are constants with the values in the text, and none of the model: these are not differentiated.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn constants(mut self, names: &[&str]) -> Result<Self, FitError> {
        for name in names {
            let place = self.place(name)?;
            self.declared.remove(place);
        }
        Ok(self)
    }

    /// Parameters whose values in the text are no starts: a fit searches for starts of orders, exponents and factors
    /// of a Laplacian, and needs those of others.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn search(mut self, names: &[&str]) -> Result<Self, FitError> {
        for name in names {
            let place = self.place(name)?;
            self.declared[place].start = None;
        }
        Ok(self)
    }

    /// Place of a parameter.
    fn place(&self, name: &str) -> Result<usize, FitError> {
        let found = self.declared.iter().position(|known| known.name == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.declared.iter().map(|k| k.name.as_str()).collect();
            FitError::UnknownParameter { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Sets the least number of time steps; times of the data may need more.
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] for 0.
    pub fn steps(self, steps: usize) -> Result<Self, FitError> {
        if steps == 0 {
            let what = "the number of steps";
            return Err(FitError::OutOfRange { what, value: 0.0, expected: "at least 1" });
        }
        let resolution = Resolution { equal: steps, unequal: steps, ..self.resolution };
        self.with_resolution(resolution)
    }

    /// Number of time steps of a solve, 0 for equations that are solved without them.
    pub fn step_count(&self) -> usize {
        if self.problem.is_linear() { 0 } else { self.nodes.steps.count().unwrap_or(0) }
    }

    /// Columns of time and coordinates for whole fields at some times: a row for each point of the grid at the first
    /// time, in the order of a field, then at the second.
    ///
    /// ```
    /// use hpfracc_fit::FieldModel;
    /// use hpfracc_spatial::{Axis, BoxGrid};
    ///
    /// let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 4)?])?;
    /// let columns = FieldModel::points(&grid, &[0.5, 1.0]);
    /// assert_eq!(columns[0], [0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0]);
    /// assert_eq!(columns[1][..4], columns[1][4..]);
    /// # Ok::<(), hpfracc_spatial::SpatialError>(())
    /// ```
    pub fn points(grid: &BoxGrid, times: &[f64]) -> Vec<Vec<f64>> {
        let repeated = |t: &f64| std::iter::repeat_n(*t, grid.len());
        let mut columns = vec![times.iter().flat_map(repeated).collect()];
        columns.extend((0..grid.dim()).map(|axis| grid.sample(|x| x[axis]).repeat(times.len())));
        columns
    }

    fn with_resolution(self, resolution: Resolution) -> Result<Self, FitError> {
        let times: Vec<f64> = self.nodes.times().iter().map(|(t, _)| *t).collect();
        let nodes = Nodes::unequal(0.0, &times, resolution)?;
        Ok(Self { resolution, nodes, latest: Mutex::new(None), ..self })
    }

    /// What is known for the last parameters whose derivatives were computed, if they are these.
    pub(super) fn remembered(&self, parameters: &[f64]) -> Option<Arc<Solved>> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        latest.filter(|solved| solved.parameters == parameters)
    }

    pub(super) fn remember(&self, solved: &Arc<Solved>) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = Some(Arc::clone(solved));
    }

    /// The model with half of the steps and of the widths of cells.
    pub(super) fn with_half_steps(&self) -> Option<Self> {
        let refinement = 2 * self.resolution.refinement;
        let axes = self.grid.axes().iter().map(|axis| {
            let fine = Axis::new(axis.ends()[0], axis.ends()[1], 2 * axis.len(), axis.boundaries());
            fine.and_then(|fine| fine.with(axis.discretisation()))
        });
        let grid = BoxGrid::new(axes.collect::<Result<_, _>>().ok()?).ok()?;
        let copy = Self {
            problem: self.problem.clone().with_grid(grid.clone()).ok()?,
            grid,
            observed: self.observed.clone(),
            declared: self.declared.clone(),
            resolution: self.resolution,
            nodes: self.nodes.clone(),
            pool: Arc::clone(&self.pool),
            latest: Mutex::new(None),
        };
        let resolution = Resolution { refinement, ..self.resolution };
        copy.with_resolution(resolution).ok()
    }

    /// The problem with these values of the parameters.
    pub(super) fn problem_at(&self, parameters: &[f64]) -> Result<FieldProblem, FitError> {
        let mut pairs = self.declared.iter().zip(parameters);
        let with = |problem: FieldProblem, (declared, value): (&Declared, &f64)| {
            problem.with_value(&declared.name, *value)
        };
        Ok(pairs.try_fold(self.problem.clone(), with)?)
    }
}

impl fmt::Debug for FieldModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldModel")
            .field("parameters", &self.declared)
            .field("shape", &self.grid.shape())
            .field("steps", &self.step_count())
            .finish_non_exhaustive()
    }
}

/// Refuses an equation that cannot be solved, and events, which a fit would not see.
fn check_equation(problem: &FieldProblem, until: f64) -> Result<(), FitError> {
    if !problem.text().events().is_empty() {
        let reason = "it has events, which a fit does not take".to_owned();
        return Err(FitError::Equation { reason });
    }
    if problem.text().has_single_orders() {
        problem.equation()?.problem(until)?;
    } else if problem.is_linear() {
        problem.linear_equation()?;
    } else {
        problem.equation()?.problem_of_orders(until)?;
    }
    Ok(())
}

/// Refuses an interval of time that does not begin at 0.
fn check_start(problem: &FieldProblem) -> Result<(), FitError> {
    let Some([start, _]) = problem.text().interval() else { return Ok(()) };
    let start = problem.text().values(&[start])[0];
    if start == 0.0 {
        return Ok(());
    }
    let reason = format!("it starts at t = {start}, and fields start at t = 0");
    Err(FitError::Equation { reason })
}

/// Refuses points outside of the box.
fn check_points(
    problem: &FieldProblem,
    grid: &BoxGrid,
    coordinates: &[&[f64]],
) -> Result<(), FitError> {
    let names = problem.text().coordinates();
    for ((axis, name), column) in grid.axes().iter().zip(names).zip(coordinates) {
        let [lower, upper] = axis.ends();
        let inside = |x: &f64| (lower..=upper).contains(x);
        if let Some(row) = column.iter().position(|x| !inside(x)) {
            let (coordinate, value) = (name.to_owned(), column[row]);
            return Err(FitError::OutsideBox { coordinate, row, value, lower, upper });
        }
    }
    Ok(())
}

/// Numbers of the fields of these names.
fn observed(problem: &FieldProblem, quantities: &[&str]) -> Result<Vec<usize>, FitError> {
    if quantities.is_empty() {
        return Err(FitError::Empty { what: "fields of the equation" });
    }
    let fields = problem.text().fields();
    let number = |name: &&str| {
        let found = fields.iter().position(|field| field.name() == *name);
        found.ok_or_else(|| {
            let known: Vec<&str> = fields.iter().map(|field| field.name()).collect();
            let reason = format!("the equation has the fields {}", known.join(", "));
            FitError::Quantity { name: (*name).to_owned(), reason }
        })
    };
    quantities.iter().map(number).collect()
}
