//! Streams on the processor's recurrences: the same bits however they are fed, in both precisions.

use hpfracc::cpu::{ParallelRecurrence, Recurrence};
use hpfracc::operators::{Stream, catalogue};
use hpfracc::prelude::*;
use ndarray::{Array2, s};

fn check<T: Real>() {
    let (channels, n) = (5, 1100);
    let f = Array2::from_shape_fn((channels, n), |(c, j)| {
        let t = 0.01 * (j + 37 * c) as f64;
        T::narrow((9.0 * t).cos() + 0.5 * t - 0.2)
    });
    let mut checked = 0;
    for entry in catalogue() {
        let operator = entry.example(Order::new(entry.range.examples[0]).unwrap()).unwrap();
        let Ok(recurrence) = operator.recurrence(0.01, n as u64, 1e-9) else { continue };
        checked += 1;
        // One channel, one sample at a time.
        let mut expected = Array2::zeros((channels, n));
        for (f, mut y) in f.outer_iter().zip(expected.outer_iter_mut()) {
            let mut stream = Stream::new(&recurrence, 1, &Recurrence::new()).unwrap();
            f.iter().zip(&mut y).for_each(|(f, y)| *y = stream.push(*f).unwrap());
        }
        for len in [1, 7, 64, 1000, n] {
            let mut stream =
                Stream::new(&recurrence, channels, &ParallelRecurrence::new()).unwrap();
            let mut found = Array2::zeros((channels, n));
            for at in (0..n).step_by(len) {
                let these = s![.., at..n.min(at + len)];
                stream.push_block(f.slice(these), found.slice_mut(these)).unwrap();
                // Elsewhere, from its state.
                stream = Stream::resume(&recurrence, &stream.state(), &Recurrence::new()).unwrap();
            }
            assert_eq!(found, expected, "{} {len} {}", entry.name(), T::NAME);
        }
    }
    assert!(checked >= 5);
}

#[test]
fn the_same_bits_in_double_precision() {
    check::<f64>();
}

#[test]
fn the_same_bits_in_single_precision() {
    check::<f32>();
}
