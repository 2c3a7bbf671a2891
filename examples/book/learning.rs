//! Programs of the chapter "Learning from data": `cargo run --example book_learning`.

use hpfracc::nn::{Network, Shape};
// ANCHOR: uses
use hpfracc::ode::{Differentiable, Parametric, Variation, tangent};
// ANCHOR_END: uses
use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    let alpha = order_of_an_operator()?;
    println!("order of the operator: {alpha:.9}");
    let [alpha, theta] = order_of_an_equation()?;
    println!("order and rate of the equation: {alpha:.6}, {theta:.6}");
    println!("parameters of a network: {}", network()?.parameters());
    println!("parameters of a transformer: {}", transformer()?);
    let [first, last] = neural_equation()?;
    println!("energy score of a neural equation: {first:.4}, then {last:.4}");
    Ok(())
}

fn network() -> Outcome<Network> {
    // ANCHOR: network
    use hpfracc::nn::{
        Activation, Dense, FractionalDerivative, FractionalScheme, LayerOrder, Network, Sequential,
        Shape,
    };

    // Two channels of 50 samples, dt = 0.1: a derivative of learned order, then a dense layer.
    let order = LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.5 };
    let scheme = FractionalScheme::GrunwaldLetnikov;
    let derivative = FractionalDerivative::new(2, 50, 0.1, scheme, order)?;
    let network = Network::Sequential(Sequential::new(vec![
        Network::FractionalDerivative(derivative),
        Network::Dense(Dense::new(100, 3, Activation::Tanh)),
    ])?);
    let names: Vec<String> = network.blocks().into_iter().map(|block| block.name).collect();
    assert_eq!(names, ["0.order", "1.weight", "1.bias"]);
    // ANCHOR_END: network
    Ok(network)
}

fn transformer() -> Outcome<usize> {
    // ANCHOR: transformer
    use hpfracc::ndarray::{Array2, s};
    use hpfracc::nn::{Batch, Objective, Supervised, Targets, Transformer};

    // Texts of 16 characters out of 10, and the next character at each place.
    let texts = Array2::from_shape_fn((100, 17), |(i, j)| (i * j + j) % 10);
    let inputs = texts.slice(s![.., ..16]).mapv(|character| character as f32);
    let targets = Targets::ClassSeries(texts.slice(s![.., 1..]).to_owned());

    // 32 features, 4 heads, 2 blocks, 16 times; no place sees later ones.
    let network = Transformer::new(32, 4, 2, 16).causal().classes(10)?;
    let objective = Supervised::new(network, inputs, targets)?;
    let mut theta = vec![0.0; objective.parameters()];
    objective.initialise(1, &mut theta);
    let mut gradient = vec![0.0; theta.len()];
    let loss = objective.gradient(&theta, Batch::new(&[0, 1, 2], 0), &mut gradient)?;
    assert!(loss > 1.0);
    // ANCHOR_END: transformer
    #[cfg(feature = "gpu")]
    on_a_gpu()?;
    Ok(theta.len())
}

#[cfg(feature = "gpu")]
fn on_a_gpu() -> Outcome<()> {
    if hpfracc::gpu::Gpu::new().is_err() {
        return Ok(());
    }
    // ANCHOR: transformer_on_gpu
    use hpfracc::gpu::{Gpu, GpuSupervised};
    use hpfracc::ndarray::Array2;
    use hpfracc::nn::{Batch, Loss, Objective, Supervised, Targets, Transformer};

    // Series of 16 numbers, and their running sums.
    let inputs = Array2::from_shape_fn((100, 16), |(i, j)| ((i * j) % 7) as f32 / 7.0);
    let mut sums = inputs.clone();
    sums.accumulate_axis_inplace(hpfracc::ndarray::Axis(1), |sum, x| *x += sum);
    let network = Transformer::new(32, 4, 2, 16).causal().series(1, 1)?;
    let objective = Supervised::new(network, inputs, Targets::Values(sums, Loss::MeanSquare))?;

    let objective = GpuSupervised::new(&Gpu::new()?, objective, 32)?; // in tiles of 32 series
    let mut theta = vec![0.0; objective.parameters()];
    objective.initialise(1, &mut theta);
    let loss = objective.loss(&theta, Batch::new(&[0, 1, 2], 0))?;
    assert!(loss > 0.0);
    // ANCHOR_END: transformer_on_gpu
    Ok(())
}

