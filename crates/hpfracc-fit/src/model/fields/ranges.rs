//! Parameters of an equation of fields with their ranges, and where a search for their starts begins.

use crate::model::declared::{Declared, Grid};
use hpfracc_equation::{
    FieldEquation, FieldVariables, Graph, Id, Node, Orders, SpatialOperation, Values, evaluate,
    structure,
};
use hpfracc_spatial::BoxGrid;

/// Order and exponent where they have no value yet.
const UNKNOWN: f64 = 0.75;
/// Largest exponent of a Laplacian.
const LARGEST_EXPONENT: f64 = 2.0;

/// Parameters of an equation: those that are orders, exponents or coefficients of linear parts have
/// the range in which these make sense, unless the text has one.
pub(super) fn all(text: &FieldEquation, grid: &BoxGrid, until: f64) -> Vec<Declared> {
    let ranges = Ranges::new(text, grid, until);
    (0..text.parameters().len()).map(|k| ranges.of(k)).collect()
}

struct Ranges<'t> {
    text: &'t FieldEquation,
    variables: FieldVariables,
    graph: Graph,
    /// Coefficients of linear parts, with the size of one that acts in the time and on the box.
    coefficients: Vec<(Id, f64)>,
}

impl<'t> Ranges<'t> {
    fn new(text: &'t FieldEquation, grid: &BoxGrid, until: f64) -> Self {
        let (mut graph, variables) = (text.graph().clone(), text.variables());
        let applied = text.applied();
        let length = grid.axes().iter().map(|axis| axis.ends()[1] - axis.ends()[0]);
        let length = length.fold(f64::INFINITY, f64::min);
        let known = |id: Id| Some(text.values(&[id])[0]).filter(|value| value.is_finite());
        let mut coefficients = vec![];
        for (state, own) in text.fields().iter().zip(&variables.fields) {
            let Ok(linear) = structure::coefficients(&mut graph, state.drift(), &variables.applied)
            else {
                continue;
            };
            let order = known(state.order()).unwrap_or(UNKNOWN);
            for (k, id) in linear.coefficients.iter().enumerate() {
                let of_own = graph.node(applied[k].of) == Node::Variable(*own);
                let SpatialOperation::Laplacian { exponent } = applied[k].operation else {
                    continue;
                };
                let exponent = known(exponent).unwrap_or(UNKNOWN);
                let size = length.powf(2.0 * exponent) / until.powf(order);
                if of_own {
                    coefficients.push((*id, size));
                }
            }
        }
        Self { text, variables, graph, coefficients }
    }

    fn of(&self, k: usize) -> Declared {
        let parameter = &self.text.parameters()[k];
        let mut declared = crate::model::formula::declared(parameter);
        let free = parameter.range().is_none();
        let mut graph = self.graph.clone();
        let itself = graph.variable(self.variables.parameters[k]);
        for state in self.text.fields().iter().filter(|state| state.order() == itself && free) {
            let given = state.initial().iter().take_while(|row| row.is_some()).count();
            let rows = given.max(1) as f64;
            let above_one = rows > 1.0 && parameter.value() > 1.0;
            declared.lower = declared.lower.max(f64::from(u8::from(above_one)).next_up());
            declared.upper = declared.upper.min(if rows > 1.0 { 2f64.next_down() } else { 1.0 });
        }
        for field in 0..self.text.fields().len() {
            for term in self.text.time_derivative(field).iter().filter(|_| free) {
                if term.weight == itself {
                    declared.lower = declared.lower.max(0f64.next_up());
                }
                let lower = term.orders == Orders::Single(itself);
                if lower && self.text.fields()[field].order() != itself {
                    declared.lower = declared.lower.max(0f64.next_up());
                    declared.upper = declared.upper.min(1.0);
                }
            }
        }
        for applied in self.text.applied().iter().filter(|_| free) {
            if applied.operation == (SpatialOperation::Laplacian { exponent: itself }) {
                declared.lower = declared.lower.max(0f64.next_up());
                declared.upper = declared.upper.min(LARGEST_EXPONENT);
            }
        }
        for (id, size) in &self.coefficients {
            let Some(sign) = self.sign(*id, k) else { continue };
            if free && sign > 0.0 {
                declared.lower = declared.lower.max(0f64.next_up());
            } else if free {
                declared.upper = declared.upper.min(0f64.next_down());
            }
            // Lengths of diffusion from a hundredth of the box to all of it.
            let decades = (-4..=0).map(|decade| sign * size * 10f64.powi(decade));
            declared.grid = Some(Grid::Values(decades.collect()));
        }
        declared
    }

    /// The sign of a parameter with which a coefficient is positive, if it is 0 with the parameter
    /// and changes its sign there.
    fn sign(&self, coefficient: Id, k: usize) -> Option<f64> {
        let at = |value: f64| self.value(coefficient, (k, value));
        let (above, zero, below) = (at(1.0), at(0.0), at(-1.0));
        match (zero == 0.0, above > 0.0 && below < 0.0, above < 0.0 && below > 0.0) {
            (true, true, _) => Some(1.0),
            (true, _, true) => Some(-1.0),
            _ => None,
        }
    }

    /// Value of an expression of parameters, one of which has another value; NaN for other expressions.
    fn value(&self, id: Id, (k, value): (usize, f64)) -> f64 {
        let of = |number: u32| {
            let place = self.variables.parameters.iter().position(|known| *known == number);
            place.map_or(f64::NAN, |place| match self.text.parameters()[place].value() {
                _ if place == k => value,
                known if known.is_finite() => known,
                _ => 1.0,
            })
        };
        let FieldVariables { coordinates, fields, applied, parameters } = &self.variables;
        let all = coordinates.iter().chain(fields).chain(applied).chain(parameters);
        let count = all.max().map_or(0, |last| last + 1);
        let inputs: Vec<_> = (0..count).map(|number| Values::Uniform(of(number))).collect();
        evaluate::<f64>(&self.graph, &[id], &inputs)[0]
    }
}
