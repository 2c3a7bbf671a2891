//! Moments and quantiles take the same memory for any number of paths.

use hpfracc_sde::noise::Brownian;
use hpfracc_sde::{
    Collect, Ensemble, EulerMaruyama, Moments, NoiseKind, Paths, Progress, Quantiles,
    StochasticProblem, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};
use hpfracc_testkit::CountingAllocator;
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// `dX = -X dt + dW`
struct Decay;

impl StochasticSystem<f32> for Decay {
    fn dim(&self) -> usize {
        1
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }
    fn drift(&self, _: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -x);
    }
    fn diffusion(&self, _: f64, _: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        g[0].fill(1.0);
    }
}

/// Largest number of bytes in use while `paths` paths are solved, on the one thread of a pool: of
/// several threads, one may wait and with it the shards that follow its own. One pool serves all
/// solves, because the thread of a dropped pool frees its memory at any later time.
fn most<K: Collect<f32, Output: Send> + Sync>(
    pool: &rayon::ThreadPool,
    paths: usize,
    collector: &K,
) -> usize {
    let problem = StochasticProblem::new(Decay, (0.0, 1.0), &[0.0f32]).unwrap();
    let noise = Brownian::new(1, 1).unwrap();
    let before = ALLOCATOR.bytes_in_use();
    let most = AtomicUsize::new(0);
    let watched = |_: Progress| {
        most.fetch_max(ALLOCATOR.bytes_in_use(), Ordering::Relaxed);
    };
    let ensemble = Ensemble::new(paths, 8).unwrap().saving_every(2).unwrap().watched_by(&watched);
    pool.install(|| ensemble.solve(&problem, &EulerMaruyama, &noise, collector)).unwrap();
    most.load(Ordering::Relaxed) - before
}

#[test]
fn of_the_number_of_paths() {
    let (few, many) = (64 * 256, 40 * 64 * 256);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // What the pool and the thread allocate once.
    most(&pool, few, &Moments);
    let moments = [most(&pool, few, &Moments), most(&pool, many, &Moments)];
    println!("moments: {moments:?} bytes");
    assert!(moments[1] < moments[0] + (16 << 10));
    let quantiles = Quantiles::new(&[0.1, 0.5]).unwrap();
    let sketches = [most(&pool, few, &quantiles), most(&pool, many, &quantiles)];
    println!("quantiles: {sketches:?} bytes");
    // Five times, 128 KiB each at most: a shard, what it is merged into, and one that grows.
    assert!(sketches[1] - moments[1] < 3 * 5 * (128 << 10));
    // Magnitudes 40 times as small: five octaves of 1 KiB for each sign, less than 16 KiB.
    assert!(sketches[1] < sketches[0] + 3 * 5 * (16 << 10));
    // The measure sees what grows.
    assert!(most(&pool, many, &Paths) > many * 5 * 4);
}
