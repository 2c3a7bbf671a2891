//! Affine maps of lists, the dense layers of networks, with a kernel of their own.

use super::instruction::{Memory, Operand, Region};
use super::schedule::Rows;
use super::translate::value;
use crate::graph::{Graph, Id};
use hpfracc_lanes::pulp::{Arch, Simd, WithSimd};
use hpfracc_lanes::{Elementary, Lanes};

/// Outputs of a panel of weights.
const PANEL: usize = 4;

/// Operation on a list, in a program.
#[derive(Debug)]
pub(super) struct Dense<T> {
    pub(super) inputs: Vec<Operand>,
    /// Places of the results.
    pub(super) outputs: Vec<Operand>,
    /// For each panel of outputs: their biases, then their weights of each input.
    weights: Vec<T>,
}

impl<T: Elementary> Dense<T> {
    /// Operation with the values of nodes as places; `leaf` is the operand of a node that is not
    /// computed on paths.
    pub(super) fn new(graph: &Graph, rows: &Rows, leaf: impl Fn(Id) -> Option<Operand>) -> Self {
        let elements = graph.elements(rows.list);
        let inputs: Vec<Operand> =
            elements.iter().map(|id| leaf(*id).unwrap_or_else(|| value(*id))).collect();
        let outputs = rows.nodes.iter().map(|(node, _)| value(*node)).collect();
        let mut weights = Vec::with_capacity((inputs.len() + 1) * rows.nodes.len());
        if let Some(map) = graph.map(rows.map) {
            for panel in rows.nodes.chunks(PANEL) {
                let row = |i: usize| panel.get(i).map(|(_, row)| *row as usize);
                let bias = (0..PANEL).map(|i| row(i).map_or(0.0, |row| map.bias(row)));
                weights.extend(bias.map(T::narrow));
                for input in 0..inputs.len() {
                    let weight =
                        (0..PANEL).map(|i| row(i).map_or(0.0, |row| map.weight(row, input)));
                    weights.extend(weight.map(T::narrow));
                }
            }
        }
        Self { inputs, outputs, weights }
    }

    /// Biases and weights of the panels.
    #[inline(always)]
    fn panels(&self) -> std::slice::ChunksExact<'_, T> {
        self.weights.chunks_exact(PANEL * (self.inputs.len() + 1))
    }
}

/// Operation for one block of lanes, on `W` registers at a time.
pub(super) struct Block<'b, 'a, T, const W: usize> {
    pub(super) dense: &'b Dense<T>,
    pub(super) memory: &'b mut Memory<'a, T>,
    /// First lane of the block, and number of lanes.
    pub(super) first: usize,
    pub(super) count: usize,
}

impl<T: Elementary + Lanes, const W: usize> WithSimd for Block<'_, '_, T, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { dense, memory, first, count } = self;
        let width = W * T::count::<S>();
        let mut start = 0;
        while start < count {
            gather::<S, T, W>(simd, dense, memory, (first, count, start));
            let mut outputs = dense.outputs.chunks(PANEL);
            for weights in dense.panels() {
                let sums = {
                    let x = T::registers::<S>(&memory.list[..width * dense.inputs.len()]).0;
                    product::<S, T, W>(simd, weights, x)
                };
                let places = outputs.next().unwrap_or(&[]);
                for i in 0..places.len() {
                    let row = memory.row_mut(places[i], first, count);
                    let row = &mut T::registers_mut::<S>(&mut row[start..][..width]).0[..W];
                    #[expect(clippy::manual_memcpy, reason = "stores of registers, no call")]
                    for j in 0..W {
                        row[j] = sums[i][j];
                    }
                }
            }
            start += width;
        }
    }
}

/// Copies the inputs, `W` registers each, to the list: they stay in the nearest cache for all outputs.
#[inline(always)]
fn gather<S: Simd, T: Elementary + Lanes, const W: usize>(
    simd: S,
    dense: &Dense<T>,
    memory: &mut Memory<'_, T>,
    (first, count, start): (usize, usize, usize),
) {
    let width = W * T::count::<S>();
    for (k, operand) in dense.inputs.iter().enumerate() {
        let (rows, from) = match operand.region {
            Region::Constant => {
                let x = T::splat(simd, memory.constants[operand.index as usize]);
                let to = T::registers_mut::<S>(&mut memory.list[k * width..][..width]).0;
                for j in 0..W {
                    to[j] = x;
                }
                continue;
            }
            Region::Input => (memory.inputs, operand.index as usize * memory.lanes + first),
            _ => (&*memory.scratch, operand.index as usize * count),
        };
        let from = &T::registers::<S>(&rows[from + start..][..width]).0[..W];
        let to = &mut T::registers_mut::<S>(&mut memory.list[k * width..][..width]).0[..W];
        #[expect(clippy::manual_memcpy, reason = "stores of registers, no call")]
        for j in 0..W {
            to[j] = from[j];
        }
    }
}

/// Sums of a panel: bias, then one fused product for each input.
#[inline(always)]
fn product<S: Simd, T: Elementary + Lanes, const W: usize>(
    simd: S,
    weights: &[T],
    x: &[T::Vector<S>],
) -> [[T::Vector<S>; W]; PANEL] {
    let mut sums = [[T::splat(simd, T::zero()); W]; PANEL];
    for i in 0..PANEL {
        sums[i] = [T::splat(simd, weights[i]); W];
    }
    for k in 0..x.len() / W {
        let (w, x) = (&weights[PANEL * (k + 1)..][..PANEL], &x[W * k..][..W]);
        for i in 0..PANEL {
            let w = T::splat(simd, w[i]);
            for j in 0..W {
                sums[i][j] = T::fused_exact(simd, w, x[j], sums[i][j]);
            }
        }
    }
    sums
}

/// Operation for one path, whose inputs and outputs have these places among the numbers.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) inputs: Vec<u32>,
    pub(super) outputs: Vec<u32>,
}

/// Computes an operation for one path, compiled for the instruction set.
#[inline(never)]
pub(super) fn one_path<T: Elementary>(
    dense: &Dense<T>,
    places: &Places,
    numbers: &mut [T],
    list: &mut [T],
) {
    for (x, place) in list.iter_mut().zip(&places.inputs) {
        *x = numbers[*place as usize];
    }
    let list = &list[..places.inputs.len()];
    Arch::new().dispatch(OnePath { dense, places, numbers, list });
}

struct OnePath<'a, T> {
    dense: &'a Dense<T>,
    places: &'a Places,
    numbers: &'a mut [T],
    list: &'a [T],
}

impl<T: Elementary> WithSimd for OnePath<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { dense, places, numbers, list } = self;
        let mut outputs = places.outputs.chunks(PANEL);
        for weights in dense.panels() {
            let mut sums = [T::zero(); PANEL];
            sums.copy_from_slice(&weights[..PANEL]);
            for (k, x) in list.iter().enumerate() {
                let w = &weights[PANEL * (k + 1)..][..PANEL];
                for i in 0..PANEL {
                    sums[i] = w[i].mul_add(*x, sums[i]);
                }
            }
            for (place, sum) in outputs.next().unwrap_or(&[]).iter().zip(sums) {
                numbers[*place as usize] = sum;
            }
        }
    }
}
