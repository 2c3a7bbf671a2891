use crate::error::sum_of;
use crate::{Block, Layer, NetworkError, Pass, Scalar, Shape, Tape};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use serde::{Deserialize, Serialize};

/// Layers one after the other: the outputs of each are the inputs of the next.
///
/// Kept rows: those of the layers, and the values between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<L>", into = "Vec<L>")]
#[serde(bound(serialize = "L: Clone + Serialize"))]
#[serde(bound(deserialize = "L: Shape + Deserialize<'de>"))]
pub struct Sequential<L> {
    layers: Vec<L>,
    /// Where the parameters of each begin.
    starts: Vec<usize>,
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
    /// The layers, first to last.
    ///
    /// # Errors
    /// [`NetworkError`] for no layer, one without rows, one that does not take what the one before gives, or
    /// more parameters or rows in all than can be counted.
    pub fn new(layers: Vec<L>) -> Result<Self, NetworkError> {
        if layers.is_empty() {
            return Err(NetworkError::NoLayers);
        }
        let no_rows = |layer: &L| layer.inputs() == 0 || layer.outputs() == 0;
        if let Some(layer) = layers.iter().position(no_rows) {
            return Err(NetworkError::NoRows { layer });
        }
        for (index, pair) in layers.windows(2).enumerate() {
            let (given, taken) = (pair[0].outputs(), pair[1].inputs());
            if given != taken {
                return Err(NetworkError::Mismatch { layer: index + 1, given, taken });
            }
        }
        let last = layers.len() - 1;
        let between = || layers[..last].iter().map(|layer| layer.outputs());
        sum_of(NAME, layers.iter().map(|layer| layer.parameters()))?;
        sum_of(NAME, between().chain(layers.iter().map(|layer| layer.kept())))?;
        let (widest, own) = (between().max(), layers.iter().map(|layer| layer.scratch()).max());
        sum_of(NAME, [widest, widest, own].into_iter().flatten())?;
        let mut next = 0;
        let starts = layers.iter().map(|layer| {
            let start = next;
            next += layer.parameters();
            start
        });
        let starts = starts.collect();
        Ok(Self { layers, starts })
    }

    /// The layers with, for each, where its parameters start.
    fn with_starts(&self) -> impl DoubleEndedIterator<Item = (&L, usize)> + ExactSizeIterator {
        self.layers.iter().zip(self.starts.iter().copied())
    }

    fn last(&self) -> usize {
        self.layers.len() - 1
    }

    fn widest(&self) -> usize {
        self.layers[..self.last()].iter().map(|layer| layer.outputs()).max().unwrap_or(0)
    }
}

impl<L: Shape> Shape for Sequential<L> {
    fn inputs(&self) -> usize {
        self.layers[0].inputs()
    }

    fn outputs(&self) -> usize {
        self.layers[self.last()].outputs()
    }

    fn blocks(&self) -> Vec<Block> {
        let layers = self.layers.iter().enumerate();
        layers
            .flat_map(|(i, layer)| {
                layer.blocks().into_iter().map(move |block| block.within(&i.to_string()))
            })
            .collect()
    }

    fn parameters(&self) -> usize {
        self.layers.iter().map(|layer| layer.parameters()).sum()
    }

    fn kept(&self) -> usize {
        let between: usize = self.layers[..self.last()].iter().map(|layer| layer.outputs()).sum();
        between + self.layers.iter().map(|layer| layer.kept()).sum::<usize>()
    }

    fn scratch(&self) -> usize {
        let own = self.layers.iter().map(|layer| layer.scratch()).max().unwrap_or(0);
        2 * self.widest() + own
    }
}

impl<T: Scalar, L: Layer<T>> Layer<T> for Sequential<L> {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        for (layer, start) in self.with_starts() {
            let own = &mut theta[start..][..layer.parameters()];
            layer.initialise(normals, first + start as u64, own);
        }
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
        let mut rest = kept.as_mut_slice();
        let mut x = x;
        let last = self.last();
        for (i, (layer, start)) in self.with_starts().enumerate() {
            let (own, after) = rest.split_at_mut(layer.kept() * lanes);
            let own = RowsMut::new(own, lanes);
            let theta = &theta[start..][..layer.parameters()];
            if i == last {
                layer.forward(pass, theta, x, own, y.reborrow());
                break;
            }
            let (out, after) = after.split_at_mut(layer.outputs() * lanes);
            layer.forward(pass, theta, x, own, RowsMut::new(out, lanes));
            x = Rows::new(out, lanes);
            rest = after;
        }
    }

    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        ybar: RowsMut<'_, T>,
        mut xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        mut scratch: RowsMut<'_, T>,
    ) {
        let lanes = tape.x.lanes();
        let widest = self.widest() * lanes;
        let (mut present, rest) = scratch.as_mut_slice().split_at_mut(widest);
        let (mut earlier, own) = rest.split_at_mut(widest);
        let mut ybar = Some(ybar);
        // Where what the layer at hand has kept ends; its y follows, unless it is the last.
        let mut end = self.kept() * lanes;
        let last = self.last();
        for (i, (layer, start)) in self.with_starts().enumerate().rev() {
            let kept = tape.kept.as_slice();
            let y = match i == last {
                true => tape.y,
                false => {
                    end -= layer.outputs() * lanes;
                    Rows::new(&kept[end..][..layer.outputs() * lanes], lanes)
                }
            };
            end -= layer.kept() * lanes;
            let own_kept = Rows::new(&kept[end..][..layer.kept() * lanes], lanes);
            let inputs = layer.inputs() * lanes;
            let x = if i == 0 { tape.x } else { Rows::new(&kept[end - inputs..end], lanes) };
            let tape = Tape { x, kept: own_kept, y };
            let theta = &theta[start..][..layer.parameters()];
            let thetabar = &mut thetabar[start..][..layer.parameters()];
            let ybar = match ybar.take() {
                Some(ybar) => ybar,
                None => RowsMut::new(&mut present[..layer.outputs() * lanes], lanes),
            };
            let xbar = if i == 0 {
                xbar.take()
            } else {
                earlier[..inputs].fill(T::zero());
                Some(RowsMut::new(&mut earlier[..inputs], lanes))
            };
            let own = RowsMut::new(&mut own[..layer.scratch() * lanes], lanes);
            layer.vjp(theta, tape, ybar, xbar, thetabar, own);
            std::mem::swap(&mut present, &mut earlier);
        }
    }

    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        let lanes = tape.x.lanes();
        let (mut x, mut rest) = (tape.x, tape.kept.as_slice());
        self.layers.iter().enumerate().find_map(|(i, layer)| {
            let (own, after) = rest.split_at(layer.kept() * lanes);
            let last = i == self.last();
            let (y, after) = after.split_at(if last { 0 } else { layer.outputs() * lanes });
            let y = if last { tape.y } else { Rows::new(y, lanes) };
            let culprit = layer.culprit(Tape { x, kept: Rows::new(own, lanes), y });
            (x, rest) = (y, after);
            culprit.map(|name| format!("{i}.{name}"))
        })
    }
}
