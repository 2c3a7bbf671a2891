//! Events that stop paths.

use super::case::{Case, Collected};
use super::{MIXED, bits, device, grid};
use hpfracc_equation::wgsl::Rounding;
use hpfracc_wgpu::MemoryLimit;
use hpfracc_wgpu::ensemble::{PathGrid, PathSolver};

/// Spans, workgroups and parts change neither the states nor the stops, and a path is that without events until it
/// stops.
#[test]
fn spans_and_parts_change_no_stop() {
    let Some(gpu) = device::gpu("spans_and_parts_change_no_stop") else { return };
    let text = MIXED.to_owned() + "; when X = 0.7: stop; when Y = 0.15 + t/10 rising: stop";
    let (case, free) = (Case::new(&text), Case::new(MIXED));
    let grid = PathGrid { first_path: (1 << 32) - 100, ..grid(200, 0.01, &[0, 31, 50]) };
    let solved = |case: &Case, width: usize, span: u32| {
        let solver =
            PathSolver::with_width(&gpu.f32(), case.on_device(), Rounding::Guarded, width).unwrap();
        let mut collected = Collected::new(case, &grid);
        solver.in_spans_of(span).solve(&grid, &mut collected).unwrap();
        collected
    };
    let whole = solved(&case, 64, 50);
    let without = solved(&free, 64, 50);
    assert!(without.stops.is_empty());
    let stopped = whole.stops.iter().flatten();
    let counts = [0, 1].map(|k| stopped.clone().filter(|stop| stop.event == k).count());
    println!("{counts:?} of 200 stop");
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
    for (path, stop) in whole.stops.iter().enumerate() {
        for (time, node) in grid.saved.iter().enumerate() {
            let same = whole.saved[time][path].to_bits() == without.saved[time][path].to_bits();
            let before = stop.is_none_or(|stop| *node <= stop.step);
            assert!(same || !before, "path {path}, node {node}");
        }
        let Some(stop) = stop.filter(|stop| stop.event == 0) else { continue };
        assert!((0.0..=1.0).contains(&stop.share));
        assert!((whole.saved[2][path] - 0.7).abs() < 1e-6);
    }
    for (width, span) in [(64, 1), (32, 7), (256, 4)] {
        let found = solved(&case, width, span);
        assert_eq!(bits(&found.saved), bits(&whole.saved), "width {width}, spans of {span}");
        assert_eq!(found.stops, whole.stops);
    }
    gpu.limit_memory(MemoryLimit::Bytes(1 << 15)).unwrap();
    let parts = solved(&case, 64, 50);
    assert_eq!((bits(&parts.saved), parts.stops), (bits(&whole.saved), whole.stops));
}
