use super::EquationModelError;
use super::coefficients::inputs;
use super::shared::SharedProgram;
use crate::StopEvent;
use hpfracc_equation::{Direction, Equation, Event, Execute};
use hpfracc_lanes::RowsMut;

/// Event of an equation, compiled for many paths at a time.
pub(super) fn stop_event<T: Execute>(
    equation: &Equation,
    event: &Event,
) -> Result<StopEvent<T>, EquationModelError> {
    let roots = [event.expression()];
    let g = SharedProgram::<T>::new(equation, equation.graph(), &roots, &inputs(equation))?;
    let stop = StopEvent::new(move |t, x, values: &mut [T]| {
        let lanes = values.len();
        g.run(t, x, RowsMut::new(values, lanes));
    });
    Ok(match event.direction() {
        Direction::Rising => stop.rising(),
        Direction::Falling => stop.falling(),
        Direction::Either => stop,
    })
}
