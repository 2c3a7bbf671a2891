//! Functions of the state as text.

use super::labels::{function_name, labels};
use super::layers::{Hidden, Layer, Layers};
use super::weights::{Block, Weights};
use super::{NumberFormat, ShaderError};
use crate::graph::{Affine, Binary, Graph, Id, Node, Ternary, Unary};
use crate::program::{Input, Program, Scratch};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Rows, RowsMut};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Most operations of a function.
const MOST_NODES: usize = 1 << 14;

/// Most operations with weights of networks that are written: those of a layer, and of a neuron of a hidden one.
const MOST_WEIGHTS: usize = 1 << 13;

/// Mark before and after a number in a text without a format.
const MARK: char = '\u{1}';

/// Expressions of the state as a function in WGSL, one number a path, in any format of numbers.
///
/// Function `f` of n rows is declared as `fn f(at: u32, x0: real, x1: real, ...) -> f_values` with the fields `r0`,
/// `r1`, ... of the result for the roots. What does not depend on the state is computed on the host, in double precision,
/// and rounded once, as by [`evaluate`](crate::evaluate): values without time are `f_steady[k]`, and values that depend
/// on time are `f_timed[at + k]`; both are arrays of `real` that the shader declares. Operations are functions of a
/// [`Library`](super::Library) of the same format, which declares `real`, too.
///
/// **Networks.** Weights are data, after the values without time in `f_steady`, so that all networks of the same shape have
/// the same text. It reads vectors of four by `f_weights(i)`, which [`weights_in`](Self::weights_in) declares. Layers
/// are taken in pairs from the outputs on: a loop over the neurons of a hidden layer computes each of them from its inputs
/// and adds it to the outputs of the next layer at once, so that no array is indexed by a variable, which would not
/// stay in registers.
///
/// ```
/// use hpfracc_equation::wgsl::{NumberFormat, ShaderFunction};
/// use hpfracc_equation::{Graph, Input, Unary};
///
/// // rate tanh(x)
/// let mut graph = Graph::new();
/// let (x, rate) = (graph.variable(0), graph.variable(1));
/// let tanh = graph.unary(Unary::Tanh, x);
/// let root = graph.product(rate, tanh);
/// let names = ["x".to_owned(), "rate".to_owned()];
/// let inputs = [Input::Row(0), Input::Uniform(1)];
/// let function = ShaderFunction::new("drift", &graph, &[root], (&inputs, &names))?;
/// let text = function.text(NumberFormat::Double);
/// assert!(text.contains("let v3 = multiply(drift_steady[0], v2); // rate * tanh(x)"));
/// assert_eq!(function.uniforms(&[0.0], &[0.1]).steady, [0.1]);
/// # Ok::<(), hpfracc_equation::wgsl::ShaderError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ShaderFunction {
    name: String,
    text: String,
    rows: usize,
    roots: usize,
    operations: usize,
    rounds: usize,
    steady: Vec<Id>,
    timed: Vec<Id>,
    weights: Weights,
    /// Time as a row, then the parameters: the values of `steady` and `timed`.
    uniform: Program<f64>,
}

/// Memory from which a function reads the weights of its networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WeightMemory {
    /// The array of values without time.
    Storage,
    /// Memory of a workgroup. Each invocation calls `f_load_weights(i, n)` first, with its number in the workgroup and the
    /// number of invocations of one, and a barrier follows.
    Workgroup,
}

/// Numbers that a function takes from the host, before they are rounded to its format.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UniformRows {
    /// Values that do not depend on time, and weights.
    pub steady: Vec<f64>,
    /// Values that do, time after time.
    pub timed: Vec<f64>,
}

