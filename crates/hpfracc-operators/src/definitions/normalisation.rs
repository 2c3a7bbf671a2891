use crate::definitions::entry::Parameter;
use crate::{Number, OperatorError, Result};

/// The factor in front of a derivative with a kernel without singularity, M(alpha) of Caputo and
/// Fabrizio or B(alpha) of Atangana and Baleanu. The definitions require that it is 1 at alpha = 0
/// and 1; otherwise papers differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normalisation {
    /// 1 for every order.
    #[default]
    One,
    /// `1 - alpha + alpha/Gamma(alpha)`, common with the kernel of Atangana and Baleanu: Thermal
    /// Science 20 (2016) 763, DOI 10.2298/TSCI160111018A.
    Gamma,
    /// `2/(2-alpha)`, which is 2 at alpha = 1: Losada and Nieto, Progr. Fract. Differ. Appl. 1
    /// (2015) 87, DOI 10.12785/pfda/010202.
    LosadaNieto,
}

impl Normalisation {
    /// Its value at an order.
    pub fn value<N: Number>(self, alpha: N) -> N {
        match self {
            Self::One => N::constant(1.0),
            Self::Gamma => -alpha + 1.0 + alpha * alpha.recip_gamma(),
            Self::LosadaNieto => N::constant(2.0) / (-alpha + 2.0),
        }
    }

    /// As the catalogue numbers them.
    pub(crate) fn of_number(value: f64) -> Result<Self> {
        let known = [Self::One, Self::Gamma, Self::LosadaNieto];
        let found = known.into_iter().zip(0i32..).find(|(_, number)| f64::from(*number) == value);
        let (what, expected) = (PARAMETER.name, PARAMETER.range);
        found.map(|(it, _)| it).ok_or(OperatorError::Parameter { what, value, expected })
    }
}

/// The choice as a parameter of a definition.
pub(crate) const PARAMETER: Parameter = Parameter {
    name: "normalisation",
    meaning: "0: 1, 1: 1 - alpha + alpha/Gamma(alpha), 2: 2/(2-alpha)",
    range: "0, 1 or 2",
    default: Some(0.0),
    example: 1.0,
};
