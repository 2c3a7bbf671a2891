//! Fits of neural differential equations on a device against the same fits on the CPU: losses, gradients, trainings,
//! failures, and what is refused.
#![cfg(feature = "networks")]

mod device;

use hpfracc_nn::models::settings::SolverSettings;
use hpfracc_nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::ndarray::{Array2, Array3};
use hpfracc_nn::trainer::{Event, Trainer, Training};
use hpfracc_nn::{
    Activation, Adam, Batch, Dense, Dropout, Layer, LayerNorm, Loss, Network, Objective, Optimiser,
    Pairs, Pass, Residual, Scalar, Sequential, Shape,
};
use hpfracc_wgpu::{Gpu, GpuNetworkError, GpuSdeFit, MemoryLimit};
use std::ops::ControlFlow;

const DIM: usize = 2;

fn number(i: usize) -> f64 {
    ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0
}

fn perceptron(sizes: &[usize]) -> Network {
    Network::perceptron(sizes, Activation::Tanh).unwrap()
}

/// Windows of 4 nodes of some components, with missing values.
fn windows<T: Scalar>(samples: usize, every: usize, observed: usize, missing: bool) -> Windows<T> {
    let starts = Array2::from_shape_fn((samples, DIM), |(i, j)| T::narrow(number(3 * i + j)));
    let values = Array3::from_shape_fn((samples, 4, observed), |(i, k, j)| {
        let lost = missing && (i + 2 * k + j) % 4 == 0 || missing && i == 1 && k == 2;
        T::narrow(if lost { f64::NAN } else { number(40 + 11 * i + 5 * k + j) })
    });
    Windows::new(starts, &[every, 2 * every, 3 * every, 4 * every], values).unwrap()
}

/// A fit, in any precision.
#[derive(Clone)]
struct Case {
    drift: Network,
    diffusion: Diffusion,
    orders: Orders,
    loss: PathLoss,
    paths: usize,
    observed: usize,
    missing: bool,
    memory: &'static str,
}

impl Case {
    fn new(drift: Network, diffusion: Diffusion, loss: PathLoss) -> Self {
        let (orders, paths, observed) = (Orders::One, 1, DIM);
        let (missing, memory) = (false, "\"direct\"");
        Self { drift, diffusion, orders, loss, paths, observed, missing, memory }
    }

    fn solving(&self, every: usize) -> Solving {
        let settings = format!(r#"{{"steps": {every}, "memory": {}}}"#, self.memory);
        serde_json::from_str::<SolverSettings>(&settings).unwrap().over(4, 0.25)
    }

    fn fit_of<T: Scalar>(&self, every: usize) -> SdeFit<T>
    where
        Network: Layer<T>,
    {
        let Self { drift, diffusion, orders, loss, paths, observed, missing, .. } = self.clone();
        let model = NeuralFractionalSde::new(drift, diffusion, orders).unwrap();
        let windows = windows(7, every, observed, missing);
        SdeFit::new(model, self.solving(every), windows, loss, paths).unwrap()
    }

    fn fit<T: Scalar>(&self) -> SdeFit<T>
    where
        Network: Layer<T>,
    {
        self.fit_of(3)
    }

    fn parameters(&self) -> Vec<f64> {
        let fit = self.fit::<f64>();
        // Scales of normalisations are near 1, as they are when a training begins.
        let of_block = |block: hpfracc_nn::Block| {
            let start = if block.name.ends_with("scale") { 1.0 } else { 0.0 };
            (0..block.len()).map(move |i| start + 0.4 * number(i + 3 * block.name.len()))
        };
        fit.blocks().into_iter().flat_map(of_block).collect()
    }

    /// Loss and gradient on the device, in tiles of some samples, are those of the CPU in single and double precision.
    fn check(&self, gpu: &Gpu, name: &str, samples: usize) {
        let exact = self.parameters();
        let theta: Vec<f32> = exact.iter().map(|x| *x as f32).collect();
        let chosen = [3, 0, 6, 5, 1];
        let batch = Batch { scale: 4.0, ..Batch::new(&chosen, 11 << 33) };
        let on_gpu = GpuSdeFit::new(gpu, self.fit(), samples).unwrap();
        let mut found = vec![f32::NAN; theta.len()];
        let loss = on_gpu.gradient(&theta, batch, &mut found).unwrap();
        assert_eq!((on_gpu.failure(), on_gpu.recomputed()), (None, 0), "{name}");
        let mut single = vec![f32::NAN; theta.len()];
        let of_single = self.fit().gradient(&theta, batch, &mut single).unwrap();
        let mut double = vec![f64::NAN; theta.len()];
        let of_double = self.fit().gradient(&exact, batch, &mut double).unwrap();
        for (precision, expected) in [("single", of_single), ("double", of_double)] {
            let bound = 2e-6 * expected.abs().max(0.1);
            assert!((loss - expected).abs() < bound, "{name}, {precision}: {loss} {expected}");
        }
        let single: Vec<f64> = single.iter().map(|x| f64::from(*x)).collect();
        for (precision, expected) in [("single", single), ("double", double)] {
            let scale = expected.iter().fold(1e-3f64, |a, b| a.max(b.abs()));
            for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let error = (f64::from(*found) - expected).abs();
                assert!(
                    error < 1e-5 * scale,
                    "{name}, {precision}, parameter {i}: {found} {expected} of {scale}"
                );
            }
        }
        // Neither a second call nor other spans change a bit, and the loss alone is the same.
        let on_gpu = on_gpu.in_spans_of(5);
        let mut again = vec![f32::NAN; theta.len()];
        assert_eq!(on_gpu.gradient(&theta, batch, &mut again).unwrap(), loss, "{name}");
        assert_eq!(again, found, "{name}");
        assert_eq!(on_gpu.loss(&theta, batch).unwrap(), loss, "{name}");
    }
}

