use super::newton::{Equations, Newton};
use super::scheme::{MemoryEstimate, Tables};
use crate::error::require;
use crate::history::{
    CellMemory, CellMoments, EXPONENTIALS_FROM, History, HistoryChoice, Kernel, Pieces, Row,
    SumOfExponentialsMemory, checked_tolerance,
};
use crate::{
    Node, OdeError, Problem, Scheme, Setup, Statistics, Stepper, Steps, System, UniformGrid,
};
use hpfracc_lanes::Lanes;
use hpfracc_operators::Number;
use hpfracc_special::{forward_differences_of_powers, gamma};

/// Implicit L1 scheme: the Caputo derivative of the piecewise linear interpolant of y.
///
#[doc = formula!("l1", r"\frac{1}{\Gamma(2-\alpha)} \sum_{k<n} \frac{y_{k+1} - y_k}{t_{k+1} - t_k} \left( (t_n-t_k)^{1-\alpha} - (t_n-t_{k+1})^{1-\alpha} \right) = f(t_n, y_n)")]
///
/// Range: 0 < alpha <= 1, one per component or one for all; uniform, graded and given steps. Order
/// for smooth y: 2 - alpha. For solutions that behave as t^alpha at the start, on uniform steps: 1
/// at a fixed time, alpha over all nodes; on nodes `T (j/N)^r` over all of them min(r alpha, 2 -
/// alpha), so that r = (2 - alpha)/alpha has the full order. Stable for every
/// `D^alpha y = -lambda y`, lambda > 0. At alpha = 1 it is the backward Euler method.
///
/// Cost: Newton's iteration, and one sum over the history a step. On unequal steps a direct sum has
/// new weights, two powers for each earlier step and distinct order, N^2 in all; with exponentials
/// ("fast L1": Jiang et al., Commun. Comput. Phys. 21 (2017) 650, DOI 10.4208/cicp.OA-2016-0136)
/// memory and cost of a step are constant. A blocked history is an error there.
///
/// Source: Stynes, O'Riordan and Gracia, SIAM J. Numer. Anal. 55 (2017) 1057, DOI
/// 10.1137/16M1082329.
///
/// ```
/// use hpfracc_ode::{L1, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::Graded { n: 200, exponent: 3.0 };
/// let solution = solve(&relaxation, &L1, &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct L1;

impl Scheme for L1 {
    fn name(&self) -> &'static str {
        "L1"
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        if !matches!(setup.steps, Steps::Uniform(_)) {
            let (history, dim) = (setup.options.history, setup.problem.dim());
            let compressed = history.numbers_of_exponentials(dim, setup.steps.ratio(n));
            let slopes = if compressed.is_none() { dim } else { 0 };
            let nodes = (1 + slopes) as f64 * n as f64;
            return Ok(MemoryEstimate::constant(nodes + compressed.unwrap_or(0.0)));
        }
        let rows = setup.order_count();
        let tables = Tables { kernels: 1, product_rules: false, own: rows, kept: 0, after: 0 };
        setup.memory_estimate(n, rows, tables)
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let problem = setup.problem;
        for &alpha in problem.orders() {
            require(alpha <= 1.0, "the order of the L1 scheme", alpha, "0 < alpha <= 1")?;
        }
        let memory: Box<dyn Memory> = if let Steps::Uniform(_) = setup.steps {
            Box::new(Equal::new(setup, setup.uniform(self)?)?)
        } else {
            let nodes = setup.steps.nodes(self.name(), problem.interval())?;
            unequal(setup.options.history, problem, nodes)?
        };
        let dim = problem.dim();
        Ok(Box::new(Implicit {
            problem,
            memory,
            newton: Newton::new(problem, 1)?,
            index: 0,
            stored: true,
            last: vec![0.0; dim],
            change: vec![0.0; dim],
            known: vec![0.0; dim],
            newest: vec![0.0; dim],
        }))
    }
}

/// The memory on unequal steps.
fn unequal(
    history: HistoryChoice,
    problem: &Problem<dyn System + '_>,
    nodes: Vec<f64>,
) -> Result<Box<dyn Memory>, OdeError> {
    Ok(match history {
        HistoryChoice::Blocked => return Err(OdeError::UnequalSteps),
        HistoryChoice::Within { tolerance } if nodes.len() >= EXPONENTIALS_FROM => {
            let tolerance = checked_tolerance(tolerance)?;
            Box::new(Compressed::<f64>::new(problem, nodes, tolerance)?)
        }
        HistoryChoice::Exact | HistoryChoice::Direct | HistoryChoice::Within { .. } => {
            Box::new(Unequal::new(problem, nodes))
        }
        HistoryChoice::Exponentials { tolerance } => {
            Box::new(Compressed::<f64>::new(problem, nodes, tolerance)?)
        }
        HistoryChoice::SingleExponentials { tolerance } => {
            Box::new(Compressed::<f32>::new(problem, nodes, tolerance)?)
        }
    })
}

