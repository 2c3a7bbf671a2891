//! What is the same for all paths: constants, time, parameters and all that is computed from them.

use crate::evaluate::{binary, ternary, unary};
use crate::graph::Table;
use crate::graph::{Affine, Graph, Id, Node};
use hpfracc_lanes::pulp::{Arch, Simd, WithSimd};
use std::collections::HashMap;
use std::sync::Arc;

/// Uniform part of a program, in double precision.
#[derive(Debug)]
pub(super) struct Uniform {
    /// Values of constants, NaN of all others.
    pub(super) values: Vec<f64>,
    /// Uniform inputs that are used: number of the input, number of the value.
    pub(super) inputs: Vec<(u32, u32)>,
    /// Operations on values, with the numbers of their operands as ids, and of their results.
    operations: Vec<(Node, u32)>,
    /// Affine maps, and their lists as numbers of values: the operands of their operations.
    maps: Vec<Affine>,
    lists: Vec<Vec<u32>>,
    known: HashMap<Id, u32>,
    /// Values that meet a number of a path: the constants of the instructions.
    pub(super) constants: Vec<u32>,
}

impl Uniform {
    pub(super) fn new() -> Self {
        Self {
            values: vec![],
            inputs: vec![],
            operations: vec![],
            maps: vec![],
            lists: vec![],
            known: HashMap::new(),
            constants: vec![],
        }
    }

    fn add(&mut self, value: f64) -> u32 {
        self.values.push(value);
        (self.values.len() - 1) as u32
    }

    pub(super) fn constant(&mut self, value: f64) -> u32 {
        self.add(value)
    }

    pub(super) fn input(&mut self, input: u32) -> u32 {
        let value = self.add(f64::NAN);
        self.inputs.push((input, value));
        value
    }

    /// Operation whose operands have the numbers that `number` gives.
    pub(super) fn operation(
        &mut self,
        graph: &Graph,
        node: Node,
        number: impl Fn(Id) -> u32,
    ) -> u32 {
        let value = self.add(f64::NAN);
        let node = match node {
            Node::Affine(map, row, list) => {
                let list = self.list(graph, list, number);
                let known = self.maps.iter().position(|known| Some(known) == graph.map(map));
                let map = known.unwrap_or_else(|| {
                    self.maps.extend(graph.map(map).cloned());
                    self.maps.len() - 1
                });
                Node::Affine(map as u32, row, Id::new(list as usize))
            }
            _ => node.with_operands(|id| Id::new(number(id) as usize)),
        };
        self.operations.push((node, value));
        value
    }

    /// Number of a list.
    fn list(&mut self, graph: &Graph, list: Id, number: impl Fn(Id) -> u32) -> u32 {
        let next = self.lists.len() as u32;
        let known = *self.known.entry(list).or_insert(next);
        if known == next {
            self.lists.push(graph.elements(list).into_iter().map(number).collect());
        }
        known
    }

    /// Computes the operations with an operand that has changed.
    pub(super) fn update(
        &self,
        arch: Arch,
        tables: &[Arc<Table>],
        values: &mut [f64],
        changed: &mut [bool],
    ) {
        arch.dispatch(Update { uniform: self, tables, values, changed });
    }
}

struct Update<'a> {
    uniform: &'a Uniform,
    tables: &'a [Arc<Table>],
    values: &'a mut [f64],
    changed: &'a mut [bool],
}

impl WithSimd for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { uniform, tables, values, changed } = self;
        for (node, result) in &uniform.operations {
            let result = *result as usize;
            if let Node::Affine(map, row, list) = *node {
                let list = &uniform.lists[list.index()];
                changed[result] = list.iter().any(|k| changed[*k as usize]);
                if changed[result] {
                    let (map, row) = (&uniform.maps[map as usize], row as usize);
                    let mut sum = map.bias(row);
                    for (input, k) in list.iter().enumerate() {
                        sum = map.weight(row, input).mul_add(values[*k as usize], sum);
                    }
                    values[result] = sum;
                }
                continue;
            }
            changed[result] = node.operands().any(|id| changed[id.index()]);
            if changed[result] {
                let value = |id: Id| values[id.index()];
                values[result] = match *node {
                    Node::Constant(bits) => f64::from_bits(bits),
                    Node::Variable(_) | Node::Empty | Node::List(..) | Node::Affine(..) => f64::NAN,
                    Node::Unary(operation, a) => unary(operation, value(a)),
                    Node::Binary(operation, a, b) => binary(operation, value(a), value(b)),
                    Node::Ternary(operation, a, b, c) => {
                        ternary(operation, value(a), value(b), value(c))
                    }
                    Node::Table(number, derivative, a) => {
                        tables[number as usize].value(value(a), derivative)
                    }
                };
            }
        }
    }
}
