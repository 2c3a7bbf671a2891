//! Bits of paths with operations that are rounded freely and as they are written.

use super::{GPU, machine, model};
use hpfracc::gpu::AdapterKind;
use hpfracc::sde::{
    Ensemble, EulerMaruyama, FractionalEulerMaruyama, Heun, Milstein, Paths, ReversibleHeun, Sra1,
    Sric2, Sriw1, StochasticScheme, TamedEuler,
};
use hpfracc::{Machine, SimulationBackend};

const STEPS: usize = 100;

/// Guarded paths have the bits of the CPU. Those of free operations differ by at most 4 roundings times the root of the
/// number of steps, in units of the largest state; on a software adapter they have the same bits in at least this share of the
/// numbers.
fn check<S: StochasticScheme<f32>>(machine: &Machine, text: &str, scheme: &S, least: f64) {
    let model = model(text);
    let ensemble = Ensemble::new(2000, STEPS).unwrap().saving_every(20).unwrap();
    let on = |backend| {
        machine.simulate_with::<f32, _, _>(&model, scheme, (&ensemble, 3), backend, &Paths).unwrap()
    };
    let expected = on(SimulationBackend::Cpu);
    let software = machine.gpu(None).unwrap().kind() == AdapterKind::Software;
    let size = expected.iter().fold(0f32, |size, x| size.max(x.abs()));
    for (backend, least, bound) in [
        (GPU, 1.0, 0.0),
        (
            SimulationBackend::Wgpu { adapter: None, guarded: false },
            least,
            4.0 * (STEPS as f32).sqrt(),
        ),
    ] {
        let found = on(backend);
        let pairs = || found.iter().zip(&expected);
        let equal = pairs().filter(|(a, b)| a.to_bits() == b.to_bits()).count();
        let share = equal as f64 / found.len() as f64;
        let worst = pairs().fold(0f32, |worst, (a, b)| worst.max((a - b).abs()));
        let roundings = worst / (size * f32::EPSILON);
        println!(
            "{backend} {} {text}: {:.3} % equal, {roundings:.2} roundings",
            S::NAME,
            100.0 * share
        );
        assert!(roundings <= bound, "{backend} {text}: {roundings} roundings");
        assert!(!software || share >= least, "{backend} {text}: {share} equal");
    }
}

#[test]
fn free_operations_are_near_those_of_the_cpu() {
    let Some(machine) = machine("free_operations_are_near_those_of_the_cpu") else { return };
    let gbm = "dS = mu S dt + sigma S dW; mu = 0.05; sigma = 0.4; S(0) = 1; t in [0, 1]";
    let ou = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]";
    let scalar =
        "dX = (Y - X) dt + 0.3 X dW; dY = -X Y dt + 0.2 sin(Y) dW; X(0) = 1; Y(0) = 2; t in [0, 1]";
    let general = "dX = sin(5 t) Y dt + 0.1 X dW + 0.2 dV; dY = -tanh(X) dt + 0.3 exp(-t) dV + 0.1 Y dW; \
         V = brownian(); X(1) = 1; Y(1) = normal(0, 1); t in [1, 3]";
    let correlated = "dX = -X dt + 0.1 X dW; dY = -Y dt + 0.2 dV; V = brownian(); corr(W, V) = -0.7; X(0) = 1; Y(0) = 1; \
         t in [0, 1]";
    let forced = "dX = -exp(-t) X dt + 0.3 dW; X(0) = 1; t in [0, 1]";
    let cubic = "dX = (Y - X^3) dt + 0.3 X dW; dY = -exp(-t) X Y dt + 0.2 dV; V = brownian(); X(0) = 2; Y(0) = 1; \
         t in [0, 1]";
    let stratonovich = "dX = cos(4 t) X dt + 0.5 exp(-t) X o dW; X(0) = 1; t in [0, 1]";
    let fractional = "D^0.8 X = -X + 0.5 dW/dt; X(0) = 1; t in [0, 1]";
    for text in [gbm, ou, scalar, general, correlated] {
        check(&machine, text, &EulerMaruyama, 0.995);
    }
    check(&machine, gbm, &Milstein, 0.995);
    check(&machine, gbm, &Sric2, 0.995);
    check(&machine, stratonovich, &Heun, 0.995);
    check(&machine, stratonovich, &ReversibleHeun, 0.995);
    check(&machine, fractional, &FractionalEulerMaruyama::default(), 0.995);
    // Mesa moves a constant factor through a product that is used once: 0.3 (sqrt(h) z) is sqrt(h) (0.3 z), which is
    // rounded differently. Of these equations 64, 87 and 87 % of the numbers have the same bits, of schemes with constant
    // factors 27 %.
    check(&machine, forced, &EulerMaruyama, 0.6);
    check(&machine, cubic, &EulerMaruyama, 0.8);
    check(&machine, cubic, &TamedEuler, 0.8);
    check(&machine, ou, &Sra1, 0.2);
    check(&machine, gbm, &Sriw1, 0.2);
}
