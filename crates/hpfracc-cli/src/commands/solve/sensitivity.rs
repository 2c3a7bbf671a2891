//! Derivatives of a solution with respect to parameters.

use super::method::Method;
use crate::Error;
use crate::equations::Case;
use crate::equations::schemes;
use hpfracc::ode::{AnyScheme, EquationProblem, EquationSolution, Options};

/// The scheme with its derivatives, if sensitivities are requested; checks parameters, scheme and
/// equation before the solve.
pub(super) fn check(
    case: &Case,
    problem: &EquationProblem,
    method: &Method,
    parameters: &[String],
) -> Result<Option<AnyScheme>, Error> {
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
    // The columns are those of nodes, and adaptive steps have other ones than the table.
    if method.adaptive() {
        let known =
            schemes::names().map(|(name, _)| name).filter(|name| *name != method.scheme.name);
        let known: Vec<&str> = known.collect();
        let value = parameters.join(",");
        let reason = format!(
            "the scheme {} has no derivatives; choose --scheme {}",
            method.scheme.name,
            known.join(", ")
        );
        return Err(Error::OptionUnused { option: "--sensitivity", value, reason });
    }
    Ok(Some(method.scheme.scheme.clone()))
}

/// Columns `dx/dp` at the nodes, for each state and parameter.
pub(super) fn columns(
    case: &Case,
    scheme: &AnyScheme,
    solution: &EquationSolution,
    parameters: &[String],
) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let mut columns = Vec::new();
    for parameter in parameters {
        let problem = solution.problem();
        let derivative = problem.sensitivity(scheme, solution, parameter, &Options::default());
        let derivative = derivative.map_err(Error::library)?;
        for (state, column) in case.components().iter().zip(derivative.columns()) {
            columns.push((format!("d{state}/d{parameter}"), column.to_vec()));
        }
    }
    Ok(columns)
}
