use crate::checks::{checked, sizes_of};
use crate::error::product_of;
use crate::{
    Backward, Block, Forward, Initialiser, Layer, NetworkError, ParameterBlock, Scalar, Shape,
    Sizes,
};
use serde::{Deserialize, Serialize};

/// Embedding of the numbers of classes, such as characters or words, as vectors:
///
/// ```text
/// y = table[x]
/// ```
///
/// Shapes: x has one row, the number of a class from 0 on, as it is; y has `features` rows. One lane
/// for each sample. A number that is no class gives NaN.
///
/// Parameters: `table` (classes x features).
///
/// Cost for each sample: `features` numbers read; as many added backward. The numbers of classes have no
/// gradient.
///
/// ```
/// use hpfracc_nn::{Embedding, Shape};
///
/// let layer = Embedding::new(100, 16)?;
/// assert_eq!((layer.inputs(), layer.outputs(), layer.parameters()), (1, 16, 1600));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Embedding {
    classes: usize,
    features: usize,
    /// Initial values of the table.
    #[serde(default = "unit_normal")]
    pub table: Initialiser,
}

checked!(Embedding);

fn unit_normal() -> Initialiser {
    Initialiser::Normal(1.0)
}

impl Embedding {
    /// An embedding whose vectors start as normal with variance 1.
    ///
    /// # Errors
    /// [`NetworkError`] if `classes` or `features` is 0, or for a table that is not addressable.
    pub fn new(classes: usize, features: usize) -> Result<Self, NetworkError> {
        let layer = Self { classes, features, table: unit_normal() };
        layer.check().map(|()| layer)
    }

    fn check(&self) -> Result<(), NetworkError> {
        sizes_of("Embedding", &[("classes", self.classes), ("features", self.features)])?;
        product_of("Embedding", &[self.classes, self.features]).map(|_| ())
    }

    /// First element of the vector of a class.
    fn vector<T: Scalar>(&self, number: T) -> Option<usize> {
        let class = number.widen();
        let is_class = class >= 0.0 && class < self.classes as f64 && class.fract() == 0.0;
        is_class.then(|| class as usize * self.features)
    }
}

impl Shape for Embedding {
    fn sizes(&self) -> Sizes {
        let Self { classes, features, .. } = *self;
        let parameters = classes.saturating_mul(features);
        Sizes { inputs: 1, outputs: features, parameters, ..Sizes::default() }
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let Self { classes, features, table } = *self;
        vec![Block::new("table", &[classes, features]).drawn(table, (classes, features))]
    }
}

impl<T: Scalar> Layer<T> for Embedding {
    fn forward(&self, Forward { theta, x, mut y, .. }: Forward<'_, T>) {
        let lanes = x.lanes();
        for (lane, number) in x.as_slice().iter().enumerate() {
            let to = y.as_mut_slice()[lane..].iter_mut().step_by(lanes);
            match self.vector(*number) {
                Some(first) => to.zip(&theta[first..]).for_each(|(y, table)| *y = *table),
                None => to.for_each(|y| *y = T::narrow(f64::NAN)),
            }
        }
    }

    fn vjp(&self, Backward { tape, ybar, thetabar, .. }: Backward<'_, T>) {
        let lanes = tape.x.lanes();
        for (lane, number) in tape.x.as_slice().iter().enumerate() {
            let Some(first) = self.vector(*number) else { continue };
            let from = ybar.as_rows().as_slice()[lane..].iter().step_by(lanes);
            from.zip(&mut thetabar[first..]).for_each(|(ybar, bar)| *bar += *ybar);
        }
    }
}
