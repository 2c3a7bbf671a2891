//! Parts of an equation while its text is read.

use crate::equation::{
    AppliedKind, Correlation, Derivative, Event, Named, NoiseTerm, Parameter, Process, RandomStart,
    TableSource,
};
use crate::graph::{Id, ShortKeys};
use crate::network::Activation;
use crate::text::syntax::NameId;
use std::collections::HashMap;
use std::ops::Range;

/// Component of a vector statement that is being read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Component {
    pub(crate) index: usize,
    pub(crate) count: usize,
}

/// Component of the state.
#[derive(Debug, Default)]
pub(crate) struct StateDraft {
    pub(crate) name: String,
    /// Left side of its equation.
    pub(crate) at: Range<usize>,
    pub(crate) definition: Option<Derivative>,
    /// Orders of all derivatives that occur.
    pub(crate) orders: Vec<Id>,
    /// Highest order.
    pub(crate) order: Option<Id>,
    /// The derivative of this order that its equation is solved for.
    pub(crate) highest: Option<Id>,
    pub(crate) drift: Option<Id>,
    pub(crate) noise: Vec<NoiseTerm>,
    /// Initial values: which derivative, value, place.
    pub(crate) initial: Vec<(usize, Id, Range<usize>)>,
    /// Random value at the start, which is among the initial values, too.
    pub(crate) random: Option<RandomStart>,
    pub(crate) history: Option<History>,
    pub(crate) differential: bool,
    /// First place where it is lagged.
    pub(crate) lagged: Option<Range<usize>>,
}

impl StateDraft {
    /// What is no state of the system but has a name, such as a coordinate: an equation of order 1
    /// with a right-hand side and an initial value.
    pub(crate) fn fixed(name: String, [order, drift, initial]: [Id; 3], at: Range<usize>) -> Self {
        Self {
            name,
            at: at.clone(),
            order: Some(order),
            drift: Some(drift),
            initial: vec![(0, initial, at)],
            ..Self::default()
        }
    }
}

/// `y(t) = value for t < t0`
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) value: Id,
    /// Whether t0 belongs to it.
    pub(crate) closed: bool,
    pub(crate) at: Range<usize>,
}

/// Parameter or auxiliary quantity.
#[derive(Debug, Default)]
pub(crate) struct DefinitionDraft {
    pub(crate) name: NameId,
    pub(crate) name_at: Range<usize>,
    /// First token of its expression.
    pub(crate) first: usize,
    /// Component of a vector.
    pub(crate) component: Option<Component>,
    pub(crate) value: Option<Id>,
    /// The parameter that it is.
    pub(crate) parameter: Option<Parameter>,
    /// The network of which it is an output.
    pub(crate) net: Option<usize>,
}

/// Network.
#[derive(Debug)]
pub(crate) struct NetDraft {
    pub(crate) name: String,
    /// Inputs and layers.
    pub(crate) at: Range<usize>,
    /// Name of the file with its quotation marks.
    pub(crate) file: Range<usize>,
    pub(crate) layers: Vec<(usize, Activation)>,
    /// Definitions that are its outputs.
    pub(crate) definitions: Range<usize>,
    pub(crate) inputs: Vec<Id>,
}

/// Noise.
#[derive(Debug)]
pub(crate) struct NoiseDraft {
    pub(crate) name: String,
    pub(crate) process: Process,
    /// Whether its components are used in place of it.
    pub(crate) vector: bool,
}

/// Table of data.
#[derive(Debug, Default)]
pub(crate) struct TableDraft {
    pub(crate) name: String,
    /// Number of its data in the graph.
    pub(crate) number: u32,
    pub(crate) source: Option<TableSource>,
}

/// Derivative that occurs in the text.
#[derive(Debug, Clone)]
pub(crate) struct DerivativeUse {
    pub(crate) state: usize,
    pub(crate) order: Id,
    pub(crate) leaf: Id,
    pub(crate) at: Range<usize>,
}

/// `int(density D^a u, a in [from, to])`; the variable a is that of time in the density.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DistributedOrder {
    pub(crate) leaf: Id,
    pub(crate) density: Id,
    pub(crate) ends: [Id; 2],
}

/// All parts.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) states: Vec<StateDraft>,
    pub(crate) definitions: Vec<DefinitionDraft>,
    pub(crate) nets: Vec<NetDraft>,
    pub(crate) delays: Vec<Id>,
    delay_numbers: HashMap<Id, usize, ShortKeys>,
    terms: HashMap<(usize, Id), usize, ShortKeys>,
    pub(crate) derivatives: Vec<DerivativeUse>,
    pub(crate) noises: Vec<NoiseDraft>,
    pub(crate) correlations: Vec<(Correlation, Range<usize>)>,
    pub(crate) events: Vec<Event>,
    pub(crate) shown: Vec<Named>,
    pub(crate) interval: Option<([Id; 2], Range<usize>)>,
    pub(crate) tables: Vec<TableDraft>,
    /// Operators in space, whose states follow those of the equations.
    pub(crate) applied: Vec<AppliedKind>,
    /// Derivatives of distributed order.
    pub(crate) distributed: Vec<DistributedOrder>,
    /// Expressions of the derivatives in time of fields.
    pub(crate) of_orders: Vec<Id>,
}

impl Draft {
    /// Index of a delay.
    pub(crate) fn delay(&mut self, delay: Id) -> usize {
        let next = self.delays.len();
        let index = *self.delay_numbers.entry(delay).or_insert(next);
        if index == next {
            self.delays.push(delay);
        }
        index
    }

    /// Index of a derivative of a state that is none of one order, such as one of distributed order.
    pub(crate) fn own_term(&mut self, state: usize, order: Id) -> usize {
        let orders = &mut self.states[state].orders;
        orders.push(order);
        orders.len() - 1
    }

    /// Index of the derivative of a state of an order.
    pub(crate) fn term(&mut self, state: usize, order: Id) -> usize {
        let orders = &mut self.states[state].orders;
        let term = *self.terms.entry((state, order)).or_insert(orders.len());
        if term == orders.len() {
            orders.push(order);
        }
        term
    }
}
