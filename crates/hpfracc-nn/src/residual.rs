use crate::{Block, Layer, NetworkError, Scalar, Tape};
use hpfracc_solvers::noise::{Normals, Rows, RowsMut};

/// `y = x + inner(x)`
///
/// Source: He, Zhang, Ren and Sun, CVPR (2016), DOI 10.1109/CVPR.2016.90.
pub struct Residual<T> {
    inner: Box<dyn Layer<T>>,
}

impl<T: Scalar> Residual<T> {
    /// Around a layer with as many outputs as inputs.
    ///
    /// # Errors
    /// [`NetworkError::Mismatch`] if it has not.
    pub fn new(inner: Box<dyn Layer<T>>) -> Result<Self, NetworkError> {
        let (given, taken) = (inner.outputs(), inner.inputs());
        if given == taken {
            Ok(Self { inner })
        } else {
            Err(NetworkError::Mismatch { layer: 0, given, taken })
        }
    }
}

impl<T: Scalar> Layer<T> for Residual<T> {
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

    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        self.inner.initialise(normals, first, theta);
    }

    fn forward(
        &self,
        theta: &[T],
        x: Rows<'_, T>,
        mut kept: RowsMut<'_, T>,
        mut y: RowsMut<'_, T>,
    ) {
        let lanes = x.lanes();
        let (own, inner) = kept.as_mut_slice().split_at_mut(self.inner.kept() * lanes);
        self.inner.forward(theta, x, RowsMut::new(own, lanes), RowsMut::new(inner, lanes));
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
        let lanes = tape.x.lanes();
        let (own, inner) = tape.kept.as_slice().split_at(self.inner.kept() * lanes);
        let tape = Tape { kept: Rows::new(own, lanes), y: Rows::new(inner, lanes), ..tape };
        if let Some(xbar) = &mut xbar {
            let both = xbar.as_mut_slice().iter_mut().zip(ybar.as_mut_slice());
            both.for_each(|(xbar, ybar)| *xbar += *ybar);
        }
        self.inner.vjp(theta, tape, ybar, xbar, thetabar, scratch);
    }
}
