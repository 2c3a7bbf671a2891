//! The operator that a command line asks for.

use crate::output::shortest;
use crate::{Error, Record, Series, parameters};
use hpfracc::operators::{Definition, Operator, catalogue, named};
use hpfracc::types::Order;
use std::sync::Arc;

/// The parameter that is the time of the first sample.
const START: &str = "start";

/// What was typed, found to be an operator.
pub(crate) struct Asked<'a> {
    name: &'a str,
    scheme: Option<&'a str>,
    order: Order,
    given: Vec<(&'a str, f64)>,
    /// The definition's parameter [`START`] is left to the record.
    wants_start: bool,
}

/// An operator with what it is called.
pub(crate) struct Chosen {
    pub(crate) operator: Arc<dyn Operator>,
    /// All parameters of the definition with their values.
    values: Vec<(&'static str, f64)>,
}

impl<'a> Asked<'a> {
    /// Refuses whatever can be refused without a record.
    pub(crate) fn new(
        name: &'a str,
        scheme: Option<&'a str>,
        alpha: f64,
        typed: &'a [String],
    ) -> Result<Self, Error> {
        let order = Order::new(alpha).map_err(Error::Alpha)?;
        let given = parameters::parse(typed)?;
        let start = definition(name)
            .and_then(|definition| definition.parameters.iter().find(|p| p.name == START))
            .filter(|_| given.iter().all(|(name, _)| *name != START));
        let asked = Self { name, scheme, order, given, wants_start: start.is_some() };
        asked.at(start.map(|parameter| parameter.example))?;
        Ok(asked)
    }

    /// The operator for a series; its first time is the parameter `start` if that is wanted and not
    /// given. The days of a calendar have no origin, and times are not counted in the unit of --dt.
    pub(crate) fn on(
        &self,
        record: &Record,
        series: &Series,
        dt: Option<f64>,
    ) -> Result<Chosen, Error> {
        let from_times = self.wants_start && dt.is_none() && !series.clock.is_date();
        let start = series.times.first().copied().filter(|_| from_times);
        self.at(start).map_err(|error| match (error, start) {
            (Error::Operator(source), Some(_)) => Error::start(record, series, source),
            (error, _) => error,
        })
    }

    fn at(&self, start: Option<f64>) -> Result<Chosen, Error> {
        let mut given = self.given.clone();
        given.extend(start.map(|start| (START, start)));
        let operator = named(self.name, self.scheme, self.order, &given)?;
        let value = |name: &str, default: Option<f64>| {
            given.iter().find(|(given, _)| *given == name).map(|(_, value)| *value).or(default)
        };
        let parameters = definition(self.name).map_or(&[][..], |d| d.parameters);
        let values = parameters.iter().filter_map(|p| Some((p.name, value(p.name, p.default)?)));
        Ok(Chosen { operator, values: values.collect() })
    }
}

impl Chosen {
    /// The name of a column: `caputo_l1_0.5(x)`, or with parameters `tempered_l1_0.5_lambda=2(x)`.
    pub(crate) fn column(&self, input: &str) -> String {
        let (name, scheme) = self.operator.name();
        let order = shortest(self.operator.order().value());
        let values: String = self
            .values
            .iter()
            .map(|(name, value)| format!("_{name}={}", shortest(*value)))
            .collect();
        format!("{name}_{scheme}_{order}{values}({input})")
    }

    /// The same in a sentence.
    pub(crate) fn title(&self) -> String {
        let (name, scheme) = self.operator.name();
        let order = shortest(self.operator.order().value());
        let values: String = self
            .values
            .iter()
            .map(|(name, value)| format!(", {name} = {}", shortest(*value)))
            .collect();
        format!("{name}, scheme {scheme}, order {order}{values}")
    }
}

fn definition(name: &str) -> Option<&'static Definition> {
    catalogue().map(|entry| entry.definition).find(|definition| definition.name == name)
}
