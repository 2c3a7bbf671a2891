use super::{Expression, Operand};
use crate::graph::{Binary, Id, Ternary, Unary};

/// Functions without another argument.
macro_rules! functions {
    ($($(#[$doc:meta])* $method:ident $operation:ident),* $(,)?) => {
        impl Expression<'_> {$(
            $(#[$doc])*
            #[must_use]
            pub fn $method(self) -> Self {
                self.of(Unary::$operation)
            }
        )*}
    };
}

functions! {
    /// `|x|`
    abs Absolute,
    /// -1, 0 or 1.
    sign Sign,
    /// Largest integer that is not above x.
    floor Floor,
    /// Square root.
    sqrt SquareRoot,
    /// `exp(x)`
    exp Exp,
    /// `exp(x) - 1`, without cancellation.
    exp_m1 ExpM1,
    /// Natural logarithm.
    ln Ln,
    /// `ln(1 + x)`, without cancellation.
    ln_1p Ln1p,
    /// Sine.
    sin Sin,
    /// Cosine.
    cos Cos,
    /// Inverse tangent.
    atan Atan,
    /// Hyperbolic sine.
    sinh Sinh,
    /// Hyperbolic cosine.
    cosh Cosh,
    /// Hyperbolic tangent.
    tanh Tanh,
    /// Error function.
    erf Erf,
    /// Gamma function.
    gamma Gamma,
    /// Digamma function, the logarithmic derivative of the gamma function.
    digamma Digamma,
    /// Trigamma function, the derivative of the digamma function.
    trigamma Trigamma,
}

/// Functions of two arguments.
macro_rules! pairs {
    ($($(#[$doc:meta])* $method:ident $operation:ident),* $(,)?) => {
        impl Expression<'_> {$(
            $(#[$doc])*
            #[must_use]
            pub fn $method(self, other: impl Operand) -> Self {
                self.with(Binary::$operation, other)
            }
        )*}
    };
}

pairs! {
    /// `x^y` with a real exponent; [`powi`](Self::powi) for a whole one.
    powf Power,
    /// Smaller of both.
    min Minimum,
    /// Larger of both.
    max Maximum,
    /// 1 if it is less, else 0.
    less_than Less,
    /// 1 if it is less or equal, else 0.
    less_or_equal LessOrEqual,
    /// 1 if both are equal, else 0.
    equals Equal,
}

impl Expression<'_> {
    /// Tangent, `sin(x) / cos(x)`.
    #[must_use]
    pub fn tan(self) -> Self {
        self.sin() / self.cos()
    }

    /// `1 / x`
    #[must_use]
    pub fn recip(self) -> Self {
        1.0 / self
    }

    /// `x^n` by products.
    #[must_use]
    pub fn powi(self, n: i32) -> Self {
        self.builder.add(|graph| graph.integer_power(self.id, n))
    }

    /// `if x != 0 { then } else { otherwise }`, where x is a condition such as `a.less_than(b)`. Both
    /// branches are evaluated.
    ///
    /// ```
    /// use hpfracc_equation::{Builder, Values, evaluate};
    ///
    /// let builder = Builder::new();
    /// let x = builder.variable(0);
    /// let ramp = x.less_than(0.0).select(0.0, x.min(1.0)).id();
    /// let graph = builder.finish();
    /// let at = |x: f64| evaluate(&graph, &[ramp], &[Values::Path(x)])[0];
    /// assert_eq!([at(-2.0), at(0.5), at(3.0)], [0.0, 0.5, 1.0]);
    /// ```
    #[must_use]
    pub fn select(self, then: impl Operand, otherwise: impl Operand) -> Self {
        let (then, otherwise) = (self.node_of(then), self.node_of(otherwise));
        self.builder.add(|graph| graph.ternary(Ternary::Select, self.id, then, otherwise))
    }

    /// Mittag-Leffler function `E_{alpha,beta}(x)`.
    #[must_use]
    pub fn mittag_leffler(self, alpha: impl Operand, beta: impl Operand) -> Self {
        let (alpha, beta) = (self.node_of(alpha), self.node_of(beta));
        self.builder.add(|graph| graph.ternary(Ternary::MittagLeffler, alpha, beta, self.id))
    }

    pub(super) fn of(self, operation: Unary) -> Self {
        self.builder.add(|graph| graph.unary(operation, self.id))
    }

    pub(super) fn with(self, operation: Binary, other: impl Operand) -> Self {
        let other = self.node_of(other);
        self.builder.add(|graph| graph.binary(operation, self.id, other))
    }

    fn node_of(self, other: impl Operand) -> Id {
        other.in_graph_of(self.builder)
    }
}