fn square() -> PathLoss {
    PathLoss::Each(Loss::MeanSquare)
}

#[test]
fn deterministic_equations() {
    let Some(gpu) = device::gpu("deterministic_equations") else { return };
    let case = Case::new(perceptron(&[2, 9, 2]), Diffusion::None, square());
    case.check(&gpu, "plain", 7);
    Case { missing: true, ..case.clone() }.check(&gpu, "missing values", 2);
    Case { observed: 1, ..case.clone() }.check(&gpu, "one component", 3);
    let timed = Case { drift: perceptron(&[3, 9, 7, 2]), ..case.clone() };
    timed.check(&gpu, "with the time", 4);
    let layers = vec![
        Network::Dense(Dense::new(2, 6, Activation::Silu)),
        Network::LayerNorm(LayerNorm::new(6).unwrap()),
        Network::Dense(Dense::new(6, 2, Activation::Identity)),
    ];
    let inner = Network::Sequential(Sequential::new(layers).unwrap());
    let drift = Network::Residual(Box::new(Residual::new(inner).unwrap()));
    Case { drift, ..case }.check(&gpu, "residual and normalised", 3);
}

#[test]
fn diffusions() {
    let Some(gpu) = device::gpu("diffusions") else { return };
    let drift = || perceptron(&[2, 8, 2]);
    let diagonal = |inputs, floor| {
        let network = perceptron(&[inputs, 6, 2]);
        Diffusion::Diagonal { network, floor }
    };
    let general = |inputs| Diffusion::General { network: perceptron(&[inputs, 5, 6]), noises: 3 };
    for (name, drift, diffusion) in [
        ("additive", drift(), Diffusion::Additive { start: 0.3 }),
        ("additive with the time", perceptron(&[3, 8, 2]), Diffusion::Additive { start: 0.3 }),
        ("diagonal", drift(), diagonal(2, None)),
        ("diagonal with a floor", drift(), diagonal(3, Some(0.1))),
        ("general", drift(), general(2)),
        ("general with the time", perceptron(&[3, 8, 2]), general(3)),
    ] {
        let case = Case { paths: 3, ..Case::new(drift, diffusion, square()) };
        case.check(&gpu, name, 2);
    }
}

