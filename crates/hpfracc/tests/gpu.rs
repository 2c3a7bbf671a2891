//! Backends on a GPU by their names: the same numbers as on the CPU, in the requested precision.
#![cfg(feature = "gpu")]

use hpfracc::backend::{
    Backend, BackendError, Kind, RealTransform, Reference, Shape, TransformAxes, Workload,
};
use hpfracc::gpu::{AdapterKind, MemoryLimit, adapters};
use hpfracc::prelude::*;
use hpfracc::{MachineError, Settings};
use ndarray::{Array1, Array2, s};
use std::time::Duration;

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
const KINDS: [(&str, &[Kind]); 4] = [
    ("direct", CAUSAL),
    ("fft", TRANSFORMED),
    ("gemm", &[Kind::Dense]),
    ("recurrence", &[Kind::Recurrence]),
];
const CAUSAL: &[Kind] = &[Kind::CausalConvolution];
const TRANSFORMED: &[Kind] =
    &[Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];

/// A workload of a kind.
fn workload(kind: Kind) -> Workload {
    let axes = [(5, RealTransform::ALL[0]), (8, RealTransform::ALL[1])];
    match kind {
        Kind::SpectralMultiplier => {
            Workload::SpectralMultiplier { shape: Shape::line(60), batch: 3 }
        }
        Kind::TrigonometricMultiplier => {
            let axes = TransformAxes::new(&axes).unwrap();
            Workload::TrigonometricMultiplier { axes, batch: 3 }
        }
        Kind::Dense => Workload::Dense { rows: 40, cols: 70, batch: 3 },
        Kind::Recurrence => Workload::Recurrence { nodes: 5, len: 80, batch: 3 },
        _ => Workload::CausalConvolution { len: 100, batch: 3 },
    }
}

/// Compares a map of each kind with the loops. The conformance suite is run by hpfracc-wgpu, on the
/// same backends.
fn agrees<T: Real>(machine: &Machine, kinds: &[Kind], within: f64)
where
    Machine: Backend<T>,
{
    for &kind in kinds {
        let workload = workload(kind);
        let numbers =
            |len: usize, seed: usize| (0..len).map(move |i| ((i + seed) as f64).sin().abs());
        // Symbols are real, real signals stay real.
        let symbol = |i: usize| kind == Kind::SpectralMultiplier && i % 2 == 1;
        let kernel: Vec<T> = (numbers(workload.kernel_len(), 1).enumerate())
            .map(|(i, w)| T::narrow(if symbol(i) { 0.0 } else { w }))
            .collect();
        let x: Vec<T> = numbers(3 * workload.signal_len(), 7).map(T::narrow).collect();
        let results = [machine as &dyn Backend<T>, &Reference].map(|backend| {
            let mut y = vec![T::narrow(f64::NAN); 3 * workload.output_len()];
            backend.plan(workload).unwrap().bind(&kernel).unwrap().apply(&x, &mut y).unwrap();
            y.into_iter().map(|y| y.widen()).collect::<Vec<f64>>()
        });
        let [found, expected] = results;
        let largest = expected.iter().fold(0f64, |largest, y| largest.max(y.abs()));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() <= within * largest, "{kind:?}: {found} {expected}");
        }
    }
}

/// Number of backends of an adapter that have causal convolutions.
fn convolutions() -> usize {
    KINDS.iter().filter(|(_, kinds)| kinds.contains(&Kind::CausalConvolution)).count()
}

#[test]
fn backends_by_name_agree_in_both_precisions() {
    if !adapter("backends_by_name_agree") {
        return;
    }
    for (name, kinds) in KINDS {
        let machine = Machine::only(&format!("wgpu-{name}")).unwrap();
        agrees::<f32>(&machine, kinds, 4e-6);
        if adapters()[0].f64 {
            agrees::<f64>(&machine, kinds, 1e-12);
        }
    }
}

/// Double precision where shaders have none: by its name, and less of it where that says so.
#[test]
fn pairs_and_rounded_backends_agree_in_double_precision_only() {
    if !adapter("pairs_and_rounded_backends_agree") {
        return;
    }
    for (name, kinds) in KINDS {
        for (suffix, within) in [("-df64", 1e-11), ("-rounded-to-f32", 4e-6)] {
            let name = format!("wgpu-{name}{suffix}");
            if name == "wgpu-recurrence-rounded-to-f32" {
                // The states of a stream are not rounded and widened again.
                assert!(matches!(Machine::only(&name), Err(MachineError::UnknownBackend { .. })));
                continue;
            }
            let machine = Machine::only(&name).unwrap();
            agrees::<f64>(&machine, kinds, within);
            let error = plan(&machine, 10, 1).unwrap_err();
            assert!(
                matches!(&error, BackendError::Unsupported { backend, .. } if *backend == name || matches!(kinds[0], Kind::Dense | Kind::Recurrence)),
                "{error}"
            );
        }
    }
}

