use crate::measure::{Budget, interleaved, show};
use hpfracc_backend::{Backend, LinearMap, Plan, Workload};
use hpfracc_cpu::{Direct, Fft};
use realfft::RealFftPlanner;

fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|k| ((k + 1) as f64).powf(-0.5)).collect()
}
fn signal(n: usize) -> Vec<f64> {
    (0..n).map(|k| (0.7 * k as f64).sin()).collect()
}
fn smooth(n: usize) -> usize {
    (n..)
        .find(|&m| {
            let mut m = m;
            for p in [2, 3, 5] {
                while m % p == 0 {
                    m /= p;
                }
            }
            m == 1
        })
        .unwrap()
}

pub fn fft(budget: Budget, _quick: bool) {
    println!("|N|pair len|pair|pair p2|fft|ratio|");
    for n in [
        1000,
        2048,
        4096,
        5000,
        8192,
        10000,
        16384,
        1 << 15,
        1 << 16,
        100_000,
        1 << 17,
        1 << 18,
        500_009,
        1 << 19,
        1_000_000,
        1 << 20,
    ] {
        let workload = Workload::CausalConvolution { len: n, batch: 1 };
        let map = Backend::<f64>::plan(&Fft::new(), workload).unwrap().bind(&weights(n)).unwrap();
        let (x, mut y) = (signal(n), vec![0.0; n]);
        let mut pairs: Vec<_> = [smooth(2 * n - 1), (2 * n - 1).next_power_of_two()]
            .into_iter()
            .map(|m| {
                let mut planner = RealFftPlanner::<f64>::new();
                let (f, i) = (planner.plan_fft_forward(m), planner.plan_fft_inverse(m));
                let (mut a, mut s, mut b) =
                    (f.make_input_vec(), f.make_output_vec(), f.make_scratch_vec());
                let mut b2 = i.make_scratch_vec();
                move || {
                    f.process_with_scratch(&mut a, &mut s, &mut b).unwrap();
                    i.process_with_scratch(&mut s, &mut a, &mut b2).unwrap();
                    a[0] = 1.0;
                    a.iter_mut().take(1).for_each(|v| *v = 0.5);
                }
            })
            .collect();
        let (p, q) = pairs.split_at_mut(1);
        let [pair, pair2, fft] =
            interleaved(budget, [&mut p[0], &mut q[0], &mut || map.apply(&x, &mut y).unwrap()]);
        println!(
            "|{n}|{}|{}|{}|{}|{:.3}|",
            smooth(2 * n - 1),
            show(pair.least),
            show(pair2.least),
            show(fft.least),
            fft.least / pair.least.min(pair2.least)
        );
    }
}
