//! The vector operations of the direct sums, for both scalar types and every instruction set.

use hpfracc_types::Real;
use pulp::Simd;

/// A scalar that fills SIMD registers.
pub(super) trait Lanes: Real {
    /// A register.
    type Vector<S: Simd>: Copy;

    /// Scalars in a register.
    fn count<S: Simd>() -> usize {
        size_of::<Self::Vector<S>>() / size_of::<Self>()
    }

    /// The value in every lane.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Vector<S>;

    /// A register from a slice of its length.
    fn load<S: Simd>(slice: &[Self]) -> Self::Vector<S>;

    /// The leading lanes into a slice of at most the register's length.
    fn store<S: Simd>(simd: S, slice: &mut [Self], vector: Self::Vector<S>);

    /// `a * b + c`, fused where the instruction set is, else rounded twice.
    fn fused<S: Simd>(
        simd: S,
        a: Self::Vector<S>,
        b: Self::Vector<S>,
        c: Self::Vector<S>,
    ) -> Self::Vector<S>;

    /// The value in lanes `first` and above, zero below.
    fn splat_from<S: Simd>(simd: S, value: Self, first: usize) -> Self::Vector<S>;
}

macro_rules! lanes {
    ($scalar:ident, $vector:ident, $splat:ident, $as_simd:ident, $store:ident, $mul_add:ident,
     $less_than:ident, $select:ident) => {
        impl Lanes for $scalar {
            type Vector<S: Simd> = S::$vector;

            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> Self::Vector<S> {
                simd.$splat(value)
            }

            #[inline(always)]
            fn load<S: Simd>(slice: &[Self]) -> Self::Vector<S> {
                S::$as_simd(slice).0[0]
            }

            #[inline(always)]
            fn store<S: Simd>(simd: S, slice: &mut [Self], vector: Self::Vector<S>) {
                simd.$store(slice, vector);
            }

            #[inline(always)]
            fn fused<S: Simd>(
                simd: S,
                a: Self::Vector<S>,
                b: Self::Vector<S>,
                c: Self::Vector<S>,
            ) -> Self::Vector<S> {
                simd.$mul_add(a, b, c)
            }

            #[inline(always)]
            fn splat_from<S: Simd>(simd: S, value: Self, first: usize) -> Self::Vector<S> {
                const LANE: [$scalar; 16] =
                    [0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.];
                let lane = Self::load::<S>(&LANE[..Self::count::<S>()]);
                let below = simd.$less_than(lane, simd.$splat(first as $scalar));
                simd.$select(below, simd.$splat(0.0), simd.$splat(value))
            }
        }
    };
}

lanes!(
    f32, f32s, splat_f32s, as_simd_f32s, partial_store_f32s, mul_add_e_f32s, less_than_f32s,
    select_f32s
);
lanes!(
    f64, f64s, splat_f64s, as_simd_f64s, partial_store_f64s, mul_add_e_f64s, less_than_f64s,
    select_f64s
);
