mod memories;

pub(super) use memories::Memories;

use super::compile::Body;
use crate::evaluate::PartialsOfBlock;
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{AlignedVec, Elementary, LONGEST, Lanes};
use hpfracc_special::MittagLeffler;
use std::sync::{Arc, Weak};

/// Largest number of lanes of a block.
pub(super) const BLOCK: usize = 16 * LONGEST;

/// Largest number of lanes of a small block.
pub(super) const SMALL_BLOCK: usize = 4 * LONGEST;

/// Memory of a running program: rows of intermediate values, and the uniform values of the last
/// call, which are computed again only if the uniform inputs they depend on change.
///
/// The first run of a program allocates; further runs of the same program do not.
#[derive(Debug, Default)]
pub struct Scratch<T> {
    /// Known by its address, which no other program has while this is kept.
    program: Option<Weak<Body<T>>>,
    /// Whether everything is computed from the uniform inputs among the values: not before the first
    /// run, and not after a panic.
    complete: bool,
    /// Values of the uniform part in the last call.
    values: Vec<f64>,
    changed: Box<[bool]>,
    constants: Vec<T>,
    orders: Box<[Option<MittagLeffler>]>,
    partials: Box<[PartialsOfBlock]>,
    /// Numbers of one path, constants first.
    numbers: Vec<T>,
    rows: AlignedVec<T>,
    /// Longest list of inputs, in registers of a small block.
    list: usize,
}

/// Rows for arguments of functions.
pub(super) const ARGUMENTS: usize = 3;

impl<T: Elementary + Lanes> Scratch<T> {
    /// Memory without rows.
    pub fn new() -> Self {
        Self {
            program: None,
            complete: false,
            values: vec![],
            changed: Box::default(),
            constants: vec![],
            orders: Box::default(),
            partials: Box::default(),
            numbers: vec![],
            rows: AlignedVec::default(),
            list: 0,
        }
    }

    /// Makes memory for a program and computes its constants for these uniform inputs, given by
    /// their numbers.
    #[inline(always)]
    pub(super) fn prepare(&mut self, body: &Arc<Body<T>>, uniform: impl Fn(u32) -> f64) {
        if self.program.as_ref().is_none_or(|known| known.as_ptr() != Arc::as_ptr(body)) {
            self.allocate(body);
        }
        let complete = self.complete;
        for &(input, value) in &body.uniform.inputs {
            let (given, value) = (uniform(input), value as usize);
            if given.to_bits() != self.values[value].to_bits() {
                (self.values[value], self.changed[value]) = (given, true);
                self.complete = false;
            }
        }
        if !self.complete {
            self.update(body, complete);
        }
    }

    /// Bytes for a program.
    pub(super) fn bytes(body: &Body<T>) -> usize {
        let longest = body.dense.iter().map(|dense| dense.inputs.len()).max().unwrap_or(0);
        let rows = (body.scratch_rows + ARGUMENTS) * BLOCK
            + (longest + body.input_rows + body.roots) * SMALL_BLOCK;
        let partials: usize =
            body.partials.iter().map(|(_, needed)| 2 + needed.len()).sum::<usize>() * BLOCK;
        size_of::<T>() * (rows + body.tape.length) + 8 * (partials + 2 * body.uniform.values.len())
    }

    #[inline(never)]
    fn allocate(&mut self, body: &Arc<Body<T>>) {
        let rows = (body.scratch_rows + ARGUMENTS) * BLOCK;
        let longest = body.dense.iter().map(|dense| dense.inputs.len()).max();
        self.list = longest.unwrap_or(0) * SMALL_BLOCK;
        self.rows.set_zeros(rows + self.list + (body.input_rows + body.roots) * SMALL_BLOCK);
        self.numbers = vec![T::zero(); body.tape.length];
        self.values.clone_from(&body.uniform.values);
        self.changed = vec![true; self.values.len()].into();
        self.complete = false;
        self.constants = vec![T::zero(); body.uniform.constants.len()];
        self.orders = body.orders.iter().map(|_| None).collect();
        let partials = body.partials.iter().map(|(_, needed)| PartialsOfBlock::new(needed, BLOCK));
        self.partials = partials.collect();
        self.program = Some(Arc::downgrade(body));
    }

    #[inline(never)]
    fn update(&mut self, body: &Body<T>, only_changes: bool) {
        if !only_changes {
            self.changed.fill(true);
        }
        let uniform = &body.uniform;
        uniform.update(Arch::new(), &body.tables, &mut self.values, &mut self.changed);
        for (constant, value) in self.constants.iter_mut().zip(&uniform.constants) {
            *constant = T::narrow(self.values[*value as usize]);
        }
        self.numbers[..self.constants.len()].copy_from_slice(&self.constants);
        for (function, [alpha, beta]) in self.orders.iter_mut().zip(&body.orders) {
            let [alpha, beta] = [*alpha, *beta].map(|k| self.constants[k as usize].widen());
            let same = |f: &MittagLeffler| f.alpha() == alpha && f.beta() == beta;
            if !function.as_ref().is_some_and(same) {
                *function = MittagLeffler::new(alpha, beta).ok();
            }
        }
        for (partials, (orders, _)) in self.partials.iter_mut().zip(&body.partials) {
            partials.prepare(orders.map(|k| self.constants[k as usize].widen()));
        }
        self.changed.fill(false);
        self.complete = true;
    }

    /// Numbers of one path, memory for a list, and functions.
    #[inline(always)]
    pub(super) fn numbers(&mut self) -> Numbers<'_, T> {
        (&mut self.numbers, &mut self.rows[..self.list], &self.orders, &mut self.partials)
    }

    /// Constants, functions and rows.
    #[inline(always)]
    pub(super) fn parts(&mut self) -> Parts<'_, T> {
        let (arguments, rows) = self.rows.split_at_mut(ARGUMENTS * BLOCK);
        let (list, rows) = rows.split_at_mut(self.list);
        let (constants, orders, partials) = (&self.constants, &self.orders, &mut self.partials);
        Parts { constants, orders, partials, arguments, list, rows }
    }
}

/// Numbers of one path, memory for a list, functions, and families of functions.
type Numbers<'a, T> =
    (&'a mut [T], &'a mut [T], &'a [Option<MittagLeffler>], &'a mut [PartialsOfBlock]);

/// Memory of a running program.
pub(super) struct Parts<'a, T> {
    pub(super) constants: &'a [T],
    pub(super) orders: &'a [Option<MittagLeffler>],
    pub(super) partials: &'a mut [PartialsOfBlock],
    pub(super) arguments: &'a mut [T],
    pub(super) list: &'a mut [T],
    pub(super) rows: &'a mut [T],
}
