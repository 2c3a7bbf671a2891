//! Several devices: two of the same adapter.

use super::case::{Case, Collected, Ended};
use super::{MIXED, bits, device, grid};
use hpfracc_equation::wgsl::Rounding;
use hpfracc_wgpu::ensemble::{
    MultiDeviceSolver, PathGrid, PathObserver, PathSolver, PathSummary, StepStop, SummaryRequest,
};
use hpfracc_wgpu::{F32, Gpu, GpuError};

fn two(test: &str) -> Option<[Gpu; 2]> {
    Some([device::gpu(test)?, device::gpu(test)?])
}

fn solver(gpu: &Gpu, case: &Case) -> PathSolver<F32> {
    PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap().in_spans_of(8)
}

fn sized() -> PathGrid {
    grid(20_000, 0.01, &[5, 20, 32])
}

fn expected(gpu: &Gpu, case: &Case, grid: &PathGrid) -> Vec<u32> {
    let mut collected = Collected::new(case, grid);
    solver(gpu, case).solve(grid, &mut collected).unwrap();
    bits(&collected.saved)
}

/// Records come in the order of the paths, each once.
struct Ordered {
    collected: Collected,
    records: Vec<(usize, usize)>,
    lanes: usize,
    /// Device that is destroyed after a number of records.
    lost: Vec<(usize, Gpu)>,
}

impl Ordered {
    fn new(case: &Case, grid: &PathGrid) -> Self {
        Self { collected: Collected::new(case, grid), records: vec![], lanes: 0, lost: vec![] }
    }

    fn note(&mut self, time: usize, path: usize, lanes: usize) {
        self.records.push((path, time));
        self.lanes += lanes;
        self.lost.retain(|(after, gpu)| {
            let keep = *after > self.records.len();
            if !keep {
                gpu.device().destroy();
            }
            keep
        });
    }

    fn check(&self, grid: &PathGrid) {
        assert!(self.records.is_sorted(), "{:?}", self.records);
        assert_eq!(self.lanes, grid.paths * grid.saved.len());
    }
}

impl PathObserver<f32> for Ordered {
    type Error = Ended;

    fn start(&mut self, path: usize, lanes: usize, rows: &mut [f32]) -> Result<(), Ended> {
        self.collected.start(path, lanes, rows)
    }

    fn record(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        rows: &[f32],
    ) -> Result<(), Ended> {
        self.note(time, path, lanes);
        self.collected.record(time, path, lanes, rows)
    }

    fn summary(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        summary: &PathSummary,
    ) -> Result<(), Ended> {
        self.note(time, path, lanes);
        self.collected.summary(time, path, lanes, summary)
    }

    fn stops(&mut self, path: usize, stops: &[Option<StepStop>]) -> Result<(), Ended> {
        self.collected.stops(path, stops)
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), Ended> {
        self.collected.pause(path_steps)
    }
}

/// Stops of paths come with their last records, and those of a device that is lost from the others.
#[test]
fn stops_come_once_from_several_devices() {
    let Some(gpus) = two("stops_come_once_from_several_devices") else { return };
    let (case, grid) = (Case::new(&(MIXED.to_owned() + "; when X = 0.6: stop")), sized());
    let mut expected = Collected::new(&case, &grid);
    solver(&gpus[0], &case).solve(&grid, &mut expected).unwrap();
    assert!(expected.stops.iter().flatten().count() > 1000);
    for lost in [false, true] {
        let solvers = gpus.iter().map(|gpu| solver(gpu, &case)).collect();
        let solver = MultiDeviceSolver::new(solvers);
        let mut ordered = Ordered::new(&case, &grid);
        ordered.lost.extend(lost.then(|| (5, gpus[0].clone())));
        solver.solve(&grid, &mut ordered).unwrap();
        ordered.check(&grid);
        assert_eq!(bits(&ordered.collected.saved), bits(&expected.saved));
        assert_eq!(ordered.collected.stops, expected.stops);
    }
}

