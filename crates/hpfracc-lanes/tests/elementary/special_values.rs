//! Infinities, NaN, signed zeros and numbers where values are exact, against the standard library;
//! the same bits on every instruction set; slices.

use hpfracc_lanes::Elementary;
use hpfracc_lanes::pulp::{Arch, Simd, WithSimd};

macro_rules! special_values {
    ($t:ident, $bits:ident) => {
        mod $t {
            use super::*;
            use std::$t::consts::FRAC_PI_2;

            type Function = fn($t) -> $t;

            const NUMBERS: [$t; 24] = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                -0.5,
                2.0,
                3.0,
                -3.0,
                -2.5,
                1e30,
                -1e30,
                1e-30,
                $t::MAX,
                $t::MIN,
                $t::MIN_POSITIVE,
                -$t::MIN_POSITIVE,
                $t::from_bits(1),
                -$t::from_bits(1),
                $t::from_bits(12_345),
                $t::INFINITY,
                -$t::INFINITY,
                $t::NAN,
                $t::EPSILON,
            ];

            /// The same number with the same sign to a few units in the last place, exact where it
            /// is 0, infinite or NaN.
            fn same(a: $t, b: $t) -> bool {
                let close = (a.to_bits()).abs_diff(b.to_bits()) <= 2;
                let exact = b == 0.0 || b.is_infinite();
                (a.is_nan() && b.is_nan()) || if exact { a.to_bits() == b.to_bits() } else { close }
            }

            #[test]
            fn are_those_of_the_standard_library() {
                let cases: [(&str, Function, Function); 11] = [
                    ("exp", Elementary::exp, $t::exp),
                    ("exp_m1", Elementary::exp_m1, $t::exp_m1),
                    ("ln", Elementary::ln, $t::ln),
                    ("ln_1p", Elementary::ln_1p, $t::ln_1p),
                    ("sinh", Elementary::sinh, $t::sinh),
                    ("cosh", Elementary::cosh, $t::cosh),
                    ("tanh", Elementary::tanh, $t::tanh),
                    ("sin", Elementary::sin, $t::sin),
                    ("cos", Elementary::cos, $t::cos),
                    ("atan", Elementary::atan, $t::atan),
                    ("sqrt", Elementary::sqrt, $t::sqrt),
                ];
                for (name, found, expected) in cases {
                    for x in NUMBERS {
                        let (found, expected) = (found(x), expected(x));
                        assert!(same(found, expected), "{name}({x:e}): {found:e} {expected:e}");
                    }
                }
                for x in NUMBERS {
                    for y in NUMBERS {
                        let (found, expected) = (x.pow(y), x.powf(y));
                        assert!(same(found, expected), "{x:e}^{y:e}: {found:e} {expected:e}");
                    }
                }
            }

            #[test]
            fn of_the_others() {
                let (infinity, nan) = ($t::INFINITY, $t::NAN);
                let erf = [0.0, infinity, -infinity, $t::MIN_POSITIVE].map(Elementary::erf);
                assert_eq!(erf[..3], [0.0, 1.0, -1.0]);
                assert!(
                    Elementary::erf(-0.0 as $t).is_sign_negative() && erf[3] > $t::MIN_POSITIVE
                );
                assert_eq!((infinity.logistic(), (-infinity).logistic()), (1.0, 0.0));
                assert_eq!((infinity.softplus(), (-infinity).softplus()), (infinity, 0.0));
                assert_eq!((infinity.normal(), (-infinity).normal()), ((1.0, 0.0), (0.0, 0.0)));
                assert!(
                    Elementary::erf(nan).is_nan()
                        && nan.logistic().is_nan()
                        && nan.softplus().is_nan()
                );
                assert!(nan.normal().0.is_nan() && nan.normal().1.is_nan());
            }

            /// The last arguments whose results are finite, or not 0, and the next ones.
            #[test]
            fn ends_of_the_range() {
                let next = |x: $t| $t::from_bits(x.to_bits() + 1);
                for (f, g, guess) in [
                    (Elementary::exp as Function, $t::exp as Function, $t::MAX.ln()),
                    (Elementary::exp_m1, $t::exp_m1, $t::MAX.ln()),
                    (Elementary::sinh, $t::sinh, $t::MAX.ln() + std::$t::consts::LN_2),
                    (Elementary::cosh, $t::cosh, $t::MAX.ln() + std::$t::consts::LN_2),
                    (Elementary::exp, $t::exp, $t::from_bits(1).ln()),
                ] {
                    let mut x = $t::from_bits(guess.to_bits() - 8);
                    for _ in 0..16 {
                        assert!(same(f(x), g(x)), "{x:e}: {:e} {:e}", f(x), g(x));
                        x = next(x);
                    }
                }
            }

            /// Arguments of all exponents.
            fn arguments() -> Vec<$t> {
                (0..4096).map(|i| $t::from_bits($bits::MAX / 4099 * (i + 1))).collect()
            }

            struct Map<'a, F>(&'a mut [$t], F);

            impl<F: Fn($t) -> $t> WithSimd for Map<'_, F> {
                type Output = ();

                #[inline(always)]
                fn with_simd<S: Simd>(self, _: S) {
                    self.0.iter_mut().for_each(|x| *x = (self.1)(*x));
                }
            }

            #[test]
            fn bits_do_not_depend_on_the_instruction_set() {
                fn check(name: &str, f: impl Fn($t) -> $t) {
                    let mut all = arguments();
                    Arch::new().dispatch(Map(&mut all, &f));
                    for (found, x) in all.iter().zip(arguments()) {
                        let expected = f(x);
                        let nan = found.is_nan() && expected.is_nan();
                        assert!(nan || found.to_bits() == expected.to_bits(), "{name}({x:e})");
                    }
                }
                check("exp", |x| x.exp());
                check("exp_m1", Elementary::exp_m1);
                check("logistic", Elementary::logistic);
                check("softplus", Elementary::softplus);
                check("ln", Elementary::ln);
                check("ln_1p", Elementary::ln_1p);
                check("sinh", Elementary::sinh);
                check("cosh", Elementary::cosh);
                check("tanh", Elementary::tanh);
                check("sin", |x| Elementary::bounded_sin_cos(x).0);
                check("cos", |x| Elementary::bounded_sin_cos(x).1);
                check("atan", Elementary::atan);
                check("erf", Elementary::erf);
                check("pow", |x| x.pow(-1.7));
                check("Phi", |x| x.normal().0);
            }

            #[test]
            fn slices_have_the_sines_and_cosines_of_their_numbers() {
                let x: Vec<$t> = arguments().into_iter().chain([FRAC_PI_2; 67]).collect();
                let (mut sin, mut cos) = (vec![2.0; x.len()], vec![2.0; x.len()]);
                $t::sin_cos_slice(&x, &mut sin, &mut cos);
                for (i, x) in x.iter().enumerate() {
                    let (s, c) = Elementary::sin_cos(*x);
                    assert!(same(sin[i], s) && same(cos[i], c), "{x:e}");
                }
            }
        }
    };
}

special_values!(f32, u32);
special_values!(f64, u64);