#[test]
fn every_name_of_a_gpu_is_in_the_table_above() {
    let names = Machine::backend_names().iter().filter(|name| name.starts_with("wgpu-"));
    let known = |name: &str| KINDS.iter().any(|(known, _)| name.split('-').nth(1) == Some(known));
    // Alone, with pairs, and rounded: but not recurrences, of which nothing is rounded.
    assert_eq!(names.clone().count(), 3 * KINDS.len() - 1);
    assert!(names.map(String::as_str).all(known));
}

/// The list of adapters is what positions in names count.
#[test]
fn an_adapter_is_named_by_its_position() {
    if !adapter("an_adapter_is_named_by_its_position") {
        return;
    }
    let there = Machine::only("wgpu-fft@0").unwrap();
    plan(&there, 100, 1).unwrap();
    let error = plan(&Machine::only("wgpu-fft@9999").unwrap(), 100, 1).unwrap_err();
    assert!(matches!(&error, BackendError::Device { backend, .. } if backend == "wgpu-fft@9999"));
    let error = plan(&Machine::only("wgpu-gemm@0").unwrap(), 100, 1).unwrap_err();
    assert!(error.to_string().contains("`wgpu-gemm@0`"), "{error}");
}

/// A batch across a device and the processor.
#[test]
fn a_batch_is_split_by_joined_names() {
    if !adapter("a_batch_is_split") {
        return;
    }
    let both = Machine::only("wgpu-fft+cpu-fft").unwrap();
    let workload = Workload::CausalConvolution { len: 100, batch: 64 };
    let map = <Machine as Backend<f32>>::plan(&both, workload).unwrap().bind(&[1.0; 100]).unwrap();
    let (x, mut y) = (vec![0.5; 6400], vec![f32::NAN; 6400]);
    for _ in 0..5 {
        map.apply(&x, &mut y).unwrap();
        assert!(y.iter().zip(0..).all(|(y, n)| (y - 0.5 * (n % 100 + 1) as f32).abs() < 1e-3));
    }
    assert!(Machine::only("wgpu-fft+cpu-psychic").is_err());
}

fn looking_at_once() -> Settings {
    let mut settings = Settings::default();
    settings.gpus_from = Duration::ZERO;
    settings
}

/// All adapters take part, under names of their own, and none that is the processor is chosen.
#[test]
fn adapters_are_candidates_and_software_is_never_chosen() {
    if !adapter("adapters_are_candidates") {
        return;
    }
    let machine = Machine::with(&looking_at_once()).unwrap();
    let workload = Workload::CausalConvolution { len: 1000, batch: 64 };
    let explained = machine.explain::<f32>(workload).unwrap();
    println!("{explained}");
    let on_gpus = explained.rows.iter().filter(|row| row.prediction.candidate.starts_with("wgpu-"));
    assert_eq!(on_gpus.clone().count(), KINDS.len() * adapters().len());
    for row in on_gpus {
        let software = row.place.contains("(software)");
        assert!(!software || explained.chosen.as_ref() != Some(&row.prediction.candidate));
        assert!(software || !row.reason.contains("plays"), "{}", row.reason);
    }
    let doubles = machine.predict::<f64>(workload).unwrap();
    let with_double = adapters().iter().filter(|adapter| adapter.f64).count();
    assert_eq!(doubles.len(), 3 + convolutions() * with_double);
    assert!(!doubles.iter().any(|p| p.candidate.contains("df64") || p.candidate.contains("round")));
    let plan = <Machine as Backend<f32>>::plan(&machine, workload).unwrap();
    let map = plan.bind(&[1.0; 1000]).unwrap();
    let (x, mut y) = (vec![0.5; 64_000], vec![0.0; 64_000]);
    (0..50).for_each(|_| map.apply(&x, &mut y).unwrap());
    assert!((y[63_999] - 500.0).abs() < 1e-2);
    let software_only = adapters().iter().all(|adapter| adapter.kind == AdapterKind::Software);
    let used = machine.summary().workloads;
    let host = used.iter().all(|w| w.preferred.as_ref().is_none_or(|p| p.starts_with("cpu-")));
    assert!(!software_only || host);
}

