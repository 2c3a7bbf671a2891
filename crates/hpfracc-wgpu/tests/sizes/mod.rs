//! Checks of a map over many sizes.

use hpfracc_wgpu::{F64, Gpu};
use std::fmt::Debug;

/// Checks that the error of each size is below `bound`, and prints the largest one.
pub(crate) fn check<S: Copy + Debug>(
    what: &str,
    sizes: &[S],
    bound: f64,
    error: impl Fn(S) -> f64,
) {
    let mut worst = 0.0f64;
    for &size in sizes {
        let error = error(size);
        assert!(error < bound, "{what}, {size:?}: {error:e}");
        worst = worst.max(error);
    }
    println!("{what}: {worst:e}");
}

/// Double precision, or `None` with a message that the test was skipped.
pub(crate) fn double(gpu: &Gpu, test: &str) -> Option<F64> {
    let double = gpu.f64().ok();
    if double.is_none() {
        println!("skipped: {test}, f64: no double precision");
    }
    double
}
