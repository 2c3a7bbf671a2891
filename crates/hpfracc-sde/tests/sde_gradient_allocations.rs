//! After set-up, no step of an ensemble allocates, neither there nor back.

use hpfracc_sde::noise::{Brownian, NoiseProcess};
use hpfracc_sde::{
    DifferentiableStochasticScheme, DifferentiableStochasticSystem, Drift, DriftImplicit, Ensemble,
    EnsembleGradient, Equation, EulerMaruyama, FractionalEulerMaruyama, GradientWorkspace,
    Milstein, NoiseKind, PathMemory, ReversibleHeun, SavedStates, Sra1, Sric2, Sriw1,
    StochasticProblem, StochasticSystem, TamedEuler, Vjp,
};
use hpfracc_sde::{Rows, RowsMut};
use hpfracc_testkit::CountingAllocator;
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// `-x dt + dW / 2`; it notes how much was allocated when it was first asked, and last.
struct Noting {
    first: AtomicUsize,
    last: AtomicUsize,
}

impl StochasticSystem<f64> for Noting {
    fn dim(&self) -> usize {
        2
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive(&self) -> bool {
        true
    }

    fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        self.first.fetch_min(ALLOCATOR.calls(), Ordering::Relaxed);
        f.as_mut_slice().iter_mut().zip(x.as_slice()).for_each(|(f, x)| *f = -x);
    }

    fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g.as_mut_slice().fill(0.5);
    }
}

impl DifferentiableStochasticSystem<f64> for Noting {
    fn parameters(&self) -> usize {
        0
    }

    fn drift_vjp(&self, _: f64, _: Rows<'_, f64>, fbar: Rows<'_, f64>, to: Vjp<'_, f64>) {
        let Vjp { mut xbar, .. } = to;
        let pairs = xbar.as_mut_slice().iter_mut().zip(fbar.as_slice());
        pairs.for_each(|(xbar, fbar)| *xbar -= fbar);
        self.last.fetch_max(ALLOCATOR.calls(), Ordering::Relaxed);
    }