#[test]
fn losses() {
    let Some(gpu) = device::gpu("losses") else { return };
    let each = |loss| (format!("{loss:?}"), PathLoss::Each(loss));
    let several = |loss| (format!("{loss:?}"), loss);
    for ((name, loss), missing) in [
        (each(Loss::MeanAbsolute), true),
        (each(Loss::Huber { delta: 0.4 }), true),
        (each(Loss::GaussianLikelihood { floor: 0.0 }), true),
        (each(Loss::GaussianLikelihood { floor: 0.7 }), false),
        (several(PathLoss::EnergyScore), true),
        (several(PathLoss::EnergyScore), false),
        (several(PathLoss::Moments), true),
        (several(PathLoss::EnergyDistance(Pairs::Distinct)), false),
        (several(PathLoss::MarginalEnergy(Pairs::All)), false),
    ] {
        let case = Case::new(perceptron(&[2, 8, 2]), Diffusion::Additive { start: 0.3 }, loss);
        let case = Case { paths: 4, missing, ..case };
        case.check(&gpu, &name, 2);
        Case { observed: 1, ..case }.check(&gpu, &format!("{name} of one component"), 5);
    }
}

#[test]
fn fractional_equations() {
    let Some(gpu) = device::gpu("fractional_equations") else { return };
    let none = Case::new(perceptron(&[2, 8, 2]), Diffusion::None, square());
    let diagonal = Diffusion::Diagonal { network: perceptron(&[2, 6, 2]), floor: Some(0.1) };
    let general = Diffusion::General { network: perceptron(&[3, 5, 4]), noises: 2 };
    let noisy = |diffusion| Case { diffusion, paths: 3, ..none.clone() };
    for (name, case) in
        [("no noise", none.clone()), ("diagonal", noisy(diagonal)), ("general", noisy(general))]
    {
        for memory in ["\"direct\"", "\"blocked\"", r#"{"exponentials": {"tolerance": 1e-6}}"#] {
            for orders in [vec![0.7], vec![0.6, 1.0]] {
                let name = format!("{name}, {memory}, {orders:?}");
                let orders = Orders::Fixed(orders);
                Case { orders, memory, ..case.clone() }.check(&gpu, &name, 3);
            }
        }
    }
}

#[test]
fn learned_orders() {
    let Some(gpu) = device::gpu("learned_orders") else { return };
    let none = Case::new(perceptron(&[2, 8, 2]), Diffusion::None, square());
    let diagonal = Diffusion::Diagonal { network: perceptron(&[2, 6, 2]), floor: Some(0.1) };
    let general = Diffusion::General { network: perceptron(&[3, 5, 4]), noises: 2 };
    let noisy = |diffusion, loss| Case { diffusion, loss, paths: 3, ..none.clone() };
    for (name, case, lower) in [
        ("no noise", none.clone(), 0.1),
        ("diagonal", noisy(diagonal, PathLoss::EnergyScore), 0.5),
        ("general", noisy(general, PathLoss::Moments), 0.5),
    ] {
        for each in [false, true] {
            let orders = Orders::Learned { lower, upper: 1.0, start: 0.8, each };
            for memory in ["\"direct\"", "\"blocked\""] {
                let name = format!("{name}, {memory}, {each}");
                let (orders, case) = (orders.clone(), case.clone());
                Case { orders, memory, ..case }.check(&gpu, &name, 3);
            }
        }
    }
}

/// An order that rounding puts on its bound 1 is one of an equation with memory still.
#[test]
fn learned_orders_at_their_bound() {
    let Some(gpu) = device::gpu("learned_orders_at_their_bound") else { return };
    let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: true };
    let case = Case::new(perceptron(&[2, 8, 2]), Diffusion::Additive { start: 0.3 }, square());
    let case = Case { orders, paths: 3, ..case };
    let (on_cpu, on_gpu) = (case.fit::<f32>(), GpuSdeFit::new(&gpu, case.fit(), 2).unwrap());
    let mut theta: Vec<f32> = case.parameters().iter().map(|x| *x as f32).collect();
    let batch = Batch::new(&[4, 2, 3], 0);
    let last = theta.len() - 1;
    theta[last] = 60.0;
    assert_eq!(on_cpu.model().order_values(&theta).unwrap()[1], 1.0);
    let mut gradients = [vec![f32::NAN; theta.len()], vec![f32::NAN; theta.len()]];
    let [of_cpu, of_gpu] = &mut gradients;
    let expected = on_cpu.gradient(&theta, batch, of_cpu).unwrap();
    let found = on_gpu.gradient(&theta, batch, of_gpu).unwrap();
    assert!((found - expected).abs() < 2e-6 * expected, "{found} {expected}");
    assert_eq!(on_gpu.recomputed(), 0);
    let scale = of_cpu.iter().fold(0f32, |a, b| a.max(b.abs()));
    for (found, expected) in of_gpu.iter().zip(&*of_cpu) {
        assert!((found - expected).abs() < 1e-5 * scale, "{found} {expected} of {scale}");
    }
    // One that is not finite has the error of the CPU.
    theta[last] = f32::NAN;
    let [expected, found] = [&on_cpu as &dyn Objective<f32>, &on_gpu]
        .map(|fit| fit.loss(&theta, batch).unwrap_err().to_string());
    assert_eq!(found, expected);
    assert_eq!(on_gpu.failure(), None);
}

