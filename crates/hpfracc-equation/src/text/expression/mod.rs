//! Tokens to nodes of the graph.

mod builder;
mod distributed;
mod draft;
mod functions;
mod linear;
mod names;
mod parser;
mod scope;
mod spatial;

pub(crate) use builder::{Builder, Facts, Increment, Leaf, Uses};
pub(crate) use draft::{
    Component, DefinitionDraft, DerivativeUse, History, NetDraft, NoiseDraft, StateDraft,
    TableDraft,
};
pub(crate) use functions::unary_name;
pub(crate) use linear::{Part, coefficient, without};
pub(crate) use parser::{LARGEST_POWER, Parser, binding};
pub(crate) use scope::{Meaning, SpatialName};