impl ShaderFunction {
    /// Lowers roots of a graph. `inputs` are the origins of the variables, as of [`Program`], and their names in the
    /// comments; uniform input 0 is time.
    ///
    /// Cost: linear in the nodes of the graph.
    ///
    /// # Errors
    /// [`ShaderError`] for a function of the state that shaders do not have, for large networks and graphs, and for
    /// what [`Program::new`] refuses.
    pub fn new(
        name: &str,
        graph: &Graph,
        roots: &[Id],
        (inputs, names): (&[Input], &[String]),
    ) -> Result<Self, ShaderError> {
        Program::<f32>::new(graph, roots, inputs)?;
        let rows = inputs.iter().fold(0, |rows, input| match input {
            Input::Row(row) => rows.max(row + 1),
            Input::Uniform(_) => rows,
        });
        let mut writer = Writer::new(name, graph, roots, (inputs, names));
        writer.check_size()?;
        let body = writer.body()?;
        let results: Vec<String> = roots.iter().map(|root| writer.value(*root)).collect();
        let parameters: String = (0..rows).map(|k| format!(", x{k}: real")).collect();
        let fields: String = (0..roots.len()).map(|k| format!("    r{k}: real,\n")).collect();
        let text = format!(
            "struct {name}_values {{\n{fields}}}\n\n\
             fn {name}(at: u32{parameters}) -> {name}_values {{\n{body}    return {name}_values({});\n}}\n",
            results.join(", ")
        );
        let Writer { steady, timed, weights, operations, rounds, .. } = writer;
        let of_time = |input: &Input| match input {
            Input::Uniform(0) | Input::Row(_) => Input::Row(0),
            uniform => *uniform,
        };
        let times: Vec<Input> = inputs.iter().map(of_time).collect();
        let uniform = Program::new(graph, &[&steady[..], &timed].concat(), &times)?;
        let (name, roots) = (name.to_owned(), roots.len());
        Ok(Self { name, text, rows, roots, operations, rounds, steady, timed, weights, uniform })
    }

    /// Name of the function.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Text of the function in a format.
    pub fn text(&self, format: NumberFormat) -> String {
        let number = |(k, part): (usize, &str)| match part.parse::<f64>() {
            Ok(value) if k % 2 == 1 => format.literal(value),
            _ => part.to_owned(),
        };
        self.text.split(MARK).enumerate().map(number).collect()
    }

    /// Number of rows: arguments after the first one.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of roots: fields of the result.
    pub fn roots(&self) -> usize {
        self.roots
    }

    /// Number of operations of a call, an elementary function being one.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// Rounds of all loops of a call. A driver may end the loops of an invocation after a number of rounds.
    pub fn loop_rounds(&self) -> usize {
        self.rounds
    }

    /// Numbers of values without time, weights not counted, and with time.
    pub fn uniform_values(&self) -> (usize, usize) {
        (self.steady.len(), self.timed.len())
    }

    /// Number of vectors of four weights.
    pub fn weight_vectors(&self) -> usize {
        self.weights.vectors()
    }

    /// Text of the functions that read weights, which is empty without networks.
    pub fn weights_in(&self, memory: WeightMemory) -> String {
        let (f, vectors, first) = (&self.name, self.weights.vectors(), self.steady.len());
        if vectors == 0 {
            return String::new();
        }
        let components: Vec<String> =
            (0..4).map(|i| format!("{f}_steady[{first}u + 4u * i + {i}u]")).collect();
        let stored = format!("quad({})", components.join(", "));
        match memory {
            WeightMemory::Storage => {
                format!("fn {f}_weights(i: u32) -> quad {{\n    return {stored};\n}}\n\n")
            }
            WeightMemory::Workgroup => format!(
                "var<workgroup> {f}_shared: array<quad, {vectors}>;\n\n\
                 fn {f}_weights(i: u32) -> quad {{\n    return {f}_shared[i];\n}}\n\n\
                 fn {f}_load_weights(first: u32, invocations: u32) {{\n    \
                 for (var i = first; i < {vectors}u; i += invocations) {{\n        \
                 {f}_shared[i] = {stored};\n    }}\n}}\n\n"
            ),
        }
    }

