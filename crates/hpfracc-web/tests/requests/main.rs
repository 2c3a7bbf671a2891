//! Requests and their answers.

mod ask;
mod bad_input;
mod data;
mod ensembles;
#[cfg(feature = "webgpu")]
mod on_gpu;
mod solutions;
mod texts;
