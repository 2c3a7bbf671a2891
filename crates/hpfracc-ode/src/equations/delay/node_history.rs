//! Interpolated solution of a delay equation up to the current step.

use crate::{DenseOutput, Interpolation, Trajectory};
use std::f64::consts::PI;

/// Nodes so far, and values between them.
#[derive(Debug, Default)]
pub(super) struct NodeHistory {
    interpolation: Interpolation,
    times: Vec<f64>,
    /// Node by node.
    pub(super) states: Vec<f64>,
    /// Step by step, the values at the Chebyshev points from the end of the step to its start.
    inner: Vec<f64>,
}

/// Largest capacity that is allocated before the scheme has validated the steps.
const AT_FIRST: usize = 1 << 20;

impl NodeHistory {
    /// Clears the nodes and reserves capacity for `nodes` nodes, at most [`AT_FIRST`] numbers.
    pub(super) fn clear(&mut self, interpolation: Interpolation, nodes: usize, dim: usize) {
        self.interpolation = interpolation;
        let points = self.points();
        let each = [
            (&mut self.times, 1),
            (&mut self.states, dim),
            (&mut self.inner, dim.saturating_mul(points)),
        ];
        for (values, each) in each {
            values.clear();
            values.reserve(nodes.saturating_mul(each).min(AT_FIRST));
        }
    }

    /// Takes the last node of the trajectory.
    pub(super) fn push(&mut self, trajectory: &Trajectory, dense: &dyn DenseOutput) {
        let node = trajectory.times().len() - 1;
        let t = trajectory.times()[node];
        if let Some(&before) = self.times.last() {
            let points = self.points();
            for j in 1..=points {
                let from = self.inner.len();
                self.inner.resize(from + trajectory.dim(), 0.0);
                let s = chebyshev(j, points, (before, t));
                dense.between(trajectory, node - 1, s, &mut self.inner[from..]);
            }
        }
        self.times.push(t);
        self.states.extend_from_slice(trajectory.state(node));
    }

    /// Takes all nodes of a trajectory, without values inside steps.
    pub(super) fn set_nodes(&mut self, trajectory: &Trajectory) {
        self.times.extend_from_slice(trajectory.times());
        (0..self.times.len()).for_each(|node| self.states.extend(trajectory.state(node)));
    }

