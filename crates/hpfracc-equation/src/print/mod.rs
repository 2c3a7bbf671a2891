//! Equation to text.

mod diagram;
mod facts;
mod layout;
mod statements;

pub use diagram::{Diagram, DiagramEdge, DiagramKind, DiagramNode};

use crate::equation::{Equation, Symbol};
use crate::graph::Table;
use crate::graph::{Graph, Id, Node};
use crate::text::{ABBREVIATION, binding};
use facts::Facts;
use layout::{Form, Piece};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Largest expression that is written out again where it occurs again.
const LARGEST_REPEATED: usize = 8;
/// Deepest nesting that is written.
const DEEPEST: usize = 100;
/// Longest text of a lagged state in a graph that is not that of the equation.
const LONGEST_LEAF: usize = 1000;

impl Equation {
    /// Texts of the variables of the graph: names, lagged states and lower derivatives.
    pub fn variable_names(&self) -> Vec<String> {
        leaves(self)
    }

    /// Text of an expression of [`Equation::graph`].
    ///
    /// Large parts that occur more than once are abbreviated as `_1`, `_2` and so on, and follow as statements
    /// after `where`.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    ///
    /// let equation = Equation::parse("x' = r x*x - k*(x + 1)/2; r = 1; k = 2; x(0) = 1")?;
    /// assert_eq!(equation.expression(equation.states()[0].drift()), "r x x - k (x + 1)/2");
    /// # Ok::<(), hpfracc_equation::EquationError>(())
    /// ```
    pub fn expression(&self, id: Id) -> String {
        Printer::new(self, &self.graph, &[id]).with_abbreviations(id)
    }

    /// Text of an expression of another graph whose variables mean the same, such as a Jacobian.
    pub fn expression_in(&self, graph: &Graph, id: Id) -> String {
        Printer::new(self, graph, &[id]).with_abbreviations(id)
    }
}

/// Writer of the expressions of a graph.
struct Printer<'a> {
    equation: &'a Equation,
    graph: &'a Graph,
    facts: Facts,
    forms: Vec<Form>,
    /// Names of nodes: definitions and abbreviations.
    names: HashMap<Id, String>,
    /// Nodes with abbreviations, operands first.
    abbreviated: Vec<Id>,
    /// Names of the tables of the graph.
    tables: Vec<String>,
    /// Texts of the variables, if the graph is not that of the equation.
    leaves: Vec<String>,
}

impl<'a> Printer<'a> {
    fn new(equation: &'a Equation, graph: &'a Graph, roots: &[Id]) -> Self {
        let mut printer = Self {
            equation,
            graph,
            facts: Facts::of(graph),
            forms: vec![Form::NAME; graph.len()],
            names: HashMap::new(),
            abbreviated: vec![],
            tables: table_names(equation, graph),
            leaves: vec![],
        };
        let mut roots = roots.to_vec();
        if std::ptr::eq(graph, &raw const equation.graph) {
            printer.name_definitions();
            roots.extend(&equation.delays);
            roots.extend(equation.states.iter().flat_map(|state| &state.lower_orders));
        } else {
            printer.leaves = leaves(equation);
        }
        printer.abbreviate(&roots);
        printer
    }

    fn name_definitions(&mut self) {
        for net in &self.equation.nets {
            for (name, output) in net.named_outputs() {
                self.names.entry(output).or_insert(name);
            }
        }
        for definition in &self.equation.definitions {
            if !matches!(self.graph.node(definition.value), Node::Constant(_) | Node::Variable(_)) {
                self.names.entry(definition.value).or_insert_with(|| definition.name.clone());
            }
        }
    }

    /// Names the large nodes that are written more than once, and those that are nested deeply.
    fn abbreviate(&mut self, roots: &[Id]) {
        let uses = self.uses(roots);
        let (taken, mut number) = (self.reserved_names(), 0);
        for k in (0..self.graph.len()).filter(|k| uses[*k] > 0) {
            let id = Id::new(k);
            let form = self.expanded_form(id);
            self.forms[k] = form;
            let repeated = uses[k] > 1 && form.size > LARGEST_REPEATED;
            if (repeated || form.depth > DEEPEST) && !self.names.contains_key(&id) {
                self.abbreviated.push(id);
                let name = loop {
                    number += 1;
                    let name = format!("{ABBREVIATION}{number}");
                    if !taken.contains(name.as_str()) {
                        break name;
                    }
                };
                self.names.insert(id, name);
            }
        }
    }

