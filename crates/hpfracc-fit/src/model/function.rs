use super::{Bound, Declared, Model};
use crate::FitError;
use hpfracc_lanes::{Rows, RowsMut};
use std::fmt;

/// Step of central differences relative to a parameter: the cube root of the rounding of a number.
const STEP: f64 = 6e-6;

type Rule<'f> = Box<dyn Fn(&[f64], &[f64], &mut [f64]) + Send + Sync + 'f>;

/// Function in Rust of a row of inputs and of parameters, which becomes a [`FunctionModel`] with its derivatives:
/// exact ones by [`derivatives`](Self::derivatives), or central differences by [`differences`](Self::differences).
///
/// ```
/// use hpfracc_fit::{Fit, Function, Set};
///
/// // y = a exp(-t/tau)
/// let decay = |x: &[f64], p: &[f64]| p[0] * (-x[0] / p[1]).exp();
/// let model = Function::new(1, &["a", "tau"], decay).derivatives(|x, p, by| {
///     by[0] = (-x[0] / p[1]).exp();
///     by[1] = p[0] * by[0] * x[0] / (p[1] * p[1]);
/// });
/// let t = [0.0, 1.0, 2.0, 3.0];
/// let y = [2.01, 1.21, 0.74, 0.44];
/// let set = Set::new("decay", &model).input(&t).response(&y);
/// let found = Fit::new(set)?.start("a", 1.0)?.start("tau", 1.0)?.run()?;
/// assert!((found.estimate("tau").unwrap().value - 2.0).abs() < 0.05);
///
/// // The same by differences; a and tau have sizes near 1.
/// let model = Function::new(1, &["a", "tau"], decay).differences(&[1.0, 1.0])?;
/// # let set = Set::new("decay", &model).input(&t).response(&y);
/// # let other = Fit::new(set)?.start("a", 1.0)?.start("tau", 1.0)?.run()?;
/// # assert!((found.estimate("tau").unwrap().value - other.estimate("tau").unwrap().value).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Function<'f> {
    parameters: Vec<Declared>,
    inputs: usize,
    responses: usize,
    values: Rule<'f>,
}

impl<'f> Function<'f> {
    /// Function `y = f(inputs, parameters)` of a row with `inputs` numbers.
    pub fn new(
        inputs: usize,
        parameters: &[&str],
        f: impl Fn(&[f64], &[f64]) -> f64 + Send + Sync + 'f,
    ) -> Self {
        Self::of_responses((inputs, 1), parameters, move |x, p, y| y[0] = f(x, p))
    }

    /// Function `f(inputs, parameters, responses)`, which writes several responses; the numbers of inputs and
    /// responses of a row are given first.
    pub fn of_responses(
        (inputs, responses): (usize, usize),
        parameters: &[&str],
        f: impl Fn(&[f64], &[f64], &mut [f64]) + Send + Sync + 'f,
    ) -> Self {
        let parameters = parameters.iter().map(|name| Declared::new(name)).collect();
        Self { parameters, inputs, responses, values: Box::new(f) }
    }

    /// Model with the derivatives that `f(inputs, parameters, derivatives)` writes: those of the first response with
    /// respect to all parameters, then those of the second.
    pub fn derivatives(
        self,
        f: impl Fn(&[f64], &[f64], &mut [f64]) + Send + Sync + 'f,
    ) -> FunctionModel<'f> {
        FunctionModel { function: self, derivatives: Derivatives::Exact(Box::new(f)) }
    }

    /// Model with derivatives by central differences, of typical sizes of the parameters, such as 1 for an order and
    /// 1e-12 for a capacitance.
    ///
    /// The step in a parameter is 6e-6 times its magnitude, or its size where that is larger, so that the function has to
    /// be defined that far beyond the bounds. Accuracy: about 1e-10 of the function for one that is smooth on the scale of
    /// its parameters, which loses some difficult problems that exact derivatives solve. Cost: two evaluations for each
    /// parameter.
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] for another number of sizes than parameters, [`FitError::Size`] for one that is not
    /// positive and finite.
    pub fn differences(self, sizes: &[f64]) -> Result<FunctionModel<'f>, FitError> {
        if sizes.len() != self.parameters.len() {
            let what = "the number of sizes of parameters";
            let (value, expected) = (sizes.len() as f64, "one for each parameter");
            return Err(FitError::OutOfRange { what, value, expected });
        }
        let bad = |(_, size): &(&Declared, &f64)| !(**size > 0.0 && size.is_finite());
        if let Some((parameter, size)) = self.parameters.iter().zip(sizes).find(bad) {
            return Err(FitError::Size { name: parameter.name.clone(), value: *size });
        }
        let derivatives = Derivatives::Differences { sizes: sizes.to_vec() };
        Ok(FunctionModel { function: self, derivatives })
    }
}

impl fmt::Debug for Function<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function")
            .field("parameters", &self.parameters)
            .field("inputs", &self.inputs)
            .field("responses", &self.responses)
            .finish_non_exhaustive()
    }
}

/// Model of a [`Function`] in Rust.
///
/// Cost: a call of the function for each row, one of its derivatives, and two for each parameter where these are
/// differences.
#[derive(Debug)]
pub struct FunctionModel<'f> {
    function: Function<'f>,
    derivatives: Derivatives<'f>,
}

enum Derivatives<'f> {
    Exact(Rule<'f>),
    Differences { sizes: Vec<f64> },
}

