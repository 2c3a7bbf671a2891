//! `hpfracc derivative`: fractional derivatives of a formula at points.

mod args;

use crate::Error;
use crate::output::write_stdout;
pub(crate) use args::DerivativeArgs;
use hpfracc::equation::{Equation, Id, Symbol, Values, derive, evaluate};
use hpfracc::ode::{EquationProblemError, OdeError, caputo_of_function, integral_of_function};
use hpfracc::special::recip_gamma;
use hpfracc::types::shortest;

/// Highest order: the formula is differentiated as often.
const HIGHEST: f64 = 16.0;

/// Definitions that this command has.
const OPERATORS: [&str; 3] = ["caputo", "riemann-liouville", "rl-integral"];

pub(crate) fn run(args: &DerivativeArgs) -> Result<(), Error> {
    let formula = Formula::parse(&args.of)?;
    let (alpha, t0) = (args.alpha, args.from);
    let values = match args.operator.as_str() {
        "caputo" => formula.caputo(alpha, t0, &args.at),
        "riemann-liouville" => formula.riemann_liouville(alpha, t0, &args.at),
        "rl-integral" => integral_of_function(alpha, t0, &args.at, formula.derivatives(0)?)
            .map_err(Error::of_solve),
        name => return Err(Error::unknown("derivative has ", "operator", name, OPERATORS)),
    }?;
    let text: String = values.into_iter().map(|value| format!("{}\n", shortest(value))).collect();
    write_stdout(text.as_bytes())
}

/// Formula of t with its classical derivatives.
struct Formula {
    equation: Equation,
    /// The formula as the right-hand side of an equation.
    root: Id,
    of_time: u32,
}

impl Formula {
    /// Formula, and after `;` definitions of its parameters.
    fn parse(typed: &str) -> Result<Self, Error> {
        let text = format!("formula' = {typed}\nformula(0) = 0");
        let equation = Equation::parse(&text).map_err(|source| Error::equation("--of", source))?;
        let root = equation.states()[0].drift();
        let state = equation.graph().depends(|v| Some(v) == equation.variable(Symbol::State(0)));
        let more = equation.states().len() > 1
            || !(equation.shown().is_empty() && equation.events().is_empty())
            || equation.interval().is_some()
            || !equation.delays().is_empty();
        if more || state[root.index()] {
            let reason = "expected a formula of t, and its parameters after `;`".to_owned();
            let value = typed.to_owned();
            return Err(Error::OptionUnused { option: "--of", value, reason });
        }
        let time = equation.variable(Symbol::Time).unwrap_or(0);
        Ok(Self { root, of_time: time, equation })
    }

    /// The k-th derivative as a function.
    fn derivatives(&self, k: usize) -> Result<impl Fn(f64) -> f64 + use<>, Error> {
        let (mut graph, mut root) = (self.equation.graph().clone(), self.root);
        for _ in 0..k {
            let one = graph.constant(1.0);
            let next = derive::forward(&mut graph, &[root], &[(self.of_time, one)]);
            let next = next.map_err(|error| Error::library(EquationProblemError::from(error)))?;
            root = next[0];
        }
        let variables: Vec<Values<f64>> = self
            .equation
            .symbols()
            .iter()
            .map(|symbol| match *symbol {
                Symbol::Parameter(k) => Values::Uniform(self.equation.parameters()[k].value()),
                _ => Values::Uniform(f64::NAN),
            })
            .collect();
        let time = self.of_time as usize;
        Ok(move |t: f64| {
            let mut variables = variables.clone();
            variables[time] = Values::Uniform(t);
            evaluate(&graph, &[root], &variables)[0]
        })
    }

    fn caputo(&self, alpha: f64, t0: f64, times: &[f64]) -> Result<Vec<f64>, Error> {
        if alpha > HIGHEST {
            return Err(Error::of_solve(OdeError::Order { component: 0, alpha }));
        }
        let order = alpha.max(0.0).ceil() as usize;
        let derivative = self.derivatives(order)?;
        caputo_of_function(alpha, t0, times, derivative).map_err(Error::of_solve)
    }

    /// The Caputo derivative with the terms of the initial values,
    /// `sum_k f^(k)(t0) (t - t0)^(k - alpha)/Gamma(k + 1 - alpha)`.
    fn riemann_liouville(&self, alpha: f64, t0: f64, times: &[f64]) -> Result<Vec<f64>, Error> {
        let mut values = self.caputo(alpha, t0, times)?;
        // At whole orders 1/Gamma(k + 1 - alpha) is 0.
        let terms = if alpha.fract() == 0.0 { 0 } else { alpha.ceil() as usize };
        for k in 0..terms {
            let start = self.derivatives(k)?(t0);
            for (value, t) in values.iter_mut().zip(times) {
                let power = k as f64 - alpha;
                if start != 0.0 {
                    *value += start * (t - t0).powf(power) * recip_gamma(power + 1.0);
                }
            }
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(k) => Err(Error::of_solve(OdeError::NotFinite { t: times[k], component: 0 })),
            None => Ok(values),
        }
    }
}