/// Sums over more paths than one part has, of all kinds of sums.
#[test]
fn many_paths() {
    let Some(gpu) = device::gpu("many_paths") else { return };
    let layers = vec![
        Network::Dense(Dense::new(2, 6, Activation::Silu)),
        Network::LayerNorm(LayerNorm::new(6).unwrap()),
        Network::Dense(Dense::new(6, 2, Activation::Tanh)),
    ];
    let drift = Network::Sequential(Sequential::new(layers).unwrap());
    let loss = PathLoss::Each(Loss::GaussianLikelihood { floor: 0.1 });
    let case = Case::new(drift, Diffusion::Additive { start: 0.3 }, loss);
    Case { paths: 300, ..case }.check(&gpu, "many paths", 4);
}

/// The derivative along the gradient is that of the loss of the device.
#[test]
fn gradients_are_differences() {
    let Some(gpu) = device::gpu("gradients_are_differences") else { return };
    let diffusion = Diffusion::Diagonal { network: perceptron(&[2, 6, 2]), floor: Some(0.1) };
    let case = Case::new(perceptron(&[3, 8, 2]), diffusion, PathLoss::EnergyScore);
    let case = Case { paths: 4, orders: Orders::Fixed(vec![0.8]), ..case };
    let fit = GpuSdeFit::new(&gpu, case.fit(), 3).unwrap();
    let theta: Vec<f32> = case.parameters().iter().map(|x| *x as f32).collect();
    let batch = Batch::new(&[0, 2, 4, 1], 5);
    let mut gradient = vec![0.0; theta.len()];
    fit.gradient(&theta, batch, &mut gradient).unwrap();
    let norm = gradient.iter().map(|g| f64::from(*g).powi(2)).sum::<f64>().sqrt();
    let along = |by: f64| {
        let moved = theta.iter().zip(&gradient);
        let moved: Vec<f32> = moved.map(|(x, g)| x + (by / norm * f64::from(*g)) as f32).collect();
        fit.loss(&moved, batch).unwrap()
    };
    let step = 5e-3;
    let slope = (along(step) - along(-step)) / (2.0 * step);
    assert!((slope - norm).abs() < 1e-3 * norm, "{slope} {norm}");
}

fn settings() -> Training {
    Training {
        optimiser: Optimiser::Adam(Adam::default()),
        epochs: 4,
        batch: 3,
        seed: 1,
        ..Training::default()
    }
}

fn trained(fit: &dyn Objective<f32>) -> Vec<f32> {
    let go_on = |_: &Event<'_>| ControlFlow::Continue(());
    Trainer::new(fit, settings()).run(go_on).unwrap().parameters().to_vec()
}

#[test]
fn a_training_is_that_of_the_cpu() {
    let Some(gpu) = device::gpu("a_training") else { return };
    let diffusion = Diffusion::Additive { start: 0.2 };
    let case = Case::new(perceptron(&[2, 8, 2]), diffusion, PathLoss::EnergyScore);
    let case = Case { paths: 4, ..case };
    let (expected, found) =
        (trained(&case.fit()), trained(&GpuSdeFit::new(&gpu, case.fit(), 3).unwrap()));
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
}

