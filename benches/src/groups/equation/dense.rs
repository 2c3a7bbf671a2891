//! Dense layers of programs against the peak of fused products, and networks against loops over rows.

use crate::bench::Bench;
use crate::cell::{each, floor, label, percent, ratio, reference_time, time};
use crate::measure::{Time, interleaved};
use crate::peak;
use hpfracc_equation::{Activation, Affine, Execute, Graph, Id, Input, Network, Program, Scratch};
use hpfracc_lanes::{Elementary, Lanes, Rows, RowsMut};
use pulp::{Arch, Simd, WithSimd};
use std::hint::black_box;

/// Paths of a tile.
const LANES: usize = 256;

/// Widest layer.
const WIDEST: usize = 64;

/// Rows that begin at a line of the cache.
#[repr(align(64))]
struct Tile<T>([T; WIDEST * LANES]);

impl<T: Elementary> Tile<T> {
    fn new() -> Box<Self> {
        let mut tile = Box::new(Self([T::zero(); WIDEST * LANES]));
        for (k, x) in tile.0.iter_mut().enumerate() {
            *x = T::narrow(0.3 + 0.001 * (k % 777) as f64);
        }
        tile
    }
}

/// Network of tanh layers, the last one without activation.
fn network(widths: &[usize]) -> Network {
    let count = widths.len() - 1;
    let layers = (0..count).map(|k| {
        let (inputs, outputs) = (widths[k], widths[k + 1]);
        let weight = |i: usize| 0.1 * ((7 * i + k) % 23) as f64 - 1.1;
        let weights = (0..inputs * outputs).map(weight).collect();
        let bias = (0..outputs).map(weight).collect();
        let activation = if k + 1 < count { Activation::Tanh } else { Activation::Identity };
        (Affine::new(inputs, weights, bias).expect("finite weights"), activation)
    });
    Network::new(layers.collect()).expect("layers that follow each other")
}

fn program<T: Execute>(network: &Network) -> Program<T> {
    let mut graph = Graph::new();
    let x: Vec<Id> = (0..network.inputs() as u32).map(|k| graph.variable(k)).collect();
    let roots = graph.network(network, &x);
    let inputs: Vec<Input> = (0..network.inputs()).map(Input::Row).collect();
    Program::new(&graph, &roots, &inputs).expect("inputs of all variables")
}

/// One run of a program on a tile.
fn run<T: Execute>(program: &Program<T>, arch: Arch) -> impl FnMut() {
    let (x, mut y, mut scratch) = (Tile::<T>::new(), Tile::<T>::new(), Scratch::new());
    let program = program.clone();
    move || {
        let out = RowsMut::new(&mut y.0[..program.roots() * LANES], LANES);
        program.run(arch, Rows::new(black_box(&x.0), LANES), &[], out, &mut scratch);
        black_box(&y);
    }
}

/// Layers of 64 by 64 against the peak of one core.
pub(crate) fn against_peak(bench: &mut Bench) {
    bench.note(
        "Floor: outputs x inputs x paths fused products at the peak of one core. Affine maps of an equation, for a \
         tile of 256 paths.",
    );
    bench.columns("outputs x inputs | floor | program | program / floor | part of peak");
    layer::<f32>(bench);
    layer::<f64>(bench);
}

fn layer<T: Execute + Lanes>(bench: &mut Bench) {
    for (outputs, inputs) in [(64, 64), (64, 4), (4, 64)] {
        let program = program::<T>(&network(&[inputs, outputs]));
        let [peak, own] =
            interleaved(bench.budget, [&mut peak::double, &mut run(&program, Arch::new())]);
        // Registers hold twice as many numbers of single precision.
        let products = (outputs * inputs * LANES * size_of::<T>()) as f64 / 8.0;
        let least = peak::time_of(&peak, products);
        bench.row([
            label(format!("{outputs} x {inputs}, {}", T::NAME)),
            floor(&least),
            time(&own),
            ratio(&own, &least),
            percent(least.least / own.least),
        ]);
    }
}

