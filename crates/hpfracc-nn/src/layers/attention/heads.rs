use super::Mask;
use super::backward::backward_work;
use super::forward::{Head, forward_work};
use super::tile::Series;
use crate::checks::{same_size, sizes_of};
use crate::error::product_of;
use crate::{NetworkError, Scalar, SizeMismatch};
use rayon::prelude::*;

/// Name in errors.
const LAYER: &str = "Attention";

/// Softmax self-attention of several heads over one sequence,
///
/// ```text
/// out_i = sum_j p_ij v_j,   p_ij = exp(s_ij) / sum_j exp(s_ij),   s_ij = q_i' k_j / sqrt(features)
/// ```
///
/// with sums over the keys j visible to query i. Queries, keys, values and out have
/// `heads x features x length` numbers, time varying fastest.
///
/// Memory is linear in the length (FlashAttention): scores are computed in tiles, their sum is
/// accumulated over all keys, and the backward pass recomputes them from its logarithm. A query
/// without visible keys gives zeros, without gradient. Inputs must be finite: NaN or an infinity,
/// even in a hidden key or value, may or may not reach any query of its tile.
///
/// Heads are distributed over the threads of the current [`rayon`] pool, one thread for each;
/// results do not depend on the number of threads.
///
/// Accuracy: a few roundings of the scores, relative to the largest value. The backward pass
/// computes the weights `exp(s_ij - log sum)` from rounded numbers: their relative error is as many
/// roundings as the largest |s_ij|, about 1e-4 for scores of 1000 in `f32`, and so is that of their
/// sum.
///
/// Source: Vaswani et al., NeurIPS (2017), arXiv:1706.03762; Dao, Fu, Ermon, Rudra and Ré, NeurIPS
/// (2022), arXiv:2205.14135.
///
/// ```
/// use hpfracc_nn::{Attention, Mask};
///
/// let attention = Attention { heads: 1, features: 2, length: 3, mask: Mask::causal() };
/// let (q, k) = ([0.0f64; 6], [1.0; 6]);
/// let v = [0.0, 1.0, 2.0, 3.0, 5.0, 7.0];
/// let (mut out, mut log_sums) = ([0.0; 6], [0.0; 3]);
/// let mut work = vec![0.0; attention.forward_work()];
/// attention.forward([&q, &k, &v], &mut out, &mut log_sums, &mut work)?;
/// // Equal scores: means of the values so far.
/// assert_eq!(out, [0.0, 0.5, 1.0, 3.0, 4.0, 5.0]);
/// # Ok::<(), hpfracc_nn::NetworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attention<'a, T> {
    /// Number of heads.
    pub heads: usize,
    /// Features of each head.
    pub features: usize,
    /// Times.
    pub length: usize,
    /// Visible keys of each query, in all heads.
    pub mask: Mask<'a, T>,
}

/// Inputs and results of the forward pass of [`Attention`], as the backward pass reads them.
#[derive(Debug, Clone, Copy)]
pub struct AttentionTape<'a, T> {
    /// Queries, keys and values.
    pub inputs: [&'a [T]; 3],
    /// The output.
    pub out: &'a [T],
    /// The logarithms of sums of exponentials.
    pub log_sums: &'a [T],
}

