//! Answers of `hpfracc_web::Explorer` in the types that the window draws.

use hpfracc_web::Answered;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Equation of the catalogue.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) steps: usize,
}

/// States, parameters and orders of a text, or its errors.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Checked {
    pub(crate) ok: bool,
    pub(crate) parameters: Vec<Range>,
    pub(crate) orders: Vec<Range>,
    pub(crate) stochastic: bool,
    pub(crate) errors: Vec<TextError>,
}

/// Range of a slider, and its value in the text.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Range {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    #[serde(default)]
    pub(crate) logarithmic: bool,
}

/// Error with its place in the text, in UTF-16 units.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct TextError {
    pub(crate) message: String,
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
}

/// Solution, or mean of an ensemble.
#[derive(Debug, Clone)]
pub(crate) struct Computed {
    pub(crate) t: Vec<f64>,
    pub(crate) curves: Vec<Curve>,
    /// Method, place and time.
    pub(crate) method: String,
    pub(crate) notes: Vec<String>,
}

/// Values of a quantity at the times.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) y: Vec<f64>,
    /// Quantiles of 5 % and 95 %.
    pub(crate) band: Option<[Vec<f64>; 2]>,
    /// Exact solution or mean, where it is known.
    pub(crate) exact: Option<Vec<f64>>,
}

/// Answer of a request that only has JSON.
pub(crate) fn read<T: DeserializeOwned>(answered: &Answered) -> Result<T, String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Envelope<T> {
        Answer(T),
        Error(TextError),
    }
    match serde_json::from_str(&answered.json) {
        Ok(Envelope::Answer(answer)) => Ok(answer),
        Ok(Envelope::Error(error)) => Err(error.message),
        Err(error) => Err(format!("the answer cannot be read: {error}")),
    }
}

/// Answer of `solve`.
pub(crate) fn solution(answered: &Answered) -> Result<Computed, String> {
    #[derive(Deserialize)]
    struct Solved {
        t: Place,
        names: Vec<String>,
        y: Vec<Place>,
        exact: Option<BTreeMap<String, Place>>,
        scheme: String,
        steps: usize,
        milliseconds: f64,
        notes: Vec<String>,
    }
    let solved: Solved = read(answered)?;
    let exact = solved.exact.unwrap_or_default();
    let curves = solved.names.into_iter().zip(solved.y).map(|(name, y)| Curve {
        y: y.of(answered),
        band: None,
        exact: exact.get(&name).map(|place| place.of(answered)),
        name,
    });
    Ok(Computed {
        curves: curves.collect(),
        t: solved.t.of(answered),
        method: format!("{}, {} steps, {:.1} ms", solved.scheme, solved.steps, solved.milliseconds),
        notes: solved.notes,
    })
}

/// Answer of `ensemble`.
pub(crate) fn ensemble(answered: &Answered) -> Result<Computed, String> {
    #[derive(Deserialize)]
    struct Quantile {
        y: Vec<Place>,
    }
    #[derive(Deserialize)]
    struct Exact {
        mean: BTreeMap<String, Place>,
    }
    #[derive(Deserialize)]
    struct Statistics {
        t: Place,
        names: Vec<String>,
        mean: Vec<Place>,
        quantiles: Vec<Quantile>,
        exact: Option<Exact>,
        scheme: String,
        #[serde(rename = "where")]
        device: String,
        milliseconds: f64,
        path_steps_per_second: f64,
        notes: Vec<String>,
    }
    let found: Statistics = read(answered)?;
    let exact = found.exact.map(|exact| exact.mean).unwrap_or_default();
    let mut curves = Vec::new();
    for (k, name) in found.names.into_iter().enumerate() {
        let quantile = |of: &Quantile| of.y[k].of(answered);
        let band = found.quantiles.first().zip(found.quantiles.last());
        curves.push(Curve {
            y: found.mean[k].of(answered),
            band: band.map(|(low, high)| [quantile(low), quantile(high)]),
            exact: exact.get(&name).map(|place| place.of(answered)),
            name,
        });
    }
    let speed = found.path_steps_per_second / 1e6;
    let (scheme, device, milliseconds) = (found.scheme, found.device, found.milliseconds);
    Ok(Computed {
        t: found.t.of(answered),
        curves,
        method: format!(
            "{scheme}, {device}, {milliseconds:.0} ms, {speed:.0} million path steps/s"
        ),
        notes: found.notes,
    })
}

/// Place of a list among the numbers of an answer.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Place {
    #[serde(rename = "$array")]
    range: [usize; 2],
}

impl Place {
    fn of(self, answered: &Answered) -> Vec<f64> {
        let [first, count] = self.range;
        answered.numbers[first..][..count].to_vec()
    }
}
