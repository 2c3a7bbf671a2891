//! Tests of the catalogue of equations.

mod entries;
mod exact;
mod formulas;
mod point;
mod published;