/// Networks against loops over rows.
pub(crate) fn against_rows(bench: &mut Bench) {
    bench.note(
        "Reference: each row of each layer by a loop over its inputs and the paths, with fused products, through the \
         same dispatch, as a drift of `Rows` of any number of paths is written by hand; and the same where 256 paths are \
         known when it is compiled, so that a row stays in registers. Times of a path of a tile of 256, on one core.",
    );
    bench.columns(
        "network | rows | rows, paths known | program | program / rows | program / rows, paths known",
    );
    rows::<f32>(bench);
    rows::<f64>(bench);
}

fn rows<T: Execute>(bench: &mut Bench) {
    let network = network(&[4, 64, 64, 4]);
    let program = program::<T>(&network);
    let arch = Arch::new();
    let layers: Vec<Layer<T>> = network.layers().iter().map(Layer::of).collect();
    let run_rows = |known: bool| {
        let (x, mut tiles) = (Tile::<T>::new(), [Tile::<T>::new(), Tile::<T>::new()]);
        let layers = &layers;
        move || {
            tiles[0].0[..4 * LANES].copy_from_slice(&black_box(&x).0[..4 * LANES]);
            for layer in layers {
                let [x, y] = &mut tiles;
                let (x, y) = (&x.0[..], &mut y.0[..]);
                if known {
                    arch.dispatch(Known(ByRows { layer, x, y, lanes: LANES }));
                } else {
                    arch.dispatch(ByRows { layer, x, y, lanes: black_box(LANES) });
                }
                tiles.swap(0, 1);
            }
            black_box(&tiles);
        }
    };
    let (mut any, mut known) = (run_rows(false), run_rows(true));
    let [any, known, own]: [Time; 3] =
        interleaved(bench.budget, [&mut any, &mut known, &mut run(&program, arch)]);
    let each_path = |time: &Time| reference_time(&time.scaled(1.0 / LANES as f64));
    bench.row([
        label(format!("4-64-64-4 tanh, {}", T::NAME)),
        each_path(&any),
        each_path(&known),
        each(&own, LANES as f64),
        ratio(&own, &any),
        ratio(&own, &known),
    ]);
}

/// Layer in the scalar of a program.
struct Layer<T> {
    inputs: usize,
    weights: Vec<T>,
    bias: Vec<T>,
    tanh: bool,
}

impl<T: Elementary> Layer<T> {
    fn of((map, activation): &(Affine, Activation)) -> Self {
        let (inputs, outputs) = (map.inputs(), map.outputs());
        let weight = |k: usize| T::narrow(map.weight(k / inputs, k % inputs));
        Self {
            inputs,
            weights: (0..inputs * outputs).map(weight).collect(),
            bias: (0..outputs).map(|row| T::narrow(map.bias(row))).collect(),
            tanh: *activation == Activation::Tanh,
        }
    }
}

/// Rows of a number of paths that is known only when it runs.
struct ByRows<'a, T> {
    layer: &'a Layer<T>,
    x: &'a [T],
    y: &'a mut [T],
    lanes: usize,
}

/// The same of [`LANES`] paths.
struct Known<'a, T>(ByRows<'a, T>);

impl<T: Elementary> ByRows<'_, T> {
    #[inline(always)]
    fn run(self, lanes: usize) {
        let Self { layer, x, y, .. } = self;
        for i in 0..layer.bias.len() {
            let row = &mut y[i * lanes..][..lanes];
            let weights = &layer.weights[i * layer.inputs..][..layer.inputs];
            for lane in 0..lanes {
                row[lane] = layer.bias[i];
            }
            for j in 0..layer.inputs {
                let (w, x) = (weights[j], &x[j * lanes..][..lanes]);
                for lane in 0..lanes {
                    row[lane] = w.mul_add(x[lane], row[lane]);
                }
            }
            if layer.tanh {
                for lane in 0..lanes {
                    row[lane] = Elementary::tanh(row[lane]);
                }
            }
        }
    }
}

impl<T: Elementary> WithSimd for ByRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let lanes = self.lanes;
        self.run(lanes);
    }
}

impl<T: Elementary> WithSimd for Known<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0.run(LANES);
    }
}
