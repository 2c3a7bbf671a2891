/// Number of a node in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u32);

impl Id {
    /// Node of this index. Graphs have fewer than 2^32 nodes.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Index of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operation with its operands: 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// Constant, by the bits of its `f64`: see [`Node::constant`].
    Constant(u64),
    /// Variable of a number: time, a component of the state, a parameter.
    Variable(u32),
    /// Function of one argument.
    Unary(Unary, Id),
    /// Function of two arguments.
    Binary(Binary, Id, Id),
    /// Function of three arguments.
    Ternary(Ternary, Id, Id, Id),
    /// List without elements. Lists are no numbers: operands of lists and affine maps alone.
    Empty,
    /// List followed by another element.
    List(Id, Id),
    /// Component of an affine map of a list: number of the map in the graph, row and list.
    Affine(u32, u32, Id),
    /// Table of this number among [`Graph::tables`](crate::Graph::tables), or its derivative of this order,
    /// at an argument.
    Table(u32, u8, Id),
}

impl Node {
    /// Constant of this value.
    pub fn constant(value: f64) -> Self {
        Self::Constant(value.to_bits())
    }

    /// Value of a constant.
    pub fn as_constant(self) -> Option<f64> {
        match self {
            Self::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Whether it is a list, which is no number.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Empty | Self::List(..))
    }

    /// Operands, from left to right.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Id> + ExactSizeIterator {
        let (operands, count) = match self {
            Self::Constant(_) | Self::Variable(_) | Self::Empty => ([Id(0); 3], 0),
            Self::Unary(_, a) | Self::Affine(_, _, a) | Self::Table(.., a) => {
                ([a, Id(0), Id(0)], 1)
            }
            Self::Binary(_, a, b) | Self::List(a, b) => ([a, b, Id(0)], 2),
            Self::Ternary(_, a, b, c) => ([a, b, c], 3),
        };
        operands.into_iter().take(count)
    }

    /// The same operation on other operands.
    #[must_use]
    pub fn with_operands(self, mut map: impl FnMut(Id) -> Id) -> Self {
        match self {
            Self::Constant(_) | Self::Variable(_) | Self::Empty => self,
            Self::List(a, b) => Self::List(map(a), map(b)),
            Self::Affine(number, row, list) => Self::Affine(number, row, map(list)),
            Self::Unary(operation, a) => Self::Unary(operation, map(a)),
            Self::Binary(operation, a, b) => Self::Binary(operation, map(a), map(b)),
            Self::Ternary(operation, a, b, c) => Self::Ternary(operation, map(a), map(b), map(c)),
            Self::Table(table, derivative, a) => Self::Table(table, derivative, map(a)),
        }
    }
}

/// Defines an enum of operations with the list of all of them.
macro_rules! operations {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $operation:ident,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$meaning])* $operation,)+
        }

        impl $name {
            /// All operations.
            pub const ALL: &'static [Self] = &[$(Self::$operation),+];
        }
    };
}

operations! {
    /// Functions of one argument.
    Unary {
        /// `-x`
        Negate,
        /// `|x|`
        Absolute,
        /// -1, 0 or 1; of a zero that zero.
        Sign,
        /// Largest integer that is not above x.
        Floor,
        /// Square root.
        SquareRoot,
        /// `exp(x)`
        Exp,
        /// `exp(x) - 1`
        ExpM1,
        /// Natural logarithm.
        Ln,
        /// `ln(1 + x)`
        Ln1p,
        /// Sine.
        Sin,
        /// Cosine.
        Cos,
        /// Inverse tangent.
        Atan,
        /// Hyperbolic sine.
        Sinh,
        /// Hyperbolic cosine.
        Cosh,
        /// Hyperbolic tangent.
        Tanh,
        /// Error function.
        Erf,
        /// Gamma function.
        Gamma,
        /// Digamma function, the logarithmic derivative of the gamma function.
        Digamma,
        /// Trigamma function, the derivative of the digamma function.
        Trigamma,
    }
}

operations! {
    /// Functions of two arguments.
    Binary {
        /// `a + b`
        Add,
        /// `a - b`
        Subtract,
        /// `a b`
        Multiply,
        /// `a / b`
        Divide,
        /// `a^b` with a real exponent.
        Power,
        /// Smaller of both: `if a < b { a } else { b }`.
        Minimum,
        /// Larger of both: `if a > b { a } else { b }`.
        Maximum,
        /// 1 if `a < b`, else 0.
        Less,
        /// 1 if `a <= b`, else 0.
        LessOrEqual,
        /// 1 if `a = b`, else 0.
        Equal,
    }
}

operations! {
    /// Functions of three arguments.
    Ternary {
        /// `if a != 0 { b } else { c }`: both are evaluated.
        Select,
        /// Mittag-Leffler function `E_{a,b}(c)`, to the last digits.
        MittagLeffler,
        /// The same function from the nodes of its derivatives, to 1e-13 of max(1, |E|): vector code, which computes
        /// the value and all of the following together.
        MittagLefflerByNodes,
        /// Derivative of the Mittag-Leffler function with respect to c.
        MittagLefflerByArgument,
        /// Derivative of the Mittag-Leffler function with respect to a; 0 < a < 2, else NaN.
        MittagLefflerByAlpha,
        /// Derivative of the Mittag-Leffler function with respect to b; 0 < a < 2, else NaN.
        MittagLefflerByBeta,
    }
}
