//! Terms of a text: expressions of fields and of operators in space.

mod applied;
mod steps;

pub(super) use steps::steps;

use crate::scratch::Scratch;
use crate::text::points::ExtendedPoints;
use crate::text::pointwise::{At, Pointwise, With};
use crate::{PdeError, State, Term};
use applied::SpatialMap;
use hpfracc_spatial::{Boundary, SpatialOperator};
use std::sync::Arc;

/// Boundary values g(t, x) of a field on one side.
#[derive(Clone)]
pub(super) struct SideValues {
    pub(super) field: usize,
    /// Number of the side among those of the points.
    pub(super) side: usize,
    pub(super) values: FaceFunction,
}

/// Function of the time and of a point on a face.
pub(crate) type FaceFunction = Arc<dyn Fn(f64, &[f64]) -> f64 + Send + Sync>;

/// Operator in space that a term needs.
pub(super) struct Step {
    /// Number among the applied operators of the text.
    pub(super) number: usize,
    pub(super) map: SpatialMap,
    /// What it is applied to, and the coefficient if it has one.
    pub(super) of: Pointwise,
}

/// One expression for each field.
pub(super) struct TextTerm {
    pub(super) fields: usize,
    pub(super) parameters: usize,
    /// Number of the applied operators of the text.
    pub(super) applied: usize,
    pub(super) points: ExtendedPoints,
    pub(super) boundaries: Vec<SideValues>,
    pub(super) steps: Vec<Step>,
    pub(super) roots: Pointwise,
    /// Laplacian that resembles diffusion in this term; None for terms without operators.
    pub(super) laplacian: Option<Arc<dyn SpatialOperator>>,
    pub(super) scratch: Scratch,
}

/// Lists in a buffer, one behind the other.
struct Split<'a>(&'a mut [f64]);

impl<'a> Split<'a> {
    fn take(&mut self, n: usize) -> &'a mut [f64] {
        let (first, rest) = std::mem::take(&mut self.0).split_at_mut(n);
        self.0 = rest;
        first
    }
}

/// `y += a x` for a number a at each point, which need not be finite where x is 0, on faces.
fn add_product(y: &mut [f64], a: &[f64], x: &[f64]) {
    y.iter_mut().zip(a.iter().zip(x)).for_each(|(y, (a, x))| *y += product(*a, *x));
}

fn product(a: f64, x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { a * x }
}

impl TextTerm {
    fn coordinates(&self) -> usize {
        self.points.coordinates.len() / self.points.extended.max(1)
    }

    /// Values of this number of roots in all cells, one row after the other.
    pub(super) fn values(&self, at: &State<'_>, roots: usize) -> Vec<f64> {
        let (m, [rows, operands]) = (self.points.extended, self.lengths());
        let mut values = vec![0.0; roots * at.n];
        self.scratch.with(rows + operands + roots * m, |buffer| {
            let mut split = Split(buffer);
            let (rows, operands) = (split.take(rows), split.take(operands));
            self.evaluate(at, rows, operands);
            let out = split.take(roots * m);
            self.roots.values(m, at_points(rows, at), out);
            for (values, out) in values.chunks_exact_mut(at.n).zip(out.chunks_exact(m)) {
                values.copy_from_slice(&out[..at.n]);
            }
        });
        values
    }

    /// Number of values at a point.
    fn rows(&self) -> usize {
        self.coordinates() + self.fields + self.applied
    }

    /// Writes coordinates, fields and applied operators at all points, and what these are applied to
    /// with the coefficient: two lists for each step.
    fn evaluate(&self, at: &State<'_>, rows: &mut [f64], operands: &mut [f64]) {
        let (points, m) = (&self.points, self.points.extended);
        let first = points.coordinates.len();
        rows[..first].copy_from_slice(&points.coordinates);
        for field in 0..self.fields {
            rows[first + field * m..][..at.n].copy_from_slice(&at.u[field * at.n..][..at.n]);
        }
        for SideValues { field, side, values } in &self.boundaries {
            let side = &points.sides[*side];
            let mut point = [0.0; 3];
            let x = &mut point[..self.coordinates()];
            for k in 0..points.lines[side.face.axis].count() {
                let face = side.first + k;
                x.iter_mut().enumerate().for_each(|(d, x)| *x = points.coordinates[d * m + face]);
                rows[first + field * m + face] = values(at.t, x);
            }
        }
        for (step, operands) in self.steps.iter().zip(operands.chunks_exact_mut(2 * m)) {
            let used = if step.map.has_coefficient() { 2 * m } else { m };
            step.of.values(m, at_points(rows, at), &mut operands[..used]);
            let (e, c) = operands.split_at_mut(m);
            self.close(&step.map, e);
            let row = first + (self.fields + step.number) * m;
            step.map.apply(points, e, c, &mut rows[row..][..at.n]);
        }
    }

    /// Removes the values on faces that only the fields themselves have.
    fn close(&self, map: &SpatialMap, e: &mut [f64]) {
        if map.of_field {
            return;
        }
        for side in self.points.sides.iter().filter(|s| s.boundary != Boundary::Dirichlet) {
            e[side.first..][..self.points.lines[side.face.axis].count()].fill(0.0);
        }
    }

