//! `int_0^1 u^(a-1) exp(-x u) du`, the first cell of tempered kernels, with its derivative in a.

use crate::Number;
use hpfracc_special::{digamma, gamma};

/// Beyond this x the rest of the integral up to infinity is below rounding.
const COMPLETE: f64 = 60.0;

/// The value and d/da, a > 0, x >= 0.
///
/// ```text
/// exp(-x) sum_j x^j / (a (a+1) .. (a+j))                   all positive
/// Gamma(a) x^-a, d/da = (psi(a) - ln x) times it           for large x
/// ```
///
/// The series is DLMF 8.5.1 with 13.2.2; its derivative in a has the factors
/// `-sum_{i <= j} 1/(a+i)`.
pub(crate) fn exponential_moment<N: Number>(order: N, x: f64) -> N {
    let a = order.value();
    if x > COMPLETE + 4.0 * a {
        let value = gamma(a) * x.powf(-a);
        return order.chain(|_| value, |_, value| value * (digamma(a) - x.ln()));
    }
    let (mut term, mut harmonic) = (1.0 / a, 1.0 / a);
    let (mut sum, mut slope) = (term, -term * harmonic);
    let mut j = 1.0;
    while term > 1e-18 * sum || j < x {
        term *= x / (a + j);
        harmonic += 1.0 / (a + j);
        sum += term;
        slope -= term * harmonic;
        j += 1.0;
    }
    let decay = (-x).exp();
    N::new(decay * sum, decay * slope * order.derivative())
}

#[cfg(test)]
mod tests {
    use super::exponential_moment;
    use crate::Dual;
    use hpfracc_special::{gamma, gamma_p};

    #[test]
    fn agrees_with_the_incomplete_gamma_function_and_its_differences() {
        for a in [0.01, 0.4, 1.0, 1.9, 7.5] {
            assert!((exponential_moment(a, 0.0) * a - 1.0).abs() < 1e-15);
            for x in [1e-12, 0.3, 2.0, 17.0, 59.0, 61.0, 70.0, 100.0, 1e4] {
                let Dual { value, derivative } = exponential_moment(Dual::variable(a), x);
                let exact = gamma(a) * gamma_p(a, x).unwrap() * x.powf(-a);
                assert!((value / exact - 1.0).abs() < 2e-14, "{a} {x}: {value:e} {exact:e}");
                let step = 1e-4 * a;
                let [low, high] = [-step, step].map(|d| exponential_moment(a + d, x));
                let difference = (high - low) / (2.0 * step);
                assert!(
                    (derivative / difference - 1.0).abs() < 1e-5,
                    "{a} {x}: {derivative} {difference}"
                );
            }
        }
    }
}
