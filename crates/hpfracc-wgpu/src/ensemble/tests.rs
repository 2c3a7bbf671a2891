//! Bits of the functions of generated shaders against those of the CPU.

use crate::Gpu;
use crate::device::tests::gpu;
use hpfracc_equation::wgsl::{Capabilities, Library, NumberFormat, Rounding, ShaderFunction};
use hpfracc_equation::{Binary, Graph, Id, Input, Unary, Values, evaluate};
use hpfracc_lanes::random::{Gaussian, Philox};

/// Numbers of all magnitudes, with those at which functions change.
fn numbers() -> Vec<f32> {
    let special = [
        0.0, -0.0, 1.0, -1.0, 0.5, 0.85, 6.0, 9.5, 88.7, 89.0, 104.0, 1e5, 1.1e5, -3e7, 1e20, 3e38,
    ];
    let spread = |i: usize| {
        let [a, b, ..] = Philox::new(5).block([i as u32, 0, 0, 0]);
        let size = (b as f64 / 2f64.powi(32) * 2.0 - 1.0) as f32;
        match a % 4 {
            0 => size * 10f32.powi((a / 4 % 40) as i32 - 20),
            1 => size * 100.0,
            2 => size * 3.0,
            _ => size * 1e6,
        }
    };
    special.into_iter().chain((0..1 << 16).map(spread)).collect()
}

fn values(gpu: &Gpu, device: Capabilities, function: &ShaderFunction, x: &[f32]) -> Vec<f32> {
    let main = format!(
        "@group(0) @binding(0) var<storage, read> x: array<real>;\n\
         @group(0) @binding(1) var<storage, read_write> y: array<real>;\n\
         @group(0) @binding(2) var<storage, read> f_steady: array<real>;\n\
         @group(0) @binding(3) var<storage, read> f_timed: array<real>;\n\
         @group(0) @binding(4) var<uniform> zero: vec4<u32>;\n\
         fn unknown_zero() -> u32 {{ return zero.x; }}\n\
         {}\n\
         @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n\
         if id.x < {}u {{ y[id.x] = f(0u, x[id.x]).r0; }}\n}}\n",
        function.text(NumberFormat::Single),
        x.len()
    );
    let source =
        Library::new(NumberFormat::Single, device, Rounding::Guarded).needed_by(&main) + &main;
    let pipeline = gpu.pipeline(&source, "main").unwrap();
    let (none, zero) = (gpu.upload(&[0.0f32]).unwrap(), gpu.uniform([0; 4]));
    let mut y = vec![0.0f32; x.len()];
    gpu.block_on(gpu.call(x, &mut y, |pass, [input, output]| {
        let buffers = [input, output, none.buffer(), none.buffer(), &zero];
        gpu.dispatch(pass, &pipeline, &buffers, [x.len().div_ceil(64) as u32, 1]);
    }))
    .unwrap();
    y
}

fn function(build: impl FnOnce(&mut Graph, Id) -> Id) -> (Graph, Id, ShaderFunction) {
    let mut graph = Graph::new();
    let x = graph.variable(0);
    let root = build(&mut graph, x);
    let names = ["x".to_owned()];
    let function = ShaderFunction::new("f", &graph, &[root], (&[Input::Row(0)], &names)).unwrap();
    (graph, root, function)
}

#[test]
fn elementary_functions_have_the_bits_of_the_cpu() {
    let Some(gpu) = gpu("elementary functions of shaders") else { return };
    let (device, x) = (gpu.shader_capabilities(NumberFormat::Single).unwrap(), numbers());
    println!("{device:?}");
    let mut failed = false;
    for operation in Unary::ALL {
        if matches!(operation, Unary::Gamma | Unary::Digamma | Unary::Trigamma) {
            continue;
        }
        let (graph, root, function) = function(|graph, x| graph.unary(*operation, x));
        let (mut differ, mut worst, mut first) = (0, 0, None);
        for (x, y) in x.iter().zip(values(&gpu, device, &function, &x)) {
            let expected = evaluate::<f32>(&graph, &[root], &[Values::Path(*x)])[0];
            // Devices may take subnormal numbers for zeros.
            let tiny = |value: f32| value.abs() < f32::MIN_POSITIVE;
            let same = y.to_bits() == expected.to_bits() || (y.is_nan() && expected.is_nan());
            if !(same || tiny(y) && tiny(expected)) {
                differ += 1;
                let distance = i64::from(y.to_bits() as i32) - i64::from(expected.to_bits() as i32);
                worst = worst.max(distance.abs());
                first.get_or_insert((*x, y, expected));
            }
        }
        println!(
            "{operation:?}: {differ} of {} differ, by at most {worst} bits {first:?}",
            x.len()
        );
        failed |= differ > 0;
    }
    assert!(!failed);
}

