use super::blocks::within;
use super::checks::rows;
use super::solving::PathSolve;
use super::system::NeuralSystem;
use super::{Diffusion, ModelError, Orders, Solving};
use crate::buffer_pool::BufferPool;
use crate::checks::{checked, same_size};
use crate::layers::Network;
use crate::{Layer, ParameterBlock, Pass, Scalar, Shape, TrainingError};
use hpfracc_communicator::Ranks;
use hpfracc_sde::noise::{Brownian, NoNoise, Noise, Purpose, Stream};
use ndarray::{Array2, Array3, ArrayView2};
use serde::{Deserialize, Serialize};

/// Neural stochastic differential equation of integer or fractional order: Caputo derivatives of
/// orders alpha on the left, networks on the right,
///
/// ```text
/// D^alpha X = f(X) + g(X) dW/dt      or with the time, f(t, X) and g(t, X)
/// ```
///
/// interpreted as the Volterra equation `X = X_0 + 1/Gamma(alpha) int (t-s)^(alpha-1) (f ds + g
/// dW)`. Without a diffusion it is a neural ordinary differential equation. A network with one
/// input more than there are components receives the time, from the start, as its last input.
///
/// Orders are fixed or learned. With white noise they are above 1/2; the gradient with respect to
/// the order diverges at 1/2.
///
/// Sources: Chen, Rubanova, Bettencourt and Duvenaud, NeurIPS (2018), arXiv:1806.07366; Li, Wong,
/// Chen and Duvenaud, AISTATS (2020), arXiv:2001.01328.
///
/// ```
/// use hpfracc_nn::models::{Diffusion, NeuralFractionalSde, Orders};
/// use hpfracc_nn::{Activation, Network};
///
/// let drift = Network::perceptron(&[2, 16, 2], Activation::Tanh)?;
/// let network = Network::perceptron(&[2, 8, 2], Activation::Tanh)?;
/// let diffusion = Diffusion::Diagonal { network, floor: Some(1e-3) };
/// let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: false };
/// let model = NeuralFractionalSde::new(drift, diffusion, orders)?;
/// assert_eq!(model.parameter_blocks().last().map(|last| last.block.name.as_str()), Some("order.raw"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct NeuralFractionalSde<L = Network> {
    pub(super) drift: L,
    #[serde(default = "none")]
    pub(super) diffusion: Diffusion<L>,
    #[serde(default)]
    pub(super) orders: Orders,
}

checked!(NeuralFractionalSde<L>);

fn none<L>() -> Diffusion<L> {
    Diffusion::None
}

impl<L: Shape> NeuralFractionalSde<L> {
    /// A model with as many components as the drift has outputs.
    ///
    /// # Errors
    /// [`ModelError`] for networks whose sizes do not match, and orders or numbers outside their
    /// ranges.
    pub fn new(drift: L, diffusion: Diffusion<L>, orders: Orders) -> Result<Self, ModelError> {
        let model = Self { drift, diffusion, orders };
        model.check().map(|()| model)
    }

    fn check(&self) -> Result<(), ModelError> {
        let dim = self.dim();
        rows("the inputs of the drift", self.drift.inputs(), &[dim, dim + 1])?;
        self.diffusion.check(dim)?;
        self.orders.check(dim, !matches!(self.diffusion, Diffusion::None))
    }

    /// The drift f, whose parameters come first.
    pub fn drift(&self) -> &L {
        &self.drift
    }

    /// The diffusion g, whose parameters follow.
    pub fn diffusion(&self) -> &Diffusion<L> {
        &self.diffusion
    }

    /// Components of X.
    pub fn dim(&self) -> usize {
        self.drift.outputs()
    }

    /// The blocks of parameters with their initial values: those of `drift`, of `diffusion`, and of
    /// `order`.
    pub fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let dim = self.dim();
        within("drift", self.drift.parameter_blocks())
            .chain(within("diffusion", self.diffusion.parameter_blocks(dim)))
            .chain(self.orders.block(dim))
            .collect()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.of_networks() + self.orders.parameters(self.dim())
    }

    /// Parameters of drift and diffusion.
    pub(super) fn of_networks(&self) -> usize {
        self.drift.parameters() + self.diffusion.parameters(self.dim())
    }

    /// True if orders are parameters.
    pub fn learns_orders(&self) -> bool {
        self.orders.learned()
    }

    /// The orders of the components at these parameters.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for another number of parameters.
    pub fn order_values<T: Scalar>(&self, theta: &[T]) -> Result<Vec<f64>, TrainingError> {
        same_size("the list of parameters", theta.len(), self.parameters())?;
        Ok(self.orders.values(&theta[self.of_networks()..], self.dim()))
    }

    /// Simulates `paths` paths from each initial value (by start and component), saved at these
    /// nodes: an array by path, node and component, with the paths of the first start first.
    ///
    /// # Errors
    /// [`TrainingError`] for sizes that do not match, and for a solve that fails.
    pub fn simulate<T: Scalar>(
        &self,
        theta: &[T],
        starts: ArrayView2<'_, T>,
        (solving, nodes): (&Solving, &[usize]),
        paths: usize,
        seed: u64,
    ) -> Result<Array3<T>, TrainingError>
    where
        L: Layer<T>,
    {
        let (orders, pool) = (self.order_values(theta)?, BufferPool::default());
        let (starts, noise) = (repeated(starts, paths), self.noise(seed)?);
        let orders = self.orders.with_memory(&orders);
        let (starts, noise, ranks) = (starts.view(), &*noise, Ranks::ALONE);
        let solve = PathSolve { solving, starts, orders, noise, nodes, ranks };
        Ok(solve.paths(NeuralSystem::new(
            (&self.drift, &self.diffusion),
            theta,
            Pass::Evaluate,
            &pool,
        ))?)
    }

    /// Streams of random numbers of the Brownian motions, as words of their counters ([`Stream::word`]).
    pub fn noise_streams(&self) -> Vec<u32> {
        let noises = self.diffusion.noise_kind(self.dim()).noises(self.dim());
        let stream = |j: u32| Stream::new(Purpose::Brownian, j).map(Stream::word);
        (0..noises as u32).filter_map(stream).collect()
    }

    /// Independent Brownian motions, or no noise.
    pub(super) fn noise<T: Scalar>(&self, seed: u64) -> Result<Box<dyn Noise<T>>, TrainingError> {
        Ok(match self.diffusion.noise_kind(self.dim()).noises(self.dim()) {
            0 => Box::new(NoNoise),
            noises => Box::new(Brownian::new(seed, noises)?),
        })
    }
}

/// Each row, repeated.
pub(super) fn repeated<T: Scalar>(rows: ArrayView2<'_, T>, times: usize) -> Array2<T> {
    Array2::from_shape_fn((rows.nrows() * times, rows.ncols()), |(i, j)| rows[[i / times, j]])
}
