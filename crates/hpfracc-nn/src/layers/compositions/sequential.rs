use crate::error::sum_of;
use crate::{Backward, Forward, Layer, NetworkError, ParameterBlock, Scalar, Shape, Sizes, Tape};
use hpfracc_lanes::{CompactVec, Rows, RowsMut};
use serde::{Deserialize, Serialize};

/// Composition of layers: the outputs of each are the inputs of the next,
///
/// ```text
/// y = layer_n( ... layer_2(layer_1(x)))
/// ```
///
/// Shapes: x has the rows of the first layer's input, y those of the last layer's output.
///
/// Parameters: those of the layers, first to last, with names prefixed by the layer's position:
/// `0.weight`.
///
/// Cost: the sum over the layers. Saves the rows of the layers and the values between them.
///
/// Source: backpropagation through a composition: Rumelhart, Hinton and Williams, Nature 323 (1986)
/// 533, DOI 10.1038/323533a0.
///
/// ```
/// use hpfracc_nn::{Activation, Dense, Sequential, Shape};
///
/// let layers = vec![Dense::new(3, 8, Activation::Tanh), Dense::new(8, 1, Activation::Identity)];
/// let network = Sequential::new(layers)?;
/// assert_eq!((network.inputs(), network.outputs(), network.parameters()), (3, 1, 4 * 8 + 9));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<L>", into = "Vec<L>")]
#[serde(bound(serialize = "L: Clone + Serialize"))]
#[serde(bound(deserialize = "L: Shape + Deserialize<'de>"))]
pub struct Sequential<L> {
    layers: Vec<L>,
    /// First parameter of each layer.
    starts: Vec<usize>,
    sizes: Sizes,
    /// Rows of the widest value between two layers.
    widest: usize,
}

const NAME: &str = "Sequential";

impl<L: Shape> TryFrom<Vec<L>> for Sequential<L> {
    type Error = NetworkError;

    fn try_from(layers: Vec<L>) -> Result<Self, NetworkError> {
        Self::new(layers)
    }
}

impl<L> From<Sequential<L>> for Vec<L> {
    fn from(sequential: Sequential<L>) -> Self {
        sequential.layers
    }
}