/// Powers are rounded once, from sums of two numbers in place of double precision.
#[test]
fn powers_have_the_bits_of_the_cpu_but_for_few() {
    let Some(gpu) = gpu("powers of shaders") else { return };
    let (device, x) = (gpu.shader_capabilities(NumberFormat::Single).unwrap(), numbers());
    for y in [1.7, -0.3, 12.5, 3.0, -2.0, 0.0, 1e-3, 80.25] {
        let (graph, root, function) = function(|graph, x| {
            let y = graph.constant(y);
            graph.binary(Binary::Power, x, y)
        });
        let (mut differ, mut worst, mut first) = (0, 0, None);
        for (x, found) in x.iter().zip(values(&gpu, device, &function, &x)) {
            let expected = evaluate::<f32>(&graph, &[root], &[Values::Path(*x)])[0];
            let tiny = |value: f32| value.abs() < f32::MIN_POSITIVE;
            let same = found == expected || (found.is_nan() && expected.is_nan());
            if !(same || tiny(found) && tiny(expected)) {
                differ += 1;
                first.get_or_insert((*x, found, expected));
                let bits = |x: f32| i64::from(x.to_bits() as i32);
                worst = worst.max((bits(found) - bits(expected)).abs());
            }
        }
        println!("x^{y}: {differ} of {} differ, by at most {worst} bits {first:?}", x.len());
        assert!(differ <= 6 && worst <= 1, "x^{y}");
    }
}

#[test]
fn normals_have_the_bits_of_the_cpu() {
    let Some(gpu) = gpu("normals of shaders") else { return };
    let fused = gpu.shader_capabilities(NumberFormat::Single).unwrap().fused;
    let count = 1 << 16;
    for integers_of_64_bits in [false, gpu.has(wgpu::Features::SHADER_INT64)] {
        let main = "@group(0) @binding(0) var<storage, read> blocks: array<u32>;\n\
             @group(0) @binding(1) var<storage, read_write> y: array<quad>;\n\
             @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n\
             y[id.x] = normals_of_block(blocks[id.x], vec2<u32>(7u, 9u), 16777216u, vec2<u32>(3u, 4u));\n}\n\
             @group(0) @binding(2) var<uniform> zero: vec4<u32>;\n\
             fn unknown_zero() -> u32 { return zero.x; }\n";
        let device = Capabilities { fused, integers_of_64_bits };
        let source =
            Library::new(NumberFormat::Single, device, Rounding::Guarded).needed_by(main) + main;
        let pipeline = gpu.pipeline(&source, "main").unwrap();
        let blocks: Vec<u32> = (0..count).collect();
        let mut y = vec![0u32; 4 * count as usize];
        gpu.block_on(gpu.call(&blocks, &mut y, |pass, [input, output]| {
            let zero = gpu.uniform([0; 4]);
            gpu.dispatch(pass, &pipeline, &[input, output, &zero], [count / 64, 1]);
        }))
        .unwrap();
        let philox = Philox::new(3 | 4 << 32);
        for (block, y) in blocks.iter().zip(y.chunks_exact(4)) {
            let [a, b, c, d] = philox.block([*block, 7, 9, 1 << 24]);
            let (first, second) = (f32::pair(a, b), f32::pair(c, d));
            let expected = [first.0, first.1, second.0, second.1].map(f32::to_bits);
            assert_eq!(y, expected, "block {block}");
        }
    }
}
