use super::EquationModelError;
use super::columns::Columns;
use crate::noise::{
    Brownian, CompoundPoisson, CorrelatedBrownian, FractionalBrownian, Gaussian, Joint,
    JumpDistribution, NoNoise, Noise, PoissonJumps, StableDistribution, StableLevy,
};
use hpfracc_equation::{Equation, Jump, Process};
use ndarray::Array2;

/// Noise of an equation: a component for each column of its diffusion.
pub(super) fn noise<T: Gaussian>(
    equation: &Equation,
    columns: &Columns,
    seed: u64,
) -> Result<Box<dyn Noise<T>>, EquationModelError> {
    let Processes { brownian, hurst, stable, jumps } = processes(equation, columns);
    let mut parts: Vec<Box<dyn Noise<T>>> = Vec::new();
    match correlation(equation, &brownian)? {
        _ if brownian.is_empty() => {}
        Some(matrix) => parts.push(Box::new(CorrelatedBrownian::new(seed, matrix.view())?)),
        None => parts.push(Box::new(Brownian::new(seed, brownian.len())?)),
    }
    if !hurst.is_empty() {
        parts.push(Box::new(FractionalBrownian::<T>::new(seed, &hurst)?));
    }
    if !stable.is_empty() {
        parts.push(Box::new(StableLevy::new(seed, &stable)?));
    }
    if !jumps.is_empty() {
        parts.push(Box::new(PoissonJumps::new(seed, &jumps)?));
    }
    let mut parts = parts.into_iter();
    match (parts.next(), parts.len()) {
        (None, _) => Ok(Box::new(NoNoise)),
        (Some(only), 0) => Ok(only),
        (Some(first), _) => {
            let mut joint = Joint::new(first);
            for part in parts {
                joint = joint.with(part)?;
            }
            Ok(Box::new(joint))
        }
    }
}

/// Processes that drive an equation, by kind, in the order of the columns.
#[derive(Debug, Default)]
pub(super) struct Processes {
    /// Brownian motions, by their indices in the equation.
    pub(super) brownian: Vec<usize>,
    /// Hurst exponents of fractional Brownian motions.
    pub(super) hurst: Vec<f64>,
    pub(super) stable: Vec<StableDistribution>,
    pub(super) jumps: Vec<CompoundPoisson>,
}

pub(super) fn processes(equation: &Equation, columns: &Columns) -> Processes {
    let mut of = Processes::default();
    for &noise in &columns.noises {
        match equation.noises()[noise].process() {
            Process::Brownian => of.brownian.push(noise),
            Process::Fractional { hurst } => of.hurst.push(equation.value(hurst)),
            Process::Stable { index, skewness } => of.stable.push(StableDistribution {
                index: equation.value(index),
                skewness: equation.value(skewness),
                scale: 1.0,
            }),
            Process::Poisson { rate, jump } => of.jumps.push(CompoundPoisson {
                intensity: equation.value(rate),
                distribution: distribution(equation, jump),
            }),
        }
    }
    of
}

/// Rows of indices of independent Brownian motions with their factors.
pub(super) type BrownianFactors = Vec<Vec<(usize, f64)>>;

/// Correlated Brownian motions as sums of independent ones; `None` where they are independent.
pub(super) fn factors(
    equation: &Equation,
    columns: &Columns,
) -> Result<Option<BrownianFactors>, EquationModelError> {
    let brownian = processes(equation, columns).brownian;
    let Some(matrix) = correlation(equation, &brownian)? else { return Ok(None) };
    let noise = CorrelatedBrownian::new(0, matrix.view())?;
    Ok(Some(noise.factors().to_vec()))
}

/// Distribution of the jumps.
fn distribution(equation: &Equation, jump: Jump) -> JumpDistribution {
    let value = |id| equation.value(id);
    match jump {
        Jump::Constant(size) => JumpDistribution::Constant(value(size)),
        Jump::Normal { mean, standard_deviation } => JumpDistribution::Normal {
            mean: value(mean),
            standard_deviation: value(standard_deviation),
        },
        Jump::DoubleExponential { upward, mean_up, mean_down } => {
            JumpDistribution::DoubleExponential {
                upward: value(upward),
                mean_up: value(mean_up),
                mean_down: value(mean_down),
            }
        }
    }
}

/// Correlation matrix of the Brownian motions, if any two are correlated.
fn correlation(
    equation: &Equation,
    brownian: &[usize],
) -> Result<Option<Array2<f64>>, EquationModelError> {
    let name = |noise: usize| equation.noises()[noise].name().to_owned();
    let mut matrix = Array2::eye(brownian.len());
    for correlation in equation.correlations() {
        let [first, second] = [correlation.first(), correlation.second()];
        let used =
            |noise| equation.states().iter().any(|s| s.noise().iter().any(|t| t.noise() == noise));
        let place = |noise| brownian.iter().position(|known| *known == noise);
        match (place(first), place(second)) {
            (Some(i), Some(j)) => {
                let value = equation.value(correlation.value());
                (matrix[[i, j]], matrix[[j, i]]) = (value, value);
            }
            _ if used(first) && used(second) => {
                return Err(EquationModelError::Correlation {
                    first: name(first),
                    second: name(second),
                });
            }
            _ => {}
        }
    }
    let correlated = matrix.indexed_iter().any(|((i, j), value)| i != j && *value != 0.0);
    Ok(correlated.then_some(matrix))
}
