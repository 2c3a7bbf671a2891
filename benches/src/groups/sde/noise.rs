//! Noise that is made by transforms.

use super::INSIDE;
use crate::bench::Bench;
use crate::cell::{rate, ratio, reference_time, size, time};
use crate::measure::interleaved;
use hpfracc_sde::noise::{FractionalBrownian, Normals, Purpose, Stream, Tile};
use realfft::RealFftPlanner;
use std::hint::black_box;

/// Samples of fractional Brownian motion per second on one core.
pub(crate) fn fractional_brownian(bench: &mut Bench) {
    bench.note("Beside: its transform and its normals. f32, one core.");
    bench.columns("steps | parts | samples | samples a second | samples / parts");
    let sizes: &[usize] =
        if bench.quick { &[4096, 65_536] } else { &[1024, 4096, 65_536, 1 << 20] };
    for &steps in sizes {
        let noise = FractionalBrownian::<f32>::new(3, &[0.3]).expect(INSIDE);
        let lanes = ((1 << 17) / steps).max(1);
        let tile = Tile { first_path: 0, lanes, steps, h: 1e-3 };
        let mut increments = vec![0f32; lanes * steps];
        let transform = RealFftPlanner::<f32>::new().plan_fft_inverse(2 * steps);
        let (mut input, mut output) = (transform.make_input_vec(), transform.make_output_vec());
        let mut scratch = transform.make_scratch_vec();
        let stream = Stream::new(Purpose::FractionalGaussian, 0).expect(INSIDE);
        let source = Normals::new(3);
        let mut parts = vec![0f32; 2 * steps];
        let mut least = || {
            for path in 0..lanes {
                source.fill_path(stream, path as u64, &mut parts);
                black_box(&parts);
                transform
                    .process_with_scratch(&mut input, &mut output, &mut scratch)
                    .expect("buffers of its own sizes");
                black_box(&output);
            }
        };
        let mut work = || noise.fill_paths(tile, &mut increments).expect(INSIDE);
        let [least, work] = interleaved(bench.budget, [&mut least, &mut work]);
        bench.row([
            size(steps),
            reference_time(&least),
            time(&work),
            rate((lanes * steps) as f64, &work),
            ratio(&work, &least),
        ]);
    }
}
