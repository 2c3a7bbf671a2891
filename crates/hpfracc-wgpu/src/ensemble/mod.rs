//! Ensembles: many paths of a stochastic equation, each solved by one invocation from start to end.
//!
//! [`PathEquation`] describes the step of a scheme, [`PathSolver`] is that step as a shader on a device, and
//! [`PathGrid`] has the sizes of an ensemble. Text comes from `hpfracc_equation::wgsl`; this module adds the noise, the
//! scheme and the loop over steps, and reduces the states at saved nodes to the statistics of a [`SummaryRequest`].
//!
//! The same text serves single and double precision and double-float numbers. Where operations are guarded, Brownian motion
//! and jumps of a constant size have the bits of `hpfracc-sde` in the first two. Jumps of random size and stable noise, which
//! that crate computes in double precision, agree within 1e-5 of their size in single precision, and 1e-11 in the others.
//! Increments of fractional Brownian motion, transforms in single precision, agree within 1e-5 of their standard deviation.

#[cfg(not(target_arch = "wasm32"))]
mod devices;
mod equation;
mod fractional_brownian;
mod grid;
mod noise;
mod schemes;
mod shader;
mod solver;
mod span;
mod statistics;
#[cfg(test)]
mod tests;

#[cfg(not(target_arch = "wasm32"))]
pub use devices::{DeviceShare, MultiDeviceSolver};
pub use equation::{
    JumpSizes, NearNoise, NoiseRow, PathEquation, PathFractional, PathJumps, PathMemory, PathNoise,
    PathScheme, PathStable, TimeIntegrals,
};
#[cfg(test)]
pub(crate) use fractional_brownian::{Shaders as SeriesShaders, draw_source};
pub use grid::{PathGrid, PathObserver};
#[cfg(test)]
pub(crate) use shader::source;
pub use solver::PathSolver;
#[cfg(feature = "networks")]
pub(crate) use span::{DISPATCH, FIRST_SPAN, next_span};
#[cfg(test)]
pub(crate) use statistics::sources as summary_sources;
pub use statistics::{BlockSums, NumberCounts, PathSummary, SummaryRequest};