/// With the newest slope separated, the scheme is `y_n = known + newest f(t_n, y_n)`.
struct Implicit<'a> {
    problem: &'a Problem<dyn System + 'a>,
    memory: Box<dyn Memory>,
    newton: Newton<'a>,
    index: usize,
    /// Whether the last change is stored already, after a jump.
    stored: bool,
    last: Vec<f64>,
    /// `y_n - y_{n-1}`.
    change: Vec<f64>,
    known: Vec<f64>,
    newest: Vec<f64>,
}

impl Stepper for Implicit<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        if !self.stored {
            self.store_change(&node.y)?;
        }
        self.stored = false;
        self.last.copy_from_slice(&node.y);
        let t = self.memory.ahead(self.index + 1, &mut self.known, &mut self.newest)?;
        self.known.iter_mut().zip(&node.y).for_each(|(known, y)| *known += y);
        let Self { problem, known, newest, .. } = self;
        let equations = Equations { problem, times: &[t], known, coupling: newest };
        self.newton.step(&equations, (node, self.index == 0), statistics)?;
        self.index += 1;
        Ok(())
    }

    /// The derivative is that of y without its jumps.
    fn jump(&mut self, before: &Node, _after: &Node) -> Result<bool, OdeError> {
        if !self.memory.end_step(self.index, before.t) {
            return Ok(false);
        }
        if !self.stored {
            self.store_change(&before.y)?;
        }
        self.stored = true;
        Ok(true)
    }
}

impl Implicit<'_> {
    fn store_change(&mut self, y: &[f64]) -> Result<(), OdeError> {
        for (change, (y, last)) in self.change.iter_mut().zip(y.iter().zip(&self.last)) {
            *change = y - last;
        }
        self.memory.push(&self.change)
    }
}

/// Sum over earlier changes of y.
trait Memory {
    /// Ends the step to a node at an earlier time; false on equal steps.
    fn end_step(&mut self, node: usize, t: f64) -> bool {
        let _ = (node, t);
        false
    }

    /// Appends the change of y over a step.
    fn push(&mut self, change: &[f64]) -> Result<(), OdeError>;

    /// Returns the time of the next node; writes, by component, the factor of f at that node and
    /// the contribution of earlier changes to y.
    fn ahead(&mut self, next: usize, sum: &mut [f64], newest: &mut [f64]) -> Result<f64, OdeError>;
}

/// Weights `-b` of the changes of y by lag, on equal steps.
pub(crate) fn l1_row(alpha: f64, grid: UniformGrid) -> Row {
    let mut b = vec![0.0; grid.n() + 1];
    forward_differences_of_powers(1.0 - alpha, &mut b);
    b.iter_mut().for_each(|b| *b = -*b);
    Row::Table(b)
}

/// Weight `Gamma(2-alpha) h^alpha` of f at the end of a step.
pub(crate) fn l1_newest<T: Number>(alpha: T, h: f64) -> T {
    (-alpha + 2.0).gamma() * T::constant(h).powf(alpha)
}

/// Equal steps: a convolution.
struct Equal {
    grid: UniformGrid,
    history: Box<dyn History>,
    newest: Vec<f64>,
}

impl Equal {
    fn new(setup: &Setup<'_>, grid: UniformGrid) -> Result<Self, OdeError> {
        let rows = setup.problem.orders().iter().map(|&alpha| l1_row(alpha, grid));
        let history = setup.history(&[Kernel::per_component(rows)], grid.n())?;
        let orders = (0..setup.problem.dim()).map(|i| setup.problem.order(i));
        let newest = orders.map(|alpha| l1_newest(alpha, grid.h())).collect();
        Ok(Self { grid, history, newest })
    }
}

impl Memory for Equal {
    fn push(&mut self, change: &[f64]) -> Result<(), OdeError> {
        self.history.push(change)
    }

    fn ahead(&mut self, next: usize, sum: &mut [f64], newest: &mut [f64]) -> Result<f64, OdeError> {
        self.history.sum_into(0, sum)?;
        newest.copy_from_slice(&self.newest);
        Ok(self.grid.t(next))
    }
}

/// Unequal steps: new weights for each node.
struct Unequal {
    nodes: Vec<f64>,
    /// Distinct orders with their Gamma(2-alpha) and components.
    orders: Vec<(f64, f64, Vec<usize>)>,
    /// Step by step.
    slopes: Vec<f64>,
}