    /// Writes y(s) for t0 < s <= t, where y(t) is the value that the current step iterates.
    pub(super) fn at(&self, s: f64, (t, y): (f64, &[f64]), out: &mut [f64]) {
        let dim = y.len();
        // The nodes before t, followed by t.
        let known = self.times.partition_point(|node| *node < t);
        let node = |j: usize| {
            if j < known { (self.times[j], &self.states[j * dim..][..dim]) } else { (t, y) }
        };
        let right = self.times[..known].partition_point(|node| *node < s);
        if right == 0 {
            // No node is recorded yet.
            out.copy_from_slice(node(0).1);
            return;
        }
        if self.points() > 0 && right < known {
            self.polynomial(right, s, out);
            return;
        }
        let ((a, from), (b, to)) = (node(right - 1), node(right));
        let share = (s - a) / (b - a);
        for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
            *out = from + share * (to - from);
        }
        let third = if right >= 2 { right - 2 } else { 2 };
        if self.interpolation == Interpolation::Quadratic && third <= known {
            // Newton's form: the second divided difference times (s-a)(s-b).
            let (c, other) = node(third);
            for (i, out) in out.iter_mut().enumerate() {
                let slope = (to[i] - from[i]) / (b - a);
                let second = ((other[i] - from[i]) / (c - a) - slope) / (c - b);
                *out += second * (s - a) * (s - b);
            }
        }
    }

    /// Calls `with` for each node of which y(s) is a linear function, t0 < s <= t, and its factor; None
    /// is the present state at t. Without values inside steps.
    pub(super) fn weights(&self, s: f64, t: f64, mut with: impl FnMut(Option<usize>, f64)) {
        let known = self.times.partition_point(|node| *node < t);
        let time = |j: usize| if j < known { self.times[j] } else { t };
        let mut with = |j: usize, factor: f64| with((j < known).then_some(j), factor);
        let right = self.times[..known].partition_point(|node| *node < s);
        if right == 0 {
            return with(0, 1.0);
        }
        let (a, b) = (time(right - 1), time(right));
        let share = (s - a) / (b - a);
        let (mut from, mut to) = (1.0 - share, share);
        let third = if right >= 2 { right - 2 } else { 2 };
        if self.interpolation == Interpolation::Quadratic && third <= known {
            let c = time(third);
            let scale = (s - a) * (s - b) / (c - b);
            with(third, scale / (c - a));
            from -= scale * (1.0 / (c - a) - 1.0 / (b - a));
            to -= scale / (b - a);
        }
        with(right - 1, from);
        with(right, to);
    }

    /// Writes the derivative of [`at`](Self::at) with respect to s, t0 <= s <= t: at a node, where it jumps,
    /// the mean of both sides, as far as both are there. Without values inside steps.
    pub(super) fn slope(&self, s: f64, (t, y): (f64, &[f64]), rounding: f64, out: &mut [f64]) {
        let dim = y.len();
        let known = self.times.partition_point(|node| *node < t);
        let node = |j: usize| {
            if j < known { (self.times[j], &self.states[j * dim..][..dim]) } else { (t, y) }
        };
        // Steps before and after s, by the node at their end.
        let times = &self.times[..known];
        let after = times.partition_point(|node| *node <= s + rounding);
        let before = times.partition_point(|node| *node < s - rounding);
        let after = if s + rounding >= t { before } else { after };
        let before = if before == 0 { after } else { before };
        out.fill(0.0);
        for right in [before, after].into_iter().filter(|right| *right > 0) {
            let ((a, from), (b, to)) = (node(right - 1), node(right));
            let third = if right >= 2 { right - 2 } else { 2 };
            let parabola = self.interpolation == Interpolation::Quadratic && third <= known;
            let (c, other) = node(if parabola { third } else { right });
            for (i, out) in out.iter_mut().enumerate() {
                let chord = (to[i] - from[i]) / (b - a);
                *out += 0.5 * chord;
                if parabola {
                    let second = ((other[i] - from[i]) / (c - a) - chord) / (c - b);
                    *out += 0.5 * second * ((s - a) + (s - b));
                }
            }
        }
    }

    /// Writes the polynomial of the step that ends at the node `right`, in barycentric form.
    fn polynomial(&self, right: usize, s: f64, out: &mut [f64]) {
        let (dim, points) = (out.len(), self.points());
        let ends = (self.times[right - 1], self.times[right]);
        let value = |j: usize| match j {
            0 => &self.states[right * dim..][..dim],
            j if j == points + 1 => &self.states[(right - 1) * dim..][..dim],
            j => &self.inner[((right - 1) * points + j - 1) * dim..][..dim],
        };
        out.fill(0.0);
        let mut sum = 0.0;
        for j in 0..points + 2 {
            let distance = s - chebyshev(j, points, ends);
            if distance == 0.0 {
                out.copy_from_slice(value(j));
                return;
            }
            let half = if j == 0 || j == points + 1 { 0.5 } else { 1.0 };
            let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
            let weight = sign * half / distance;
            sum += weight;
            out.iter_mut().zip(value(j)).for_each(|(out, value)| *out += weight * value);
        }
        out.iter_mut().for_each(|out| *out /= sum);
    }

    fn points(&self) -> usize {
        match self.interpolation {
            Interpolation::Dense { points } => points,
            _ => 0,
        }
    }
}

