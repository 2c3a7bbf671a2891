//! Steps with a node at each of some times.

use crate::FitError;
use hpfracc_ode::Steps;
use hpfracc_ode::ndarray::ArrayView2;

/// Exponent of the steps where equal ones do not meet all times: short ones after the start, where solutions are
/// powers of the time.
const EXPONENT: f64 = 3.0;
/// Distance of a time from its node, as a share of the interval, which is rounding.
const ROUNDING: f64 = 1e-13;

/// Least numbers of steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Resolution {
    /// Where equal steps meet all times.
    pub(super) equal: usize,
    /// Where they do not.
    pub(super) unequal: usize,
    /// Factor of the number of steps, 1 at first, that divides each of them.
    pub(super) refinement: usize,
}

/// Times from the start on, ascending, with the steps of a solve that has a node at each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Nodes {
    pub(super) start: f64,
    pub(super) steps: Steps,
    /// Each time once, with its node.
    nodes: Vec<(f64, usize)>,
}

impl Nodes {
    /// # Errors
    /// [`FitError::Time`] for a time that is not finite or before the start, [`FitError::Empty`] without a later one.
    pub(super) fn new(start: f64, times: &[f64], resolution: Resolution) -> Result<Self, FitError> {
        let (times, later) = checked(start, times)?;
        let (steps, nodes) = equal_steps(start, &later, resolution)
            .unwrap_or_else(|| unequal_steps(start, &later, resolution));
        Ok(Self { start, steps, nodes }.with_start(&times))
    }

    /// The same with unequal steps, whatever the times are.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    #[cfg(feature = "pde")]
    pub(super) fn unequal(
        start: f64,
        times: &[f64],
        resolution: Resolution,
    ) -> Result<Self, FitError> {
        let (times, later) = checked(start, times)?;
        let (steps, nodes) = unequal_steps(start, &later, resolution);
        Ok(Self { start, steps, nodes }.with_start(&times))
    }

    /// With a node for the start, if it is one of the times.
    fn with_start(mut self, times: &[f64]) -> Self {
        if self.nodes.len() < times.len() {
            self.nodes.insert(0, (self.start, 0));
        }
        self
    }

    /// The last time.
    pub(super) fn end(&self) -> f64 {
        self.nodes[self.nodes.len() - 1].0
    }

    /// Times, and the nodes that they are.
    pub(super) fn times(&self) -> &[(f64, usize)] {
        &self.nodes
    }

    /// The first columns of an array with a row for each node, column by column, at the times.
    pub(super) fn rows(&self, columns: usize, array: ArrayView2<'_, f64>) -> Vec<f64> {
        let of_column = |k| self.nodes.iter().map(move |(_, node)| array[[*node, k]]);
        (0..columns).flat_map(of_column).collect()
    }

    /// Place of a time among the times.
    pub(super) fn place(&self, t: f64) -> Option<usize> {
        self.nodes.binary_search_by(|(node, _)| node.total_cmp(&t)).ok()
    }
}

/// The times in order, each once, and those after the start.
fn checked(start: f64, times: &[f64]) -> Result<(Vec<f64>, Vec<f64>), FitError> {
    let bad = times.iter().position(|t| !(t.is_finite() && *t >= start));
    if let Some(row) = bad {
        return Err(FitError::Time { row, value: times[row], start });
    }
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let later: Vec<f64> = times.iter().copied().filter(|t| *t > start).collect();
    if later.is_empty() {
        return Err(FitError::Empty { what: "times after the start of the equation" });
    }
    Ok((times, later))
}

/// Equal steps, if some number of them within eight times the requested one meets all times.
fn equal_steps(
    start: f64,
    times: &[f64],
    resolution: Resolution,
) -> Option<(Steps, Vec<(f64, usize)>)> {
    let span = times[times.len() - 1] - start;
    let before = [start].into_iter().chain(times.iter().copied());
    let shortest = times.iter().zip(before).map(|(t, before)| t - before).fold(span, f64::min);
    let most = 8.0 * resolution.equal.max(times.len()) as f64;
    let node = |t: f64, n: f64| (t - start) / span * n;
    let meets = |n: f64| {
        let distance = |t: &f64| (node(*t, n) - node(*t, n).round()).abs();
        n <= most && times.iter().all(|t| distance(t) <= ROUNDING * n)
    };
    // Not only the shortest distance divides the others: half of it may, or a third.
    let counts = (1..=8).map(|parts| (f64::from(parts) * span / shortest).round());
    let n = counts.into_iter().find(|n| meets(*n))?;
    let pieces = (resolution.equal as f64 / n).ceil().max(1.0) * resolution.refinement as f64;
    let nodes = times.iter().map(|t| (*t, (node(*t, n).round() * pieces) as usize)).collect();
    Some((Steps::Uniform((n * pieces) as usize), nodes))
}

