//! The equation solved for given parameters, and evaluated at points.

use super::field_model::FieldModel;
use super::interpolation::Stencil;
use super::table::{Snapshots, Solved, Table};
use crate::FitError;
use crate::model::bound::{Bound, Model};
use crate::model::declared::Declared;
use crate::model::nodes::Nodes;
use hpfracc_lanes::{Rows, RowsMut};
use rayon::ThreadPool;
use std::sync::Arc;

impl Model for FieldModel {
    fn parameters(&self) -> &[Declared] {
        &self.declared
    }

    fn inputs(&self) -> usize {
        1 + self.grid.dim()
    }

    fn responses(&self) -> usize {
        self.observed.len()
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError> {
        if let Some(solved) = self.remembered(parameters) {
            return Ok(Box::new(BoundFields { model: self, solved }));
        }
        let problem = self.problem_at(parameters)?;
        let solved = Arc::new(Solved::new(problem, parameters));
        Ok(Box::new(BoundFields { model: self, solved }))
    }

    fn refined(&self) -> Option<Box<dyn Model + '_>> {
        Some(Box::new(self.with_half_steps()?))
    }
}

/// Model for given parameters.
pub(super) struct BoundFields<'m> {
    pub(super) model: &'m FieldModel,
    pub(super) solved: Arc<Solved>,
}

impl Bound for BoundFields<'_> {
    fn values(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.look_up(inputs, out, false);
    }

    fn derivatives(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.look_up(inputs, out, true);
    }
}

impl BoundFields<'_> {
    /// Writes values, and derivatives, at the points; other times than those of the model have a solve of their own.
    fn look_up(&self, inputs: Rows<'_, f64>, mut out: RowsMut<'_, f64>, derivatives: bool) {
        let (model, times) = (self.model, &inputs[0]);
        let usable = |t: &f64| t.is_finite() && *t >= 0.0;
        let known = |t: &f64| model.nodes.place(*t).is_some() || !usable(t);
        if times.iter().all(known) {
            return self.write(&model.nodes, self.table(derivatives), inputs, &mut out);
        }
        let of_model = model.nodes.times().iter().map(|(t, _)| *t);
        let all: Vec<f64> = of_model.chain(times.iter().copied().filter(usable)).collect();
        match Nodes::unequal(0.0, &all, model.resolution) {
            Ok(nodes) => {
                let table = self.compute(&nodes, derivatives);
                self.write(&nodes, &table, inputs, &mut out);
            }
            Err(_) => out.as_mut_slice().fill(f64::NAN),
        }
    }

    fn table(&self, derivatives: bool) -> &Table {
        let solved = &self.solved;
        let compute = || self.compute(&self.model.nodes, derivatives);
        if !derivatives {
            return solved.derivatives.get().unwrap_or_else(|| solved.values.get_or_init(compute));
        }
        solved.derivatives.get_or_init(|| {
            self.model.remember(solved);
            compute()
        })
    }

    fn compute(&self, nodes: &Nodes, derivatives: bool) -> Table {
        let Solved { problem, parameters, .. } = &*self.solved;
        on(&self.model.pool, || self.model.solutions(problem, parameters, nodes, derivatives))
    }

    /// Writes the numbers of a table at some points; NaN at those that it does not have.
    fn write(
        &self,
        nodes: &Nodes,
        table: &Table,
        inputs: Rows<'_, f64>,
        out: &mut RowsMut<'_, f64>,
    ) {
        let model = self.model;
        let Some(table) = table else { return out.as_mut_slice().fill(f64::NAN) };
        let (n, responses) = (model.grid.len(), model.observed.len());
        let mut point = vec![0.0; model.grid.dim()];
        for lane in 0..out.lanes() {
            point.iter_mut().enumerate().for_each(|(axis, x)| *x = inputs[1 + axis][lane]);
            let place = nodes.place(inputs[0][lane]).zip(Stencil::new(&model.grid, &point));
            for (response, field) in model.observed.iter().enumerate() {
                let value = |snapshots: &Snapshots| match &place {
                    Some((time, stencil)) => {
                        stencil.value(&snapshots[*time][field * n..(field + 1) * n])
                    }
                    None => f64::NAN,
                };
                out[response][lane] = value(&table[0]);
                if out.rows() == responses {
                    continue;
                }
                let first = responses + response * model.declared.len();
                for (k, slope) in table[1..].iter().enumerate() {
                    out[first + k][lane] = value(slope);
                }
            }
        }
    }
}

/// Runs a function on the threads of a pool. A thread of another pool waits for it without beginning other
/// work.
fn on<R: Send>(pool: &ThreadPool, run: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_none() {
        return pool.install(run);
    }
    let joined = std::thread::scope(|scope| scope.spawn(|| pool.install(run)).join());
    joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
