//! Expression graphs.

mod affine;
mod hasher;
mod names;
mod node;
mod table;

pub(crate) use affine::mixed;
pub use affine::{Affine, NetworkError};
pub(crate) use hasher::ShortKeys;
pub use node::{Binary, Id, Node, Ternary, Unary};
pub use table::{Interpolation, Table, TableError};

use std::collections::HashMap;
use std::sync::Arc;

/// Expression graph in topological order: operands come before the nodes that use them.
///
/// Nodes are hash-consed: an expression that occurs twice is one node. A graph only grows; nodes that
/// no root needs are skipped by whoever evaluates it.
///
/// ```
/// use hpfracc_equation::{Binary, Graph, Unary};
///
/// // sin(x)^2 + x, where x is variable 0.
/// let mut graph = Graph::new();
/// let x = graph.variable(0);
/// let sin = graph.unary(Unary::Sin, x);
/// let square = graph.binary(Binary::Multiply, sin, sin);
/// let sum = graph.binary(Binary::Add, square, x);
/// assert_eq!(graph.len(), 4);
/// assert_eq!(graph.unary(Unary::Sin, x), sin); // known
/// assert_eq!(graph.node(sum).operands().collect::<Vec<_>>(), [square, x]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, Id, ShortKeys>,
    /// Affine maps, each once.
    maps: Vec<Affine>,
    tables: Vec<Arc<Table>>,
    known_tables: HashMap<Arc<Table>, u32, ShortKeys>,
}

