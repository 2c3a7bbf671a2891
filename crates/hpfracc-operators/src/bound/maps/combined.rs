//! Products and sums of maps.

use super::signal_map::{Call, Direction, Pending, SignalMap};
use crate::bound::scratch::Scratch;
use crate::error::fits;
use crate::{OperatorError, Result};
use hpfracc_backend::Shape;
use hpfracc_types::Real;

type Maps<T> = Vec<Box<dyn SignalMap<T>>>;

/// `A_1 A_2 .. A_m`: the last one acts first.
pub(super) struct Product<T: Real> {
    factors: Maps<T>,
    scratch: Scratch<T>,
}

/// `A_1 + A_2 + .. + A_m`.
pub(super) struct Sum<T: Real> {
    terms: Maps<T>,
    scratch: Scratch<T>,
}

impl<T: Real> Product<T> {
    pub(super) fn new(factors: Maps<T>) -> Result<Self> {
        same_shapes("the length of a factor", &factors)?;
        Ok(Self { factors, scratch: Scratch::new() })
    }

    /// The i-th factor to act.
    fn factor(&self, direction: Direction, i: usize) -> &dyn SignalMap<T> {
        match direction {
            Direction::Forward => self.factors[self.factors.len() - 1 - i].as_ref(),
            Direction::Transposed => self.factors[i].as_ref(),
        }
    }
}

impl<T: Real> SignalMap<T> for Product<T> {
    fn shape(&self) -> Shape {
        self.factors[0].shape()
    }

    fn run(&self, Call { direction, from, to, batch }: Call<'_, T>) -> Result<()> {
        self.factor(direction, 0).run(Call::new(direction, from, to, batch))?;
        self.scratch.lend(to.len(), |between| {
            (1..self.factors.len()).try_for_each(|i| {
                between.copy_from_slice(to);
                self.factor(direction, i).run(Call::new(direction, between, to, batch))
            })
        })
    }

    fn run_async<'a>(&'a self, Call { direction, from, to, batch }: Call<'a, T>) -> Pending<'a> {
        Box::pin(async move {
            self.factor(direction, 0).run_async(Call::new(direction, from, to, batch)).await?;
            for i in 1..self.factors.len() {
                let between = to.to_vec();
                self.factor(direction, i)
                    .run_async(Call::new(direction, &between, to, batch))
                    .await?;
            }
            Ok(())
        })
    }
}

impl<T: Real> Sum<T> {
    pub(super) fn new(terms: Maps<T>) -> Result<Self> {
        same_shapes("the length of a term", &terms)?;
        Ok(Self { terms, scratch: Scratch::new() })
    }
}

pub(super) fn add<T: Real>(sum: &mut [T], term: &[T]) {
    sum.iter_mut().zip(term).for_each(|(sum, term)| *sum += *term);
}

impl<T: Real> SignalMap<T> for Sum<T> {
    fn shape(&self) -> Shape {
        self.terms[0].shape()
    }

    fn run(&self, Call { direction, from, to, batch }: Call<'_, T>) -> Result<()> {
        self.terms[0].run(Call::new(direction, from, to, batch))?;
        self.scratch.lend(to.len(), |one| {
            self.terms[1..].iter().try_for_each(|term| {
                term.run(Call::new(direction, from, one, batch))?;
                add(to, one);
                Ok(())
            })
        })
    }

    fn run_async<'a>(&'a self, Call { direction, from, to, batch }: Call<'a, T>) -> Pending<'a> {
        Box::pin(async move {
            self.terms[0].run_async(Call::new(direction, from, to, batch)).await?;
            let mut one = vec![T::zero(); to.len()];
            for term in &self.terms[1..] {
                term.run_async(Call::new(direction, from, &mut one, batch)).await?;
                add(to, &one);
            }
            Ok(())
        })
    }
}

/// Checks that there is at least one map, and that all have one shape.
fn same_shapes<T: Real>(what: &'static str, maps: &Maps<T>) -> Result<()> {
    let len = |map: &dyn SignalMap<T>| map.shape().lens().iter().product();
    fits("the number of parts of a product or a sum", maps.len(), maps.len().max(1))?;
    match maps.iter().find(|map| map.shape() != maps[0].shape()) {
        None => Ok(()),
        Some(other) => {
            let (found, expected) = (len(other.as_ref()), len(maps[0].as_ref()));
            Err(OperatorError::Malformed { what, found, expected })
        }
    }
}
