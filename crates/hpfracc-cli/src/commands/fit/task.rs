//! The fit of a model to the columns of a file.

use super::data::Rows;
use super::settings::{Loss, MissingRows, Settings};
use crate::Error;
use crate::error::FittingError;
use hpfracc::equation::Formula;
use hpfracc::fit::{Column, Fit, FormulaModel, Set};

/// Model with its data.
pub(super) struct Task {
    pub(super) settings: Settings,
    pub(super) model: FormulaModel,
    /// The formula as it was read.
    pub(super) formula: String,
    pub(super) rows: Rows,
    /// The data on the command line.
    pub(super) name: String,
    /// Index of the response among the columns.
    pub(super) response: usize,
}

impl Task {
    pub(super) fn new(settings: Settings, mut rows: Rows, name: String) -> Result<Self, Error> {
        for (written, column) in &settings.data.names {
            let known = rows.names.iter().position(|known| known == column);
            let known = known.ok_or_else(|| unknown_column(&name, column, &rows))?;
            rows.names[known].clone_from(written);
        }
        let names: Vec<&str> = rows.names.iter().map(String::as_str).collect();
        let formula = Formula::parse(&settings.formula, &names)
            .map_err(|source| Error::equation("formula", source))?;
        let model = FormulaModel::new(std::slice::from_ref(&formula))
            .map_err(|error| Error::from(FittingError::from(error)))?;
        let named = settings.data.response.as_deref().or(formula.response());
        let weights = [&settings.data.sigma, &settings.data.weight].map(|name| name.as_deref());
        let response = match named {
            Some(column) => index(&name, column, &rows)?,
            None => {
                let free = |column: &&str| {
                    !formula.columns().contains(column) && !weights.contains(&Some(column))
                };
                let candidates: Vec<&str> = names.iter().copied().filter(free).collect();
                match candidates[..] {
                    [only] => index(&name, only, &rows)?,
                    _ => {
                        let candidates = candidates.join(", ");
                        return Err(FittingError::WhichResponse { name, candidates }.into());
                    }
                }
            }
        };
        Ok(Self { formula: formula.to_string(), settings, model, rows, name, response })
    }

    fn column(&self, name: &str) -> Result<Column<'_>, Error> {
        Ok(Column::of(self.rows.source(), index(&self.name, name, &self.rows)?))
    }

    pub(super) fn fit(&self) -> Result<Fit<'_>, Error> {
        let mut set = Set::new(&self.name, &self.model);
        for name in self.model.columns() {
            set = set.input(self.column(name)?);
        }
        set = set.response(Column::of(self.rows.source(), self.response));
        if let Some(name) = &self.settings.data.sigma {
            set = set.sigma(self.column(name)?);
        } else if let Some(name) = &self.settings.data.weight {
            set = set.weight(self.column(name)?);
        }
        if self.settings.data.missing == MissingRows::Skip {
            set = set.skip_not_finite();
        }
        let fit = Fit::new(set).map_err(FittingError::from)?;
        Ok(self.configured(fit).map_err(FittingError::from)?)
    }

    fn configured<'a>(&self, mut fit: Fit<'a>) -> Result<Fit<'a>, hpfracc::fit::FitError> {
        for (name, parameter) in &self.settings.parameters {
            if let Some(start) = parameter.start {
                fit = fit.start(name, start)?;
            }
            if let Some([low, high]) = parameter.within {
                fit = fit.bounds(name, low, high)?;
            }
            if let Some(value) = parameter.fixed {
                fit = fit.fix(name, value)?;
            }
            if let Some(expression) = &parameter.tied {
                fit = fit.tie(name, expression)?;
            }
            if parameter.log {
                fit = fit.logarithmic(name)?;
            }
            if let Some(prior) = parameter.prior {
                fit = fit.prior(name, prior.mean, prior.sd)?;
            }
        }
        if let Some(scale) = self.settings.fit.scale {
            fit = fit.loss_scale(scale)?;
        }
        Ok(fit.loss(self.loss()))
    }

    fn loss(&self) -> hpfracc::fit::Loss {
        use hpfracc::fit::Loss as Of;
        match self.settings.fit.loss {
            Loss::Squares => Of::Squares,
            Loss::Huber => Of::Huber,
            Loss::SoftL1 => Of::SoftL1,
            Loss::Cauchy => Of::Cauchy,
            Loss::Arctan => Of::Arctan,
        }
    }

    pub(super) fn response_name(&self) -> &str {
        &self.rows.names[self.response]
    }
}

fn index(file: &str, column: &str, rows: &Rows) -> Result<usize, Error> {
    let found = rows.names.iter().position(|known| known == column);
    found.ok_or_else(|| unknown_column(file, column, rows))
}

fn unknown_column(file: &str, column: &str, rows: &Rows) -> Error {
    let known = rows.names.iter().map(String::as_str);
    Error::unknown(format!("{file}: "), "column", column, known)
}
