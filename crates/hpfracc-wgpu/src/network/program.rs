//! Programs: the steps of the forward and the backward pass, and where values lie.

use super::step::{self, Base, HALF, MOST_ROUNDS, Matrix, Parts, Place, Step, Then};
use hpfracc_nn::{ComputedWeights, Shape};
use std::fmt::Display;
use std::ops::Range;
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

/// Weights that a layer computes on the CPU from its parameters: further parameters of the program.
pub(super) struct Computed {
    pub(super) weights: Box<dyn ComputedWeights<f32>>,
    /// Parameters of the layer, and the weights.
    pub(super) theta: Range<Place>,
    pub(super) at: Range<Place>,
}

/// Steps and memory of a network for a number of lanes.
#[derive(Default)]
pub(super) struct Program {
    /// Numbers in the buffer of values.
    pub(super) len: usize,
    /// Numbers in the buffer of values in half precision; `None` if layers store theirs in single precision.
    pub(super) halves: Option<usize>,
    /// Numbers in the buffer of parameters, those of the network first.
    pub(super) parameters: usize,
    pub(super) computed: Vec<Computed>,
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

/// Most samples or times of a sum in one dispatch: longer ones have several.
const LONGEST_SUM: usize = 32_768;

impl Program {
    /// An empty program for a network with this number of parameters.
    pub(super) fn for_parameters(parameters: usize) -> Self {
        Self { parameters, ..Self::default() }
    }

    /// A new array of values that layers write and read, in the precision of their storage.
    pub(super) fn stored(&mut self, len: usize) -> Place {
        let Some(halves) = &mut self.halves else { return self.array(len) };
        let place = HALF + *halves;
        *halves += len;
        place
    }

    /// An array in single precision with the values of another one.
    pub(super) fn exact(&mut self, x: Place, len: usize) -> Place {
        if x < HALF {
            return x;
        }
        let y = self.array(len);
        self.forward.push(step::elementwise(len, [x, y, 0], "values[b] = values[a];"));
        self.then_backward([step::elementwise(len, [x, y, 0], "bars[a] += bars[b];")]);
        y
    }

    /// A new array of values in single precision.
    pub(super) fn array(&mut self, len: usize) -> Place {
        let place = self.len;
        self.len += len;
        place
    }

    /// Places of computed weights, for a layer whose parameters begin at `theta`.
    pub(super) fn computed(
        &mut self,
        layer: impl ComputedWeights<f32> + Shape + 'static,
        theta: Place,
    ) -> Place {
        let (at, theta) = (self.parameters, theta..theta + layer.parameters());
        self.parameters += layer.count();
        let at = at..self.parameters;
        let place = at.start;
        self.computed.push(Computed { weights: Box::new(layer), theta, at });
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

    /// W x + b, with its derivatives, and what follows in the forward pass.
    pub(super) fn affine(
        &mut self,
        (inputs, outputs): (usize, usize),
        (weight, bias): (Place, Place),
        Input { x, columns, .. }: Input,
        then: &Then,
    ) -> Place {
        let y = self.stored(outputs * columns);
        let weights = |buffer, row, column| Matrix { buffer, at: weight, row, column };
        let of = |buffer, at| Matrix { buffer, at, row: columns, column: 1 };
        self.forward.push(step::product(
            (outputs, inputs, columns),
            [weights("theta", inputs, 1), of("values", x), of("values", y)],
            Base::Bias(bias),
            then,
        ));
        let parts = self.parts;
        let at_once = LONGEST_SUM * parts.count;
        let over = |first: usize| {
            let some = at_once.min(columns - first);
            let transposed = Matrix { buffer: "values", at: x + first, row: 1, column: columns };
            step::product_in_parts(
                (outputs, some, inputs),
                [of("bars", y + first), transposed, weights("thetabar", inputs, 1)],
                (Base::PresentAndSums(bias), parts),
                &Then::default(),
            )
        };
        let mut backward: Vec<Step> = (0..columns).step_by(at_once).map(over).collect();
        backward.push(step::product(
            (inputs, outputs, columns),
            [weights("theta", 1, inputs), of("bars", y), of("bars", x)],
            Base::Present,
            &Then::default(),
        ));
        self.then_backward(backward);
        y
    }
}
