//! The fit of a model to sets of data.

use super::args::Loss;
use super::data::Rows;
use super::model::{Columns, SetModel, Specification};
use super::relative::RelativeWeights;
use super::settings::{MissingRows, SetFile, Settings};
use crate::Error;
use crate::error::FittingError;
use hpfracc::fit::{Column, Fit, FitError, Set};

/// Model with its data.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) settings: Settings,
    pub(super) sets: Vec<TaskSet>,
}

/// Set of data with its model.
#[derive(Debug)]
pub(super) struct TaskSet {
    pub(super) name: String,
    pub(super) rows: Rows,
    pub(super) of: SetModel,
    /// Columns of standard deviations or weights: none, one, or one for each response.
    weights: Vec<usize>,
    relative: Option<RelativeWeights>,
}

impl Task {
    pub(super) fn new(settings: Settings, files: &[(SetFile, Rows)]) -> Result<Self, Error> {
        let specification = Specification::new(&settings)?;
        let set = |(file, rows): &(SetFile, Rows)| {
            TaskSet::new(&specification, &settings, file, rows.clone())
        };
        let sets = files.iter().map(set).collect::<Result<_, Error>>()?;
        Ok(Self { settings, sets })
    }

    /// The model as it was read.
    pub(super) fn text(&self) -> &str {
        self.sets.first().map_or("", |set| &set.of.text)
    }

    /// Name of the model, or its text.
    pub(super) fn name(&self) -> &str {
        let Settings { model, formula, equation, .. } = &self.settings;
        let given = model.as_ref().or(formula.as_ref()).or(equation.as_ref());
        given.map_or("", String::as_str)
    }

    /// Choices that were made while reading.
    pub(super) fn notes(&self) -> impl Iterator<Item = &str> {
        self.sets
            .iter()
            .flat_map(|set| set.rows.notes.iter().chain(&set.of.notes))
            .map(String::as_str)
    }

    /// Names of the sets, separated by commas.
    pub(super) fn data(&self) -> String {
        self.sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Names of the responses.
    pub(super) fn responses(&self) -> &Columns {
        &self.sets[0].of.responses
    }

    pub(super) fn fit(&self) -> Result<Fit<'_>, Error> {
        let sets = self.sets.iter().map(|set| set.set(&self.settings)).collect();
        Ok(Fit::of(sets).and_then(|fit| self.configured(fit)).map_err(FittingError::from)?)
    }

    fn configured<'a>(&self, mut fit: Fit<'a>) -> Result<Fit<'a>, FitError> {
        let all = &self.settings.parameters;
        // Sets copy what is known of their own parameters; settings of the copies come later.
        let (of_sets, shared): (Vec<_>, Vec<_>) =
            all.iter().partition(|(name, _)| name.contains('@'));
        for (name, parameter) in shared {
            fit = parameter.applied(name, fit)?;
        }
        for name in &self.settings.own {
            fit = fit.own(name)?;
        }
        for (name, parameter) in of_sets {
            fit = parameter.applied(name, fit)?;
        }
        for (name, parameter) in all {
            if let Some(expression) = &parameter.tied {
                fit = fit.tie(name, expression)?;
            }
        }
        if let Some(count) = self.settings.fit.starts {
            fit = fit.starts(count as usize, self.settings.fit.seed);
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
            Loss::Tukey => Of::Tukey,
        }
    }
}

impl TaskSet {
    fn new(
        specification: &Specification,
        settings: &Settings,
        file: &SetFile,
        mut rows: Rows,
    ) -> Result<Self, Error> {
        let (name, data) = (file.name(), &settings.data);
        rows.rename(&name, &data.names)?;
        let of = specification.of_set(settings, file, &rows)?;
        let columns = if data.sigma.is_empty() { &data.weight } else { &data.sigma };
        let weights = columns.iter().map(|column| rows.index(&name, column));
        let weights = weights.collect::<Result<Vec<usize>, Error>>()?;
        let (found, expected) = (weights.len(), of.responses.names.len());
        if !(found <= 1 || found == expected) {
            return Err(FittingError::Weights { name, found, expected }.into());
        }
        let responses = &of.responses.indices;
        let relative =
            data.relative.map(|to| RelativeWeights::new(rows.clone(), responses.clone(), to));
        Ok(Self { name, rows, of, weights, relative })
    }

    fn set(&self, settings: &Settings) -> Set<'_> {
        let source = self.rows.source();
        let mut set = Set::new(&self.name, &*self.of.model);
        for column in &self.of.inputs.indices {
            set = set.input(Column::of(source, *column));
        }
        for (response, column) in self.of.responses.indices.iter().enumerate() {
            set = set.response(Column::of(source, *column));
            let weights = self.weights.get(response).or(self.weights.first());
            set = match (weights, &self.relative) {
                (Some(column), _) if settings.data.sigma.is_empty() => {
                    set.weight(Column::of(source, *column))
                }
                (Some(column), _) => set.sigma(Column::of(source, *column)),
                (None, Some(relative)) => set.weight(Column::of(relative, response)),
                (None, None) => set,
            };
        }
        if settings.data.missing == MissingRows::Skip { set.skip_not_finite() } else { set }
    }
}
