//! Derivatives in time of fields: one, several and distributed orders, and an order that varies.

use crate::equation::{OrderKind, OrderPlace};
use crate::graph::Id;
use crate::text::expression::{DerivativeUse, Parser, Uses, coefficient, without};
use crate::text::syntax::{ErrorKind, Parsed, Problem, problem};
use std::ops::Range;

impl Parser<'_> {
    /// Takes the lower derivatives out of the right-hand sides of fields. Returns for each field its
    /// derivatives, whose expressions become those of the draft.
    pub(super) fn take_orders(&mut self, fields: Range<usize>) -> Parsed<Vec<Vec<OrderPlace>>> {
        let lower = std::mem::take(&mut self.draft.derivatives);
        if let Some(other) = lower.iter().find(|derivative| !fields.contains(&derivative.state)) {
            let name = &self.draft.states[other.state].name;
            let what = format!("a derivative in time of `{name}`, which is no field");
            return Err(problem(ErrorKind::Order, other.at.clone(), what));
        }
        let mut taken = vec![];
        let orders: Parsed<Vec<_>> =
            fields.map(|field| self.orders_of_field(field, &lower, &mut taken)).collect();
        match lower.into_iter().find(|derivative| !taken.contains(&derivative.leaf)) {
            Some(other) if orders.is_ok() => {
                let what = "a derivative in time outside of the equations of fields";
                Err(problem(ErrorKind::Unsupported, other.at, what))
            }
            _ => orders,
        }
    }

    fn orders_of_field(
        &mut self,
        field: usize,
        lower: &[DerivativeUse],
        taken: &mut Vec<Id>,
    ) -> Parsed<Vec<OrderPlace>> {
        let zero = self.builder.constant(0.0);
        let (one, order) = (self.builder.constant(1.0), self.draft.states[field].order);
        let highest = self.draft.states[field].highest;
        let mut places = vec![self.order_place(one, order.unwrap_or(one), highest)];
        for derivative in lower {
            let drift = self.draft.states[field].drift.unwrap_or(zero);
            if !self.depends(drift, derivative.leaf) {
                continue;
            }
            taken.push(derivative.leaf);
            if derivative.state != field {
                return Err(self.of_other_field(field, derivative));
            }
            self.check_lower(field, derivative)?;
            let (weight, rest) = self.weight_and_rest(drift, derivative)?;
            self.draft.states[field].drift = Some(rest);
            places.push(self.order_place(weight, derivative.order, Some(derivative.leaf)));
        }
        let varies = |place: &OrderPlace| place.kind == OrderKind::Variable;
        if places.len() > 1 && places.iter().any(varies) {
            let at = self.draft.states[field].at.clone();
            let what = "an order that depends on time next to other derivatives in time";
            return Err(problem(ErrorKind::Order, at, what)
                .help("several derivatives have orders of numbers and parameters"));
        }
        if places.iter().any(varies) {
            // Variable orders are at most 1.
            self.draft.states[field].order = Some(one);
        }
        Ok(places)
    }

    /// The number of initial values is that of the order on the left.
    fn check_lower(&self, field: usize, derivative: &DerivativeUse) -> Parsed<()> {
        let state = &self.draft.states[field];
        let value = |order: Id| self.builder.facts(order).value;
        let (found, highest) = (value(derivative.order), state.order.map_or(f64::NAN, value));
        if found > highest {
            let name = &state.name;
            let what = format!("order {found} of `{name}`, whose equation is for order {highest}");
            return Err(problem(ErrorKind::Order, derivative.at.clone(), what)
                .help("write the highest derivative on the left side"));
        }
        Ok(())
    }

    /// Whether a node needs another.
    fn depends(&self, root: Id, on: Id) -> bool {
        self.builder.graph.needed(&[root])[on.index()]
    }

    fn of_other_field(&self, field: usize, derivative: &DerivativeUse) -> Box<Problem> {
        let name = |state: usize| &self.draft.states[state].name;
        let (own, other) = (name(field), name(derivative.state));
        let what = format!("a derivative in time of `{other}` in the equation of `{own}`");
        problem(ErrorKind::Unsupported, derivative.at.clone(), what)
            .help(format!("write the right-hand side of `{other}` in place of it"))
    }

    /// Positive weight of a derivative on the left side, and the right-hand side without it.
    fn weight_and_rest(&mut self, drift: Id, derivative: &DerivativeUse) -> Parsed<(Id, Id)> {
        let at = &derivative.at;
        let factor = coefficient(&mut self.builder, drift, derivative.leaf, Uses::DERIVATIVE, at);
        let Ok(factor) = factor else {
            let what = "a derivative in time in a nonlinear place";
            return Err(problem(ErrorKind::Order, at.clone(), what)
                .help("multiply it by numbers and parameters only"));
        };
        let factor = factor.node(&mut self.builder);
        let weight = self.builder.negated(factor, at.clone())?;
        self.check_uniform(weight, at.clone(), "the weight of a derivative in time")?;
        let value = self.builder.facts(weight).value;
        if value <= 0.0 {
            let what = format!("the weight of a derivative in time is {value}");
            return Err(problem(ErrorKind::Order, at.clone(), what)
                .help("expected a positive number on the left side, such as `D u + 0.5 D^0.3 u`"));
        }
        let is_leaf = |_: &_, id: Id| id == derivative.leaf;
        let rest = without(&mut self.builder, drift, is_leaf, Uses::DERIVATIVE, at)?;
        Ok((weight, rest.node(&mut self.builder)))
    }

    fn order_place(&mut self, weight: Id, order: Id, leaf: Option<Id>) -> OrderPlace {
        let first = self.draft.of_orders.len();
        let mut distributed = self.draft.distributed.iter();
        let found = distributed.find(|distributed| Some(distributed.leaf) == leaf);
        let (kind, expressions) = match found {
            Some(found) => {
                let [from, to] = found.ends;
                (OrderKind::Distributed, vec![weight, found.density, from, to])
            }
            None if self.builder.facts(order).uses.any(Uses::TIME) => {
                (OrderKind::Variable, vec![weight, order])
            }
            None => (OrderKind::Single, vec![weight, order]),
        };
        self.draft.of_orders.extend(expressions);
        OrderPlace { kind, first }
    }
}
