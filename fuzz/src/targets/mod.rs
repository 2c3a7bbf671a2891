//! Fuzz targets, one per file.

mod arguments;
mod csv;
mod ensemble_state;
mod ensembles;
mod equation_graph;
mod equation_text;
mod equations;
mod formula_text;
mod mittag_leffler;
mod networks;
mod noises;
mod operators;
mod random_graph;
mod run_folder;
mod special_functions;
mod streams;
mod timing;
mod training;
mod values;
mod wisdom;

use crate::Target;

/// All targets.
pub const TARGETS: &[Target] = &[
    arguments::TARGET,
    csv::TARGET,
    ensemble_state::TARGET,
    ensembles::TARGET,
    equation_graph::TARGET,
    equation_text::TARGET,
    equations::TARGET,
    formula_text::TARGET,
    mittag_leffler::TARGET,
    networks::TARGET,
    noises::TARGET,
    operators::TARGET,
    run_folder::TARGET,
    special_functions::TARGET,
    streams::TARGET,
    training::TARGET,
    values::TARGET,
    wisdom::TARGET,
];