    /// Names of states, tables and noises that look like abbreviations.
    fn reserved_names(&self) -> HashSet<&'a str> {
        let states = self.equation.states.iter().map(|state| &*state.name);
        let tables = self.equation.tables.iter().map(|table| &*table.name);
        let noises = self.equation.noises.iter().map(|noise| &*noise.name);
        states.chain(tables).chain(noises).filter(|name| name.starts_with(ABBREVIATION)).collect()
    }

    /// How often each node is written, if each node that is written has its operands written once.
    fn uses(&self, roots: &[Id]) -> Vec<usize> {
        let mut uses = vec![0; self.graph.len()];
        roots.iter().for_each(|root| uses[root.index()] += 1);
        let own = std::ptr::eq(self.graph, &raw const self.equation.graph);
        let nets = self.equation.nets.iter().filter(|_| own);
        let outputs: HashSet<Id> = nets.flat_map(|net| &net.outputs).copied().collect();
        for k in (0..self.graph.len()).rev() {
            // Outputs of networks are written as their names.
            if uses[k] == 0 || outputs.contains(&Id::new(k)) {
                continue;
            }
            if let Node::List(..) = self.graph.nodes()[k] {
                self.graph.elements_backwards(Id::new(k)).for_each(|id| uses[id.index()] += 1);
                continue;
            }
            match self.facts.powers[k] {
                Some((base, _)) => uses[base.index()] += 1,
                None => {
                    self.graph.nodes()[k].operands().for_each(|operand| uses[operand.index()] += 1);
                }
            }
            // A lagged state or a derivative may be written often: so is what belongs to it.
            if let (true, Node::Variable(number)) = (uses[k] > 1, self.graph.nodes()[k]) {
                match self.equation.symbols.get(number as usize) {
                    Some(Symbol::Lagged { delay, .. }) if self.leaves.is_empty() => {
                        uses[self.equation.delays[*delay].index()] += 1;
                    }
                    _ => {}
                }
            }
        }
        uses
    }

    /// Writes an expression that binds at least so strongly, else with brackets.
    fn write(&self, out: &mut String, id: Id, least: u8) {
        let bracket = self.form(id).strength < least;
        self.write_pieces(out, vec![Piece::Operand { id, bracket }]);
    }

    /// Writes a node with its operands, whether it has a name or not.
    fn write_expanded(&self, out: &mut String, id: Id, least: u8) {
        let (strength, pieces) = self.pieces(id);
        let bracket = strength < least;
        if bracket {
            out.push('(');
        }
        self.write_pieces(out, pieces);
        if bracket {
            out.push(')');
        }
    }

    fn write_pieces(&self, out: &mut String, pieces: Vec<Piece>) {
        let mut open: Vec<Piece> = pieces.into_iter().rev().collect();
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Operand { id, bracket: true } => {
                    out.push('(');
                    open.push(Piece::Text(")".into()));
                    open.push(Piece::Operand { id, bracket: false });
                }
                Piece::Operand { id, bracket: false } => match self.names.get(&id) {
                    Some(name) => out.push_str(name),
                    None => open.extend(self.pieces(id).1.into_iter().rev()),
                },
            }
        }
    }

    fn with_abbreviations(&self, id: Id) -> String {
        let mut out = String::new();
        if self.names.get(&id).is_some_and(|name| name.starts_with(ABBREVIATION)) {
            self.write_expanded(&mut out, id, binding::OR);
        } else {
            self.write(&mut out, id, binding::OR);
        }
        let others = self.abbreviated.iter().filter(|abbreviated| **abbreviated != id);
        for (k, abbreviated) in others.enumerate() {
            out.push_str(if k == 0 { " where " } else { "; " });
            out.push_str(&self.names[abbreviated]);
            out.push_str(" = ");
            self.write_expanded(&mut out, *abbreviated, binding::SUM);
        }
        out
    }
}

/// Names of the tables of a graph in an equation.
fn table_names(equation: &Equation, graph: &Graph) -> Vec<String> {
    let mut known: HashMap<&Table, &str> = HashMap::new();
    for table in &equation.tables {
        known.entry(&table.table).or_insert(&table.name);
    }
    let name = |(k, table): (usize, &Arc<Table>)| match known.get(&**table) {
        Some(name) => (*name).to_string(),
        None => format!("table_{k}"),
    };
    graph.tables().iter().enumerate().map(name).collect()
}

/// Texts of the variables of an equation.
fn leaves(equation: &Equation) -> Vec<String> {
    let printer = Printer::new(equation, &equation.graph, &[]);
    let count = equation.symbols.len() as u32;
    let nodes = equation.graph.nodes().iter().enumerate();
    let variables: HashMap<u32, Id> = nodes
        .filter_map(|(k, node)| match node {
            Node::Variable(number) => Some((*number, Id::new(k))),
            _ => None,
        })
        .collect();
    let text = |number| {
        let mut out = String::new();
        match variables.get(&number) {
            Some(id) => printer.write(&mut out, *id, binding::OR),
            None => printer.write_symbol(&mut out, number),
        }
        match out.char_indices().nth(LONGEST_LEAF) {
            Some((end, _)) => format!("{}...)", &out[..end]),
            None => out,
        }
    };
    (0..count).map(text).collect()
}
