//! Blocks of arguments: sums over the nodes, then the terms of poles where there are any.

use super::block_size::{BLOCK, Block};
use super::node_sums::{Node, node_sums};
use super::{MittagLefflerGradient, Partials};
use hpfracc_lanes::pulp::{Arch, Simd, WithSimd};

/// Computes the requested slices, all of the length of `z`.
pub(super) fn run(function: &MittagLefflerGradient, z: &[f64], out: Partials<Option<&mut [f64]>>) {
    Arch::new().dispatch(Kernel { function, z, out: out.into_array() });
}

struct Kernel<'a> {
    function: &'a MittagLefflerGradient,
    z: &'a [f64],
    out: [Option<&'a mut [f64]>; 4],
}

impl WithSimd for Kernel<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { function, z, mut out } = self;
        let wanted = [1, 2, 3].map(|k| out[k].is_some());
        let (mut arguments, mut sums) = ([0.0; BLOCK], [[0.0; BLOCK]; 4]);
        for (k, z) in z.chunks(BLOCK).enumerate() {
            arguments[..z.len()].copy_from_slice(z);
            all_node_sums(simd, function, wanted, z.len(), &arguments, &mut sums);
            if z.iter().any(|&z| function.poles.on_sheet(z)) {
                function.poles.add(z.len(), &arguments, &mut sums);
            }
            for (out, sums) in out.iter_mut().zip(&sums) {
                let Some(out) = out else { continue };
                let out = &mut out[k * BLOCK..][..z.len()];
                for ((out, sum), z) in out.iter_mut().zip(sums).zip(z) {
                    *out = if *z == f64::NEG_INFINITY { 0.0 } else { *sum };
                }
            }
        }
    }
}

/// Sums over the nodes that belong to the sign of each argument.
#[inline(always)]
fn all_node_sums<S: Simd>(
    simd: S,
    function: &MittagLefflerGradient,
    wanted: [bool; 3],
    count: usize,
    z: &Block,
    sums: &mut [Block; 4],
) {
    let others = &function.nodes_of_negative;
    let negative = !others.is_empty() && z[..count].iter().any(|&z| z < 0.0);
    if !negative || z[..count].iter().any(|&z| z >= 0.0) {
        wanted_node_sums(simd, &function.nodes, wanted, count, z, sums);
    }
    if negative {
        let mut of_negative = [[0.0; BLOCK]; 4];
        wanted_node_sums(simd, others, wanted, count, z, &mut of_negative);
        for (sums, of_negative) in sums.iter_mut().zip(&of_negative) {
            for ((sum, of_negative), z) in sums.iter_mut().zip(of_negative).zip(&z[..count]) {
                *sum = if *z >= 0.0 { *sum } else { *of_negative };
            }
        }
    }
}

/// Code for each set of derivatives.
#[inline(always)]
fn wanted_node_sums<S: Simd>(
    simd: S,
    nodes: &[Node],
    wanted: [bool; 3],
    count: usize,
    z: &Block,
    sums: &mut [Block; 4],
) {
    macro_rules! code {
        ($($z:literal $alpha:literal $beta:literal),*) => {
            match wanted {
                $([$z, $alpha, $beta] => {
                    node_sums::<S, $z, $alpha, $beta>(simd, nodes, count, z, sums);
                })*
            }
        };
    }
    code!(
        false false false, false false true, false true false, false true true,
        true false false, true false true, true true false, true true true
    );
}
