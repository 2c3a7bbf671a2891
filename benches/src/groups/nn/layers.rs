//! Layers forward, in single precision.

use super::{Alone, INSIDE, TILE, sines};
use crate::bench::Bench;
use crate::cell::{floor, label, ratio, time};
use crate::measure::interleaved;
use crate::peak;
use crate::threads::pool;
use hpfracc::nn::{
    Activation, Attention, Dense, LayerNorm, Mask, MultiHeadAttention, Network, Softmax,
};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::cell::RefCell;
use std::hint::black_box;

const SAMPLES: usize = 4096;
const WIDTH: usize = 1024;

const HEADS: usize = 8;
const FEATURES: usize = 64;

/// Layers beside a copy of what they write, or beside their products at the peak of a core.
pub(crate) fn layers(bench: &mut Bench) {
    let pools = [1, 2].map(pool);
    beside_copies(bench, &pools);
    beside_products(bench, &pools);
}

/// A layer on so many samples, tile by tile.
fn tiles(network: &Network, samples: usize, lanes: usize) -> Vec<Alone<f32>> {
    (0..samples / lanes).map(|_| Alone::new(network.clone(), lanes)).collect()
}

fn forward(pool: &ThreadPool, tiles: &mut [Alone<f32>]) {
    pool.install(|| tiles.par_iter_mut().for_each(Alone::forward));
}

fn copy(pool: &ThreadPool, from: &[f32], to: &mut [f32]) {
    let part = from.len().div_ceil(pool.current_num_threads());
    let parts = to.par_chunks_mut(part).zip(from.par_chunks(part));
    pool.install(|| parts.for_each(|(to, from)| black_box(to).copy_from_slice(black_box(from))));
}

/// The function of all samples, tile by tile.
fn gelu(pool: &ThreadPool, from: &[f32], to: &mut [f32]) {
    let tiles = to.par_chunks_mut(TILE * WIDTH).zip(from.par_chunks(TILE * WIDTH));
    pool.install(|| {
        tiles.for_each(|(to, from)| {
            to.copy_from_slice(black_box(from));
            Activation::Gelu.apply(to);
            black_box(&to);
        });
    });
}

/// A layer by its name, on the threads of a pool.
type Case<'a> = (&'a str, &'a mut dyn FnMut(&ThreadPool));

fn beside_copies(bench: &mut Bench, [one, two]: &[ThreadPool; 2]) {
    bench.note(
        "Floor: a copy of what the layer writes, on as many threads. GELU is the function alone, of copied samples, \
         without its slope.",
    );
    bench.columns(
        "4096 x 1024, f32 | copy | one thread | one thread / copy | copy, two threads | \
         two threads | two threads / copy",
    );
    let softmax = Network::Softmax(Softmax::new(WIDTH).expect(INSIDE));
    let norm = Network::LayerNorm(LayerNorm::new(WIDTH).expect(INSIDE));
    let from: Vec<f32> = sines(SAMPLES * WIDTH);
    let [mut norm, mut softmax] = [norm, softmax].map(|layer| tiles(&layer, SAMPLES, TILE));
    let mut values = from.clone();
    let cases: [Case<'_>; 3] = [
        ("exact GELU", &mut |pool| gelu(pool, &from, &mut values)),
        ("layer norm", &mut |pool| forward(pool, &mut norm)),
        ("softmax", &mut |pool| forward(pool, &mut softmax)),
    ];
    for (name, work) in cases {
        let work = RefCell::new(work);
        let [mut to, mut also_to] = [from.clone(), from.clone()];
        let [least, alone, least_of_two, both] = interleaved(
            bench.budget,
            [
                &mut || copy(one, &from, &mut to),
                &mut || work.borrow_mut()(one),
                &mut || copy(two, &from, &mut also_to),
                &mut || work.borrow_mut()(two),
            ],
        );
        bench.row([
            label(name),
            floor(&least),
            time(&alone),
            ratio(&alone, &least),
            floor(&least_of_two),
            time(&both),
            ratio(&both, &least_of_two),
        ]);
    }
}

fn beside_products(bench: &mut Bench, pools: &[ThreadPool; 2]) {
    bench.note(
        "Floor: the products at the peak of one core, without the exponentials of attention (one for each 128 \
         products without projections).",
    );
    bench.columns(
        "f32 | products | one thread | one thread / products | two threads | one / two threads",
    );
    let (rows, inputs, outputs) = (512, 1024, 2048);
    let dense = Network::Dense(Dense::new(inputs, outputs, Activation::Gelu));
    let mut all = tiles(&dense, rows, TILE);
    let name = format!("linear and GELU, {rows} x {inputs} x {outputs}");
    let products = (rows * inputs * outputs) as f64;
    row(bench, &name, products, pools, &mut |pool| forward(pool, &mut all));

    let length = if bench.quick { 512 } else { 2048 };
    let width = HEADS * FEATURES;
    let attention = Attention { heads: HEADS, features: FEATURES, length, mask: Mask::none() };
    let inputs = sines(width * length);
    let (mut out, mut log_sums) = (vec![0f32; width * length], vec![0.0; HEADS * length]);
    let mut work = vec![0.0; attention.forward_work()];
    let name = format!("attention, {HEADS} heads of {FEATURES}, length {length}");
    let products = (2 * width * length * length) as f64;
    row(bench, &name, products, pools, &mut |pool| {
        let inputs = black_box([inputs.as_slice(); 3]);
        let mut run = || attention.forward(inputs, &mut out, &mut log_sums, &mut work);
        pool.install(&mut run).expect(INSIDE);
    });

    let whole = MultiHeadAttention::new(width, HEADS, length).expect(INSIDE);
    let mut whole = Alone::<f32>::new(Network::MultiHeadAttention(whole), 1);
    let products = products + (4 * width * width * length) as f64;
    row(bench, &format!("{name}, with its projections"), products, pools, &mut |pool| {
        pool.install(|| whole.forward());
    });
}

fn row(
    bench: &mut Bench,
    name: &str,
    products: f64,
    [one, two]: &[ThreadPool; 2],
    work: &mut dyn FnMut(&ThreadPool),
) {
    let work = RefCell::new(work);
    let [peak, alone, both] = interleaved(
        bench.budget,
        [&mut peak::double, &mut || work.borrow_mut()(one), &mut || work.borrow_mut()(two)],
    );
    // Twice as many lanes in single precision.
    let least = peak::time_of(&peak, products / 2.0);
    bench.row([
        label(name),
        floor(&least),
        time(&alone),
        ratio(&alone, &least),
        time(&both),
        ratio(&alone, &both),
    ]);
}
