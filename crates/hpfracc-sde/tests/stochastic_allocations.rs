//! After set-up, a step of a stochastic scheme allocates nothing.

use hpfracc_sde::noise::{Brownian, Noise, NoiseProcess, Tile};
use hpfracc_sde::{
    Drift, DriftImplicit, Equation, EulerMaruyama, ForcedEulerMaruyama, FractionalEulerMaruyama,
    Heun, Milstein, NoiseKind, PathMemory, ReversibleHeun, Sra1, Sric2, Sriw1, StateFunctions,
    Stepper, StochasticScheme, StochasticSystem, TamedEuler,
};
use hpfracc_sde::{Rows, RowsMut, Step};
use hpfracc_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Two components that turn into each other, each with a noise of its own.
struct Turning {
    additive: bool,
}

impl StochasticSystem<f64> for Turning {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }
    fn additive(&self) -> bool {
        self.additive
    }
    fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        for lane in 0..x.lanes() {
            (f[0][lane], f[1][lane]) = (x[1][lane], -x[0][lane].powi(3));
        }
    }
    fn diffusion(&self, _: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        for (g, x) in g.as_mut_slice().iter_mut().zip(x.as_slice()) {
            *g = if self.additive { 0.3 } else { 0.2 * x };
        }
    }
}

fn check<C: StochasticScheme<f64>>(scheme: &C, additive: bool) {
    check_order(scheme, 1.0, additive);
}

fn check_order<C: StochasticScheme<f64>>(scheme: &C, order: f64, additive: bool) {
    check_system(scheme, order, &Turning { additive });
}

fn check_system<C, S>(scheme: &C, order: f64, system: &S)
where
    C: StochasticScheme<f64>,
    S: StochasticSystem<f64>,
{
    let additive = system.additive();
    let (steps, lanes, h) = (100, 20, 0.01);
    let equation = Equation {
        dim: 2,
        noise_kind: NoiseKind::Diagonal,
        orders: &[order, 1.0],
        processes: &[NoiseProcess::Brownian; 2],
        additive,
        additive_in: &[additive; 2],
        commutative: true,
        steps,
        h,
    };
    let stepper = scheme.prepare(&equation).unwrap();
    let tile = Tile { first_path: 0, lanes, steps, h };
    let noise = Brownian::new(1, 2).unwrap();
    let mut dz = vec![0.0; (2 + stepper.integrals().len()) * lanes];
    // The thread of the test harness may allocate in between, but not every time.
    let least = (0..5).map(|_| {
        let mut increments = noise.increments(tile, stepper.integrals()).unwrap();
        let mut state = Default::default();
        stepper.start(&mut state, tile);
        let mut x = vec![1.0; 2 * lanes];
        let before = ALLOCATOR.calls();
        for n in 0..steps {
            increments.write(n, RowsMut::new(&mut dz, lanes));
            let (x, dz) = (RowsMut::new(&mut x, lanes), Rows::new(&dz, lanes));
            stepper.step(system, &mut state, Step { t: n as f64 * h, x, dz });
            assert_eq!(stepper.failure(&state), None);
        }
        assert!(x.iter().all(|x| x.is_finite()));
        ALLOCATOR.calls() - before
    });
    assert_eq!(least.min(), Some(0), "{}", scheme.name());
}

#[test]
fn no_step_allocates() {
    check(&EulerMaruyama, false);
    check(&TamedEuler, false);
    check(&DriftImplicit::default(), false);
    check(&Milstein, false);
    check(&Sric2, false);
    check(&Sriw1, false);
    check(&Sra1, true);
    check(&Heun, false);
    check(&ReversibleHeun, false);
    let drift = |_: f64, x: &[f64], f: &mut [f64]| f.copy_from_slice(&[x[1], -x[0]]);
    let diffusion = |_: f64, x: &[f64], g: &mut [f64]| g.copy_from_slice(&[0.2 * x[0], 0.1]);
    let functions = StateFunctions::new(2, NoiseKind::Diagonal, drift, diffusion);
    check_system(&EulerMaruyama, 1.0, &functions);
    for memory in [PathMemory::Direct, PathMemory::Blocked, PathMemory::default()] {
        let plain = FractionalEulerMaruyama::new(memory);
        for scheme in [plain, plain.near_cells(2), plain.drift(Drift::PredictorCorrector)] {
            check_order(&scheme, 0.7, false);
        }
        check_order(&ForcedEulerMaruyama::new(memory), 0.7, false);
    }
}
