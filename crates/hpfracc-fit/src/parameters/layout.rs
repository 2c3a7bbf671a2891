use super::{Parameter, Parameters, Role, Separated};
use crate::FitError;
use crate::model::Model;

/// Derivatives of a parameter with respect to the unknowns: pairs of an unknown and a slope.
pub(crate) type Slopes = Vec<(usize, f64)>;

/// Order of the unknowns of a minimisation, and the parameters as functions of them.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    parameters: Parameters,
    /// Parameters that are unknowns.
    free: Vec<usize>,
    /// Tied parameters, each after those it depends on.
    tied: Vec<usize>,
}

impl Layout {
    /// Checks starts, bounds and ties.
    pub(crate) fn new(parameters: Parameters) -> Result<Self, FitError> {
        parameters.all.iter().try_for_each(check)?;
        let of_role = |wanted: fn(&Role) -> bool| {
            let all = parameters.all.iter().enumerate();
            all.filter(|(_, p)| wanted(&p.role)).map(|(k, _)| k).collect::<Vec<usize>>()
        };
        let free = of_role(|role| matches!(role, Role::Free));
        let tied = in_order(&parameters, of_role(|role| matches!(role, Role::Tied(_))))?;
        Ok(Self { parameters, free, tied })
    }

    /// Sets the start of a parameter.
    pub(crate) fn set_start(&mut self, parameter: usize, value: f64) -> Result<(), FitError> {
        let parameter = &mut self.parameters.all[parameter];
        parameter.declared.start = Some(value);
        check(parameter)
    }

    pub(crate) fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Parameters that are unknowns.
    pub(crate) fn free(&self) -> &[usize] {
        &self.free
    }

    /// Unknowns that a fit of these models projects out; None if there are none.
    pub(crate) fn separated(&self, models: &[&dyn Model]) -> Option<Separated> {
        let slopes = self.values_and_slopes(&self.start()).1;
        let models: Vec<_> =
            models.iter().map(|model| (model.linear(), model.separable())).collect();
        self.parameters.separated(&self.free, &slopes, &models)
    }

    /// Whether a parameter has a prior.
    pub(crate) fn has_priors(&self) -> bool {
        self.parameters.all.iter().any(|parameter| parameter.prior.is_some())
    }

    /// Unknowns at the starts.
    pub(crate) fn start(&self) -> Vec<f64> {
        let start = |k: &usize| {
            self.unknown(*k, self.parameters.all[*k].declared.start.unwrap_or(f64::NAN))
        };
        self.free.iter().map(start).collect()
    }

    /// Bounds of the unknowns.
    pub(crate) fn bounds(&self) -> Vec<(f64, f64)> {
        let bounds = |k: &usize| {
            let declared = &self.parameters.all[*k].declared;
            (self.unknown(*k, declared.lower), self.unknown(*k, declared.upper))
        };
        self.free.iter().map(bounds).collect()
    }

    /// Unknown of a parameter: its value, or its logarithm.
    pub(crate) fn unknown(&self, parameter: usize, value: f64) -> f64 {
        if self.parameters.all[parameter].declared.logarithmic {
            value.max(0.0).ln()
        } else {
            value
        }
    }

    /// Values of all parameters.
    pub(crate) fn values(&self, unknowns: &[f64]) -> Vec<f64> {
        self.values_and_slopes(unknowns).0
    }

    /// Values of all parameters, and their derivatives.
    pub(crate) fn values_and_slopes(&self, unknowns: &[f64]) -> (Vec<f64>, Vec<Slopes>) {
        let all = &self.parameters.all;
        let mut values: Vec<f64> =
            all.iter().map(|parameter| parameter.declared.start.unwrap_or(f64::NAN)).collect();
        let mut slopes: Vec<Slopes> = vec![vec![]; all.len()];
        for (unknown, (&k, &x)) in self.free.iter().zip(unknowns).enumerate() {
            let logarithmic = all[k].declared.logarithmic;
            values[k] = if logarithmic { x.exp() } else { x };
            slopes[k] = vec![(unknown, if logarithmic { values[k] } else { 1.0 })];
        }
        for &k in &self.tied {
            let Role::Tied(tie) = &all[k].role else { continue };
            let (value, derivatives) = tie.value(&values);
            values[k] = value;
            let mut sum: Slopes = vec![];
            for (source, derivative) in tie.sources().zip(derivatives) {
                for &(unknown, slope) in &slopes[source] {
                    match sum.iter_mut().find(|(known, _)| *known == unknown) {
                        Some((_, known)) => *known += derivative * slope,
                        None => sum.push((unknown, derivative * slope)),
                    }
                }
            }
            slopes[k] = sum;
        }
        (values, slopes)
    }
}

/// Checks the start and the bounds of a parameter.
fn check(parameter: &Parameter) -> Result<(), FitError> {
    let name = || parameter.declared.name.clone();
    let (lower, upper) = (parameter.declared.lower, parameter.declared.upper);
    if lower.is_nan() || upper.is_nan() || lower > upper {
        return Err(FitError::Bounds { name: name(), lower, upper });
    }
    if matches!(parameter.role, Role::Tied(_)) {
        return Ok(());
    }
    let value = parameter.declared.start.filter(|start| start.is_finite());
    let value = value.ok_or_else(|| FitError::NoStart { name: name() })?;
    let free = matches!(parameter.role, Role::Free);
    if free && !(lower <= value && value <= upper) {
        return Err(FitError::StartOutside { name: name(), value, lower, upper });
    }
    if free && parameter.declared.logarithmic && value <= 0.0 {
        let what = "the start of a parameter whose logarithm is fitted";
        return Err(FitError::OutOfRange { what, value, expected: "a positive number" });
    }
    Ok(())
}

/// Tied parameters, each after those it depends on.
fn in_order(parameters: &Parameters, mut open: Vec<usize>) -> Result<Vec<usize>, FitError> {
    let mut ordered = vec![];
    while !open.is_empty() {
        let ready = |k: &usize| match &parameters.all[*k].role {
            Role::Tied(tie) => tie.sources().all(|source| !open.contains(&source)),
            _ => true,
        };
        let Some(place) = open.iter().position(ready) else {
            let names: Vec<&str> =
                open.iter().map(|k| parameters.all[*k].declared.name.as_str()).collect();
            let reason = format!("the ties of {} need each other", names.join(", "));
            return Err(FitError::Tie { name: names[0].to_owned(), reason });
        };
        ordered.push(open.remove(place));
    }
    Ok(ordered)
}
