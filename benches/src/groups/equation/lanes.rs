//! Programs for many paths against loops over lanes by hand.

use super::systems::{self, System, by_hand};
use crate::bench::Bench;
use crate::cell::{each, label, ratio, reference_time};
use crate::measure::interleaved;
use hpfracc_equation::{Execute, Program, Scratch};
use hpfracc_lanes::{Elementary, Rows, RowsMut};
use pulp::{Arch, Simd, WithSimd};
use std::hint::black_box;

/// Paths of a tile.
const LANES: usize = 256;

/// Rows that begin at a line of the cache: their distance to it decides the time of loops over them.
#[repr(align(64))]
struct Tile<T>([T; 4 * LANES]);

/// Each system in both precisions.
pub(crate) fn against_loops(bench: &mut Bench) {
    bench.note(
        "Reference: loops over lanes by hand, through the same dispatch. All right-hand sides of a system, drift and \
         diffusion of a stochastic one, for a tile of 256 paths, on one core: times of a path.",
    );
    bench.columns("system | by hand | program | program / by hand");
    single::rows(bench);
    double::rows(bench);
}

/// Row of a system: the loop by hand and the program.
fn row<T: Execute>(bench: &mut Bench, system: System, by_hand: fn(Arch, &[T], &[f64], &mut [T])) {
    let arch = Arch::new();
    let (graph, roots, inputs) = system.graph();
    let program = Program::<T>::new(&graph, &roots, &inputs).expect("inputs of all variables");
    let uniforms = system.uniforms();
    let mut x = Tile([T::zero(); 4 * LANES]);
    for (k, x) in x.0.iter_mut().enumerate() {
        *x = T::narrow(0.3 + 0.001 * (k % LANES) as f64);
    }
    let (mut expected, mut out) = (Tile(x.0), Tile(x.0));
    let mut scratch = Scratch::new();
    let [hand, own] = interleaved(
        bench.budget,
        [
            &mut || by_hand(arch, black_box(&x.0), black_box(&uniforms), &mut expected.0),
            &mut || {
                let (rows, out) = (Rows::new(&black_box(&x).0[..], LANES), &mut out.0);
                let out = RowsMut::new(&mut out[..], LANES);
                program.run(arch, rows, black_box(&uniforms), out, &mut scratch);
            },
        ],
    );
    black_box((&expected, &out));
    bench.row([
        label(format!("{}, {}", system.name, T::NAME)),
        reference_time(&hand.scaled(1.0 / LANES as f64)),
        each(&own, LANES as f64),
        ratio(&own, &hand),
    ]);
}

/// The loop of a system by hand, for the scalar `T`.
macro_rules! system {
    (
        $bench:ident, $system:ident, ($($row:ident),*), ($($uniform:ident),*),
        { $($out:ident: $root:expr),* $(,)? }
    ) => {{
        struct Hand<'a> {
            rows: &'a [T],
            uniforms: &'a [f64],
            out: &'a mut [T],
        }

        impl WithSimd for Hand<'_> {
            type Output = ();

            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) {
                let mut uniforms = self.uniforms.iter();
                $(let $uniform = uniforms.next().map_or(0.0, |x| *x as T);)*
                let mut rows = self.rows.as_chunks::<LANES>().0.iter();
                $(let $row = rows.next().expect("a row");)*
                let mut out = self.out.as_chunks_mut::<LANES>().0.iter_mut();
                $(let $out = out.next().expect("a row");)*
                for lane in 0..LANES {
                    let ($($row,)*) = ($($row[lane],)*);
                    $($out[lane] = $root;)*
                }
            }
        }

        row::<T>($bench, systems::$system, |arch, rows, uniforms, out| {
            arch.dispatch(Hand { rows, uniforms, out });
        });
    }};
}

macro_rules! precision {
    ($module:ident, $t:ident) => {
        mod $module {
            use super::*;

            type T = $t;

            pub(super) fn rows(bench: &mut Bench) {
                by_hand!(system, bench);
            }
        }
    };
}

precision!(single, f32);
precision!(double, f64);
