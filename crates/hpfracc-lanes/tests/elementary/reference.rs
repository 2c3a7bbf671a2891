//! The elementary functions to about 28 digits, slowly.

use hpfracc_special::DoubleDouble;

/// `value 2^exponent`
pub(crate) struct Exact {
    pub(crate) value: DoubleDouble,
    pub(crate) exponent: i32,
}

impl From<DoubleDouble> for Exact {
    fn from(value: DoubleDouble) -> Self {
        Self { value, exponent: 0 }
    }
}

const LN_2: DoubleDouble =
    DoubleDouble { hi: std::f64::consts::LN_2, lo: 2.319_046_813_846_299_6e-17 };
/// 2/sqrt(pi)
const ERF_SLOPE: DoubleDouble =
    DoubleDouble { hi: std::f64::consts::FRAC_2_SQRT_PI, lo: 1.533_545_961_316_588e-17 };
/// pi/2 in three parts.
const HALF_PI: [f64; 3] =
    [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];
/// An argument below is so small that odd functions are their tangents.
const TINY: f64 = 1e-100;

fn one() -> DoubleDouble {
    DoubleDouble::from(1.0)
}

/// `(exp(r) - 1, k)` with `x = r + k ln 2`.
fn exp_m1_reduced(x: DoubleDouble) -> (DoubleDouble, i32) {
    let k = (x.hi / LN_2.hi).round();
    let t = x.minus(LN_2.scaled(k)).scaled(1.0 / 64.0);
    let mut sum = one();
    for i in (2..16).rev() {
        sum = one().plus(t.times(sum).over(DoubleDouble::from(f64::from(i))));
    }
    let mut e = t.times(sum);
    for _ in 0..6 {
        e = e.times(e.plus(DoubleDouble::from(2.0)));
    }
    (e, k as i32)
}

pub(crate) fn exp_of(x: DoubleDouble) -> Exact {
    let (e, exponent) = exp_m1_reduced(x);
    Exact { value: one().plus(e), exponent }
}

pub(crate) fn exp(x: f64) -> Exact {
    exp_of(DoubleDouble::from(x))
}

/// `slope x`, where x is tiny.
fn tangent(x: f64, slope: DoubleDouble) -> Exact {
    Exact { value: slope.scaled(x * 2f64.powi(600)), exponent: -600 }
}

/// exp(x) - 1 of x below 300.
fn exp_m1_dd(x: f64) -> DoubleDouble {
    let (e, k) = exp_m1_reduced(DoubleDouble::from(x));
    let power = 2f64.powi(k);
    e.scaled(power).plus(DoubleDouble::sum(power, -1.0))
}

pub(crate) fn exp_m1(x: f64) -> Exact {
    match x {
        _ if x.abs() < TINY => tangent(x, one()),
        _ if x > 300.0 => exp(x),
        _ if x < -300.0 => (-1.0).into(),
        _ => exp_m1_dd(x).into(),
    }
}

impl From<f64> for Exact {
    fn from(x: f64) -> Self {
        DoubleDouble::from(x).into()
    }
}

/// `exp(x) - 1` and `1 - exp(-x)`.
fn differences(x: f64) -> (DoubleDouble, DoubleDouble) {
    let e = exp_m1_dd(x);
    (e, e.over(one().plus(e)))
}

pub(crate) fn sinh(x: f64) -> Exact {
    match x.abs() {
        a if a < TINY => tangent(x, one()),
        a if a > 300.0 => {
            let Exact { value, exponent } = exp(a);
            Exact { value: value.scaled(x.signum()), exponent: exponent - 1 }
        }
        _ => {
            let (up, down) = differences(x);
            up.plus(down).scaled(0.5).into()
        }
    }
}

pub(crate) fn cosh(x: f64) -> Exact {
    if x.abs() > 300.0 {
        let Exact { value, exponent } = exp(x.abs());
        return Exact { value, exponent: exponent - 1 };
    }
    let (up, down) = differences(x);
    one().plus(up.minus(down).scaled(0.5)).into()
}

pub(crate) fn logistic(x: f64) -> Exact {
    if x < -300.0 {
        return exp(x);
    }
    let Exact { value, exponent } = exp(-x);
    one().over(one().plus(value.scaled(2f64.powi(exponent)))).into()
}

pub(crate) fn softplus(x: f64) -> Exact {
    if x < -300.0 {
        return exp(x);
    }
    let Exact { value, exponent } = exp(-x.abs());
    let u = value.scaled(2f64.powi(exponent));
    // ln(1 + u)
    let small = if u.hi < 1e-40 { u } else { one().plus(u).ln() };
    small.plus(DoubleDouble::from(x.max(0.0))).into()
}

pub(crate) fn tanh(x: f64) -> Exact {
    match x.abs() {
        a if a < TINY => tangent(x, one()),
        a if a > 100.0 => x.signum().into(),
        _ => {
            let e = exp_m1_dd(2.0 * x);
            e.over(e.plus(DoubleDouble::from(2.0))).into()
        }
    }
}

/// For normal x.
pub(crate) fn ln(x: f64) -> Exact {
    ln_dd(x).into()
}

fn ln_dd(x: f64) -> DoubleDouble {
    if x < f64::MIN_POSITIVE {
        let lifted = DoubleDouble::from(x * 2f64.powi(60)).ln();
        return lifted.minus(LN_2.scaled(60.0));
    }
    DoubleDouble::from(x).ln()
}

pub(crate) fn ln_1p(x: f64) -> Exact {
    if x.abs() < TINY { tangent(x, one()) } else { DoubleDouble::sum(1.0, x).ln().into() }
}

pub(crate) fn pow(x: f64, y: f64) -> Exact {
    exp_of(ln_dd(x).scaled(y))
}

/// For |x| up to 2^32.
fn sin_cos(x: f64) -> (DoubleDouble, DoubleDouble) {
    let n = (x / HALF_PI[0]).round();
    let parts = HALF_PI.map(|part| DoubleDouble::product(-n, part));
    let r = parts.into_iter().fold(DoubleDouble::from(x), DoubleDouble::plus);
    let (sin, cos) = r.sin_cos();
    match n.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, sin.negated()),
        2 => (sin.negated(), cos.negated()),
        _ => (cos.negated(), sin),
    }
}

pub(crate) fn sin(x: f64) -> Exact {
    if x.abs() < TINY { tangent(x, one()) } else { sin_cos(x).0.into() }
}

pub(crate) fn cos(x: f64) -> Exact {
    sin_cos(x).1.into()
}

pub(crate) fn atan(x: f64) -> Exact {
    match x.abs() {
        a if a < TINY => tangent(x, one()),
        a if a > 1e100 => DoubleDouble::PI.scaled(0.5 * x.signum()).into(),
        _ => DoubleDouble::angle(x, 1.0).into(),
    }
}

pub(crate) fn erf(x: f64) -> Exact {
    match x.abs() {
        a if a < TINY => tangent(x, ERF_SLOPE),
        a if a > 6.5 => x.signum().into(),
        _ => {
            // x exp(-x^2) sum (2 x^2)^n / (2n+1)!!
            let square = DoubleDouble::product(x, x);
            let mut sum = one();
            for n in (1..250).rev() {
                let ratio = square.scaled(2.0).over(DoubleDouble::from(f64::from(2 * n + 1)));
                sum = one().plus(sum.times(ratio));
            }
            let Exact { value, exponent } = exp_of(square.negated());
            let value = value.scaled(2f64.powi(exponent)).times(sum).times(ERF_SLOPE);
            value.scaled(x).into()
        }
    }
}
