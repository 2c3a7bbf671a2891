/// A power as a product: `l^s = l^products (l^-exponent)^repeats` with an exponent below 1, which
/// partial fractions with real negative poles approximate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Factors {
    pub(crate) products: usize,
    /// 0 if there is no such factor.
    pub(crate) exponent: f64,
    pub(crate) repeats: usize,
}

impl Factors {
    pub(crate) fn of_power(s: f64) -> Self {
        if s >= 0.0 {
            let exponent = s.ceil() - s;
            Self { products: s.ceil() as usize, exponent, repeats: usize::from(exponent > 0.0) }
        } else {
            let repeats = s.abs().floor() + 1.0;
            Self { products: 0, exponent: s.abs() / repeats, repeats: repeats as usize }
        }
    }
}
