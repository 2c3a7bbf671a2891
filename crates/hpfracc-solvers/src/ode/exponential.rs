use super::{Node, Problem, Scheme, Statistics, Stepper, Steps, System, UniformGrid};
use crate::SolveError;
use crate::error::same_length;
use crate::history::{History, HistoryChoice, Kernel, Row, Rule};
use hpfracc_special::{MittagLeffler, powers};

/// The exponential integrator for stiff problems whose stiffness is known and linear.
///
/// With numbers lambda_i chosen near the stiff part of the Jacobian, `F = f - lambda y` is all that is
/// approximated:
///
/// ```text
/// D^a y = lambda y + F(t, y),    e_b(t) = t^(b-1) E_{a,b}(lambda t^a)
/// y_n = sum_j e_{j+1}(t_n) y^(j)(t0) + sum_{j<n} (e_{a+1}(t_n - t_j) - e_{a+1}(t_n - t_{j+1})) F_j
/// ```
///
/// is [`rectangle`](Self::rectangle), order 1. [`trapezoid`](Self::trapezoid) corrects it by F linear in
/// each step, in 1/alpha passes (rounded up): a pass adds alpha to the order until it is 2, for smooth
/// F. A right-hand side with constant F is solved exactly, by both, with steps of any length;
/// lambda = 0 is [`AdamsBashforthMoulton`](super::AdamsBashforthMoulton).
///
/// Range: alpha > 0 (at most 19), another for each component if wanted; any finite lambda. For solutions
/// that behave as t^alpha at the start, F does too, and the orders are those of the product rules,
/// with the constants of F in place of f. Stable if `|dF/dy|` is below `|lambda|` or within the limit of
/// Adams-Bashforth-Moulton.
///
/// Cost: one sum over the history a step and one evaluation of f, or two and one more for each pass; set-up of about N values
/// of Mittag-Leffler functions (trapezoid: 11 N) for each different alpha and lambda. Weights from
/// tables: no history of exponentials.
///
/// Source: Garrappa and Popolizio, Comput. Math. Appl. 62 (2011) 876,
/// DOI 10.1016/j.camwa.2011.04.054.
#[derive(Debug, Clone, PartialEq)]
pub struct Exponential {
    linear: Vec<f64>,
    rule: Rule,
}

impl Exponential {
    /// Order 1: F constant in each step. `linear` has one lambda for all components, or one for each.
    pub fn rectangle(linear: &[f64]) -> Self {
        Self { linear: linear.to_vec(), rule: Rule::Rectangle }
    }

    /// Order 2: F linear in each step, its newest value predicted by the rectangle rule and corrected.
    pub fn trapezoid(linear: &[f64]) -> Self {
        Self { linear: linear.to_vec(), rule: Rule::Trapezoid }
    }
}

impl Scheme for Exponential {
    fn name(&self) -> &'static str {
        match self.rule {
            Rule::Rectangle => "exponential rectangle",
            Rule::Trapezoid => "exponential trapezoid",
        }
    }

    fn prepare<'a>(
        &self,
        problem: &'a Problem<dyn System + 'a>,
        steps: &Steps,
        history: HistoryChoice,
    ) -> Result<Box<dyn Stepper + 'a>, SolveError> {
        let grid = steps.uniform(self.name(), (problem.t0(), problem.t1()))?;
        let (dim, h, n) = (problem.dim(), grid.h(), grid.n());
        if self.linear.len() != 1 {
            same_length("the list of linear parts", self.linear.len(), dim)?;
        }
        let mut modes: Vec<Mode> = Vec::new();
        let mut mode_of = Vec::with_capacity(dim);
        let mut linear = Vec::with_capacity(dim);
        for component in 0..dim {
            let (alpha, lambda) =
                (problem.order(component), self.linear[component.min(self.linear.len() - 1)]);
            let same = |mode: &Mode| mode.alpha == alpha && mode.lambda == lambda;
            let place = modes.iter().position(same);
            mode_of.push(place.unwrap_or(modes.len()));
            if place.is_none() {
                modes.push(Mode::new(alpha, lambda, h, n, self.rule)?);
            }
            linear.push(lambda);
        }
        let kernel = |row: fn(&mut Mode) -> &mut Vec<f64>, modes: &mut [Mode]| {
            // The same table may be that of several components.
            let rows: Vec<Row> =
                modes.iter_mut().map(|mode| Row::table(std::mem::take(row(mode)))).collect();
            Kernel::per_component(mode_of.iter().map(|&mode| rows[mode].clone()))
        };
        let newest = modes.iter().map(|m| m.trapezoids.first().copied().unwrap_or(0.0)).collect();
        let mut kernels = vec![kernel(|mode| &mut mode.cells, &mut modes)];
        let mut passes = 0;
        if self.rule == Rule::Trapezoid {
            let least = problem.orders().iter().copied().fold(1.0, f64::min);
            passes = (1.0 / least).ceil() as usize;
            kernels.push(kernel(|mode| &mut mode.trapezoids, &mut modes));
        }
        Ok(Box::new(Exponentials {
            problem,
            passes,
            grid,
            index: 0,
            history: history.build(&kernels, dim, n)?,
            modes,
            mode_of,
            newest,
            linear,
            forcing: vec![0.0; dim],
            first: vec![0.0; dim],
            free: vec![0.0; dim],
            memory: vec![0.0; dim],
        }))
    }
}

