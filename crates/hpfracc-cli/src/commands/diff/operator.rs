//! Operator of a command line.

use crate::Error;
use crate::commands::operators::operator_name::{self, OperatorName};
use crate::error::CellPosition;
use crate::input::time_axis::label;
use crate::input::{CsvTable, Series, TimeFormat, named_values};
use hpfracc::operators::{
    Definition, Entry, MeshMemory, Operator, OperatorError, catalogue, named,
};
use hpfracc::types::shortest;
use hpfracc::types::{Mesh, Order};
use std::sync::Arc;

/// Name of the parameter that is the time of the first sample.
const START: &str = "start";

/// Checked operator of a command line, before the data are known.
pub(crate) struct OperatorChoice<'a> {
    name: &'a str,
    scheme: Option<&'a str>,
    order: Order,
    parameters: Vec<(&'a str, f64)>,
    /// Whether the parameter [`START`] is taken from the time column.
    start_from_data: bool,
    /// Operator with these parameters, and an example value of an unset `start`.
    operator: Arc<dyn Operator>,
}

/// First time of a table as the `start` of an operator. Dates have no origin, and --dt changes the
/// time unit: neither provides one.
#[derive(Debug)]
pub(crate) struct FirstTime {
    pub(crate) time: f64,
    pub(crate) place: Box<CellPosition>,
}

impl FirstTime {
    pub(crate) fn of<P>(table: &CsvTable, series: &Series<P>, dt: Option<f64>) -> Option<Self> {
        if dt.is_some() || series.time_format != TimeFormat::Number {
            return None;
        }
        let column = table.column(&series.time_name).ok()?;
        let is_first =
            |row: &usize| label(&table.cell(*row, column), table.format()) == series.labels[0];
        let row = (0..table.rows()).find(is_first)?;
        Some(Self { time: *series.times.first()?, place: table.place(row, column) })
    }
}

/// Operator with the labels of its parameters.
pub(crate) struct ConfiguredOperator {
    pub(crate) operator: Arc<dyn Operator>,
    /// Order on the command line; that of the operator is the highest of several.
    alpha: f64,
    /// Parameters of the definition with their values.
    values: Vec<(&'static str, f64)>,
}

impl<'a> OperatorChoice<'a> {
    /// Checks names, order and parameters without data.
    pub(crate) fn new(
        name: &'a str,
        scheme: Option<&'a str>,
        alpha: f64,
        typed: &'a [String],
    ) -> Result<Self, Error> {
        let order = Order::new(alpha).map_err(Error::Alpha)?;
        let mut parameters = named_values::parse(typed)?;
        let OperatorName { definition: name, scheme, alpha: of_name, parameters: named_parameters } =
            operator_name::parse(name, scheme);
        if let Some(of_name) = of_name.filter(|of_name| *of_name != alpha) {
            return Err(Error::OtherOrder { operator: name.to_owned(), of_name, alpha });
        }
        operator_name::add(&mut parameters, &named_parameters);
        let start = definition(name)
            .and_then(|definition| definition.parameters.iter().find(|p| p.name == START))
            .filter(|_| parameters.iter().all(|(name, _)| *name != START));
        let example = start.map(|parameter| parameter.example);
        let operator = chosen(name, scheme, order, &parameters, example)?.operator;
        Ok(Self { name, scheme, order, parameters, start_from_data: start.is_some(), operator })
    }

    /// Whether the scheme supports non-uniform meshes.
    pub(crate) fn supports_meshes(&self) -> bool {
        supports_meshes(self.operator.as_ref())
    }

    /// Error for non-uniform times, with the schemes that support them.
    pub(crate) fn needs_grid(&self, source: Error) -> Error {
        let able = catalogue().filter(|entry| {
            let order = entry.range.examples.first().and_then(|alpha| Order::new(*alpha).ok());
            let example = order.and_then(|order| entry.example(order).ok());
            example.is_some_and(|operator| supports_meshes(operator.as_ref()))
        });
        let able: Vec<&Entry> = able.collect();
        let (operator, scheme) = self.operator.name();
        // Schemes of the same operator; without any, other operators.
        let own = able.iter().filter(|entry| entry.definition.name == operator);
        let mut known: Vec<String> = own.map(|entry| entry.name()).collect();
        if known.is_empty() {
            known = able.iter().map(|entry| entry.definition.name.to_owned()).collect();
            known.dedup();
        }
        if known.is_empty() {
            return source;
        }
        let known = known.join(", ");
        Error::NeedsGrid { source: Box::new(source), operator, scheme, known }
    }

    /// Operator for data with this first time, which sets an unset parameter `start`.
    pub(crate) fn on(&self, first: Option<&FirstTime>) -> Result<ConfiguredOperator, Error> {
        let first = first.filter(|_| self.start_from_data);
        let start = first.map(|first| first.time);
        let Self { name, scheme, order, parameters, .. } = self;
        chosen(name, *scheme, *order, parameters, start).map_err(|error| match (error, first) {
            (Error::Operator(source), Some(FirstTime { place, .. })) => {
                Error::Start { place: place.clone(), source: Box::new(source) }
            }
            (error, _) => error,
        })
    }
}

/// Operator with these names and parameters.
fn chosen(
    name: &str,
    scheme: Option<&str>,
    order: Order,
    parameters: &[(&str, f64)],
    start: Option<f64>,
) -> Result<ConfiguredOperator, Error> {
    let mut parameters = parameters.to_vec();
    parameters.extend(start.map(|start| (START, start)));
    let operator = named(name, scheme, order, &parameters)?;
    let value = |name: &str, default: Option<f64>| {
        parameters.iter().find(|(other, _)| *other == name).map(|(_, value)| *value).or(default)
    };
    let defined = definition(name).map_or(&[][..], |d| d.parameters);
    let values = defined.iter().filter_map(|p| Some((p.name, value(p.name, p.default)?)));
    Ok(ConfiguredOperator { operator, alpha: order.value(), values: values.collect() })
}

fn supports_meshes(operator: &dyn Operator) -> bool {
    let points = (0..16).map(|j| 1.0 + f64::from(j * j)).collect();
    let mesh = Mesh::new(points).expect("one and the squares increase");
    !matches!(
        operator.mesh_weights(&mesh, MeshMemory::default()),
        Err(OperatorError::UniformOnly { .. })
    )
}

impl ConfiguredOperator {
    /// Parameter `start`, where the operator has one.
    pub(crate) fn start(&self) -> Option<f64> {
        self.values.iter().find(|(name, _)| *name == START).map(|(_, value)| *value)
    }

    /// Name of the result column: `caputo_l1_0.5(x)`, or with parameters
    /// `tempered_l1_0.5_lambda=2(x)`.
    pub(crate) fn column(&self, input: &str) -> String {
        let ((name, scheme), order) = (self.operator.name(), shortest(self.alpha));
        format!("{name}_{scheme}_{order}{}({input})", self.labelled("_", "="))
    }

    /// Title for pictures.
    pub(crate) fn title(&self) -> String {
        let ((name, scheme), order) = (self.operator.name(), shortest(self.alpha));
        format!("{name}, scheme {scheme}, order {order}{}", self.labelled(", ", " = "))
    }

    fn labelled(&self, before: &str, between: &str) -> String {
        let values = self.values.iter();
        values.map(|(name, value)| format!("{before}{name}{between}{}", shortest(*value))).collect()
    }
}

fn definition(name: &str) -> Option<&'static Definition> {
    catalogue().map(|entry| entry.definition).find(|definition| definition.name == name)
}
