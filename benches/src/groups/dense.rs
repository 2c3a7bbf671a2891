//! Dense products against the peak of fused products.

use crate::bench::Bench;
use crate::cell::{floor, label, percent, ratio, time};
use crate::groups::maps::{apply, apply_transpose, bind};
use crate::measure::interleaved;
use crate::peak;
use hpfracc_backend::Workload;
use hpfracc_cpu::Gemm;

/// `Gemm`, forward and transposed, against the peak of one core.
pub(crate) fn gemm(bench: &mut Bench) {
    bench.note("Floor: rows x cols x batch fused products at the peak of one core.");
    bench.columns(
        "rows x cols, batch | floor | forward | forward / floor | part of peak | transposed | \
         transposed / floor | part of peak, transposed",
    );
    let sizes = [(64, 64, 1), (64, 64, 32), (64, 64, 256), (512, 512, 64), (1024, 512, 2048)];
    for (rows, cols, batch) in sizes.into_iter().take(if bench.quick { 4 } else { 5 }) {
        let workload = Workload::Dense { rows, cols, batch };
        let map = bind(&Gemm, workload, &vec![0.5; rows * cols]);
        let (x, mut y) = (vec![0.25; cols * batch], vec![0.0; rows * batch]);
        let (y_in, mut x_out) = (vec![0.25; rows * batch], vec![0.0; cols * batch]);
        let [peak, forward, transposed] = interleaved(
            bench.budget,
            [
                &mut peak::double,
                &mut apply(map.as_ref(), &x, &mut y),
                &mut apply_transpose(map.as_ref(), &y_in, &mut x_out),
            ],
        );
        let least = peak::time_of(&peak, (rows * cols * batch) as f64);
        bench.row([
            label(format!("{rows} x {cols}, {batch}")),
            floor(&least),
            time(&forward),
            ratio(&forward, &least),
            percent(least.least / forward.least),
            time(&transposed),
            ratio(&transposed, &least),
            percent(least.least / transposed.least),
        ]);
    }
}
