//! x
use hpfracc_backend::Reference;
use hpfracc_operators::{Operator, named};
use hpfracc_special::{gamma, recip_gamma};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;
use std::time::Instant;

fn timed(op: &str, s: &str, a: f64) {
    let grid = Grid::uniform(1_000_000, 0.25).unwrap();
    let o = named(op, Some(s), Order::new(a).unwrap(), &[]).unwrap();
    let t = Instant::now();
    let w = o.weights(grid).unwrap();
    let e = t.elapsed();
    let d = o.weights_order_derivative(grid).unwrap();
    println!("{op} {s} {a}: {e:?} {:?}", t.elapsed() - e);
    drop((w, d));
}
#[test]
fn times() {
    for (o, s, a) in [
        ("caputo", "l1", 0.5),
        ("caputo", "l1-2", 0.5),
        ("caputo", "l2-1sigma", 0.5),
        ("rl-integral", "trapezoid", 0.5),
        ("rl-integral", "simpson", 0.5),
        ("rl-integral", "simpson", 2.5),
        ("marchaud", "quadratic-zero", 0.5),
        ("marchaud", "linear-zero", 0.5),
    ] {
        timed(o, s, a);
        timed(o, s, a);
    }
}
#[test]
fn high() {
    for a in [5.5, 12.3, 19.7, 20.0] {
        for s in ["simpson", "trapezoid"] {
            for q in [0.0, 2.0f64] {
                let grid = Grid::uniform(300, 0.05).unwrap();
                let x: Array1<f64> = grid.points().map(|t| t.powf(q)).collect();
                let op = named("rl-integral", Some(s), Order::new(a).unwrap(), &[]).unwrap();
                let y = op.on::<f64, _>(grid, &Reference).unwrap().apply(x.view()).unwrap();
                let worst = |lo: usize, hi: usize| {
                    (lo..hi)
                        .map(|n| {
                            let e =
                                gamma(q + 1.0) * recip_gamma(q + 1.0 + a) * grid.t(n).powf(q + a);
                            ((y[n] - e) / e).abs()
                        })
                        .fold(0.0, f64::max)
                };
                println!(
                    "{s} {a} t^{q}: nodes 1..10 {:.1e}, 10..50 {:.1e} 50..300 {:.1e}",
                    worst(1, 10),
                    worst(10, 50),
                    worst(50, 300)
                );
            }
        }
    }
}
