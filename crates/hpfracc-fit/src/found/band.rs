use super::result::Found;
use crate::FitError;
use crate::data::Set;
use crate::parameters::Tie;
use hpfracc_lanes::{Rows, RowsMut};

/// Value with a confidence interval, and the interval of a new observation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Value.
    pub value: f64,
    /// Standard error.
    pub standard_error: f64,
    /// Confidence interval of the value.
    pub confidence: (f64, f64),
    /// Interval of a new observation of weight 1: that of the value and the variance of a residual.
    pub prediction: (f64, f64),
}

impl Found<'_> {
    /// Value and standard error of an expression of the parameters, such as `tau*2`, by its derivatives. There is no error
    /// where the expression depends on no free parameter, or on one that a bound holds.
    ///
    /// # Errors
    /// [`FitError::Tie`] for an expression that cannot be read.
    pub fn derived(&self, expression: &str) -> Result<(f64, Option<f64>), FitError> {
        let tie = Tie::parse(expression, expression, &self.names())?;
        let (value, derivatives) = tie.value(&self.values());
        let mut gradient = vec![];
        for (source, derivative) in tie.sources().zip(derivatives) {
            let slopes = self.covariance.slopes(source).iter();
            gradient.extend(slopes.map(|(unknown, slope)| (*unknown, derivative * slope)));
        }
        let squares =
            self.covariance.symmetric(&gradient).map(|x| x.iter().map(|x| x * x).sum::<f64>());
        Ok((value, squares.map(|square| (square * self.covariance_unit()).sqrt())))
    }

    /// The model of a set for new inputs, a column each: a list for each response.
    ///
    /// # Errors
    /// [`FitError::Columns`] and [`FitError::Rows`] for other columns than those of the model, and [`FitError::Empty`] for a
    /// set that does not exist.
    pub fn evaluate(&self, set: usize, inputs: &[&[f64]]) -> Result<Vec<Vec<f64>>, FitError> {
        let (set, parameters, lanes) = self.set_for(set, inputs)?;
        let mut rows = vec![0.0; set.model.responses() * lanes];
        let inputs = inputs.concat();
        set.model
            .at(&parameters)?
            .values(Rows::new(&inputs, lanes), RowsMut::new(&mut rows, lanes));
        Ok(rows.chunks_exact(lanes.max(1)).map(<[f64]>::to_vec).collect())
    }

    /// A set, the values of its parameters, and the number of rows of new inputs.
    fn set_for(
        &self,
        set: usize,
        inputs: &[&[f64]],
    ) -> Result<(&Set<'_>, Vec<f64>, usize), FitError> {
        let indices = self.layout.parameters().of_sets.get(set);
        let (Some(indices), Some(set)) = (indices, self.sets.get(set)) else {
            return Err(FitError::Empty { what: "a set of this number" });
        };
        let (found, expected) = (inputs.len(), set.model.inputs());
        if found != expected {
            let what = "columns of inputs";
            return Err(FitError::Columns { set: set.name.clone(), what, found, expected });
        }
        let lanes = inputs.first().map_or(1, |column| column.len());
        if let Some(column) = inputs.iter().find(|column| column.len() != lanes) {
            let (what, found) = ("inputs", column.len());
            return Err(FitError::Rows { set: set.name.clone(), what, found, expected: lanes });
        }
        let values = self.values();
        Ok((set, indices.iter().map(|k| values[*k]).collect(), lanes))
    }

    /// The model of a set for new inputs, a column each, with intervals of a level: a list for each response.
    ///
    /// # Errors
    /// [`FitError::Columns`] and [`FitError::Rows`] for other columns than those of the model, [`FitError::Empty`] for a set
    /// that does not exist or without standard errors, [`FitError::OutOfRange`] for a level that is not between 0 and 1.
    pub fn band(
        &self,
        set: usize,
        inputs: &[&[f64]],
        level: f64,
    ) -> Result<Vec<Vec<Interval>>, FitError> {
        let quantile = self.quantile(level)?;
        let (of_set, parameters, lanes) = self.set_for(set, inputs)?;
        let (indices, set) = (&self.layout.parameters().of_sets[set], of_set);
        let (responses, count) = (set.model.responses(), indices.len());
        let mut rows = vec![0.0; responses * (1 + count) * lanes];
        let inputs = inputs.concat();
        set.model
            .at(&parameters)?
            .derivatives(Rows::new(&inputs, lanes), RowsMut::new(&mut rows, lanes));
        let row = |k: usize| &rows[k * lanes..][..lanes];
        let interval = |response: usize, lane: usize| {
            let mut gradient = vec![];
            for (k, index) in indices.iter().enumerate() {
                let derivative = row(responses + response * count + k)[lane];
                let slopes = self.covariance.slopes(*index).iter();
                gradient.extend(slopes.map(|(unknown, slope)| (*unknown, derivative * slope)));
            }
            let propagated = self.covariance.propagated(&gradient)?;
            let square = propagated.iter().map(|x| x * x).sum::<f64>();
            let square = square * self.covariance_unit();
            let value = row(response)[lane];
            let around = |variance: f64| {
                let half = quantile * variance.sqrt();
                (value - half, value + half)
            };
            let (confidence, prediction) = (around(square), around(square + self.variance()));
            Some(Interval { value, standard_error: square.sqrt(), confidence, prediction })
        };
        (0..responses)
            .map(|response| (0..lanes).map(|lane| interval(response, lane)).collect::<Option<_>>())
            .collect::<Option<_>>()
            .ok_or(FitError::Empty { what: "standard errors for a band" })
    }
}