fn neural_equation() -> Outcome<[f64; 2]> {
    // A run of another version may have left its checkpoints.
    let folder = std::env::temp_dir().join("hpfracc-book-learning");
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    // ANCHOR: neural
    use hpfracc::nn::models::{
        Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
    };
    use hpfracc::nn::trainer::{Event, RunFolder, Trainer, Training};
    use hpfracc::nn::{Activation, Network, Schedule};
    use std::ops::ControlFlow;

    // D^alpha X = f(X) + g(X) dW/dt: f and g are networks, alpha is learned.
    let f = Network::perceptron(&[2, 16, 2], Activation::Tanh)?;
    let g = Network::perceptron(&[2, 8, 2], Activation::Tanh)?;
    let diffusion = Diffusion::Diagonal { network: g, floor: Some(0.01) };
    let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
    let model = NeuralFractionalSde::new(f, diffusion, orders)?;

    // 32 samples with their initial values, observed at steps 10 and 20; NaN marks a missing value.
    let starts = Array2::from_shape_fn((32, 2), |(i, j)| (i + 16 * j) as f32 / 32.0);
    let observed = Array3::from_shape_fn((32, 2, 2), |(i, k, j)| starts[[i, j]] * [0.6, 0.4][k]);
    let windows = Windows::new(starts, &[10, 20], observed)?;

    // Loss: energy score of 8 paths per sample against the observation.
    let fit = SdeFit::new(model, Solving::new(1.0, 20), windows, PathLoss::EnergyScore, 8)?;
    let schedule = Schedule::Constant(0.02);
    let settings = Training { epochs: 30, schedule, ..Training::default() };
    let mut losses = Vec::new();
    let folder = std::env::temp_dir().join("hpfracc-book-learning");
    let folder = Some(RunFolder::new(folder));
    let trainer = Trainer { folder, resume: true, ..Trainer::new(&fit, settings) };
    let trained = trainer.run(|event| {
        if let Event::Epoch(epoch) = event {
            losses.push(epoch.loss);
        }
        ControlFlow::Continue(())
    })?;
    let alpha = fit.model().order_values(trained.parameters())?[0];
    assert!(alpha > 0.5 && alpha < 1.0);
    // ANCHOR_END: neural
    let ends = [losses.first(), losses.last()].map(|loss| loss.copied().unwrap_or(f64::NAN));
    Ok(ends)
}

fn order_of_an_operator() -> Outcome<f64> {
    // ANCHOR: operator
    // A signal and its derivative of order 0.7, which is treated as unknown.
    let machine = Machine::detect();
    let grid = Grid::uniform(2000, 0.005)?;
    let signal: Array1<f64> = grid.points().map(|t| (3.0 * t).sin() + t).collect();
    let observed = Caputo::l1(Order::new(0.7)?)?.on(grid, &machine)?.apply(signal.view())?;

    // Derivative of the loss |A_alpha signal - observed|^2 / 2 with respect to alpha.
    let slope = |alpha: f64| -> Result<f64, OperatorError> {
        let operator = Caputo::l1(Order::new(alpha)?)?.on(grid, &machine)?;
        let residual = operator.apply(signal.view())? - &observed;
        operator.vjp_order(signal.view(), residual.view())
    };
    // Secant method for the zero of the derivative.
    let (mut before, mut alpha) = (0.5, 0.55);
    let mut slope_before = slope(before)?;
    for _ in 0..20 {
        let slope_here = slope(alpha)?;
        let step = slope_here * (alpha - before) / (slope_here - slope_before);
        (before, slope_before) = (alpha, slope_here);
        alpha -= step;
        if step.abs() < 1e-10 {
            break;
        }
    }
    assert!((alpha - 0.7).abs() < 1e-9);
    // ANCHOR_END: operator
    Ok(alpha)
}

// ANCHOR: model
/// `D^alpha y = -theta y`, y(0) = 1 on [0, 4], with its partial derivatives.
fn relaxation(alpha: f64, theta: f64) -> Result<Problem<impl Differentiable>, OdeError> {
    let system = Parametric::new(
        &[theta],
        |_t: f64, y: &[f64], theta: &[f64], dydt: &mut [f64]| dydt[0] = -theta[0] * y[0],
        |_t: f64, y: &[f64], theta: &[f64], f_y: &mut [f64], f_theta: &mut [f64]| {
            (f_y[0], f_theta[0]) = (-theta[0], -y[0]);
        },
    );
    Problem::of(system, &[alpha], (0.0, 4.0), &[&[1.0]])
}
// ANCHOR_END: model

fn order_of_an_equation() -> Outcome<[f64; 2]> {
    // ANCHOR: equation
    let (scheme, steps, options) = (ProductTrapezoid, Steps::Uniform(400), Options::default());
    let solved = |alpha, theta| -> Result<_, Box<dyn std::error::Error>> {
        let problem = relaxation(alpha, theta)?;
        let solution = solve(&problem, &scheme, &steps, Options::default())?;
        // Derivatives of all nodes with respect to the order and the rate.
        let mut directions = [Variation::zeros(&problem), Variation::zeros(&problem)];
        directions[0].orders[0] = 1.0;
        directions[1].parameters[0] = 1.0;
        let mut jacobian = Array2::zeros((solution.times().len(), 2));
        for (direction, mut column) in directions.iter().zip(jacobian.columns_mut()) {
            column.assign(&tangent(&problem, &scheme, &solution, direction, &options)?.column(0));
        }
        Ok((solution.states().column(0).to_owned(), jacobian))
    };

    let (observed, _) = solved(0.6, 1.5)?; // data of known order and rate
    let [mut alpha, mut theta] = [0.8, 1.0];
    for _ in 0..10 {
        let (y, jacobian) = solved(alpha, theta)?;
        // Gauss-Newton step: linear least squares with two unknowns.
        let (normal, right) = (jacobian.t().dot(&jacobian), jacobian.t().dot(&(&observed - &y)));
        let [a, b, d] = [normal[[0, 0]], normal[[0, 1]], normal[[1, 1]]];
        let determinant = a * d - b * b;
        alpha += (d * right[0] - b * right[1]) / determinant;
        theta += (a * right[1] - b * right[0]) / determinant;
    }
    assert!((alpha - 0.6).abs() < 1e-8 && (theta - 1.5).abs() < 1e-8);
    // ANCHOR_END: equation
    Ok([alpha, theta])
}

pictures::runs_with_the_tests!();
