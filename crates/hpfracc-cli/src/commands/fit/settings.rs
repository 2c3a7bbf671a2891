//! Settings of a fit: a model file, and the options of the command line over it.

use super::args::{FitArgs, Loss, Relative};
use crate::Error;
use crate::commands::fields::space::SpaceArgs;
use crate::equations::{has_operators, is_ready_field};
use crate::error::FittingError;
use crate::input::named_values;
use crate::text::nearest;
use hpfracc::equation::Equation;
use hpfracc::fit::{Fit, FitError, catalogue};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Model file: one of `model`, `formula` and `equation`, and what is set.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    /// Name in the catalogue, sum of names, or `circuit` or `transfer` with its text.
    pub(super) model: Option<String>,
    pub(super) formula: Option<String>,
    pub(super) equation: Option<String>,
    /// Numbers of the experiment in a model of the catalogue.
    #[serde(default)]
    pub(super) constants: BTreeMap<String, f64>,
    /// Whether frequencies are in hertz in place of angular ones.
    #[serde(default)]
    pub(super) hertz: bool,
    /// Parameters that each set has for itself.
    #[serde(default)]
    pub(super) own: Vec<String>,
    /// Files of data.
    #[serde(default, rename = "set")]
    pub(super) sets: Vec<SetFile>,
    #[serde(default)]
    pub(super) data: Data,
    /// Box of an equation of fields.
    #[serde(default)]
    pub(super) space: SpaceArgs,
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
    #[serde(default, deserialize_with = "one_or_more")]
    pub(super) response: Vec<String>,
    #[serde(default, deserialize_with = "one_or_more")]
    pub(super) sigma: Vec<String>,
    #[serde(default, deserialize_with = "one_or_more")]
    pub(super) weight: Vec<String>,
    pub(super) relative: Option<Relative>,
    #[serde(default)]
    pub(super) missing: MissingRows,
    #[serde(default)]
    pub(super) missing_values: Vec<String>,
    /// Names in the formula of columns with other names in the file.
    #[serde(default)]
    pub(super) names: BTreeMap<String, String>,
}

/// File of data with what belongs to it alone.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SetFile {
    pub(super) data: PathBuf,
    /// Name in the report; by default that of the file without its extension.
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) constants: BTreeMap<String, f64>,
}

impl SetFile {
    pub(super) fn name(&self) -> String {
        let stem = || self.data.file_stem().unwrap_or(self.data.as_os_str());
        self.name.clone().unwrap_or_else(|| stem().to_string_lossy().into_owned())
    }
}

/// A text, or a list of texts.
fn one_or_more<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(text) => vec![text],
        OneOrMore::More(texts) => texts,
    })
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

impl Parameter {
    /// Sets start, bounds, value, transform and prior of a parameter of a fit.
    pub(super) fn applied<'a>(&self, name: &str, mut fit: Fit<'a>) -> Result<Fit<'a>, FitError> {
        if let Some(start) = self.start {
            fit = fit.start(name, start)?;
        }
        if let Some([low, high]) = self.within {
            fit = fit.bounds(name, low, high)?;
        }
        if let Some(value) = self.fixed {
            fit = fit.fix(name, value)?;
        }
        if self.log {
            fit = fit.logarithmic(name)?;
        }
        if let Some(prior) = self.prior {
            fit = fit.prior(name, prior.mean, prior.sd)?;
        }
        Ok(fit)
    }
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
    /// Further starts.
    pub(super) starts: Option<u32>,
    /// Their seed.
    #[serde(default)]
    pub(super) seed: u64,
}

impl Settings {
    /// The model file, the name of a model or the text of one, with the options of the command line.
    pub(super) fn new(model: &str, args: &FitArgs) -> Result<Self, Error> {
        let mut settings = Self::of_model(model)?;
        settings.take(args)?;
        Ok(settings)
    }

    /// The model alone.
    pub(super) fn of_model(model: &str) -> Result<Self, Error> {
        let path = Path::new(model);
        if path.extension().is_some_and(|extension| extension == "toml") {
            return Self::read(path);
        }
        let text = || Some(model.to_owned());
        Ok(match Kind::of(model)? {
            Kind::Model => Self { model: text(), ..Self::default() },
            Kind::Formula => Self { formula: text(), ..Self::default() },
            Kind::Equation => Self { equation: text(), ..Self::default() },
        })
    }

    fn read(path: &Path) -> Result<Self, Error> {
        let name = || path.display().to_string();
        let wrong = |reason: String| Error::from(FittingError::ModelFile { name: name(), reason });
        let text =
            std::fs::read_to_string(path).map_err(|source| Error::Read { name: name(), source })?;
        let settings: Self = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let kinds = [&settings.model, &settings.formula, &settings.equation];
        if kinds.iter().filter(|kind| kind.is_some()).count() != 1 {
            return Err(wrong("expected one of `model`, `formula` and `equation`".to_owned()));
        }
        Ok(settings)
    }

    /// Takes over the options of the command line.
    fn take(&mut self, args: &FitArgs) -> Result<(), Error> {
        let data = &mut self.data;
        if !args.response.is_empty() {
            data.response.clone_from(&args.response);
        }
        if !(args.sigma.is_empty() && args.weight.is_empty() && args.relative.is_none()) {
            (data.sigma, data.weight) = (args.sigma.clone(), args.weight.clone());
            data.relative = args.relative;
        }
        if args.skip {
            data.missing = MissingRows::Skip;
        }
        for text in &args.map {
            let bad = || Error::BadParameter { text: text.clone() };
            let (name, column) = text.split_once('=').ok_or_else(bad)?;
            data.names.insert(name.trim().to_owned(), column.trim().to_owned());
        }
        if !args.data.is_empty() {
            let set = |path: &PathBuf| SetFile { data: path.clone(), ..SetFile::default() };
            self.sets = args.data.iter().map(set).collect();
        }
        if !args.space.axes.is_empty() {
            self.space = args.space.clone();
        }
        self.hertz |= args.hertz;
        self.own.extend(args.own.iter().cloned());
        for (name, value) in named_values::parse(&args.constant)? {
            self.constants.insert(name.to_owned(), value);
        }
        if args.starts.is_some() {
            (self.fit.starts, self.fit.seed) = (args.starts, args.seed);
        }
        if let Some(loss) = args.loss {
            self.fit.loss = loss;
        }
        for (name, value) in named_values::parse(&args.start)? {
            self.parameter(name).start = Some(value);
        }
        for (name, value) in named_values::parse(&args.fix)? {
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

/// What a text of the command line is.
enum Kind {
    Model,
    Formula,
    Equation,
}

impl Kind {
    fn of(text: &str) -> Result<Self, Error> {
        let is_known = |text: &str| catalogue::names().any(|name| name == text.trim());
        let described = text.starts_with("circuit ") || text.starts_with("transfer ");
        if described || text.split('+').all(is_known) {
            return Ok(Self::Model);
        }
        if is_ready_field(text) {
            return Ok(Self::Equation);
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if text.chars().all(is_name) && nearest(text, catalogue::names()).is_some() {
            return Err(Error::unknown("", "model", text, catalogue::names()));
        }
        let derivative = has_operators(text)
            || text.contains("D^")
            || text.contains('\'')
            || Equation::parse(text).is_ok();
        Ok(if derivative { Self::Equation } else { Self::Formula })
    }
}
