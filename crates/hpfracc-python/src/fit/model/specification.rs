//! Models before they have seen data: a text of the catalogue, formulas, an equation, an equation of fields, or a
//! function in Python.

use super::callable::{CallableModel, FunctionFacts};
use super::fields::FieldsOnBox;
use crate::errors::{self, Kind, OrRaise};
use crate::fields::equation::PyFieldEquation;
use crate::fields::grid::PyBox;
use crate::fields::solve::problem::FaceValue;
use crate::fit::failure::{of_catalogue, of_fit};
use hpfracc::equation::{Equation, Formula, catalogue as equations, nearest};
use hpfracc::fit::{CatalogueModel, EquationModel, FormulaModel, Model, catalogue};
use pyo3::prelude::*;
use std::sync::Arc;

/// Names of the input of a formula that are tried in this order where none is given.
const INPUTS: [&str; 4] = ["x", "t", "omega", "f"];

enum Specification {
    Catalogue(Arc<CatalogueModel>),
    Formula(Arc<FormulaModel>),
    /// Equation with the quantities that are observed.
    Equation(Box<Equation>, Vec<String>),
    Fields(Box<FieldsOnBox>),
    Function(Arc<FunctionFacts>),
}

/// Name, start, lower and upper bound of a parameter.
type NamedParameter = (String, Option<f64>, f64, f64);

/// Model of a fit.
#[pyclass(frozen, module = "hpfracc._hpfracc")]
pub(in crate::fit) struct FitModel {
    specification: Specification,
    text: String,
    inputs: Vec<String>,
    /// Inputs as the caller has them, of which the model may use others than all, in another order.
    given: Vec<String>,
    responses: Vec<String>,
    /// Sign of the imaginary part in the second response, where the two responses are parts of a complex number.
    imaginary_sign: Option<f64>,
}

/// Model of a set.
#[derive(Debug)]
pub(in crate::fit) enum SetModel {
    Text(Arc<dyn Model>),
    Function(CallableModel),
}

impl SetModel {
    pub(in crate::fit) fn model(&self) -> &dyn Model {
        match self {
            Self::Text(model) => &**model,
            Self::Function(model) => model,
        }
    }

    /// The exception of a function in Python, if it raised one.
    pub(in crate::fit) fn take_failure(&self) -> Option<PyErr> {
        match self {
            Self::Text(_) => None,
            Self::Function(model) => model.take_failure(),
        }
    }
}

#[pymethods]
impl FitModel {
    /// Model of a text, or of a formula for each response.
    #[staticmethod]
    #[pyo3(signature = (texts, inputs, observed, constants, hertz, complex))]
    fn of_text(
        texts: Vec<String>,
        inputs: Option<Vec<String>>,
        observed: Option<Vec<String>>,
        constants: Vec<(String, f64)>,
        hertz: bool,
        complex: bool,
    ) -> PyResult<Self> {
        let kind = match &texts[..] {
            [] => return Err(errors::input("a model needs a text, found none")),
            [text] => TextKind::of(text)?,
            _ => TextKind::Formula,
        };
        let of_catalogue_alone = hertz || !constants.is_empty();
        if of_catalogue_alone && !matches!(kind, TextKind::Catalogue) {
            return Err(errors::input(
                "hertz and constants belong to models of the catalogue, circuits and transfer functions",
            ));
        }
        if observed.is_some() && !matches!(kind, TextKind::Equation) {
            return Err(errors::input(
                "observed names quantities of an equation: the model has none",
            ));
        }
        match kind {
            TextKind::Catalogue => Self::catalogued(&texts[0], &constants, hertz),
            TextKind::Formula => Self::formulas(&texts, inputs.as_deref(), complex),
            TextKind::Equation => Self::equation(&texts[0], observed),
        }
    }

    /// Model of a function `f(x, *parameters)` in Python.
    #[staticmethod]
    #[pyo3(signature = (function, jacobian, names, responses, complex, fixed, sizes, limits))]
    #[expect(clippy::too_many_arguments, reason = "one for each keyword of the constructor")]
    fn of_function(
        function: Py<PyAny>,
        jacobian: Option<Py<PyAny>>,
        names: Vec<String>,
        responses: usize,
        complex: bool,
        fixed: Vec<bool>,
        sizes: Vec<f64>,
        limits: Vec<(f64, f64)>,
    ) -> PyResult<Self> {
        let counts = [fixed.len(), sizes.len(), limits.len()];
        if names.is_empty() || counts.iter().any(|count| *count != names.len()) {
            return Err(errors::input("a function needs parameters: none found"));
        }
        if let Some((name, _)) = names
            .iter()
            .zip(&limits)
            .find(|(_, (low, high))| low.is_nan() || high.is_nan() || low > high)
        {
            return Err(errors::input(format!(
                "the bounds of `{name}` have no number between them"
            )));
        }
        let text = format!("f(x, {})", names.join(", "));
        let responses_of = (0..responses).map(|k| format!("y{k}")).collect();
        let imaginary_sign = complex.then_some(1.0);
        let facts =
            FunctionFacts { function, jacobian, names, responses, complex, fixed, sizes, limits };
        Ok(Self {
            specification: Specification::Function(Arc::new(facts)),
            text,
            inputs: vec!["x".to_owned()],
            given: vec!["x".to_owned()],
            responses: responses_of,
            imaginary_sign,
        })
    }

