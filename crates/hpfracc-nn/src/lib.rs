//! x
#![allow(missing_docs, dead_code)]
mod kernels;
#[cfg(test)]
mod bench {
    use crate::kernels::product::*;
    use pulp::{Arch, Simd, WithSimd};
    use std::time::Instant;
    struct P<'a>(Left<'a, f32>, &'a [f32], usize, &'a mut [f32]);
    impl WithSimd for P<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, s: S) {
            if std::env::var("A82").is_ok() {
                auto::<S, f32, 8, 32>(s, self.0, self.1, self.2, self.3)
            } else if std::env::var("A44").is_ok() {
                auto::<S, f32, 4, 64>(s, self.0, self.1, self.2, self.3)
            } else if std::env::var("OWN").is_ok() {
                product(s, self.0, self.1, self.2, Base::Zero, self.3)
            } else if std::env::var("B83").is_ok() {
                explicit::<S, 8, 2>(s, self.0, self.1, self.2, self.3)
            } else {
                explicit::<S, 4, 4>(s, self.0, self.1, self.2, self.3)
            };
        }
    }
    #[test]
    fn speed() {
        let arch = Arch::new();
        for (m, k, n) in [
            (64, 64, 256),
            (64, 4, 256),
            (4, 64, 256),
            (64, 256, 64),
            (128, 784, 128),
            (10, 128, 128),
        ] {
            let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32).collect();
            let b: Vec<f32> = (0..n * k).map(|i| (i % 5) as f32).collect();
            let mut c = vec![0.0f32; m * n];
            let mut d = vec![0.0f32; m * n];
            let (mut best, mut other) = (f64::MAX, f64::MAX);
            let mut trans = f64::MAX;
            for _ in 0..200 {
                let t = Instant::now();
                for _ in 0..10 {
                    arch.dispatch(P(
                        Left { values: &a, rows: m, inner: k, strides: (k, 1) },
                        &b,
                        n,
                        &mut c,
                    ));
                }
                best = best.min(t.elapsed().as_secs_f64() / 10.0);
                let t = Instant::now();
                for _ in 0..10 {
                    arch.dispatch(P(
                        Left { values: &a, rows: m, inner: k, strides: (1, m) },
                        &b,
                        n,
                        &mut d,
                    ));
                }
                trans = trans.min(t.elapsed().as_secs_f64() / 10.0);
                let t = Instant::now();
                for _ in 0..10 {
                    unsafe {
                        gemm::gemm(
                            m,
                            n,
                            k,
                            d.as_mut_ptr(),
                            1,
                            n as isize,
                            false,
                            a.as_ptr(),
                            1,
                            k as isize,
                            b.as_ptr(),
                            1,
                            n as isize,
                            0.0,
                            1.0,
                            false,
                            false,
                            false,
                            gemm::Parallelism::None,
                        )
                    };
                }
                other = other.min(t.elapsed().as_secs_f64() / 10.0);
            }
            assert_eq!(c, d);
            let g = 2.0 * (m * k * n) as f64 / 1e9;
            println!(
                "{m}x{k}x{n}: own {:.1} GF/s, transposed {:.1}, gemm {:.1}",
                g / best,
                g / trans,
                g / other
            );
        }
    }
}
#[cfg(test)]
mod bench2 {
    use pulp::{Arch, Simd, WithSimd};
    use std::time::Instant;
    struct P<'a>(&'a mut [f32]);
    impl WithSimd for P<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            for x in self.0.iter_mut() {
                *x = crate::kernels::elementary::tanh(*x);
            }
        }
    }
    struct Q<'a>(&'a mut [f32]);
    impl WithSimd for Q<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            for part in self.0.chunks_exact_mut(64) {
                let part: &mut [f32; 64] = part.try_into().unwrap();
                for x in part {
                    *x = crate::kernels::elementary::tanh(*x);
                }
            }
        }
    }
    #[test]
    fn speed2() {
        let arch = Arch::new();
        println!("{arch:?}");
        let mut a: Vec<f32> = (0..16384).map(|i| i as f32 / 3000.0 - 2.5).collect();
        let worst = a
            .iter()
            .map(|x| {
                let e = f64::from(*x).tanh();
                ((f64::from(crate::kernels::elementary::tanh(*x)) - e) / e).abs()
            })
            .fold(0.0, f64::max);
        println!("own worst {worst:.1e}");
        for _ in 0..3 {
            let t = Instant::now();
            for _ in 0..1000 {
                arch.dispatch(P(&mut a));
            }
            println!("own tanh {:.3} ns", t.elapsed().as_secs_f64() / 1000.0 / 16384.0 * 1e9);
            let t = Instant::now();
            for _ in 0..1000 {
                arch.dispatch(Q(&mut a));
            }
            println!(
                "own tanh chunks {:.3} ns",
                t.elapsed().as_secs_f64() / 1000.0 / 16384.0 * 1e9
            );
        }
    }
}
