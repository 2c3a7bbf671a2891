use super::backward::backward_work;
use super::forward::forward_work;
use super::rotary::{Rotary, Times};
use crate::checks::{checked, in_range, sizes_of};
use crate::{Block, Initialiser, NetworkError, ParameterBlock, Shape, Sizes};
use serde::{Deserialize, Serialize};

/// Name in errors.
const LAYER: &str = "MultiHeadAttention";

/// Multi-head self-attention: each head computes [`Attention`](crate::Attention) with
/// `features/heads` rows of
///
/// ```text
/// Q = W_q X + b_q,   K = W_k X + b_k,   V = W_v X + b_v,   Y = W_o out + b_o
/// ```
///
/// where X has a row for each feature and a column for each time.
///
/// Shapes: x has `features` channels of `length` times; then, with
/// [`Times::Channel`](crate::Times), a channel of times; then, with padding, a channel of numbers
/// that are positive where there is a sample. A time without a sample is not a key; its inputs must
/// be finite, and its outputs should be excluded from the loss. y has `features` channels. One lane
/// for each sequence.
///
/// Parameters: `query.weight` (features x features), `query.bias` (features), and likewise `key`,
/// `value` and `output`. Without rotary positions the bias of the keys has no effect, and its
/// gradient is zero.
///
/// Cost for each sequence: `4 * features^2 * length` multiply-adds for the projections and `2 *
/// features * length^2` for the scores and values; about 2.5 times that backward. Memory is linear
/// in the length: saved are `5 features + heads` numbers for each time (besides angles and
/// padding), the backward pass needs `6 features + heads` more, and the tiles of the heads,
/// independent of the length, at most `256 features + 4096 heads` numbers forward (saved) and `448
/// features + 8192 heads` backward.
///
/// Source: Vaswani et al., NeurIPS (2017), arXiv:1706.03762; Dao, Fu, Ermon, Rudra and Ré, NeurIPS
/// (2022), arXiv:2205.14135.
///
/// ```
/// use hpfracc_nn::{MultiHeadAttention, Rotary, Shape};
///
/// let layer = MultiHeadAttention::new(64, 8, 100)?.causal().rotary(Rotary::default())?;
/// assert_eq!(layer.parameters(), 4 * 64 * 65);
/// let text = serde_json::to_string(&layer)?;
/// assert_eq!(serde_json::from_str::<MultiHeadAttention>(&text)?, layer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct MultiHeadAttention {
    pub(super) features: usize,
    pub(super) heads: usize,
    pub(super) length: usize,
    #[serde(default)]
    pub(super) causal: bool,
    #[serde(default)]
    pub(super) window: Option<usize>,
    #[serde(default)]
    pub(super) padding: bool,
    #[serde(default)]
    pub(super) rotary: Option<Rotary>,
    /// Initial values of the weights; biases start at zero.
    #[serde(default)]
    pub weight: Initialiser,
}

checked!(MultiHeadAttention);

impl MultiHeadAttention {
    fn check(&self) -> Result<(), NetworkError> {
        let Self { features, heads, length, window, rotary, .. } = self;
        let window = ("window", window.unwrap_or(1));
        sizes_of(
            LAYER,
            &[("features", *features), ("heads", *heads), ("length", *length), window],
        )?;
        let expected = format_args!("a divisor of the {features} features");
        in_range(features % heads == 0, "MultiHeadAttention: heads", heads, expected)?;
        // Far above any memory; no product of sizes overflows below it. With 32 bits, a fraction of the memory.
        const MOST: u64 = 1 << 40;
        let most = MOST.min(usize::MAX as u64 / 16);
        let fits = features.saturating_mul(features.saturating_add(*length)) as u64 <= most;
        let found = format_args!("{length} with {features} features");
        in_range(fits, "MultiHeadAttention: length", found, "one that fits a memory")?;
        rotary.as_ref().map_or(Ok(()), |rotary| rotary.check(features / heads, *length))
    }

    /// A layer for sequences of `length` times and `features` features, in which each query sees
    /// all keys.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for a size of 0, or heads that do not divide the features.
    pub fn new(features: usize, heads: usize, length: usize) -> Result<Self, NetworkError> {
        let (causal, window, padding, rotary) = (false, None, false, None);
        let weight = Initialiser::default();
        let layer = Self { features, heads, length, causal, window, padding, rotary, weight };
        layer.check().map(|()| layer)
    }

