//! Report as text, and the JSON document of `--json`. Stable format: fields are added, never renamed.

use hpfracc::series::{Description, Estimate, Fit, SeriesError};
use serde::{Serialize, Serializer};

#[derive(Default, Serialize)]
pub(super) struct Report<'a> {
    /// Version of the command.
    version: Version,
    pub(super) file: &'a str,
    pub(super) column: &'a str,
    /// `noise` or `path`.
    pub(super) record: &'static str,
    /// Number of values of the file, and of the noise.
    pub(super) values: usize,
    pub(super) observations: usize,
    pub(super) estimates: Vec<Estimated>,
    /// Exponents that are no estimates.
    pub(super) descriptions: Vec<Described>,
    /// Methods without a result.
    pub(super) failed: Vec<Failed>,
}

struct Version(&'static str);

impl Default for Version {
    fn default() -> Self {
        Self(env!("CARGO_PKG_VERSION"))
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

/// Result of an estimator.
#[derive(Serialize)]
pub(super) struct Estimated {
    method: String,
    outcome: String,
    /// Null for estimators without a likelihood.
    log_likelihood: Option<f64>,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    value: f64,
    /// Null at a bound, and where the data do not determine the parameter.
    standard_error: Option<f64>,
    /// 95 % interval.
    interval: Option<(f64, f64)>,
}

#[derive(Serialize)]
pub(super) struct Described {
    method: &'static str,
    exponent: f64,
    /// Exponents of simulated noises of the same length.
    expected: Vec<Expected>,
}

#[derive(Serialize)]
struct Expected {
    hurst: f64,
    mean: f64,
    standard_deviation: f64,
}

#[derive(Serialize)]
pub(super) struct Failed {
    pub(super) method: &'static str,
    #[serde(serialize_with = "as_text")]
    pub(super) reason: SeriesError,
}

fn as_text<S: Serializer>(error: &SeriesError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

impl Estimated {
    pub(super) fn new(fit: &Fit) -> Self {
        let parameter = |estimate: &Estimate| Parameter {
            name: estimate.name().to_owned(),
            value: estimate.value(),
            standard_error: estimate.standard_error(),
            interval: estimate.interval(),
        };
        Self {
            method: fit.method().to_owned(),
            outcome: fit.outcome().to_string(),
            log_likelihood: fit.log_likelihood(),
            parameters: fit.estimates().iter().chain(fit.derived()).map(parameter).collect(),
        }
    }

    fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// Method, H, its error and interval, d, and how the estimation ended where that matters.
    fn row(&self) -> [String; 6] {
        let hurst = self.parameter("hurst");
        let of = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        let interval = hurst.and_then(|hurst| hurst.interval);
        let interval = interval.map(|(low, high)| format!("[{low:.4}, {high:.4}]"));
        [
            self.method.clone(),
            of(hurst.map(|hurst| hurst.value)),
            of(hurst.and_then(|hurst| hurst.standard_error)),
            interval.unwrap_or_else(|| "-".to_owned()),
            of(self.parameter("d").map(|d| d.value)),
            if self.outcome == "converged" { String::new() } else { self.outcome.clone() },
        ]
    }

    /// Parameters besides H and d, where there are any that a reader asked for.
    fn further(&self) -> Option<String> {
        let further = |parameter: &&Parameter| {
            parameter.name.starts_with("ar") || parameter.name.starts_with("ma")
        };
        let of = |parameter: &Parameter| {
            let error = parameter.standard_error.map_or(String::new(), |e| format!(" +- {e:.4}"));
            format!("{} {:.4}{error}", parameter.name, parameter.value)
        };
        let further: Vec<String> = self.parameters.iter().filter(further).map(of).collect();
        (!further.is_empty()).then(|| format!("{}: {}", self.method, further.join(", ")))
    }
}

impl Described {
    pub(super) fn new(description: &Description) -> Self {
        let expected = description.expected().iter().map(|of| Expected {
            hurst: of.hurst,
            mean: of.mean,
            standard_deviation: of.standard_deviation,
        });
        Self {
            method: description.method(),
            exponent: description.exponent(),
            expected: expected.collect(),
        }
    }

    fn headings(&self) -> Vec<String> {
        let names = self.expected.iter().map(|of| format!("H = {}", of.hurst));
        let first = ["no estimate".to_owned(), "exponent".to_owned()];
        first.into_iter().chain(names).collect()
    }

    fn row(&self) -> Vec<String> {
        let first = [self.method.to_owned(), format!("{:.3}", self.exponent)];
        let expected = self
            .expected
            .iter()
            .map(|of| format!("{:.3} +- {:.3}", of.mean, of.standard_deviation));
        first.into_iter().chain(expected).collect()
    }
}

impl Report<'_> {
    pub(super) fn text(&self) -> String {
        let Self { file, column, values, observations, .. } = self;
        let mut text = match self.record {
            "path" => format!(
                "{file}: column `{column}`, a path of {values} values with {observations} steps\n\n"
            ),
            _ => format!("{file}: column `{column}`, a noise of {values} values\n\n"),
        };
        let headings = ["estimate", "H", "error", "95 % interval", "d = H - 1/2", ""];
        let mut rows = vec![headings.map(str::to_owned).to_vec()];
        rows.extend(self.estimates.iter().map(|estimated| estimated.row().to_vec()));
        text += &aligned(&rows);
        for further in self.estimates.iter().filter_map(Estimated::further) {
            text += &format!("{further}\n");
        }
        if let Some(first) = self.descriptions.first() {
            let mut rows = vec![first.headings()];
            rows.extend(self.descriptions.iter().map(Described::row));
            text += &format!("\n{}", aligned(&rows));
            text += "The columns of H are exponents of simulated noises of this length.\n";
        }
        for Failed { method, reason } in &self.failed {
            text += &format!("\nwithout a result: {method}: {reason}\n");
        }
        text
    }

    /// A note where the record looks like the other kind.
    pub(super) fn doubt(&self, near_end: f64) -> Option<String> {
        let hurst = self.estimates.first()?.parameter("hurst")?.value;
        match self.record {
            "noise" if hurst > 1.0 - near_end => Some(format!(
                "H = {hurst:.3} of a noise is that of a path, too: if this is a wandering level, say --path"
            )),
            "path" if hurst < near_end => Some(format!(
                "H = {hurst:.3} of a path is that of a noise, too: if these are fluctuations about a mean, say --noise"
            )),
            _ => None,
        }
    }
}

/// Rows with columns as wide as their widest cell.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}
