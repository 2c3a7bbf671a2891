//! The device of the tests.

use hpfracc_wgpu::{Gpu, GpuError};

/// The best adapter, or `None` with a message that the test was skipped. With
/// `HPFRACC_REQUIRE_GPU=1` a missing adapter is a failure.
pub(crate) fn gpu(test: &str) -> Option<Gpu> {
    match Gpu::new() {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter { .. })
            if std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1") =>
        {
            println!("skipped: {test}: no adapter");
            None
        }
        Err(error) => panic!("{test}: {error}"),
    }
}
