//! Paths in double precision and in double-float numbers.

use super::case::{Case, solve};
use super::{CONSTANTS, GBM, MIXED, device, grid};
use hpfracc_equation::wgsl::Rounding;
use hpfracc_wgpu::ensemble::{PathGrid, PathSolver};
use hpfracc_wgpu::{F64, Gpu};

/// Double precision of the device, or `None` with a message.
fn double(gpu: &Gpu, test: &str) -> Option<F64> {
    match gpu.f64() {
        Ok(precision) => Some(precision),
        Err(error) => {
            println!("skipped: {test}: {error}");
            None
        }
    }
}

fn bits(saved: &[Vec<f64>]) -> Vec<u64> {
    saved.iter().flatten().map(|x| x.to_bits()).collect()
}

#[test]
fn paths_in_double_precision_have_the_bits_of_the_cpu() {
    let Some(gpu) = device::gpu("paths_in_double_precision") else { return };
    let Some(precision) = double(&gpu, "paths_in_double_precision") else { return };
    let cases = [
        (GBM, grid(4096, 1e-3, &[0, 500, 1000])),
        (MIXED, grid(300, 1e-2, &[7, 100])),
        (CONSTANTS, grid(300, 1e-2, &[7, 100])),
    ];
    for (text, grid) in cases {
        let case = Case::new(text);
        let solver = PathSolver::new(&precision, case.on_device(), Rounding::Guarded).unwrap();
        let (found, expected) = (solve(&solver, &case, &grid), case.reference(&grid));
        let pairs = bits(&found).into_iter().zip(bits(&expected));
        let differ = pairs.filter(|(a, b)| a != b).count();
        println!("{text}: {differ} of {} differ", found.len() * found[0].len());
        assert_eq!(differ, 0);
    }
}

/// Largest distance of states, relative to the larger of a state and 1.
fn distance(found: &[Vec<f64>], expected: &[Vec<f64>]) -> f64 {
    let pairs = found.iter().flatten().zip(expected.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max)
}

#[test]
fn free_roundings_in_double_precision_are_near() {
    let Some(gpu) = device::gpu("free_roundings_in_double_precision") else { return };
    let Some(precision) = double(&gpu, "free_roundings_in_double_precision") else { return };
    let (case, grid) = (Case::new(MIXED), grid(300, 1e-2, &[100]));
    let solver = PathSolver::new(&precision, case.on_device(), Rounding::Free).unwrap();
    let error = distance(&solve(&solver, &case, &grid), &case.reference(&grid));
    println!("largest difference {error:e}");
    assert!(error <= 1e-14, "{error:e}");
}

/// Errors of single steps add up to a few times 1e-13, a thousand times less than those of single precision.
#[test]
fn paths_of_double_float_numbers_are_near_those_of_the_cpu() {
    let Some(gpu) = device::gpu("paths_of_double_float_numbers") else { return };
    let precision = gpu.double_float().unwrap();
    let cases = [
        (GBM, grid(512, 1e-3, &[0, 500, 1000])),
        (MIXED, grid(300, 1e-2, &[7, 100])),
        (CONSTANTS, grid(300, 1e-2, &[7, 100])),
    ];
    for (text, grid) in cases {
        let case = Case::new(text);
        for rounding in [Rounding::Guarded, Rounding::Free] {
            let solver = PathSolver::new(&precision, case.on_device(), rounding).unwrap();
            let error = distance(&solve(&solver, &case, &grid), &case.reference(&grid));
            println!("{text}: {error:e}");
            assert!(error <= 1e-12, "{text}: {error:e}");
        }
    }
}

#[test]
fn spans_and_workgroups_change_no_bit_of_other_numbers() {
    let Some(gpu) = device::gpu("spans_and_workgroups_change_no_bit") else { return };
    let case = Case::new(MIXED);
    let grid =
        PathGrid { first_path: (1 << 32) - 100, seed: u64::MAX / 3, ..grid(200, 0.01, &[31, 50]) };
    let native = double(&gpu, "spans_and_workgroups_change_no_bit").map(|precision| {
        let of = |width: usize, span: u32| {
            let solver =
                PathSolver::with_width(&precision, case.on_device(), Rounding::Guarded, width);
            bits(&solve(&solver.unwrap().in_spans_of(span), &case, &grid))
        };
        [of(64, 100), of(64, 3), of(256, 7)]
    });
    let precision = gpu.double_float().unwrap();
    let of = |width: usize, span: u32| {
        let solver = PathSolver::with_width(&precision, case.on_device(), Rounding::Guarded, width);
        bits(&solve(&solver.unwrap().in_spans_of(span), &case, &grid))
    };
    for [whole, cut, wide] in native.into_iter().chain([[of(64, 100), of(64, 3), of(256, 7)]]) {
        assert_eq!(cut, whole);
        assert_eq!(wide, whole);
    }
}