impl<T: Scalar> Attention<'_, T> {
    /// Numbers of work memory of [`forward`](Self::forward): at most `256 features + 4096` for each
    /// head, independent of the length.
    pub fn forward_work(&self) -> usize {
        self.heads * forward_work(self.features, self.length)
    }

    /// Numbers of work memory of [`vjp`](Self::vjp): at most `448 features + 8192` for each head,
    /// and `length (features + 1)`.
    pub fn backward_work(&self) -> usize {
        self.heads * backward_work(self.features, self.length)
    }

    /// Writes the output, and for each head and query the logarithm of its sum of exponentials.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for a size of 0, [`NetworkError::TooLarge`] for sizes whose
    /// product is not addressable, [`NetworkError::Size`] for a slice of another length.
    pub fn forward(
        &self,
        inputs: [&[T]; 3],
        out: &mut [T],
        log_sums: &mut [T],
        work: &mut [T],
    ) -> Result<(), NetworkError> {
        self.check(inputs, out, log_sums)?;
        expect("work", work.len(), self.forward_work())?;
        forward(|head| self.head(inputs, head), out, log_sums, work);
        Ok(())
    }

    /// Writes the gradients of queries, keys and values.
    ///
    /// # Errors
    /// [`NetworkError::OutOfRange`] for a size of 0, [`NetworkError::TooLarge`] for sizes whose
    /// product is not addressable, [`NetworkError::Size`] for a slice of another length.
    pub fn vjp(
        &self,
        tape: AttentionTape<'_, T>,
        outbar: &[T],
        gradients: [&mut [T]; 3],
        work: &mut [T],
    ) -> Result<(), NetworkError> {
        self.check(tape.inputs, tape.out, tape.log_sums)?;
        let numbers = tape.out.len();
        expect("outbar", outbar.len(), numbers)?;
        for (name, bar) in ["qbar", "kbar", "vbar"].into_iter().zip(&gradients) {
            expect(name, bar.len(), numbers)?;
        }
        expect("work", work.len(), self.backward_work())?;
        backward(|head| self.head(tape.inputs, head), tape, outbar, gradients, work);
        Ok(())
    }

    fn check(&self, inputs: [&[T]; 3], out: &[T], log_sums: &[T]) -> Result<(), NetworkError> {
        let Self { heads, features, length, mask } = *self;
        sizes_of(LAYER, &[("heads", heads), ("features", features), ("length", length)])?;
        let numbers = product_of(LAYER, &[heads, features, length])?;
        let [q, k, v] = inputs.map(<[T]>::len);
        for (name, found) in [("q", q), ("k", k), ("v", v), ("out", out.len())] {
            expect(name, found, numbers)?;
        }
        expect("log_sums", log_sums.len(), heads * length)?;
        Ok(mask.present.map_or(Ok(()), |present| expect("present", present.len(), length))?)
    }

    fn head<'a>(&'a self, inputs: [&'a [T]; 3], head: usize) -> Head<'a, T> {
        Head::new(inputs, head, self.features, self.length, self.mask)
    }
}

fn expect(name: &str, found: usize, expected: usize) -> Result<(), SizeMismatch> {
    same_size(format_args!("{LAYER}: {name}"), found, expected)
}

/// Runs heads that lie one behind the other, perhaps those of many sequences.
pub(super) fn forward<'a, T: Scalar>(
    head: impl Fn(usize) -> Head<'a, T> + Sync,
    out: &mut [T],
    log_sums: &mut [T],
    work: &mut [T],
) {
    let (features, length) = head(0).sizes();
    out.par_chunks_exact_mut(features * length)
        .zip(log_sums.par_chunks_exact_mut(length))
        .zip(work.par_chunks_exact_mut(forward_work(features, length)))
        .enumerate()
        .with_min_len(together(features, length))
        .for_each(|(index, ((out, log_sums), work))| head(index).forward(out, log_sums, work));
}

/// The backward direction of [`forward`].
pub(super) fn backward<'a, T: Scalar>(
    head: impl Fn(usize) -> Head<'a, T> + Sync,
    tape: AttentionTape<'_, T>,
    outbar: &[T],
    gradients: [&mut [T]; 3],
    work: &mut [T],
) {
    let (features, length) = head(0).sizes();
    let numbers = features * length;
    let [qbar, kbar, vbar] = gradients.map(|bar| bar.par_chunks_exact_mut(numbers));
    qbar.zip(kbar.zip(vbar))
        .zip(work.par_chunks_exact_mut(backward_work(features, length)))
        .enumerate()
        .with_min_len(together(features, length))
        .for_each(|(index, ((queries, (keys, values)), work))| {
            let results = [
                &tape.out[index * numbers..][..numbers],
                &tape.log_sums[index * length..][..length],
                &outbar[index * numbers..][..numbers],
            ];
            head(index).backward(results, [queries, keys, values], work);
        });
}

/// Heads that are worth a task of their own.
fn together(features: usize, length: usize) -> usize {
    const OPERATIONS: usize = 1 << 22;
    OPERATIONS.div_ceil(length.saturating_mul(length).saturating_mul(features)).max(1)
}

impl<'a, T: Scalar> Head<'a, T> {
    /// One of the heads that lie one behind the other.
    pub(super) fn new(
        inputs: [&'a [T]; 3],
        head: usize,
        features: usize,
        length: usize,
        mask: Mask<'a, T>,
    ) -> Self {
        let numbers = features * length;
        let [queries, keys, values] =
            inputs.map(|input| Series { values: &input[head * numbers..][..numbers], length });
        let scale = T::narrow(1.0 / (features as f64).sqrt());
        Self { queries, keys, values, scale, mask }
    }

    fn sizes(&self) -> (usize, usize) {
        (self.features(), self.queries.length)
    }
}