impl fmt::Debug for Derivatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(_) => f.write_str("Exact"),
            Self::Differences { sizes } => write!(f, "Differences({sizes:?})"),
        }
    }
}

impl Model for FunctionModel<'_> {
    fn parameters(&self) -> &[Declared] {
        &self.function.parameters
    }

    fn inputs(&self) -> usize {
        self.function.inputs
    }

    fn responses(&self) -> usize {
        self.function.responses
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError> {
        Ok(Box::new(BoundFunction { model: self, parameters: parameters.to_vec() }))
    }
}

struct BoundFunction<'m, 'f> {
    model: &'m FunctionModel<'f>,
    parameters: Vec<f64>,
}

impl BoundFunction<'_, '_> {
    /// Writes the results of a rule for each row of inputs to a column of `out` each, from row `first` on.
    fn each(
        &self,
        inputs: Rows<'_, f64>,
        (out, first, count): (&mut RowsMut<'_, f64>, usize, usize),
        rule: impl Fn(&[f64], &mut [f64]),
    ) {
        let (mut x, mut results) = (vec![0.0; self.model.function.inputs], vec![0.0; count]);
        for lane in 0..out.lanes() {
            x.iter_mut().enumerate().for_each(|(k, x)| *x = inputs[k][lane]);
            rule(&x, &mut results);
            results.iter().enumerate().for_each(|(k, y)| out[first + k][lane] = *y);
        }
    }

    /// Writes the derivatives of all responses with respect to a parameter.
    fn difference(&self, k: usize, size: f64, inputs: Rows<'_, f64>, out: &mut RowsMut<'_, f64>) {
        let Function { responses, values, .. } = &self.model.function;
        let step = STEP * self.parameters[k].abs().max(size);
        let shifted = |step: f64| {
            let mut parameters = self.parameters.clone();
            parameters[k] += step;
            parameters
        };
        let (before, after) = (shifted(-step), shifted(step));
        let distance = after[k] - before[k];
        let rule = |x: &[f64], y: &mut [f64]| {
            let (left, right) = y.split_at_mut(*responses);
            values(x, &before, left);
            values(x, &after, right);
            left.iter_mut()
                .zip(right)
                .for_each(|(left, right)| *left = (*right - *left) / distance);
        };
        let mut columns = vec![0.0; 2 * responses * out.lanes()];
        let mut columns = RowsMut::new(&mut columns, out.lanes());
        self.each(inputs, (&mut columns, 0, 2 * responses), rule);
        for response in 0..*responses {
            let row = responses + response * self.parameters.len() + k;
            out[row].copy_from_slice(&columns[response]);
        }
    }
}

impl Bound for BoundFunction<'_, '_> {
    fn values(&self, inputs: Rows<'_, f64>, mut out: RowsMut<'_, f64>) {
        let Function { responses, values, .. } = &self.model.function;
        self.each(inputs, (&mut out, 0, *responses), |x, y| values(x, &self.parameters, y));
    }

    fn derivatives(&self, inputs: Rows<'_, f64>, mut out: RowsMut<'_, f64>) {
        self.values(inputs, out.reborrow());
        let (responses, count) = (self.model.function.responses, self.parameters.len());
        match &self.model.derivatives {
            Derivatives::Exact(rule) => {
                let rule = |x: &[f64], by: &mut [f64]| rule(x, &self.parameters, by);
                self.each(inputs, (&mut out, responses, responses * count), rule);
            }
            Derivatives::Differences { sizes } => {
                for (k, size) in sizes.iter().enumerate() {
                    self.difference(k, *size, inputs, &mut out);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two responses of two parameters, with a size of 1e-12.
    fn function() -> Function<'static> {
        Function::of_responses((1, 2), &["a", "c"], |x, p, y| {
            (y[0], y[1]) = (p[0] * x[0].exp() + p[0].powi(3), (1e12 * p[1]).sin() / x[0]);
        })
    }

    fn rows(model: &FunctionModel<'_>, parameters: &[f64]) -> Vec<f64> {
        let (inputs, mut out) = ([0.5, 1.0, 2.0], [f64::NAN; 18]);
        let bound = model.at(parameters).unwrap();
        bound.derivatives(Rows::new(&inputs, 3), RowsMut::new(&mut out, 3));
        out.to_vec()
    }

    #[test]
    fn differences_agree_with_derivatives() {
        let exact = function().derivatives(|x, p, by| {
            (by[0], by[1]) = (x[0].exp() + 3.0 * p[0] * p[0], 0.0);
            (by[2], by[3]) = (0.0, 1e12 * (1e12 * p[1]).cos() / x[0]);
        });
        let differences = function().differences(&[1.0, 1e-12]).unwrap();
        // At 0 the sizes alone set the steps.
        for parameters in [[0.7, 2e-12], [0.0, 0.0]] {
            let (exact, found) = (rows(&exact, &parameters), rows(&differences, &parameters));
            for (k, (exact, found)) in exact.iter().zip(&found).enumerate() {
                assert!(
                    (exact - found).abs() <= 1e-10 * exact.abs().max(1.0),
                    "{k}: {found} {exact}"
                );
            }
        }
    }

    #[test]
    fn sizes_are_checked() {
        let error = function().differences(&[1.0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the number of sizes of parameters is 1, expected one for each parameter"
        );
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = function().differences(&[1.0, bad]).unwrap_err();
            assert!(matches!(&error, FitError::Size { name, .. } if name == "c"), "{error}");
        }
    }
}
