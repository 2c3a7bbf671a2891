//! Generated shaders: each parses and validates without a device, and what has none is refused with its name.

use hpfracc_equation::wgsl::{
    Capabilities, Library, NumberFormat, Rounding, ShaderError, ShaderFunction, coefficients,
    coefficients_vjp,
};
use hpfracc_equation::{Affine, Binary, Equation, Graph, Id, Input, Unary, catalogue};
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
    let own = [arrays, function.text(format), main].concat();
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
        let noise = "@group(0) @binding(0) var<storage, read_write> values: array<BlockNormals>;\n\
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

    let mut graph = Graph::new();
    let x: Vec<Id> = (0..70).map(|k| graph.variable(k)).collect();
    let map = Affine::new(70, vec![0.5; 70 * 70], vec![0.0; 70]).unwrap();
    let roots = graph.affine(&map, &x);
    let inputs: Vec<Input> = (0..70).map(Input::Row).collect();
    let error = ShaderFunction::new("f", &graph, &roots, (&inputs, &[])).unwrap_err();
    assert_eq!(error, ShaderError::Network { weights: 4900, most: 4096 });
    let error = ShaderFunction::new("f", &graph, &roots, (&[], &[])).unwrap_err();
    assert!(matches!(error, ShaderError::Program(_)), "{error}");
}
