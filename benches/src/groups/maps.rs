//! Bound maps of the backends, for groups that time their applications.

use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_types::Real;
use std::hint::black_box;

const LENGTHS: &str = "the slices have the lengths of the workload";

/// Plans and binds a workload that the backend supports.
pub(super) fn bind<T: Real>(
    backend: &dyn Backend<T>,
    workload: Workload,
    kernel: &[T],
) -> Box<dyn LinearMap<T>> {
    let map = backend.plan(workload).and_then(|plan| plan.bind(kernel));
    map.expect("the backend supports the workload")
}

/// One application, for [`interleaved`](crate::measure::interleaved).
pub(super) fn apply<'a, T: Real>(
    map: &'a dyn LinearMap<T>,
    x: &'a [T],
    y: &'a mut [T],
) -> impl FnMut() + use<'a, T> {
    move || {
        map.apply(black_box(x), y).expect(LENGTHS);
        black_box(&y[0]);
    }
}

/// One application of the transposed map.
pub(super) fn apply_transpose<'a, T: Real>(
    map: &'a dyn LinearMap<T>,
    y: &'a [T],
    x: &'a mut [T],
) -> impl FnMut() + use<'a, T> {
    move || map.apply_transpose(black_box(y), x).expect(LENGTHS)
}
