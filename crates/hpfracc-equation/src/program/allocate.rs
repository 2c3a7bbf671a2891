//! Rows of the values that are stored.

use super::dense::Dense;
use super::instruction::{Instruction, Operand, Operation, Region};

/// Replaces the numbers of values by rows of scratch, each of which is free again after the last
/// use. A result that is not read is not stored. `outputs` has the outputs of values. Returns the
/// number of rows of scratch.
pub(super) fn allocate<T>(
    instructions: &mut [Instruction],
    dense: &mut [Dense<T>],
    outputs: &[Option<u32>],
) -> usize {
    let mut last_use = vec![None; outputs.len()];
    for (k, instruction) in instructions.iter_mut().enumerate() {
        let list = list(instruction, dense).map(|dense| &*dense.inputs).unwrap_or_default();
        for operand in list.iter().filter(|x| x.region == Region::Scratch) {
            last_use[operand.index as usize] = Some(k);
        }
        for operand in operands(instruction).filter(|x| x.region == Region::Scratch) {
            last_use[operand.index as usize] = Some(k);
        }
    }
    let mut rows = Rows { last_use, outputs, places: vec![None; outputs.len()], ..Rows::default() };
    for (k, instruction) in instructions.iter_mut().enumerate() {
        if let Some(dense) = list(instruction, dense) {
            rows.allocate_list(dense, k);
            instruction.specialise();
            continue;
        }
        // The places first: an operand may occur twice.
        let mut read = *instruction;
        operands(instruction).for_each(|operand| *operand = rows.place(*operand));
        operands(&mut read).for_each(|operand| rows.release(*operand, k));
        instruction.output = instruction.store.and_then(|value| rows.output(value));
        instruction.store = instruction.store.and_then(|value| rows.take(value));
        if instruction.store.is_none() {
            instruction.store = instruction.output.take();
        }
        instruction.second =
            instruction.second.and_then(|value| rows.take(value).or(rows.output(value)));
        instruction.specialise();
    }
    rows.count as usize
}

/// Operation of an instruction on a list.
fn list<'a, T>(instruction: &Instruction, dense: &'a mut [Dense<T>]) -> Option<&'a mut Dense<T>> {
    match instruction.operation {
        Operation::Dense(number) => dense.get_mut(number as usize),
        _ => None,
    }
}

/// Operands that the operations have.
fn operands(instruction: &mut Instruction) -> impl Iterator<Item = &mut Operand> {
    let count = instruction.operation.arity();
    let last = instruction.last.iter_mut().map(|(_, operand)| operand);
    instruction.operands.iter_mut().take(count).chain(last)
}

#[derive(Default)]
struct Rows<'a> {
    last_use: Vec<Option<usize>>,
    outputs: &'a [Option<u32>],
    places: Vec<Option<Operand>>,
    free: Vec<u32>,
    count: u32,
}

impl Rows<'_> {
    /// Places of the inputs and outputs of an operation on a list. The kernel reads all inputs of some
    /// lanes before it writes these lanes: outputs may have the places of inputs.
    fn allocate_list<T>(&mut self, dense: &mut Dense<T>, step: usize) {
        let read = dense.inputs.clone();
        dense.inputs.iter_mut().for_each(|input| *input = self.place(*input));
        read.into_iter().for_each(|input| self.release(input, step));
        for output in &mut dense.outputs {
            let place = self.take(*output).or(self.output(*output));
            // Every component is read, or a root.
            *output = place.unwrap_or(*output);
        }
    }

    /// Row of an operand.
    fn place(&self, operand: Operand) -> Operand {
        match operand.region {
            Region::Scratch => self.places[operand.index as usize].unwrap_or(operand),
            _ => operand,
        }
    }

    /// Frees the row of an operand after its last use.
    fn release(&mut self, operand: Operand, step: usize) {
        let value = operand.index as usize;
        if operand.region == Region::Scratch && self.last_use[value] == Some(step) {
            self.free.extend(self.places[value].take().map(|place| place.index));
        }
    }

    /// Output of a result.
    fn output(&self, value: Operand) -> Option<Operand> {
        let index = match value.region {
            Region::Scratch => self.outputs[value.index as usize],
            _ => None,
        };
        index.map(|index| Operand { region: Region::Output, index })
    }

    /// Row of a result that later instructions read; none if it is not read.
    fn take(&mut self, value: Operand) -> Option<Operand> {
        if value.region != Region::Scratch {
            return Some(value);
        }
        let number = value.index as usize;
        self.last_use[number]?;
        let index = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        let place = Operand { region: Region::Scratch, index };
        self.places[number] = Some(place);
        Some(place)
    }
}
