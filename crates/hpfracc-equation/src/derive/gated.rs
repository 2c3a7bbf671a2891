use super::tidy::Tidy;
use crate::graph::{Graph, Id};

/// Derivative behind a condition: `value` where the gate is not 0, and 0 elsewhere, whatever `value`
/// is there.
///
/// A branch that is not taken has no part in a derivative. Its value may be infinite or NaN (`ln(x)` in
/// `if(x > 0, ln(x), 0)`), and 0 times that is not 0: gates therefore stay outside of all products and
/// are applied last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gated {
    /// Condition; none where the value counts everywhere.
    pub(crate) gate: Option<Id>,
    pub(crate) value: Id,
}

impl Gated {
    pub(crate) fn everywhere(value: Id) -> Self {
        Self { gate: None, value }
    }

    /// Value with the gate applied.
    pub(crate) fn open(self, graph: &mut Graph) -> Id {
        let mut tidy = Tidy::new(graph);
        match self.gate {
            None => self.value,
            Some(gate) => {
                let zero = tidy.constant(0.0);
                tidy.select(gate, self.value, zero)
            }
        }
    }

    /// `self + other`
    pub(crate) fn plus(self, other: Self, graph: &mut Graph) -> Self {
        if self.gate == other.gate {
            let value = Tidy::new(graph).sum(self.value, other.value);
            return Self { gate: self.gate, value };
        }
        let (a, b) = (self.open(graph), other.open(graph));
        let value = Tidy::new(graph).sum(a, b);
        let gate = match (self.gate, other.gate) {
            (Some(a), Some(b)) => {
                let one = graph.constant(1.0);
                Some(Tidy::new(graph).select(a, one, b))
            }
            _ => None,
        };
        Self { gate, value }
    }

    /// The same where the condition holds (`then`), or where it does not.
    pub(crate) fn behind(self, condition: Id, then: bool, graph: &mut Graph) -> Self {
        let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
        let gate = self.gate.unwrap_or(one);
        let (a, b) = if then { (gate, zero) } else { (zero, gate) };
        Self { gate: Some(both(condition, a, b, graph)), value: self.value }
    }
}

/// `if condition { a } else { b }` of two derivatives, where none is 0.
pub(crate) fn branch(
    condition: Id,
    a: Option<Gated>,
    b: Option<Gated>,
    graph: &mut Graph,
) -> Option<Gated> {
    let (Some(first), Some(second)) = (a, b) else {
        return match (a, b) {
            (Some(a), _) => Some(a.behind(condition, true, graph)),
            (_, Some(b)) => Some(b.behind(condition, false, graph)),
            _ => None,
        };
    };
    let value = Tidy::new(graph).select(condition, first.value, second.value);
    let one = graph.constant(1.0);
    let gate = match (first.gate, second.gate) {
        (None, None) => None,
        (a, b) => Some(both(condition, a.unwrap_or(one), b.unwrap_or(one), graph)),
    };
    Some(Gated { gate, value })
}

/// List of derivatives, 0 where there is none, behind the gate of all; `None` if there is none at all.
pub(crate) fn list(derivatives: &[Option<Gated>], graph: &mut Graph) -> Option<Gated> {
    let gate = derivatives.iter().flatten().next()?.gate;
    let same = derivatives.iter().flatten().all(|other| other.gate == gate);
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    let mut elements = Vec::with_capacity(derivatives.len());
    for derivative in derivatives {
        elements.push(match derivative {
            None => zero,
            Some(derivative) if same => derivative.value,
            Some(derivative) => derivative.open(graph),
        });
    }
    let mut total = gate;
    for other in derivatives.iter().flatten().filter(|_| !same) {
        total = match (total, other.gate) {
            (Some(a), Some(b)) if a != b => Some(Tidy::new(graph).select(a, one, b)),
            (Some(a), Some(_)) => Some(a),
            _ => None,
        };
    }
    Some(Gated { gate: total, value: graph.list(&elements) })
}

/// Derivative as a node: 0 where there is none.
pub(crate) fn opened(graph: &mut Graph, derivative: Option<Gated>) -> Id {
    match derivative {
        Some(derivative) => derivative.open(graph),
        None => graph.constant(0.0),
    }
}

/// Condition that is a where the condition holds, and b elsewhere.
fn both(condition: Id, a: Id, b: Id, graph: &mut Graph) -> Id {
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    if b == zero && (a == one || a == condition) {
        condition
    } else {
        Tidy::new(graph).select(condition, a, b)
    }
}
