//! Equations with noise in space and time.

mod noisy_system;
mod solve_path;
mod space_time_noise;

pub use solve_path::solve_path;
pub use space_time_noise::SpaceTimeNoise;
