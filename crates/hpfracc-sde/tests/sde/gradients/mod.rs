//! Gradients of ensembles, against differences on the same noise.

mod adaptive;
mod case;
mod classical;
mod corrected;
mod coupled;
mod exact;
mod failures;
mod fractional;
mod leading;
mod ranks;
mod schemes;
mod starts;
mod systems;
mod workspace;
