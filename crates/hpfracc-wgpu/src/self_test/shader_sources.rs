//! Validation of all generated shaders at sampled sizes, without a device: each parses, validates,
//! fits the limits of the device, and calls no function that is wrong in double precision.

use crate::causal_convolution::{FourStep, OnePass, Tile};
use crate::dense::source as product_source;
use crate::ensemble::{
    JumpSizes, NearNoise, NoiseRow, PathCorrector, PathEquation, PathFractional, PathJumps,
    PathMemory, PathNoise, PathScheme, PathStable, PathStops, SeriesShaders, SummaryRequest,
    TimeIntegrals, draw_source, source as ensemble_source, summary_sources,
};
use crate::precision::Precision;
use crate::recurrence::RecurrenceShader;
use crate::spectral_multiplier::{Grid, Trigonometric};
use crate::{DoubleFloat, F32, F64, fourier};
use hpfracc_backend::RealTransform;
use hpfracc_equation::wgsl::{
    Capabilities as ShaderCapabilities, NumberFormat, Rounding, ShaderFunction, WeightMemory,
    coefficients,
};
use hpfracc_equation::{Equation, Graph, Input};
use naga::proc::Layouter;
use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, Function, MathFunction, Module, Scalar, ScalarKind};
use wgpu::Limits;

/// The limits that WebGPU guarantees, and those of desktop devices.
fn devices() -> [Limits; 2] {
    let desktop = Limits {
        max_compute_workgroup_storage_size: 32 << 10,
        max_compute_invocations_per_workgroup: 1024,
        max_compute_workgroup_size_x: 1024,
        ..Limits::default()
    };
    [Limits::default(), desktop]
}

/// Functions that are correct in double precision (of GLSL.std.450, defined for 64 bits, and used
/// by the shaders).
const CORRECT_IN_F64: [MathFunction; 5] = [
    MathFunction::Abs,
    MathFunction::Floor,
    MathFunction::Fma,
    MathFunction::Ldexp,
    MathFunction::Sqrt,
];

/// The defect of a shader on such a device.
fn defect(source: &str, double: bool, limits: &Limits) -> Option<String> {
    let module = match naga::front::wgsl::parse_str(source) {
        Ok(module) => module,
        Err(error) => return Some(error.emit_to_string(source)),
    };
    let mut capabilities = Capabilities::empty();
    capabilities.set(Capabilities::FLOAT64 | Capabilities::SHADER_INT64, double);
    capabilities.set(Capabilities::SHADER_FLOAT16, source.starts_with("enable f16"));
    let info = match Validator::new(ValidationFlags::all(), capabilities).validate(&module) {
        Ok(info) => info,
        Err(error) => return Some(error.emit_to_string(source)),
    };
    let functions = module.functions.iter().map(|(handle, f)| (f, &info[handle]));
    let entries = module.entry_points.iter().enumerate();
    let entry_functions = entries.map(|(i, entry)| (&entry.function, info.get_entry_point(i)));
    if let Some(call) =
        functions.chain(entry_functions).find_map(|(f, i)| wrong_call(&module, f, i))
    {
        return Some(format!("it calls {call:?} in double precision"));
    }
    over_limit(&module, limits)
}

/// A called function that is wrong in double precision.
fn wrong_call(module: &Module, function: &Function, info: &FunctionInfo) -> Option<MathFunction> {
    function.expressions.iter().find_map(|(handle, expression)| match *expression {
        Expression::Math { fun, arg, .. } if !CORRECT_IN_F64.contains(&fun) => {
            let double = |handle: naga::Handle<Expression>| {
                info[handle].ty.inner_with(&module.types).scalar()
                    == Some(Scalar { kind: ScalarKind::Float, width: 8 })
            };
            (double(handle) || double(arg)).then_some(fun)
        }
        _ => None,
    })
}

fn over_limit(module: &Module, limits: &Limits) -> Option<String> {
    let mut layouter = Layouter::default();
    layouter.update(module.to_ctx()).expect("the module has been validated");
    let shared: u32 = module
        .global_variables
        .iter()
        .filter(|(_, variable)| variable.space == AddressSpace::WorkGroup)
        .map(|(_, variable)| layouter[variable.ty].size)
        .sum();
    let invocations = module.entry_points.iter().map(|e| e.workgroup_size[0]).max().unwrap_or(0);
    (shared > limits.max_compute_workgroup_storage_size
        || invocations > limits.max_compute_invocations_per_workgroup)
        .then(|| format!("it has {invocations} invocations and {shared} bytes for them"))
}