impl Graph {
    /// Graph without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes, operands first. Node k has the id `Id::new(k)`.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Node of this id.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.index()]
    }

    /// Node, added if it is new. Its operands belong to this graph.
    pub fn add(&mut self, node: Node) -> Id {
        debug_assert!(node.operands().all(|operand| operand.index() < self.nodes.len()));
        let next = Id::new(self.nodes.len());
        let id = *self.known.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    /// Constant.
    pub fn constant(&mut self, value: f64) -> Id {
        self.add(Node::constant(value))
    }

    /// Variable of this number: time, a component of the state, a parameter.
    pub fn variable(&mut self, number: u32) -> Id {
        self.add(Node::Variable(number))
    }

    /// Function of one argument.
    pub fn unary(&mut self, operation: Unary, a: Id) -> Id {
        self.add(Node::Unary(operation, a))
    }

    /// Function of two arguments.
    pub fn binary(&mut self, operation: Binary, a: Id, b: Id) -> Id {
        self.add(Node::Binary(operation, a, b))
    }

    /// Function of three arguments.
    pub fn ternary(&mut self, operation: Ternary, a: Id, b: Id, c: Id) -> Id {
        self.add(Node::Ternary(operation, a, b, c))
    }

    /// List of these elements.
    pub fn list(&mut self, elements: &[Id]) -> Id {
        let empty = self.add(Node::Empty);
        elements.iter().fold(empty, |list, x| self.add(Node::List(list, *x)))
    }

    /// Elements of a list.
    pub fn elements(&self, list: Id) -> Vec<Id> {
        let mut elements: Vec<Id> = self.elements_backwards(list).collect();
        elements.reverse();
        elements
    }

    /// Elements of a list, the last one first.
    pub(crate) fn elements_backwards(&self, mut list: Id) -> impl Iterator<Item = Id> {
        std::iter::from_fn(move || match self.node(list) {
            Node::List(rest, x) => {
                list = rest;
                Some(x)
            }
            _ => None,
        })
    }

    /// All components of an affine map of these nodes, of which it has as many inputs.
    pub fn affine(&mut self, map: &Affine, x: &[Id]) -> Vec<Id> {
        debug_assert_eq!(map.inputs(), x.len());
        let (number, list) = (self.add_map(map), self.list(x));
        (0..map.outputs() as u32).map(|row| self.add(Node::Affine(number, row, list))).collect()
    }

    /// Affine map of a number.
    pub fn map(&self, number: u32) -> Option<&Affine> {
        self.maps.get(number as usize)
    }

    /// Number of an affine map, added if it is new.
    pub(crate) fn add_map(&mut self, map: &Affine) -> u32 {
        let known = self.maps.iter().position(|known| known == map);
        let number = known.unwrap_or_else(|| {
            self.maps.push(map.clone());
            self.maps.len() - 1
        });
        number as u32
    }

    /// Number of another map, which is made from the one of this number.
    pub(crate) fn add_map_of(&mut self, number: u32, make: impl Fn(&Affine) -> Affine) -> u32 {
        match self.map(number).map(make) {
            Some(map) => self.add_map(&map),
            None => number,
        }
    }

    /// Component of an affine map of a list whose elements have known values; `None` if one has none.
    pub(crate) fn affine_value(
        &self,
        (map, row, list): (u32, u32, Id),
        value: impl Fn(Id) -> Option<f64>,
    ) -> Option<f64> {
        let mut x = self.elements_backwards(list).map(value).collect::<Option<Vec<f64>>>()?;
        x.reverse();
        Some(self.map(map).map_or(f64::NAN, |map| map.value(row as usize, &x)))
    }

    /// Graph without nodes, in which affine maps and tables have the numbers of this one, and with memory for
    /// as many nodes.
    pub(crate) fn without_nodes(&self) -> Self {
        let (maps, tables) = (self.maps.clone(), self.tables.clone());
        let known_tables = self.known_tables.clone();
        Self { maps, tables, known_tables, ..Self::with_capacity(self.len()) }
    }

    /// Graph with memory for this number of nodes.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        let known = HashMap::with_capacity_and_hasher(nodes, ShortKeys::default());
        Self { nodes: Vec::with_capacity(nodes), known, ..Self::default() }
    }

    /// Number of a table, added if its data are new.
    pub fn add_table(&mut self, table: Arc<Table>) -> u32 {
        let next = self.tables.len() as u32;
        let number = *self.known_tables.entry(Arc::clone(&table)).or_insert(next);
        if number == next {
            self.tables.push(table);
        }
        number
    }

    /// Tables by their numbers.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// Value of the table of a number, or of its derivative of an order, at a node.
    ///
    /// ```
    /// use hpfracc_equation::{Graph, Interpolation, Table, Values, evaluate};
    ///
    /// let mut graph = Graph::new();
    /// let table = Table::new(&[0.0, 1.0], &[2.0, 3.0], Interpolation::Linear)?;
    /// let (table, x) = (graph.add_table(table.into()), graph.variable(0));
    /// let (value, slope) = (graph.table(table, 0, x), graph.table(table, 1, x));
    /// assert_eq!(evaluate::<f64>(&graph, &[value, slope], &[Values::Path(0.5)]), [2.5, 1.0]);
    /// # Ok::<(), hpfracc_equation::TableError>(())
    /// ```
    pub fn table(&mut self, table: u32, derivative: u8, a: Id) -> Id {
        self.add(Node::Table(table, derivative, a))
    }

    /// `a + b`
    pub fn sum(&mut self, a: Id, b: Id) -> Id {
        self.binary(Binary::Add, a, b)
    }

    /// `a - b`
    pub fn difference(&mut self, a: Id, b: Id) -> Id {
        self.binary(Binary::Subtract, a, b)
    }

    /// `a b`
    pub fn product(&mut self, a: Id, b: Id) -> Id {
        self.binary(Binary::Multiply, a, b)
    }

    /// `a / b`
    pub fn quotient(&mut self, a: Id, b: Id) -> Id {
        self.binary(Binary::Divide, a, b)
    }

    /// `a^n` as products by repeated squaring, from the highest bit of n: `a^5 = (a^2)^2 a`. A negative
    /// power is the reciprocal of the positive one, and `a^0` is 1.
    pub fn integer_power(&mut self, a: Id, n: i32) -> Id {
        let exponent = n.unsigned_abs();
        let mut power = if exponent == 0 { self.constant(1.0) } else { a };
        for bit in (0..exponent.checked_ilog2().unwrap_or(0)).rev() {
            power = self.product(power, power);
            if exponent >> bit & 1 == 1 {
                power = self.product(power, a);
            }
        }
        if n < 0 {
            let one = self.constant(1.0);
            power = self.quotient(one, power);
        }
        power
    }

    /// Copies the nodes that the roots of another graph need, and returns the roots in this graph.
    /// Variables keep their numbers.
    pub fn import(&mut self, other: &Self, roots: &[Id]) -> Vec<Id> {
        self.import_with(other, roots, |variable| variable)
    }

    /// Copies the nodes that the roots of another graph need, with other numbers of its variables, and returns
    /// the roots in this graph.
    pub fn import_with(
        &mut self,
        other: &Self,
        roots: &[Id],
        number: impl Fn(u32) -> u32,
    ) -> Vec<Id> {
        let mut ids: Vec<Id> = (0..other.len()).map(Id::new).collect();
        let mut maps: Vec<Option<u32>> = vec![None; other.maps.len()];
        for (k, needed) in other.needed(roots).into_iter().enumerate() {
            if needed {
                let mut node = other.nodes[k].with_operands(|operand| ids[operand.index()]);
                match &mut node {
                    Node::Variable(variable) => *variable = number(*variable),
                    Node::Affine(map, ..) => {
                        if let Some(known) = maps.get_mut(*map as usize) {
                            let number = || self.add_map(&other.maps[*map as usize]);
                            *map = *known.get_or_insert_with(number);
                        }
                    }
                    Node::Table(table, ..) => {
                        *table = self.add_table(Arc::clone(&other.tables[*table as usize]));
                    }
                    _ => {}
                }
                ids[k] = self.add(node);
            }
        }
        roots.iter().map(|root| ids[root.index()]).collect()
    }

    /// For each node, whether one of the roots needs it.
    pub fn needed(&self, roots: &[Id]) -> Vec<bool> {
        let mut needed = vec![false; self.len()];
        roots.iter().for_each(|root| needed[root.index()] = true);
        for k in (0..self.len()).rev() {
            if needed[k] {
                self.nodes[k].operands().for_each(|operand| needed[operand.index()] = true);
            }
        }
        needed
    }

    /// For each node, whether it depends on a variable that `selected` accepts.
    pub fn depends(&self, selected: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut depends = vec![false; self.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            depends[k] = match *node {
                Node::Variable(number) => selected(number),
                _ => node.operands().any(|operand| depends[operand.index()]),
            };
        }
        depends
    }
}
