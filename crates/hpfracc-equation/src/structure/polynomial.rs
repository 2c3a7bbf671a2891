//! Normal form of polynomials: sums of monomials in atoms.

use super::rational::Rational;
use crate::graph::Id;
use std::collections::BTreeMap;

/// Most terms of a polynomial.
const MAX_TERMS: usize = 64;

/// Most atoms of a monomial.
const MAX_ATOMS: usize = 32;

/// Product of integer powers of atoms, nodes that are no polynomials, in ascending order. No power is 0.
pub(crate) type Monomial = Vec<(Id, i32)>;

/// Polynomial in atoms with rational coefficients, of which none is 0. Operations fail where it would have
/// too many terms or a number would overflow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Polynomial {
    terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    pub(crate) fn constant(value: Rational) -> Self {
        let mut polynomial = Self::default();
        if !value.is_zero() {
            polynomial.terms.insert(Monomial::new(), value);
        }
        polynomial
    }

    /// `atom^power`
    pub(crate) fn power_of(atom: Id, power: i32) -> Self {
        let monomial = if power == 0 { Monomial::new() } else { vec![(atom, power)] };
        Self { terms: BTreeMap::from([(monomial, Rational::ONE)]) }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = (&Monomial, Rational)> {
        self.terms.iter().map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// Monomial and coefficient, if it is one term.
    pub(crate) fn single(&self) -> Option<(&Monomial, Rational)> {
        self.terms().next().filter(|_| self.terms.len() == 1)
    }

    pub(crate) fn negated(&self) -> Self {
        let negated = self.terms().map(|(monomial, c)| (monomial.clone(), c.negated()));
        Self { terms: negated.collect() }
    }

    /// Adds `coefficient monomial`.
    fn add(&mut self, monomial: Monomial, coefficient: Rational) -> Option<()> {
        let known = self.terms.remove(&monomial);
        let sum = known.map_or(Some(coefficient), |known| known.plus(coefficient))?;
        if !sum.is_zero() {
            self.terms.insert(monomial, sum);
        }
        (self.terms.len() <= MAX_TERMS).then_some(())
    }

    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        other.terms().try_for_each(|(monomial, c)| sum.add(monomial.clone(), c))?;
        Some(sum)
    }

    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (a, c) in self.terms() {
            for (b, d) in other.terms() {
                product.add(multiplied(a, b)?, c.times(d)?)?;
            }
        }
        Some(product)
    }

    /// `1/p` of a single term.
    pub(crate) fn reciprocal(&self) -> Option<Self> {
        let (monomial, coefficient) = self.single()?;
        let powers = monomial.iter().map(|(atom, power)| (*atom, -power)).collect();
        Some(Self { terms: BTreeMap::from([(powers, coefficient.reciprocal()?)]) })
    }

    /// `p^n`, of a negative n for a single term.
    pub(crate) fn power(&self, n: i32) -> Option<Self> {
        let base = if n < 0 { self.reciprocal()? } else { self.clone() };
        // Beyond, more than one term has too many.
        let exponent = n.unsigned_abs();
        (exponent as usize <= MAX_TERMS).then_some(())?;
        (0..exponent).try_fold(Self::constant(Rational::ONE), |power, _| power.times(&base))
    }
}

/// Product of two monomials.
fn multiplied(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut product: BTreeMap<Id, i32> = a.iter().copied().collect();
    for &(atom, power) in b {
        let sum = product.entry(atom).or_default();
        *sum = sum.checked_add(power).filter(|sum| sum.abs() < i32::MAX / 2)?;
    }
    product.retain(|_, power| *power != 0);
    (product.len() <= MAX_ATOMS).then(|| product.into_iter().collect())
}