    /// This layer with causal attention: no key after the query is visible.
    #[must_use]
    pub fn causal(self) -> Self {
        Self { causal: true, ..self }
    }

    /// This layer with local attention: only keys less than `window` times away are visible.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for 0.
    pub fn window(self, window: usize) -> Result<Self, NetworkError> {
        let layer = Self { window: Some(window), ..self };
        layer.check().map(|()| layer)
    }

    /// This layer with a further channel that marks present samples.
    #[must_use]
    pub fn padded(self) -> Self {
        Self { padding: true, ..self }
    }

    /// This layer with rotary positions.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for an odd number of features of a head, a unit or base that is
    /// not positive, and a time that is not finite; [`NetworkError::Size`] for times of another
    /// number than the length.
    pub fn rotary(self, rotary: Rotary) -> Result<Self, NetworkError> {
        let layer = Self { rotary: Some(rotary), ..self };
        layer.check().map(|()| layer)
    }
}

/// What another program that computes this layer must know, besides its sizes.
impl MultiHeadAttention {
    /// Number of heads.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// Times of a sequence.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether no key after the query is visible.
    pub fn is_causal(&self) -> bool {
        self.causal
    }

    /// Number of times within which keys are visible, if not all are.
    pub fn window_length(&self) -> Option<usize> {
        self.window
    }

    /// Whether a further channel marks present samples.
    pub fn is_padded(&self) -> bool {
        self.padding
    }

    /// The rotary positions.
    pub fn rotary_positions(&self) -> Option<&Rotary> {
        self.rotary.as_ref()
    }
}

/// Names of the projections, in the order of their parameters.
const PROJECTIONS: [&str; 4] = ["query", "key", "value", "output"];

impl MultiHeadAttention {
    /// Numbers of each sequence.
    pub(super) fn numbers(&self) -> usize {
        self.features * self.length
    }

    /// Features of a head.
    pub(super) fn head(&self) -> usize {
        self.features / self.heads
    }

    /// Parameters of a projection.
    pub(super) fn projection(&self) -> usize {
        self.features * (self.features + 1)
    }

    /// True if a channel holds the times.
    pub(super) fn timed(&self) -> bool {
        matches!(self.rotary, Some(Rotary { times: Times::Channel, .. }))
    }

    /// Saved numbers of each sequence: queries, keys, values, outputs of the heads, the same as
    /// rows, logarithms of sums, cosines and sines, presence, work memory.
    pub(super) fn saved_parts(&self) -> [usize; 9] {
        let numbers = self.numbers();
        let turns = if self.rotary.is_some() { self.head() * self.length } else { 0 };
        let present = if self.padding { self.length } else { 0 };
        let work = self.heads * forward_work(self.head(), self.length);
        let log_sums = self.heads * self.length;
        [numbers, numbers, numbers, numbers, numbers, log_sums, turns, present, work]
    }

    /// Scratch numbers of each sequence: rows, cotangents of the heads, gradients of queries, keys
    /// and values, work memory.
    pub(super) fn scratch_parts(&self) -> [usize; 6] {
        let numbers = self.numbers();
        let work = self.heads * backward_work(self.head(), self.length);
        [numbers, numbers, numbers, numbers, numbers, work]
    }
}

impl Shape for MultiHeadAttention {
    fn sizes(&self) -> Sizes {
        let channels = usize::from(self.timed()) + usize::from(self.padding);
        Sizes {
            inputs: (self.features + channels) * self.length,
            outputs: self.numbers(),
            parameters: PROJECTIONS.len() * self.projection(),
            saved: self.saved_parts().iter().sum(),
            scratch: self.scratch_parts().iter().sum(),
        }
    }

    fn tape_rows(&self) -> usize {
        let [rest @ .., _work] = self.saved_parts();
        rest.iter().sum()
    }

    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let features = self.features;
        let blocks = PROJECTIONS.iter().flat_map(|name| {
            let weight = Block::new("weight", &[features, features]);
            let bias = Block::new("bias", &[features]).filled(0.0);
            [weight.drawn(self.weight, (features, features)), bias].map(|block| block.within(name))
        });
        blocks.collect()
    }
}