impl Unequal {
    fn new(problem: &Problem<dyn System + '_>, nodes: Vec<f64>) -> Self {
        let orders = problem.by_order().into_iter();
        let orders = orders.map(|(alpha, of)| (alpha, gamma(2.0 - alpha), of)).collect();
        let slopes = Vec::with_capacity(problem.dim() * nodes.len());
        Self { nodes, orders, slopes }
    }
}

impl Memory for Unequal {
    fn end_step(&mut self, node: usize, t: f64) -> bool {
        if t < self.nodes[node] {
            self.nodes.insert(node, t);
        }
        true
    }

    fn push(&mut self, change: &[f64]) -> Result<(), OdeError> {
        let known = self.slopes.len() / change.len();
        let width = self.nodes[known + 1] - self.nodes[known];
        self.slopes.extend(change.iter().map(|change| change / width));
        Ok(())
    }

    fn ahead(&mut self, next: usize, sum: &mut [f64], newest: &mut [f64]) -> Result<f64, OdeError> {
        let dim = sum.len();
        let t = self.nodes[next];
        let width = t - self.nodes[next - 1];
        sum.fill(0.0);
        for (alpha, gamma, components) in &self.orders {
            // The newest slope has the weight width^(1-a)/Gamma(2-a); all is divided by it and by
            // the width.
            let scale = width.powf(*alpha);
            for (cell, slopes) in self.nodes[..next].windows(2).zip(self.slopes.chunks_exact(dim)) {
                let weight = scale * cell_weight(*alpha, t, (cell[0], cell[1]));
                components.iter().for_each(|&i| sum[i] -= weight * slopes[i]);
            }
            components.iter().for_each(|&i| newest[i] = gamma * scale);
        }
        Ok(t)
    }
}

/// Unequal steps, the kernel t^-alpha as a sum of exponentials: the fractional integral of order
/// 1 - alpha of the slopes.
struct Compressed<T> {
    nodes: Vec<f64>,
    /// By component, alpha and Gamma(2-alpha).
    orders: Vec<(f64, f64)>,
    index: usize,
    slopes: Vec<f64>,
    sums: SumOfExponentialsMemory<T>,
}

impl<T: Lanes> Compressed<T> {
    fn new(
        problem: &Problem<dyn System + '_>,
        nodes: Vec<f64>,
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        // At order 1, backward Euler, there is no history.
        let fractional = problem.by_order().into_iter().filter(|(alpha, _)| *alpha < 1.0);
        let groups: Vec<_> =
            fractional.map(|(alpha, of)| (CellMoments::new(1.0 - alpha), of)).collect();
        let shortest = nodes.windows(2).map(|ends| ends[1] - ends[0]).fold(f64::INFINITY, f64::min);
        let extent = (shortest, problem.t1() - problem.t0(), &nodes[..]);
        let sums = SumOfExponentialsMemory::new(Pieces::Constant, &groups, extent, tolerance)?;
        let orders = (0..problem.dim()).map(|i| (problem.order(i), gamma(2.0 - problem.order(i))));
        let orders = orders.collect();
        Ok(Self { nodes, orders, index: 0, slopes: vec![0.0; problem.dim()], sums })
    }
}

impl<T: Lanes> Memory for Compressed<T> {
    fn end_step(&mut self, node: usize, t: f64) -> bool {
        if t < self.nodes[node] {
            self.nodes.insert(node, t);
        }
        true
    }

    fn push(&mut self, change: &[f64]) -> Result<(), OdeError> {
        let [before, t] = [self.nodes[self.index], self.nodes[self.index + 1]];
        let slopes = self.slopes.iter_mut().zip(change);
        slopes.for_each(|(slope, change)| *slope = change / (t - before));
        self.sums.push(t, &self.slopes);
        self.index += 1;
        Ok(())
    }

    fn ahead(&mut self, next: usize, sum: &mut [f64], newest: &mut [f64]) -> Result<f64, OdeError> {
        let (t, before) = (self.nodes[next], self.nodes[next - 1]);
        sum.fill(0.0);
        self.sums.add_into(t, sum);
        let mut power = (f64::NAN, f64::NAN);
        for ((sum, newest), (alpha, gamma)) in sum.iter_mut().zip(newest).zip(&self.orders) {
            if *alpha != power.0 {
                power = (*alpha, (t - before).powf(*alpha));
            }
            *newest = gamma * power.1;
            *sum *= -*newest;
        }
        Ok(t)
    }
}

/// `(t - s0)^(1-alpha) - (t - s1)^(1-alpha)` without cancellation, s0 < s1 < t.
pub(crate) fn cell_weight<T: Number>(alpha: T, t: f64, (s0, s1): (f64, f64)) -> T {
    let (far, width) = (t - s0, s1 - s0);
    let b = -alpha + 1.0;
    -T::constant(far).powf(b) * (b * (-width / far).ln_1p()).exp_m1()
}
