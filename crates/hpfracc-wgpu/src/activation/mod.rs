use crate::scalar::ShaderScalar;
use hpfracc_types::Real;

/// What a layer makes of each of its sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Activation {
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
    /// `x (1 + erf(x / sqrt 2)) / 2`, with the error function itself and not a tanh in its place.
    Gelu,
}

impl Activation {
    /// Bias and activation as WGSL.
    pub(crate) fn source<T: Elementary>(self) -> String {
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
        [T::FUNCTIONS, &include_str!("activation.wgsl").replace("ACTIVATION(sum", &call)].concat()
    }
}

/// A scalar with elementary functions for shaders.
pub(crate) trait Elementary: ShaderScalar<Host = Self> + Real {
    const FUNCTIONS: &'static str;
}

impl Elementary for f32 {
    const FUNCTIONS: &'static str = include_str!("elementary_f32.wgsl");
}

impl Elementary for f64 {
    const FUNCTIONS: &'static str =
        concat!(include_str!("elementary_f64.wgsl"), include_str!("normal_tail.wgsl"));
}