struct Exponentials<'a> {
    problem: &'a Problem<dyn System + 'a>,
    passes: usize,
    grid: UniformGrid,
    /// Index of the last node.
    index: usize,
    history: Box<dyn History>,
    modes: Vec<Mode>,
    /// By component.
    mode_of: Vec<usize>,
    /// By mode, the trapezoidal rule's weight of the newest sample.
    newest: Vec<f64>,
    /// By component.
    linear: Vec<f64>,
    /// F at the last node, or at the predicted one.
    forcing: Vec<f64>,
    /// F at t0.
    first: Vec<f64>,
    free: Vec<f64>,
    memory: Vec<f64>,
}

impl Exponentials<'_> {
    /// F = f - lambda y.
    fn split(&mut self, node: &Node) {
        let both = node.f.iter().zip(&node.y).zip(&self.linear);
        for (forcing, ((f, y), lambda)) in self.forcing.iter_mut().zip(both) {
            *forcing = f - lambda * y;
        }
    }
}

impl Stepper for Exponentials<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), SolveError> {
        self.split(node);
        if self.index == 0 {
            self.first.copy_from_slice(&self.forcing);
        }
        self.history.push(&self.forcing)?;
        let next = self.index + 1;
        node.t = self.grid.t(next);
        self.free.fill(0.0);
        for (derivative, row) in self.problem.initial().enumerate() {
            for ((free, y), &mode) in self.free.iter_mut().zip(row).zip(&self.mode_of) {
                // An order that takes no such derivative has no table for it.
                let table = self.modes[mode].homogeneous.get(derivative);
                *free += table.map_or(0.0, |table| table[next] * y);
            }
        }
        self.history.sum_into(0, &mut node.y)?;
        node.y.iter_mut().zip(&self.free).for_each(|(y, free)| *y += free);
        if self.passes > 0 {
            self.history.sum_into(1, &mut self.memory)?;
            for (i, memory) in self.memory.iter_mut().enumerate() {
                let start = self.modes[self.mode_of[i]].starts[next];
                *memory += self.free[i] + start * self.first[i];
            }
        }
        for _ in 0..self.passes {
            self.problem.rhs(node.t, &node.y, &mut node.f, statistics)?;
            self.split(node);
            for (i, y) in node.y.iter_mut().enumerate() {
                *y = self.memory[i] + self.newest[self.mode_of[i]] * self.forcing[i];
            }
        }
        if !node.y.iter().all(|y| y.is_finite()) {
            return Err(SolveError::NotFinite { t: node.t });
        }
        self.problem.rhs(node.t, &node.y, &mut node.f, statistics)?;
        self.index = next;
        Ok(())
    }
}

/// The weights of one order and one lambda.
struct Mode {
    alpha: f64,
    lambda: f64,
    /// `e_{j+1}(n h)` for j below the order.
    homogeneous: Vec<Vec<f64>>,
    /// The integrals of the kernel e_a from (m-1) h to m h; 0 for m = 0.
    cells: Vec<f64>,
    /// Those with the hat around m h, of which only the half after 0 for m = 0.
    trapezoids: Vec<f64>,
    /// What the trapezoidal rule adds for F at t0, whose hat has one half.
    starts: Vec<f64>,
}

impl Mode {
    fn new(alpha: f64, lambda: f64, h: f64, n: usize, rule: Rule) -> Result<Self, SolveError> {
        let derivatives = 0..alpha.ceil() as usize;
        let kernel = Scaled { alpha, z: lambda * h.powf(alpha), n };
        let homogeneous = derivatives
            .map(|j| scaled(kernel.at_nodes(j as f64 + 1.0)?, h.powi(j as i32)))
            .collect::<Result<_, SolveError>>()?;
        let mut mode = Self {
            alpha,
            lambda,
            homogeneous,
            cells: Vec::new(),
            trapezoids: Vec::new(),
            starts: Vec::new(),
        };
        let scale = h.powf(alpha);
        match rule {
            Rule::Rectangle => {
                let once = kernel.at_nodes(alpha + 1.0)?;
                mode.cells = scaled(differences(&once), scale)?;
            }
            Rule::Trapezoid => {
                let (rising, falling) = kernel.moments()?;
                let sums = rising.iter().zip(&falling).map(|(r, f)| r + f);
                mode.cells = scaled(sums.take(n + 1).collect(), scale)?;
                // The hat around m rises in cell m and falls in cell m + 1.
                let hats = (0..=n).map(|m| rising[m] + falling[m + 1]).collect();
                mode.trapezoids = scaled(hats, scale)?;
                mode.starts = scaled(falling[1..].iter().map(|f| -f).collect(), scale)?;
            }
        }
        Ok(mode)
    }
}