    /// Length of the lists of an evaluation.
    fn lengths(&self) -> [usize; 2] {
        [self.rows() * self.points.extended, 2 * self.steps.len() * self.points.extended]
    }
}

fn at_points<'a>(rows: &'a [f64], at: &State<'a>) -> At<'a> {
    At { rows, t: at.t, theta: at.theta }
}

impl Term for TextTerm {
    fn field_count(&self) -> usize {
        self.fields
    }

    fn parameter_count(&self) -> usize {
        self.parameters
    }

    fn check(&self, n: usize) -> Result<(), PdeError> {
        crate::error::require_len("the points of a text", self.points.n, n)
    }

    fn add(&self, at: &State<'_>, f: &mut [f64]) {
        let (m, [rows, operands]) = (self.points.extended, self.lengths());
        self.scratch.with(rows + operands + self.fields * m, |buffer| {
            let mut split = Split(buffer);
            let (rows, operands) = (split.take(rows), split.take(operands));
            self.evaluate(at, rows, operands);
            let out = split.take(self.fields * m);
            self.roots.values(m, at_points(rows, at), out);
            for (f, out) in f.chunks_exact_mut(at.n).zip(out.chunks_exact(m)) {
                f.iter_mut().zip(out).for_each(|(f, out)| *f += out);
            }
        });
    }

    fn add_jvp(&self, at: &State<'_>, du: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let (m, [rows, operands]) = (self.points.extended, self.lengths());
        let slopes_length = self.most_entries() * m;
        let total = rows + operands + slopes_length + (2 * self.fields + self.applied + 3) * m;
        self.scratch.with(total, |buffer| {
            let mut split = Split(buffer);
            let (rows, operands) = (split.take(rows), split.take(operands));
            self.evaluate(at, rows, operands);
            let slopes = split.take(slopes_length);
            let changes = split.take((self.fields + self.applied) * m);
            let (operand_changes, product) = (split.take(2 * m), split.take(m));
            let root_changes = split.take(self.fields * m);
            for field in 0..self.fields {
                changes[field * m..][..at.n].copy_from_slice(&du[field * at.n..][..at.n]);
            }
            for (step, operands) in self.steps.iter().zip(operands.chunks_exact(2 * m)) {
                operand_changes.fill(0.0);
                step.of.slopes(m, at_points(rows, at), slopes);
                self.push(&step.of, slopes, (changes, dtheta), operand_changes);
                let (de, dc) = operand_changes.split_at_mut(m);
                self.close(&step.map, de);
                let (e, c) = operands.split_at(m);
                let out = &mut changes[(self.fields + step.number) * m..][..at.n];
                step.map.apply(&self.points, de, c, out);
                if step.map.has_coefficient() {
                    step.map.apply(&self.points, e, dc, &mut product[..at.n]);
                    out.iter_mut().zip(&*product).for_each(|(o, p)| *o += p);
                }
            }
            self.roots.slopes(m, at_points(rows, at), slopes);
            self.push(&self.roots, slopes, (changes, dtheta), root_changes);
            for (df, change) in df.chunks_exact_mut(at.n).zip(root_changes.chunks_exact(m)) {
                df.iter_mut().zip(change).for_each(|(df, change)| *df += change);
            }
        });
    }

    fn add_vjp(&self, at: &State<'_>, fbar: &[f64], ubar: &mut [f64], thetabar: &mut [f64]) {
        let (m, [rows, operands]) = (self.points.extended, self.lengths());
        let slopes_length = self.most_entries() * m;
        let total =
            rows + operands + slopes_length + (2 * self.fields + self.applied + 2) * m + at.n;
        self.scratch.with(total, |buffer| {
            let mut split = Split(buffer);
            let (rows, operands) = (split.take(rows), split.take(operands));
            self.evaluate(at, rows, operands);
            let slopes = split.take(slopes_length);
            let bars = split.take((self.fields + self.applied) * m);
            let (operand_bars, product) = (split.take(2 * m), split.take(at.n));
            let root_bars = split.take(self.fields * m);
            for (bar, fbar) in root_bars.chunks_exact_mut(m).zip(fbar.chunks_exact(at.n)) {
                bar[..at.n].copy_from_slice(fbar);
            }
            self.roots.slopes(m, at_points(rows, at), slopes);
            self.pull(&self.roots, slopes, root_bars, (bars, thetabar));
            for (step, operands) in self.steps.iter().zip(operands.chunks_exact(2 * m)).rev() {
                let (e, c) = operands.split_at(m);
                operand_bars.fill(0.0);
                let (ebar, cbar) = operand_bars.split_at_mut(m);
                let bar = &bars[(self.fields + step.number) * m..][..at.n];
                step.map.add_transposed(&self.points, bar, c, (ebar, product));
                step.map.add_transposed_coefficient(&self.points, bar, e, cbar);
                self.close(&step.map, ebar);
                step.of.slopes(m, at_points(rows, at), slopes);
                self.pull(&step.of, slopes, operand_bars, (bars, thetabar));
            }
            for (ubar, bar) in ubar.chunks_exact_mut(at.n).zip(bars.chunks_exact(m)) {
                ubar.iter_mut().zip(bar).for_each(|(u, b)| *u += b);
            }
        });
    }