    /// Model of an equation of fields on a box, with the values at its faces, the fields that are observed, parameters
    /// that are constants or whose starts are searched, and the number of time steps.
    #[staticmethod]
    #[pyo3(signature = (text, equation, grid, values, observed, constants, search, steps))]
    #[expect(clippy::too_many_arguments, reason = "the parts of a model, as Python names them")]
    fn of_fields(
        text: String,
        equation: &PyFieldEquation,
        grid: &PyBox,
        values: Vec<FaceValue>,
        observed: Option<Vec<String>>,
        constants: Vec<String>,
        search: Vec<String>,
        steps: Option<usize>,
    ) -> PyResult<Self> {
        let fields =
            FieldsOnBox::new((equation, grid, values), observed, (constants, search), steps)?;
        Ok(Self {
            text,
            inputs: fields.inputs(),
            given: fields.inputs(),
            responses: fields.observed().to_vec(),
            imaginary_sign: None,
            specification: Specification::Fields(Box::new(fields)),
        })
    }

    /// `catalogue`, `formula`, `equation`, `fields` or `function`.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.specification {
            Specification::Catalogue(_) => "catalogue",
            Specification::Formula(_) => "formula",
            Specification::Equation(..) => "equation",
            Specification::Fields(_) => "fields",
            Specification::Function(_) => "function",
        }
    }

    /// The model as it was read.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Names of the inputs as the caller has them.
    #[getter]
    fn given(&self) -> Vec<String> {
        self.given.clone()
    }

    /// Names of the inputs that the model uses, in its order.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.inputs.clone()
    }

    /// Names of the responses.
    #[getter]
    fn responses(&self) -> Vec<String> {
        self.responses.clone()
    }

    /// Sign of the imaginary part in the second response, or None for real models.
    #[getter]
    fn imaginary_sign(&self) -> Option<f64> {
        self.imaginary_sign
    }

    /// Names of the parameters with start (None without one), lower and upper bound.
    #[getter]
    fn parameters(&self) -> PyResult<Vec<NamedParameter>> {
        let of_model = |model: &dyn Model| {
            let all = model.parameters().iter();
            all.map(|of| (of.name.clone(), of.start, of.lower, of.upper)).collect()
        };
        Ok(match &self.specification {
            Specification::Catalogue(model) => of_model(&**model),
            Specification::Formula(model) => of_model(&**model),
            Specification::Equation(equation, observed) => {
                of_model(&equation_model(equation, observed, &[1.0])?)
            }
            Specification::Fields(fields) => of_model(&fields.anywhere()?),
            Specification::Function(facts) => {
                let all = facts.names.iter().zip(&facts.limits);
                all.map(|(name, (low, high))| (name.clone(), None, *low, *high)).collect()
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("FitModel({:?})", self.text)
    }
}

impl FitModel {
    fn catalogued(text: &str, constants: &[(String, f64)], hertz: bool) -> PyResult<Self> {
        let mut model = catalogue::read(text).map_err(of_catalogue)?;
        for (name, value) in constants {
            model = model.with(name, *value).map_err(of_catalogue)?;
        }
        if hertz {
            model = model.in_hertz().map_err(of_catalogue)?;
        }
        let entry = model.entry();
        let meanings: Vec<&str> = entry.responses.iter().map(|of| of.meaning.as_str()).collect();
        let imaginary_sign = match &meanings[..] {
            [re, im] if re.starts_with("Re ") && im.starts_with("Im ") => Some(1.0),
            [re, im] if re.starts_with("Re ") && im.starts_with("-Im ") => Some(-1.0),
            _ => None,
        };
        Ok(Self {
            text: entry.formula().to_owned(),
            inputs: entry.inputs.iter().map(|input| input.name.clone()).collect(),
            given: entry.inputs.iter().map(|input| input.name.clone()).collect(),
            responses: entry.responses.iter().map(|response| response.name.clone()).collect(),
            imaginary_sign,
            specification: Specification::Catalogue(Arc::new(model)),
        })
    }

    fn formulas(texts: &[String], inputs: Option<&[String]>, complex: bool) -> PyResult<Self> {
        let of = |columns: &[&str]| Self::formulas_of(texts, columns, complex);
        if let Some(inputs) = inputs {
            return of(&inputs.iter().map(String::as_str).collect::<Vec<_>>());
        }
        // The first name that the formulas use as they would use a column.
        let mut first = None;
        for name in INPUTS {
            match of(&[name]) {
                Ok(model) if model.uses(name) => return Ok(model),
                Ok(_) => {}
                Err(error) => {
                    first.get_or_insert(error);
                }
            }
        }
        Err(first.unwrap_or_else(|| {
            errors::input(format!(
                "the formula has none of the inputs {}: name its inputs by inputs=[...]",
                INPUTS.join(", ")
            ))
        }))
    }

    fn formulas_of(texts: &[String], columns: &[&str], complex: bool) -> PyResult<Self> {
        let mut names = columns.to_vec();
        let mut formulas = vec![];
        if complex {
            names.push("i");
        }
        for text in texts {
            formulas.push(Formula::parse(text, &names).or_raise()?);
        }
        let mut responses: Vec<String> = formulas
            .iter()
            .enumerate()
            .map(|(k, of)| of.response().map_or_else(|| format!("y{k}"), str::to_owned))
            .collect();
        let text = formulas.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        if complex {
            let [formula] = &formulas[..] else {
                return Err(errors::input("complex data need one formula of complex numbers"));
            };
            let parts = formula.complex_parts(&[("i", (0.0, 1.0))]);
            formulas = parts.map_err(|error| Kind::Equation.error(error.to_string()))?.to_vec();
            responses = ["Re", "Im"].map(|part| format!("{part} {}", responses[0])).to_vec();
        }
        let model = FormulaModel::new(&formulas).map_err(of_fit)?;
        Ok(Self {
            text,
            inputs: model.columns().to_vec(),
            given: columns.iter().map(|name| (*name).to_owned()).collect(),
            responses,
            imaginary_sign: complex.then_some(1.0),
            specification: Specification::Formula(Arc::new(model)),
        })
    }

    fn uses(&self, input: &str) -> bool {
        self.inputs.iter().any(|known| known == input)
    }

    fn equation(text: &str, observed: Option<Vec<String>>) -> PyResult<Self> {
        let equation = match equations::named(text) {
            Some(entry) => entry.equation().or_raise()?,
            None => Equation::parse(text).or_raise()?,
        };
        let states = || equation.states().iter().map(|state| state.name().to_owned());
        let observed = observed.unwrap_or_else(|| states().collect());
        Ok(Self {
            text: equation.to_string().trim_end().replace('\n', "; "),
            inputs: vec!["t".to_owned()],
            given: vec!["t".to_owned()],
            responses: observed.clone(),
            imaginary_sign: None,
            specification: Specification::Equation(Box::new(equation), observed),
        })
    }

    /// Whether the model is a function in Python.
    pub(in crate::fit) fn is_function(&self) -> bool {
        matches!(self.specification, Specification::Function(_))
    }

    /// Whether the model of a set depends on its inputs: on times and points of an equation, the number of rows of a
    /// function.
    pub(in crate::fit) fn reads_inputs(&self) -> bool {
        !matches!(self.specification, Specification::Catalogue(_) | Specification::Formula(_))
    }

    /// The model of a set with these inputs, a column each, of which `x` is the array as the caller gave it.
    pub(in crate::fit) fn of_set(
        &self,
        inputs: &[Vec<f64>],
        x: &Bound<'_, PyAny>,
    ) -> PyResult<SetModel> {
        Ok(match &self.specification {
            Specification::Catalogue(model) => SetModel::Text(Arc::clone(model) as _),
            Specification::Formula(model) => SetModel::Text(Arc::clone(model) as _),
            Specification::Equation(equation, observed) => {
                let times = inputs.first().map_or(&[][..], |times| times);
                SetModel::Text(Arc::new(equation_model(equation, observed, times)?))
            }
            Specification::Fields(fields) => SetModel::Text(Arc::new(fields.at(inputs)?)),
            Specification::Function(facts) => {
                let rows = inputs.first().map_or(0, Vec::len);
                SetModel::Function(CallableModel::new(Arc::clone(facts), x.clone().unbind(), rows))
            }
        })
    }
}

fn equation_model(
    equation: &Equation,
    observed: &[String],
    times: &[f64],
) -> PyResult<EquationModel> {
    let observed: Vec<&str> = observed.iter().map(String::as_str).collect();
    EquationModel::new(equation, &observed, times).map_err(of_fit)
}

/// What a text is.
enum TextKind {
    Catalogue,
    Formula,
    Equation,
}

impl TextKind {
    fn of(text: &str) -> PyResult<Self> {
        let is_known = |text: &str| catalogue::names().any(|name| name == text.trim());
        let described = text.starts_with("circuit ") || text.starts_with("transfer ");
        if described || text.split('+').all(is_known) {
            return Ok(Self::Catalogue);
        }
        if equations::named(text).is_some() {
            return Ok(Self::Equation);
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if text.chars().all(is_name)
            && let Some(near) = nearest(text, catalogue::names())
        {
            return Err(errors::input(format!(
                "no model is called `{text}`: did you mean `{near}`? hpfracc.fit_models() lists all"
            )));
        }
        let derivative =
            text.contains("D^") || text.contains('\'') || Equation::parse(text).is_ok();
        Ok(if derivative { Self::Equation } else { Self::Formula })
    }
}
