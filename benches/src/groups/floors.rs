//! Peaks of this machine, the floors of the other groups.

use crate::bench::Bench;
use crate::cell::{Cell, each, label, number, percent};
use crate::floor::{copy, transform_pair};
use crate::groups::maps::{apply, bind};
use crate::groups::noise::normals;
use crate::measure::{Time, interleaved};
use crate::peak;
use hpfracc_backend::Workload;
use hpfracc_cpu::Gemm;

/// Side of the dense products.
const SIDE: usize = 512;

/// Numbers of a copy that stays in the caches, and of one that does not.
const COPIES: [usize; 2] = [1 << 14, 1 << 24];

/// Lengths of the transforms.
const LENGTHS: [usize; 2] = [1 << 16, 1 << 20];

const NORMALS: usize = 1 << 16;

/// Fused products, dense products, transforms, copies and normals on one core.
pub(crate) fn floors(bench: &mut Bench) {
    bench.note("One core, f64, normals f32. A product is a multiplication and an addition.");
    bench.columns("work | of one | each | 1e9 a second | of the peak");
    let workload = Workload::Dense { rows: SIDE, cols: SIDE, batch: SIDE };
    let product = bind(&Gemm, workload, &vec![0.5; SIDE * SIDE]);
    let (a, mut b) = (vec![0.25; SIDE * SIDE], vec![0.0; SIDE * SIDE]);
    let [peak, gemm] =
        interleaved(bench.budget, [&mut peak::double, &mut apply(product.as_ref(), &a, &mut b)]);
    let of_peak = peak::rate(&peak, peak::DOUBLE);
    let products = (SIDE * SIDE * SIDE) as f64;
    bench.row(row("fused products", "product", &peak, of_peak * peak.least, None));
    let name = format!("dense product of {SIDE} x {SIDE}");
    bench.row(row(&name, "product", &gemm, products, Some(products / gemm.least / of_peak)));
    for len in LENGTHS {
        let [pair] = interleaved(bench.budget, [&mut transform_pair(len)]);
        let name = format!("realfft, forward and inverse, {len}");
        bench.row(row(&name, "sample", &pair, len as f64, None));
    }
    for len in COPIES {
        let [copied] = interleaved(bench.budget, [&mut copy(len)]);
        bench.row(row(&format!("copy of {len}"), "number", &copied, len as f64, None));
    }
    let [drawn] = interleaved(bench.budget, [&mut || normals(NORMALS)]);
    bench.row(row("normals by address", "normal", &drawn, NORMALS as f64, None));
}

fn row(name: &str, of_one: &str, time: &Time, count: f64, part: Option<f64>) -> [Cell; 5] {
    let part = part.map_or_else(crate::cell::nothing, percent);
    let giga = count / time.least / 1e9;
    [label(name), label(of_one), each(time, count), number(giga, 2), part]
}
