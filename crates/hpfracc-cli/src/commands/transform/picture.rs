//! Modulus, real and imaginary part over the transformed coordinate.

use super::request::Transformed;
use crate::Error;
use crate::plot::{Axis, Chart, Curve, Format, Sheet};

pub(super) fn draw(
    title: &str,
    transformed: &Transformed,
    format: Format,
) -> Result<Vec<u8>, Error> {
    let part = |of: fn(&_) -> f64| -> Vec<f64> { transformed.values.iter().map(of).collect() };
    let (re, im) = (part(|y| y.re), part(|y| y.im));
    let modulus = part(|y| y.norm());
    let u = &transformed.coordinates;
    let moduli = [Curve::line("", u, &modulus, 0)];
    let parts = [Curve::line("real part", u, &re, 1), Curve::line("imaginary part", u, &im, 2)];
    let chart = |x, y, curves| Chart {
        title: "",
        x: Axis::linear(x),
        y: Axis::linear(y),
        curves,
        equal: false,
    };
    let charts = [chart("", "modulus", &moduli[..]), chart(transformed.axis, "parts", &parts[..])];
    Sheet { title, columns: &[&charts] }.draw(format)
}
