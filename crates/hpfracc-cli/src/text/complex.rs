//! Complex numbers as text: `2`, `-1e-3`, `2i`, `-i`, `re+imi`.

use num_complex::Complex64;

/// Number as written: real ones are computed with and printed as real numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Written without `i`.
    Real(f64),
    /// Written with `i`.
    Complex(Complex64),
}

/// Parses a finite number.
pub fn parse(text: &str) -> Option<Number> {
    let text = text.trim();
    let Some(body) = text.strip_suffix(['i', 'j']) else {
        return finite(text).map(Number::Real);
    };
    // The imaginary part begins at the last sign that is not part of an exponent.
    let bytes = body.as_bytes();
    let split = (0..bytes.len())
        .rev()
        .find(|&k| {
            matches!(bytes[k], b'+' | b'-') && (k == 0 || !matches!(bytes[k - 1], b'e' | b'E'))
        })
        .unwrap_or(0);
    let (re, im) = body.split_at(split);
    let re = if re.is_empty() { 0.0 } else { finite(re)? };
    let im = match im {
        "" | "+" => 1.0,
        "-" => -1.0,
        digits => finite(digits)?,
    };
    Some(Number::Complex(Complex64::new(re, im)))
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let complex = |re, im| Some(Number::Complex(Complex64::new(re, im)));
        assert_eq!(parse("-2.5"), Some(Number::Real(-2.5)));
        assert_eq!(parse("1e-3"), Some(Number::Real(1e-3)));
        assert_eq!(parse("2i"), complex(0.0, 2.0));
        assert_eq!(parse("i"), complex(0.0, 1.0));
        assert_eq!(parse("-i"), complex(0.0, -1.0));
        assert_eq!(parse("-1-2.5i"), complex(-1.0, -2.5));
        assert_eq!(parse("3+i"), complex(3.0, 1.0));
        assert_eq!(parse("1e-3+2e5i"), complex(1e-3, 2e5));
        assert_eq!(parse("-1E+3-2E-5j"), complex(-1e3, -2e-5));
        assert_eq!(parse("1e-3i"), complex(0.0, 1e-3));
        assert_eq!(parse(" 1 "), Some(Number::Real(1.0)));
    }

    #[test]
    fn refuses_the_rest() {
        for text in [
            "", "x", "1+2", "1 + 2i", "1+2i3", "1++2i", "+-i", "nan", "inf", "infi", "1e999",
            "--beta",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
