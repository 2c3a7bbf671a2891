//! The memory of fits is that of their plans.

use hpfracc_equation::Formula;
use hpfracc_fit::{Column, Fit, FitPlan, FormulaModel, Loss, RawFile, Set, Source, Spool, Spooled};
use hpfracc_testkit::CountingAllocator;
use std::path::Path;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Difference of a few kilobytes that is none.
const SMALLEST: usize = 8 << 10;

const MODELS: [&str; 3] = [
    "a + b x; a = 0; b = 1",
    "a exp(-(x/tau)^s) + c; a = 1.8; tau = 1.8 in (0, inf); s = 0.7 in (0, 2); c = 0",
    "a1 exp(-x) + a2 exp(-2 x) + a3 exp(-3 x) + a4 exp(-4 x) + a5 exp(-5 x) + a6 exp(-6 x) + a7 exp(-7 x) \
     + a8 exp(-8 x) + a9 exp(-9 x) + a10 exp(-10 x) + a11 exp(-11 x) + a12; a1 = 1; a2 = 1; a3 = 1; a4 = 1; \
     a5 = 1; a6 = 1; a7 = 1; a8 = 1; a9 = 1; a10 = 1; a11 = 1; a12 = 1",
];

fn row(k: usize, count: usize) -> [f64; 2] {
    let x = 4.0 * (k as f64 + 0.5) / count as f64;
    let noise = ((k as f64 * 12.9898).sin() * 43_758.545_3).fract();
    [x, 2.0 * (-(x / 1.5f64).powf(0.6)).exp() + 0.3 + 0.02 * noise]
}

fn spooled(count: usize, limit: usize, folder: &Path) -> Spooled {
    let mut spool = Spool::new(2, limit).folder(folder);
    (0..count).for_each(|k| spool.push(&row(k, count)).unwrap());
    spool.finish().unwrap()
}

/// Plan and measured peak of a fit on threads of its own.
fn measured(set: Set<'_>, loss: Loss, threads: usize) -> (FitPlan, usize) {
    let mut running = vec![];
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = builder.spawn_handler(|thread| {
        running.push(std::thread::spawn(|| thread.run()));
        Ok(())
    });
    let pool = pool.build().unwrap();
    let measured = pool.install(|| {
        let fit = Fit::new(set).unwrap().loss(loss).max_passes(4);
        let plan = fit.plan();
        let before = ALLOCATOR.bytes_in_use();
        ALLOCATOR.most_bytes_in_use();
        let found = fit.run().unwrap();
        let peak = ALLOCATOR.most_bytes_in_use() - before;
        assert!(found.cost() > 0.0);
        (plan, peak)
    });
    // Threads free their memory when they end.
    drop(pool);
    running.into_iter().for_each(|thread| thread.join().unwrap());
    measured
}

#[test]
fn plans_are_within_15_percent() {
    let folder = tempfile::tempdir().unwrap();
    let (mut worst, mut failures) = (0.0f64, vec![]);
    for count in [64, 5_000, 400_000] {
        let rows: Vec<[f64; 2]> = (0..count).map(|k| row(k, count)).collect();
        let [x, y] = [0, 1].map(|k| rows.iter().map(|row| row[k]).collect::<Vec<f64>>());
        let path = folder.path().join("rows");
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(&path, bytes).unwrap();
        drop(rows);
        let file = RawFile::open(&path, 2).unwrap();
        let memory = spooled(count, usize::MAX, folder.path());
        let temporary = spooled(count, 256, folder.path());
        assert!(!memory.is_file() && temporary.is_file());
        let sources: [Option<&dyn Source>; 4] =
            [None, Some(&file), Some(&memory), Some(&temporary)];
        for text in MODELS {
            let model = FormulaModel::new(&[Formula::parse(text, &["x"]).unwrap()]).unwrap();
            for (number, source) in sources.into_iter().enumerate() {
                let set = || {
                    let column = |k, values| source.map_or(values, |source| Column::of(source, k));
                    let set = Set::new("rows", &model).input(column(0, (&x).into()));
                    set.response(column(1, (&y).into()))
                };
                for (loss, threads) in [(Loss::Squares, 1), (Loss::Squares, 2), (Loss::Huber, 2)] {
                    // Threads may have read a part before: the plan is for the largest of all peaks.
                    let runs = if count < 10_000 { 3 } else { 1 };
                    let measured = (0..runs).map(|_| measured(set(), loss, threads));
                    let (plan, peak) = measured.max_by_key(|(_, peak)| *peak).unwrap();
                    let ratio = plan.bytes() as f64 / peak as f64;
                    worst = worst.max((ratio - 1.0).abs());
                    let parameters = model.clone();
                    let p = hpfracc_fit::Model::parameters(&parameters).len();
                    let case = format!(
                        "{count} rows, {p} parameters, source {number}, {loss:?}, {threads} threads: peak {peak}, {ratio:.3}, {plan:?}"
                    );
                    if (ratio - 1.0).abs() > 0.15 && plan.bytes().abs_diff(peak) > SMALLEST {
                        failures.push(case);
                    }
                }
            }
        }
    }
    println!("largest relative error {worst:.3}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