/// The shaders in one precision on one device, each with a description.
fn sources<P: Precision>(limits: &Limits) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let longest = fourier::longest::<P>(limits);
    for len in [1, 33, 64, 1000, longest] {
        all.push((format!("one pass of {len}"), OnePass::shader::<P>(limits, len).1));
    }
    for len in [longest + 1, 65_537, longest * longest] {
        for source in FourStep::shaders::<P>(limits, len, longest).sources {
            all.push((format!("four steps of {len}"), source));
        }
    }
    for lens in [[3, 5], [64, 100], [longest / 2, longest]] {
        for source in Grid::sources::<P>(limits, lens) {
            all.push((format!("array of {lens:?}"), source));
        }
    }
    for axes in [
        vec![(5, RealTransform::Dst2)],
        vec![(64, RealTransform::Hartley), (100, RealTransform::Dct4), (3, RealTransform::Dct2)],
        vec![(longest, RealTransform::Dct2), (longest / 2 - 1, RealTransform::Hartley)],
    ] {
        for source in Trigonometric::sources::<P>(limits, &axes) {
            all.push((format!("lines of {axes:?}"), source));
        }
    }
    for batch in [1, 5, 64] {
        all.push((format!("direct sums of {batch} signals"), Tile::new::<P>(batch).source::<P>()));
    }
    for (nodes, backward) in [(1, false), (3, true), (16, false), (100, false), (100, true)] {
        let source = RecurrenceShader::new::<P>(nodes, backward).source::<P>();
        all.push((format!("recurrence of {nodes} nodes, backward {backward}"), source));
    }
    for (outputs, batch) in [(100, 1), (64, 100), (100, 100)] {
        let source = product_source::<P>(outputs, batch);
        all.push((format!("product of {batch} signals to {outputs} outputs"), source));
    }
    all
}

/// Kernels of networks and of their losses.
#[cfg(feature = "networks")]
fn networks() -> Vec<(String, String)> {
    use hpfracc_nn::{
        Activation, Conv1d, Conv1dConfig, Dense, Dropout, FractionalDerivative, FractionalScheme,
        LayerNorm, LayerOrder, Network, Softmax, Transformer,
    };
    let dense = |activation| Network::Dense(Dense::new(3, 5, activation));
    let mut all = vec![
        Transformer::new(8, 2, 1, 4).causal().classes(7).expect("the sizes are valid"),
        Network::LayerNorm(LayerNorm::new(5).expect("the size is valid")),
        Network::Softmax(Softmax::new(5).expect("the size is valid")),
        Network::Dropout(Dropout::new(5, 0.5, 1).expect("the size is valid")),
        Network::Conv1d(Conv1d::new(Conv1dConfig::new(2, 9, 3, 4)).expect("the sizes are valid")),
    ];
    let order = LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.5 };
    let derivative = FractionalDerivative::new(2, 9, 0.1, FractionalScheme::CaputoL1, order);
    all.push(Network::FractionalDerivative(derivative.expect("the order is valid")));
    all.extend(
        [
            Activation::Relu,
            Activation::Tanh,
            Activation::Sigmoid,
            Activation::Softplus,
            Activation::Silu,
            Activation::Gelu,
            Activation::GeluTanh,
        ]
        .map(dense),
    );
    let devices = [(true, false), (false, false), (true, true)];
    let cases = all.iter().flat_map(|network| devices.map(|device| (network, device)));
    let sources = cases.flat_map(|(network, (fused, in_halves))| {
        let device = ShaderCapabilities { fused, integers_of_64_bits: false };
        let what = format!("{network:?}, in halves {in_halves}");
        let sources = crate::network::sources(network, device, in_halves);
        sources.into_iter().map(move |s| (what.clone(), s))
    });
    sources.collect()
}

