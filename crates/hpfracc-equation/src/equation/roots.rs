use super::{Action, Equation};
use crate::graph::Id;

impl Equation {
    /// All expressions, in a fixed order.
    pub fn roots(&self) -> Vec<Id> {
        let mut roots = self.ordered_roots();
        roots.extend(self.states.iter().flat_map(|state| &state.lower_orders));
        roots.extend(&self.delays);
        roots
    }

    /// Expressions whose order the text fixes: all but lower orders and delays.
    pub(crate) fn ordered_roots(&self) -> Vec<Id> {
        let mut roots = Vec::new();
        for state in &self.states {
            roots.push(state.order);
            roots.push(state.drift);
            roots.extend(state.noise.iter().map(|term| term.coefficient));
            roots.extend(state.initial.iter().flatten());
            roots.extend(state.random.iter().flat_map(|random| random.numbers));
            roots.extend(state.history);
        }
        roots.extend(self.definitions.iter().map(|definition| definition.value));
        roots.extend(self.nets.iter().flat_map(|net| net.inputs.iter().chain(&net.outputs)));
        roots.extend(self.noises.iter().flat_map(|noise| noise.process.expressions()));
        roots.extend(self.correlations.iter().map(|correlation| correlation.value));
        for event in &self.events {
            roots.push(event.expression);
            if let Action::Assign(assigned) = &event.action {
                roots.extend(assigned.iter().map(|(_, value)| value));
            }
        }
        roots.extend(self.shown.iter().map(|shown| shown.value));
        roots.extend(self.interval.into_iter().flatten());
        roots.extend(&self.of_orders);
        roots
    }

    /// Replaces every expression.
    pub(crate) fn map_roots(&mut self, mut map: impl FnMut(Id) -> Id) {
        let mut each = |id: &mut Id| *id = map(*id);
        for state in &mut self.states {
            each(&mut state.order);
            state.lower_orders.iter_mut().for_each(&mut each);
            each(&mut state.drift);
            state.noise.iter_mut().for_each(|term| each(&mut term.coefficient));
            state.initial.iter_mut().flatten().for_each(&mut each);
            let random = state.random.iter_mut().flat_map(|random| &mut random.numbers);
            random.for_each(&mut each);
            state.history.iter_mut().for_each(&mut each);
        }
        self.definitions.iter_mut().for_each(|definition| each(&mut definition.value));
        for net in &mut self.nets {
            net.inputs.iter_mut().chain(&mut net.outputs).for_each(&mut each);
        }
        self.delays.iter_mut().for_each(&mut each);
        self.correlations.iter_mut().for_each(|correlation| each(&mut correlation.value));
        for event in &mut self.events {
            each(&mut event.expression);
            if let Action::Assign(assigned) = &mut event.action {
                assigned.iter_mut().for_each(|(_, value)| each(value));
            }
        }
        self.shown.iter_mut().for_each(|shown| each(&mut shown.value));
        self.interval.iter_mut().flatten().for_each(&mut each);
        self.of_orders.iter_mut().for_each(&mut each);
        for noise in &mut self.noises {
            noise.process = noise.process.with_expressions(&mut map);
        }
    }
}
