//! Graphs to instructions.

use super::dense::Dense;
use super::instruction::{Instruction, Operand, Operation, Region};
use super::schedule::AllRows;
use super::tape::Tape;
use super::uniform::Uniform;
use super::{allocate, fuse, schedule, translate};
use crate::graph::Table;
use crate::graph::{Affine, Graph, Id, Node, Ternary};
use hpfracc_lanes::Elementary;
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

/// Origin of the numbers of a variable of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Row of this number: a number for every path, such as a component of the state.
    Row(usize),
    /// Uniform input of this number: one for all paths, such as time or a parameter.
    Uniform(usize),
}

/// Reason why a graph cannot be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// A variable without an input.
    #[error("variable {number} has no input: inputs has {inputs} entries, one for each variable")]
    Variable {
        /// Number of the variable.
        number: u32,
        /// Entries of inputs.
        inputs: usize,
    },
    /// A row beyond 2^24.
    #[error("variable {number} is row {row}: rows are numbered from 0 to 2^24 - 1")]
    Row {
        /// Number of the variable.
        number: u32,
        /// Number of the row.
        row: usize,
    },
    /// A uniform input beyond 2^32.
    #[error("variable {number} is uniform input {input}: they are numbered from 0 to 2^32 - 1")]
    Uniform {
        /// Number of the variable.
        number: u32,
        /// Number of the uniform input.
        input: usize,
    },
    /// A root that is not in the graph.
    #[error("root {position} is node {node}, but the graph has {nodes} nodes: take its own ids")]
    Root {
        /// Position in the roots.
        position: usize,
        /// Index of the node.
        node: usize,
        /// Number of nodes of the graph.
        nodes: usize,
    },
    /// A list where a number is expected.
    #[error(
        "node {node} is a list, expected a number: lists are operands of lists and affine maps alone"
    )]
    List {
        /// Index of the node.
        node: usize,
    },
    /// An affine map of a list of another length, or without that row.
    #[error(
        "node {node} is row {row} of {inputs} numbers, but its map has {rows} rows of {expected} inputs"
    )]
    Affine {
        /// Index of the node.
        node: usize,
        /// Row, counted from 0.
        row: u32,
        /// Length of the list.
        inputs: usize,
        /// Rows of the map.
        rows: usize,
        /// Inputs of the map.
        expected: usize,
    },
}

/// Largest number of rows, because memory for all of them is allocated.
const MOST_ROWS: usize = 1 << 24;

/// Constants that are the orders of Mittag-Leffler functions, and the members of their family that are needed.
type UniformPartials = ([u32; 2], Vec<Ternary>);

/// Compiled graph.
#[derive(Debug)]
pub(super) struct Body<T> {
    pub(super) instructions: Vec<Instruction>,
    pub(super) tape: Tape,
    /// Operations on lists.
    pub(super) dense: Vec<Dense<T>>,
    pub(super) uniform: Uniform,
    /// Constants that are the orders of each Mittag-Leffler function with uniform orders.
    pub(super) orders: Vec<[u32; 2]>,
    pub(super) partials: Vec<UniformPartials>,
    pub(super) scratch_rows: usize,
    pub(super) tables: Vec<Arc<Table>>,
    /// Rows of input that exist at least.
    pub(super) input_rows: usize,
    pub(super) roots: usize,
}

