//! Double precision: errors in units of the last place, at points of every exponent and at random
//! ones.

use crate::reference::{self, Exact};
use hpfracc_lanes::{Elementary, two_parts};
use hpfracc_special::DoubleDouble;
use std::f64::consts::PI;

/// π less its double.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;

/// The error of `found` in units of the last place of the exact value.
fn ulps(found: f64, exact: &Exact) -> f64 {
    // Past the largest number, infinity stands for 2^1024.
    let (value, exponent) = (exact.value, exact.exponent);
    if value.hi == 0.0 {
        return if found == 0.0 { 0.0 } else { f64::INFINITY };
    }
    let power = |k: i32| 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
    let digits = value.hi.abs().log2().floor() as i32 + exponent;
    if digits >= 1024 {
        return if found == f64::INFINITY.copysign(value.hi) { 0.0 } else { f64::INFINITY };
    }
    if found.is_infinite() {
        let gap = (value.hi.abs() - power(1023 - exponent)) - power(1023 - exponent);
        return gap.abs() / power(1023 - 52 - exponent);
    }
    let last = digits.max(-1022) - 52 - exponent;
    let scaled = found * power(-exponent / 2) * power(-exponent + exponent / 2);
    ((scaled - value.hi) - value.lo).abs() / 2f64.powi(last)
}

/// Random bits (Steele, Lea and Flood's SplitMix64).
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / 9_007_199_254_740_992.0
    }
}

/// Numbers between `low` and `high`: of every exponent with the same mantissas and random ones,
/// evenly distributed ones, and the ends.
fn arguments((low, high): (f64, f64)) -> impl Iterator<Item = f64> {
    let mut bits = Bits(7);
    let mantissas = (0..24u64).map(|i| i << 47 | (i * i * 77_777_777_777) & ((1 << 47) - 1));
    let grid: Vec<u64> = mantissas.chain([1, 2, (1 << 52) - 1, 0x6_a09e_667f_3bcc]).collect();
    let mut all = vec![low, high];
    for exponent in 0..2047u64 {
        let random = [bits.next() >> 12, bits.next() >> 12];
        let magnitudes = grid.iter().chain(&random).map(|m| f64::from_bits(exponent << 52 | m));
        all.extend(magnitudes.flat_map(|x| [x, -x]));
    }
    for _ in 0..100_000 {
        let u = bits.unit();
        all.extend([low + (high - low) * u, 16.0 * (u - 0.5), 2.0 * (u - 0.5)]);
    }
    all.into_iter().filter(move |x| (low..=high).contains(x))
}

/// The largest error, and where.
fn worst(range: (f64, f64), found: fn(f64) -> f64, exact: fn(f64) -> Exact) -> (f64, f64) {
    arguments(range).map(|x| (ulps(found(x), &exact(x)), x)).fold((0.0, 0.0), |worst, case| {
        assert!(!case.0.is_nan(), "NaN at {:e}", case.1);
        if case.0 > worst.0 { case } else { worst }
    })
}

