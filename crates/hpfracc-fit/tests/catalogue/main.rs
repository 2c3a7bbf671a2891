//! The catalogue: derivatives, reference values, recovery of parameters, real records and bad input.

mod bad_input;
mod derivatives;
mod points;
mod records;
mod recovery;
mod references;
mod texts;
mod xpcs;

use hpfracc_fit::{CatalogueModel, catalogue};

/// All models of the catalogue, and some that are made of texts.
fn models() -> Vec<CatalogueModel> {
    let mut models: Vec<CatalogueModel> = catalogue::names().map(found).collect();
    for text in [
        "R1",
        "p(R1,C1)",
        "R0-p(R1,CPE1)-W1",
        "R0-p(R1-W1,C1)",
        "R0-p(R1,CPE1)-p(R2-Wo1,CPE2)",
        "L1-R1-Ws1",
        "R1-ZARC1-ZARC2",
        "p(G1,C1)",
        "p(L1,R1)-C1",
    ] {
        models.push(catalogue::circuit(text).unwrap());
    }
    for text in [
        "havriliak-negami + cole-cole + ohmic-conductivity",
        "stretched-exponential + stretched-exponential",
    ] {
        models.push(catalogue::sum(text).unwrap());
    }
    models.push(catalogue::transfer("b0 + s^beta", "1 + a1 s^alpha").unwrap());
    models
}

fn found(name: &str) -> CatalogueModel {
    catalogue::find(name).unwrap()
}
