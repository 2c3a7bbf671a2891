//! What equations of fields do not have: delays, histories, noises but additive ones of their own,
//! and values at a point where a number of the whole field is needed.

use crate::equation::{Action, AppliedKind, Derivative, Process, Symbol};
use crate::graph::Id;
use crate::text::expression::{Leaf, Parser, StateDraft};
use crate::text::syntax::{ErrorKind, Parsed, problem};
use std::ops::Range;

impl Parser<'_> {
    /// Fields among the states, after refusing what equations of fields do not have.
    pub(super) fn check_fields(&self) -> Parsed<Range<usize>> {
        let fields = self.builder.coordinates.unwrap_or(0)
            ..self.draft.states.len() - self.draft.applied.len();
        if fields.is_empty() {
            return Err(problem(ErrorKind::Syntax, 0..0, "no equation of a field")
                .help("write one, such as `D^0.7 u = 0.1 lap(u)`"));
        }
        for state in &self.draft.states[fields.clone()] {
            self.check_field(state)?;
        }
        self.check_noises(&self.draft.states[fields.clone()])?;
        self.check_reductions(fields.clone())?;
        self.check_events()?;
        Ok(fields)
    }

    fn check_field(&self, state: &StateDraft) -> Parsed<()> {
        let at = state.at.clone();
        if let Some(at) = &state.lagged {
            return refuse(at.clone(), "delays");
        }
        if state.history.is_some() {
            return refuse(at, "histories");
        }
        if state.random.is_some() {
            return refuse(at, "random starts");
        }
        if state.definition.is_some_and(|definition| definition != Derivative::Caputo) {
            return refuse(at, "derivatives other than Caputo's");
        }
        Ok(())
    }

    /// Noises are white in space and time, each in one field, with a number as their factor.
    fn check_noises(&self, fields: &[StateDraft]) -> Parsed<()> {
        let mut known = vec![];
        for field in fields {
            for (k, term) in field.noise.iter().enumerate() {
                let at = field.at.clone();
                let noise = &self.draft.noises[term.noise];
                let name = &noise.name;
                let error = |what: String| problem(ErrorKind::Noise, at.clone(), what);
                if noise.process != Process::Brownian {
                    let what = format!("`d{name}` in the equation of a field is {}", noise.process);
                    return Err(error(what).help("fields have white noise in space and time"));
                }
                if k > 0 || known.contains(&term.noise) {
                    let what = match k {
                        0 => format!("`d{name}` in the equations of two fields"),
                        _ => format!("two noises in the equation of `{}`", field.name),
                    };
                    return Err(error(what).help("give each field one noise of its own"));
                }
                known.push(term.noise);
                let factor = format!("the factor of `d{name}` in the equation of a field");
                self.check_uniform(term.coefficient, at, &factor)?;
            }
        }
        match self.draft.correlations.first() {
            Some((_, at)) => refuse(at.clone(), "correlations of noises"),
            None => Ok(()),
        }
    }

    /// The largest and the smallest value of a field have no derivative that equations could use.
    fn check_reductions(&self, fields: Range<usize>) -> Parsed<()> {
        let first = fields.end;
        for (k, kind) in self.draft.applied.iter().enumerate() {
            let (AppliedKind::Largest | AppliedKind::Smallest) = kind else { continue };
            let leaf = Leaf::Symbol(Symbol::State(first + k));
            let drifts = self.draft.states[fields.clone()].iter().filter_map(|state| state.drift);
            let of_others = self.draft.states[first..].iter().filter_map(|state| state.drift);
            for root in drifts.chain(of_others) {
                if self.leaves(root).contains(&leaf) {
                    let name = &self.draft.states[first + k].name;
                    let what = format!("`{name}` in an equation or an operator");
                    let at = self.draft.states[first + k].at.clone();
                    return Err(problem(ErrorKind::Unsupported, at, what).help(
                        "events and shown quantities have it; equations `mean` and `integral`",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Events are those of numbers of whole fields.
    fn check_events(&self) -> Parsed<()> {
        for event in &self.draft.events {
            if let Some(name) = self.value_at_points(event.expression) {
                let what = format!("an event of `{name}`, which differs from point to point");
                return Err(problem(ErrorKind::Event, 0..0, what)
                    .help("write `max(u)`, `min(u)`, `mean(u)` or `integral(u)` in its place"));
            }
            let Action::Assign(assigned) = &event.action else { continue };
            if let Some((state, _)) = assigned.iter().find(|(state, _)| !self.is_field(*state)) {
                let name = &self.draft.states[*state].name;
                let what = format!("`{name}` is no field: only fields jump");
                return Err(problem(ErrorKind::Event, 0..0, what));
            }
        }
        Ok(())
    }

    fn is_field(&self, state: usize) -> bool {
        !self.builder.is_coordinate(state)
            && state < self.draft.states.len() - self.draft.applied.len()
    }

    /// Name of a field, a coordinate or an operator with a value at each point in an expression.
    fn value_at_points(&self, root: Id) -> Option<&str> {
        let first = self.draft.states.len() - self.draft.applied.len();
        let uniform =
            |state: usize| state >= first && self.draft.applied[state - first].is_reduction();
        self.leaves(root).into_iter().find_map(|leaf| match leaf {
            Leaf::Symbol(Symbol::State(state)) if !uniform(state) => {
                Some(self.draft.states[state].name.as_str())
            }
            _ => None,
        })
    }

    /// Variables below a node.
    fn leaves(&self, root: Id) -> Vec<Leaf> {
        let needed = self.builder.graph.needed(&[root]);
        let needed = (0..needed.len()).filter(|k| needed[*k]);
        needed.filter_map(|k| self.builder.as_leaf(Id::new(k))).collect()
    }
}

fn refuse<T>(at: Range<usize>, what: &str) -> Parsed<T> {
    let what = format!("{what} of fields do not exist yet");
    Err(problem(ErrorKind::Unsupported, at, what))
}
