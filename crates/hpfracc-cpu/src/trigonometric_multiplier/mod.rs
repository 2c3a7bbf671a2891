//! Trigonometric multipliers: real transforms along all axes, product with a multiplier for each
//! mode, inverse transforms.

mod axis;
mod line;
mod plan;

pub(crate) use plan::TrigonometricPlan;