#[test]
fn a_lost_device_is_replaced_by_the_cpu() {
    let Some(gpu) = device::gpu("a_lost_device") else { return };
    let case = Case::new(perceptron(&[2, 8, 2]), Diffusion::None, square());
    let on_gpu = GpuSdeFit::new(&gpu, case.fit(), 4).unwrap();
    let theta: Vec<f32> = case.parameters().iter().map(|x| *x as f32).collect();
    let batch = Batch::new(&[1, 2, 3], 0);
    on_gpu.loss(&theta, batch).unwrap();
    gpu.device().destroy();
    let mut gradient = vec![f32::NAN; theta.len()];
    let mut expected = gradient.clone();
    let loss = on_gpu.gradient(&theta, batch, &mut gradient).unwrap();
    assert_eq!(loss, case.fit().gradient(&theta, batch, &mut expected).unwrap());
    assert_eq!(gradient, expected);
    assert!(on_gpu.failure().unwrap().contains("lost"), "{:?}", on_gpu.failure());
}

/// A device that is lost in the middle of a training: the rest is computed on the CPU.
#[test]
fn a_training_survives_its_device() {
    let Some(gpu) = device::gpu("a_training_survives") else { return };
    let diffusion = Diffusion::Additive { start: 0.2 };
    let case = Case::new(perceptron(&[2, 8, 2]), diffusion, PathLoss::EnergyScore);
    let case = Case { paths: 4, ..case };
    let on_gpu = GpuSdeFit::new(&gpu, case.fit(), 3).unwrap();
    let lose = |event: &Event<'_>| {
        if matches!(event, Event::Step(step) if step.step == 4) {
            assert_eq!(on_gpu.failure(), None);
            gpu.device().destroy();
        }
        ControlFlow::Continue(())
    };
    let found = Trainer::new(&on_gpu, settings()).run(lose).unwrap();
    assert!(on_gpu.failure().is_some());
    assert_eq!(found.steps, 12);
    for (found, expected) in found.parameters().iter().zip(trained(&case.fit())) {
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
}

/// A parameter that is not finite has the error of the CPU, and the device is used afterwards.
#[test]
fn numbers_that_are_not_finite() {
    let Some(gpu) = device::gpu("numbers_that_are_not_finite") else { return };
    for loss in [square(), PathLoss::EnergyScore, PathLoss::Moments] {
        // The second component is not observed.
        let case = Case::new(perceptron(&[2, 8, 2]), Diffusion::Additive { start: 0.3 }, loss);
        let case = Case { paths: 2, observed: 1, ..case };
        let (on_cpu, on_gpu) = (case.fit::<f32>(), GpuSdeFit::new(&gpu, case.fit(), 2).unwrap());
        let theta: Vec<f32> = case.parameters().iter().map(|x| *x as f32).collect();
        let batch = Batch::new(&[4, 2, 3], 0);
        for (place, value) in [(3, f32::NAN), (41, f32::INFINITY), (43, f32::INFINITY)] {
            let mut broken = theta.clone();
            broken[place] = value;
            let mut gradient = vec![0.0; theta.len()];
            let expected = on_cpu.gradient(&broken, batch, &mut gradient).unwrap_err();
            let found = on_gpu.gradient(&broken, batch, &mut gradient).unwrap_err();
            assert_eq!(found.to_string(), expected.to_string());
            let pass = Pass::Evaluate;
            assert_eq!(on_gpu.culprit(&broken, batch, pass), on_cpu.culprit(&broken, batch, pass));
        }
        assert_eq!((on_gpu.failure(), on_gpu.recomputed()), (None, 3));
        assert!(on_gpu.loss(&theta, batch).is_ok());
        assert_eq!(on_gpu.recomputed(), 3);
    }
}

