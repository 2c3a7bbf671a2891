//! Gradients of ensembles, against differences on the same noise.

mod case;
mod classical;
mod coupled;
mod exact;
mod failures;
mod fractional;
mod leading;
mod starts;
mod systems;