#[test]
fn errors_in_units_of_the_last_place() {
    type Case = (&'static str, f64, (f64, f64), fn(f64) -> f64, fn(f64) -> Exact);
    // The bounds are a tenth of a unit above what was measured.
    let cases: [Case; 13] = [
        ("exp", 1.1, (-800.0, 800.0), Elementary::exp, reference::exp),
        ("exp_m1", 1.85, (-800.0, 800.0), Elementary::exp_m1, reference::exp_m1),
        ("logistic", 2.1, (-700.0, 800.0), Elementary::logistic, reference::logistic),
        ("softplus", 1.9, (-700.0, 800.0), Elementary::softplus, reference::softplus),
        ("ln", 0.9, (5e-324, f64::MAX), Elementary::ln, reference::ln),
        ("ln_1p", 1.05, (-1.0 + 1.2e-16, 1e300), Elementary::ln_1p, reference::ln_1p),
        ("sinh", 1.65, (-720.0, 720.0), Elementary::sinh, reference::sinh),
        ("cosh", 1.65, (-720.0, 720.0), Elementary::cosh, reference::cosh),
        ("tanh", 2.6, (-800.0, 800.0), Elementary::tanh, reference::tanh),
        ("sin", 1.5, (-1e9, 1e9), Elementary::sin, reference::sin),
        ("cos", 1.55, (-1e9, 1e9), Elementary::cos, reference::cos),
        ("atan", 1.25, (-f64::MAX, f64::MAX), Elementary::atan, reference::atan),
        ("erf", 1.9, (-100.0, 100.0), Elementary::erf, reference::erf),
    ];
    let found = cases.map(|(name, bound, range, found, exact)| {
        let (error, x) = worst(range, found, exact);
        println!("{name}: {error:.3} ulp at {x:e}");
        error <= bound
    });
    assert_eq!(found, [true; 13]);
}

/// Powers of x of all exponents whose results are of all exponents, and of x near 1.
#[test]
fn powers_are_within_two_units_in_the_last_place() {
    let mut bits = Bits(11);
    let mut largest = (0.0f64, 0.0, 0.0);
    for i in 0..400_000 {
        let far = f64::from_bits(((bits.unit() * 2046.0) as u64) << 52 | bits.next() >> 12);
        let near = 1.0 + (bits.unit() - 0.5) * 2f64.powi(-(i % 50));
        for x in [far, near, 2.0 * bits.unit()] {
            let y = 1500.0 * (bits.unit() - 0.5) / x.ln();
            if x == 1.0 || y.abs() > 1e17 {
                continue;
            }
            let error = ulps(x.pow(y), &reference::pow(x, y));
            if error > largest.0 {
                largest = (error, x, y);
            }
        }
    }
    println!("{largest:?}");
    assert!(largest.0 <= 2.0, "{largest:?}");
}

type Far = (f64, (f64, f64), (f64, f64));

/// x, and its sine and cosine as sums of two numbers, from mpmath with 1400 bits. The sixth x is
/// the double that lies nearest to a multiple of pi/2 for its size.
const FAR: [Far; 21] = [
    (
        1000000000.0,
        (0.5458434494486996, 6.1757333566640775e-18),
        (0.8378871813639024, -5.4718713289282437e-17),
    ),
    (
        1500000000.0,
        (-0.7618038601331996, -3.3955957242851666e-17),
        (-0.6478077482449222, -1.8933692149813764e-17),
    ),
    (
        4294967296.0,
        (-0.4619865795138349, -1.729878247594273e-17),
        (-0.886886915197821, -3.488065506362543e-17),
    ),
    (
        1000000000000000.0,
        (0.8582727931702359, -2.372639689262412e-17),
        (-0.5131937377869703, 5.3179977268261675e-17),
    ),
    (
        1e+22,
        (-0.8522008497671888, -6.7806825896773284e-18),
        (0.523214785395139, -4.7143201076575164e-17),
    ),
    (
        5.319372648326541e+255,
        (1.0, -1.098476220074687e-37),
        (-4.687165924254628e-19, 4.3720557429382733e-36),
    ),
    (
        1.7976931348623157e+308,
        (0.004961954789184062, -2.5049377676494104e-19),
        (-0.9999876894265599, -2.6032890267216748e-17),
    ),
    (
        8.98846567431158e+307,
        (0.563127779850884, -1.1428508797646435e-17),
        (-0.826369834614148, 4.103345667279406e-17),
    ),
    (
        -3e+100,
        (-0.9991237449141176, 6.081057536333807e-18),
        (-0.04185382119698615, 2.4889855092730023e-18),
    ),
    (
        3485154852.08712,
        (0.8103757514422959, -7.42640874961454e-18),
        (0.585910523437098, 4.656902467854026e-17),
    ),
    (
        1915115047801.1228,
        (0.9824228106816995, -5.352431902660352e-18),
        (0.18666928256215515, 8.342651705326656e-18),
    ),
    (
        2.0697172666725335e+18,
        (-0.8517824130040434, 4.1897661114127186e-17),
        (-0.5238957156696448, 4.628647611843302e-17),
    ),
    (
        2.4046369806088597e+27,
        (-0.2449447064663354, 4.160223957703929e-18),
        (0.9695370497170909, 2.909861049810096e-17),
    ),
    (
        2.368227220859484e+39,
        (-0.5951384626962657, 4.0900995401679926e-17),
        (-0.8036231767560749, -4.709389219253769e-17),
    ),
    (
        3.0890571705716952e+60,
        (0.1413395724530019, -9.366901697023283e-18),
        (-0.9899611736117748, -2.5209968695647986e-17),
    ),
    (
        2.096120669850004e+90,
        (0.9467090532133429, 2.4092902923947885e-17),
        (-0.322090000720134, 2.7261797709365482e-17),
    ),
    (
        4.261085201627693e+135,
        (-0.7091416781398634, 9.063466291028652e-18),
        (0.7050660113244563, 1.1262843427562905e-18),
    ),
    (
        8.0639889530739565e+180,
        (0.9887768764927695, 1.2858236062269903e-18),
        (-0.14939976075349826, -8.825668575525389e-18),
    ),
    (
        1.3107521676741384e+234,
        (0.5258555266518209, -4.779894181195959e-17),
        (0.8505739033674476, -1.8832571486019743e-17),
    ),
    (
        1.6067765344399212e+271,
        (-0.5973975670171747, -1.5870560743233024e-17),
        (0.8019452268839563, 3.476036978690781e-17),
    ),
    (
        1.1928097726969357e+301,
        (0.9768471859826661, 3.742142300454989e-17),
        (-0.21393825099253883, 5.625886250974667e-19),
    ),
];

#[test]
fn angles_beyond_the_bound() {
    for (x, sin, cos) in FAR {
        let exact = |(hi, lo)| Exact::from(hpfracc_special::DoubleDouble { hi, lo });
        let (sine, cosine) = Elementary::sin_cos(x);
        assert!(ulps(sine, &exact(sin)) < 1.5 && ulps(cosine, &exact(cos)) < 1.5, "{x:e}");
        assert_eq!(Elementary::sin_cos(-x), (-sine, cosine));
    }
}

/// |found - exact| of numbers in two parts.
fn difference((hi, lo): (f64, f64), exact: DoubleDouble) -> f64 {
    exact.minus(DoubleDouble::sum(hi, lo)).hi.abs()
}

#[test]
fn exponentials_in_two_parts() {
    let (mut bits, mut worst) = (Bits(3), 0f64);
    for _ in 0..20_000 {
        let x = 1200.0 * bits.unit() - 600.0;
        let rest = (bits.unit() - 0.5) * f64::EPSILON * x.abs();
        let (hi, lo) = two_parts::exp((x, rest));
        let Exact { value, exponent } = reference::exp_of(DoubleDouble::sum(x, rest));
        let scale = 2f64.powi(-exponent);
        worst = worst.max(difference((hi * scale, lo * scale), value) / value.hi);
    }
    assert!(worst < 2f64.powi(-61), "{worst:e}");
}

#[test]
fn angles_in_two_parts() {
    let mut bits = Bits(7);
    let (mut of_sine, mut of_angle) = (0f64, 0f64);
    for k in 0..20_000 {
        let x = 8.0 * bits.unit() - 4.0;
        let rest = (bits.unit() - 0.5) * f64::EPSILON * x.abs();
        let ((sin, cos), exact) =
            (two_parts::sin_cos((x, rest)), DoubleDouble::sum(x, rest).sin_cos());
        of_sine = of_sine.max(difference(sin, exact.0)).max(difference(cos, exact.1));
        // In all directions, next to the axes too.
        let size = 10f64.powf(200.0 * bits.unit() - 100.0);
        let slope = 10f64.powi(-(k % 20));
        let (re, im) = (size * x, size * slope * (bits.unit() - 0.5));
        for (y, x) in [(im, re), (re, im)] {
            let exact = DoubleDouble::angle(y, x);
            let bound = exact.hi.abs().max(0.01);
            of_angle = of_angle.max(difference(two_parts::angle(y, x), exact) / bound);
        }
    }
    assert!(of_sine < 2f64.powi(-57), "{of_sine:e}");
    assert!(of_angle < 2f64.powi(-56), "{of_angle:e}");
    for (y, x, hi, lo) in
        [(0.0, 1.0, 0.0, 0.0), (0.0, -2.0, PI, PI_LOW), (-0.0, -2.0, -PI, -PI_LOW)]
    {
        assert_eq!(two_parts::angle(y, x), (hi, lo), "angle of {x} + {y} i");
    }
}