/// Kernels of fits of neural differential equations.
#[cfg(feature = "networks")]
fn fits() -> Vec<(String, String)> {
    use hpfracc_nn::models::{
        Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
    };
    use hpfracc_nn::ndarray::{Array2, Array3};
    use hpfracc_nn::{Activation, Loss, Network};
    let network = |sizes: &[usize]| {
        Network::perceptron(sizes, Activation::Tanh).expect("the sizes are valid")
    };
    let gaussian = PathLoss::Each(Loss::GaussianLikelihood { floor: 0.1 });
    let floored = Diffusion::Diagonal { network: network(&[2, 2]), floor: Some(0.1) };
    let general = Diffusion::General { network: network(&[3, 4]), noises: 2 };
    let cases = [
        (Diffusion::None, PathLoss::Each(Loss::MeanSquare)),
        (Diffusion::Additive { start: 0.1 }, PathLoss::Each(Loss::Huber { delta: 1.0 })),
        (floored, gaussian),
        (general, PathLoss::EnergyScore),
    ];
    let of_case = |((diffusion, loss), fused): ((Diffusion, PathLoss), bool)| {
        let orders = Orders::Fixed(vec![0.8]);
        let model = NeuralFractionalSde::new(network(&[2, 4, 2]), diffusion, orders)
            .expect("the sizes are valid");
        let windows = Windows::new(Array2::zeros((2, 2)), &[2, 4], Array3::zeros((2, 2, 2)))
            .expect("the windows are valid");
        let fit =
            SdeFit::new(model, Solving::new(1.0, 4), windows, loss, 2).expect("the fit is valid");
        let device = ShaderCapabilities { fused, integers_of_64_bits: false };
        let what = format!("a fit by {loss:?}");
        crate::network::path_sources(&fit, device).into_iter().map(move |s| (what.clone(), s))
    };
    cases.into_iter().zip([true, false].into_iter().cycle()).flat_map(of_case).collect()
}

/// A noise of each kind.
fn jumps() -> Vec<PathNoise> {
    let sizes = [
        JumpSizes::Constant(1.0),
        JumpSizes::Normal { mean: 0.0, standard_deviation: 0.1 },
        JumpSizes::DoubleExponential { upward: 0.5, mean_up: 0.1, mean_down: 0.2 },
    ];
    let process = |distribution| {
        PathNoise::Jumps(PathJumps { times: 1, sizes: 2, survival: vec![9, 5, 1], distribution })
    };
    let stable = PathStable {
        stream: 3,
        e: -0.5,
        inverse_index: 1.0 / 1.5,
        k: 0.1,
        least: 1.4,
        scale: 0.1,
        shift: -0.2,
    };
    sizes.map(process).into_iter().chain([PathNoise::Stable(stable)]).collect()
}

/// Two events, of time and state.
fn stops() -> PathStops {
    let mut graph = Graph::new();
    let [t, x, y] = [0, 1, 2].map(|number| graph.variable(number));
    let roots = [graph.product(t, x), graph.product(x, y)];
    let inputs = [Input::Uniform(0), Input::Row(0), Input::Row(1)];
    let names = ["t", "x", "y"].map(str::to_owned);
    let functions = ShaderFunction::new("stops", &graph, &roots, (&inputs, &names));
    let functions = functions.expect("the events have a shader");
    PathStops { functions, directions: vec![[true, true], [false, true]] }
}

/// Paths of stochastic equations by each scheme, on devices with and without fused multiply-adds.
fn ensembles<P: Precision>() -> Vec<(String, String)> {
    let text = "dX = (sin(t) Y - tanh(X)) dt + 0.1 X dW; dY = -exp(X) dt + 0.2 cos(t) dV; V = brownian(); X(0) = 1; \
         Y(0) = 1";
    let equation = Equation::parse(text).expect("the equation is valid");
    let row = |noise| vec![NoiseRow { noise, diffusion: noise }];
    let near = NearNoise { sources: row(0), weights: vec![0.5; 3] };
    let memory = PathMemory {
        nearest: 0.5,
        exponentials: vec![[0.1, 0.2]; 16],
        near: vec![near],
        corrector: None,
    };
    // With exponentials in the buffer of states.
    let corrector = PathCorrector {
        newest: 0.1,
        nearest: 0.2,
        exponentials: vec![[0.1, 0.2]; 70],
        starts: vec![0.1; 4],
    };
    let corrected = PathMemory { corrector: Some(corrector), ..memory.clone() };
    let schemes = [
        PathScheme::EulerMaruyama,
        PathScheme::Milstein,
        PathScheme::Heun,
        PathScheme::FractionalEulerMaruyama(vec![Some(memory), None]),
        PathScheme::FractionalEulerMaruyama(vec![Some(corrected.clone()), Some(corrected)]),
        PathScheme::TamedEuler,
        PathScheme::Sra1,
        PathScheme::Sric2 { additive: false },
        PathScheme::Sriw1,
        PathScheme::ReversibleHeun,
    ];
    let mut all = Vec::new();
    for (scheme, fused) in schemes.into_iter().zip([true, false].into_iter().cycle()) {
        let integrals = matches!(scheme, PathScheme::Sra1 | PathScheme::Sriw1);
        let what = format!("ensemble by {scheme:?}");
        let single = P::FORMAT == NumberFormat::Single;
        let equation = PathEquation {
            coefficients: coefficients(&equation).expect("the equation has a shader"),
            parameters: vec![],
            dim: 2,
            streams: vec![1 << 24, 1 << 24 | 1],
            integrals: integrals
                .then(|| TimeIntegrals { factors: [0.1, 0.2], streams: vec![7, 8] }),
            fractional: vec![
                PathFractional { stream: 9, standard_deviations: vec![0.1; 5] };
                if integrals || !single { 0 } else { 2 }
            ],
            jumps: if fused && !integrals { jumps() } else { vec![] },
            correlation: fused.then(|| vec![vec![(0, 1.0)], vec![(0, 0.6), (1, 0.8)]]),
            noise: vec![row(0), row(1)],
            scheme,
            stops: (fused && single).then(stops),
        };
        let integers_of_64_bits = P::FORMAT == NumberFormat::Double;
        let device = ShaderCapabilities { fused, integers_of_64_bits };
        let rounding = if fused { Rounding::Free } else { Rounding::Guarded };
        let source =
            ensemble_source::<P>(&equation, (device, rounding), (64, WeightMemory::Workgroup));
        all.push((what, source));
        if !single {
            continue;
        }
        for (moments, digits) in [(true, None), (true, Some(7)), (false, Some(20))] {
            let request = SummaryRequest { shown: None, moments, digits, first_paths: 6 };
            let what = format!("summary of {request:?}");
            let sources = summary_sources(&request, 16, (device, rounding));
            all.extend(sources.map(|source| (what.clone(), source)));
        }
    }
    all
}

