//! The generated parts of recurrence.wgsl: code for each node.

use crate::device::Pipeline;
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use std::fmt::Write as _;
use std::sync::Arc;

/// Signals of a workgroup.
pub(super) const WIDTH: usize = 64;

/// Most samples of a dispatch: three loops over them take at most 65535 iterations in all.
pub(crate) const SPAN: usize = 16_384;

/// Partial sums of an output: a single one would serialise the additions.
const SUMS: usize = 4;

/// Number of nodes of an invocation, and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shader {
    pub(super) held: usize,
    backward: bool,
}

impl Shader {
    /// Groups of equal size, without measurements on hardware: with 32 nodes of four bytes, or 16
    /// of eight, states, rates and coefficients take 96 registers, so that ten workgroups of 64
    /// share a multiprocessor of 65536 registers.
    pub(crate) fn new<P: Precision>(nodes: usize, backward: bool) -> Self {
        let most = 128 / P::BYTES;
        Self { held: nodes.div_ceil(nodes.div_ceil(most)), backward }
    }

    pub(super) fn pipeline<P: Precision>(self, gpu: &Gpu) -> Result<Arc<Pipeline>, GpuError> {
        gpu.pipeline(&self.source::<P>(), "stream")
    }

    pub(crate) fn source<P: Precision>(self) -> String {
        let constants = format!(
            "const HELD = {}u;\nconst TILE = {}u;\nconst BACKWARD = {};\n",
            self.held,
            // 64 bytes of a signal, and at most 10 KiB of both arrays.
            64 / P::BYTES,
            self.backward
        );
        let body = include_str!("recurrence.wgsl")
            .replace("//{load}", &self.load())
            .replace("//{step}", &self.step())
            .replace("//{save}", &self.save());
        [P::WGSL, &P::sums(false), &constants, &body].concat()
    }

    fn load(self) -> String {
        let mut code = String::new();
        for k in 0..self.held {
            let _ = write!(
                code,
                "let minus_r{k} = weights[first_weight + {k}u];\n\
                 let c{k} = weights[first_weight + HELD + {k}u];\n\
                 var z{k} = state(signal, first_node + {k}u);\n"
            );
        }
        code
    }

    fn step(self) -> String {
        let sums = SUMS.min(self.held);
        let mut code: String = (0..sums).map(|i| format!("var sum{i} = real();\n")).collect();
        for k in 0..self.held {
            let i = k % sums;
            let lines = if self.backward {
                format!(
                    "sum{i} = sum_of(sum{i}, z{k});\n\
                     z{k} = multiply_add(c{k}, s, multiply_add(minus_r{k}, z{k}, z{k}));\n"
                )
            } else {
                format!(
                    "sum{i} = multiply_add(c{k}, z{k}, sum{i});\n\
                     z{k} = sum_of(z{k}, multiply_add(minus_r{k}, z{k}, s));\n"
                )
            };
            code += &lines;
        }
        let sum = match sums {
            1 => "sum0",
            2 => "sum_of(sum0, sum1)",
            3 => "sum_of(sum_of(sum0, sum1), sum2)",
            _ => "sum_of(sum_of(sum0, sum1), sum_of(sum2, sum3))",
        };
        let _ = writeln!(code, "let sum = {sum};");
        code
    }

    fn save(self) -> String {
        (0..self.held).map(|k| format!("save(signal, first_node + {k}u, z{k});\n")).collect()
    }
}
