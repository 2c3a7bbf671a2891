//! Maps one after the other, and maps side by side.

use super::Part;
use crate::OperatorError;
use crate::scratch::Scratch;
use hpfracc_backend::Shape;
use hpfracc_types::Real;

type Parts<T> = Vec<Box<dyn Part<T>>>;

/// `A_1 A_2 .. A_m`: the last one acts first.
pub(super) struct Product<T> {
    factors: Parts<T>,
    scratch: Scratch<T>,
}

/// `A_1 + A_2 + .. + A_m`.
pub(super) struct Sum<T> {
    terms: Parts<T>,
    scratch: Scratch<T>,
}

impl<T: Real> Product<T> {
    pub(super) fn new(factors: Parts<T>) -> Result<Self, OperatorError> {
        same_shapes("the length of a factor", &factors)?;
        Ok(Self { factors, scratch: Scratch::new() })
    }

    /// Takes `from` through the parts in the order given.
    fn through<'a>(
        &self,
        mut order: impl Iterator<Item = &'a dyn Part<T>>,
        from: &[T],
        to: &mut [T],
        step: impl Fn(&'a dyn Part<T>, &[T], &mut [T]) -> Result<(), OperatorError>,
    ) -> Result<(), OperatorError>
    where
        T: 'a,
    {
        if let Some(first) = order.next() {
            step(first, from, to)?;
        }
        self.scratch.lend(to.len(), |between| {
            for part in order {
                between.copy_from_slice(to);
                step(part, between, to)?;
            }
            Ok(())
        })
    }
}

impl<T: Real> Part<T> for Product<T> {
    fn shape(&self) -> Shape {
        self.factors[0].shape()
    }

    fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError> {
        let order = self.factors.iter().rev().map(AsRef::as_ref);
        self.through(order, x, y, |part, x, y| part.apply(x, y, batch))
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError> {
        let order = self.factors.iter().map(AsRef::as_ref);
        self.through(order, y, x, |part, y, x| part.apply_transpose(y, x, batch))
    }
}

impl<T: Real> Sum<T> {
    pub(super) fn new(terms: Parts<T>) -> Result<Self, OperatorError> {
        same_shapes("the length of a term", &terms)?;
        Ok(Self { terms, scratch: Scratch::new() })
    }

    fn add_up(
        &self,
        to: &mut [T],
        term: impl Fn(&dyn Part<T>, &mut [T]) -> Result<(), OperatorError>,
    ) -> Result<(), OperatorError> {
        let (first, others) = (&self.terms[0], &self.terms[1..]);
        term(first.as_ref(), to)?;
        self.scratch.lend(to.len(), |one| {
            for part in others {
                term(part.as_ref(), one)?;
                to.iter_mut().zip(&*one).for_each(|(sum, one)| *sum += *one);
            }
            Ok(())
        })
    }
}

impl<T: Real> Part<T> for Sum<T> {
    fn shape(&self) -> Shape {
        self.terms[0].shape()
    }

    fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError> {
        self.add_up(y, |part, y| part.apply(x, y, batch))
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError> {
        self.add_up(x, |part, x| part.apply_transpose(y, x, batch))
    }
}

/// At least one part, and all of one length.
fn same_shapes<T>(what: &'static str, parts: &Parts<T>) -> Result<(), OperatorError> {
    let len = |part: &dyn Part<T>| part.shape().lens().iter().product();
    let Some(expected) = parts.first().map(|part| len(part.as_ref())) else {
        let what = "the number of parts of a product or a sum";
        return Err(OperatorError::Malformed { what, found: 0, expected: 1 });
    };
    match parts.iter().find(|part| part.shape() != parts[0].shape()) {
        None => Ok(()),
        Some(other) => Err(OperatorError::Malformed { what, found: len(other.as_ref()), expected }),
    }
}

#[cfg(test)]
mod tests {
    use crate::bound_weights::bind;
    use crate::{OperatorError, Toeplitz, Weights};
    use hpfracc_backend::{Backend, Reference};
    use ndarray::array;
    use std::sync::Arc;

    /// All kinds of weights together: (D T + M / 2) of two signals, and its transpose.
    #[test]
    fn parts_act_as_their_matrices_do() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        let toeplitz = || Weights::from(Toeplitz::causal(vec![1.0, 2.0]));
        let diagonal = || Weights::Diagonal(vec![3.0, 5.0]);
        let matrix = || Weights::Matrix(array![[2.0, 4.0], [6.0, 8.0]]);
        let sum = |factor: f64| {
            let product = Weights::Product(vec![diagonal(), toeplitz()]);
            Weights::Sum(vec![product, matrix().scaled(0.5)]).scaled(factor)
        };
        // D T = [[3, 0], [10, 5]], M / 2 = [[1, 2], [3, 4]]
        let map = bind(&sum(1.0), &backend).unwrap();
        let (mut y, mut x) = ([f64::NAN; 4], [f64::NAN; 4]);
        map.apply(&[1.0, 0.0, 0.0, 1.0], &mut y, 2).unwrap();
        assert_eq!(y, [4.0, 13.0, 2.0, 9.0]);
        map.apply_transpose(&[1.0, 0.0, 0.0, 1.0], &mut x, 2).unwrap();
        assert_eq!(x, [4.0, 2.0, 13.0, 9.0]);
        bind(&sum(2.0), &backend).unwrap().apply(&[1.0, 1.0, 0.0, 0.0], &mut y, 2).unwrap();
        assert_eq!(y, [12.0, 44.0, 0.0, 0.0]);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        let (two, three) = (vec![1.0; 2], vec![1.0; 3]);
        let unequal = || vec![Weights::Diagonal(two.clone()), Weights::Diagonal(three.clone())];
        let wide = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        for weights in [
            Weights::Product(unequal()),
            Weights::Sum(unequal()),
            Weights::Product(Vec::new()),
            Weights::Sum(Vec::new()),
            Weights::Diagonal(Vec::new()),
            Weights::Matrix(wide),
        ] {
            let refused = bind(&weights, &backend).err().unwrap();
            assert!(matches!(refused, OperatorError::Malformed { .. }), "{refused}");
        }
    }
}
