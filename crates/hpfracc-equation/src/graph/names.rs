use super::{Binary, Node, Ternary, Unary};

impl Node {
    /// Name of the function; of a leaf, what it is.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant(_) => "constant",
            Self::Variable(_) => "variable",
            Self::Unary(operation, _) => operation.name(),
            Self::Binary(operation, ..) => operation.name(),
            Self::Ternary(operation, ..) => operation.name(),
            Self::Empty | Self::List(..) => "list",
            Self::Affine(..) => "affine",
            Self::Table(..) => "table",
        }
    }
}

impl Unary {
    /// Name of the function, which never changes: fingerprints contain it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Absolute => "abs",
            Self::Sign => "sign",
            Self::Floor => "floor",
            Self::SquareRoot => "sqrt",
            Self::Exp => "exp",
            Self::ExpM1 => "expm1",
            Self::Ln => "ln",
            Self::Ln1p => "ln1p",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Erf => "erf",
            Self::Gamma => "Gamma",
            Self::Digamma => "digamma",
            Self::Trigamma => "trigamma",
        }
    }
}

impl Binary {
    /// Name of the function, which never changes: fingerprints contain it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Power => "^",
            Self::Minimum => "min",
            Self::Maximum => "max",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "=",
        }
    }
}

impl Ternary {
    /// Name of the function, which never changes: fingerprints contain it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "if",
            Self::MittagLeffler => "E",
            Self::MittagLefflerByNodes => "E_nodes",
            Self::MittagLefflerByArgument => "E_z",
            Self::MittagLefflerByAlpha => "E_alpha",
            Self::MittagLefflerByBeta => "E_beta",
        }
    }
}
