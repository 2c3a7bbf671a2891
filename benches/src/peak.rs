//! Peak rate of fused multiply-adds on one core, with operands in registers.

use crate::measure::Time;
use pulp::{Arch, Simd, WithSimd};
use std::hint::black_box;

/// Independent chains of products: more than the latency of four cycles times two products started
/// per cycle.
const CHAINS: usize = 12;

const STEPS: usize = 1000;

/// Products per lane in one call of [`double`].
pub(crate) const DOUBLE: usize = CHAINS * STEPS;

/// Products in double precision.
pub(crate) fn double() {
    black_box(Arch::new().dispatch(Chains));
}

/// Products per second, from the time of one call and its products per lane.
pub(crate) fn rate(time: &Time, products: usize) -> f64 {
    (products * Arch::new().dispatch(Lanes)) as f64 / time.least
}

/// Time of a number of products, from the time of one call of [`double`].
pub(crate) fn time_of(time: &Time, products: f64) -> Time {
    time.scaled(products / (DOUBLE * Arch::new().dispatch(Lanes)) as f64)
}

struct Lanes;

impl WithSimd for Lanes {
    type Output = usize;
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F64_LANES
    }
}

struct Chains;

impl WithSimd for Chains {
    type Output = f64;
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let (factor, term) = (simd.splat_f64s(black_box(0.999)), simd.splat_f64s(black_box(0.001)));
        // Equal chains would be merged by the compiler.
        let starts: [f64; CHAINS] = black_box(std::array::from_fn(|chain| chain as f64));
        let mut sums = [term; CHAINS];
        for (sum, start) in sums.iter_mut().zip(starts) {
            *sum = simd.splat_f64s(start);
        }
        for _ in 0..STEPS {
            for sum in &mut sums {
                *sum = simd.mul_add_e_f64s(*sum, factor, term);
            }
        }
        let mut total = sums[0];
        for sum in &sums[1..] {
            total = simd.add_f64s(total, *sum);
        }
        simd.reduce_sum_f64s(total)
    }
}
