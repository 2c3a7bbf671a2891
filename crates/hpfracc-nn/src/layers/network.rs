use super::{Dense, Network, Sequential};
use crate::{Activation, NetworkError};

/// Makes [`Network`] from the list of layers: the enum with its serde form, and the dispatch of
/// [`Shape`](crate::Shape) and [`Layer`](crate::Layer) to each kind.
///
/// `Layer` is implemented for `f32` and `f64` one by one and not for any scalar, so that all layers
/// are compiled with this crate, and not again in each crate that runs a network.
macro_rules! network {
    ($($kind:ident($layer:ty) = $name:literal,)+) => {
        /// Any layer of this crate, or a composition of layers: a plain value with a serde form,
        /// keyed by the kind of layer.
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
        #[non_exhaustive]
        pub enum Network {$(
            #[doc = concat!("Layer `", $name, "`.")]
            #[serde(rename = $name)]
            $kind($layer),
        )+}

        impl Shape for Network {
            fn sizes(&self) -> Sizes {
                match self {$(Self::$kind(layer) => layer.sizes(),)+}
            }

            fn parameter_blocks(&self) -> Vec<ParameterBlock> {
                match self {$(Self::$kind(layer) => layer.parameter_blocks(),)+}
            }

            fn tape_rows(&self) -> usize {
                match self {$(Self::$kind(layer) => layer.tape_rows(),)+}
            }

            fn compact_work(&self) -> usize {
                match self {$(Self::$kind(layer) => layer.compact_work(),)+}
            }
        }

        network!(@scalar f32, $($kind)+);
        network!(@scalar f64, $($kind)+);
    };
    (@scalar $scalar:ident, $($kind:ident)+) => {
        impl Layer<$scalar> for Network {
            fn forward(&self, run: Forward<'_, $scalar>) {
                match self {$(Self::$kind(layer) => layer.forward(run),)+}
            }

            fn vjp(&self, run: Backward<'_, $scalar>) {
                match self {$(Self::$kind(layer) => layer.vjp(run),)+}
            }

            fn forward_compact(
                &self,
                run: Forward<'_, $scalar>,
                tape: (&mut CompactVec<$scalar>, usize),
            ) {
                match self {$(Self::$kind(layer) => layer.forward_compact(run, tape),)+}
            }

            fn vjp_compact(
                &self,
                run: Backward<'_, $scalar>,
                tape: (&CompactVec<$scalar>, usize),
                work: RowsMut<'_, $scalar>,
            ) {
                match self {$(Self::$kind(layer) => layer.vjp_compact(run, tape, work),)+}
            }

            fn culprit(&self, tape: Tape<'_, $scalar>) -> Option<String> {
                match self {$(Self::$kind(layer) => layer.culprit(tape),)+}
            }
        }
    };
}

pub(super) use network;

impl Network {
    /// A multilayer perceptron: dense layers between these numbers of rows, all but the last with
    /// an activation.
    ///
    /// # Errors
    /// [`NetworkError::NoLayers`] for fewer than two sizes; [`NetworkError::OutOfRange`] for a size
    /// of 0; [`NetworkError::TooLarge`] if the number of parameters is not addressable.
    pub fn perceptron(rows: &[usize], activation: Activation) -> Result<Self, NetworkError> {
        let last = rows.len().saturating_sub(2);
        let layers = rows.windows(2).enumerate().map(|(i, pair)| {
            let activation = if i == last { Activation::Identity } else { activation };
            let layer = Dense::new(pair[0], pair[1], activation);
            layer.check()?;
            Ok(Self::Dense(layer))
        });
        Sequential::new(layers.collect::<Result<_, NetworkError>>()?).map(Self::Sequential)
    }
}
