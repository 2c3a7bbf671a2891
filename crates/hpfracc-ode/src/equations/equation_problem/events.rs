use super::EquationProblemError;
use super::delayed::Expressions;
use super::layout::Layout;
use crate::Event;
use hpfracc_equation::{Action, Direction, Equation, Id};

/// Event of an equation, compiled.
pub(super) struct EquationEvent {
    expression: Expressions,
    direction: Direction,
    /// States with their new values; `None`: the solve stops.
    assigned: Option<Box<(Vec<usize>, Expressions)>>,
}

impl EquationEvent {
    /// Events of an equation.
    pub(super) fn all(
        equation: &Equation,
        layout: &Layout,
    ) -> Result<Vec<Self>, EquationProblemError> {
        let event = |event: &hpfracc_equation::Event| {
            let expression = Expressions::new(equation, &[event.expression()], layout)?;
            let assigned = match event.action() {
                Action::Stop => None,
                Action::Assign(assigned) => {
                    refuse_lower_derivatives(equation, layout)?;
                    let (states, roots): (Vec<usize>, Vec<Id>) = assigned.iter().copied().unzip();
                    Some(Box::new((states, Expressions::new(equation, &roots, layout)?)))
                }
            };
            Ok(Self { expression, direction: event.direction(), assigned })
        };
        equation.events().iter().map(event).collect()
    }

    /// Observer of one solve.
    pub(super) fn observer<'a>(&'a self, layout: &'a Layout) -> Event<'a> {
        let mut path = vec![0.0; layout.dim()];
        let located = Event::new(move |t, y| {
            path.copy_from_slice(y);
            layout.add_starts(t, &mut path);
            let mut value = [0.0];
            self.expression.evaluate(t, &path, &mut value);
            value[0]
        });
        let located = match self.direction {
            Direction::Rising => located.rising(),
            Direction::Falling => located.falling(),
            Direction::Either => located,
        };
        match self.assigned.as_deref() {
            None => located.stopping(),
            Some((states, expressions)) => {
                let mut values = vec![0.0; states.len()];
                located.jumping(move |t, y| {
                    expressions.evaluate(t, y, &mut values);
                    states.iter().zip(&values).for_each(|(state, value)| y[*state] = *value);
                })
            }
        }
    }
}

/// Refuses jumps beside lower derivatives, which would jump too.
fn refuse_lower_derivatives(
    equation: &Equation,
    layout: &Layout,
) -> Result<(), EquationProblemError> {
    let Some(&state) = layout.state_of.get(layout.states) else { return Ok(()) };
    let state = equation.states()[state].name().to_owned();
    let (definition, what) = ("lower", "jumps at events");
    Err(EquationProblemError::Unsupported { state, definition, what })
}
