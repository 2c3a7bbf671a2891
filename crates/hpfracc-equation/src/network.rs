use crate::graph::{Affine, Binary, Graph, Id, NetworkError, Ternary, Unary};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};
use std::fmt;

/// Feed-forward network with given weights: dense layers, each an affine map and an activation.
///
/// ```
/// use hpfracc_equation::{Activation, Affine, Graph, Network, Values, evaluate};
///
/// // tanh(2 x) - 1
/// let hidden = Affine::new(1, vec![2.0], vec![0.0])?;
/// let output = Affine::new(1, vec![1.0], vec![-1.0])?;
/// let layers = vec![(hidden, Activation::Tanh), (output, Activation::Identity)];
/// let network = Network::new(layers)?;
/// assert_eq!(network.to_string(), "1 -> 1 tanh -> 1");
///
/// let mut graph = Graph::new();
/// let x = graph.variable(0);
/// let roots = graph.network(&network, &[x]);
/// let value = evaluate(&graph, &roots, &[Values::Path(0.0f64)]);
/// assert_eq!(value, [-1.0]);
/// # Ok::<(), hpfracc_equation::NetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    layers: Vec<(Affine, Activation)>,
}

impl Network {
    /// Network of these layers, first to last.
    ///
    /// # Errors
    /// [`NetworkError`] for no layers, and for a layer with other inputs than the outputs before it.
    pub fn new(layers: Vec<(Affine, Activation)>) -> Result<Self, NetworkError> {
        if layers.is_empty() {
            return Err(NetworkError::NoLayers);
        }
        for (k, pair) in layers.windows(2).enumerate() {
            let (outputs, inputs) = (pair[0].0.outputs(), pair[1].0.inputs());
            if outputs != inputs {
                return Err(NetworkError::Mismatch { layer: k + 2, inputs, outputs });
            }
        }
        Ok(Self { layers })
    }

    /// Layers, first to last.
    pub fn layers(&self) -> &[(Affine, Activation)] {
        &self.layers
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.layers[0].0.inputs()
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.layers[self.layers.len() - 1].0.outputs()
    }

    /// Widths and activations of the layers.
    pub fn shape(&self) -> Vec<(usize, Activation)> {
        self.layers.iter().map(|(map, activation)| (map.outputs(), *activation)).collect()
    }
}

/// `3 -> 64 tanh -> 2`
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.inputs(), Layers(&self.shape()))
    }
}

/// Text of layers: ` -> 64 tanh -> 2`.
pub(crate) struct Layers<'a>(pub(crate) &'a [(usize, Activation)]);

impl fmt::Display for Layers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(width, activation)| match activation {
            Activation::Identity => write!(f, " -> {width}"),
            _ => write!(f, " -> {width} {}", activation.name()),
        })
    }
}

impl Graph {
    /// Outputs of a network of these nodes, of which it has as many inputs.
    pub fn network(&mut self, network: &Network, x: &[Id]) -> Vec<Id> {
        let mut values = x.to_vec();
        for (map, activation) in &network.layers {
            values = self.affine(map, &values);
            values.iter_mut().for_each(|x| *x = activation.of(self, *x));
        }
        values
    }
}

/// Activation function of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Activation {
    /// x, written as no activation.
    #[default]
    Identity,
    /// `max(x, 0)`, with slope 0 at 0.
    Relu,
    /// `tanh(x)`
    Tanh,
    /// `1/(1 + exp(-x))`
    Sigmoid,
    /// `ln(1 + exp(x))`
    Softplus,
    /// `x/(1 + exp(-x))`
    Silu,
    /// `x Phi(x)` with the normal distribution function Phi.
    Gelu,
    /// `x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))`
    GeluTanh,
}

impl Activation {
    /// All activations.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::Relu,
        Self::Tanh,
        Self::Sigmoid,
        Self::Softplus,
        Self::Silu,
        Self::Gelu,
        Self::GeluTanh,
    ];

    /// Name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Relu => "relu",
            Self::Tanh => "tanh",
            Self::Sigmoid => "sigmoid",
            Self::Softplus => "softplus",
            Self::Silu => "silu",
            Self::Gelu => "gelu",
            Self::GeluTanh => "gelu_tanh",
        }
    }

    /// Nodes of the function of a node.
    pub(crate) fn of(self, graph: &mut Graph, x: Id) -> Id {
        let [zero, half, one] = [0.0, 0.5, 1.0].map(|value| graph.constant(value));
        match self {
            Self::Identity => x,
            Self::Relu => {
                let negative = graph.binary(Binary::LessOrEqual, x, zero);
                graph.ternary(Ternary::Select, negative, zero, x)
            }
            Self::Tanh => graph.unary(Unary::Tanh, x),
            Self::Sigmoid => logistic(graph, x),
            Self::Softplus => {
                // (x + |x|)/2 + ln(1 + exp(-|x|)), with slope 1/2 at 0.
                let absolute = graph.unary(Unary::Absolute, x);
                let sum = graph.sum(x, absolute);
                let positive = graph.product(half, sum);
                let minus = graph.unary(Unary::Negate, absolute);
                let exp = graph.unary(Unary::Exp, minus);
                let rest = graph.unary(Unary::Ln1p, exp);
                graph.sum(positive, rest)
            }
            Self::Silu => {
                let logistic = logistic(graph, x);
                graph.product(x, logistic)
            }
            Self::Gelu => {
                let root = graph.constant(FRAC_1_SQRT_2);
                let scaled = graph.product(root, x);
                let erf = graph.unary(Unary::Erf, scaled);
                half_of(graph, x, erf, half, one)
            }
            Self::GeluTanh => {
                let cubic = graph.constant(0.044_715);
                let root = graph.constant(FRAC_2_SQRT_PI * FRAC_1_SQRT_2);
                let square = graph.product(x, x);
                let product = graph.product(cubic, square);
                let factor = graph.sum(one, product);
                let inner = graph.product(x, factor);
                let inner = graph.product(root, inner);
                let tanh = graph.unary(Unary::Tanh, inner);
                half_of(graph, x, tanh, half, one)
            }
        }
    }
}

fn logistic(graph: &mut Graph, x: Id) -> Id {
    let (one, minus) = (graph.constant(1.0), graph.unary(Unary::Negate, x));
    let exp = graph.unary(Unary::Exp, minus);
    let below = graph.sum(one, exp);
    graph.quotient(one, below)
}

/// `x/2 (1 + y)`
fn half_of(graph: &mut Graph, x: Id, y: Id, half: Id, one: Id) -> Id {
    let (halved, sum) = (graph.product(half, x), graph.sum(one, y));
    graph.product(halved, sum)
}
