//! Statistics that the device computes: those of the states that it has at the same nodes.

use super::case::{Case, Collected};
use super::{bits, device, grid};
use hpfracc_equation::wgsl::Rounding;
use hpfracc_wgpu::ensemble::{NumberCounts, PathGrid, PathSolver, PathSummary, SummaryRequest};
use hpfracc_wgpu::{Gpu, MemoryLimit};

/// Two components and two functions of them and of time.
const SHOWN: &str = "dX = (sin(3 t) - X) dt + 0.1 sqrt(1 + X^2) dW; dY = -Y dt + 0.3 dV; V = brownian(); \
     X(0) = 1000; Y(0) = 0; show p = X Y + t; show e = exp(Y)";

const DIGITS: u32 = 5;

fn request(case: &Case) -> SummaryRequest {
    SummaryRequest { shown: case.shown(), moments: true, digits: Some(DIGITS), first_paths: 3 }
}

fn summarised(gpu: &Gpu, case: &Case, grid: &PathGrid, span: u32) -> Collected {
    summarised_as(gpu, (case, request(case)), grid, span)
}

fn summarised_as(
    gpu: &Gpu,
    (case, request): (&Case, SummaryRequest),
    grid: &PathGrid,
    span: u32,
) -> Collected {
    let solver = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    let solver = solver.summarised(request).unwrap().in_spans_of(span);
    let mut collected = Collected::new(case, grid);
    solver.solve(grid, &mut collected).unwrap();
    collected
}

/// Mean and products of deviations, in double precision.
fn moments(rows: &[&[f32]]) -> (Vec<f64>, Vec<f64>) {
    let wide = |row: &&[f32]| row.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = rows.iter().map(wide).collect();
    let mean: Vec<f64> =
        rows.iter().map(|row| row.iter().sum::<f64>() / row.len() as f64).collect();
    let product = |i: usize, j: usize| -> f64 {
        rows[i].iter().zip(&rows[j]).map(|(x, y)| (x - mean[i]) * (y - mean[j])).sum()
    };
    let all = rows.len();
    let products = (0..all * all).map(|k| product(k / all, k % all)).collect();
    (mean, products)
}

/// Mean and products of all blocks.
fn merged(summary: &PathSummary) -> (f64, Vec<f64>, Vec<f64>) {
    let all = summary.blocks[0].mean.len();
    let paths: f64 = summary.blocks.iter().map(|block| block.paths as f64).sum();
    let mean = |i: usize| -> f64 {
        summary.blocks.iter().map(|b| b.paths as f64 / paths * b.mean[i]).sum()
    };
    let mean: Vec<f64> = (0..all).map(mean).collect();
    let product = |k: usize| -> f64 {
        let (i, j) = (k / all, k % all);
        let apart = |b: &hpfracc_wgpu::ensemble::BlockSums| {
            b.paths as f64 * (b.mean[i] - mean[i]) * (b.mean[j] - mean[j])
        };
        summary.blocks.iter().map(|b| b.products[k] + apart(b)).sum()
    };
    let products = (0..all * all).map(product).collect();
    (paths, mean, products)
}

/// Key of a number's bucket.
fn key(x: f32) -> u32 {
    (f64::from(x.abs()).to_bits() >> (52 - DIGITS)) as u32
}

fn check_counts(counts: &NumberCounts, row: &[f32]) {
    let least = row.iter().copied().fold(f32::INFINITY, f32::min);
    let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    assert_eq!((counts.least, counts.greatest), (least, greatest));
    let octave = |x: f32| key(x) >> DIGITS;
    let floor = octave(least.abs().max(greatest.abs())).saturating_sub(63).max(1);
    let tiny = row.iter().filter(|x| octave(**x) < floor).count();
    assert_eq!(counts.tiny as usize, tiny);
    for (side, buckets) in counts.sides.iter().enumerate() {
        assert_eq!(buckets.len() % (1 << DIGITS), 0);
        let mut expected = vec![0; buckets.len()];
        for x in row.iter().filter(|x| octave(**x) >= floor && usize::from(**x > 0.0) == side) {
            expected[(key(*x) - counts.first) as usize] += 1;
        }
        assert_eq!(*buckets, expected, "side {side}");
    }
}

#[test]
fn summaries_are_those_of_the_states() {
    let Some(gpu) = device::gpu("summaries_are_those_of_the_states") else { return };
    let (case, grid) = (Case::new(SHOWN), grid(6000, 1e-2, &[0, 7, 50]));
    let found = summarised(&gpu, &case, &grid, 16);
    let plain = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    let states = super::solve(&plain, &case, &grid);
    assert_eq!(found.summaries.len(), 3);
    for (time, path, summary) in &found.summaries {
        let time = *time;
        let (t, lanes) = (f64::from(grid.saved[time]) * grid.h, grid.paths);
        let observed = case.observed(t, &states[time], lanes);
        let rows: Vec<&[f32]> = observed.chunks_exact(lanes).collect();
        let (mean, products) = moments(&rows);
        let (paths, mean_found, products_found) = merged(summary);
        if time == 0 {
            // Equal numbers have no variance.
            assert!(summary.blocks.iter().all(|b| b.products.iter().all(|p| *p == 0.0)));
            continue;
        }
        assert_eq!((paths as usize, *path, summary.counts.len()), (lanes, 0, 4));
        for i in 0..4 {
            let deviation = (products[i * 4 + i] / paths).sqrt();
            let error = (mean_found[i] - mean[i]).abs();
            assert!(
                error <= 1e-6 * deviation + 1e-15 * mean[i].abs(),
                "mean {i} at {t}: {error:e} of {deviation:e}"
            );
            for j in 0..4 {
                let k = i * 4 + j;
                let scale = (products[i * 4 + i] * products[j * 4 + j]).sqrt();
                let error = (products_found[k] - products[k]).abs();
                println!("{t} {i} {j}: {:e}", error / scale);
                assert!(error <= 1e-6 * scale, "product {i} {j} at {t}: {error:e} of {scale:e}");
            }
            check_counts(&summary.counts[i], rows[i]);
        }
        let first: Vec<f32> = rows[..2].iter().flat_map(|row| row[..3].to_vec()).collect();
        assert_eq!((summary.first_paths, &summary.first), (3, &first));
    }
    // No state was recorded.
    assert!(found.saved.iter().flatten().all(|x| x.is_nan()));
}

