//! Transform of a command line.

use super::args::{Kind, TransformArgs};
use crate::Error;
use crate::error::TransformError;
use crate::text::{rounded, shortest};
use hpfracc::ndarray::ArrayView1;
use hpfracc::transforms::num_complex::Complex64;
use hpfracc::transforms::{DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform};

/// Transform with its parameters.
pub(super) enum Request {
    FractionalFourier { order: f64 },
    DiscreteFractionalFourier { order: f64 },
    FractionalDft { rate: f64, first: f64, bins: Option<usize> },
}

/// Result of a transform.
pub(super) struct Transformed {
    /// Name of the coordinate.
    pub(super) coordinate: &'static str,
    /// Label of its axis.
    pub(super) axis: &'static str,
    pub(super) coordinates: Vec<f64>,
    pub(super) values: Vec<Complex64>,
    /// Meaning of the coordinate, for a diagnostic.
    pub(super) meaning: String,
}

impl Request {
    /// Checks that the options of this kind are set, and no others.
    pub(super) fn new(args: &TransformArgs) -> Result<Self, Error> {
        let kind = args.kind;
        let needed = |option, value: Option<f64>| {
            value.ok_or_else(|| TransformError::OptionMissing { kind: name(kind), option })
        };
        let unused = |option, value: Option<String>| match value {
            Some(value) => {
                let reason = format!("{} has no such parameter", name(kind));
                Err(Error::OptionUnused { option, value, reason })
            }
            None => Ok(()),
        };
        if kind == Kind::FractionalDft {
            unused("--order", args.order.map(shortest))?;
            let rate = needed("--rate", args.rate)?;
            let first = args.first.unwrap_or(0.0);
            return Ok(Self::FractionalDft { rate, first, bins: args.bins });
        }
        unused("--rate", args.rate.map(shortest))?;
        unused("--first", args.first.map(shortest))?;
        unused("--bins", args.bins.map(|bins| bins.to_string()))?;
        let order = needed("--order", args.order)?;
        Ok(match kind {
            Kind::DiscreteFractionalFourier => Self::DiscreteFractionalFourier { order },
            _ => Self::FractionalFourier { order },
        })
    }

    fn kind(&self) -> Kind {
        match self {
            Self::FractionalFourier { .. } => Kind::FractionalFourier,
            Self::DiscreteFractionalFourier { .. } => Kind::DiscreteFractionalFourier,
            Self::FractionalDft { .. } => Kind::FractionalDft,
        }
    }

    /// Names and values of the parameters.
    fn numbers(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::FractionalFourier { order } | Self::DiscreteFractionalFourier { order } => {
                vec![("order", order)]
            }
            Self::FractionalDft { rate, first, .. } => vec![("first", first), ("rate", rate)],
        }
    }

    /// Name of the result column: `fractional-fourier_order=0.5(x)`.
    pub(super) fn column(&self, input: &str) -> String {
        format!("{}({input})", self.labelled("_", "="))
    }

    /// Title for pictures.
    pub(super) fn title(&self) -> String {
        self.labelled(", ", " ")
    }

    fn labelled(&self, before: &str, between: &str) -> String {
        let numbers = self.numbers().into_iter();
        let numbers = numbers.map(|(n, v)| format!("{before}{n}{between}{}", shortest(v)));
        name(self.kind()).to_owned() + &numbers.collect::<String>()
    }

    /// Transforms samples with step `dt`.
    pub(super) fn apply(&self, samples: &[Complex64], dt: f64) -> Result<Transformed, Error> {
        let n = samples.len();
        match *self {
            Self::FractionalFourier { order } => {
                let transform = FractionalFourier::new(n, order)?;
                rotate(samples, &transform, transform.coordinates().to_vec(), dt)
            }
            Self::DiscreteFractionalFourier { order } => {
                let transform = DiscreteFractionalFourier::new(n, order)?;
                rotate(samples, &transform, transform.coordinates().to_vec(), dt)
            }
            Self::FractionalDft { rate, first, bins } => {
                let transform = FractionalDft::zoom(n, bins.unwrap_or(n), first, rate)?;
                let meaning = format!(
                    "frequency is in cycles per sample; divided by the step, {}, in cycles per unit of time",
                    rounded(dt)
                );
                Ok(Transformed {
                    coordinate: "frequency",
                    axis: "frequency, cycles per sample",
                    coordinates: transform.frequencies().to_vec(),
                    values: transform.apply(ArrayView1::from(samples))?.to_vec(),
                    meaning,
                })
            }
        }
    }
}

/// Applies a transform between time and frequency.
fn rotate(
    samples: &[Complex64],
    transform: &impl Transform<f64>,
    coordinates: Vec<f64>,
    dt: f64,
) -> Result<Transformed, Error> {
    Ok(Transformed {
        coordinate: "u",
        axis: "u",
        values: transform.apply(ArrayView1::from(samples))?.to_vec(),
        meaning: unit_of(samples.len(), dt),
        coordinates,
    })
}

/// Name on the command line.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::FractionalFourier => "fractional-fourier",
        Kind::DiscreteFractionalFourier => "discrete-fractional-fourier",
        Kind::FractionalDft => "fractional-dft",
    }
}

/// Meaning of the coordinate of the fractional Fourier transforms.
fn unit_of(n: usize, dt: f64) -> String {
    let unit = dt * (n as f64).sqrt();
    format!(
        "u = j/sqrt({n}), j = 0 in the middle of the signal: at order 0 time in units of {}, at order 1 \
         frequency in units of {}",
        rounded(unit),
        rounded(unit.recip())
    )
}
