/// Method of a causal convolution in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CausalMethod {
    /// Sums over all lags.
    Direct,
    /// Fourier transforms along time.
    Fourier,
}

/// The fastest method for series of `length` times and `lanes` lanes of `scalar_bytes` bytes, whose weights
/// span the whole series.
///
/// Measured at 1 to 64 lanes: with more than a register of lanes the two methods break even at about 64
/// times, with fewer lanes at about 256.
pub(super) fn causal_method(length: usize, lanes: usize, scalar_bytes: usize) -> CausalMethod {
    const REGISTER_BYTES: usize = 64;
    let threshold = if lanes * scalar_bytes > REGISTER_BYTES { 64 } else { 256 };
    if length >= threshold { CausalMethod::Fourier } else { CausalMethod::Direct }
}