    /// Numbers for these times and parameters, of which the first is uniform input 1. Values without time are those at
    /// the first time, or at 0; weights follow them.
    ///
    /// # Panics
    /// If there are fewer parameters than the inputs name.
    pub fn uniforms(&self, times: &[f64], parameters: &[f64]) -> UniformRows {
        let lanes = times.len().max(1);
        let times = if times.is_empty() { &[0.0] } else { times };
        let mut inputs = vec![0.0];
        inputs.extend_from_slice(parameters);
        let mut values = vec![0.0; self.uniform.roots() * lanes];
        let out = RowsMut::new(&mut values[..], lanes);
        let mut scratch = Scratch::new();
        self.uniform.run(Arch::new(), Rows::new(times, lanes), &inputs, out, &mut scratch);
        let (steady, timed) = values.split_at(self.steady.len() * lanes);
        let at = |row: usize, lane: usize| timed[row * lanes + lane];
        let rows = self.timed.len();
        let steady = steady.iter().step_by(lanes).chain(self.weights.numbers());
        UniformRows {
            steady: steady.copied().collect(),
            timed: (0..lanes * rows).map(|k| at(k % rows, k / rows)).collect(),
        }
    }
}

/// Writer of the statements of a function.
struct Writer<'a> {
    name: &'a str,
    graph: &'a Graph,
    inputs: &'a [Input],
    labels: Vec<String>,
    varying: Vec<bool>,
    of_time: Vec<bool>,
    /// Nodes that depend on the state and are needed.
    written: Vec<bool>,
    layers: Layers,
    weights: Weights,
    operations: usize,
    rounds: usize,
    steady: Vec<Id>,
    timed: Vec<Id>,
    /// Texts of uniform values.
    uniform: HashMap<Id, String>,
}

