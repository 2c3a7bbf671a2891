use super::separable::{jointly_linear, vanishes};
use super::{Bound, Declared, Model, Separable};
use crate::FitError;
use hpfracc_equation::{Arch, Formula, Graph, Id, Input, Program, Rows, RowsMut, Simplify, derive};

/// Model of a formula, with derivatives of its graph.
///
/// ```
/// use hpfracc_fit::{FormulaModel, Model};
/// use hpfracc_equation::Formula;
///
/// let formula = Formula::parse("y = a exp(-t/tau); tau = 2 in (0, inf)", &["t", "y"])?;
/// let model = FormulaModel::new(&[formula])?;
/// assert_eq!(model.parameters()[0].name, "tau");
/// assert_eq!((model.inputs(), model.responses()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FormulaModel {
    parameters: Vec<Declared>,
    columns: Vec<String>,
    responses: usize,
    linear: Vec<usize>,
    separable: Separable,
    values: Program<f64>,
    derivatives: Program<f64>,
    mixed: Program<f64>,
}

impl FormulaModel {
    /// Model whose responses are the values of the formulas, which share inputs and parameters by their names.
    ///
    /// Parameters in which the formulas are affine, jointly, are found from the graph of the derivatives: a fit needs no
    /// start for them.
    ///
    /// # Errors
    /// [`FitError::NoDerivative`] for a formula without a derivative with respect to a parameter, and
    /// [`FitError::Empty`] without a formula.
    pub fn new(formulas: &[Formula]) -> Result<Self, FitError> {
        let mut parts = Parts::default();
        for formula in formulas {
            parts.add(formula);
        }
        parts.compile()
    }

    /// Names of the inputs.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }
}

/// Graph of several formulas, whose variables are columns and parameters.
#[derive(Default)]
struct Parts {
    graph: Graph,
    roots: Vec<Id>,
    columns: Vec<(String, u32)>,
    parameters: Vec<(Declared, u32)>,
    variables: u32,
}

impl Parts {
    fn add(&mut self, formula: &Formula) {
        let mut numbers = vec![];
        for (name, variable) in formula.columns().iter().zip(formula.column_variables()) {
            let known = self.columns.iter().find(|(known, _)| known == name).map(|(_, k)| *k);
            let number = known.unwrap_or_else(|| {
                self.columns.push(((*name).to_owned(), self.variables));
                self.next_variable()
            });
            numbers.push((variable, number));
        }
        for (parameter, variable) in formula.parameters().iter().zip(formula.parameter_variables())
        {
            let name = parameter.name();
            let known = self.parameters.iter().find(|(known, _)| known.name == name);
            let number = known.map(|(_, k)| *k).unwrap_or_else(|| {
                self.parameters.push((declared(parameter), self.variables));
                self.next_variable()
            });
            numbers.push((variable, number));
        }
        let root = self.graph.import_with(formula.graph(), &[formula.root()], |variable| {
            numbers.iter().find(|(old, _)| *old == variable).map_or(variable, |(_, new)| *new)
        });
        self.roots.extend(root);
    }

    fn next_variable(&mut self) -> u32 {
        self.variables += 1;
        self.variables - 1
    }

