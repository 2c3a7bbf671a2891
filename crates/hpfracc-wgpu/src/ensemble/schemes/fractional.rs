//! The fractional Euler-Maruyama and predictor-corrector methods: exponentials and the latest noises in registers,
//! and exponentials beyond [`IN_REGISTERS`] in the buffer of states.

use super::super::{NearNoise, PathCorrector, PathEquation, PathMemory};
use super::{StateRow, ZERO, coefficients, later, step_numbers_place, with_noise};
use std::fmt::Write as _;

/// First of the numbers of the memories; the one before is `1/h`.
const FIRST: usize = 3;

/// Most exponentials of a path in registers.
const IN_REGISTERS: usize = 64;

/// A sum of exponentials: the name of its states, its losses and factors, and how many are in registers.
struct Sum<'a> {
    name: String,
    exponentials: &'a [[f64; 2]],
    in_registers: usize,
}

/// Sums of exponentials of each component: of the memory, and of the correction of the drift.
fn sums(memories: &[Option<PathMemory>]) -> Vec<[Sum<'_>; 2]> {
    let mut left = IN_REGISTERS;
    let mut all = Vec::new();
    for (i, memory) in memories.iter().enumerate() {
        let corrector = memory.as_ref().and_then(|memory| memory.corrector.as_ref());
        let memory: &[_] = memory.as_ref().map_or(&[], |memory| &memory.exponentials);
        let corrector: &[_] = corrector.map_or(&[], |corrector| &corrector.exponentials);
        all.push([("z", memory), ("y", corrector)].map(|(letter, exponentials)| {
            let in_registers = exponentials.len().min(left);
            left -= in_registers;
            Sum { name: format!("{letter}{i}"), exponentials, in_registers }
        }));
    }
    all
}

/// Rows of the memories: for each component its initial value, earlier noises and the first drift, then the states of
/// the exponentials, at the end those in the buffer.
pub(super) fn rows(memories: &[Option<PathMemory>]) -> Vec<StateRow> {
    let mut rows = Vec::new();
    for (i, memory) in memories.iter().enumerate() {
        let Some(memory) = memory else { continue };
        rows.push(StateRow::starting(format!("start{i}"), i));
        for (group, near) in memory.near.iter().enumerate() {
            let names = (1..near.weights.len()).map(|m| format!("noise{i}_{group}_{m}"));
            rows.extend(names.map(StateRow::zero));
        }
        rows.extend(memory.corrector.as_ref().map(|_| StateRow::zero(format!("first{i}"))));
    }
    let sums = sums(memories);
    let of = |Sum { name, exponentials, in_registers }: &Sum<'_>| {
        let row = |k: usize| StateRow {
            in_registers: k < *in_registers,
            ..StateRow::zero(format!("{name}_{k}"))
        };
        (0..exponentials.len()).map(row).collect::<Vec<_>>()
    };
    let (registers, buffer): (Vec<_>, Vec<_>) =
        sums.as_flattened().iter().flat_map(of).partition(|row| row.in_registers);
    rows.into_iter().chain(registers).chain(buffer).collect()
}

/// Numbers of the memories: for each component the nearest weight, losses and factors of the exponentials, weights
/// of the latest noises, and the weights of the correction.
pub(super) fn numbers(memories: &[Option<PathMemory>]) -> Vec<f64> {
    let mut numbers = Vec::new();
    for memory in memories.iter().flatten() {
        numbers.push(memory.nearest);
        numbers.extend(memory.exponentials.as_flattened());
        numbers.extend(memory.near.iter().flat_map(|near| &near.weights));
        if let Some(corrector) = &memory.corrector {
            numbers.extend([corrector.newest, corrector.nearest]);
            numbers.extend(corrector.exponentials.as_flattened());
        }
    }
    numbers
}

fn correctors(memories: &[Option<PathMemory>]) -> impl Iterator<Item = &PathCorrector> {
    memories.iter().flatten().filter_map(|memory| memory.corrector.as_ref())
}

/// Whether the drift is corrected.
pub(super) fn is_corrected(memories: &[Option<PathMemory>]) -> bool {
    correctors(memories).next().is_some()
}

/// Numbers of step n: 1 in the first step, else 0, and for each component the weight of the first drift. None if the
/// drift is not corrected.
pub(super) fn step_numbers(memories: &[Option<PathMemory>], n: u32) -> Vec<f64> {
    if !is_corrected(memories) {
        return vec![];
    }
    let start = |corrector: &PathCorrector| {
        corrector.starts.get(n as usize + 1).copied().unwrap_or_default()
    };
    let is_first = if n == 0 { 1.0 } else { 0.0 };
    [is_first].into_iter().chain(correctors(memories).map(start)).collect()
}

pub(super) fn step(
    equation: &PathEquation,
    memories: &[Option<PathMemory>],
) -> (&'static str, String) {
    let corrected = is_corrected(memories);
    let at = coefficients(equation, "at", |i| format!("s.x{i}"));
    let mut writer =
        Writer { equation, body: format!("    let c = {at};\n"), number: FIRST, correctors: 0 };
    let end = if corrected { "p" } else { "x" };
    let mut corrections = Vec::new();
    for (i, (memory, sums)) in memories.iter().zip(sums(memories)).enumerate() {
        match memory {
            Some(memory) => corrections.push(writer.component((i, end), memory, &sums)),
            None => {
                let value = format!("add_product(s.x{i}, h, c.r{i})");
                let value = with_noise(equation, value, &equation.noise[i], diffusion);
                writer.line(&format!("let {end}{i} = {value};"));
                corrections.push(None);
            }
        }
    }
    if corrected {
        let end = coefficients(equation, &later(equation, 1), |i| format!("p{i}"));
        writer.line(&format!("let e = {end};"));
        for (i, newest) in corrections.into_iter().enumerate() {
            writer.line(&match newest {
                Some(newest) => {
                    format!("let x{i} = add(p{i}, add_product(known{i}, {newest}, e.r{i}));")
                }
                None => format!("let x{i} = p{i};"),
            });
        }
    }
    let about = match corrected {
        true => {
            "P = X_0 + (b_0 u + sum_k c_k z_k) + nearest noises, P + (known drift + c_0 f(P)), u = f + g dW/h"
        }
        false => {
            "X_0 + (b_0 u + sum_k c_k z_k) + nearest noises, z_k + (u - loss_k z_k), u = f + g dW/h"
        }
    };
    (about, writer.body)
}

