//! Settings of a fit: a model file, and the options of the command line over it.

use super::FitArgs;
use crate::Error;
use crate::error::FittingError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Model file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    pub(super) formula: String,
    #[serde(default)]
    pub(super) data: Data,
    #[serde(default)]
    pub(super) parameters: BTreeMap<String, Parameter>,
    #[serde(default)]
    pub(super) fit: Minimisation,
    #[serde(default)]
    pub(super) derived: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Data {
    pub(super) response: Option<String>,
    pub(super) sigma: Option<String>,
    pub(super) weight: Option<String>,
    #[serde(default)]
    pub(super) missing: MissingRows,
    #[serde(default)]
    pub(super) missing_values: Vec<String>,
    /// Names in the formula of columns with other names in the file.
    #[serde(default)]
    pub(super) names: BTreeMap<String, String>,
}

/// What happens to rows with missing values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MissingRows {
    #[default]
    Error,
    Skip,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Parameter {
    pub(super) start: Option<f64>,
    pub(super) within: Option<[f64; 2]>,
    pub(super) fixed: Option<f64>,
    pub(super) tied: Option<String>,
    #[serde(default)]
    pub(super) log: bool,
    pub(super) prior: Option<Prior>,
}

/// Normal prior.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Prior {
    pub(super) mean: f64,
    pub(super) sd: f64,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Minimisation {
    #[serde(default)]
    pub(super) loss: Loss,
    pub(super) scale: Option<f64>,
    pub(super) level: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Loss {
    #[default]
    Squares,
    Huber,
    #[serde(rename = "soft-l1")]
    SoftL1,
    Cauchy,
    Arctan,
}

impl Settings {
    /// The model file or formula, with the options of the command line.
    pub(super) fn new(model: &str, args: &FitArgs) -> Result<Self, Error> {
        let path = Path::new(model);
        let is_file = path.extension().is_some_and(|extension| extension == "toml");
        let mut settings = if is_file {
            Self::read(path)?
        } else {
            Self { formula: model.to_owned(), ..Self::default() }
        };
        settings.take(args)?;
        Ok(settings)
    }

    fn read(path: &Path) -> Result<Self, Error> {
        let name = || path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|source| Error::Read { name: name(), source })?;
        toml::from_str(&text).map_err(|error| {
            FittingError::ModelFile { name: name(), reason: error.to_string() }.into()
        })
    }

    /// Takes over the options of the command line.
    fn take(&mut self, args: &FitArgs) -> Result<(), Error> {
        let data = &mut self.data;
        data.response = args.response.clone().or(data.response.take());
        if args.sigma.is_some() || args.weight.is_some() {
            (data.sigma, data.weight) = (args.sigma.clone(), args.weight.clone());
        }
        if args.skip {
            data.missing = MissingRows::Skip;
        }
        for (name, value) in crate::input::named_values::parse(&args.start)? {
            self.parameter(name).start = Some(value);
        }
        for (name, value) in crate::input::named_values::parse(&args.fix)? {
            self.parameter(name).fixed = Some(value);
        }
        for text in &args.within {
            let bad = || Error::BadParameter { text: text.clone() };
            let (name, range) = text.split_once('=').ok_or_else(bad)?;
            let (low, high) = range.split_once(':').ok_or_else(bad)?;
            let number = |text: &str| text.trim().parse::<f64>().map_err(|_| bad());
            self.parameter(name.trim()).within = Some([number(low)?, number(high)?]);
        }
        for text in &args.tie {
            let bad = || Error::BadParameter { text: text.clone() };
            let (name, expression) = text.split_once('=').ok_or_else(bad)?;
            self.parameter(name.trim()).tied = Some(expression.trim().to_owned());
        }
        for expression in &args.derived {
            self.derived.insert(expression.clone(), expression.clone());
        }
        Ok(())
    }

    fn parameter(&mut self, name: &str) -> &mut Parameter {
        self.parameters.entry(name.to_owned()).or_default()
    }

    pub(super) fn level(&self) -> f64 {
        self.fit.level.unwrap_or(0.95)
    }
}
