//! Solutions of fractional differential equations.

use super::Export;
use hpfracc_ode::{Lyapunov, Solution, Trajectory};
use hpfracc_operators::ndarray::ArrayView2;
use hpfracc_plot::{Format, PlotError, Table};

/// Number of times of a picture, besides the nodes.
const TIMES: usize = 600;

impl Export for Solution {
    fn table(&self) -> Result<Table, PlotError> {
        self.trajectory().table()
    }

    fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let nodes = self.times();
        let (t0, t1) = (nodes[0], nodes[nodes.len() - 1]);
        let between = |k: usize| t0 + (t1 - t0) * (k as f64 / TIMES as f64);
        let mut times: Vec<f64> = nodes.iter().copied().chain((1..TIMES).map(between)).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let states =
            self.at_many(&times).map_err(|e| PlotError::Drawing { reason: e.to_string() })?;
        over_time("y", &times, states.view()).draw(format)
    }
}

impl Export for Trajectory {
    fn table(&self) -> Result<Table, PlotError> {
        Ok(over_time("y", self.times(), self.states()))
    }
}

impl Export for Lyapunov {
    fn table(&self) -> Result<Table, PlotError> {
        Ok(over_time("lambda", &self.times, self.running.view()))
    }
}

/// Table of components over time, named `y0`, `y1`.
fn over_time(name: &str, times: &[f64], states: ArrayView2<'_, f64>) -> Table {
    let columns = states.columns().into_iter().enumerate();
    columns.fold(Table::new("t", times.iter().copied()), |table, (i, column)| {
        let name = if states.ncols() == 1 { name.to_owned() } else { format!("{name}{i}") };
        table.with(name, column.iter().copied())
    })
}
