//! Complex numbers as pairs of nodes.

use crate::graph::{Binary, Graph, Id, Unary};
use std::f64::consts::FRAC_PI_2;

/// Complex number by the nodes of its parts; None is an exact zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Complex {
    pub(super) re: Option<Id>,
    pub(super) im: Option<Id>,
}

impl Complex {
    pub(super) fn real(re: Id) -> Self {
        Self { re: Some(re), im: None }
    }
}

/// Operations, which add nodes to a graph.
pub(super) struct Arithmetic<'a> {
    pub(super) graph: &'a mut Graph,
}

impl Arithmetic<'_> {
    /// Node of a part.
    pub(super) fn node(&mut self, part: Option<Id>) -> Id {
        part.unwrap_or_else(|| self.graph.constant(0.0))
    }

    fn negated(&mut self, a: Option<Id>) -> Option<Id> {
        a.map(|a| self.graph.unary(Unary::Negate, a))
    }

    fn sum(&mut self, a: Option<Id>, b: Option<Id>) -> Option<Id> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.graph.sum(a, b)),
            (a, b) => a.or(b),
        }
    }

    fn difference(&mut self, a: Option<Id>, b: Option<Id>) -> Option<Id> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.graph.difference(a, b)),
            (None, b) => self.negated(b),
            (a, None) => a,
        }
    }

    fn product(&mut self, a: Option<Id>, b: Option<Id>) -> Option<Id> {
        a.zip(b).map(|(a, b)| self.graph.product(a, b))
    }

    fn quotient(&mut self, a: Option<Id>, b: Id) -> Option<Id> {
        a.map(|a| self.graph.quotient(a, b))
    }

    fn unary(&mut self, operation: Unary, a: Option<Id>) -> Id {
        let a = self.node(a);
        self.graph.unary(operation, a)
    }

    pub(super) fn negate(&mut self, a: Complex) -> Complex {
        Complex { re: self.negated(a.re), im: self.negated(a.im) }
    }

    pub(super) fn add(&mut self, a: Complex, b: Complex) -> Complex {
        Complex { re: self.sum(a.re, b.re), im: self.sum(a.im, b.im) }
    }

    pub(super) fn subtract(&mut self, a: Complex, b: Complex) -> Complex {
        Complex { re: self.difference(a.re, b.re), im: self.difference(a.im, b.im) }
    }

    pub(super) fn multiply(&mut self, a: Complex, b: Complex) -> Complex {
        let (of_re, of_im) = (self.product(a.re, b.re), self.product(a.im, b.im));
        let (mixed, other) = (self.product(a.re, b.im), self.product(a.im, b.re));
        Complex { re: self.difference(of_re, of_im), im: self.sum(mixed, other) }
    }

    /// By the squared modulus of the divisor, unless this has one part only.
    pub(super) fn divide(&mut self, a: Complex, b: Complex) -> Complex {
        match (b.re, b.im) {
            (_, None) => {
                let below = self.node(b.re);
                Complex { re: self.quotient(a.re, below), im: self.quotient(a.im, below) }
            }
            (None, Some(below)) => {
                let (re, im) = (self.quotient(a.im, below), self.quotient(a.re, below));
                Complex { re, im: self.negated(im) }
            }
            _ => {
                let conjugate = Complex { re: b.re, im: self.negated(b.im) };
                let (above, below) = (self.multiply(a, conjugate), self.squared_modulus(b));
                Complex { re: self.quotient(above.re, below), im: self.quotient(above.im, below) }
            }
        }
    }

    fn squared_modulus(&mut self, a: Complex) -> Id {
        let (re, im) = (self.product(a.re, a.re), self.product(a.im, a.im));
        let sum = self.sum(re, im);
        self.node(sum)
    }

    pub(super) fn modulus(&mut self, a: Complex) -> Id {
        let square = self.squared_modulus(a);
        self.graph.unary(Unary::SquareRoot, square)
    }

    /// `2 atan(im/(|a| + re))`, between -pi and pi; a right angle where the real part is an exact zero, for a positive
    /// imaginary part.
    fn argument(&mut self, a: Complex) -> Id {
        if a.re.is_none() {
            return self.graph.constant(FRAC_PI_2);
        }
        let modulus = self.modulus(a);
        let below = self.sum(Some(modulus), a.re);
        let (im, below) = (self.node(a.im), self.node(below));
        let slope = self.graph.quotient(im, below);
        let (half, two) = (self.graph.unary(Unary::Atan, slope), self.graph.constant(2.0));
        self.graph.product(two, half)
    }

    /// Principal value of a power with a real exponent.
    pub(super) fn power(&mut self, a: Complex, exponent: Id) -> Complex {
        let modulus = match (a.re, a.im) {
            (None, Some(im)) => self.graph.binary(Binary::Power, im, exponent),
            _ => {
                let (square, two) = (self.squared_modulus(a), self.graph.constant(2.0));
                let half = self.graph.quotient(exponent, two);
                self.graph.binary(Binary::Power, square, half)
            }
        };
        let argument = self.argument(a);
        let angle = self.graph.product(exponent, argument);
        self.polar(modulus, angle)
    }

    fn polar(&mut self, modulus: Id, angle: Id) -> Complex {
        let (cos, sin) = (self.graph.unary(Unary::Cos, angle), self.graph.unary(Unary::Sin, angle));
        let modulus = Some(modulus);
        Complex { re: self.product(modulus, Some(cos)), im: self.product(modulus, Some(sin)) }
    }

    pub(super) fn exp(&mut self, a: Complex) -> Complex {
        let modulus = self.unary(Unary::Exp, a.re);
        let angle = self.node(a.im);
        self.polar(modulus, angle)
    }

    /// `expm1(re) cos(im) - 2 sin(im/2)^2 + i exp(re) sin(im)`: no cancellation for small numbers.
    pub(super) fn exp_m1(&mut self, a: Complex) -> Complex {
        let less = self.unary(Unary::ExpM1, a.re);
        let (im, two) = (self.node(a.im), self.graph.constant(2.0));
        let half = self.graph.quotient(im, two);
        let sin = self.graph.unary(Unary::Sin, half);
        let square = self.graph.product(sin, sin);
        let (cos, twice) = (self.graph.unary(Unary::Cos, im), self.graph.product(two, square));
        let product = self.graph.product(less, cos);
        let re = self.graph.difference(product, twice);
        Complex { re: Some(re), im: self.exp(a).im }
    }

    pub(super) fn ln(&mut self, a: Complex) -> Complex {
        let square = self.squared_modulus(a);
        let (ln, two) = (self.graph.unary(Unary::Ln, square), self.graph.constant(2.0));
        let im = Some(self.argument(a));
        Complex { re: Some(self.graph.quotient(ln, two)), im }
    }

    /// `f(re) cos(im) + i g(re) sin(im)`: the hyperbolic sine or cosine with the other one.
    pub(super) fn hyperbolic(&mut self, f: Unary, g: Unary, a: Complex) -> Complex {
        let (f, g) = (self.unary(f, a.re), self.unary(g, a.re));
        let (cos, sin) = (self.unary(Unary::Cos, a.im), self.unary(Unary::Sin, a.im));
        Complex { re: Some(self.graph.product(f, cos)), im: Some(self.graph.product(g, sin)) }
    }

    /// `-m/(2 + m)` with `m = expm1(-2 a)`: for real parts down to -350, and of any size above.
    pub(super) fn tanh(&mut self, a: Complex) -> Complex {
        let (minus, two) = (self.graph.constant(-2.0), self.graph.constant(2.0));
        let twice = self.multiply(Complex::real(minus), a);
        let m = self.exp_m1(twice);
        let (above, below) = (self.negate(m), self.add(Complex::real(two), m));
        self.divide(above, below)
    }
}
