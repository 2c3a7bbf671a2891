//! Fits of many points and of few.

mod many;

pub(crate) use many::{batch, checkpoints, equation, sampling};

use crate::allocated::peak_bytes;
use crate::bench::Bench;
use crate::cell::{bytes, each, floor, label, ratio, size, time};
use crate::measure::interleaved;
use hpfracc::equation::Formula;
use hpfracc::fit::{Column, Fit, FormulaModel, RawFile, Set};
use hpfracc_special::MittagLefflerGradient;
use std::hint::black_box;

const MODEL: &str = "a formula with its starts";
/// Largest number of points from memory, and from a file.
const POINTS: [usize; 2] = [10_000_000, 4_000_000];

/// Formula, and its starts 30 % off the truth.
const MODELS: [(&str, &str); 3] = [
    (
        "stretched",
        "y = a exp(-(t/tau)^s) + c; a = 1.3; tau = 1.4 in (0, inf); s = 0.8 in (0, 2); c = 0.13",
    ),
    (
        "mittag-leffler",
        "y = a E(s, -(t/tau)^s) + c; a = 1.3; tau = 1.4 in (0, inf); s = 0.8 in (0, 2); c = 0.13",
    ),
    ("decay", "y = a exp(-t/tau) + c; a = 1.3; tau = 1.4 in (0, inf); c = 0.13"),
];

/// Model of a name.
fn model(name: &str) -> FormulaModel {
    let text = MODELS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    FormulaModel::new(&[Formula::parse(text, &["t", "y"]).expect(MODEL)]).expect(MODEL)
}

fn truth(name: &str, t: f64) -> f64 {
    let shape = match name {
        "stretched" => (-(t / 2.0).powf(0.6)).exp(),
        "mittag-leffler" => RELAXATION.with(|e| e.eval(-(t / 2.0).powf(0.6)).value),
        _ => (-t / 2.0).exp(),
    };
    2.0 * shape + 0.1
}

thread_local! {
    static RELAXATION: MittagLefflerGradient = MittagLefflerGradient::new(0.6, 1.0).expect(MODEL);
}

/// Times and noisy values.
fn data(name: &str, count: usize) -> [Vec<f64>; 2] {
    let t: Vec<f64> = (0..count).map(|k| 8.0 * (k as f64 + 0.5) / count as f64).collect();
    let noise = |k: usize| ((k as f64 * 12.9898).sin() * 43_758.545_3).fract();
    let y = t.iter().enumerate().map(|(k, t)| truth(name, *t) + 0.02 * noise(k)).collect();
    [t, y]
}

/// Number of passes of a fit.
fn fitted(model: &FormulaModel, t: Column<'_>, y: Column<'_>) -> usize {
    let set = Set::new("rows", model).input(t).response(y);
    let found = Fit::new(set).and_then(Fit::run).expect(MODEL);
    black_box(found.values());
    found.passes()
}

/// Whole fits of points in memory.
pub(crate) fn points(bench: &mut Bench) {
    bench.note(
        "Whole fits from starts 30 % off, standard errors included, on all threads. Floor: a sum over both columns on one thread. \
         Memory is the peak beyond the data.",
    );
    bench.columns("model | points | sum | fit | passes | a point and pass | fit / sum | memory");
    for (name, _) in MODELS {
        let model = model(name);
        for count in [40, 10_000, POINTS[0]] {
            let [t, y] = data(name, count);
            let mut passes = 0;
            let peak = peak_bytes(|| passes = fitted(&model, (&t).into(), (&y).into()));
            let [sum, fit] = interleaved(
                bench.budget.at_most(if count > 1_000_000 { 3 } else { usize::MAX }),
                [
                    &mut || {
                        let sum = |column: &[f64]| column.iter().sum::<f64>();
                        black_box(sum(black_box(&t)) + sum(black_box(&y)));
                    },
                    &mut || {
                        black_box(fitted(&model, (&t).into(), (&y).into()));
                    },
                ],
            );
            bench.row([
                label(name),
                size(count),
                floor(&sum),
                time(&fit),
                label(passes),
                each(&fit, (count * passes) as f64),
                ratio(&fit, &sum),
                bytes(peak),
            ]);
        }
    }
}

/// Passes over a file against reading it.
pub(crate) fn file(bench: &mut Bench) {
    bench.note(
        "Fits of a file of numbers that the cache of the system holds. Floor: reading the whole file once for each pass, in \
         pieces of 128 KiB on one thread.",
    );
    bench.columns("model | points | reading | fit | passes | reading / fit | memory");
    for (name, _) in MODELS {
        let model = model(name);
        let [t, y] = data(name, POINTS[1]);
        let folder = std::env::temp_dir().join(format!("hpfracc-bench-{}", std::process::id()));
        let path = folder.join("rows");
        let numbers: Vec<u8> =
            t.iter().zip(&y).flat_map(|(t, y)| [*t, *y]).flat_map(f64::to_le_bytes).collect();
        let written =
            std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, numbers));
        let opened = written.ok().and_then(|()| RawFile::open(&path, 2).ok());
        let Some(file) = opened else {
            bench.note("No temporary file can be written.");
            continue;
        };
        let run = || fitted(&model, Column::of(&file, 0), Column::of(&file, 1));
        let mut passes = 0;
        let peak = peak_bytes(|| passes = run());
        let [reading, fit] = interleaved(
            bench.budget.at_most(3),
            [&mut || (0..passes).for_each(|_| read(&path)), &mut || {
                black_box(run());
            }],
        );
        bench.row([
            label(name),
            size(POINTS[1]),
            floor(&reading),
            time(&fit),
            label(passes),
            ratio(&reading, &fit),
            bytes(peak),
        ]);
        drop(std::fs::remove_dir_all(&folder));
    }
}

fn read(path: &std::path::Path) {
    use std::io::Read;
    let mut piece = vec![0; 1 << 17];
    if let Ok(mut file) = std::fs::File::open(path) {
        while file.read(&mut piece).is_ok_and(|read| read > 0) {
            black_box(&piece);
        }
    }
}
