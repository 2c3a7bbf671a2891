//! Programs: the steps of the forward and the backward pass, and where values lie.

use super::step::{self, Base, MOST_ROUNDS, Matrix, Parts, Place, Step};
use std::fmt::Display;
use thiserror::Error;

/// A network that is not computed on a GPU.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{layer} is not computed on a GPU: {reason}")]
pub struct NotOnGpu {
    /// The layer, after its position in the network.
    pub layer: String,
    /// The reason, and what to do.
    pub reason: String,
}

impl NotOnGpu {
    pub(super) fn new(layer: &str, reason: impl Display) -> Self {
        Self { layer: layer.to_owned(), reason: reason.to_string() }
    }
}

/// Steps and memory of a network for a number of lanes.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// Numbers in the buffer of values.
    pub(super) len: usize,
    /// Parts of the sums over columns.
    pub(super) parts: Parts,
    /// Arrays that are written once.
    pub(super) constants: Vec<(Place, Vec<f32>)>,
    pub(super) forward: Vec<Step>,
    /// In the order of the layers: executed from the last to the first.
    pub(super) backward: Vec<Step>,
}

/// Rows and columns of the input of a layer, and where its values and parameters are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input {
    pub(super) x: Place,
    pub(super) columns: usize,
    pub(super) theta: Place,
}

impl Program {
    /// A new array of values.
    pub(super) fn array(&mut self, len: usize) -> Place {
        let place = self.len;
        self.len += len;
        place
    }

    /// Fails if a dispatch would be too long, of this program or of further steps.
    pub(super) fn check_rounds(&self, more: &[Step]) -> Result<(), NotOnGpu> {
        let steps = self.forward.iter().chain(&self.backward).chain(more);
        match steps.map(|step| step.rounds).max() {
            Some(rounds) if rounds > MOST_ROUNDS => Err(NotOnGpu::new(
                "a step",
                format_args!(
                    "its loops have {rounds} rounds and a dispatch at most {MOST_ROUNDS}; take fewer samples or \
                     shorter series"
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Steps of the backward pass of one layer, in the order of their execution.
    pub(super) fn then_backward(
        &mut self,
        steps: impl IntoIterator<Item = Step, IntoIter: DoubleEndedIterator>,
    ) {
        self.backward.extend(steps.into_iter().rev());
    }

    /// W x + b, with its derivatives.
    pub(super) fn affine(
        &mut self,
        sizes: (usize, usize),
        places: (Place, Place),
        input: Input,
    ) -> Place {
        self.affine_and(sizes, places, input, None).0
    }

    /// z = W x + b, with its derivatives, and the values of a function of z; the derivatives of that are the caller's.
    pub(super) fn affine_and(
        &mut self,
        (inputs, outputs): (usize, usize),
        (weight, bias): (Place, Place),
        Input { x, columns, .. }: Input,
        function: Option<&str>,
    ) -> (Place, Place) {
        let y = self.array(outputs * columns);
        let weights = |buffer, row, column| Matrix { buffer, at: weight, row, column };
        let of = |buffer, at| Matrix { buffer, at, row: columns, column: 1 };
        let product = step::product(
            (outputs, inputs, columns),
            weights("theta", inputs, 1),
            of("values", x),
            of("values", y),
            Base::Bias(bias),
        );
        let (product, result) = match function {
            None => (product, y),
            Some(function) => {
                let result = self.array(outputs * columns);
                (product.followed_by(function, result - y), result)
            }
        };
        self.forward.push(product);
        let parts = self.parts;
        let transposed = Matrix { buffer: "values", at: x, row: 1, column: columns };
        self.then_backward([
            step::product_in_parts(
                (outputs, columns, inputs),
                (of("bars", y), transposed, weights("thetabar", inputs, 1)),
                Base::PresentAndSums(bias),
                parts,
            ),
            step::product(
                (inputs, outputs, columns),
                weights("theta", 1, inputs),
                of("bars", y),
                of("bars", x),
                Base::Present,
            ),
        ]);
        (y, result)
    }
}
