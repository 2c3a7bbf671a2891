//! The inner loops, with the instructions that the machine has.

use num_complex::Complex64;
use pulp::{Arch, Simd, WithSimd};

/// The instruction set, found once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes(Arch);

impl Lanes {
    pub(super) fn new() -> Self {
        Self(Arch::new())
    }

    /// `sum a[i] b[i]`.
    #[inline]
    pub(super) fn dot(self, a: &[f64], b: &[f64]) -> f64 {
        self.0.dispatch(Dot { a, b })
    }

    /// `z[i] += factor * w[i]`.
    #[inline]
    pub(super) fn add_scaled(self, factor: f64, w: &[f64], z: &mut [f64]) {
        self.0.dispatch(AddScaled { factor, w, z });
    }

    /// `sum[i] += a[i] b[i]`.
    #[inline]
    pub(super) fn add_product(self, a: &[Complex64], b: &[Complex64], sum: &mut [Complex64]) {
        self.0.dispatch(AddProduct { a, b, sum });
    }

    /// `state[i] = decay[i] (state[i] + value)`.
    #[inline]
    pub(super) fn decay_sum(self, decay: &[f64], value: f64, state: &mut [f64]) {
        self.0.dispatch(DecaySum { decay, value, state });
    }

    /// `state[i] = decay[i] state[i] + other[i]`.
    #[inline]
    pub(super) fn decay_add(self, decay: &[f64], other: &[f64], state: &mut [f64]) {
        self.0.dispatch(DecayAdd { decay, other, state });
    }
}

struct Dot<'a> {
    a: &'a [f64],
    b: &'a [f64],
}

/// A fused product takes four cycles and two start in each.
const SUMS: usize = 8;

impl WithSimd for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let (a, a_rest) = S::as_simd_f64s(self.a);
        let (b, b_rest) = S::as_simd_f64s(self.b);
        let mut sums = [simd.splat_f64s(0.0); SUMS];
        let (a_chunks, b_chunks) = (a.chunks_exact(SUMS), b.chunks_exact(SUMS));
        let behind = a_chunks.remainder().iter().zip(b_chunks.remainder());
        for (a, b) in a_chunks.zip(b_chunks) {
            for i in 0..SUMS {
                sums[i] = simd.mul_add_e_f64s(a[i], b[i], sums[i]);
            }
        }
        for (sum, (a, b)) in sums.iter_mut().zip(behind) {
            *sum = simd.mul_add_e_f64s(*a, *b, *sum);
        }
        let mut width = SUMS / 2;
        while width > 0 {
            for i in 0..width {
                sums[i] = simd.add_f64s(sums[i], sums[i + width]);
            }
            width /= 2;
        }
        let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
        simd.reduce_sum_f64s(sums[0]) + rest
    }
}

struct AddScaled<'a> {
    factor: f64,
    w: &'a [f64],
    z: &'a mut [f64],
}

impl WithSimd for AddScaled<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (w, w_rest) = S::as_simd_f64s(self.w);
        let (z, z_rest) = S::as_mut_simd_f64s(self.z);
        let factor = simd.splat_f64s(self.factor);
        for (z, w) in z.iter_mut().zip(w) {
            *z = simd.mul_add_e_f64s(factor, *w, *z);
        }
        for (z, w) in z_rest.iter_mut().zip(w_rest) {
            *z += self.factor * w;
        }
    }
}

struct AddProduct<'a> {
    a: &'a [Complex64],
    b: &'a [Complex64],
    sum: &'a mut [Complex64],
}

impl WithSimd for AddProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (a, a_rest) = S::as_simd_c64s(self.a);
        let (b, b_rest) = S::as_simd_c64s(self.b);
        let (sum, sum_rest) = S::as_mut_simd_c64s(self.sum);
        for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
            *sum = simd.mul_add_e_c64s(*a, *b, *sum);
        }
        for ((sum, a), b) in sum_rest.iter_mut().zip(a_rest).zip(b_rest) {
            *sum += a * b;
        }
    }
}

struct DecaySum<'a> {
    decay: &'a [f64],
    value: f64,
    state: &'a mut [f64],
}

impl WithSimd for DecaySum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (decay, decay_rest) = S::as_simd_f64s(self.decay);
        let (state, state_rest) = S::as_mut_simd_f64s(self.state);
        let value = simd.splat_f64s(self.value);
        for (state, decay) in state.iter_mut().zip(decay) {
            *state = simd.mul_f64s(*decay, simd.add_f64s(*state, value));
        }
        for (state, decay) in state_rest.iter_mut().zip(decay_rest) {
            *state = decay * (*state + self.value);
        }
    }
}

struct DecayAdd<'a> {
    decay: &'a [f64],
    other: &'a [f64],
    state: &'a mut [f64],
}

impl WithSimd for DecayAdd<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (decay, decay_rest) = S::as_simd_f64s(self.decay);
        let (other, other_rest) = S::as_simd_f64s(self.other);
        let (state, state_rest) = S::as_mut_simd_f64s(self.state);
        for ((state, decay), other) in state.iter_mut().zip(decay).zip(other) {
            *state = simd.mul_add_e_f64s(*decay, *state, *other);
        }
        for ((state, decay), other) in state_rest.iter_mut().zip(decay_rest).zip(other_rest) {
            *state = decay * *state + other;
        }
    }
}
