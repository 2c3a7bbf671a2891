/// Fraction of integers in lowest terms, whose operations fail where they would overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rational {
    numerator: i64,
    /// Positive.
    denominator: i64,
}

impl Rational {
    pub(crate) const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// Decimal fraction of at most 12 places that a number is nearest to: 1/10 of 0.1. `None` if there is
    /// none.
    pub(crate) fn of(value: f64) -> Option<Self> {
        const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
        [1.0, 1e3, 1e6, 1e9, 1e12].into_iter().find_map(|scale| {
            let numerator = (value * scale).round();
            (numerator.abs() < EXACT && numerator / scale == value)
                .then(|| Self::reduced(numerator as i128, scale as i128))?
        })
    }

    fn reduced(numerator: i128, denominator: i128) -> Option<Self> {
        let (mut a, mut b) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = (a as i128).checked_mul(denominator.signum())?;
        let small = |x: i128| i64::try_from(x).ok().filter(|x| *x != i64::MIN);
        Some(Self {
            numerator: small(numerator.checked_div(divisor)?)?,
            denominator: small(denominator.checked_div(divisor)?).filter(|d| *d > 0)?,
        })
    }

    pub(crate) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(crate) fn negated(self) -> Self {
        // No numerator is i64::MIN.
        Self { numerator: -self.numerator, ..self }
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        Self::reduced((a * d).checked_add(b * c)?, b * d)
    }

    pub(crate) fn times(self, other: Self) -> Option<Self> {
        Self::reduced(
            i128::from(self.numerator) * i128::from(other.numerator),
            i128::from(self.denominator) * i128::from(other.denominator),
        )
    }

    /// `1/x`; `None` of 0.
    pub(crate) fn reciprocal(self) -> Option<Self> {
        Self::reduced(self.denominator.into(), self.numerator.into())
    }
}
