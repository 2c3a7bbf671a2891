//! The sequences of hpfracc-special with the vector instructions of the processor, each entry
//! mapped as it is written: another pass over a long sequence costs as much as its numbers.

use crate::Number;
use hpfracc_special as special;
use pulp::{Arch, Simd, WithSimd};

macro_rules! sequences {
    ($($(#[$doc:meta])* $function:ident, $write:ident;)*) => { $(
        $(#[$doc])*
        pub(crate) fn $function<N: Number>(b: N, n: usize, each: impl Fn(N) -> N) -> Vec<N> {
            let mut out = vec![N::constant(0.0); n];
            $write(b, &mut out, write(b, each));
            out
        }

        /// Writes entries from the values of the sequence and their derivatives in b.
        pub(crate) fn $write<N: Number>(b: N, out: &mut [N], write: impl Fn(&mut N, f64, f64)) {
            struct Pass<'a, N, W> {
                b: f64,
                out: &'a mut [N],
                write: W,
            }

            impl<N: Number, W: Fn(&mut N, f64, f64)> WithSimd for Pass<'_, N, W> {
                type Output = ();

                #[inline(always)]
                fn with_simd<S: Simd>(self, _: S) {
                    special::$write(self.b, self.out, N::HAS_DERIVATIVE, self.write);
                }
            }

            Arch::new().dispatch(Pass { b: b.value(), out, write });
        }
    )* };
}

sequences! {
    /// `each` of k^b, k = 0, 1, ..., n-1.
    powers, write_powers;
    /// `each` of (k+1)^b - k^b, k = 0, 1, ..., n-1.
    forward_differences_of_powers, write_forward_differences_of_powers;
    /// `each` of (k+1)^b - 2k^b + (k-1)^b, k = 0, 1, ..., n-1.
    second_differences_of_powers, write_second_differences_of_powers;
    /// `each` of (-1)^k C(b, k), k = 0, 1, ..., n-1.
    binomial_weights, write_binomial_weights;
}

/// Writes `each` of the entries of a sequence with the parameter b.
pub(crate) fn write<N: Number>(b: N, each: impl Fn(N) -> N) -> impl Fn(&mut N, f64, f64) {
    move |entry, value, derivative| *entry = each(b.function(value, derivative))
}
