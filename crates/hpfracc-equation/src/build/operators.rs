use super::{Expression, Operand};
use crate::graph::{Binary, Unary};
use std::ops::{Add, Div, Mul, Neg, Sub};

macro_rules! operators {
    ($($trait:ident $method:ident $operation:ident),*) => {$(
        impl<'a, B: Operand> $trait<B> for Expression<'a> {
            type Output = Self;

            fn $method(self, other: B) -> Self {
                self.with(Binary::$operation, other)
            }
        }

        impl<'a> $trait<Expression<'a>> for f64 {
            type Output = Expression<'a>;

            fn $method(self, other: Expression<'a>) -> Expression<'a> {
                other.builder.constant(self).with(Binary::$operation, other)
            }
        }
    )*};
}

operators!(Add add Add, Sub sub Subtract, Mul mul Multiply, Div div Divide);

impl Neg for Expression<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.of(Unary::Negate)
    }
}
