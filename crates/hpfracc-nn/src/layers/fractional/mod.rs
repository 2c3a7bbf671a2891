//! Layers with power-law memory along time, whose fractional orders can be learned.
//!
//! All of them take time series, with a row for each channel and time: `channel * length + time`.

mod computed;
mod conv1d;
mod dense;
mod derivative;
mod operator;
mod order;
mod rnn;
mod scheme;
mod tables;

pub use computed::ComputedWeights;
pub use conv1d::FractionalConv1d;
pub use dense::FractionalDense;
pub use derivative::FractionalDerivative;
pub use operator::OperatorLayer;
pub use order::{BoundedOrder, LayerOrder};
pub use rnn::{FractionalRnn, States};
pub use scheme::FractionalScheme;

/// Default step: time in samples.
fn unit_step() -> f64 {
    1.0
}
