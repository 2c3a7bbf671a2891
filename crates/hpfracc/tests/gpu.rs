//! Backends on a GPU by their names: the same numbers as on the CPU, in the precision asked.
#![cfg(feature = "gpu")]

use hpfracc::backend::conformance::verify;
use hpfracc::backend::{Backend, BackendError, Kind, Workload};
use hpfracc::gpu::{GpuError, MemoryLimit, adapters};
use hpfracc::prelude::*;
use hpfracc::{MachineError, Settings};
use ndarray::Array1;
use std::error::Error;

/// Whether there is an adapter. Where there is none the test says that it is skipped, or fails if
/// `HPFRACC_REQUIRE_GPU=1`.
fn adapter(test: &str) -> bool {
    let there = !adapters().is_empty();
    assert!(there || std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1"), "no adapter");
    if !there {
        println!("skipped: {test}: no adapter");
    }
    there
}

/// The kinds of workload of each backend.
const KINDS: [(&str, &[Kind]); 3] = [
    ("wgpu-direct", &[Kind::CausalConvolution]),
    ("wgpu-fft", &[Kind::CausalConvolution, Kind::SpectralMultiplier]),
    ("wgpu-gemm", &[Kind::Dense]),
];

#[test]
fn backends_by_name_conform_in_both_precisions() {
    if !adapter("backends_by_name_conform") {
        return;
    }
    for (name, kinds) in KINDS {
        let machine = Machine::only(name).unwrap();
        verify::<f32>(&machine, kinds, 4e-6).unwrap();
        if adapters()[0].f64 {
            verify::<f64>(&machine, kinds, 1e-12).unwrap();
        }
    }
}

#[test]
fn every_name_of_a_gpu_is_in_the_table_above() {
    let names = Machine::backend_names().iter().filter(|name| name.starts_with("wgpu-"));
    let known: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.copied().collect::<Vec<_>>(), known);
}

/// Double precision asked is double precision given: single would be off by 1e-7.
#[test]
fn an_operator_on_the_gpu_has_the_digits_of_its_precision() {
    if !adapter("an_operator_on_the_gpu") || !adapters()[0].f64 {
        return;
    }
    let grid = Grid::uniform(3000, 1e-3).unwrap();
    let half = Caputo::l1(Order::new(0.5).unwrap()).unwrap();
    let f: Array1<f64> = grid.points().map(|t| (3.0 * t).sin()).collect();
    let expected = half.on(grid, &Machine::detect()).unwrap().apply(f.view()).unwrap();
    let machine = Machine::only("wgpu-fft").unwrap();
    let found = half.on::<f64, _>(grid, &machine).unwrap().apply(f.view()).unwrap();
    let largest = |a: &Array1<f64>| a.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let error = largest(&(&found - &expected)) / largest(&expected);
    assert!(error < 1e-13, "{error:e}");
}

fn plan(machine: &Machine, len: usize, batch: usize) -> Result<(), BackendError> {
    let workload = Workload::CausalConvolution { len, batch };
    <Machine as Backend<f32>>::plan(machine, workload).map(drop)
}

#[test]
fn a_memory_limit_of_the_settings_is_kept() {
    if !adapter("a_memory_limit_of_the_settings") {
        return;
    }
    let mut settings = Settings::default();
    settings.backend = "wgpu-fft".to_owned();
    settings.gpu_memory_limit = MemoryLimit::Bytes(1 << 20);
    let machine = Machine::with(&settings).unwrap();
    plan(&machine, 100, 1).unwrap();
    assert!(matches!(plan(&machine, 4096, 1024), Err(BackendError::Memory { .. })));
}

#[test]
fn a_limit_that_is_none_is_refused_when_the_device_is_opened() {
    if !adapter("a_limit_that_is_none") {
        return;
    }
    let mut settings = Settings::default();
    settings.backend = "wgpu-fft".to_owned();
    settings.gpu_memory_limit = MemoryLimit::Fraction(2.0);
    let error = plan(&Machine::with(&settings).unwrap(), 100, 1).unwrap_err();
    let cause = error.source().and_then(|source| source.downcast_ref());
    assert!(matches!(cause, Some(GpuError::MemoryLimit { .. })), "{error:?}");
}

#[test]
fn settings_refuse_names_that_are_none() {
    let mut settings = Settings::default();
    settings.backend = "wgpu-psychic".to_owned();
    let error = Machine::with(&settings).unwrap_err();
    assert!(matches!(&error, MachineError::UnknownBackend { name } if name == "wgpu-psychic"));
    assert!(error.to_string().contains("wgpu-fft"));
}
