//! The trapezoidal rule for a kernel, with few nodes.

use super::kernel::Kernel;

/// Points to a step of the rule, in log t: while searching, and for the final check.
const SEARCHED: f64 = 6.0;
pub(super) const CHECKED: f64 = 20.0;

/// Times between 1/ratio and 1, equally far apart in log t, each with the kernel's reciprocal.
pub(super) struct Times(Vec<(f64, f64)>);

impl Times {
    pub(super) fn new(kernel: &Kernel, distance: f64) -> Self {
        let parts = (kernel.ratio.ln() / distance).ceil();
        let at = |i: usize| kernel.ratio.powf(i as f64 / parts - 1.0);
        let times: Vec<f64> = (0..=parts as usize).map(at).collect();
        let values = (kernel.values)(&times);
        Self(times.into_iter().zip(values.into_iter().map(f64::recip)).collect())
    }
}

/// A trapezoidal rule for a kernel.
pub(super) struct Rule {
    pub(super) step: f64,
    /// From the largest to the smallest.
    pub(super) rates: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// d(ln p) of each node: the weights without the density.
    pub(super) measures: Vec<f64>,
}

/// Rates that decay by less than this within the longest time count as zero.
pub(super) const CONSTANT: f64 = 1e-17;

impl Rule {
    /// A rule with few nodes whose error at the times searched is at most `tolerance`.
    pub(super) fn search(kernel: &Kernel, tolerance: f64) -> Self {
        // A share of the tolerance is for the step, the rest for the nodes omitted at the ends.
        [0.3, 0.6, 0.9]
            .map(|share| {
                let step = Self::largest_step(kernel, tolerance, share * tolerance);
                let times = Times::new(kernel, step / SEARCHED);
                Self::new(kernel, step).trimmed(&times, tolerance)
            })
            .into_iter()
            .min_by_key(|rule| rule.rates.len())
            .expect("there are three")
    }

    /// The largest step, as a bisection finds it, with which the rule with all nodes stays below
    /// `allowed`.
    pub(super) fn largest_step(kernel: &Kernel, tolerance: f64, allowed: f64) -> f64 {
        // The error of the plain rule is about exp(-pi^2/step).
        let guess = std::f64::consts::PI.powi(2) / -tolerance.ln();
        let kernel = kernel.typical.as_deref().unwrap_or(kernel);
        let (mut small, mut large) = (0.4 * guess, 2.0 * guess);
        for _ in 0..10 {
            let step = 0.5 * (small + large);
            let times = Times::new(kernel, step / SEARCHED);
            let rule = Self::new(kernel, step);
            if largest(&rule.errors(&times)) <= allowed { small = step } else { large = step }
        }
        small
    }

    /// The rule with all nodes that are not negligible.
    fn new(kernel: &Kernel, step: f64) -> Self {
        let (mut rates, mut weights, mut measures) = (Vec::new(), Vec::new(), Vec::new());
        let mut z = kernel.map.offset(kernel.last);
        loop {
            let (from_peak, spacing) = kernel.map.at(z);
            let y = kernel.map.peak + from_peak;
            if y < kernel.first {
                break Self { step, rates, weights, measures };
            }
            rates.push(y.exp());
            weights.push(step * spacing * (kernel.density)(from_peak));
            measures.push(step * spacing);
            z = kernel.map.below(z, step);
        }
    }

    /// Contribution of a node at a time, relative to the kernel.
    fn part(&self, node: usize, (t, reciprocal): (f64, f64)) -> f64 {
        self.weights[node] * (-self.rates[node] * t).exp() * reciprocal
    }

    /// The relative error at each of the times.
    pub(super) fn errors(&self, times: &Times) -> Vec<f64> {
        let sum = |&time: &_| (0..self.rates.len()).map(|node| self.part(node, time)).sum::<f64>();
        times.0.iter().map(|time| sum(time) - 1.0).collect()
    }

    /// Without the nodes at both ends that the tolerance permits to omit.
    fn trimmed(mut self, times: &Times, tolerance: f64) -> Self {
        let mut errors = self.errors(times);
        let mut nodes = 0..self.rates.len();
        loop {
            let without = |node: usize, errors: &[f64]| -> Vec<f64> {
                let times = times.0.iter();
                times.zip(errors).map(|(&time, error)| error - self.part(node, time)).collect()
            };
            let ends = [nodes.start, nodes.end - 1];
            let [first, last] = ends.map(|node| without(node, &errors));
            if largest(&first) <= largest(&last) && largest(&first) <= tolerance {
                (errors, nodes.start) = (first, nodes.start + 1);
            } else if largest(&last) <= tolerance {
                (errors, nodes.end) = (last, nodes.end - 1);
            } else {
                break;
            }
        }
        for part in [&mut self.rates, &mut self.weights, &mut self.measures] {
            *part = part[nodes.clone()].to_vec();
        }
        self
    }

    /// Number of nodes, from the first, that decay within the longest time.
    pub(super) fn decaying(&self) -> usize {
        self.rates.partition_point(|p| *p > CONSTANT)
    }
}

pub(super) fn largest(errors: &[f64]) -> f64 {
    errors.iter().fold(0.0, |largest, error| largest.max(error.abs()))
}
