//! Fractional partial differential equations as models.

mod bound;
mod differences;
mod field_model;
mod interpolation;
mod ranges;
mod solutions;
mod table;
mod tangents;

pub use field_model::FieldModel;