/// Words of blocks and counts are read, and no state but those of the first paths.
#[test]
fn only_sums_and_counts_are_read() {
    let Some(gpu) = device::gpu("only_sums_and_counts_are_read") else { return };
    let case = Case::new("dX = -X dt + 0.1 dW; X(0) = 1");
    let grid = grid(50_000, 1e-2, &[20]);
    // The first solver tests the arithmetic of the device.
    PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    let before = gpu.bytes_read();
    let found = summarised(&gpu, &case, &grid, 100);
    let counts = &found.summaries[0].2.counts[0];
    let counts = 1 + counts.sides.iter().map(Vec::len).sum::<usize>();
    // Of a block: two words of broken paths, three of moments and a product, three of extremes.
    let words = grid.paths.div_ceil(1024) * 9 + 3 + counts;
    println!("{} of {} bytes", 4 * words, 4 * grid.paths);
    assert_eq!(gpu.bytes_read() - before, 4 * words as u64);
    assert!(words * 20 < grid.paths, "{words}");
}

#[test]
fn summaries_do_not_depend_on_spans_and_parts() {
    let Some(gpu) = device::gpu("summaries_do_not_depend_on_spans_and_parts") else { return };
    let (case, grid) = (Case::new(SHOWN), grid(5000, 1e-2, &[3, 20]));
    let of_spans = |span: u32| {
        let request = SummaryRequest { digits: None, ..request(&case) };
        summarised_as(&gpu, (&case, request), &grid, span).summaries
    };
    let whole = of_spans(100);
    assert_eq!(of_spans(3), whole);
    // Parts of 2048 paths: two components of 4 bytes, of an eighth of the limit.
    gpu.limit_memory(MemoryLimit::Bytes(8 * 8 * 2500)).unwrap();
    let parts = of_spans(100);
    assert_eq!(parts.len(), 6);
    let blocks = |time: usize| parts.iter().filter(move |p| p.0 == time).flat_map(|p| &p.2.blocks);
    for (time, _, summary) in &whole {
        assert!(blocks(*time).eq(&summary.blocks));
    }
}

/// Where a number is not finite, states are read: the observer finds which.
#[test]
fn broken_paths_are_left_to_the_observer() {
    let Some(gpu) = device::gpu("broken_paths_are_left_to_the_observer") else { return };
    let case = Case::new("dX = X^3 dt + 0.5 X dW; X(0) = 1");
    let grid = grid(3000, 0.1, &[1, 2, 3, 4, 6, 8]);
    let found = summarised(&gpu, &case, &grid, 100);
    let plain = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    let states = super::solve(&plain, &case, &grid);
    let mut broken = 0;
    for (time, states) in states.iter().enumerate() {
        let finite = states.iter().all(|x| x.is_finite());
        broken += usize::from(!finite);
        assert_eq!(found.summaries.iter().any(|summary| summary.0 == time), finite, "{time}");
        if !finite {
            assert_eq!(bits(&found.saved[time..=time]), bits(std::slice::from_ref(states)));
        }
    }
    assert!(broken > 0 && broken < grid.saved.len(), "{broken}");
}

/// Zeros, subnormal numbers and magnitudes over more than 64 octaves, and moments whose squares overflow.
#[test]
fn numbers_of_all_magnitudes() {
    let Some(gpu) = device::gpu("numbers_of_all_magnitudes") else { return };
    let text = "dX = 0 dt + dW; X(0) = 0; show tiny = 1e-30 X^9; show cube = 1e25 X^3; show half = if(X > 0, X, 0); \
         show large = 1e38 tanh(X)";
    let (case, grid) = (Case::new(text), grid(60_000, 1.0, &[0, 1]));
    let found = summarised(&gpu, &case, &grid, 100);
    let plain = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    let states = super::solve(&plain, &case, &grid);
    assert_eq!(found.summaries.len(), 2);
    for (time, _, summary) in &found.summaries {
        let observed = case.observed(f64::from(grid.saved[*time]), &states[*time], grid.paths);
        let rows: Vec<&[f32]> = observed.chunks_exact(grid.paths).collect();
        for (counts, row) in summary.counts.iter().zip(&rows) {
            check_counts(counts, row);
        }
        let (_, products) = moments(&rows);
        let (_, _, products_found) = merged(summary);
        for k in [0, 6, 12, 18, 24] {
            let error = (products_found[k] - products[k]).abs();
            assert!(error <= 1e-6 * products[k], "{k}: {} {}", products_found[k], products[k]);
        }
    }
}
