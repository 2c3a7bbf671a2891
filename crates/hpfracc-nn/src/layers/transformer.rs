use super::{
    Activation, Dense, EachTime, Embedding, MultiHeadAttention, Network, Residual, RmsNorm, Rotary,
    Sequential, SwiGlu,
};
use crate::NetworkError;
use crate::checks::sizes_of;
use serde::{Deserialize, Serialize};

/// Transformer with normalisation before each part (pre-norm), as a [`Network`]:
///
/// ```text
/// x <- x + attention(rms(x))                  rotary positions, causal or not
/// x <- x + W swiglu(rms(x))                   both parts, `blocks` times
/// ```
///
/// between an embedding of the input at each time and a last normalisation with a dense layer at
/// each time. With causal attention (a decoder) an output depends on no later input, so that it can
/// be trained to predict the next one.
///
/// Parameters: in each block four projections of attention, `4 features (features + 1)`, the gated
/// unit, `2 hidden (features + 1)`, its output, `features (hidden + 1)`, and `2 features` of the
/// normalisations.
///
/// Cost for each time: twice the number of parameters and `2 features length` multiply-adds a block
/// for attention, twice that backward.
///
/// Sources: Vaswani et al., NeurIPS (2017), arXiv:1706.03762; Xiong et al., ICML (2020),
/// arXiv:2002.04745, for the place of the normalisation; Touvron et al., arXiv:2302.13971 (2023),
/// section 2.2, for this combination of parts.
///
/// ```
/// use hpfracc_nn::{Shape, Transformer};
///
/// // A decoder for texts of 32 characters out of 20.
/// let network = Transformer::new(16, 2, 2, 32).causal().classes(20)?;
/// assert_eq!((network.inputs(), network.outputs()), (32, 20 * 32));
///
/// // An encoder for series of 3 channels, whose output has 1.
/// let network = Transformer::new(16, 2, 2, 32).series(3, 1)?;
/// assert_eq!((network.inputs(), network.outputs()), (3 * 32, 32));
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transformer {
    /// Features of each time between the blocks.
    pub features: usize,
    /// Heads of attention, a divisor of the features; each has an even number of them.
    pub heads: usize,
    /// Blocks of attention and gated unit.
    pub blocks: usize,
    /// Times of a series.
    pub length: usize,
    /// Rows of the gated unit.
    pub hidden: usize,
    /// Whether no later time is seen.
    #[serde(default)]
    pub causal: bool,
}

impl Transformer {
    /// An encoder, with 8/3 times as many rows of the gated unit as features, rounded up to a
    /// multiple of 8.
    pub fn new(features: usize, heads: usize, blocks: usize, length: usize) -> Self {
        let hidden = features.saturating_mul(8).div_ceil(3).next_multiple_of(8);
        Self { features, heads, blocks, length, hidden, causal: false }
    }

    /// A decoder: this transformer with causal attention.
    #[must_use]
    pub fn causal(self) -> Self {
        Self { causal: true, ..self }
    }

    /// The network for series of classes, such as characters: x has a row for each time, with the number
    /// of a class; y has `classes` channels of logits.
    ///
    /// # Errors
    /// [`NetworkError`] for a size of 0, heads that do not divide the features into even numbers, or
    /// sizes that are not addressable.
    pub fn classes(self, classes: usize) -> Result<Network, NetworkError> {
        let embedding = Network::Embedding(Embedding::new(classes, self.features)?);
        self.between(embedding, classes)
    }

    /// The network for series of numbers, of `inputs` and `outputs` channels.
    ///
    /// # Errors
    /// As [`classes`](Self::classes).
    pub fn series(self, inputs: usize, outputs: usize) -> Result<Network, NetworkError> {
        self.between(dense(inputs, self.features)?, outputs)
    }

    fn between(self, embedding: Network, outputs: usize) -> Result<Network, NetworkError> {
        sizes_of("Transformer", &[("blocks", self.blocks)])?;
        let mut layers = vec![self.at_each_time(vec![embedding])?];
        for _ in 0..self.blocks {
            layers.push(self.attention()?);
            layers.push(self.gated_unit()?);
        }
        layers.push(self.at_each_time(vec![self.norm()?, dense(self.features, outputs)?])?);
        Sequential::new(layers).map(Network::Sequential)
    }

    fn attention(&self) -> Result<Network, NetworkError> {
        let attention = MultiHeadAttention::new(self.features, self.heads, self.length)?;
        let attention = attention.rotary(Rotary::default())?;
        let attention = if self.causal { attention.causal() } else { attention };
        let norm = self.at_each_time(vec![self.norm()?])?;
        residual(vec![norm, Network::MultiHeadAttention(attention)])
    }

    fn gated_unit(&self) -> Result<Network, NetworkError> {
        let unit = Network::SwiGlu(SwiGlu::new(self.features, self.hidden)?);
        let output = dense(self.hidden, self.features)?;
        residual(vec![self.at_each_time(vec![self.norm()?, unit, output])?])
    }

    fn norm(&self) -> Result<Network, NetworkError> {
        RmsNorm::new(self.features).map(Network::RmsNorm)
    }

    fn at_each_time(&self, layers: Vec<Network>) -> Result<Network, NetworkError> {
        let layer = EachTime::new(self.length, sequence(layers)?)?;
        Ok(Network::EachTime(Box::new(layer)))
    }
}

fn dense(inputs: usize, outputs: usize) -> Result<Network, NetworkError> {
    let layer = Dense::new(inputs, outputs, Activation::Identity);
    layer.check().map(|()| Network::Dense(layer))
}

/// The composition of these layers, or the only one.
fn sequence(mut layers: Vec<Network>) -> Result<Network, NetworkError> {
    match (layers.pop(), layers.is_empty()) {
        (Some(only), true) => Ok(only),
        (last, _) => {
            layers.extend(last);
            Sequential::new(layers).map(Network::Sequential)
        }
    }
}

fn residual(layers: Vec<Network>) -> Result<Network, NetworkError> {
    Ok(Network::Residual(Box::new(Residual::new(sequence(layers)?)?)))
}