    fn compile(mut self) -> Result<FormulaModel, FitError> {
        if self.roots.is_empty() {
            return Err(FitError::Empty { what: "formulas" });
        }
        self.roots = derive::mittag_leffler_by_nodes(&mut self.graph, &self.roots);
        let values = self.program(&self.roots)?;
        let by_parameter: Vec<Vec<Id>> = self
            .parameters
            .iter()
            .map(|(_, variable)| {
                let one = self.graph.constant(1.0);
                derive::forward(&mut self.graph, &self.roots, &[(*variable, one)])
            })
            .collect::<Result<_, _>>()?;
        let variables: Vec<u32> = self.parameters.iter().map(|(_, variable)| *variable).collect();
        let linear = jointly_linear(&self.graph, &by_parameter, &variables);
        let of_linear = |variable: u32| linear.iter().any(|k| variables[*k] == variable);
        let offset = (0..variables.len())
            .filter(|k| !linear.contains(k))
            .filter(|k| !vanishes(&self.graph, &by_parameter[*k], of_linear))
            .collect();
        let (mut pairs, mut mixed) = (vec![], vec![]);
        for &j in &linear {
            for (k, variable) in variables.iter().enumerate() {
                let depends = self.graph.depends(|known| known == *variable);
                if linear.contains(&k) || !by_parameter[j].iter().any(|id| depends[id.index()]) {
                    continue;
                }
                let one = self.graph.constant(1.0);
                let slopes =
                    derive::forward(&mut self.graph, &by_parameter[j], &[(*variable, one)])?;
                pairs.push((j, k));
                mixed.push(slopes);
            }
        }
        let with = |more: &[Vec<Id>]| -> Vec<Id> {
            let mut all = self.roots.clone();
            for response in 0..self.roots.len() {
                all.extend(by_parameter.iter().chain(more).map(|columns| columns[response]));
            }
            all
        };
        let derivatives = self.program(&with(&[]))?;
        let mixed = self.program(&with(&mixed))?;
        Ok(FormulaModel {
            responses: self.roots.len(),
            linear,
            separable: Separable { mixed: pairs, offset },
            values,
            derivatives,
            mixed,
            parameters: self.parameters.into_iter().map(|(declared, _)| declared).collect(),
            columns: self.columns.into_iter().map(|(name, _)| name).collect(),
        })
    }

    fn program(&self, roots: &[Id]) -> Result<Program<f64>, FitError> {
        let (graph, roots) = Simplify::default().run(&self.graph, roots);
        // Uniform input 0 of `Program::run_shared` is the time, which formulas have among the columns.
        let mut inputs = vec![Input::Uniform(0); self.variables as usize];
        for (k, (_, variable)) in self.columns.iter().enumerate() {
            inputs[*variable as usize] = Input::Row(k);
        }
        for (k, (_, variable)) in self.parameters.iter().enumerate() {
            inputs[*variable as usize] = Input::Uniform(k + 1);
        }
        Ok(Program::new(&graph, &roots, &inputs)?)
    }
}

pub(super) fn declared(parameter: &hpfracc_equation::Parameter) -> Declared {
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    if let Some(range) = parameter.range() {
        let (low, high) = (range.low(), range.high());
        lower = if range.is_low_closed() { low } else { low.next_up() };
        upper = if range.is_high_closed() { high } else { high.next_down() };
    }
    Declared {
        name: parameter.name().to_owned(),
        unit: parameter.unit().map(str::to_owned),
        start: Some(parameter.value()).filter(|value| value.is_finite()),
        lower,
        upper,
        logarithmic: false,
        grid: None,
    }
}

impl Model for FormulaModel {
    fn parameters(&self) -> &[Declared] {
        &self.parameters
    }

    fn inputs(&self) -> usize {
        self.columns.len()
    }

    fn responses(&self) -> usize {
        self.responses
    }

    fn linear(&self) -> &[usize] {
        &self.linear
    }

    fn separable(&self) -> Option<&Separable> {
        Some(&self.separable)
    }

    fn bytes_per_thread(&self) -> usize {
        // A projected phase, which only models with mixed derivatives have, runs another program.
        let mixed = if self.separable.mixed.is_empty() { 0 } else { self.mixed.scratch_bytes() };
        self.derivatives.scratch_bytes() + mixed
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError> {
        let arch = Arch::new();
        Ok(Box::new(BoundFormula { model: self, arch, parameters: parameters.to_vec() }))
    }
}

struct BoundFormula<'m> {
    model: &'m FormulaModel,
    arch: Arch,
    parameters: Vec<f64>,
}

impl BoundFormula<'_> {
    fn run(&self, program: &Program<f64>, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        let none = RowsMut::new(&mut [], out.lanes());
        program.run_shared(self.arch, inputs, (0.0, &self.parameters), [out, none]);
    }
}

impl Bound for BoundFormula<'_> {
    fn values(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.run(&self.model.values, inputs, out);
    }

    fn derivatives(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.run(&self.model.derivatives, inputs, out);
    }

    fn mixed(&self, inputs: Rows<'_, f64>, out: RowsMut<'_, f64>) {
        self.run(&self.model.mixed, inputs, out);
    }
}