    fn add_pointwise_jacobian(&self, at: &State<'_>, jacobian: &mut [f64]) -> bool {
        if !self.steps.is_empty() {
            return false;
        }
        let (m, [rows, operands]) = (self.points.extended, self.lengths());
        let slopes_length = self.most_entries() * m;
        self.scratch.with(rows + operands + slopes_length, |buffer| {
            let mut split = Split(buffer);
            let (rows, operands) = (split.take(rows), split.take(operands));
            self.evaluate(at, rows, operands);
            let slopes = split.take(slopes_length);
            self.roots.slopes(m, at_points(rows, at), slopes);
            for ((root, with), slope) in self.roots.entries().iter().zip(slopes.chunks_exact(m)) {
                if let With::Row(row) = with {
                    let entry = root * self.fields + row - self.coordinates();
                    let row = &mut jacobian[entry * at.n..][..at.n];
                    row.iter_mut().zip(slope).for_each(|(j, s)| *j += s);
                }
            }
        });
        true
    }

    /// Diffusion of the field itself: the mean over the points of the factors of its Laplacian.
    fn preconditioner(&self, at: &State<'_>, field: usize) -> Option<(&dyn SpatialOperator, f64)> {
        let laplacian = self.laplacian.as_deref()?;
        let (m, [rows, operands]) = (self.points.extended, self.lengths());
        let slopes_length = self.most_entries() * m;
        let own = self.coordinates() + field;
        let sum = self.scratch.with(rows + operands + 2 * slopes_length, |buffer| {
            let mut split = Split(buffer);
            let (rows, operands) = (split.take(rows), split.take(operands));
            self.evaluate(at, rows, operands);
            let (outer, inner) = (split.take(slopes_length), split.take(slopes_length));
            self.roots.slopes(m, at_points(rows, at), outer);
            let mut sum = 0.0;
            for (step, operands) in self.steps.iter().zip(operands.chunks_exact(2 * m)) {
                if !step.map.is_diffusive() {
                    continue;
                }
                step.of.slopes(m, at_points(rows, at), inner);
                let row = self.coordinates() + self.fields + step.number;
                let find = |entries: &[(usize, With)], root: usize, row: usize| {
                    entries.iter().position(|entry| *entry == (root, With::Row(row)))
                };
                let by_operator = find(self.roots.entries(), field, row);
                let by_field = find(step.of.entries(), 0, own);
                let (Some(a), Some(b)) = (by_operator, by_field) else { continue };
                for i in 0..at.n {
                    let c = if step.map.has_coefficient() { operands[m + i] } else { 1.0 };
                    sum += outer[a * m + i] * inner[b * m + i] * c;
                }
            }
            sum
        });
        let mean = sum / at.n as f64;
        (mean > 0.0 && mean.is_finite()).then_some((laplacian, mean))
    }
}

impl TextTerm {
    /// Adds the derivatives of expressions times the changes of fields, applied operators and
    /// parameters to the changes of their roots.
    fn push(
        &self,
        of: &Pointwise,
        slopes: &[f64],
        (changes, dtheta): (&[f64], &[f64]),
        root_changes: &mut [f64],
    ) {
        let m = self.points.extended;
        for ((root, with), slope) in of.entries().iter().zip(slopes.chunks_exact(m)) {
            let out = &mut root_changes[root * m..][..m];
            match with {
                With::Row(row) => {
                    add_product(out, slope, &changes[(row - self.coordinates()) * m..][..m]);
                }
                With::Parameter(p) => {
                    let dtheta = dtheta[*p];
                    out.iter_mut().zip(slope).for_each(|(out, s)| *out += product(*s, dtheta));
                }
            }
        }
    }

    /// Adds the derivatives of expressions, transposed, times the bars of their roots, to the bars of
    /// fields, applied operators and parameters.
    fn pull(
        &self,
        of: &Pointwise,
        slopes: &[f64],
        root_bars: &[f64],
        (bars, thetabar): (&mut [f64], &mut [f64]),
    ) {
        let m = self.points.extended;
        for ((root, with), slope) in of.entries().iter().zip(slopes.chunks_exact(m)) {
            let bar = &root_bars[root * m..][..m];
            match with {
                With::Row(row) => {
                    let first = (row - self.coordinates()) * m;
                    add_product(&mut bars[first..first + m], slope, bar);
                }
                With::Parameter(p) => {
                    let products = slope.iter().zip(bar).map(|(s, b)| product(*s, *b));
                    thetabar[*p] += products.sum::<f64>();
                }
            }
        }
    }

    /// Largest number of derivatives of the roots or of a step.
    fn most_entries(&self) -> usize {
        let of_steps = self.steps.iter().map(|step| step.of.entries().len());
        of_steps.chain([self.roots.entries().len()]).max().unwrap_or(0)
    }
}
