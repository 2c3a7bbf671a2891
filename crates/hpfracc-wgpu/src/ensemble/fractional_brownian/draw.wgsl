// Coefficients of fractional Brownian motion on n steps, of paths side by side:
//
//   c_k = d_k (z_{2k} + i z_{2k+1}),  k = 0 .. n,   c_0 and c_n real
//
// with standard deviations d_k and the normals z of a path. Bindings: standard_deviations: n + 1 numbers; coefficients:
// a row of complex numbers for each k. Grid: workgroups of 64 paths, and blocks of two coefficients.

struct Series { steps: u32, stream: u32, seed_low: u32, seed_high: u32 }
struct Paths { count: u32, low: u32, high: u32, zero: u32 }

@group(0) @binding(0) var<storage, read> standard_deviations: array<f32>;
@group(0) @binding(1) var<storage, read_write> coefficients: array<vec2<f32>>;
@group(0) @binding(2) var<uniform> series: Series;
@group(0) @binding(3) var<uniform> paths: Paths;

fn unknown_zero() -> u32 {
    return paths.zero;
}

fn store(k: u32, lane: u32, normals: vec2<f32>) {
    if k > series.steps {
        return;
    }
    let d = standard_deviations[k];
    let is_real = k == 0u || k == series.steps;
    let c = vec2<f32>(rounded(d * normals.x), rounded(d * normals.y));
    coefficients[k * paths.count + lane] = vec2<f32>(c.x, select(c.y, 0.0, is_real));
}

@compute @workgroup_size(64)
fn draw(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let lane = id.x;
    if lane >= paths.count {
        return;
    }
    let low = paths.low + lane;
    let path = vec2<u32>(low, paths.high + select(0u, 1u, low < lane));
    let seed = vec2<u32>(series.seed_low, series.seed_high);
    for (var block = id.y; 2u * block <= series.steps; block += groups.y) {
        let normals = normals_of_block(block, path, series.stream, seed);
        store(2u * block, lane, normals.xy);
        store(2u * block + 1u, lane, normals.zw);
    }
}
