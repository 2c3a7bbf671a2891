//! What is minimised, and how parameters follow: losses against differences, optimisers against
//! loops written from the formulas.

mod distributions;
mod extremes;
mod loss_scale;
mod losses;
mod optimisers;
mod schedules;
mod states;

/// Numbers between -1 and 1 without pattern, on a lattice: no difference of two is so near to zero
/// or to a kink of a loss that steps of `slopes` would go over it, unless it is there exactly.
fn number(i: usize) -> f64 {
    let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed >> 33) % 1009) as f64 / 504.5 - 1.0
}

fn numbers(first: usize, n: usize) -> Vec<f64> {
    (first..first + n).map(number).collect()
}

/// The gradient of a function by differences of fourth order.
fn slopes(x: &[f64], mut f: impl FnMut(&[f64]) -> f64) -> Vec<f64> {
    let h = 1e-4;
    let mut moved = x.to_vec();
    (0..x.len())
        .map(|i| {
            let mut at = |d: f64| {
                moved[i] = x[i] + d;
                let value = f(&moved);
                moved[i] = x[i];
                value
            };
            (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
        })
        .collect()
}

/// Both are the same but for `tolerance` of the largest.
fn near(name: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{name}");
    let scale = expected.iter().fold(0.1f64, |a, b| a.max(b.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{name} {i}: {a} {b}");
    }
}