/// Increments of fractional Brownian motion: in one pass and in several, with and without a chirp.
fn fractional_increments(limits: &Limits) -> Vec<(String, String)> {
    let longest = fourier::longest::<F32>(limits);
    let mut all = vec![];
    for (fused, rounding) in [(true, Rounding::Free), (false, Rounding::Guarded)] {
        let device = ShaderCapabilities { fused, integers_of_64_bits: false };
        all.push(("coefficients".to_owned(), draw_source(device, rounding)));
    }
    for steps in [1, 16, 100, 1000, longest, longest + 1, 2 * longest, 1_000_000] {
        let sources = match SeriesShaders::new(limits, steps).expect("the series is short enough") {
            SeriesShaders::OnePass(_, source) => vec![source],
            SeriesShaders::Matrix(_, sources) => sources.into(),
        };
        all.extend(
            sources.into_iter().map(|source| (format!("increments of {steps} steps"), source)),
        );
    }
    assert!(SeriesShaders::new(limits, longest * longest + 1).is_none());
    all
}

fn check(scalar: &str, double: bool, limits: &Limits, sources: Vec<(String, String)>) {
    for (what, source) in sources {
        if let Some(defect) = defect(&source, double, limits) {
            panic!("{scalar}, {what}: {defect}");
        }
    }
}

#[test]
fn shaders_are_valid_and_fit_their_device() {
    for limits in devices() {
        check("f32", false, &limits, sources::<F32>(&limits));
        check("f64", true, &limits, sources::<F64>(&limits));
        check("df64", false, &limits, sources::<DoubleFloat>(&limits));
        #[cfg(feature = "networks")]
        check("f32", false, &limits, networks());
        #[cfg(feature = "networks")]
        check("f32", false, &limits, fits());
        check("f32", false, &limits, ensembles::<F32>());
        check("f64", true, &limits, ensembles::<F64>());
        check("df64", false, &limits, ensembles::<DoubleFloat>());
        check("f32", false, &limits, fractional_increments(&limits));
        for (what, double, source) in super::sources() {
            check(what, double, &limits, vec![("self-test".to_owned(), source)]);
        }
    }
}

#[test]
fn defects_of_a_shader_are_found() {
    let shader = |body: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> x: array<f64>;\n\
             var<workgroup> shared_x: array<f64, 3000>;\n\
             @compute @workgroup_size(64) fn main() {{ {body} }}\n"
        )
    };
    let [small, large] = devices();
    assert_eq!(defect(&shader("x[0] = abs(x[1]);"), true, &large), None);
    let found = |body, double, limits| defect(&shader(body), double, limits).unwrap_or_default();
    assert!(found("x[0] = exp(x[1]);", true, &large).contains("Exp"));
    assert!(found("x[0] = f64(f32(pow(x[1], x[2])));", true, &large).contains("Pow"));
    assert!(found("x[0] = abs(x[1]);", false, &large).contains("FLOAT64"));
    assert!(found("x[0] = ;", true, &large).contains("expected"));
    assert!(found("shared_x[0] = x[1];", true, &small).contains("24000 bytes"));
}
