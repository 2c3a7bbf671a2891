//! The memory limit of the host against what is in memory during a call.

use hpfracc::backend::BackendError;
use hpfracc::prelude::*;
use hpfracc::{Machine, Settings};
use hpfracc_testkit::CountingAllocator;
use ndarray::Array1;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Applies an operator under a limit: the most bytes in use, or those of the refusal.
fn apply<O: Operator + Clone + 'static>(
    operator: &O,
    n: usize,
    host_bytes: usize,
) -> Result<usize, usize> {
    let mut settings = Settings::default();
    settings.selector.memory_limits.host_bytes = Some(host_bytes as u64);
    settings.backend = "cpu-fft".to_owned();
    let machine = Machine::with(&settings).unwrap();
    let before = ALLOCATOR.bytes_in_use();
    ALLOCATOR.most_bytes_in_use();
    let samples = Array1::zeros(n);
    let bound = operator.clone().on(Grid::uniform(n, 1e-3).unwrap(), &machine);
    match bound.and_then(|bound: Bound<f64>| bound.apply(samples.view())) {
        Ok(_) => Ok(ALLOCATOR.most_bytes_in_use() - before),
        Err(OperatorError::Backend(BackendError::Memory { needed, .. })) => Err(needed),
        Err(error) => panic!("{error}"),
    }
}

fn limit_and_peak(name: &str, operator: &(impl Operator + Clone + 'static)) {
    for n in [10_000, 65_536, 300_000] {
        let most = apply(operator, n, usize::MAX >> 1).unwrap();
        // The plan that is refused says what it needs.
        let needed = apply(operator, n, 4 * 8 * n).unwrap_err();
        let ratio = needed as f64 / most as f64;
        let numbers = most as f64 / (8 * n) as f64;
        println!("{name}, {n}: {numbers:.2} numbers a sample, estimate / peak {ratio:.3}");
        // Differences and start columns of the operator are not the backend's.
        assert!((0.75..1.0).contains(&ratio), "{name}, {n}: {ratio}");
        assert!(apply(operator, n, needed).is_ok() && apply(operator, n, needed - 1).is_err());
    }
}

#[test]
fn a_limit_counts_weights_samples_results_and_the_map() {
    let order = Order::new(0.5).unwrap();
    limit_and_peak("grunwald-letnikov", &GrunwaldLetnikov::new(order));
    limit_and_peak("rl-integral", &RlIntegral::trapezoid(order).unwrap());
    limit_and_peak("caputo", &Caputo::l1(order).unwrap());
}
