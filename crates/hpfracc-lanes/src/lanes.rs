//! SIMD registers of both precisions on every instruction set.

use hpfracc_types::Real;
use num_complex::Complex;
use pulp::Simd;

/// A scalar that fills SIMD registers.
pub trait Lanes: Real {
    /// A SIMD register.
    type Vector<S: Simd>: Copy;

    /// A register of complex numbers.
    type ComplexVector<S: Simd>: Copy;

    /// Truth values of the lanes of a register.
    type Mask<S: Simd>: Copy;

    /// Number of lanes: scalars in a register.
    #[inline(always)]
    fn count<S: Simd>() -> usize {
        size_of::<Self::Vector<S>>() / size_of::<Self>()
    }

    /// The value in every lane.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Vector<S>;

    /// A register with the scalars of a slice of its length.
    fn load<S: Simd>(slice: &[Self]) -> Self::Vector<S>;

    /// A slice as registers, and the rest.
    fn registers<S: Simd>(slice: &[Self]) -> (&[Self::Vector<S>], &[Self]);

    /// The same to be written.
    fn registers_mut<S: Simd>(slice: &mut [Self]) -> (&mut [Self::Vector<S>], &mut [Self]);

    /// Complex numbers as registers of half as many, and the rest.
    fn complex_registers<S: Simd>(
        slice: &[Complex<Self>],
    ) -> (&[Self::ComplexVector<S>], &[Complex<Self>]);

    /// The same to be written.
    fn complex_registers_mut<S: Simd>(
        slice: &mut [Complex<Self>],
    ) -> (&mut [Self::ComplexVector<S>], &mut [Complex<Self>]);

    /// `a * b + c` of complex numbers, fused where the instruction set is.
    fn complex_fused<S: Simd>(
        simd: S,
        a: Self::ComplexVector<S>,
        b: Self::ComplexVector<S>,
        c: Self::ComplexVector<S>,
    ) -> Self::ComplexVector<S>;

    /// Writes the leading lanes to a slice of at most the register's length.
    fn store<S: Simd>(slice: &mut [Self], vector: Self::Vector<S>);

    /// `a + b`.
    fn sum<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;

    /// `a - b`.
    fn difference<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;

    /// `a * b`.
    fn product<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;

    /// `a / b`.
    fn quotient<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;

    /// Whether `a < b`: false where one is NaN.
    fn less<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Mask<S>;

    /// Whether `a <= b`: false where one is NaN.
    fn less_or_equal<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Mask<S>;

    /// Whether `a == b`: false where one is NaN.
    fn equal<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Mask<S>;

    /// `yes` where the mask is true, else `no`.
    fn select<S: Simd>(
        simd: S,
        mask: Self::Mask<S>,
        yes: Self::Vector<S>,
        no: Self::Vector<S>,
    ) -> Self::Vector<S>;

    /// `if a < b { a } else { b }`: b where one is NaN.
    #[inline(always)]
    fn minimum<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S> {
        Self::select(simd, Self::less(simd, a, b), a, b)
    }

    /// `if a > b { a } else { b }`: b where one is NaN.
    #[inline(always)]
    fn maximum<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S> {
        Self::select(simd, Self::less(simd, b, a), a, b)
    }

    /// `-a`: the sign bit is flipped.
    fn negated<S: Simd>(simd: S, a: Self::Vector<S>) -> Self::Vector<S>;

    /// `|a|`: the sign bit is cleared.
    fn absolute<S: Simd>(simd: S, a: Self::Vector<S>) -> Self::Vector<S>;

    /// Square root, correctly rounded; NaN of negative numbers.
    fn square_root<S: Simd>(simd: S, a: Self::Vector<S>) -> Self::Vector<S>;

    /// `a * b + c`, fused where the instruction set has it, else rounded twice.
    fn fused<S: Simd>(
        simd: S,
        a: Self::Vector<S>,
        b: Self::Vector<S>,
        c: Self::Vector<S>,
    ) -> Self::Vector<S>;