#[test]
fn paths_are_split_among_devices() {
    let Some(gpus) = two("paths_are_split_among_devices") else { return };
    let (case, grid) = (Case::new(MIXED), sized());
    let expected = expected(&gpus[0], &case, &grid);
    for waiting in [usize::MAX, 0] {
        let solvers = gpus.iter().map(|gpu| solver(gpu, &case)).collect();
        let solver = MultiDeviceSolver::new(solvers).with_waiting_bytes(waiting);
        let mut ordered = Ordered::new(&case, &grid);
        let work = solver.solve(&grid, &mut ordered).unwrap();
        println!("{work:?}");
        ordered.check(&grid);
        assert_eq!(bits(&ordered.collected.saved), expected);
        assert_eq!(work.iter().map(|share| share.paths).sum::<usize>(), grid.paths);
        assert!(work.iter().all(|share| share.paths > 0 && share.failure.is_none()));
    }
}

/// Sums of blocks are those of one device.
#[test]
fn statistics_of_several_devices_are_those_of_one() {
    let Some(gpus) = two("statistics_of_several_devices_are_those_of_one") else { return };
    let (case, grid) = (Case::new(MIXED), sized());
    let summarised = |gpu: &Gpu| {
        let request = SummaryRequest { shown: None, moments: true, digits: None, first_paths: 3 };
        solver(gpu, &case).summarised(request).unwrap()
    };
    let mut one = Collected::new(&case, &grid);
    summarised(&gpus[0]).solve(&grid, &mut one).unwrap();
    let mut ordered = Ordered::new(&case, &grid);
    let solver = MultiDeviceSolver::new(gpus.iter().map(summarised).collect());
    solver.solve(&grid, &mut ordered).unwrap();
    ordered.check(&grid);
    let blocks = |collected: &Collected| -> Vec<_> {
        let of_time = |time: usize| {
            let all = collected.summaries.iter().filter(move |(of, ..)| *of == time);
            all.flat_map(|(.., summary)| summary.blocks.clone())
        };
        (0..3).flat_map(of_time).collect()
    };
    assert_eq!(blocks(&ordered.collected), blocks(&one));
}

#[test]
fn other_devices_solve_the_rest_of_one_that_is_lost() {
    let test = "other_devices_solve_the_rest_of_one_that_is_lost";
    let (case, grid) = (Case::new(MIXED), sized());
    let Some([gpu, _]) = two(test) else { return };
    let expected = expected(&gpu, &case, &grid);
    // A device may have finished its chunks before it is lost.
    let mut failures = 0;
    for (number, after) in [(0, 1), (0, 4), (1, 2), (1, 5)] {
        let Some(gpus) = two(test) else { return };
        let solver = MultiDeviceSolver::new(gpus.iter().map(|gpu| solver(gpu, &case)).collect());
        let mut ordered = Ordered::new(&case, &grid);
        ordered.lost.push((after, gpus[number].clone()));
        let work = solver.solve(&grid, &mut ordered).unwrap();
        match &work[number].failure {
            Some(error) => assert!(matches!(error, GpuError::Lost { .. }), "{error}"),
            None => println!("device {number} had finished"),
        }
        failures += usize::from(work[number].failure.is_some());
        ordered.check(&grid);
        assert_eq!(bits(&ordered.collected.saved), expected, "device {number} after {after}");
    }
    assert!(failures > 0);
    // Both are lost: what is recorded is recorded once.
    let Some(gpus) = two(test) else { return };
    let solver = MultiDeviceSolver::new(gpus.iter().map(|gpu| solver(gpu, &case)).collect());
    let mut ordered = Ordered::new(&case, &grid);
    ordered.lost.extend(gpus.map(|gpu| (4, gpu)));
    match solver.solve(&grid, &mut ordered) {
        Ok(_) => println!("both had finished"),
        Err(ended) => assert!(matches!(ended, Ended::Gpu(GpuError::Lost { .. })), "{ended:?}"),
    }
    assert!(ordered.records.is_sorted() && ordered.records.len() >= 4);
}

#[test]
fn all_devices_stop_when_cancelled() {
    let Some(gpus) = two("all_devices_stop_when_cancelled") else { return };
    let (case, grid) = (Case::new(MIXED), sized());
    let solver = MultiDeviceSolver::new(gpus.iter().map(|gpu| solver(gpu, &case)).collect());
    let mut collected = Collected { cancel_after: 50_000, ..Collected::new(&case, &grid) };
    let ended = solver.solve(&grid, &mut collected).unwrap_err();
    assert!(matches!(ended, Ended::Cancelled));
    assert!(collected.path_steps < 200_000, "{}", collected.path_steps);
}
