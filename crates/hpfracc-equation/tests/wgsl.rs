//! Generated shaders: each parses and validates without a device, and what has none is refused with its name.

use hpfracc_equation::wgsl::{
    Capabilities, Library, NumberFormat, Rounding, ShaderError, ShaderFunction, WeightMemory,
    coefficients, coefficients_vjp,
};
use hpfracc_equation::{
    Activation, Affine, Binary, Equation, Graph, Id, Input, Network, Unary, catalogue, derive,
};
use naga::valid::{Capabilities as Features, ValidationFlags, Validator};

const DEVICES: [Capabilities; 4] = [
    Capabilities { fused: false, integers_of_64_bits: false },
    Capabilities { fused: false, integers_of_64_bits: true },
    Capabilities { fused: true, integers_of_64_bits: false },
    Capabilities { fused: true, integers_of_64_bits: true },
];

const NEVER: &str = "@group(0) @binding(3) var<uniform> zero: vec4<u32>;\nfn unknown_zero() -> u32 { return zero.x; }\n";

/// A shader that calls the functions of a text.
fn shader((format, library): (NumberFormat, &Library), function: &ShaderFunction) -> String {
    let (name, rows) = (function.name(), function.rows());
    let arguments: String = (0..rows).map(|k| format!(", values[{k}]")).collect();
    let arrays = format!(
        "@group(0) @binding(0) var<storage, read_write> values: array<real>;\n\
         @group(0) @binding(1) var<storage, read> {name}_steady: array<real>;\n\
         @group(0) @binding(2) var<storage, read> {name}_timed: array<real>;\n{NEVER}"
    );
    let main = format!(
        "@compute @workgroup_size(1) fn main() {{ values[0] = {name}(0u{arguments}).r0; }}\n"
    );
    let weights = function.weights_in(WeightMemory::Storage);
    let own = [arrays, weights, function.text(format), main].concat();
    library.needed_by(&own) + &own
}

fn validate(source: &str) {
    let module = naga::front::wgsl::parse_str(source);
    let module = module.unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let features = Features::SHADER_INT64 | Features::FLOAT64;
    let valid = Validator::new(ValidationFlags::all(), features).validate(&module);
    valid.unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
}

#[test]
fn every_function_is_valid() {
    let cases = NumberFormat::ALL.into_iter().flat_map(|format| DEVICES.map(|of| (format, of)));
    for (k, (format, device)) in cases.enumerate() {
        let rounding = if k % 2 == 0 { Rounding::Free } else { Rounding::Guarded };
        let library = &Library::new(format, device, rounding);
        for operation in Unary::ALL {
            let mut graph = Graph::new();
            let x = graph.variable(0);
            let root = graph.unary(*operation, x);
            let function =
                ShaderFunction::new("f", &graph, &[root], (&[Input::Row(0)], &["x".to_owned()]));
            match function {
                Ok(function) => validate(&shader((format, library), &function)),
                Err(ShaderError::Function { .. }) => {
                    assert!(matches!(operation, Unary::Gamma | Unary::Digamma | Unary::Trigamma));
                }
                Err(error) => panic!("{error}"),
            }
        }
        let mut graph = Graph::new();
        let x = graph.variable(0);
        let root = graph.binary(Binary::Power, x, x);
        let function = ShaderFunction::new("f", &graph, &[root], (&[Input::Row(0)], &[])).unwrap();
        validate(&shader((format, library), &function));
        let noise = "@group(0) @binding(0) var<storage, read_write> values: array<quad>;\n\
             @compute @workgroup_size(1) fn main() {\n\
             values[0] = normals_of_block(1u, vec2<u32>(2u, 3u), 4u, vec2<u32>(5u, 6u)); }\n";
        let noise = NEVER.to_owned() + noise;
        validate(&(library.needed_by(&noise) + &noise));
    }
}

#[test]
fn equations_of_the_catalogue_are_valid() {
    let (mut valid, mut refused) = (0, vec![]);
    let formats = NumberFormat::ALL.into_iter().cycle();
    for (entry, format) in catalogue::ENTRIES.iter().zip(formats) {
        let library = &Library::new(format, DEVICES[0], Rounding::Guarded);
        let equation = entry.equation().unwrap();
        match coefficients(&equation) {
            Ok(function) => {
                validate(&shader((format, library), &function));
                let vjp = coefficients_vjp(&equation).unwrap();
                validate(&shader((format, library), &vjp));
                valid += 1;
            }
            Err(ShaderError::Function { function, .. }) => refused.push(function),
            Err(error) => panic!("{}: {error}", entry.name),
        }
    }
    println!("{valid} valid, refused for {refused:?}");
    assert!(valid > 3 * refused.len());
}

