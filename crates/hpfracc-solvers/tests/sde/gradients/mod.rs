//! Gradients of ensembles, against differences on the same noise.

mod case;
mod classical;
mod systems;