impl<L: Shape> Sequential<L> {
    /// The composition of these layers, first to last.
    ///
    /// # Errors
    /// [`NetworkError`] for an empty list, a layer without rows, neighbours whose outputs and
    /// inputs differ, or sizes that are not addressable.
    pub fn new(layers: Vec<L>) -> Result<Self, NetworkError> {
        let all: Vec<Sizes> = layers.iter().map(|layer| layer.sizes()).collect();
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return Err(NetworkError::NoLayers);
        };
        if let Some(layer) = all.iter().position(|sizes| sizes.inputs == 0 || sizes.outputs == 0) {
            return Err(NetworkError::NoRows { layer });
        }
        for (index, pair) in all.windows(2).enumerate() {
            let (outputs, inputs) = (pair[0].outputs, pair[1].inputs);
            if outputs != inputs {
                return Err(NetworkError::Mismatch { layer: index + 1, outputs, inputs });
            }
        }
        let between = || all[1..].iter().map(|sizes| sizes.inputs);
        let widest = between().max().unwrap_or(0);
        let scratch = all.iter().map(|sizes| sizes.scratch).max().unwrap_or(0);
        let sizes = Sizes {
            inputs: first.inputs,
            outputs: last.outputs,
            parameters: sum_of(NAME, all.iter().map(|sizes| sizes.parameters))?,
            saved: sum_of(NAME, between().chain(all.iter().map(|sizes| sizes.saved)))?,
            scratch: sum_of(NAME, [widest, widest, scratch])?,
        };
        let mut next = 0;
        let starts = all.iter().map(|sizes| {
            next += sizes.parameters;
            next - sizes.parameters
        });
        let starts = starts.collect();
        Ok(Self { layers, starts, sizes, widest })
    }

    /// The layers, first to last.
    pub fn layers(&self) -> &[L] {
        &self.layers
    }

    /// The layers with their sizes and first parameters.
    fn placed(&self) -> impl DoubleEndedIterator<Item = (&L, Sizes, usize)> + ExactSizeIterator {
        let pairs = self.layers.iter().zip(&self.starts);
        pairs.map(|(layer, start)| (layer, layer.sizes(), *start))
    }

    fn last(&self) -> usize {
        self.layers.len() - 1
    }

    /// Runs `vjp` with each layer, last to first: its cotangents and parameters, and the place of
    /// its saved rows, whose number is `rows`, from which `vjp` makes its tape.
    fn each_backward<T: Scalar>(
        &self,
        run: Backward<'_, T>,
        rows: impl Fn(&L) -> usize,
        mut vjp: impl FnMut((usize, &L, Place), Backward<'_, T>),
    ) {
        let Backward { theta, tape, ybar, mut xbar, thetabar, mut scratch } = run;
        let lanes = tape.x.lanes();
        let widest = self.widest * lanes;
        let (mut present, rest) = scratch.as_mut_slice().split_at_mut(widest);
        let (mut earlier, own) = rest.split_at_mut(widest);
        let mut ybar = Some(ybar);
        // The saved rows of a layer come before its y, except those of the last layer.
        let between: usize = self.layers.iter().skip(1).map(|layer| layer.inputs()).sum();
        let mut first = (between + self.layers.iter().map(&rows).sum::<usize>()) * lanes;
        for (i, (layer, sizes, start)) in self.placed().enumerate().rev() {
            let [inputs, outputs] = [sizes.inputs, sizes.outputs].map(|rows| rows * lanes);
            let saved = rows(layer) * lanes;
            first -= saved + if i == self.last() { 0 } else { outputs };
            let ybar = match ybar.take() {
                Some(ybar) => ybar,
                None => RowsMut::new(&mut present[..outputs], lanes),
            };
            let xbar = if i == 0 {
                xbar.take()
            } else {
                earlier[..inputs].fill(T::zero());
                Some(RowsMut::new(&mut earlier[..inputs], lanes))
            };
            let run = Backward {
                theta: &theta[start..][..sizes.parameters],
                tape,
                ybar,
                xbar,
                thetabar: &mut thetabar[start..][..sizes.parameters],
                scratch: RowsMut::new(&mut own[..sizes.scratch * lanes], lanes),
            };
            vjp((i, layer, Place { first, saved, inputs, outputs }), run);
            std::mem::swap(&mut present, &mut earlier);
        }
    }
}

/// Saved rows of a layer of a composition, counted in numbers: its x ends where they begin, its y
/// begins where they end.
#[derive(Clone, Copy)]
struct Place {
    first: usize,
    saved: usize,
    inputs: usize,
    outputs: usize,
}

impl<L: Shape> Shape for Sequential<L> {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let layers = self.layers.iter().enumerate();
        let blocks = layers.flat_map(|(i, layer)| {
            let blocks = layer.parameter_blocks().into_iter();
            blocks.map(move |block| block.within(&i.to_string()))
        });
        blocks.collect()
    }

    fn tape_rows(&self) -> usize {
        let between = self.layers.iter().skip(1).map(|layer| layer.inputs());
        between.chain(self.layers.iter().map(|layer| layer.tape_rows())).sum()
    }

    fn compact_work(&self) -> usize {
        // x and y of a layer, and its own work.
        let own = self.layers.iter().map(|layer| layer.compact_work()).max();
        2 * self.widest + own.unwrap_or(0)
    }
}

impl<T: Scalar, L: Layer<T>> Layer<T> for Sequential<L> {
    fn forward(&self, Forward { pass, theta, mut x, mut saved, mut y }: Forward<'_, T>) {
        let lanes = x.lanes();
        let mut rest = saved.as_mut_slice();
        for (i, (layer, sizes, start)) in self.placed().enumerate() {
            let (own, after) = rest.split_at_mut(sizes.saved * lanes);
            let saved = RowsMut::new(own, lanes);
            let theta = &theta[start..][..sizes.parameters];
            if i == self.last() {
                layer.forward(Forward { pass, theta, x, saved, y: y.reborrow() });
                break;
            }
            let (out, after) = after.split_at_mut(sizes.outputs * lanes);
            let y = RowsMut::new(out, lanes);
            layer.forward(Forward { pass, theta, x, saved, y });
            x = Rows::new(out, lanes);
            rest = after;
        }
    }

