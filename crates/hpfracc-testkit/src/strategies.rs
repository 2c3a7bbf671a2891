use proptest::collection::vec;
use proptest::strategy::Strategy;

/// Time series of `len` samples of moderate size, signs and zeros included.
pub fn samples(len: usize) -> impl Strategy<Value = Vec<f64>> {
    vec(-10.0..10.0f64, len)
}
