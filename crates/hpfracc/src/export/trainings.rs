//! Losses of a training, collected from its events.

use super::Export;
use hpfracc_nn::trainer::{Epoch, Step};
use hpfracc_plot::{PlotError, Table};

impl Export for [Epoch] {
    fn table(&self) -> Result<Table, PlotError> {
        let table = Table::new("step", self.iter().map(|epoch| epoch.step as f64))
            .with("training", self.iter().map(|epoch| epoch.loss));
        let validated = self.iter().any(|epoch| epoch.validation.is_some());
        let validation = self.iter().map(|epoch| epoch.validation.unwrap_or(f64::NAN));
        losses(if validated { table.with("validation", validation) } else { table })
    }
}

impl Export for [Step] {
    fn table(&self) -> Result<Table, PlotError> {
        let table = Table::new("step", self.iter().map(|step| step.step as f64));
        losses(table.with("loss", self.iter().map(|step| step.loss)))
    }
}

/// Table of losses, over a logarithmic axis if all are positive.
fn losses(table: Table) -> Result<Table, PlotError> {
    let columns = &table.columns()[1..];
    if columns.iter().all(|(_, losses)| losses.is_empty()) {
        let reason = "the training has no epochs and steps yet: collect its events".to_owned();
        return Err(PlotError::Empty { reason });
    }
    let positive = columns.iter().all(|(_, losses)| losses.iter().all(|x| x.is_nan() || *x > 0.0));
    let table = table.titled("Loss");
    Ok(if positive { table.logarithmic() } else { table })
}
