use crate::checks::{checked, in_range, same_size};
use crate::kernels::split;
use crate::layers::Network;
use crate::models::blocks::within;
use crate::models::checks::rows;
use crate::models::{Diffusion, ModelError, Orders};
use crate::{Block, ParameterBlock, Scalar, Shape, TrainingError};
use serde::{Deserialize, Serialize};

/// Latent stochastic differential equation: a generative model of time series, trained by the
/// evidence lower bound (ELBO).
///
/// ```text
/// prior        z(0) ~ N(m, exp(2 s)),  D^alpha z = f(z) + sigma(z) dW/dt,  y_k ~ p(. | decoder(z(t_k)))
/// posterior    z(0) ~ N(m_y, exp(2 s_y)),  D^alpha z = h(z, c_y) + sigma(z) dW/dt
///              with m_y, s_y and the context c_y from the encoder of the series y
/// loss         E [ -sum_k ln p(y_k | decoder(z(t_k))) + w (KL_0 + 1/2 int |(h - f)/sigma|^2 dt) ]
/// ```
///
/// With w = 1 the loss is the negative ELBO, an upper bound of the negative log-likelihood of y.
/// The expectation is over paths of the posterior; KL_0 is the divergence of the two normal
/// distributions at the start.
///
/// For orders below 1 the equation is `z = z(0) + 1/Gamma(alpha) int (t-s)^(alpha-1) (f ds + sigma
/// dW)`, with the same integral in the loss. Girsanov's theorem applies to the noise that drives
/// both equations: under the posterior, `dW + u dt` with `sigma u = h - f` is the Brownian motion
/// of the prior, since both drifts have the same kernel, and the divergence between the two
/// distributions of the noise is `E int |u|^2 dt / 2` for any functional of it. As z determines the
/// noise where sigma > 0, it is the divergence of the distributions of z. It is finite if sigma is
/// bounded away from zero: the diffusion is additive or has a floor.
///
/// Source: Li, Wong, Chen and Duvenaud, AISTATS (2020), arXiv:2001.01328, section 5.
///
/// Networks of z may have the time as a further input. The inputs of the encoder are a whole time
/// series, row `component * nodes + node`, with 0 for missing values; with twice as many inputs,
/// these rows are followed by a mask that is 1 for present values and 0 for missing ones. Its
/// outputs are the means, the logarithms of standard deviations, and the context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", transparent)]
pub struct LatentFractionalSde<L = Network> {
    pub(super) parts: LatentParts<L>,
}

/// The networks of a [`LatentFractionalSde`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatentParts<L = Network> {
    /// From a time series to the start and the context.
    pub encoder: L,
    /// h, from z and the context to a row for each of z.
    pub posterior: L,
    /// f, from z to a row for each of z.
    pub prior: L,
    /// sigma: additive, or diagonal with a floor. The divergence is divided by its square: floors,
    /// and the softplus of learned constants, should be well above the smallest normal number of
    /// the scalar.
    pub diffusion: Diffusion<L>,
    /// From z to the observations, or with [`GaussianLikelihood`](crate::Loss::GaussianLikelihood)
    /// to means and logarithms of standard deviations.
    pub decoder: L,
    /// The orders of z.
    #[serde(default)]
    pub orders: Orders,
}

checked!(LatentFractionalSde<L>);

impl<L: Shape> LatentFractionalSde<L> {
    /// A model with as many latent components as the prior has outputs; the remaining outputs of
    /// the encoder, after twice these, are the context.
    ///
    /// # Errors
    /// [`ModelError`] for networks whose sizes do not match, a diffusion that may vanish, and
    /// orders outside their ranges.
    pub fn new(parts: LatentParts<L>) -> Result<Self, ModelError> {
        let model = Self { parts };
        model.check().map(|()| model)
    }

    fn check(&self) -> Result<(), ModelError> {
        let (parts, latent) = (&self.parts, self.latent());
        let given = parts.encoder.outputs();
        if given < 2 * latent {
            let expected = format!("at least {}", 2 * latent);
            let what = "the outputs of the encoder";
            return Err(ModelError::Rows { what, found: given, expected });
        }
        let taken = given - latent;
        rows("the inputs of the prior", parts.prior.inputs(), &[latent, latent + 1])?;
        rows("the inputs of the posterior", parts.posterior.inputs(), &[taken, taken + 1])?;
        rows("the outputs of the posterior", parts.posterior.outputs(), &[latent])?;
        rows("the inputs of the decoder", parts.decoder.inputs(), &[latent, latent + 1])?;
        parts.diffusion.check(latent)?;
        let floor = match &parts.diffusion {
            Diffusion::Additive { .. } => 1.0,
            Diffusion::Diagonal { floor, .. } => floor.unwrap_or(0.0),
            _ => 0.0,
        };
        let expected = "positive, of an additive or diagonal diffusion";
        in_range(floor > 0.0, "the least diffusion", floor, expected)?;
        parts.orders.check(latent, true)
    }

    /// Components of z.
    pub fn latent(&self) -> usize {
        self.parts.prior.outputs()
    }

    /// Components of the context.
    pub fn context(&self) -> usize {
        self.parts.encoder.outputs() - 2 * self.latent()
    }

    /// Numbers of parameters: of the encoder, the posterior with the prior and the diffusion, the
    /// decoder, the orders and the start.
    pub(super) fn lengths(&self) -> [usize; 5] {
        let LatentParts { encoder, posterior, prior, diffusion, decoder, orders } = &self.parts;
        let latent = self.latent();
        let system = posterior.parameters() + prior.parameters() + diffusion.parameters(latent);
        let orders = orders.parameters(latent);
        [encoder.parameters(), system, decoder.parameters(), orders, 2 * latent]
    }

    /// The blocks of parameters with their initial values: those of `encoder`, `posterior`,
    /// `prior`, `diffusion`, `decoder`, `order`, and of the prior distribution of the `start`,
    /// initially standard normal.
    pub fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let LatentParts { encoder, posterior, prior, diffusion, decoder, orders } = &self.parts;
        let latent = self.latent();
        let start = ["start.mean", "start.log-deviation"];
        within("encoder", encoder.parameter_blocks())
            .chain(within("posterior", posterior.parameter_blocks()))
            .chain(within("prior", prior.parameter_blocks()))
            .chain(within("diffusion", diffusion.parameter_blocks(latent)))
            .chain(within("decoder", decoder.parameter_blocks()))
            .chain(orders.block(latent))
            .chain(start.map(|name| Block::new(name, &[latent]).filled(0.0)))
            .collect()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.lengths().iter().sum()
    }

    /// True if orders are parameters.
    pub fn learns_orders(&self) -> bool {
        self.parts.orders.learned()
    }

    /// The orders of the latent components at these parameters.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for another number of parameters.
    pub fn order_values<T: Scalar>(&self, theta: &[T]) -> Result<Vec<f64>, TrainingError> {
        same_size("the list of parameters", theta.len(), self.parameters())?;
        let [.., orders, _] = split(theta, self.lengths());
        Ok(self.parts.orders.values(orders, self.latent()))
    }
}
