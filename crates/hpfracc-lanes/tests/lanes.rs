//! Operations on registers against those of scalars, on every instruction set.

use hpfracc_lanes::pulp::{Arch, Simd, WithSimd};
use hpfracc_lanes::{Elementary, Lanes};

const SPECIAL: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    -2.5,
    3.0,
    1e-320,
    -1e-42,
    3e38,
    -3e38,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Names of the operations.
const NAMES: [&str; 12] = [
    "sum",
    "difference",
    "product",
    "quotient",
    "minimum",
    "maximum",
    "less",
    "less_or_equal",
    "equal",
    "negated",
    "absolute",
    "square_root",
];

/// All operations of a and b, each in a slice of the length of a register.
struct Operations<'a, T> {
    a: T,
    b: T,
    out: &'a mut [Vec<T>],
}

impl<T: Lanes> WithSimd for Operations<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (a, b) = (T::splat(simd, self.a), T::splat(simd, self.b));
        let (one, zero) = (T::splat(simd, T::one()), T::splat(simd, T::zero()));
        let results = [
            T::sum(simd, a, b),
            T::difference(simd, a, b),
            T::product(simd, a, b),
            T::quotient(simd, a, b),
            T::minimum(simd, a, b),
            T::maximum(simd, a, b),
            T::select(simd, T::less(simd, a, b), one, zero),
            T::select(simd, T::less_or_equal(simd, a, b), one, zero),
            T::select(simd, T::equal(simd, a, b), one, zero),
            T::negated(simd, a),
            T::absolute(simd, a),
            T::square_root(simd, a),
        ];
        for (out, result) in self.out.iter_mut().zip(results) {
            out.resize(T::count::<S>(), T::NAN);
            T::store::<S>(out, result);
        }
    }
}

fn scalars<T: Elementary>(a: T, b: T) -> [T; 12] {
    let truth = |condition| if condition { T::one() } else { T::zero() };
    [
        a + b,
        a - b,
        a * b,
        a / b,
        if a < b { a } else { b },
        if a > b { a } else { b },
        truth(a < b),
        truth(a <= b),
        truth(a == b),
        -a,
        a.abs(),
        Elementary::sqrt(a),
    ]
}

fn check<T: Elementary + Lanes>(bits: impl Fn(T) -> u64) {
    let mut sets = vec![Arch::Scalar, Arch::new()];
    #[cfg(target_arch = "x86_64")]
    {
        use hpfracc_lanes::pulp::x86::V3;
        sets.extend(V3::try_new().map(Arch::V3));
    }
    // NaN are one, but for the sign, which `negated` and `absolute` change.
    let bits = |x: T| if x.widen().is_nan() { u64::MAX } else { bits(x) };
    for arch in sets {
        for (a, b) in SPECIAL.iter().flat_map(|a| SPECIAL.map(|b| (*a, b))) {
            let (a, b) = (T::narrow(a), T::narrow(b));
            let mut out = vec![vec![]; NAMES.len()];
            arch.dispatch(Operations { a, b, out: &mut out });
            for ((name, found), expected) in NAMES.iter().zip(&out).zip(scalars(a, b)) {
                let same = found.iter().all(|found| bits(*found) == bits(expected));
                assert!(same, "{name}({a:e}, {b:e}) with {arch:?}: {found:?}, not {expected:e}");
            }
        }
    }
}

#[test]
fn special_values() {
    check::<f32>(|x| x.to_bits().into());
    check::<f64>(f64::to_bits);
}
