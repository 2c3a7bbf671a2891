//! Root bracketing for a function of one variable, as event location needs it.

/// Zero of `g` between a and b, where its values have opposite signs, within `tolerance`: the end
/// of the last bracket on the side of `b`, so that the sign has changed there.
///
/// Method: interpolation, truncation and projection (ITP), at most one evaluation more than
/// bisection. Source: Oliveira and Takahashi, ACM Trans. Math. Softw. 47 (2020) 5, DOI
/// 10.1145/3423597, with kappa_1 = 0.2/(b-a), kappa_2 = 2, n_0 = 1.
pub(super) fn bracketed<E>(
    (mut a, mut ga): (f64, f64),
    (mut b, mut gb): (f64, f64),
    tolerance: f64,
    mut g: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, E> {
    let width = b - a;
    // No number lies between neighbours.
    let tolerance = tolerance.max(2.0 * f64::EPSILON * a.abs().max(b.abs()));
    let mut radius = tolerance;
    while radius < width {
        radius *= 2.0;
    }
    while b - a > tolerance {
        let middle = 0.5 * (a + b);
        let secant = (gb * a - ga * b) / (gb - ga);
        let towards = (middle - secant).signum();
        let truncation = 0.2 / width * (b - a) * (b - a);
        let truncated = if truncation <= (middle - secant).abs() {
            secant + towards * truncation
        } else {
            middle
        };
        let reach = (radius - 0.5 * (b - a)).max(0.0);
        let x =
            if (truncated - middle).abs() <= reach { truncated } else { middle - towards * reach };
        let x = if a < x && x < b { x } else { middle };
        if !(a < x && x < b) {
            break;
        }
        let gx = g(x)?;
        if gx == 0.0 {
            return Ok(x);
        }
        if (gx > 0.0) == (gb > 0.0) {
            (b, gb) = (x, gx);
        } else {
            (a, ga) = (x, gx);
        }
        radius *= 0.5;
    }
    Ok(b)
}

#[cfg(test)]
mod tests {
    use super::bracketed;

    fn zero(a: f64, b: f64, tolerance: f64, g: impl Fn(f64) -> f64) -> (f64, usize) {
        let mut calls = 0;
        let counted = |x| {
            calls += 1;
            Ok::<f64, ()>(g(x))
        };
        let found = bracketed((a, g(a)), (b, g(b)), tolerance, counted).unwrap();
        (found, calls)
    }

    #[test]
    fn found_within_the_tolerance_and_not_slower_than_by_bisection() {
        type Case = (f64, f64, fn(f64) -> f64, f64);
        let cases: [Case; 5] = [
            (0.0, 1.0, |x| x - 0.3, 0.3),
            (-1.0, 3.0, |x| x.powi(9) - 0.5, 0.5f64.powf(1.0 / 9.0)),
            (1.0, 2.0, |x| 2.0 - x * x, 2.0f64.sqrt()),
            (0.0, 1e3, |x| (x - 1e-3).atan(), 1e-3),
            (0.0, 1.0, |x| if x < 0.7 { -1.0 } else { 1e-9 }, 0.7),
        ];
        for (a, b, g, exact) in cases {
            for tolerance in [1e-3, 1e-8, 1e-12, 0.0] {
                let (found, calls) = zero(a, b, tolerance, g);
                let smallest = 4.0 * f64::EPSILON * b.abs();
                assert!((found - exact).abs() <= tolerance.max(smallest), "{found} {exact}");
                let bisections = ((b - a) / tolerance.max(0.25 * smallest)).log2().ceil();
                assert!(calls as f64 <= bisections + 2.0, "{calls} {bisections}");
            }
        }
    }
}
