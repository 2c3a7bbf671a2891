//! A machine is a backend like its parts, and never changes a result by its choice.

use hpfracc::Settings;
use hpfracc::backend::conformance::verify;
use hpfracc::backend::{Backend, Kind, Workload};
use hpfracc::operators::Weights;
use hpfracc::prelude::*;
use hpfracc::selector::Effort;
use hpfracc_testkit::record_error;
use ndarray::Array1;

#[test]
fn a_machine_conforms() {
    // The suite requires equal bits in every call: no choice may change meanwhile.
    let mut settings = Settings::default();
    settings.selector.effort = Effort::WisdomOnly;
    let machine = Machine::with(&settings).unwrap();
    verify::<f64>(&machine, &Kind::ALL, 1e-13).unwrap();
    verify::<f32>(&machine, &Kind::ALL, 4e-6).unwrap();
}

#[test]
fn every_named_backend_can_be_had_alone() {
    for name in Machine::backend_names() {
        let machine = Machine::only(name).unwrap();
        for workload in [
            Workload::CausalConvolution { len: 10, batch: 1 },
            Workload::Dense { rows: 2, cols: 3, batch: 4 },
            Workload::Recurrence { nodes: 2, len: 3, batch: 4 },
        ] {
            let chosen = machine.chosen::<f64>(workload).unwrap();
            assert!(chosen.is_none_or(|chosen| chosen == *name), "{name}");
        }
    }
    let unknown = Machine::only("cpu-psychic").unwrap_err().to_string();
    assert!(unknown.contains("cpu-psychic") && unknown.contains("cpu-direct"), "{unknown}");
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_backend_on_a_gpu_needs_the_feature_and_says_so() {
    let error = Machine::only("wgpu-fft").unwrap_err();
    assert!(matches!(error, hpfracc::MachineError::WithoutGpu { .. }));
    assert!(error.to_string().contains("feature `gpu`"), "{error}");
}

#[test]
fn the_choice_does_not_show_in_the_result() {
    let machine = Machine::detect();
    for n in [300, 513, 5000, 70_000] {
        let grid = Grid::uniform(n, 1e-3).unwrap();
        let op = Caputo::l1(Order::new(0.6).unwrap()).unwrap();
        let f: Array1<f64> = grid.points().map(|t| (3.0 * t).sin()).collect();
        let chosen = op.on(grid, &machine).unwrap().apply(f.view()).unwrap();
        let direct = Machine::only("cpu-direct").unwrap();
        let direct = op.on(grid, &direct).unwrap().apply(f.view()).unwrap();
        let scale = direct.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let difference = (&chosen - &direct).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        assert!(difference < 1e-13 * scale, "n = {n}: {difference:e} of {scale:e}");
    }
}

/// Transforms round relative to weights times samples, direct sums relative to what they add.
/// Operators with memory take differences first, so that both agree to 1e-13 of the largest result
/// also where that is small against the samples.
#[test]
fn transforms_agree_with_direct_sums_for_every_scheme() {
    let (fft, direct) = (Machine::only("cpu-fft").unwrap(), Machine::only("cpu-direct").unwrap());
    let n = 20_000;
    let grid = Grid::uniform(n, 1.0 / n as f64).unwrap();
    let smooth: Array1<f64> = grid.points().map(|t| 3.0 + t * t).collect();
    let wave: Array1<f64> = grid.points().map(|t| (40.0 * t).sin()).collect();
    // Ends in zero, as two-sided and shifted schemes take the record to do.
    let hump: Array1<f64> = grid.points().map(|t| t * t * (1.0 - t).powi(3)).collect();
    let mut worst = (0.0, String::new());
    for entry in hpfracc::operators::catalogue() {
        for alpha in [0.3, 0.9, 1.5] {
            let Ok(operator) = entry.example(Order::new(alpha).unwrap()) else { continue };
            let weights = operator.weights(grid).unwrap();
            // A multiplier has no direct form.
            if contains(&weights, &|w| matches!(w, Weights::Symbol(_) | Weights::Eigenvalues(_))) {
                continue;
            }
            let two_sided = contains(&weights, &|w| match w {
                Weights::Toeplitz(toeplitz) => toeplitz.two_sided,
                other => matches!(other, Weights::Transposed(_)),
            });
            for (name, f) in [("t^2", &smooth), ("sine", &wave), ("hump", &hump)] {
                let expected = operator.clone().on(grid, &direct).unwrap().apply(f.view()).unwrap();
                let found = operator.clone().on(grid, &fft).unwrap().apply(f.view()).unwrap();
                let scale = expected.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                let error = (&found - &expected).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                if let Weights::Product(_) = operator.weights(grid).unwrap() {
                    // The factors after the first magnify what it was rounded to by h^-alpha.
                    let rounding = f64::EPSILON * (n as f64).log2() * grid.dt().powf(-alpha);
                    println!("{} {alpha}: {:.2} roundings", entry.name(), error / scale / rounding);
                    assert!(error < 10.0 * rounding * scale, "{} {alpha}: {error:e}", entry.name());
                    continue;
                }
                if two_sided && name == "hump" {
                    // Centred differences of the samples themselves: either way of summing rounds
                    // relative to f h^-alpha, which is far above the result.
                    let largest = f.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                    let rounding =
                        f64::EPSILON * (n as f64).log2() * grid.dt().powf(-alpha) * largest;
                    println!(
                        "{} {alpha}: {:.2} roundings",
                        entry.definition.name,
                        error / rounding
                    );
                    assert!(error < rounding, "{alpha}: {error:e}, rounding {rounding:e}");
                    continue;
                }
                let what = format!("{} {} {alpha}, {name}", entry.definition.name, entry.scheme);
                println!("{what}: {:.1e}", error / scale);
                if error / scale > worst.0 {
                    worst = (error / scale, what);
                }
            }
        }
    }
    record_error("transforms beside direct sums, 20 000 samples", worst.0, 1e-13);
    assert!(worst.0 < 1e-13, "{:e}: {}", worst.0, worst.1);
}

/// Whether some part of the weights is of a kind.
fn contains(weights: &Weights, kind: &dyn Fn(&Weights) -> bool) -> bool {
    let inside = match weights {
        Weights::Product(parts) | Weights::Sum(parts) => parts.iter().any(|w| contains(w, kind)),
        Weights::Transposed(weights) => contains(weights, kind),
        _ => false,
    };
    inside || kind(weights)
}

#[test]
fn short_series_go_to_the_direct_sum_and_long_ones_to_the_transforms() {
    let machine = Machine::detect();
    assert_eq!(<Machine as Backend<f64>>::name(&machine), "machine");
    let host = |len, batch| {
        let workload = Workload::CausalConvolution { len, batch };
        let expected = machine.predict::<f64>(workload).unwrap();
        let host = expected.into_iter().filter(|p| p.candidate.starts_with("cpu-"));
        host.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).unwrap().candidate
    };
    assert_eq!(host(100, 1), "cpu-direct");
    assert!(host(50_000, 1).ends_with("fft"));
    assert_eq!(
        machine
            .chosen::<f32>(Workload::CausalConvolution { len: 100, batch: 1 })
            .unwrap()
            .as_deref(),
        Some("cpu-direct")
    );
    let dense = Workload::Dense { rows: 8, cols: 8, batch: 8 };
    assert_eq!(machine.chosen::<f64>(dense).unwrap().as_deref(), Some("cpu-gemm"));
}