    /// `a * b + c` with one rounding: without an instruction for it a library call for each lane.
    fn fused_exact<S: Simd>(
        simd: S,
        a: Self::Vector<S>,
        b: Self::Vector<S>,
        c: Self::Vector<S>,
    ) -> Self::Vector<S>;

    /// `c - a * b`, fused where the instruction set has it, else rounded twice.
    fn fused_negative<S: Simd>(
        simd: S,
        a: Self::Vector<S>,
        b: Self::Vector<S>,
        c: Self::Vector<S>,
    ) -> Self::Vector<S>;

    /// The sum of all lanes.
    fn total<S: Simd>(simd: S, vector: Self::Vector<S>) -> Self;

    /// The value in lanes `first` and above, zero below.
    fn splat_from<S: Simd>(simd: S, value: Self, first: usize) -> Self::Vector<S>;

    /// The lanes moved up by `by`, the last ones to the beginning.
    fn rotated<S: Simd>(simd: S, vector: Self::Vector<S>, by: usize) -> Self::Vector<S>;

    /// The first `count` lanes of `first`, the others of `then`.
    fn joined<S: Simd>(
        simd: S,
        count: usize,
        first: Self::Vector<S>,
        then: Self::Vector<S>,
    ) -> Self::Vector<S>;

    /// Deinterleaves four consecutive registers: lane j of each group of four goes to register j.
    /// The order of the groups depends on the instruction set.
    fn quads_apart<S: Simd>(simd: S, registers: [Self::Vector<S>; 4]) -> [Self::Vector<S>; 4];
}

/// Largest number of lanes of any instruction set and precision.
pub const LONGEST: usize = 16;

/// The numbers of the lanes.
const NUMBERS: [u8; LONGEST] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

macro_rules! lanes {
    (
        $scalar:ident, $vector:ident, $mask:ident, $complex:ident, $splat:ident, $reduce_sum:ident,
        $less_than:ident, $select:ident, $rotate:ident, $deinterleave:ident, $complex_mul_add:ident;
        views($(
            $view:ident = $as_simd:ident,
            $view_mut:ident = $as_mut_simd:ident: $number:ty => $register:ident
        ),*);
        unary($($unary:ident = $of_one:ident),*);
        binary($($binary:ident = $of_two:ident),*); compare($($compare:ident = $mask_of:ident),*);
        ternary($($ternary:ident = $of_three:ident),*)
    ) => {
        impl Lanes for $scalar {
            type Vector<S: Simd> = S::$vector;
            type ComplexVector<S: Simd> = S::$complex;
            type Mask<S: Simd> = S::$mask;

            $(
                #[inline(always)]
                fn $view<S: Simd>(slice: &[$number]) -> (&[S::$register], &[$number]) {
                    S::$as_simd(slice)
                }

                #[inline(always)]
                fn $view_mut<S: Simd>(
                    slice: &mut [$number],
                ) -> (&mut [S::$register], &mut [$number]) {
                    S::$as_mut_simd(slice)
                }
            )*

            $(
                #[inline(always)]
                fn $binary<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                    simd.$of_two(a, b)
                }
            )*

            $(
                #[inline(always)]
                fn $unary<S: Simd>(simd: S, a: S::$vector) -> S::$vector {
                    simd.$of_one(a)
                }
            )*

            $(
                #[inline(always)]
                fn $compare<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$mask {
                    simd.$mask_of(a, b)
                }
            )*

            #[inline(always)]
            fn select<S: Simd>(
                simd: S,
                mask: S::$mask,
                yes: S::$vector,
                no: S::$vector,
            ) -> S::$vector {
                simd.$select(mask, yes, no)
            }

            $(
                #[inline(always)]
                fn $ternary<S: Simd>(
                    simd: S,
                    a: S::$vector,
                    b: S::$vector,
                    c: S::$vector,
                ) -> S::$vector {
                    simd.$of_three(a, b, c)
                }
            )*

            #[inline(always)]
            fn complex_fused<S: Simd>(
                simd: S,
                a: S::$complex,
                b: S::$complex,
                c: S::$complex,
            ) -> S::$complex {
                simd.$complex_mul_add(a, b, c)
            }

            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> S::$vector {
                simd.$splat(value)
            }

            #[inline(always)]
            fn load<S: Simd>(slice: &[Self]) -> S::$vector {
                Self::registers::<S>(slice).0[0]
            }

            #[inline(always)]
            fn store<S: Simd>(slice: &mut [Self], vector: S::$vector) {
                if slice.len() == Self::count::<S>() {
                    Self::registers_mut::<S>(slice).0[0] = vector;
                } else {
                    // Through memory, because a masked store takes tens of nanoseconds.
                    let mut all = [0.0; LONGEST];
                    Self::registers_mut::<S>(&mut all).0[0] = vector;
                    slice.copy_from_slice(&all[..slice.len()]);
                }
            }

            #[inline(always)]
            fn total<S: Simd>(simd: S, vector: S::$vector) -> Self {
                simd.$reduce_sum(vector)
            }

            #[inline(always)]
            fn splat_from<S: Simd>(simd: S, value: Self, first: usize) -> S::$vector {
                let lane = Self::load::<S>(&NUMBERS.map(|n| n as $scalar)[..Self::count::<S>()]);
                let below = simd.$less_than(lane, simd.$splat(first as $scalar));
                simd.$select(below, simd.$splat(0.0), simd.$splat(value))
            }

            #[inline(always)]
            fn rotated<S: Simd>(simd: S, vector: S::$vector, by: usize) -> S::$vector {
                simd.$rotate(vector, by)
            }

            #[inline(always)]
            fn joined<S: Simd>(
                simd: S,
                count: usize,
                first: S::$vector,
                then: S::$vector,
            ) -> S::$vector {
                let lane = Self::load::<S>(&NUMBERS.map(|n| n as $scalar)[..Self::count::<S>()]);
                simd.$select(simd.$less_than(lane, simd.$splat(count as $scalar)), first, then)
            }

            #[inline(always)]
            fn quads_apart<S: Simd>(simd: S, registers: [S::$vector; 4]) -> [S::$vector; 4] {
                simd.$deinterleave(registers)
            }
        }
    };
}