/// Small work asks for no adapter; large work does, and what is disabled stays away.
#[test]
fn adapters_are_listed_when_work_is_large_enough() {
    if !adapter("adapters_are_listed") {
        return;
    }
    let names = |machine: &Machine, len, batch| -> Vec<String> {
        let workload = Workload::CausalConvolution { len, batch };
        let expected = machine.predict::<f32>(workload).unwrap();
        expected.into_iter().map(|p| p.candidate).collect()
    };
    let on_gpu = |names: &[String]| names.iter().any(|name| name.starts_with("wgpu-"));
    let machine = Machine::detect();
    assert!(!on_gpu(&names(&machine, 1000, 1)));
    assert!(on_gpu(&names(&machine, 1 << 20, 64)));
    assert!(on_gpu(&names(&machine, 1000, 1)), "once listed, for all");

    let mut settings = looking_at_once();
    settings.disabled = vec!["wgpu-fft".to_owned(), "cpu-fft".to_owned()];
    let found = names(&Machine::with(&settings).unwrap(), 1000, 1);
    assert!(on_gpu(&found) && !found.iter().any(|name| name.ends_with("pu-fft")), "{found:?}");
    settings.disabled = vec!["wgpu-direct@0".to_owned()];
    let found = names(&Machine::with(&settings).unwrap(), 1000, 1);
    assert_eq!(found.len(), 3 + convolutions() * adapters().len() - 1, "{found:?}");
    settings.gpus_from = Duration::MAX;
    assert!(!on_gpu(&names(&Machine::with(&settings).unwrap(), 1 << 20, 64)));
}

/// Double precision is not reduced silently: single would be off by 1e-7.
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
fn a_part_of_memory_that_is_none_is_refused() {
    for fraction in [0.0, -1.0, 2.0, f64::NAN] {
        let mut settings = Settings::default();
        settings.gpu_memory_limit = MemoryLimit::Fraction(fraction);
        let error = Machine::with(&settings).unwrap_err();
        assert!(matches!(error, MachineError::MemoryFraction { .. }), "{error}");
    }
}

#[test]
fn settings_refuse_names_that_are_none() {
    let mut settings = Settings::default();
    settings.backend = "wgpu-psychic".to_owned();
    let error = Machine::with(&settings).unwrap_err();
    assert!(matches!(&error, MachineError::UnknownBackend { name, .. } if name == "wgpu-psychic"));
    assert!(error.to_string().contains("wgpu-fft"));
}

/// Channels side by side on a device, against the same stream in double precision on the processor.
#[test]
fn streams_of_many_channels() {
    if !adapter("streams_of_many_channels") {
        return;
    }
    let (channels, n) = (130, 300);
    let recurrence = Caputo::l1(Order::new(0.5).unwrap()).unwrap();
    let recurrence = recurrence.recurrence(0.01, n as u64, 1e-7).unwrap();
    let f = Array2::from_shape_fn((channels, n), |(c, j)| (0.09 * (j + 7 * c) as f64).sin());
    let mut expected = Array2::zeros((channels, n));
    let mut exact = Stream::new(&recurrence, channels, &hpfracc::cpu::Recurrence).unwrap();
    exact.push_block(f.view(), expected.view_mut()).unwrap();
    let size = expected.iter().fold(0.0, |m: f64, y| m.max(y.abs()));

    let machine = Machine::only("wgpu-recurrence").unwrap();
    let f = f.mapv(|f| f as f32);
    let mut blocks = Array2::zeros((channels, n));
    for len in [300, 47] {
        let mut stream: Stream<f32> = Stream::new(&recurrence, channels, &machine).unwrap();
        let mut found = Array2::zeros((channels, n));
        for at in (0..n).step_by(len) {
            let these = s![.., at..n.min(at + len)];
            stream.push_block(f.slice(these), found.slice_mut(these)).unwrap();
        }
        let error = found
            .iter()
            .zip(&expected)
            .fold(0.0, |m: f64, (found, expected)| m.max((f64::from(*found) - expected).abs()));
        assert!(error < 1e-5 * size, "{:e}", error / size);
        if len == 300 {
            blocks = found;
        } else {
            assert_eq!(found, blocks);
        }
    }
}
