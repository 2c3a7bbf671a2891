use crate::precision::Precision;
use crate::{F32, F64};

/// Activation function of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// `x`
    Identity,
    /// `max(x, 0)`
    Relu,
    /// `tanh(x)`
    Tanh,
    /// `1 / (1 + exp(-x))`
    Sigmoid,
    /// `ln(1 + exp(x))`
    Softplus,
    /// `x / (1 + exp(-x))`
    Silu,
    /// `x (1 + erf(x / sqrt 2)) / 2`, with the exact error function, not the tanh approximation.
    Gelu,
}

impl Activation {
    /// Bias and activation as WGSL.
    pub(crate) fn source<P: Elementary>(self) -> String {
        let name = match self {
            Self::Identity => "identity",
            Self::Relu => "relu",
            Self::Tanh => "tanh_of",
            Self::Sigmoid => "sigmoid",
            Self::Softplus => "softplus",
            Self::Silu => "silu",
            Self::Gelu => "gelu",
        };
        let call = format!("{name}(sum");
        [P::FUNCTIONS, &include_str!("activation.wgsl").replace("ACTIVATION(sum", &call)].concat()
    }
}

/// A precision with elementary functions in WGSL.
pub(crate) trait Elementary: Precision {
    const FUNCTIONS: &'static str;
}

impl Elementary for F32 {
    const FUNCTIONS: &'static str = include_str!("elementary_f32.wgsl");
}

impl Elementary for F64 {
    const FUNCTIONS: &'static str =
        concat!(include_str!("elementary_f64.wgsl"), include_str!("normal_tail.wgsl"));
}
