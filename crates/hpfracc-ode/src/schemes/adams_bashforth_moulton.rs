use super::corrector_passes::CorrectorPasses;
use super::newton::{Equations, Iterate};
use super::scheme::{MemoryEstimate, Tables};
use super::trapezoid_weights::TrapezoidWeights;
use super::variable_trapezoid::{Corrector, VariableTrapezoid};
use crate::history::{History, Kernel, Rule};
use crate::{
    Node, OdeError, Problem, Scheme, Setup, Statistics, Stepper, Steps, System, UniformGrid,
};

/// Predictor-corrector method (PECE) of Adams-Bashforth-Moulton type, by product integration.
///
#[doc = formula!("adams_bashforth_moulton", r"p_n = g(t_n) + \frac{h^\alpha}{\Gamma(\alpha+1)} \sum_{j<n} b_{n-1-j} f_j
    y_n = g(t_n) + \frac{h^\alpha}{\Gamma(\alpha+2)} \left( a_{0,n} f_0 + \sum_{0<j<n} c_{n-j} f_j + f(t_n, p_n) \right), \quad f_n = f(t_n, y_n)")]
///
/// b and c are the weights of the product rectangle and the product trapezoidal rule. Further
/// corrector passes replace p_n by y_n; with zero passes, p_n is the solution: the explicit product
/// rectangle rule.
///
/// Range: alpha > 0 (at most 20), one per component or one for all. Order for smooth
/// `D^alpha y`: min(2, 1 + passes alpha). For solutions that behave as t^alpha at the start: 1 +
/// alpha at a fixed time, 2 alpha over all nodes. Stable for `D^alpha y = -lambda y` while
/// `lambda h^alpha < Gamma(alpha + 2)`; beyond, [`Statistics::stability`] is set.
///
/// At alpha = 1 it is Euler's method without a corrector, and in the limit of many passes the
/// trapezoidal rule. With few passes the predictor sums from t0, while the classical pair
/// continues from the last corrected value: the order is the same, the numbers differ.
///
/// On graded, given and adaptive steps the predictor also is the trapezoidal rule up to the last
/// node, and f is extended linearly over the last step: with one pass the order is 2 on nodes
/// `T (j/N)^(2/alpha)` for solutions that behave as t^alpha, and the error of adaptive steps is
/// that of the interpolation of f (as with [`ProductTrapezoid`](crate::ProductTrapezoid), which
/// documents such steps and their history).
///
/// Cost: passes + 1 evaluations of f a step, and two sums over the history.
///
/// Source: Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3, DOI 10.1023/A:1016592219341;
/// analysis in Numer. Algorithms 36 (2004) 31, DOI 10.1023/B:NUMA.0000027736.85078.be.
///
/// ```
/// use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::Uniform(200);
/// let solution = solve(&relaxation, &AdamsBashforthMoulton::default(), &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdamsBashforthMoulton {
    /// Corrector passes.
    pub passes: usize,
}

impl Default for AdamsBashforthMoulton {
    /// One corrector pass.
    fn default() -> Self {
        Self { passes: 1 }
    }
}

impl Scheme for AdamsBashforthMoulton {
    fn name(&self) -> &'static str {
        "Adams-Bashforth-Moulton"
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        if !matches!(setup.steps, Steps::Uniform(_)) {
            return Ok(VariableTrapezoid::memory_estimate(setup, n));
        }
        let kernels = if self.passes == 0 { 1 } else { 2 };
        let kept = setup.problem.orders().len();
        let tables = Tables { kernels, product_rules: true, own: 0, kept, after: kept + 1 };
        setup.memory_estimate(n, setup.order_count(), tables)
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        if !matches!(setup.steps, Steps::Uniform(_)) {
            return VariableTrapezoid::boxed(self.name(), Corrector::Passes(self.passes), setup);
        }
        let (grid, problem, dim) = (setup.uniform(self)?, setup.problem, setup.problem.dim());
        let rules = [Rule::Rectangle, Rule::Trapezoid];
        let rules = if self.passes == 0 { &rules[..1] } else { &rules };
        let kernels: Vec<Kernel> =
            rules.iter().map(|&rule| Kernel::product(rule, problem.orders(), grid.h())).collect();
        let history = setup.history(&kernels, grid.n())?;
        let trapezoid = TrapezoidWeights::new(problem.orders(), grid)?;
        Ok(Box::new(Pece {
            problem,
            passes: CorrectorPasses::new(self.passes, dim),
            grid,
            index: 0,
            history,
            newest: (0..dim).map(|i| trapezoid.newest(i)).collect(),
            trapezoid,
            f0: vec![0.0; dim],
            free: vec![0.0; dim],
            memory: vec![0.0; dim],
        }))
    }
}

struct Pece<'a> {
    problem: &'a Problem<dyn System + 'a>,
    passes: CorrectorPasses,
    grid: UniformGrid,
    /// Index of the last node.
    index: usize,
    history: Box<dyn History>,
    trapezoid: TrapezoidWeights,
    /// Weights of the new node, by component.
    newest: Vec<f64>,
    f0: Vec<f64>,
    free: Vec<f64>,
    /// Corrector without the term of the new node.
    memory: Vec<f64>,
}

impl Stepper for Pece<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        if self.index == 0 {
            self.f0.copy_from_slice(&node.f);
        }
        self.history.push(&node.f)?;
        let next = self.index + 1;
        node.t = self.grid.t(next);
        self.problem.free_term(node.t, &mut self.free);

        self.history.sum_into(0, &mut node.y)?;
        for (y, free) in node.y.iter_mut().zip(&self.free) {
            *y += free;
        }
        if self.passes.count > 0 {
            self.history.sum_into(1, &mut self.memory)?;
            for (i, memory) in self.memory.iter_mut().enumerate() {
                *memory += self.free[i] + self.trapezoid.start(i, next) * self.f0[i];
            }
        }
        let Self { problem, passes, memory, newest, .. } = self;
        let equations = Equations { problem, times: &[node.t], known: memory, coupling: newest };
        let at = &mut Iterate { y: &mut node.y, f: &mut node.f, statistics };
        passes.correct(&equations, at)?;
        passes.check_stability(newest, node, statistics);
        self.index = next;
        Ok(())
    }
}
