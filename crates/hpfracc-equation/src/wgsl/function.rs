//! Functions of the state as text.

use super::labels::{function_name, labels};
use super::{NumberFormat, ShaderError};
use crate::graph::{Binary, Graph, Id, Node, Ternary, Unary};
use crate::program::{Input, Program, Scratch};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Rows, RowsMut};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Most operations of a function.
const MOST_NODES: usize = 1 << 14;

/// Most weights of the networks in a function, each of which is an operation.
const MOST_WEIGHTS: usize = 1 << 12;

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
    steady: Vec<Id>,
    timed: Vec<Id>,
    /// Time as a row, then the parameters: the values of `steady` and `timed`.
    uniform: Program<f64>,
}

/// Numbers that a function takes from the host, before they are rounded to its format.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UniformRows {
    /// Values that do not depend on time.
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
        let mut writer = Writer::new(name, graph, inputs, names);
        writer.check_size(roots)?;
        let body = writer.body(roots)?;
        let results: Vec<String> = roots.iter().map(|root| writer.value(*root)).collect();
        let parameters: String = (0..rows).map(|k| format!(", x{k}: real")).collect();
        let fields: String = (0..roots.len()).map(|k| format!("    r{k}: real,\n")).collect();
        let text = format!(
            "struct {name}_values {{\n{fields}}}\n\n\
             fn {name}(at: u32{parameters}) -> {name}_values {{\n{body}    return {name}_values({});\n}}\n",
            results.join(", ")
        );
        let (steady, timed) = (writer.steady, writer.timed);
        let operations = body.lines().count();
        let of_time = |input: &Input| match input {
            Input::Uniform(0) | Input::Row(_) => Input::Row(0),
            uniform => *uniform,
        };
        let times: Vec<Input> = inputs.iter().map(of_time).collect();
        let uniform = Program::new(graph, &[&steady[..], &timed].concat(), &times)?;
        let (name, roots) = (name.to_owned(), roots.len());
        Ok(Self { name, text, rows, roots, operations, steady, timed, uniform })
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

    /// Numbers of values without time and with time.
    pub fn uniform_values(&self) -> (usize, usize) {
        (self.steady.len(), self.timed.len())
    }

    /// Numbers for these times and parameters, of which the first is uniform input 1. Values without time are those at
    /// the first time, or at 0.
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
        UniformRows {
            steady: steady.iter().step_by(lanes).copied().collect(),
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
    steady: Vec<Id>,
    timed: Vec<Id>,
    /// Texts of uniform values.
    uniform: HashMap<Id, String>,
}

impl<'a> Writer<'a> {
    fn new(name: &'a str, graph: &'a Graph, inputs: &'a [Input], names: &[String]) -> Self {
        let input = |number: u32| inputs.get(number as usize);
        Self {
            name,
            graph,
            inputs,
            labels: labels(graph, names),
            varying: graph.depends(|number| matches!(input(number), Some(Input::Row(_)))),
            of_time: graph.depends(|number| input(number) == Some(&Input::Uniform(0))),
            steady: vec![],
            timed: vec![],
            uniform: HashMap::new(),
        }
    }

    fn check_size(&self, roots: &[Id]) -> Result<(), ShaderError> {
        let needed = self.graph.needed(roots);
        let on_device = |k: &usize| needed[*k] && self.varying[*k];
        let nodes = (0..needed.len()).filter(on_device).count();
        if nodes > MOST_NODES {
            return Err(ShaderError::Size { nodes, most: MOST_NODES });
        }
        let inputs = |k: usize| match self.graph.nodes()[k] {
            Node::Affine(map, ..) => self.graph.map(map).map_or(0, crate::Affine::inputs),
            _ => 0,
        };
        let weights: usize = (0..needed.len()).filter(on_device).map(inputs).sum();
        match weights <= MOST_WEIGHTS {
            true => Ok(()),
            false => Err(ShaderError::Network { weights, most: MOST_WEIGHTS }),
        }
    }

    /// Statements that compute what the roots need.
    fn body(&mut self, roots: &[Id]) -> Result<String, ShaderError> {
        let needed = self.graph.needed(roots);
        let mut body = String::new();
        for k in (0..needed.len()).filter(|k| needed[*k]) {
            let (id, node) = (Id::new(k), self.graph.nodes()[k]);
            if !self.varying[k] || node.is_list() || matches!(node, Node::Variable(_)) {
                continue;
            }
            if let Node::Affine(map, row, list) = node {
                self.affine(&mut body, id, (map, row, list));
                continue;
            }
            let value = self.operation(id, node)?;
            let _ = writeln!(body, "    let v{k} = {value}; // {}", self.labels[k]);
        }
        Ok(body)
    }

    /// Component of an affine map: products are added to the bias one after the other.
    fn affine(&mut self, body: &mut String, id: Id, (map, row, list): (u32, u32, Id)) {
        let Some(map) = self.graph.map(map) else { return };
        let (k, row) = (id.index(), row as usize);
        let bias = number(map.bias(row));
        let _ = writeln!(body, "    var v{k} = {bias}; // {}", self.labels[k]);
        for (input, x) in self.graph.elements(list).into_iter().enumerate() {
            let (weight, x) = (number(map.weight(row, input)), self.value(x));
            let _ = writeln!(body, "    v{k} = add_fused_product(v{k}, {weight}, {x});");
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