/// Row of the diffusion among the coefficients.
fn diffusion(row: usize) -> String {
    format!("c.r{row}")
}

/// Writer of the statements of a step.
struct Writer<'a> {
    equation: &'a PathEquation,
    body: String,
    /// Index of the next number of the memories.
    number: usize,
    /// Number of corrected components so far.
    correctors: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "    {text}");
    }

    /// The next number of the memories.
    fn next(&mut self) -> String {
        self.number += 1;
        format!("numbers[{}]", self.number - 1)
    }

    /// A component with memory, whose value has the name `end`; the weight of the drift at that value, if it is to be
    /// corrected.
    fn component(
        &mut self,
        (i, end): (usize, &str),
        memory: &PathMemory,
        [sum, correction]: &[Sum<'_>; 2],
    ) -> Option<String> {
        let rows = &self.equation.noise[i];
        if rows.is_empty() {
            self.line(&format!("let u{i} = c.r{i};"));
        } else {
            let noise = with_noise(self.equation, ZERO.to_owned(), rows, diffusion);
            self.line(&format!("let u{i} = add_product(c.r{i}, numbers[2], {noise});"));
        }
        let nearest = self.next();
        self.sum(sum, &format!("u{i}"));
        let value = format!("add(s.start{i}, add_product(sum_z{i}, {nearest}, u{i}))");
        let value = self.near(i, &memory.near, value);
        self.line(&format!("let start{i} = s.start{i};"));
        self.line(&format!("let {end}{i} = {value};"));
        self.shift_noises(i, &memory.near);
        memory.corrector.as_ref().map(|_| self.known(i, correction))
    }

    /// Sum of the exponentials of a memory, and their states after the step.
    fn sum(&mut self, Sum { name, exponentials, in_registers }: &Sum<'_>, u: &str) {
        self.line(&format!("var sum_{name} = {ZERO};"));
        for k in 0..*in_registers {
            let (loss, factor) = (self.next(), self.next());
            let z = format!("s.{name}_{k}");
            self.line(&format!("sum_{name} = add_product(sum_{name}, {factor}, {z});"));
            self.line(&format!("let {name}_{k} = {};", decayed(&z, u, &loss)));
        }
        let in_buffer = exponentials.len() - in_registers;
        if in_buffer == 0 {
            return;
        }
        let first = self.number;
        self.number += 2 * in_buffer;
        let row = super::rows(self.equation)
            .iter()
            .position(|row| row.name == format!("{name}_{in_registers}"))
            .unwrap_or_default();
        let (loss, factor) =
            (format!("numbers[{first}u + 2u * k]"), format!("numbers[{}u + 2u * k]", first + 1));
        self.line(&format!("for (var k = 0u; k < {in_buffer}u; k++) {{"));
        self.line(&format!("    let place = ({row}u + k) * sizes.paths + lane;"));
        self.line("    let z = states[place];");
        self.line(&format!("    sum_{name} = add_product(sum_{name}, {factor}, z);"));
        self.line(&format!("    states[place] = {};", decayed("z", u, &loss)));
        self.line("}");
    }

    /// A value with the latest noises at weights of their own.
    fn near(&mut self, i: usize, near: &[NearNoise], mut value: String) -> String {
        for (group, near) in near.iter().enumerate() {
            let noise = with_noise(self.equation, ZERO.to_owned(), &near.sources, diffusion);
            self.line(&format!("let noise{i}_{group}_0 = {noise};"));
            for m in 0..near.weights.len() {
                let of = if m == 0 { "" } else { "s." };
                let weight = self.next();
                value = format!("add_product({value}, {weight}, {of}noise{i}_{group}_{m})");
            }
        }
        value
    }

    fn shift_noises(&mut self, i: usize, near: &[NearNoise]) {
        for (group, near) in near.iter().enumerate() {
            for m in 1..near.weights.len() {
                let of = if m == 1 { "" } else { "s." };
                self.line(&format!("let noise{i}_{group}_{m} = {of}noise{i}_{group}_{};", m - 1));
            }
        }
    }

    /// What known values of the drift add to the value of a component; the weight of the unknown one.
    fn known(&mut self, i: usize, sum: &Sum<'_>) -> String {
        let (newest, nearest) = (self.next(), self.next());
        let (is_first, start) = (
            step_numbers_place(self.equation, 0),
            step_numbers_place(self.equation, 1 + self.correctors),
        );
        self.correctors += 1;
        self.line(&format!(
            "let first{i} = choose(s.first{i}, c.r{i}, !is_equal({is_first}, {ZERO}));"
        ));
        self.sum(sum, &format!("c.r{i}"));
        self.line(&format!(
            "let known{i} = add(sum_y{i}, \
             add_product(multiply({nearest}, c.r{i}), {start}, first{i}));"
        ));
        newest
    }
}

/// State of an exponential after a step.
fn decayed(z: &str, u: &str, loss: &str) -> String {
    format!("add({z}, subtract({u}, multiply({loss}, {z})))")
}
