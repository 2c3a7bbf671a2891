//! Events whose functions are functions of Python.

use super::calls::Calls;
use super::function::array;
use super::value::{self, Called};
use hpfracc::ode::Event;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Event, as the module `hpfracc.ode` writes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct EventRequest<'py> {
    function: Bound<'py, PyAny>,
    direction: f64,
    /// Number of hits after which the solve stops; none if it continues.
    terminal: Option<usize>,
    jump: Option<Bound<'py, PyAny>>,
}

/// Calls an event or jump: `function(t, y, *args)`.
fn call<'py>(
    function: &Bound<'py, PyAny>,
    t: f64,
    y: &[f64],
    shape: &[usize],
    args: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let y = array(function.py(), y, shape)?;
    if args.is_empty() {
        return function.call1((t, y));
    }
    let mut all = vec![t.into_pyobject(function.py())?.into_any(), y];
    all.extend(args.iter());
    function.call1(PyTuple::new(function.py(), all)?)
}

impl<'py> EventRequest<'py> {
    /// Observer of one solve, of the leading components that y has.
    pub(super) fn observer<'a>(
        &'a self,
        calls: &'a Calls,
        shape: &'a [usize],
        args: &'a Bound<'py, PyTuple>,
    ) -> Event<'a> {
        let dim = shape.iter().product::<usize>();
        let event = Event::new(move |t, y| {
            let mut out = [0.0];
            calls.run(&mut out, |out| {
                let value = call(&self.function, t, &y[..dim], shape, args)?;
                out[0] = value::number(&value, Called { function: "an event", t })?;
                Ok(())
            });
            out[0]
        });
        let event = match self.direction {
            direction if direction > 0.0 => event.rising(),
            direction if direction < 0.0 => event.falling(),
            _ => event,
        };
        let event = match self.terminal {
            Some(count) => event.stopping_after(count),
            None => event,
        };
        match &self.jump {
            Some(jump) => event.jumping(move |t, y| {
                let before = y[..dim].to_vec();
                calls.run(&mut y[..dim], |out| {
                    let value = call(jump, t, &before, shape, args)?;
                    value::write(&value, &[shape], Called { function: "a jump", t }, out)
                });
            }),
            None => event,
        }
    }
}
