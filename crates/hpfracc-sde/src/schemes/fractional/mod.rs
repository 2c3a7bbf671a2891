//! Schemes for equations with Caputo derivatives, and with forcing outside the memory.

pub(crate) mod component_memory;
pub(crate) mod drift;
mod euler_maruyama;
mod forced;
pub(crate) mod joint_weights;
pub(crate) mod near_cells;
mod recurrence;
pub(crate) mod stepper;
pub(crate) mod weights;

pub use component_memory::ComponentMemory;
pub use drift::Drift;
pub use euler_maruyama::FractionalEulerMaruyama;
pub use forced::ForcedEulerMaruyama;
pub use stepper::{FractionalEulerMaruyamaStepper, FractionalState};