    fn diffusion_vjp(&self, _: f64, _: Rows<'_, f64>, _: Rows<'_, f64>, _: Vjp<'_, f64>) {}
}

/// Allocations between the first step forward and the last one back, of one tile.
fn between<C: DifferentiableStochasticScheme<f64>>(
    scheme: &C,
    order: f64,
    steps: usize,
    how: impl Fn(EnsembleGradient<'static>) -> EnsembleGradient<'static>,
) -> usize {
    let noise = Brownian::new(1, 2).unwrap();
    let end =
        |_: SavedStates<'_, f64>, _: &mut [f64], mut xbar: RowsMut<'_, f64>| xbar[0].fill(1.0);
    let once = || {
        let (first, last) = (AtomicUsize::new(usize::MAX), AtomicUsize::new(0));
        let problem = StochasticProblem::new(Noting { first, last }, (0.0, 1.0), &[1.0, 2.0]);
        let problem = problem.unwrap().of_orders(&[order]).unwrap();
        let gradient = how(EnsembleGradient::new(Ensemble::new(16, steps).unwrap()));
        gradient.solve(&problem, scheme, &noise, &end).unwrap();
        let Noting { first, last } = problem.system();
        last.load(Ordering::Relaxed) - first.load(Ordering::Relaxed)
    };
    // Other threads may allocate in between, but not every time.
    (0..7).map(|_| once()).min().unwrap()
}

fn check<C: DifferentiableStochasticScheme<f64>>(
    name: &str,
    scheme: &C,
    order: f64,
    how: impl Fn(EnsembleGradient<'static>) -> EnsembleGradient<'static>,
) {
    let [few, many] = [200, 400].map(|steps| between(scheme, order, steps, &how));
    println!("{name}: {few}");
    assert_eq!(few, many, "{name}");
}

/// On one thread: another would prepare other tiles meanwhile.
#[test]
fn no_step_allocates() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(all);
}

fn all() {
    check("euler-maruyama", &EulerMaruyama, 1.0, |gradient| gradient);
    check("reversible heun", &ReversibleHeun, 1.0, |gradient| gradient);
    check("milstein", &Milstein, 1.0, |gradient| gradient);
    check("sra1", &Sra1, 1.0, |gradient| gradient);
    check("sric2", &Sric2, 1.0, |gradient| gradient);
    check("sriw1", &Sriw1, 1.0, |gradient| gradient);
    check("tamed euler", &TamedEuler, 1.0, |gradient| gradient);
    check("drift-implicit", &DriftImplicit::default(), 1.0, |gradient| gradient);
    check("half each", &EulerMaruyama, 1.0, |gradient| gradient.in_segments_of(100));
    check("checkpoints", &EulerMaruyama, 1.0, |gradient| gradient.with_checkpoints(9));
    kept("euler-maruyama", &EulerMaruyama, 1.0);
    kept("reversible heun", &ReversibleHeun, 1.0);
    kept("sric2", &Sric2, 1.0);
    kept("drift-implicit", &DriftImplicit::default(), 1.0);
    for memory in [PathMemory::Direct, PathMemory::Blocked, PathMemory::default()] {
        let plain = FractionalEulerMaruyama::new(memory);
        for scheme in [plain, plain.drift(Drift::PredictorCorrector)] {
            check("fractional", &scheme, 0.7, EnsembleGradient::with_orders);
            kept(&format!("{scheme:?}"), &scheme, 0.7);
        }
    }
}

/// In memory that is kept, the second call on the same sizes: as many allocations for any number of
/// steps, and for each further tile those of its noise alone.
fn kept<C: DifferentiableStochasticScheme<f64>>(name: &str, scheme: &C, order: f64) {
    let noise = Brownian::new(1, 2).unwrap();
    let end =
        |_: SavedStates<'_, f64>, _: &mut [f64], mut xbar: RowsMut<'_, f64>| xbar[0].fill(1.0);
    let (first, last) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let problem = StochasticProblem::new(Noting { first, last }, (0.0, 1.0), &[1.0, 2.0]);
    let problem = problem.unwrap().of_orders(&[order]).unwrap();
    let prepared = |steps: usize| {
        let equation = Equation {
            dim: 2,
            noise_kind: NoiseKind::Diagonal,
            orders: &[order; 2],
            processes: &[NoiseProcess::Brownian; 2],
            additive: true,
            additive_in: &[true; 2],
            commutative: true,
            steps,
            h: 1.0 / steps as f64,
        };
        least(|| {
            let stepper = scheme.prepare(&equation).unwrap();
            scheme.adjoint(&equation, &stepper, false).unwrap();
        })
    };
    let of = |paths: usize, steps: usize| {
        let gradient = EnsembleGradient::new(Ensemble::new(paths, steps).unwrap());
        let workspace = GradientWorkspace::new();
        let call = || {
            gradient.solve_with(&workspace, &problem, scheme, &noise, &end).unwrap();
        };
        call();
        least(call)
    };
    // What the weights of the scheme take depends on the steps.
    let [few, many] = [100, 200].map(|steps| {
        let ((calls, bytes), (scheme_calls, scheme_bytes)) = (of(64, steps), prepared(steps));
        println!(
            "{name}, {steps} steps: {calls} allocations, {bytes} bytes, of which {scheme_calls} and \
             {scheme_bytes} for the scheme's weights"
        );
        (calls - scheme_calls, bytes - scheme_bytes)
    });
    assert_eq!(few, many, "{name}");
    let tiles = [1, 3].map(|tiles| of(64 * tiles, 100).0);
    assert_eq!(tiles[1] - tiles[0], 2 * 2, "{name}: increments and their rows");
}

/// The least allocations and bytes of some calls: other threads may allocate in between.
fn least(mut call: impl FnMut()) -> (usize, usize) {
    let once = |_| {
        let before = (ALLOCATOR.calls(), ALLOCATOR.bytes());
        call();
        (ALLOCATOR.calls() - before.0, ALLOCATOR.bytes() - before.1)
    };
    (0..3).map(once).min().unwrap()
}
