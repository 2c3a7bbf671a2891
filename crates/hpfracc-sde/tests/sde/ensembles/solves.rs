//! Results of an ensemble, times at which they are saved, and progress reports.

use crate::systems::{AnySystem, Linear, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{
    Brownian, CellIntegral, Gaussian, Noise, NoiseProcess, Tile, TileIncrements,
};
use hpfracc_sde::{
    Collect, Ensemble, EulerMaruyama, Layout, Moments, PairMoments, Paths, Progress, Quantiles,
    StochasticProblem,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const SYSTEM: Linear = Linear { dim: 2, lambda: -0.5, sigma: 0.4, rho: 0.1 };

fn problem<T: Gaussian>() -> StochasticProblem<T, AnySystem<T>> {
    problem_of(SYSTEM, (0.0, 1.0), &[T::narrow(0.2), T::narrow(-0.5)]).unwrap()
}

fn noise() -> Brownian {
    Brownian::new(9, 2).unwrap()
}

/// Against the sorted paths of the same run.
fn quantiles_of_sorted_paths<T: Gaussian>(within: f64) {
    let probabilities = [0.0, 0.01, 0.25, 0.5, 0.9, 1.0];
    let quantiles = Quantiles::new(&probabilities).unwrap().within(within).unwrap();
    let ensemble = Ensemble::new(3001, 40).unwrap().saving_every(20).unwrap();
    let (table, (paths, _)) = ensemble
        .solve(&problem::<T>(), &EulerMaruyama, &noise(), &(quantiles, (Paths, Moments)))
        .unwrap();
    assert_eq!((table.paths, table.times.len()), (3001, 3));
    assert_eq!(table.values.dim(), (3, 2, 6));
    for time in 0..3 {
        for component in 0..2 {
            let column = paths.slice(ndarray::s![.., time, component]);
            let mut sorted: Vec<f64> = column.iter().map(|x| x.widen()).collect();
            sorted.sort_by(f64::total_cmp);
            for (at, p) in probabilities.iter().enumerate() {
                let rank = p * 3000.0;
                let (a, b) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
                let exact = a + rank.fract() * (b - a);
                let error = (table.values[[time, component, at]] - exact).abs();
                assert!(error <= within * a.abs().max(b.abs()), "{time} {component} {p}: {error}");
            }
            assert_eq!(table.least[[time, component]], sorted[0]);
            assert_eq!(table.greatest[[time, component]], sorted[3000]);
        }
    }
}

#[test]
fn quantiles_in_single_and_double_precision() {
    quantiles_of_sorted_paths::<f32>(1.0 / 128.0);
    quantiles_of_sorted_paths::<f64>(1e-4);
}

#[test]
fn quantiles_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let ensemble = Ensemble::new(30_000, 10).unwrap().saving_every(5).unwrap();
        let both = (Quantiles::new(&[0.1, 0.5]).unwrap(), Moments);
        pool.install(|| ensemble.solve(&problem::<f32>(), &EulerMaruyama, &noise(), &both)).unwrap()
    };
    let one = run(1);
    assert_eq!(run(2), one);
    assert_eq!(run(5), one);
}

#[test]
fn probabilities_and_errors_out_of_range() {
    for bad in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(Quantiles::new(&[0.5, bad]), Err(SdeError::OutOfRange { .. })));
    }
    assert!(Quantiles::new(&[]).is_err());
    for bad in [0.0, -1.0, 0.6, 1e-7, f64::NAN] {
        assert!(Quantiles::new(&[0.5]).unwrap().within(bad).is_err(), "{bad}");
    }
}

#[test]
fn nodes_and_times_that_are_saved() {
    let all = |ensemble: Ensemble<'_>| {
        ensemble.solve(&problem::<f64>(), &EulerMaruyama, &noise(), &(Paths, Moments))
    };
    let ensemble = Ensemble::new(100, 10).unwrap();
    let (every, _) = all(ensemble.clone().saving_every(1).unwrap()).unwrap();
    let (nodes, at_nodes) = all(ensemble.clone().saving_nodes(&[0, 3, 7]).unwrap()).unwrap();
    let (times, at_times) = all(ensemble.clone().saving_at(&[0.0, 0.3, 0.7]).unwrap()).unwrap();
    assert_eq!(at_nodes, at_times);
    assert_eq!(nodes, times);
    for (index, node) in [0, 3, 7].into_iter().enumerate() {
        let expected = every.index_axis(ndarray::Axis(1), node);
        assert_eq!(nodes.index_axis(ndarray::Axis(1), index), expected);
    }
    let refused = all(ensemble.clone().saving_at(&[0.3, 0.65]).unwrap());
    let Err(SdeError::NotANode { t: 0.65, nearest }) = refused else { panic!() };
    assert!((nearest - 0.6).abs() < 1e-12 || (nearest - 0.7).abs() < 1e-12);
    for bad in [1.1, -0.1, f64::INFINITY] {
        let refused = all(ensemble.clone().saving_at(&[bad]).unwrap());
        assert!(matches!(refused, Err(SdeError::NotANode { .. })), "{bad}");
    }
    // Two times so near that both are the same node up to rounding.
    let refused = all(ensemble.clone().saving_at(&[0.5, 0.5f64.next_up()]).unwrap());
    assert!(matches!(refused, Err(SdeError::OutOfRange { what: "a saved time", .. })));
    assert!(ensemble.clone().saving_at(&[]).is_err());
    assert!(ensemble.clone().saving_at(&[0.5, 0.5]).is_err());
    assert!(ensemble.clone().saving_at(&[0.5, f64::NAN]).is_err());
    assert!(ensemble.clone().saving_nodes(&[3, 2]).is_err());
    assert!(ensemble.clone().saving_nodes(&[]).is_err());
    assert!(ensemble.saving_nodes(&[11]).is_err());
}

