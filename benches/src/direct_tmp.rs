use crate::measure::{Budget, interleaved, show};
use hpfracc_backend::{Backend, Workload};
use hpfracc_cpu::{Direct, Fft};
use pulp::{Arch, Simd, WithSimd};
pub struct Peak;
impl WithSimd for Peak {
    type Output = (f64, usize);
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> (f64, usize) {
        let a = simd.splat_f64s(std::hint::black_box(0.999));
        let b = simd.splat_f64s(std::hint::black_box(0.001));
        let mut s = [b; 12];
        for _ in 0..1000 {
            for i in 0..12 {
                s[i] = simd.mul_add_e_f64s(s[i], a, b);
            }
        }
        let mut t = s[0];
        for i in 1..12 {
            t = simd.add_f64s(t, s[i]);
        }
        (simd.reduce_sum_f64s(t), 12 * 1000 * S::F64_LANES)
    }
}
pub fn run(budget: Budget, _q: bool) {
    for n in [16usize, 64, 100, 128, 200, 256, 300, 400, 512, 700, 1024, 2048, 4096] {
        let w: Vec<f64> = (0..n).map(|k| ((k + 1) as f64).powf(-0.5)).collect();
        let x = w.clone();
        let mut y = vec![0.0; n];
        let mut y2 = vec![0.0; n];
        let wl = Workload::CausalConvolution { len: n, batch: 1 };
        let d = Backend::<f64>::plan(&Direct::new(), wl).unwrap().bind(&w).unwrap();
        let f = Backend::<f64>::plan(&Fft::new(), wl).unwrap().bind(&w).unwrap();
        let mut fm = 0;
        let [p, dt, ft] = interleaved(
            budget,
            [
                &mut || {
                    let r = Arch::new().dispatch(Peak);
                    fm = r.1;
                    std::hint::black_box(r.0);
                },
                &mut || d.apply(&x, &mut y).unwrap(),
                &mut || f.apply(&x, &mut y2).unwrap(),
            ],
        );
        let peak = fm as f64 / p.least;
        println!(
            "{n} peak {:.1} GFMA/s direct {} frac {:.3} fft {} d/f {:.2}",
            peak / 1e9,
            show(dt.least),
            (n * (n + 1) / 2) as f64 / dt.least / peak,
            show(ft.least),
            dt.least / ft.least
        );
    }
}