/// Compiles the roots of a graph.
pub(super) fn compile<T: Elementary>(
    graph: &Graph,
    roots: &[Id],
    inputs: &[Input],
) -> Result<Body<T>, ProgramError> {
    for (position, root) in roots.iter().enumerate() {
        let (node, nodes) = (root.index(), graph.len());
        if node >= nodes {
            return Err(ProgramError::Root { position, node, nodes });
        }
    }
    let needed = graph.needed(roots);
    check_lists(graph, roots, &needed)?;
    let input = |number: u32| inputs.get(number as usize).copied();
    let varying = graph.depends(|number| matches!(input(number), Some(Input::Row(_))));

    // Leaves of the instructions: rows and constants.
    let mut uniform = Uniform::new();
    let mut numbers = vec![0; graph.len()];
    let mut leaves = vec![None; graph.len()];
    let mut input_rows = 0;
    for (k, node) in graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]) {
        match *node {
            Node::Variable(number) => match input(number) {
                None => return Err(ProgramError::Variable { number, inputs: inputs.len() }),
                Some(Input::Row(row)) if row >= MOST_ROWS => {
                    return Err(ProgramError::Row { number, row });
                }
                Some(Input::Row(row)) => {
                    input_rows = input_rows.max(row + 1);
                    leaves[k] = Some(Operand { region: Region::Input, index: row as u32 });
                }
                Some(Input::Uniform(input)) => {
                    let small = u32::try_from(input);
                    let input = small.map_err(|_| ProgramError::Uniform { number, input })?;
                    numbers[k] = uniform.input(input);
                }
            },
            Node::Constant(bits) => numbers[k] = uniform.constant(f64::from_bits(bits)),
            // Elements of lists meet the paths below.
            Node::Empty | Node::List(..) | Node::Affine(..) if varying[k] || node.is_list() => {}
            _ if !varying[k] => {
                numbers[k] = uniform.operation(graph, *node, |id| numbers[id.index()]);
            }
            _ => {
                for id in node.operands().filter(|id| !varying[id.index()]) {
                    meet(&mut uniform, &numbers, &mut leaves, id);
                }
            }
        }
    }
    let lists = AllRows::of(graph, &needed, &varying);
    let elements = lists.rows.iter().flat_map(|rows| graph.elements_backwards(rows.list));
    elements
        .chain(roots.iter().copied())
        .filter(|id| !varying[id.index()])
        .for_each(|id| meet(&mut uniform, &numbers, &mut leaves, id));

    let minus_one = uniform.constant(-1.0);
    uniform.constants.push(minus_one);
    let index = uniform.constants.len() as u32 - 1;
    let minus_one = Operand { region: Region::Constant, index };
    let mut dense: Vec<Dense<T>> =
        lists.rows.iter().map(|rows| Dense::new(graph, rows, |id| leaves[id.index()])).collect();
    let steps = schedule::schedule(graph, roots, &lists, &varying, &needed);
    let instructions = translate::translate(graph, &steps, |id| leaves[id.index()], minus_one);
    let uses = schedule::uses(graph, roots, &needed);
    let mut instructions = fuse::fuse(instructions, &uses);
    let mut outputs = vec![None; graph.len()];
    // Second results of pairs are not in the accumulator.
    let mut first = vec![false; graph.len()];
    for step in &steps {
        if let schedule::Step::Node(node, _) = step {
            first[node.index()] = true;
        }
    }
    for (position, root) in (0u32..).zip(roots) {
        let possible = first[root.index()] || uses[root.index()] == 1;
        match leaves[root.index()] {
            None if possible && outputs[root.index()].is_none() => {
                outputs[root.index()] = Some(position);
            }
            leaf => {
                let from = leaf.unwrap_or_else(|| translate::value(*root));
                let store = Some(Operand { region: Region::Output, index: position });
                instructions.push(Instruction::new(Operation::Load, [from; 4], store));
            }
        }
    }
    let (mut orders, mut partials) = (Vec::new(), Vec::<UniformPartials>::new());
    for instruction in &mut instructions {
        let [alpha, beta, ..] = instruction.operands;
        let uniform = [alpha, beta].iter().all(|operand| operand.region == Region::Constant);
        if instruction.operation == Operation::MittagLeffler && uniform {
            instruction.operation = Operation::MittagLefflerOf(orders.len() as u32);
            orders.push([alpha.index, beta.index]);
        }
        if let Operation::Partial(function) = instruction.operation
            && uniform
        {
            let of = [alpha.index, beta.index];
            let known = partials.iter().position(|(known, _)| *known == of);
            let number = known.unwrap_or_else(|| {
                partials.push((of, vec![]));
                partials.len() - 1
            });
            partials[number].1.push(function);
            instruction.operation = Operation::PartialOf(function, number as u32);
        }
    }
    let scratch_rows = allocate::allocate(&mut instructions, &mut dense, &outputs);
    let roots = roots.len();
    let sizes = [uniform.constants.len(), input_rows, scratch_rows, roots];
    let tape = Tape::new(&instructions, &dense, sizes);
    let tables = graph.tables().to_vec();
    Ok(Body {
        instructions,
        tape,
        dense,
        uniform,
        orders,
        partials,
        tables,
        scratch_rows,
        input_rows,
        roots,
    })
}

/// Lists are operands of lists and affine maps alone, and as long as the maps have inputs.
fn check_lists(graph: &Graph, roots: &[Id], needed: &[bool]) -> Result<(), ProgramError> {
    if let Some(root) = roots.iter().find(|root| graph.node(**root).is_list()) {
        return Err(ProgramError::List { node: root.index() });
    }
    let mut lengths: HashMap<Id, usize> = HashMap::new();
    for (k, node) in graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]) {
        let numbers = match *node {
            Node::Affine(map, row, list) => {
                let count = || graph.elements_backwards(list).count();
                let inputs = *lengths.entry(list).or_insert_with(count);
                let map = graph.map(map);
                let (rows, expected) =
                    (map.map_or(0, Affine::outputs), map.map_or(0, Affine::inputs));
                if row as usize >= rows || inputs != expected || !graph.node(list).is_list() {
                    return Err(ProgramError::Affine { node: k, row, inputs, rows, expected });
                }
                continue;
            }
            Node::List(rest, x) if graph.node(rest).is_list() => [Some(x), None, None],
            node => {
                let mut operands = node.operands();
                [operands.next(), operands.next(), operands.next()]
            }
        };
        if let Some(list) = numbers.into_iter().flatten().find(|id| graph.node(*id).is_list()) {
            return Err(ProgramError::List { node: list.index() });
        }
    }
    Ok(())
}

/// Makes a uniform value a constant of the instructions.
fn meet(uniform: &mut Uniform, numbers: &[u32], leaves: &mut [Option<Operand>], id: Id) {
    leaves[id.index()].get_or_insert_with(|| {
        uniform.constants.push(numbers[id.index()]);
        let index = uniform.constants.len() as u32 - 1;
        Operand { region: Region::Constant, index }
    });
}