#[test]
fn bad_input() {
    let Some(gpu) = device::gpu("bad_input") else { return };
    let refused = |case: &Case, text: &str| {
        let error = GpuSdeFit::new(&gpu, case.fit(), 2).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    };
    let case = Case::new(perceptron(&[2, 8, 2]), Diffusion::None, square());
    let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: false };
    refused(
        &Case { orders, memory: r#"{"exponentials": {"tolerance": 1e-6}}"#, ..case.clone() },
        "a learned order with a memory of exponentials is not computed on a GPU: their number",
    );
    let dropout = Network::Dropout(Dropout::new(2, 0.5, 1).unwrap());
    let layers = vec![dropout, perceptron(&[2, 2])];
    let drift = Network::Sequential(Sequential::new(layers).unwrap());
    refused(
        &Case { drift, ..case.clone() },
        "drift is not computed on a GPU: a layer is fractional",
    );
    let loss = PathLoss::Each(Loss::CrossEntropy);
    refused(&Case { loss, ..case.clone() }, "the loss is not computed on a GPU");
    let corrected = {
        let settings = r#"{"steps": 3, "drift": "predictor-corrector"}"#;
        let solving = serde_json::from_str::<SolverSettings>(settings).unwrap().over(4, 0.25);
        let orders = Orders::Fixed(vec![0.8]);
        let model = NeuralFractionalSde::new(case.drift.clone(), Diffusion::None, orders).unwrap();
        SdeFit::new(model, solving, windows(7, 3, 2, false), square(), 1).unwrap()
    };
    let error = GpuSdeFit::new(&gpu, corrected, 2).unwrap_err();
    assert!(error.to_string().starts_with("the corrected drift is not computed"), "{error}");

    let error = GpuSdeFit::new(&gpu, case.fit(), 0).unwrap_err();
    assert_eq!(error.to_string(), "the number of samples has the size 0, expected 1");
    for samples in [1 << 40, usize::MAX] {
        let error = GpuSdeFit::new(&gpu, case.fit(), samples).unwrap_err();
        assert!(matches!(error, GpuNetworkError::TooLarge { .. }), "{error}");
    }
    let fit = GpuSdeFit::new(&gpu, case.fit(), 2).unwrap();
    let error = fit.loss(&[0.0; 3], Batch::new(&[0], 0)).unwrap_err();
    assert!(error.to_string().contains("the list of parameters"), "{error}");
    let theta = vec![0.0; fit.parameters()];
    assert!(fit.loss(&theta, Batch::new(&[], 0)).is_err());
    assert!(fit.loss(&theta, Batch::new(&[7], 0)).is_err());
    let Some(gpu) = device::gpu("bad_input") else { return };
    gpu.limit_memory(MemoryLimit::Bytes(1)).unwrap();
    let error = GpuSdeFit::new(&gpu, case.fit(), 2).unwrap_err();
    assert!(matches!(error, GpuNetworkError::Gpu(_)), "{error}");
    assert_eq!(case.drift.outputs(), DIM);
}

/// Solves over many spans, and fits whose only node is the start.
#[test]
fn long_and_empty_solves() {
    let Some(gpu) = device::gpu("long_and_empty_solves") else { return };
    let case = Case::new(perceptron(&[3, 6, 2]), Diffusion::Additive { start: 0.3 }, square());
    let case = Case { paths: 2, ..case };
    let theta: Vec<f32> = case.parameters().iter().map(|x| *x as f32).collect();
    let batch = Batch::new(&[0, 3, 6], 3);
    let mut gradients = [vec![0.0; theta.len()], vec![0.0; theta.len()]];
    let fit = || case.fit_of::<f32>(200);
    let [of_cpu, of_gpu] = &mut gradients;
    let expected = fit().gradient(&theta, batch, of_cpu).unwrap();
    let found = GpuSdeFit::new(&gpu, fit(), 4).unwrap().gradient(&theta, batch, of_gpu).unwrap();
    assert!((found - expected).abs() < 1e-5 * expected, "{found} {expected}");
    let scale = of_cpu.iter().fold(0f32, |a, b| a.max(b.abs()));
    for (found, expected) in of_gpu.iter().zip(&*of_cpu) {
        assert!((found - expected).abs() < 2e-5 * scale, "{found} {expected} of {scale}");
    }

    let model =
        NeuralFractionalSde::new(perceptron(&[2, 2]), Diffusion::None, Orders::One).unwrap();
    let new = || {
        let starts = Array2::from_shape_fn((3, 2), |(i, j)| number(i + j) as f32);
        let windows = Windows::new(starts, &[0], Array3::zeros((3, 1, 2))).unwrap();
        SdeFit::new(model.clone(), Solving::new(1.0, 4), windows, square(), 1).unwrap()
    };
    let theta = vec![0.1; model.parameters()];
    let mut gradient = vec![f32::NAN; theta.len()];
    let batch = Batch::new(&[0, 1, 2], 0);
    let found = GpuSdeFit::new(&gpu, new(), 2).unwrap().gradient(&theta, batch, &mut gradient);
    let expected = new().loss(&theta, batch).unwrap();
    assert!((found.unwrap() - expected).abs() < 1e-6 * expected);
    assert!(gradient.iter().all(|slope| *slope == 0.0), "{gradient:?}");
}
