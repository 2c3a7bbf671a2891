//! Ensembles of equations, each path solved by one invocation.

use super::{Device, WORKS};
use crate::bench::Bench;
use crate::cell::{floor, label, number, rate, ratio, size, time};
use crate::measure::Time;
use hpfracc::equation::{Equation, wgsl::Rounding};
use hpfracc::{OnGpu, SimulationError};
use hpfracc_operators::SumOfExponentials;
use hpfracc_sde::{
    Ensemble, EquationModel, EulerMaruyama, FractionalEulerMaruyama, Moments, PathMemory,
    StochasticScheme,
};
use std::hint::black_box;
use std::time::Instant;

/// Instructions of a normal with integers of 64 bits: a quarter of a block of Philox, and Box and Muller.
const NORMAL: usize = 45;

/// Steps of a path.
const STEPS: usize = 1000;

/// An equation with a scheme.
struct Case<'a> {
    name: String,
    text: &'a str,
    scheme: Scheme,
    /// Instructions of a step.
    instructions: usize,
}

enum Scheme {
    EulerMaruyama,
    Fractional(FractionalEulerMaruyama),
}

const GEOMETRIC: &str = "dS = 0.05 S dt + 0.4 S dW; S(0) = 1; t in [0, 1]";
const LONG_MEMORY: &str = "dX = -X dt + 0.3 dB; B = fbm(0.7); X(0) = 1; t in [0, 1]";
const FRACTIONAL: &str = "D^0.7 X = -X + 0.3 dW/dt; X(0) = 1; t in [0, 1]";

fn cases() -> Vec<Case<'static>> {
    let name = "geometric Brownian motion".to_owned();
    let scheme = Scheme::EulerMaruyama;
    let mut cases = vec![Case { name, text: GEOMETRIC, scheme, instructions: NORMAL + 5 }];
    // Two transforms of 2048 points, and two normals for each increment.
    cases.push(Case {
        name: "fractional Brownian noise".to_owned(),
        text: LONG_MEMORY,
        scheme: Scheme::EulerMaruyama,
        instructions: 2 * NORMAL + 2 * 5 * 2048 * 11 / STEPS + 35,
    });
    for tolerance in [1e-4, 1e-6] {
        let h = 1.0 / STEPS as f64;
        let power = SumOfExponentials::of_power(0.3, (h, 1.0), tolerance).expect(WORKS);
        let nodes = power.rates().len();
        let memory = PathMemory::Exponentials { tolerance };
        cases.push(Case {
            name: format!("fractional, {nodes} exponentials"),
            text: FRACTIONAL,
            scheme: Scheme::Fractional(FractionalEulerMaruyama::new(memory)),
            instructions: NORMAL + 5 + 3 * nodes,
        });
    }
    cases
}

/// Path steps a second, against the rate of instructions, and against the CPU.
pub(crate) fn ensembles(bench: &mut Bench) {
    let Some(mut device) = Device::open(bench) else { return };
    device.bench.note(format!(
        "Moments at the end of paths of {STEPS} steps, f32, from the equation to the result; the shader was compiled before. \
         Floor: the instructions of a step, with integers of 64 bits, at the rate of fused products. CPU: all threads."
    ));
    device.bench.columns(
        "equation | paths | instructions | floor | GPU | path steps a second | GPU / floor | CPU | CPU / GPU",
    );
    let paths = if device.software { 1024 } else { 1 << 20 };
    for case in cases() {
        row(&mut device, &case, paths);
    }
}

fn row(device: &mut Device<'_>, case: &Case<'_>, paths: usize) {
    let model = EquationModel::new(&Equation::parse(case.text).expect(WORKS)).expect(WORKS);
    let executor = OnGpu::new(device.gpu.clone(), Rounding::Free);
    let mut runs = match &case.scheme {
        Scheme::EulerMaruyama => Runs::new(&model, &executor, EulerMaruyama, paths),
        Scheme::Fractional(scheme) => Runs::new(&model, &executor, *scheme, paths),
    };
    (runs.on_gpu)();
    let [mut unit, mut gpu, mut cpu] = [(); 3].map(|()| Vec::new());
    for _ in 0..device.rounds() {
        unit.push(1.0 / device.peaks.f32_fma_rate().expect(WORKS));
        for (run, times) in [(&mut runs.on_gpu, &mut gpu), (&mut runs.on_cpu, &mut cpu)] {
            let start = Instant::now();
            run();
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let steps = (paths * STEPS) as f64;
    let least = Time::of(unit).scaled(steps * case.instructions as f64);
    let (gpu, cpu) = (Time::of(gpu), Time::of(cpu));
    device.bench.row([
        label(&case.name),
        size(paths),
        number(case.instructions as f64, 0),
        floor(&least),
        time(&gpu),
        rate(steps, &gpu),
        ratio(&gpu, &least),
        time(&cpu),
        ratio(&cpu, &gpu),
    ]);
}

/// The same ensemble on both processors.
struct Runs<'a> {
    on_gpu: Box<dyn FnMut() + 'a>,
    on_cpu: Box<dyn FnMut() + 'a>,
}

impl<'a> Runs<'a> {
    fn new<S: StochasticScheme<f32> + Copy + 'a>(
        model: &'a EquationModel,
        executor: &'a OnGpu,
        scheme: S,
        paths: usize,
    ) -> Self {
        let ensemble = Ensemble::new(paths, STEPS).expect(WORKS);
        let (other, of_cpu) = (ensemble.clone(), scheme);
        let on_gpu = move || {
            let moments: Result<_, SimulationError> =
                model.simulate_on::<f32, _, _, _>(executor, &scheme, (&ensemble, 1), &Moments);
            black_box(moments.expect(WORKS));
        };
        let on_cpu = move || {
            black_box(model.simulate_with(&of_cpu, &other, 1, &Moments).expect(WORKS));
        };
        Self { on_gpu: Box::new(on_gpu), on_cpu: Box::new(on_cpu) }
    }
}
