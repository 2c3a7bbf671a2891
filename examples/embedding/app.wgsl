// The app's own drawing: ribbons along points, with soft edges. Two vertices for each point.
//
// Bindings: 0 points in pixels from the upper left corner, at least two; 1 how to draw them.

struct Style {
    colour: vec4<f32>,
    // Of the picture, in pixels.
    size: vec2<f32>,
    half_width: f32,
    unused: f32,
}

struct Corner {
    @builtin(position) position: vec4<f32>,
    // Pixels from the middle of the ribbon.
    @location(0) across: f32,
}

@group(0) @binding(0) var<storage, read> points: array<vec2<f32>>;
@group(0) @binding(1) var<uniform> style: Style;

@vertex
fn ribbon(@builtin(vertex_index) index: u32) -> Corner {
    let last = arrayLength(&points) - 1u;
    let here = index / 2u;
    let along = normalize(points[min(here + 1u, last)] - points[max(here, 1u) - 1u]);
    let across = select(-1.0, 1.0, index % 2u == 1u) * (style.half_width + 1.0);
    let at = points[here] + across * vec2<f32>(-along.y, along.x);
    let unit = 2.0 * at / style.size - 1.0;
    return Corner(vec4<f32>(unit.x, -unit.y, 0.0, 1.0), across);
}

@fragment
fn fill(corner: Corner) -> @location(0) vec4<f32> {
    let covered = clamp(style.half_width + 0.5 - abs(corner.across), 0.0, 1.0);
    return vec4<f32>(style.colour.rgb, style.colour.a * covered);
}
