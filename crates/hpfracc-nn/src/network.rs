use crate::{
    Activation, Block, Conv1d, Dense, Dropout, FractionalConv1d, FractionalDense,
    FractionalDerivative, FractionalRnn, Layer, LayerNorm, MultiHeadAttention, NetworkError, Pass,
    Residual, RmsNorm, Scalar, Sequential, Shape, Softmax, SwiGlu, Tape,
};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use serde::{Deserialize, Serialize};

/// Any layer of this crate, and what is put together of them: a plain value, to be kept in a file.
///
/// ```
/// use hpfracc_nn::{Activation, Network, Shape};
///
/// let network = Network::perceptron(&[4, 64, 64, 4], Activation::Tanh)?;
/// assert_eq!(network.parameters(), 64 * 5 + 64 * 65 + 4 * 65);
/// let text = serde_json::to_string(&network)?;
/// assert_eq!(serde_json::from_str::<Network>(&text)?, network);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Network {
    /// See [`Conv1d`].
    Conv1d(Conv1d),
    /// See [`Dense`].
    Dense(Dense),
    /// See [`FractionalConv1d`].
    #[serde(rename = "fractional-conv1d")]
    FractionalConv1d(FractionalConv1d),
    /// See [`FractionalDense`].
    FractionalDense(FractionalDense),
    /// See [`FractionalDerivative`].
    FractionalDerivative(FractionalDerivative),
    /// See [`FractionalRnn`].
    FractionalRnn(FractionalRnn),
    /// See [`Dropout`].
    Dropout(Dropout),
    /// See [`LayerNorm`].
    LayerNorm(LayerNorm),
    /// See [`MultiHeadAttention`].
    MultiHeadAttention(MultiHeadAttention),
    /// See [`Residual`].
    Residual(Box<Residual<Network>>),
    /// See [`RmsNorm`].
    RmsNorm(RmsNorm),
    /// See [`Sequential`].
    Sequential(Sequential<Network>),
    /// See [`Softmax`].
    Softmax(Softmax),
    /// See [`SwiGlu`].
    #[serde(rename = "swiglu")]
    SwiGlu(SwiGlu),
}

impl Network {
    /// Dense layers between so many rows each, all but the last one with an activation.
    ///
    /// # Errors
    /// [`NetworkError::NoLayers`] for fewer than two sizes; [`NetworkError::TooLarge`] for more parameters than can
    /// be counted.
    pub fn perceptron(rows: &[usize], activation: Activation) -> Result<Self, NetworkError> {
        let last = rows.len().saturating_sub(2);
        let layers = rows.windows(2).enumerate().map(|(i, pair)| {
            let activation = if i == last { Activation::Identity } else { activation };
            let layer = Dense::new(pair[0], pair[1], activation);
            layer.check()?;
            Ok(Self::Dense(layer))
        });
        Sequential::new(layers.collect::<Result<_, _>>()?).map(Self::Sequential)
    }
}

/// The same for each kind of layer.
macro_rules! each {
    ($network:expr, $layer:ident => $value:expr) => {
        match $network {
            Network::Conv1d($layer) => $value,
            Network::Dense($layer) => $value,
            Network::FractionalConv1d($layer) => $value,
            Network::FractionalDense($layer) => $value,
            Network::FractionalDerivative($layer) => $value,
            Network::FractionalRnn($layer) => $value,
            Network::Dropout($layer) => $value,
            Network::LayerNorm($layer) => $value,
            Network::MultiHeadAttention($layer) => $value,
            Network::Residual($layer) => $value,
            Network::RmsNorm($layer) => $value,
            Network::Sequential($layer) => $value,
            Network::Softmax($layer) => $value,
            Network::SwiGlu($layer) => $value,
        }
    };
}

impl Shape for Network {
    fn inputs(&self) -> usize {
        each!(self, layer => layer.inputs())
    }

    fn outputs(&self) -> usize {
        each!(self, layer => layer.outputs())
    }

    fn blocks(&self) -> Vec<Block> {
        each!(self, layer => layer.blocks())
    }

    fn parameters(&self) -> usize {
        each!(self, layer => layer.parameters())
    }

    fn kept(&self) -> usize {
        each!(self, layer => layer.kept())
    }

    fn scratch(&self) -> usize {
        each!(self, layer => layer.scratch())
    }
}

/// A scalar for which all layers are compiled with this crate, and not again wherever there is a network.
/// Sealed: nobody else can name it.
pub trait Layered {
    /// The layer that a network is.
    fn layer(network: &Network) -> &dyn Layer<Self>
    where
        Self: Scalar;
}

impl Layered for f32 {
    fn layer(network: &Network) -> &dyn Layer<Self> {
        each!(network, layer => layer)
    }
}

impl Layered for f64 {
    fn layer(network: &Network) -> &dyn Layer<Self> {
        each!(network, layer => layer)
    }
}

impl<T: Scalar> Layer<T> for Network {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        T::layer(self).initialise(normals, first, theta);
    }

    fn forward(
        &self,
        pass: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        kept: RowsMut<'_, T>,
        y: RowsMut<'_, T>,
    ) {
        T::layer(self).forward(pass, theta, x, kept, y);
    }

    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        scratch: RowsMut<'_, T>,
    ) {
        T::layer(self).vjp(theta, tape, ybar, xbar, thetabar, scratch);
    }

    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        T::layer(self).culprit(tape)
    }
}