#[test]
fn formulas_stand_beside_their_lines() {
    let text =
        "dX = -theta (X - mu) dt + sigma tanh(X) dW; theta = 1; mu = 0.5; sigma = 2; X(0) = 1";
    let function = coefficients(&Equation::parse(text).unwrap()).unwrap();
    let text = function.text(NumberFormat::Single);
    let lines =
        ["subtract(x0, coefficients_steady", "// X - mu", "// sigma * tanh(X)", "tanh_of(x0)"];
    for line in lines {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// Parameters and times meet the state as numbers rounded once from double precision.
#[test]
fn numbers_without_a_state_are_computed_on_the_host() {
    let text = "dX = (sin(omega t) - Gamma(omega) X) dt; omega = 3; X(0) = 1";
    let function = coefficients(&Equation::parse(text).unwrap()).unwrap();
    assert_eq!(function.uniform_values(), (1, 1));
    let uniforms = function.uniforms(&[0.0, 0.1, 100.0], &[3.0]);
    assert_eq!(uniforms.steady, [2.0]);
    let expected = [0.0, 0.3, 300.0].map(f64::sin);
    assert!(
        uniforms.timed.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-14),
        "{uniforms:?}"
    );
}

#[test]
fn what_has_no_shader_is_refused_by_name() {
    let refused = |text: &str| coefficients(&Equation::parse(text).unwrap()).unwrap_err();
    let error = refused("dX = Gamma(1 + X) dt + dW; X(0) = 1");
    assert!(error.to_string().starts_with("`Gamma(1 + X)` has no shader"), "{error}");

    let error = network_function(&[100, 100], Activation::Tanh, 0.5).unwrap_err();
    assert_eq!(error, ShaderError::Network { weights: 10_000, most: 8192 });
    let mut graph = Graph::new();
    let root = graph.variable(0);
    let error = ShaderFunction::new("f", &graph, &[root], (&[], &[])).unwrap_err();
    assert!(matches!(error, ShaderError::Program(_)), "{error}");
}

/// Network of these widths, the inputs first, all of whose weights are the same.
fn network(widths: &[usize], activation: Activation, weight: f64) -> Network {
    let layers = widths.windows(2).enumerate().map(|(k, pair)| {
        let (weights, bias) = (vec![weight; pair[0] * pair[1]], vec![0.1; pair[1]]);
        let last = k + 2 == widths.len();
        let activation = if last { Activation::Identity } else { activation };
        (Affine::new(pair[0], weights, bias).unwrap(), activation)
    });
    Network::new(layers.collect()).unwrap()
}

fn network_function(
    widths: &[usize],
    activation: Activation,
    weight: f64,
) -> Result<ShaderFunction, ShaderError> {
    let mut graph = Graph::new();
    let x: Vec<Id> = (0..widths[0]).map(|k| graph.variable(k as u32)).collect();
    let roots = graph.network(&network(widths, activation, weight), &x);
    let inputs: Vec<Input> = (0..widths[0]).map(Input::Row).collect();
    ShaderFunction::new("f", &graph, &roots, (&inputs, &[]))
}

/// Texts have the neurons of a hidden layer as a loop, in each pair of layers from the outputs on, and no weights.
#[test]
fn networks_are_loops_over_neurons() {
    let libraries =
        NumberFormat::ALL.map(|format| (format, Library::new(format, DEVICES[2], Rounding::Free)));
    let cases: [(&[usize], usize); 5] = [
        (&[3, 2], 0),
        (&[3, 8, 2], 1),
        (&[4, 64, 64, 4], 1),
        (&[4, 64, 64, 64, 4], 2),
        (&[1; 5], 0),
    ];
    for activation in Activation::ALL {
        for (widths, loops) in cases {
            let function = network_function(widths, activation, 0.5).unwrap();
            let text = function.text(NumberFormat::Single);
            assert_eq!(text.matches("for (").count(), loops, "{widths:?} {activation:?}");
            let other = network_function(widths, activation, 0.7).unwrap();
            assert_eq!(other.text(NumberFormat::Single), text);
            for (format, library) in &libraries {
                validate(&shader((*format, library), &function));
            }
            let weights: usize = widths.windows(2).map(|pair| pair[0] * pair[1]).sum();
            assert!(function.operations() >= weights, "{} {weights}", function.operations());
            assert_eq!(function.uniforms(&[], &[]).steady.len(), 4 * function.weight_vectors());
        }
    }
}

/// A neuron that something else needs is a value of its own, and so are all of its layer.
#[test]
fn neurons_that_are_used_elsewhere_are_values() {
    let format = NumberFormat::Single;
    let library = &Library::new(format, DEVICES[0], Rounding::Guarded);
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let network = network(&[1, 4, 1], Activation::Tanh, 0.5);
    let root = graph.network(&network, &[x])[0];
    let hidden = graph.network(&Network::new(network.layers()[..1].to_vec()).unwrap(), &[x]);
    let inputs = (&[Input::Row(0)][..], &[][..]);
    let alone = ShaderFunction::new("f", &graph, &[root], inputs).unwrap();
    assert_eq!(alone.text(format).matches("for (").count(), 1);
    let sum = graph.sum(root, hidden[2]);
    for roots in [&[root, hidden[1]][..], &[sum]] {
        let function = ShaderFunction::new("f", &graph, roots, inputs).unwrap();
        assert_eq!(function.text(format).matches("for (").count(), 0);
        validate(&shader((format, library), &function));
    }
    // So they are in derivatives, whose sweep back needs them.
    let seed = graph.constant(1.0);
    let slope = derive::reverse(&mut graph, &[(root, seed)], &[0]).unwrap();
    let function = ShaderFunction::new("f", &graph, &slope, inputs).unwrap();
    validate(&shader((format, library), &function));
}
