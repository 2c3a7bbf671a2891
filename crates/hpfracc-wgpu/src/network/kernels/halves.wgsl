// Values and cotangents in half precision: their places have the highest bit. All sums are in single precision.

@group(0) @binding(5) var<storage, read_write> halves: array<f16>;
@group(0) @binding(6) var<storage, read_write> half_bars: array<f16>;

fn value_at(i: u32) -> f32 {
    if (i >= 0x80000000u) { return f32(halves[i & 0x7fffffffu]); }
    return values[i];
}

fn set_value_at(i: u32, x: f32) {
    if (i >= 0x80000000u) { halves[i & 0x7fffffffu] = f16(x); } else { values[i] = x; }
}

fn bar_at(i: u32) -> f32 {
    if (i >= 0x80000000u) { return f32(half_bars[i & 0x7fffffffu]); }
    return bars[i];
}

fn set_bar_at(i: u32, x: f32) {
    if (i >= 0x80000000u) { half_bars[i & 0x7fffffffu] = f16(x); } else { bars[i] = x; }
}
