//! Whether tables have values on all of the interval of time.

use crate::equation::{Equation, Symbol};
use crate::evaluate::{Values, evaluate};
use crate::graph::{Binary, Id, Node, Ternary, Unary};

/// Table that has no values on a part of the interval of time.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the table `{table}` has values from {low} to {high}, but `{table}({argument})` needs them from {first} to \
     {last}: write `extended` after its data, or change the interval of time"
)]
pub struct TableRangeError {
    /// Name of the table.
    pub table: String,
    /// Its argument.
    pub argument: String,
    /// First knot.
    pub low: f64,
    /// Last knot.
    pub high: f64,
    /// Smallest argument.
    pub first: f64,
    /// Largest argument.
    pub last: f64,
}

impl Equation {
    /// Checks that tables without [extension](crate::Table::extended) have values on all of the interval of
    /// time.
    ///
    /// Checked are arguments that are linear in the time, such as `t` and `t - tau`, and numbers, in
    /// right-hand sides, noises, delays, initial values, orders, events and shown quantities, outside of the
    /// branches of `if`. With any other argument outside of the table, in histories too, its value is NaN
    /// at run time. Cost: linear in the number of nodes.
    ///
    /// # Errors
    /// [`TableRangeError`] with both ranges.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    ///
    /// let text = "x' = load(t); table load: [0, 1] -> [0, 3]; x(0) = 1; t in [0, 2]";
    /// let error = Equation::parse(text)?.check_tables().unwrap_err();
    /// assert_eq!((error.high, error.last), (1.0, 2.0));
    /// # Ok::<(), hpfracc_equation::EquationError>(())
    /// ```
    pub fn check_tables(&self) -> Result<(), TableRangeError> {
        let Some(ends) = self.interval.filter(|_| !self.tables.is_empty()) else { return Ok(()) };
        let calls = self.calls();
        let arguments: Vec<Id> = calls.iter().map(|(_, argument)| *argument).collect();
        let [at_start, at_end] = [0, 1].map(|k| self.values_at(self.values(&ends)[k], &arguments));
        for ((number, argument), (a, b)) in calls.into_iter().zip(at_start.into_iter().zip(at_end))
        {
            let table = &self.graph.tables()[number as usize];
            let missing = |x| table.value(x, 0).is_nan();
            if !(a.is_nan() || b.is_nan()) && (missing(a) || missing(b)) {
                let (low, high) = table.range();
                let named = self.tables.iter().find(|named| named.table == *table);
                return Err(TableRangeError {
                    table: named.map_or(String::new(), |named| named.name.clone()),
                    argument: self.expression(argument),
                    low,
                    high,
                    first: a.min(b),
                    last: a.max(b),
                });
            }
        }
        Ok(())
    }

    /// Tables with arguments that are linear in the time, which are used whatever conditions hold.
    fn calls(&self) -> Vec<(u32, Id)> {
        let (linear, mut visited) = (self.linear_in_time(), vec![false; self.graph.len()]);
        let (mut open, mut calls) = (vec![], vec![]);
        for state in &self.states {
            open.push(state.drift);
            open.extend(state.noise.iter().map(|term| term.coefficient));
            open.extend(state.initial.iter().flatten());
            open.extend(state.random.iter().flat_map(|random| random.numbers));
            open.push(state.order);
            open.extend(&state.lower_orders);
        }
        open.extend(&self.delays);
        open.extend(self.events.iter().map(|event| event.expression));
        open.extend(self.shown.iter().map(|shown| shown.value));
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut visited[id.index()], true) {
                continue;
            }
            match self.graph.node(id) {
                Node::Ternary(Ternary::Select, condition, ..) => open.push(condition),
                node => open.extend(node.operands()),
            }
            if let Node::Table(number, _, argument) = self.graph.node(id)
                && linear[argument.index()] <= Dependence::Linear
            {
                calls.push((number, argument));
            }
        }
        calls
    }

    /// How each node depends on the time.
    fn linear_in_time(&self) -> Vec<Dependence> {
        let mut all = Vec::with_capacity(self.graph.len());
        for node in self.graph.nodes() {
            let of = |id: Id| all[id.index()];
            let most = node.operands().map(of).max().unwrap_or(Dependence::None);
            let found =
                match *node {
                    Node::Variable(number) => match self.symbols.get(number as usize) {
                        Some(Symbol::Parameter(_)) => Dependence::None,
                        Some(Symbol::Time) => Dependence::Linear,
                        _ => Dependence::Other,
                    },
                    _ if most == Dependence::None => most,
                    Node::Unary(Unary::Negate, _)
                    | Node::Binary(Binary::Add | Binary::Subtract, ..) => most,
                    Node::Binary(Binary::Multiply, a, b) => {
                        if of(a).min(of(b)) == Dependence::None { most } else { Dependence::Other }
                    }
                    Node::Binary(Binary::Divide, _, b) if of(b) == Dependence::None => most,
                    _ => Dependence::Other,
                };
            all.push(found);
        }
        all
    }

    /// Values of expressions of time and parameters.
    pub(crate) fn values_at(&self, t: f64, expressions: &[Id]) -> Vec<f64> {
        let value = |symbol: &Symbol| match symbol {
            Symbol::Time => Values::Uniform(t),
            Symbol::Parameter(k) => Values::Uniform(self.parameters[*k].value),
            _ => Values::Uniform(f64::NAN),
        };
        let variables: Vec<_> = self.symbols.iter().map(value).collect();
        evaluate::<f64>(&self.graph, expressions, &variables)
    }
}

/// Dependence of an expression on the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Dependence {
    /// Constants and parameters.
    None,
    Linear,
    /// Of a higher degree, or on other variables.
    Other,
}
