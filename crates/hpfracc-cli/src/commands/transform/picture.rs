//! Modulus, real and imaginary part over the transformed coordinate.

use super::request::Transformed;
use crate::Error;
use hpfracc_plot::{Axis, Chart, Curve, Format, Sheet};

pub(super) fn draw(
    title: &str,
    transformed: &Transformed,
    format: Format,
) -> Result<Vec<u8>, Error> {
    let (u, [re, im, modulus]) = (&transformed.coordinates, &transformed.parts);
    let moduli = [Curve::line("", u, modulus, 0)];
    let parts = [Curve::line("real part", u, re, 1), Curve::line("imaginary part", u, im, 2)];
    let charts =
        [("", Axis::linear("modulus"), &moduli[..]), ("", Axis::linear("parts"), &parts[..])];
    let charts = Chart::stacked(Axis::linear(transformed.axis), charts);
    Ok(Sheet { title, columns: &[&charts] }.draw(format)?)
}
