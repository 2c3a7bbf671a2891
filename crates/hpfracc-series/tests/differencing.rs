//! Fractional differencing: closed forms, the inverse, streams, refusals.

use hpfracc_series::{DifferenceStream, SeriesError, difference, integrate};
use hpfracc_special::binomial;
use proptest::prelude::*;

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|k| (k as f64 * 0.37).sin() + 0.1 * ((k * k) % 13) as f64).collect()
}

/// A unit impulse gives the weights, (-1)^k C(d, k).
#[test]
fn an_impulse_gives_the_weights() {
    for (d, n) in [(0.4, 50), (-0.3, 50), (2.5, 50), (0.45, 3000), (-1.5, 3000)] {
        let mut impulse = vec![0.0; n];
        impulse[0] = 1.0;
        for (k, found) in difference(&impulse, d).unwrap().into_iter().enumerate() {
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            let size = if d < -1.0 { 200.0 } else { 1.0 };
            assert!((found - sign * binomial(d, k)).abs() < 1e-15 * size, "{d} {k}");
        }
    }
}

#[test]
fn natural_orders_are_steps_and_sums() {
    let x = wave(2000);
    let steps = difference(&x, 1.0).unwrap();
    let sums = integrate(&x, 1.0).unwrap();
    let mut sum = 0.0;
    for n in 0..x.len() {
        sum += x[n];
        let step = if n == 0 { x[0] } else { x[n] - x[n - 1] };
        assert!((steps[n] - step).abs() < 1e-13 && (sums[n] - sum).abs() < 1e-12 * 2000.0);
    }
}

proptest! {
    #[test]
    fn integration_inverts_differencing(d in -1.5f64..1.5, n in 1usize..900) {
        let x = wave(n);
        let back = integrate(&difference(&x, d).unwrap(), d).unwrap();
        // Sums of order 3/2 over n values amplify rounding by n^1.5.
        let bound = 1e-15 * (10.0 + (n as f64).powf(d.abs()) * 4.0);
        for (x, back) in x.iter().zip(back) {
            prop_assert!((x - back).abs() < bound * 10.0, "{} {} {}", d, n, x - back);
        }
    }

    #[test]
    fn a_stream_gives_the_differences_of_the_series(d in -1.0f64..1.5, n in 1usize..5000) {
        let x = wave(n);
        let whole = difference(&x, d).unwrap();
        let size = whole.iter().fold(1.0f64, |size, y| size.max(y.abs()));
        let mut stream = DifferenceStream::new(d).unwrap();
        for (x, y) in x.iter().zip(whole) {
            prop_assert!((stream.push(*x).unwrap() - y).abs() < 1e-13 * size);
        }
        prop_assert_eq!(stream.len(), n);
    }
}

#[test]
fn bad_input_is_named() {
    let refused = difference(&[1.0, f64::NAN], 0.3).unwrap_err();
    assert_eq!(refused.to_string(), "value 1 of the series is NaN, expected a finite number");
    let refused = difference(&[1.0], f64::INFINITY).unwrap_err();
    assert!(matches!(refused, SeriesError::Parameter { name: "d", .. }));
    assert!(DifferenceStream::new(f64::NAN).is_err());
    let mut stream = DifferenceStream::new(0.3).unwrap();
    stream.push(2.0).unwrap();
    let refused = stream.push(f64::INFINITY).unwrap_err();
    assert_eq!(refused, SeriesError::NotFinite { index: 1, value: f64::INFINITY });
    assert_eq!(stream.len(), 1);
    assert_eq!(difference(&[], 0.3), Ok(vec![]));
    let refused = difference(&[1.0; 5], 1e200).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!("the difference of order {} overflows at value 2", 1e200)
    );
    assert!(matches!(DifferenceStream::new(1e200), Err(SeriesError::Overflow { .. })));
    let large = [1e308, -1e308, 1e308];
    assert_eq!(difference(&large, 1.0), Err(SeriesError::Overflow { d: 1.0, index: 1 }));
    let mut stream = DifferenceStream::new(1.0).unwrap();
    assert_eq!(stream.push(1e308), Ok(1e308));
    assert_eq!(stream.push(-1e308), Err(SeriesError::Overflow { d: 1.0, index: 1 }));
    assert_eq!(stream.push(1e308), Ok(0.0));
}
