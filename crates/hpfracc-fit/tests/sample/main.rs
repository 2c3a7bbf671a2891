//! The no-U-turn sampler and its diagnostics.

mod bounded;
mod calibration;
mod curved;
mod densities;
mod diagnostics;
mod failures;
mod normals;
mod resumption;