    fn vjp(&self, run: Backward<'_, T>) {
        let Tape { x, saved, y } = run.tape;
        let own = |layer: &L| layer.saved();
        self.each_backward(run, own, |(i, layer, place), run| {
            let Place { first, outputs, inputs, saved: own } = place;
            let saved = saved.as_slice();
            let rows = |first: usize, len: usize| Rows::new(&saved[first..][..len], x.lanes());
            let y = if i == self.last() { y } else { rows(first + own, outputs) };
            let x = if i == 0 { x } else { rows(first - inputs, inputs) };
            layer.vjp(Backward { tape: Tape { x, saved: rows(first, own), y }, ..run });
        });
    }

    fn forward_compact(
        &self,
        Forward { pass, theta, x, mut saved, mut y }: Forward<'_, T>,
        (tape, mut first): (&mut CompactVec<T>, usize),
    ) {
        let (lanes, widest) = (x.lanes(), self.widest * x.lanes());
        let (mut input, rest) = saved.as_mut_slice().split_at_mut(widest);
        let (mut output, own) = rest.split_at_mut(widest);
        for (i, (layer, sizes, start)) in self.placed().enumerate() {
            let theta = &theta[start..][..sizes.parameters];
            let x = if i == 0 { x } else { Rows::new(&input[..sizes.inputs * lanes], lanes) };
            let saved = RowsMut::new(&mut own[..layer.compact_work() * lanes], lanes);
            if i == self.last() {
                let run = Forward { pass, theta, x, saved, y: y.reborrow() };
                layer.forward_compact(run, (&mut *tape, first));
                break;
            }
            let out = &mut output[..sizes.outputs * lanes];
            let run = Forward { pass, theta, x, saved, y: RowsMut::new(out, lanes) };
            layer.forward_compact(run, (&mut *tape, first));
            first += layer.tape_rows() * lanes;
            tape.write(first, out);
            first += out.len();
            std::mem::swap(&mut input, &mut output);
        }
    }

    fn vjp_compact(
        &self,
        run: Backward<'_, T>,
        (tape, start): (&CompactVec<T>, usize),
        mut work: RowsMut<'_, T>,
    ) {
        let Tape { x: x_first, y: y_last, .. } = run.tape;
        let (lanes, widest) = (x_first.lanes(), self.widest * x_first.lanes());
        let (mut x, rest) = work.as_mut_slice().split_at_mut(widest);
        let (mut y, own) = rest.split_at_mut(widest);
        let rows = |layer: &L| layer.tape_rows();
        self.each_backward(run, rows, |(i, layer, place), run| {
            let Place { first, outputs, inputs, .. } = place;
            if i > 0 {
                tape.read(start + first - inputs, &mut x[..inputs]);
            }
            let rows = Tape {
                x: if i == 0 { x_first } else { Rows::new(&x[..inputs], lanes) },
                saved: Rows::new(&[], lanes),
                y: if i == self.last() { y_last } else { Rows::new(&y[..outputs], lanes) },
            };
            let work = RowsMut::new(&mut own[..layer.compact_work() * lanes], lanes);
            layer.vjp_compact(Backward { tape: rows, ..run }, (tape, start + first), work);
            std::mem::swap(&mut x, &mut y);
        });
    }

    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        let lanes = tape.x.lanes();
        let (mut x, mut rest) = (tape.x, tape.saved.as_slice());
        self.placed().enumerate().find_map(|(i, (layer, sizes, _))| {
            let (own, after) = rest.split_at(sizes.saved * lanes);
            let last = i == self.last();
            let (y, after) = after.split_at(if last { 0 } else { sizes.outputs * lanes });
            let y = if last { tape.y } else { Rows::new(y, lanes) };
            let culprit = layer.culprit(Tape { x, saved: Rows::new(own, lanes), y });
            (x, rest) = (y, after);
            culprit.map(|name| format!("{i}.{name}"))
        })
    }
}
