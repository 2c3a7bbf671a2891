//! A stream allocates nothing after its first block of a size; a record in chunks holds what it
//! says.

use hpfracc_cpu::{Fft, Recurrence};
use hpfracc_operators::{Caputo, Chunked, Operator, Stream};
use hpfracc_testkit::CountingAllocator;
use hpfracc_types::Order;
use ndarray::{Array1, Array2, Axis};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

#[test]
fn a_stream_allocates_nothing_and_chunks_what_they_say() {
    let l1 = Caputo::l1(Order::new(0.5).unwrap()).unwrap();
    let recurrence = l1.recurrence(0.01, 1_000_000, 1e-6).unwrap();
    let mut stream: Stream<f64> = Stream::new(&recurrence, 2, &Recurrence).unwrap();
    let (samples, mut results) = (Array2::ones((2, 1100)), Array2::zeros((2, 1100)));
    stream.push_block(samples.view(), results.view_mut()).unwrap();
    let (calls, bytes) = (ALLOCATOR.calls(), ALLOCATOR.bytes_in_use());
    for _ in 0..3 {
        stream.push_block(samples.view(), results.view_mut()).unwrap();
        stream.push_into(&[1.0, 2.0], &mut [0.0; 2]).unwrap();
    }
    assert_eq!((ALLOCATOR.calls(), ALLOCATOR.bytes_in_use()), (calls, bytes));

    let (n, chunk) = (1 << 17, 1000);
    let before = ALLOCATOR.bytes_in_use();
    let mut chunked: Chunked<f64> = Chunked::new(&l1, 0.01, n, chunk, &Fft::new()).unwrap();
    let samples = Array1::ones(n);
    let most = samples.axis_chunks_iter(Axis(0), chunk).map(|samples| {
        chunked.push(samples).unwrap();
        ALLOCATOR.bytes_in_use()
    });
    let numbers = (most.max().unwrap() - before) as f64 / (8 * n) as f64;
    println!("{numbers:.1} numbers a sample");
    assert!(numbers < 18.0, "{numbers}");
}
