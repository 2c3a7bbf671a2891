//! Every shader that the crate can make, at sampled sizes, without a device: it parses, validates,
//! fits the limits that it was made for, and calls nothing that is wrong in double precision.

use crate::activation::{Activation, Elementary};
use crate::causal_convolution::{FourStep, OnePass, Tile};
use crate::fourier;
use crate::product;
use crate::recurrence::Shader;
use crate::scalar::{self, HighLow, ShaderScalar};
use crate::spectral_multiplier::Grid;
use naga::proc::Layouter;
use naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, Function, MathFunction, Module, Scalar, ScalarKind};
use wgpu::Limits;

/// The least that WebGPU promises, and what desktop devices have.
fn devices() -> [Limits; 2] {
    let desktop = Limits {
        max_compute_workgroup_storage_size: 32 << 10,
        max_compute_invocations_per_workgroup: 1024,
        max_compute_workgroup_size_x: 1024,
        ..Limits::default()
    };
    [Limits::default(), desktop]
}

/// Operations that a device with double precision must get right (those of GLSL.std.450 that are
/// defined for 64 bits and of which the shaders make use).
const RIGHT: [MathFunction; 5] = [
    MathFunction::Abs,
    MathFunction::Floor,
    MathFunction::Fma,
    MathFunction::Ldexp,
    MathFunction::Sqrt,
];

/// What is wrong with a shader on such a device.
fn defect(source: &str, double: bool, limits: &Limits) -> Option<String> {
    let module = match naga::front::wgsl::parse_str(source) {
        Ok(module) => module,
        Err(error) => return Some(error.emit_to_string(source)),
    };
    let capabilities = if double { Capabilities::FLOAT64 } else { Capabilities::empty() };
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

/// A function without a right answer in double precision.
fn wrong_call(module: &Module, function: &Function, info: &FunctionInfo) -> Option<MathFunction> {
    function.expressions.iter().find_map(|(handle, expression)| match *expression {
        Expression::Math { fun, arg, .. } if !RIGHT.contains(&fun) => {
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

/// Of one scalar type on one device, with what each computes.
fn sources<T: ShaderScalar>(limits: &Limits) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let longest = fourier::longest::<T>(limits);
    for len in [1, 33, 64, 1000, longest] {
        all.push((format!("one pass of {len}"), OnePass::<T>::shader(limits, len).1));
    }
    for len in [longest + 1, 65_537, longest * longest] {
        for source in FourStep::<T>::shaders(limits, len, longest).sources {
            all.push((format!("four steps of {len}"), source));
        }
    }
    for lens in [[3, 5], [64, 100], [longest / 2, longest]] {
        for source in Grid::<T>::sources(limits, lens) {
            all.push((format!("array of {lens:?}"), source));
        }
    }
    for batch in [1, 5, 64] {
        all.push((format!("direct sums of {batch} signals"), Tile::new::<T>(batch).source::<T>()));
    }
    for (nodes, backward) in [(1, false), (3, true), (16, false), (100, false), (100, true)] {
        let source = Shader::new::<T>(nodes, backward).source::<T>();
        all.push((format!("recurrence of {nodes} nodes, backward {backward}"), source));
    }
    for (outputs, batch) in [(100, 1), (64, 100), (100, 100)] {
        let source = product::source::<T>(outputs, batch, None);
        all.push((format!("product of {batch} signals to {outputs} outputs"), source));
    }
    all
}

fn layers<T: Elementary>() -> Vec<(String, String)> {
    let activations = [
        Activation::Identity,
        Activation::Relu,
        Activation::Tanh,
        Activation::Sigmoid,
        Activation::Softplus,
        Activation::Silu,
        Activation::Gelu,
    ];
    let source = |a: Activation| product::source::<T>(100, 100, Some(&a.source::<T>()));
    activations.map(|a| (format!("layer with {a:?}"), source(a))).into()
}

fn check(scalar: &str, double: bool, limits: &Limits, sources: Vec<(String, String)>) {
    for (what, source) in sources {
        if let Some(defect) = defect(&source, double, limits) {
            panic!("{scalar}, {what}: {defect}");
        }
    }
}

#[test]
fn every_shader_is_valid_fits_and_calls_nothing_that_is_wrong_in_double_precision() {
    for limits in devices() {
        check("f32", false, &limits, sources::<f32>(&limits));
        check("f64", true, &limits, sources::<f64>(&limits));
        check("df64", false, &limits, sources::<HighLow>(&limits));
        check("f32", false, &limits, layers::<f32>());
        check("f64", true, &limits, layers::<f64>());
        for (what, double, source) in scalar::self_tests() {
            check(what, double, &limits, vec![("self-test".to_owned(), source)]);
        }
    }
}

#[test]
fn what_is_wrong_in_a_shader_is_found() {
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