/// Shares rise to 1 on one thread, and paths are counted.
#[test]
fn progress_is_told() {
    let shares = Mutex::new(Vec::new());
    let watched = |progress: Progress| {
        assert_eq!(progress.paths, 5000);
        shares.lock().unwrap().push(progress.share);
    };
    let finished = AtomicUsize::new(0);
    let ensemble = Ensemble::new(5000, 300).unwrap().watched_by(&watched).counting(&finished);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| ensemble.solve(&problem::<f32>(), &EulerMaruyama, &noise(), &Moments)).unwrap();
    let shares = shares.into_inner().unwrap();
    assert!(shares.len() >= (5000 * 300) >> 14 && shares.is_sorted());
    assert_eq!((shares[0], shares[shares.len() - 1]), (0.0, 1.0));
    assert_eq!(finished.load(Ordering::Relaxed), 5000);
}

/// A single tile of many steps is left in the middle.
#[test]
fn a_flag_ends_a_long_tile_soon() {
    let (flag, told) = (AtomicBool::new(false), AtomicUsize::new(0));
    let steps = 1 << 26;
    let watched = |progress: Progress| {
        // The third time within the tile: after 2^15 path-steps of 2^30.
        if told.fetch_add(1, Ordering::Relaxed) == 2 {
            flag.store(true, Ordering::Relaxed);
        }
        assert!(progress.share < 1e-3, "{}", progress.share);
    };
    let ensemble = Ensemble::new(16, steps).unwrap().cancelled_by(&flag).watched_by(&watched);
    let (problem, noise) = (problem::<f32>(), noise());
    let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    assert!(matches!(run.advance(), Err(SdeError::Cancelled)));
    assert_eq!(told.load(Ordering::Relaxed), 3);
    assert_eq!(run.progress().share, 0.0);
}

/// In slices of no time at all, each of which does something nonetheless.
#[test]
fn in_slices_of_time() {
    let ensemble = Ensemble::new(3000, 10).unwrap();
    let (problem, noise) = (problem::<f64>(), noise());
    let whole = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    let run = ensemble.run(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    let mut slices = 0;
    while !run.advance_for(Duration::ZERO).unwrap() {
        slices += 1;
    }
    assert!((5..=63).contains(&slices), "{slices}");
    assert_eq!(run.finish().unwrap(), whole);
}

/// A noise that says to hold so much of each path that no cache has room for one: tiles are as
/// small as they get.
struct Wide(Brownian);

impl Noise<f64> for Wide {
    fn components(&self) -> usize {
        2
    }
    fn process(&self, component: usize) -> NoiseProcess {
        Noise::<f64>::process(&self.0, component)
    }
    fn bytes_per_path(&self, _: usize) -> usize {
        1 << 20
    }
    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, f64> {
        assert!(tile.lanes <= 16);
        self.0.increments(tile, integrals)
    }
}

#[test]
fn noise_that_fills_the_cache() {
    let ensemble = Ensemble::new(3000, 10).unwrap();
    let narrow = ensemble.solve(&problem(), &EulerMaruyama, &Wide(noise()), &Paths).unwrap();
    let wide = ensemble.solve(&problem::<f64>(), &EulerMaruyama, &noise(), &Paths).unwrap();
    assert_eq!(narrow, wide);
}

#[test]
fn paths_that_no_memory_holds_are_refused_before_the_first_step() {
    let ensemble = Ensemble::new(1 << 40, 1 << 12).unwrap().saving_every(1).unwrap();
    let both = (Moments, Paths);
    let refused = ensemble.solve(&problem::<f64>(), &EulerMaruyama, &noise(), &both);
    let Err(SdeError::TooLarge { bytes, .. }) = refused else { panic!() };
    assert_eq!(bytes, (1 << 40) * ((1 << 12) + 1) * 2 * 8 * 2);
}

#[test]
fn sums_and_sketches_that_no_memory_holds_are_refused() {
    fn refused(collector: &impl Collect<f64>) {
        let layout = |dim| Layout { dim, first_path: 0, paths: 2, times: vec![0.0; 4], events: 0 };
        let refused = collector.admit(&layout(1 << 50));
        assert!(matches!(refused, Err(SdeError::TooLarge { .. })), "{refused:?}");
        collector.admit(&layout(3)).unwrap();
    }
    refused(&Moments);
    refused(&PairMoments);
    refused(&Quantiles::new(&[0.5]).unwrap());
    refused(&Paths);
}
