use hpfracc_equation::wgsl::ShaderFunction;

/// Most observables whose statistics are computed on a device: more do not stay in registers.
const MOST_OBSERVABLES: usize = 16;

/// Statistics of the paths at saved nodes that a device computes in place of their states.
#[derive(Debug, Clone)]
pub struct SummaryRequest {
    /// Observables after the components, as a function of these with the name `shown`; `None` if there are none.
    pub shown: Option<ShaderFunction>,
    /// Whether moments are computed.
    pub moments: bool,
    /// Leading bits of the mantissa, 1 to 20, of the buckets in which numbers are counted; `None` without counts.
    pub digits: Option<u32>,
    /// Number of paths, from the first of the ensemble on, whose states are read.
    pub first_paths: usize,
}

impl SummaryRequest {
    /// Whether a device computes it for this number of components.
    pub fn is_computed_for(&self, dim: usize) -> bool {
        self.observables(dim) <= MOST_OBSERVABLES
            && self.digits.is_none_or(|d| (1..=20).contains(&d))
    }

    /// Number of observables, the components among them.
    pub(super) fn observables(&self, dim: usize) -> usize {
        dim + self.shown.as_ref().map_or(0, ShaderFunction::roots)
    }
}

/// Statistics of paths at a saved node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathSummary {
    /// Moments of consecutive blocks of paths, if they were requested.
    pub blocks: Vec<BlockSums>,
    /// Counts of the numbers of each observable, if they were requested.
    pub counts: Vec<NumberCounts>,
    /// Rows of the components of the first paths, if they were requested and are among the paths.
    pub first: Vec<f32>,
    /// Number of those paths.
    pub first_paths: usize,
}

impl PathSummary {
    /// Bytes of the numbers.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn bytes(&self) -> usize {
        let of_block = |block: &BlockSums| block.mean.len() + block.products.len();
        let blocks: usize = self.blocks.iter().map(of_block).sum();
        let counts = self.counts.iter().flat_map(|counts| &counts.sides).map(Vec::len);
        8 * blocks + 4 * (counts.sum::<usize>() + self.first.len())
    }
}

/// Moments of a block of paths.
///
/// Deviations from a number near the mean are summed in single precision in a tree, so that nothing cancels: moments
/// have relative errors of 1e-6 at most, those of the mean and of covariances relative to the standard deviations.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockSums {
    /// Number of paths.
    pub paths: usize,
    /// Mean of each observable.
    pub mean: Vec<f64>,
    /// `sum (x_i - mean_i) (x_j - mean_j)`, row by row.
    pub products: Vec<f64>,
}

/// Counts of numbers in buckets by the exponent and the leading bits of the mantissa of their magnitudes in double
/// precision: exact.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberCounts {
    /// The least number.
    pub least: f32,
    /// The greatest number.
    pub greatest: f32,
    /// Number of zeros and of magnitudes more than 63 octaves below that of the largest one.
    pub tiny: u32,
    /// Key of the first bucket, the first one of an octave.
    pub first: u32,
    /// Counts of negative and of positive numbers in whole octaves of buckets.
    pub sides: [Vec<u32>; 2],
}
