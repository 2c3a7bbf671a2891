use crate::error::sum_of;
use crate::{Block, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use serde::{Deserialize, Serialize};

/// `y = x + inner(x)`
///
/// Source: He, Zhang, Ren and Sun, CVPR (2016), DOI 10.1109/CVPR.2016.90.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Inner<L>")]
#[serde(bound(deserialize = "L: Shape + Deserialize<'de>"))]
pub struct Residual<L> {
    inner: L,
}

/// A residual layer that is not checked yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inner<L> {
    inner: L,
}

impl<L: Shape> TryFrom<Inner<L>> for Residual<L> {
    type Error = NetworkError;

    fn try_from(Inner { inner }: Inner<L>) -> Result<Self, NetworkError> {
        Self::new(inner)
    }
}

impl<L: Shape> Residual<L> {
    /// Around a layer with as many outputs as inputs.
    ///
    /// # Errors
    /// [`NetworkError::NotSquare`] if it has not; [`NetworkError::TooLarge`] for more rows than can be counted.
    pub fn new(inner: L) -> Result<Self, NetworkError> {
        let (given, taken) = (inner.outputs(), inner.inputs());
        if given != taken {
            return Err(NetworkError::NotSquare { given, taken });
        }
        sum_of("Residual", [inner.kept(), given])?;
        Ok(Self { inner })
    }
}

impl<L: Shape> Residual<L> {
    /// What the inner layer has left.
    fn inner_tape<'a, T>(&self, tape: Tape<'a, T>) -> Tape<'a, T> {
        let lanes = tape.x.lanes();
        let (own, inner) = tape.kept.as_slice().split_at(self.inner.kept() * lanes);
        let inner = &inner[..self.inner.outputs() * lanes];
        Tape { kept: Rows::new(own, lanes), y: Rows::new(inner, lanes), ..tape }
    }
}

impl<L: Shape> Shape for Residual<L> {
    fn inputs(&self) -> usize {
        self.inner.inputs()
    }

    fn outputs(&self) -> usize {
        self.inner.outputs()
    }

    fn blocks(&self) -> Vec<Block> {
        self.inner.blocks()
    }

    fn parameters(&self) -> usize {
        self.inner.parameters()
    }

    /// Those of the inner layer, and its y.
    fn kept(&self) -> usize {
        self.inner.kept() + self.inner.outputs()
    }

    fn scratch(&self) -> usize {
        self.inner.scratch()
    }
}

impl<T: Scalar, L: Layer<T>> Layer<T> for Residual<L> {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        self.inner.initialise(normals, first, theta);
    }

    fn forward(
        &self,
        pass: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        mut kept: RowsMut<'_, T>,
        mut y: RowsMut<'_, T>,
    ) {
        let lanes = x.lanes();
        let (own, inner) = kept.as_mut_slice().split_at_mut(self.inner.kept() * lanes);
        let inner = &mut inner[..self.inner.outputs() * lanes];
        self.inner.forward(pass, theta, x, RowsMut::new(own, lanes), RowsMut::new(inner, lanes));
        for ((y, x), inner) in y.as_mut_slice().iter_mut().zip(x.as_slice()).zip(&*inner) {
            *y = *x + *inner;
        }
    }

    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        mut ybar: RowsMut<'_, T>,
        mut xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        scratch: RowsMut<'_, T>,
    ) {
        let tape = self.inner_tape(tape);
        if let Some(xbar) = &mut xbar {
            let both = xbar.as_mut_slice().iter_mut().zip(ybar.as_mut_slice());
            both.for_each(|(xbar, ybar)| *xbar += *ybar);
        }
        self.inner.vjp(theta, tape, ybar, xbar, thetabar, scratch);
    }

    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        let tape = self.inner_tape(tape);
        self.inner.culprit(tape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Dense};

    #[test]
    fn not_square() {
        let error = Residual::new(Dense::new(3, 2, Activation::Tanh)).unwrap_err();
        assert_eq!(error, NetworkError::NotSquare { given: 2, taken: 3 });
        let text = "a residual layer around one that takes 3 rows and gives 2";
        assert_eq!(error.to_string(), text);
    }
}
