//! Sums over the nodes, in SIMD registers of arguments.
//!
//! ```text
//! Re a/(p-z)  = (x d + y)/n,                  d = Re p - z, n = d² + (Im p)²
//! Re a/(p-z)² = ((x d + 2y) d - x (Im p)²)/n²,   x = Re a, y = Im a Im p
//! ```

use super::block_size::Block;
use hpfracc_lanes::Lanes;
use hpfracc_lanes::pulp::Simd;

/// Numbers of a node and its mirror image that do not depend on z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Re p and (Im p)².
    real: f64,
    square: f64,
    /// Of a.
    plain: Numerator,
    /// Of -a ln s, for the derivatives with respect to α and β.
    log: Numerator,
}

/// x, y and -x (Im p)².
#[derive(Debug, Clone, Copy)]
struct Numerator {
    x: f64,
    y: f64,
    constant: f64,
}

impl Node {
    #[inline(always)]
    pub(super) fn new(pole: [f64; 2], weight: [f64; 2], by_beta: [f64; 2]) -> Self {
        let square = pole[1] * pole[1];
        let numerator =
            |a: [f64; 2]| Numerator { x: a[0], y: a[1] * pole[1], constant: -(a[0] * square) };
        Self { real: pole[0], square, plain: numerator(weight), log: numerator(by_beta) }
    }
}

impl Numerator {
    /// x d + y, the numerator of the simple fraction.
    #[inline(always)]
    fn simple<S: Simd>(self, simd: S, d: S::f64s) -> S::f64s {
        f64::fused_exact(simd, f64::splat(simd, self.x), d, f64::splat(simd, self.y))
    }

    /// (x d + 2y) d - x (Im p)², the numerator of the squared fraction.
    #[inline(always)]
    fn squared<S: Simd>(self, simd: S, simple: S::f64s, d: S::f64s) -> S::f64s {
        let slope = f64::sum(simd, simple, f64::splat(simd, self.y));
        f64::fused_exact(simd, slope, d, f64::splat(simd, self.constant))
    }
}

/// Arguments beyond are replaced by it: no square overflows, and values and derivatives there are
/// below 1e-148.
const FAR: f64 = 1e150;

/// Sums of a block of `count` arguments; derivatives where they are asked for.
#[inline(always)]
pub(super) fn node_sums<S: Simd, const Z: bool, const ALPHA: bool, const BETA: bool>(
    simd: S,
    nodes: &[Node],
    count: usize,
    z: &Block,
    sums: &mut [Block; 4],
) {
    let (z, _) = f64::registers::<S>(z);
    let [value, by_z, by_alpha, by_beta] = sums;
    let [(value, _), (by_z, _), (by_alpha, _), (by_beta, _)] =
        [value, by_z, by_alpha, by_beta].map(|sum| f64::registers_mut::<S>(sum));
    for i in 0..count.div_ceil(f64::count::<S>()) {
        // NaN stays.
        let z = <f64 as Lanes>::maximum(simd, f64::splat(simd, -FAR), z[i]);
        let z = <f64 as Lanes>::minimum(simd, f64::splat(simd, FAR), z);
        let mut sum = [f64::splat(simd, 0.0); 4];
        for node in nodes {
            let d = f64::difference(simd, f64::splat(simd, node.real), z);
            let norm = f64::fused_exact(simd, d, d, f64::splat(simd, node.square));
            let inverse = f64::quotient(simd, f64::splat(simd, 1.0), norm);
            let square = f64::product(simd, inverse, inverse);
            let simple = node.plain.simple(simd, d);
            sum[0] = f64::fused_exact(simd, simple, inverse, sum[0]);
            if Z {
                let squared = node.plain.squared(simd, simple, d);
                sum[1] = f64::fused_exact(simd, squared, square, sum[1]);
            }
            let simple = node.log.simple(simd, d);
            if ALPHA {
                let squared = node.log.squared(simd, simple, d);
                sum[2] = f64::fused_exact(simd, squared, square, sum[2]);
            }
            if BETA {
                sum[3] = f64::fused_exact(simd, simple, inverse, sum[3]);
            }
        }
        (value[i], by_z[i], by_beta[i]) = (sum[0], sum[1], sum[3]);
        by_alpha[i] = f64::product(simd, z, sum[2]);
    }
}
