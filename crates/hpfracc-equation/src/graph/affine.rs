//! Affine maps of lists.

use hpfracc_types::Real;
use std::sync::Arc;

/// Affine map `W x + b`, such as a dense layer of a network without its activation. Clones share
/// their numbers.
///
/// A component is the bias and then one fused multiply-add for each input, in ascending order: every
/// way of evaluation rounds alike, in the scalar of the evaluation. Without an instruction for it
/// such a product is a library call: correct, and tens of times slower.
///
/// ```
/// use hpfracc_equation::{Affine, Graph, Values, evaluate};
///
/// // (x + 2 y + 0.5, -y)
/// let map = Affine::new(2, vec![1.0, 2.0, 0.0, -1.0], vec![0.5, 0.0])?;
/// let mut graph = Graph::new();
/// let xy = [graph.variable(0), graph.variable(1)];
/// let rows = graph.affine(&map, &xy);
/// let values = evaluate(&graph, &rows, &[Values::Path(1.0), Values::Path(3.0)]);
/// assert_eq!(values, [7.5, -3.0]);
/// # Ok::<(), hpfracc_equation::NetworkError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Affine {
    numbers: Arc<Numbers>,
    kind: Kind,
}

#[derive(Debug)]
struct Numbers {
    inputs: usize,
    /// By rows.
    weights: Vec<f64>,
    bias: Vec<f64>,
    hash: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `W x + b`
    Affine,
    /// `W x`
    Linear,
    /// `W^T x`
    Transposed,
}

/// Equal numbers, bit for bit.
impl PartialEq for Affine {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.numbers, &*other.numbers);
        let bits =
            |a: &[f64], b: &[f64]| a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()));
        self.kind == other.kind
            && (Arc::ptr_eq(&self.numbers, &other.numbers)
                || a.hash == b.hash
                    && a.inputs == b.inputs
                    && bits(&a.bias, &b.bias)
                    && bits(&a.weights, &b.weights))
    }
}

impl Eq for Affine {}

impl Affine {
    /// Map of `inputs` numbers with these weights, by rows, and one bias for each row.
    ///
    /// # Errors
    /// [`NetworkError`] for no inputs or rows, for another number of weights than their product, and
    /// for numbers that are not finite.
    pub fn new(inputs: usize, weights: Vec<f64>, bias: Vec<f64>) -> Result<Self, NetworkError> {
        let outputs = bias.len();
        if inputs == 0 || outputs == 0 {
            return Err(NetworkError::Empty { inputs, outputs });
        }
        if inputs.checked_mul(outputs) != Some(weights.len()) {
            return Err(NetworkError::Weights { found: weights.len(), inputs, outputs });
        }
        for (name, numbers) in [("weight", &weights), ("bias", &bias)] {
            if let Some(k) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(NetworkError::NotFinite { name, position: k, value: numbers[k] });
            }
        }
        let hash = hash(inputs, &weights, &bias);
        let numbers = Arc::new(Numbers { inputs, weights, bias, hash });
        Ok(Self { numbers, kind: Kind::Affine })
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        match self.kind {
            Kind::Transposed => self.numbers.bias.len(),
            _ => self.numbers.inputs,
        }
    }

    /// Number of rows.
    pub fn outputs(&self) -> usize {
        match self.kind {
            Kind::Transposed => self.numbers.inputs,
            _ => self.numbers.bias.len(),
        }
    }

    /// Weight of an input in a row.
    ///
    /// # Panics
    /// If there is no such row or input.
    #[inline]
    pub fn weight(&self, row: usize, input: usize) -> f64 {
        let (i, j) = if self.kind == Kind::Transposed { (input, row) } else { (row, input) };
        assert!(j < self.numbers.inputs, "weight {row}, {input} of {self:?}");
        self.numbers.weights[i * self.numbers.inputs + j]
    }

    /// Bias of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn bias(&self, row: usize) -> f64 {
        match self.kind {
            Kind::Affine => self.numbers.bias[row],
            _ => 0.0,
        }
    }

    /// The map without its bias: the derivative.
    #[must_use]
    pub fn linear(&self) -> Self {
        match self.kind {
            Kind::Affine => Self { kind: Kind::Linear, ..self.clone() },
            _ => self.clone(),
        }
    }

    /// The transposed map without its bias: the adjoint of the derivative.
    #[must_use]
    pub fn transposed(&self) -> Self {
        match self.kind {
            Kind::Transposed => Self { kind: Kind::Linear, ..self.clone() },
            _ => Self { kind: Kind::Transposed, ..self.clone() },
        }
    }

    /// Component of a row; NaN if there is no such row, or another number of inputs.
    pub(crate) fn value<T: Real>(&self, row: usize, x: &[T]) -> T {
        if row >= self.outputs() || x.len() != self.inputs() {
            return T::narrow(f64::NAN);
        }
        let mut sum = T::narrow(self.bias(row));
        for (input, x) in x.iter().enumerate() {
            sum = T::narrow(self.weight(row, input)).mul_add(*x, sum);
        }
        sum
    }

    /// Hash of the numbers and of the kind, the same on every machine.
    pub(crate) fn fingerprint(&self) -> u64 {
        mixed(self.numbers.hash ^ self.kind as u64)
    }
}

fn hash(inputs: usize, weights: &[f64], bias: &[f64]) -> u64 {
    let start = mixed(inputs as u64);
    let numbers = weights.iter().chain(bias);
    numbers.fold(start, |hash, x| mixed(hash.rotate_left(23) ^ mixed(x.to_bits())))
}

/// Bijection of 64 bits that changes half of them for each bit of its argument: the finaliser of
/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Numbers that make no network.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// No layers.
    #[error("the network has no layers")]
    NoLayers,
    /// Layer without inputs or outputs.
    #[error("a layer has {inputs} inputs and {outputs} outputs, expected at least 1 of each")]
    Empty {
        /// Number of inputs.
        inputs: usize,
        /// Number of outputs.
        outputs: usize,
    },
    /// Another number of weights than inputs times outputs.
    #[error(
        "a layer has {found} weights, expected one for each of {inputs} inputs and {outputs} outputs"
    )]
    Weights {
        /// Number of weights.
        found: usize,
        /// Number of inputs.
        inputs: usize,
        /// Number of outputs.
        outputs: usize,
    },
    /// Weight or bias that is infinite or NaN.
    #[error("{name} {position} (counted from 0) is {value}, expected a finite number")]
    NotFinite {
        /// `weight` or `bias`.
        name: &'static str,
        /// Position.
        position: usize,
        /// Value.
        value: f64,
    },
    /// Layers that do not follow each other.
    #[error(
        "layer {layer} (counted from 1) has {inputs} inputs, expected {outputs}, the outputs of the layer before"
    )]
    Mismatch {
        /// Number of the layer, counted from 1.
        layer: usize,
        /// Its inputs.
        inputs: usize,
        /// Outputs of the layer before.
        outputs: usize,
    },
}
