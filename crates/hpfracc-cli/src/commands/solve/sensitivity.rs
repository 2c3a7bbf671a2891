//! Derivatives of a solution with respect to parameters.

use super::method::Method;
use crate::Error;
use crate::equations::Case;
use crate::equations::schemes::SCHEMES;
use hpfracc::ode::{DifferentiableScheme, EquationProblem, EquationSolution, Options};

/// The scheme with its derivatives, if sensitivities are requested; checks parameters, scheme and
/// equation before the solve.
pub(super) fn check(
    case: &Case,
    problem: &EquationProblem,
    method: &Method,
    parameters: &[String],
) -> Result<Option<Box<dyn DifferentiableScheme>>, Error> {
    if parameters.is_empty() {
        return Ok(None);
    }
    for name in parameters {
        if case.equation.parameter(name).is_none() {
            let known = case.equation.parameters().iter().map(|parameter| parameter.name());
            return Err(Error::unknown(format!("{} has ", case.name), "parameter", name, known));
        }
    }
    problem.check_gradient().map_err(Error::library)?;
    let Some(scheme) = method.scheme.differentiable else {
        let known = SCHEMES.iter().filter(|scheme| scheme.differentiable.is_some());
        let known: Vec<&str> = known.map(|scheme| scheme.name).collect();
        let value = parameters.join(",");
        let reason = format!(
            "the scheme {} has no derivatives; choose --scheme {}",
            method.scheme.name,
            known.join(", ")
        );
        return Err(Error::OptionUnused { option: "--sensitivity", value, reason });
    };
    Ok(Some(scheme()))
}

/// Columns `dx/dp` at the nodes, for each state and parameter.
pub(super) fn columns(
    case: &Case,
    scheme: Box<dyn DifferentiableScheme>,
    solution: &EquationSolution,
    parameters: &[String],
) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let mut columns = Vec::new();
    for parameter in parameters {
        let problem = solution.problem();
        let derivative =
            problem.sensitivity(scheme.as_ref(), solution, parameter, &Options::default());
        let derivative = derivative.map_err(Error::library)?;
        for (state, column) in case.components().iter().zip(derivative.columns()) {
            columns.push((format!("d{state}/d{parameter}"), column.to_vec()));
        }
    }
    Ok(columns)
}
