/// `sum_i c_i x^(e_i)`, the c_i vectors: initial values and power forcings.
#[derive(Debug, Clone, Default)]
pub(super) struct PowerSum {
    terms: Vec<(f64, Vec<f64>)>,
}

impl PowerSum {
    /// Adds a term; one whose coefficients are all zero is left out, as 0 x^e is not 0 at x = 0 for
    /// negative e.
    pub(super) fn push(&mut self, exponent: f64, coefficient: Vec<f64>) {
        if coefficient.iter().any(|c| *c != 0.0) {
            self.terms.push((exponent, coefficient));
        }
    }

    /// Exponents and coefficients.
    pub(super) fn terms(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.terms.iter().map(|(exponent, coefficient)| (*exponent, &coefficient[..]))
    }

    /// Adds the sum at x to `out`.
    pub(super) fn add_to(&self, x: f64, out: &mut [f64]) {
        for (exponent, coefficient) in self.terms() {
            let power = x.powf(exponent);
            out.iter_mut().zip(coefficient).for_each(|(out, c)| *out += c * power);
        }
    }
}
