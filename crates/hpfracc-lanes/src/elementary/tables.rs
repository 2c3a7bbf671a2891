use super::error_function::ROOT_OF_TWO_PI_INVERSE;
use super::logarithm::Logarithm;

/// Constants and polynomials of [`Elementary`](super::Elementary) by name, from which the same functions are
/// generated in another language.
#[derive(Debug, Clone)]
pub struct Tables<T: 'static> {
    /// Numbers.
    pub constants: Vec<(&'static str, T)>,
    /// Coefficients in ascending powers.
    pub polynomials: Vec<(&'static str, &'static [T])>,
}

/// Tables of a format.
pub(super) fn tables<T: Logarithm>() -> Tables<T> {
    let of = T::narrow;
    Tables {
        constants: vec![
            ("ROUND", T::ROUND),
            ("LOG2_E", T::LOG2_E),
            ("LN_2_HIGH", T::LN_2.0),
            ("LN_2_LOW", T::LN_2.1),
            ("TWO_OVER_PI", T::TWO_OVER_PI),
            ("HALF_PI_HIGH", T::HALF_PI[0]),
            ("HALF_PI_MIDDLE", T::HALF_PI[1]),
            ("HALF_PI_LOW", T::HALF_PI[2]),
            ("MIN_POSITIVE", T::MIN_POSITIVE),
            ("LIFT", T::LIFT.0),
            ("LIFT_EXPONENT", T::LIFT.1),
            ("EXP_LOW", T::EXP_LOW.0),
            ("EXP_ZERO", T::EXP_LOW.1),
            ("EXP_HIGH", T::EXP_HIGH),
            ("COSH_HIGH", T::COSH_HIGH),
            ("TANH_HIGH", T::TANH_HIGH),
            ("ANGLE_BOUND", T::ANGLE_BOUND),
            ("ERF_SLOPE", of(0.25 * std::f64::consts::SQRT_2)),
            ("ERF_DENSITY", of(2.0 * ROOT_OF_TWO_PI_INVERSE)),
        ],
        polynomials: vec![
            ("LN", T::LN),
            ("POWER", T::POWER),
            ("SIN", T::SIN),
            ("COS", T::COS),
            ("EXP", T::EXP),
            ("SINH", T::SINH),
            ("COSH", T::COSH),
            ("ATAN", T::ATAN),
            ("ERF", T::ERF),
            ("MILLS", T::MILLS),
        ],
    }
}
