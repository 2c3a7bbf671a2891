//! Ensembles of equations, each path solved by one invocation.

use super::{Device, WORKS};
use crate::bench::Bench;
use crate::cell::{floor, label, number, rate, ratio, size, time};
use crate::measure::Time;
use hpfracc::equation::{Equation, wgsl::Rounding};
use hpfracc::{EnsembleScalar, OnGpu, SimulationError};
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
    numbers: Numbers,
    /// Instructions of a step in single precision.
    instructions: usize,
}

/// Numbers that a device computes with.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    Single,
    Double,
    DoubleFloat,
}

enum Scheme {
    EulerMaruyama,
    Fractional(FractionalEulerMaruyama),
}

const GEOMETRIC: &str = "dS = 0.05 S dt + 0.4 S dW; S(0) = 1; t in [0, 1]";
const FUNCTIONS: &str = "dX = (sin(3 X) - tanh(X)) dt + 0.1 exp(-X^2) dW; X(0) = 0.5; t in [0, 1]";
const LONG_MEMORY: &str = "dX = -X dt + 0.3 dB; B = fbm(0.7); X(0) = 1; t in [0, 1]";
const FRACTIONAL: &str = "D^0.7 X = -X + 0.3 dW/dt; X(0) = 1; t in [0, 1]";

fn cases() -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    // Elementary functions of some 30 instructions each.
    let equations = [
        ("geometric Brownian motion", GEOMETRIC, NORMAL + 5),
        ("sine, tanh and exponential", FUNCTIONS, NORMAL + 100),
    ];
    for (name, text, instructions) in equations {
        let formats =
            [("", Numbers::Single), (", f64", Numbers::Double), (", df64", Numbers::DoubleFloat)];
        cases.extend(formats.map(|(of, numbers)| Case {
            name: format!("{name}{of}"),
            text,
            scheme: Scheme::EulerMaruyama,
            numbers,
            instructions,
        }));
    }
    // Two transforms of 2048 points, and two normals for each increment.
    cases.push(Case {
        name: "fractional Brownian noise".to_owned(),
        text: LONG_MEMORY,
        scheme: Scheme::EulerMaruyama,
        numbers: Numbers::Single,
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
            numbers: Numbers::Single,
            instructions: NORMAL + 5 + 3 * nodes,
        });
    }
    cases
}

/// Path steps a second, against the rate of instructions, and against the CPU.
pub(crate) fn ensembles(bench: &mut Bench) {
    let Some(mut device) = Device::open(bench) else { return };
    device.bench.note(format!(
        "Moments at the end of paths of {STEPS} steps, f32 if nothing else is said, from the equation to the result; the shader was compiled \
         before. Floor: the instructions of a step in f32, with integers of 64 bits, at the rate of fused products, for all \
         numbers. CPU: all threads; f64 beside f64 and df64."
    ));
    device.bench.columns(
        "equation | paths | instructions | floor | GPU | path steps a second | GPU / floor | CPU | CPU / GPU",
    );
    let paths = if device.software { 1024 } else { 1 << 20 };
    let double = device.gpu.has_double_precision();
    for case in cases().iter().filter(|case| double || case.numbers != Numbers::Double) {
        row(&mut device, case, paths);
    }
}

fn row(device: &mut Device<'_>, case: &Case<'_>, paths: usize) {
    let model = EquationModel::new(&Equation::parse(case.text).expect(WORKS)).expect(WORKS);
    let executor = OnGpu::new(device.gpu.clone(), Rounding::Free);
    let executor = match case.numbers {
        Numbers::DoubleFloat => executor.in_double_float(),
        _ => executor,
    };
    let mut runs = match (&case.scheme, case.numbers) {
        (Scheme::EulerMaruyama, Numbers::Single) => {
            Runs::new::<f32, _>(&model, &executor, EulerMaruyama, paths)
        }
        (Scheme::EulerMaruyama, _) => Runs::new::<f64, _>(&model, &executor, EulerMaruyama, paths),
        (Scheme::Fractional(scheme), _) => Runs::new::<f32, _>(&model, &executor, *scheme, paths),
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
    fn new<T: EnsembleScalar, S: StochasticScheme<T> + Copy + 'a>(
        model: &'a EquationModel,
        executor: &'a OnGpu,
        scheme: S,
        paths: usize,
    ) -> Self {
        let ensemble = Ensemble::new(paths, STEPS).expect(WORKS);
        let (other, of_cpu) = (ensemble.clone(), scheme);
        let on_gpu = move || {
            let moments: Result<_, SimulationError> =
                model.simulate_on::<T, _, _, _>(executor, &scheme, (&ensemble, 1), &Moments);
            black_box(moments.expect(WORKS));
        };
        let on_cpu = move || {
            let moments = model.simulate_with::<T, _, _>(&of_cpu, &other, 1, &Moments);
            black_box(moments.expect(WORKS));
        };
        Self { on_gpu: Box::new(on_gpu), on_cpu: Box::new(on_cpu) }
    }
}