impl<'a> Writer<'a> {
    fn new(
        name: &'a str,
        graph: &'a Graph,
        roots: &[Id],
        (inputs, names): (&'a [Input], &[String]),
    ) -> Self {
        let input = |number: u32| inputs.get(number as usize);
        let varying = graph.depends(|number| matches!(input(number), Some(Input::Row(_))));
        let needed = graph.needed(roots);
        let written: Vec<bool> = needed.iter().zip(&varying).map(|(a, b)| *a && *b).collect();
        Self {
            name,
            graph,
            inputs,
            labels: labels(graph, names),
            of_time: graph.depends(|number| input(number) == Some(&Input::Uniform(0))),
            layers: Layers::new(graph, &written, roots),
            varying,
            written,
            weights: Weights::default(),
            operations: 0,
            rounds: 0,
            steady: vec![],
            timed: vec![],
            uniform: HashMap::new(),
        }
    }

    fn check_size(&self) -> Result<(), ShaderError> {
        let nodes = self.nodes().count();
        if nodes > MOST_NODES {
            return Err(ShaderError::Size { nodes, most: MOST_NODES });
        }
        let inputs = |map: u32| self.graph.map(map).map_or(0, Affine::inputs);
        let weights = self.layers.written().map(|layer| match &layer.hidden {
            Some(hidden) => inputs(hidden.map) + layer.rows.len(),
            None => inputs(layer.map) * layer.rows.len(),
        });
        let weights: usize = weights.sum();
        match weights <= MOST_WEIGHTS {
            true => Ok(()),
            false => Err(ShaderError::Network { weights, most: MOST_WEIGHTS }),
        }
    }

    /// Nodes with statements of their own.
    fn nodes(&self) -> impl Iterator<Item = (Id, Node)> {
        let nodes = self.graph.nodes().iter().enumerate().map(|(k, node)| (Id::new(k), *node));
        nodes.filter(|(id, node)| {
            let is_number = !node.is_list() && !matches!(node, Node::Variable(_));
            self.written[id.index()] && is_number && !self.layers.is_folded(*id)
        })
    }

    /// Statements that compute what the roots need.
    fn body(&mut self) -> Result<String, ShaderError> {
        let mut body = String::new();
        let nodes: Vec<(Id, Node)> = self.nodes().collect();
        let layers = std::mem::take(&mut self.layers);
        for (id, node) in nodes {
            match node {
                Node::Affine(..) => {
                    if let Some(layer) = layers.starting_at(id) {
                        body += &self.layer(layer)?;
                    }
                }
                _ => {
                    let value = self.operation(id, node)?;
                    let (k, label) = (id.index(), &self.labels[id.index()]);
                    let _ = writeln!(body, "    let v{k} = {value}; // {label}");
                    self.operations += 1;
                }
            }
        }
        self.layers = layers;
        Ok(body)
    }

    /// Components of an affine map: products are added to the bias one after the other.
    fn layer(&mut self, layer: &Layer) -> Result<String, ShaderError> {
        let Some(map) = self.graph.map(layer.map) else { return Ok(String::new()) };
        let mut text = String::new();
        for (_, id) in &layer.rows {
            let (k, label) = (id.index(), &self.labels[id.index()]);
            let _ = writeln!(text, "    var v{k}: real; // {label}");
        }
        let weights = |row: u32| {
            let products = (0..map.inputs()).map(move |input| map.weight(row as usize, input));
            let products = products.filter(|_| layer.hidden.is_none());
            std::iter::once(map.bias(row as usize)).chain(products)
        };
        let first = self.weights.add(layer.rows.iter().flat_map(|(row, _)| weights(*row)));
        let mut block = Block::new(self.name, "", format!("{first}u"));
        for (_, id) in &layer.rows {
            let inputs = layer.hidden.is_none().then_some(layer.list);
            self.component(&mut block, *id, inputs);
        }
        text += &block.finish();
        match &layer.hidden {
            Some(hidden) => Ok(text + &self.neurons(layer, hidden)?),
            None => Ok(text),
        }
    }

    /// Loop over the neurons of a hidden layer.
    fn neurons(&mut self, layer: &Layer, hidden: &Hidden) -> Result<String, ShaderError> {
        let maps = (self.graph.map(hidden.map), self.graph.map(layer.map));
        let (Some(before), Some(after)) = maps else { return Ok(String::new()) };
        let first = self.weights.vectors();
        for neuron in 0..hidden.neurons {
            let inputs = (0..before.inputs()).map(|input| before.weight(neuron, input));
            let outputs = layer.rows.iter().map(|(row, _)| after.weight(*row as usize, neuron));
            let bias = std::iter::once(before.bias(neuron));
            self.weights.add(bias.chain(inputs).chain(outputs));
        }
        let stride = (self.weights.vectors() - first) / hidden.neurons;
        let operations = self.operations;
        self.rounds += hidden.neurons;
        let begin = format!("for (var neuron = 0u; neuron < {}u; neuron++) ", hidden.neurons);
        let mut block = Block::new(self.name, &begin, format!("{first}u + {stride}u * neuron"));
        let (input, others) = (hidden.nodes[0], &hidden.nodes[1..]);
        block.line(&format!("var v{}: real;", input.index()));
        self.component(&mut block, input, Some(hidden.list));
        for id in others {
            let value = self.operation(*id, self.graph.node(*id))?;
            block.line(&format!("let v{} = {value};", id.index()));
            self.operations += 1;
        }
        let output = hidden.nodes[hidden.nodes.len() - 1].index();
        for (_, id) in &layer.rows {
            let (k, weight) = (id.index(), block.weight());
            block.line(&format!("v{k} = add_fused_product(v{k}, {weight}, v{output});"));
            self.operations += 1;
        }
        self.operations += (self.operations - operations) * (hidden.neurons - 1);
        Ok(block.finish())
    }

    /// A component of an affine map: its bias, and its products with the inputs if these are known.
    fn component(&mut self, block: &mut Block<'_>, id: Id, inputs: Option<Id>) {
        let k = id.index();
        let bias = block.weight();
        block.line(&format!("v{k} = {bias};"));
        for x in inputs.map(|list| self.graph.elements(list)).into_iter().flatten() {
            let (weight, x) = (block.weight(), self.value(x));
            block.line(&format!("v{k} = add_fused_product(v{k}, {weight}, {x});"));
            self.operations += 1;
        }
    }

    /// Text of a value where it is an operand.
    fn value(&mut self, id: Id) -> String {
        let node = self.graph.node(id);
        if self.varying[id.index()] {
            return match node {
                Node::Variable(number) => match self.inputs[number as usize] {
                    Input::Row(row) => format!("x{row}"),
                    Input::Uniform(_) => format!("v{}", id.index()),
                },
                _ => format!("v{}", id.index()),
            };
        }
        // Others have no literal in each format.
        let has_literal = |value: &f64| (*value as f32).is_normal() || *value as f32 == 0.0;
        if let Some(value) = node.as_constant().filter(has_literal) {
            return number(value);
        }
        if let Some(text) = self.uniform.get(&id) {
            return text.clone();
        }
        let (name, of_time) = (self.name, self.of_time[id.index()]);
        let values = if of_time { &mut self.timed } else { &mut self.steady };
        let number = values.len();
        values.push(id);
        let text = match of_time {
            true => format!("{name}_timed[at + {number}]"),
            false => format!("{name}_steady[{number}]"),
        };
        self.uniform.insert(id, text.clone());
        text
    }

    fn operation(&mut self, id: Id, node: Node) -> Result<String, ShaderError> {
        let refused = |function: &str| ShaderError::Function {
            function: function.to_owned(),
            expression: self.labels[id.index()].clone(),
        };
        let function = match node {
            Node::Unary(operation, _) => match unary(operation) {
                Some(function) => function,
                None => return Err(refused(&function_name(operation))),
            },
            Node::Ternary(Ternary::Select, ..) | Node::Binary(..) => "",
            Node::Ternary(..) => return Err(refused("the Mittag-Leffler function")),
            Node::Table(..) => return Err(refused("a table of data")),
            // None of them is an operation of numbers.
            Node::Constant(_) | Node::Variable(_) => "",
            Node::Empty | Node::List(..) | Node::Affine(..) => "",
        };
        let operands: Vec<String> = node.operands().map(|id| self.value(id)).collect();
        Ok(match (node, &operands[..]) {
            (Node::Unary(..), [x]) => format!("{function}({x})"),
            (Node::Binary(operation, ..), [x, y]) => binary(operation, x, y),
            (_, [x, y, z]) => format!("choose({y}, {z}, is_equal({x}, ZERO))"),
            _ => String::new(),
        })
    }
}

/// A number in a text without a format.
fn number(value: f64) -> String {
    format!("{MARK}{value:e}{MARK}")
}

/// Operation of two arguments.
fn binary(operation: Binary, x: &str, y: &str) -> String {
    match operation {
        Binary::Add => format!("add({x}, {y})"),
        Binary::Subtract => format!("subtract({x}, {y})"),
        Binary::Multiply => format!("multiply({x}, {y})"),
        Binary::Divide => format!("divide({x}, {y})"),
        Binary::Power => format!("pow_of({x}, {y})"),
        Binary::Minimum => format!("choose({y}, {x}, is_less({x}, {y}))"),
        Binary::Maximum => format!("choose({y}, {x}, is_less({y}, {x}))"),
        Binary::Less => format!("choose(ZERO, ONE, is_less({x}, {y}))"),
        Binary::LessOrEqual => format!("choose(ZERO, ONE, is_less_or_equal({x}, {y}))"),
        Binary::Equal => format!("choose(ZERO, ONE, is_equal({x}, {y}))"),
    }
}

/// Function of one argument in a shader.
fn unary(operation: Unary) -> Option<&'static str> {
    Some(match operation {
        Unary::Negate => "negate",
        Unary::Absolute => "abs_of",
        Unary::Sign => "sign_of",
        Unary::Floor => "floor_of",
        Unary::SquareRoot => "sqrt_of",
        Unary::Exp => "exp_of",
        Unary::ExpM1 => "exp_m1_of",
        Unary::Ln => "ln_of",
        Unary::Ln1p => "ln_1p_of",
        Unary::Sin => "sin_of",
        Unary::Cos => "cos_of",
        Unary::Atan => "atan_of",
        Unary::Sinh => "sinh_of",
        Unary::Cosh => "cosh_of",
        Unary::Tanh => "tanh_of",
        Unary::Erf => "erf_of",
        Unary::Gamma | Unary::Digamma | Unary::Trigamma => return None,
    })
}