/// The times, with nodes between them that are denser after the start.
fn unequal_steps(start: f64, times: &[f64], resolution: Resolution) -> (Steps, Vec<(f64, usize)>) {
    let scale = |t: f64| (t - start).powf(1.0 / EXPONENT);
    let longest = scale(times[times.len() - 1]) / resolution.unequal as f64;
    let (mut all, mut nodes, mut left) = (vec![start], vec![], 0.0);
    for &t in times {
        let right = scale(t);
        // Ten percent longer ones spare a step that is mostly rounding.
        let pieces = ((right - left) / longest - 0.1).ceil().max(1.0) as usize;
        let pieces = pieces * resolution.refinement;
        let between = |k: usize| {
            let share = k as f64 / pieces as f64;
            start + (left + (right - left) * share).powf(EXPONENT)
        };
        for node in (1..pieces).map(between) {
            // Numbers around a start far from 0 may have no room for all of them.
            if all[all.len() - 1] < node && node < t {
                all.push(node);
            }
        }
        all.push(t);
        nodes.push((t, all.len() - 1));
        left = right;
    }
    (Steps::Given(all), nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESOLUTION: Resolution = Resolution { equal: 100, unequal: 50, refinement: 1 };

    fn nodes(times: &[f64], refinement: usize) -> Nodes {
        Nodes::new(0.0, times, Resolution { refinement, ..RESOLUTION }).unwrap()
    }

    /// Every time is its node, whatever the steps.
    fn check(nodes: &Nodes, times: &[f64]) {
        let all = nodes.steps.nodes("steps", (nodes.start, nodes.end())).unwrap();
        for t in times {
            let (time, node) = nodes.times()[nodes.place(*t).unwrap()];
            assert_eq!(time, *t);
            assert!((all[node] - t).abs() <= 1e-13 * nodes.end(), "{} {t}", all[node]);
        }
        assert_eq!(nodes.place(-0.1), None);
    }

    #[test]
    fn equal_times_have_equal_steps() {
        // 0.1 k is not a multiple of 0.1 in binary numbers; 0.3, 0.5 and 1 are multiples of 0.1, which is none of them.
        let tenths: Vec<f64> = (0..=20).map(|k| 0.1 * f64::from(k)).collect();
        for (times, steps) in [(tenths, 100), (vec![0.3, 0.5, 1.0, 0.5], 100), (vec![7.0], 100)] {
            for refinement in [1, 2] {
                let nodes = nodes(&times, refinement);
                assert_eq!(nodes.steps, Steps::Uniform(steps * refinement));
                check(&nodes, &times);
            }
        }
        let many: Vec<f64> = (1..=333).map(f64::from).collect();
        assert_eq!(nodes(&many, 1).steps, Steps::Uniform(333));
    }

    #[test]
    fn other_times_are_nodes_of_unequal_steps() {
        let powers: Vec<f64> = (-30..=30).map(|k| 10f64.powf(f64::from(k) / 10.0)).collect();
        let rounded = [0.0, 0.333_333, 0.7, 1.0, 1.0 + 1e-9];
        for times in [&powers[..], &rounded] {
            let (coarse, fine) = (nodes(times, 1), nodes(times, 2));
            check(&coarse, times);
            check(&fine, times);
            assert_eq!(fine.steps.count(), coarse.steps.count().map(|n| 2 * n));
            assert!(matches!(coarse.steps, Steps::Given(_)));
        }
    }

    #[test]
    fn times_are_checked() {
        let error = |times: &[f64]| Nodes::new(1.0, times, RESOLUTION).unwrap_err();
        for (times, row) in [(&[1.0, 0.5][..], 1), (&[f64::NAN], 0), (&[2.0, f64::INFINITY], 1)] {
            assert!(matches!(error(times), FitError::Time { row: found, .. } if found == row));
        }
        assert!(matches!(error(&[1.0, 1.0]), FitError::Empty { .. }));
        assert!(matches!(error(&[]), FitError::Empty { .. }));
    }
}
