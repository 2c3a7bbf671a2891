//! `y_n += sum_k w_k u_{n-k}` for all steps of a panel of paths.

use super::panels::WIDTH;
use crate::rows::add;
use hpfracc_lanes::causal::thresholds::PANEL_TRANSFORMS_FROM;
use hpfracc_lanes::causal::{DirectSum, FourierScalar, PADDING, SeriesConvolution};
use pulp::Arch;

/// Causal sums over all earlier steps of a panel: direct for few steps, by transforms for many.
#[derive(Debug)]
pub(super) enum CausalSums<T: FourierScalar> {
    /// Weights by lag between [`PADDING`] zeros.
    Direct { padded: Vec<T>, arch: Arch },
    /// Two real transforms a path.
    Transforms(SeriesConvolution<T>),
}

impl<T: FourierScalar> CausalSums<T> {
    /// The sums with weights `w_k`, k = 0, 1, ..., one for each step; `w_0` is that of the step
    /// itself.
    pub(super) fn new(weights: &[f64]) -> Self {
        if weights.len() >= PANEL_TRANSFORMS_FROM {
            return Self::Transforms(SeriesConvolution::new(weights));
        }
        let zeros = std::iter::repeat_n(T::zero(), PADDING);
        let narrow = weights.iter().map(|w| T::narrow(*w));
        Self::Direct {
            padded: zeros.clone().chain(narrow).chain(zeros).collect(),
            arch: Arch::new(),
        }
    }

    /// Adds the sums over a panel `u` to `y`.
    pub(super) fn add(&self, u: &[T], y: &mut [T]) {
        let steps = u.len() / WIDTH;
        match self {
            Self::Direct { padded, arch } => {
                let sum = DirectSum {
                    tables: padded,
                    stride: 0,
                    taps: steps,
                    x: u,
                    series: 1,
                    length: steps,
                    lanes: WIDTH,
                    times: (0, steps),
                    first: None,
                    // The same noise on every instruction set.
                    fused: false,
                };
                sum.convolve(*arch, 0..steps, y);
            }
            Self::Transforms(convolution) => {
                let mut by_path = vec![T::zero(); u.len()];
                transpose::transpose(u, &mut by_path, WIDTH, steps);
                let mut buffers = convolution.buffers();
                for path in by_path.chunks_exact_mut(steps) {
                    convolution.convolve(path, &mut buffers);
                }
                let mut by_step = vec![T::zero(); u.len()];
                transpose::transpose(&by_path, &mut by_step, steps, WIDTH);
                add(y, &by_step);
            }
        }
    }
}
