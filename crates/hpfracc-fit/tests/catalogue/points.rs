//! Points of parameters and uniform random numbers.

use hpfracc_fit::{CatalogueModel, Declared, Model};

/// Uniform random numbers (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2f64.powi(-53)
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Parameters inside of their bounds; with `edge` those with two finite bounds are next to the upper one.
pub(crate) fn random(model: &CatalogueModel, random: &mut Random, edge: bool) -> Vec<f64> {
    let pairs = model.parameters().iter().zip(model.example());
    let value = |(declared, example): (&Declared, f64)| {
        let (lower, upper) = (declared.lower, declared.upper);
        if lower.is_finite() && upper.is_finite() {
            // Lower orders stay below higher ones.
            let width = upper.min(1.0) - lower.max(-1.0);
            match (edge && lower >= 0.0, declared.name.as_str()) {
                (true, "beta") => lower + 0.1 * width,
                (true, _) => upper.min(1.0) - 1e-9,
                _ => random.between(lower.max(-1.0) + 0.03 * width, upper.min(1.5) - 0.03 * width),
            }
        } else if lower >= 0.0 {
            example * 10f64.powf(random.between(-0.7, 0.7))
        } else {
            example + random.between(-1.0, 1.0)
        }
    };
    pairs.map(value).collect()
}
