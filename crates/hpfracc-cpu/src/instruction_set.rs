use hpfracc_lanes::Lanes;
use pulp::{Arch, Simd, WithSimd};
use std::marker::PhantomData;

/// The vector instructions that the kernels of this crate use on this processor.
///
/// Detected at run time: a program built for an old processor uses the instructions of the present
/// one. (`rustfft` and `gemm`, which compute transforms and matrix products, detect their own.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct InstructionSet {
    /// Their name, such as `AVX2 and FMA`.
    pub name: &'static str,
    /// Numbers in single precision that a register holds.
    pub f32_lanes: usize,
    /// Numbers in double precision that a register holds.
    pub f64_lanes: usize,
}

impl InstructionSet {
    /// The instruction set in use.
    ///
    /// ```
    /// let simd = hpfracc_cpu::InstructionSet::in_use();
    /// assert_eq!(simd.f32_lanes, if simd.f64_lanes == 1 { 1 } else { 2 * simd.f64_lanes });
    /// ```
    pub fn in_use() -> Self {
        let (f32_lanes, f64_lanes) = (lanes::<f32>(), lanes::<f64>());
        let name = match (f64_lanes, cfg!(target_arch = "x86_64") || cfg!(target_arch = "x86")) {
            (8, true) => "AVX-512",
            (4, true) => "AVX2 and FMA",
            (2, _) if cfg!(target_arch = "aarch64") => "NEON",
            (2, _) if cfg!(target_arch = "wasm32") => "SIMD128",
            _ => "scalar",
        };
        Self { name, f32_lanes, f64_lanes }
    }
}

/// Number of scalars in a register of this processor.
pub(crate) fn lanes<T: Lanes>() -> usize {
    Arch::new().dispatch(Count(PhantomData::<T>))
}

struct Count<T>(PhantomData<T>);

impl<T: Lanes> WithSimd for Count<T> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        T::count::<S>()
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_that_of_the_processor() {
        let f64_lanes = if is_x86_feature_detected!("avx512f") {
            8
        } else if is_x86_feature_detected!("avx2") {
            4
        } else {
            1
        };
        assert_eq!(InstructionSet::in_use().f64_lanes, f64_lanes);
    }
}
