//! The device that tests run on.

use hpfracc_wgpu::{Gpu, GpuError};

/// The best adapter, or `None` where there is none: then the test says that it was skipped. Where
/// `HPFRACC_REQUIRE_GPU=1` an absent adapter is a failure.
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
