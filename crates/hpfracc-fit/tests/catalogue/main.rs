//! The catalogue: derivatives, reference values, recovery of parameters, real records and bad input.

mod derivatives;
mod points;
mod records;
mod recovery;
mod references;

use hpfracc_fit::{CatalogueModel, catalogue};

/// All models.
fn models() -> Vec<CatalogueModel> {
    catalogue::names().filter_map(|name| match catalogue::find(name) {
        Ok(model) => Some(model),
        Err(error) => { println!("{name}: {error}"); None }
    }).collect()
}