lanes! {
    f32, f32s, m32s, c32s, splat_f32s, reduce_sum_f32s, less_than_f32s, select_f32s, rotate_right_f32s,
    deinterleave_shfl_f32s, mul_add_e_c32s;
    views(registers = as_simd_f32s, registers_mut = as_mut_simd_f32s: Self => f32s,
        complex_registers = as_simd_c32s,
        complex_registers_mut = as_mut_simd_c32s: Complex<Self> => c32s);
    unary(negated = neg_f32s, absolute = abs_f32s, square_root = sqrt_f32s);
    binary(sum = add_f32s, difference = sub_f32s, product = mul_f32s, quotient = div_f32s);
    compare(less = less_than_f32s, less_or_equal = less_than_or_equal_f32s, equal = equal_f32s);
    ternary(fused = mul_add_e_f32s, fused_exact = mul_add_f32s, fused_negative = negate_mul_add_e_f32s)
}
lanes! {
    f64, f64s, m64s, c64s, splat_f64s, reduce_sum_f64s, less_than_f64s, select_f64s, rotate_right_f64s,
    deinterleave_shfl_f64s, mul_add_e_c64s;
    views(registers = as_simd_f64s, registers_mut = as_mut_simd_f64s: Self => f64s,
        complex_registers = as_simd_c64s,
        complex_registers_mut = as_mut_simd_c64s: Complex<Self> => c64s);
    unary(negated = neg_f64s, absolute = abs_f64s, square_root = sqrt_f64s);
    binary(sum = add_f64s, difference = sub_f64s, product = mul_f64s, quotient = div_f64s);
    compare(less = less_than_f64s, less_or_equal = less_than_or_equal_f64s, equal = equal_f64s);
    ternary(fused = mul_add_e_f64s, fused_exact = mul_add_f64s, fused_negative = negate_mul_add_e_f64s)
}