fn scaled(mut v: Vec<f64>, factor: f64) -> Result<Vec<f64>, SolveError> {
    v.iter_mut().for_each(|x| *x *= factor);
    Ok(v)
}

/// `v[m] - v[m-1]`, 0 for m = 0.
fn differences(v: &[f64]) -> Vec<f64> {
    std::iter::once(0.0).chain(v.windows(2).map(|pair| pair[1] - pair[0])).collect()
}

/// The functions e_b in units of a step: `s^(b-1) E_{a,b}(z s^a)`.
struct Scaled {
    alpha: f64,
    z: f64,
    n: usize,
}

/// From this cell on the kernel is a polynomial within each, where it does not oscillate or grow
/// faster: its singularity at 0 is as far as 2 * 8 half widths, and `34^-10 = 5e-16`.
const SMOOTH: usize = 9;

/// Nodes and weights of Gauss and Legendre on [0, 1].
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

impl Scaled {
    /// The values for s = 0 .. N + 1.
    fn at_nodes(&self, b: f64) -> Result<Vec<f64>, SolveError> {
        let mut argument = vec![0.0; self.n + 2];
        powers(self.alpha, &mut argument);
        argument.iter_mut().for_each(|s| *s *= self.z);
        let mut values = vec![0.0; self.n + 2];
        MittagLeffler::new(self.alpha, b)?.eval_slice(&argument, &mut values)?;
        powers(b - 1.0, &mut argument);
        values.iter_mut().zip(&argument).for_each(|(value, power)| *value *= power);
        Ok(values)
    }

    /// The integrals of the kernel times a function that rises from 0 to 1 in the cell from m - 1 to m,
    /// and times one that falls from 1 to 0; m = 0 .. N + 1.
    ///
    /// Differences of e_{a+2} near 0, where nothing cancels. Later they would lose as many digits as the
    /// second difference is smaller than the function; there, quadrature.
    fn moments(&self) -> Result<(Vec<f64>, Vec<f64>), SolveError> {
        let completely_monotone = self.alpha <= 1.0 && self.z <= 0.0;
        let slow = completely_monotone || self.z.abs().powf(1.0 / self.alpha) <= 0.5;
        let near = if slow { SMOOTH.min(self.n + 2) } else { self.n + 2 };
        let here = Self { n: near - 2.min(near), ..*self };
        let (once, twice) = (here.at_nodes(self.alpha + 1.0)?, here.at_nodes(self.alpha + 2.0)?);
        let (cells, slopes) = (differences(&once), differences(&twice));
        let mut rising: Vec<f64> = once.iter().zip(&slopes).map(|(v, d)| v - d).collect();
        rising[0] = 0.0;
        let mut falling: Vec<f64> = cells.iter().zip(&rising).map(|(cell, r)| cell - r).collect();
        rising.resize(self.n + 2, 0.0);
        falling.resize(self.n + 2, 0.0);
        if near < self.n + 2 {
            self.quadrature(near, &mut rising, &mut falling)?;
        }
        Ok((rising, falling))
    }

    /// The moments from a cell on.
    fn quadrature(
        &self,
        from: usize,
        rising: &mut [f64],
        falling: &mut [f64],
    ) -> Result<(), SolveError> {
        let function = MittagLeffler::new(self.alpha, self.alpha)?;
        let mut powers = vec![0.0; rising.len() - from];
        let (mut arguments, mut values) = (powers.clone(), powers.clone());
        for (x, weight) in GAUSS {
            for (m, (power, argument)) in (from..).zip(powers.iter_mut().zip(&mut arguments)) {
                let s = (m - 1) as f64 + x;
                let to_alpha = s.powf(self.alpha);
                (*power, *argument) = (to_alpha / s, self.z * to_alpha);
            }
            function.eval_slice(&arguments, &mut values)?;
            for (i, value) in values.iter().zip(&powers).map(|(e, power)| e * power).enumerate() {
                rising[from + i] += weight * x * value;
                falling[from + i] += weight * (1.0 - x) * value;
            }
        }
        Ok(())
    }
}
