//! Streams on the processor's recurrences: the same bits however they are fed, in both precisions.
//! Chunks by transforms: the numbers of one whole call.

use hpfracc::cpu::{Fft, ParallelRecurrence, Recurrence};
use hpfracc::operators::{Stream, catalogue};
use hpfracc::prelude::*;
use ndarray::{Array1, Array2, Axis, concatenate, s};

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
            let mut stream = Stream::new(&recurrence, 1, &Recurrence).unwrap();
            f.iter().zip(&mut y).for_each(|(f, y)| *y = stream.push(*f).unwrap());
        }
        for len in [1, 7, 64, 1000, n] {
            let mut stream = Stream::new(&recurrence, channels, &ParallelRecurrence).unwrap();
            let mut found = Array2::zeros((channels, n));
            for at in (0..n).step_by(len) {
                let these = s![.., at..n.min(at + len)];
                stream.push_block(f.slice(these), found.slice_mut(these)).unwrap();
                // Elsewhere, from its state.
                stream = Stream::resume(&recurrence, &stream.state(), &Recurrence).unwrap();
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

#[test]
fn chunks_by_transforms_are_the_whole() {
    let n = 3000;
    let f: Array1<f64> = (0..n).map(|j| 0.01 * j as f64).map(|t| (9.0 * t).cos() + t).collect();
    let (fft, mut checked) = (Fft::new(), 0);
    for entry in catalogue() {
        let operator = entry.example(Order::new(entry.range.examples[0]).unwrap()).unwrap();
        if Chunked::<f64>::new(&operator, 0.01, n, n, &fft).is_err() {
            continue;
        }
        checked += 1;
        let whole = operator.clone().on(Grid::uniform(n, 0.01).unwrap(), &fft).unwrap();
        let whole: Array1<f64> = whole.apply(f.view()).unwrap();
        let size = whole.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
        for chunk in [1, 2, 3, 7, 64, 1000, n] {
            let mut chunked = Chunked::new(&operator, 0.01, n, chunk, &fft).unwrap();
            let chunks = f.axis_chunks_iter(Axis(0), chunk);
            let results: Vec<_> = chunks.map(|f| chunked.push(f).unwrap()).collect();
            let views: Vec<_> = results.iter().map(|y| y.view()).collect();
            let found = concatenate(Axis(0), &views).unwrap();
            let error = (&found - &whole).iter().fold(0.0, |m: f64, e| m.max(e.abs()));
            assert!(error <= 1e-12 * size, "{} {chunk}: {:e}", entry.name(), error / size);
        }
    }
    assert!(checked > 20, "{checked}");
}