/// The Chebyshev points of [a, b] from b (j = 0) to a (j = points + 1), both exactly.
fn chebyshev(j: usize, points: usize, (a, b): (f64, f64)) -> f64 {
    if j == 0 {
        return b;
    }
    // (1 - cos)/2 without cancellation near a.
    let sine = (0.5 * PI * (points + 1 - j) as f64 / (points + 1) as f64).sin();
    a + (b - a) * sine * sine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, SaveNodes};

    /// A dense output of known functions.
    struct Known(fn(f64) -> [f64; 2]);

    impl DenseOutput for Known {
        fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]) {
            assert!(trajectory.times()[node] < t && t < trajectory.times()[node + 1]);
            y.copy_from_slice(&(self.0)(t));
        }
    }

    fn past(
        interpolation: Interpolation,
        times: &[f64],
        known: fn(f64) -> [f64; 2],
    ) -> NodeHistory {
        let mut past = NodeHistory::default();
        past.clear(interpolation, times.len(), 2);
        let mut trajectory = Trajectory::new(2, times.len(), SaveNodes::All);
        for &t in times {
            trajectory.push(&Node { t, y: known(t).to_vec(), f: vec![0.0; 2] });
            past.push(&trajectory, &Known(known));
        }
        past
    }

    /// Nodes 0, 1, 3, 4 and a current step to 6.
    #[test]
    fn quadratic_interpolation_has_parabolas_exactly() {
        let known = |t: f64| [t * t, t];
        for interpolation in [Interpolation::Quadratic, Interpolation::Linear] {
            let past = past(interpolation, &[0.0, 1.0, 3.0, 4.0], known);
            for s in [0.25, 1.0, 2.0, 3.5, 4.0, 5.0, 6.0] {
                let mut out = [f64::NAN; 2];
                past.at(s, (6.0, &known(6.0)), &mut out);
                let above = out[0] - s * s;
                let exact = interpolation == Interpolation::Quadratic;
                assert!(if exact { above.abs() < 1e-14 } else { above >= 0.0 }, "{s}: {out:?}");
                assert!((out[1] - s).abs() < 1e-14, "{s}: {out:?}");
            }
        }
    }

    /// Against the values on both sides, at nodes too; one side at t0 and at the present.
    #[test]
    fn slopes_are_the_limits_of_differences() {
        let known = |t: f64| [t.sin(), t * t * t];
        for interpolation in [Interpolation::Quadratic, Interpolation::Linear] {
            let past = past(interpolation, &[0.0, 1.0, 3.0, 4.0], known);
            for s in [0.0f64, 0.25, 1.0, 2.0, 3.0, 3.5, 4.0, 5.0, 6.0] {
                let (mut slope, mut sides) = ([0.0; 2], [[0.0; 2]; 2]);
                let step = 1e-6;
                let ends = [(s - step).max(0.0), (s + step).min(6.0)];
                for (side, s) in sides.iter_mut().zip(ends) {
                    past.at(s, (6.0, &known(6.0)), side);
                }
                // Rounded to one side of a node.
                past.slope(s * (1.0 + 1e-16), (6.0, &known(6.0)), 1e-14, &mut slope);
                for i in 0..2 {
                    let expected = (sides[1][i] - sides[0][i]) / (ends[1] - ends[0]);
                    assert!((slope[i] - expected).abs() < 1e-4, "{s}: {slope:?} {expected}");
                }
            }
        }
    }

    #[test]
    fn dense_values_are_joined_by_one_polynomial() {
        let known = |t: f64| [t.exp(), t.cos()];
        let past = past(Interpolation::Dense { points: 12 }, &[1.0, 1.7, 3.0], known);
        for s in [1.0 + 1e-9, 1.3, 1.7, 2.0, 2.9, 3.0] {
            let mut out = [f64::NAN; 2];
            past.at(s, (3.5, &known(3.5)), &mut out);
            let exact = known(s);
            let error = (out[0] - exact[0]).abs().max((out[1] - exact[1]).abs());
            assert!(error < 1e-13, "{s}: {out:?} {exact:?}");
        }
    }

    /// Nothing but the start is known: a line.
    #[test]
    fn the_first_step() {
        for interpolation in [Interpolation::Quadratic, Interpolation::Dense { points: 3 }] {
            let past = past(interpolation, &[0.0], |_| [1.0, 2.0]);
            let mut out = [f64::NAN; 2];
            past.at(0.25, (0.5, &[3.0, 2.0]), &mut out);
            assert_eq!(out, [2.0, 2.0]);
        }
    }
}
