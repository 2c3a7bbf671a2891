//! The transform that a command line asks for.

use super::args::{Kind, TransformArgs};
use crate::Error;
use crate::error::TransformError;
use crate::text::{rounded, shortest};
use hpfracc::ndarray::ArrayView1;
use hpfracc::transforms::num_complex::Complex64;
use hpfracc::transforms::{DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform};

/// A transform with its numbers.
pub(super) enum Request {
    FractionalFourier { order: f64 },
    DiscreteFractionalFourier { order: f64 },
    FractionalDft { rate: f64, first: f64, bins: Option<usize> },
}

/// What came out.
pub(super) struct Transformed {
    /// Name of the coordinate.
    pub(super) coordinate: &'static str,
    /// What its axis is called.
    pub(super) axis: &'static str,
    pub(super) coordinates: Vec<f64>,
    pub(super) values: Vec<Complex64>,
    /// What the coordinate means.
    pub(super) meaning: String,
}

impl Request {
    /// Refuses options that are missing, and those that mean nothing for this kind.
    pub(super) fn new(args: &TransformArgs) -> Result<Self, Error> {
        let kind = args.kind;
        let needed = |option, value: Option<f64>| {
            value.ok_or_else(|| TransformError::OptionMissing { kind: name(kind), option })
        };
        let unused = |option, value: Option<String>| match value {
            Some(value) => {
                let reason = format!("{} has no such number", name(kind));
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

    /// The numbers by their names.
    fn numbers(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::FractionalFourier { order } | Self::DiscreteFractionalFourier { order } => {
                vec![("order", order)]
            }
            Self::FractionalDft { rate, first, .. } => vec![("first", first), ("rate", rate)],
        }
    }

    /// As a column is called: `fractional-fourier_order=0.5(x)`.
    pub(super) fn column(&self, input: &str) -> String {
        let numbers = self.numbers().into_iter();
        let numbers: String = numbers.map(|(n, v)| format!("_{n}={}", shortest(v))).collect();
        format!("{}{numbers}({input})", name(self.kind()))
    }

    /// The same in a sentence.
    pub(super) fn title(&self) -> String {
        let numbers = self.numbers().into_iter();
        let numbers: String = numbers.map(|(n, v)| format!(", {n} {}", shortest(v))).collect();
        format!("{}{numbers}", name(self.kind()))
    }

    /// Transforms samples that are `dt` apart.
    pub(super) fn apply(&self, samples: &[Complex64], dt: f64) -> Result<Transformed, Error> {
        let n = samples.len();
        match *self {
            Self::FractionalFourier { order } => {
                let transform = FractionalFourier::new(n, order)?;
                turned(samples, &transform, transform.coordinates().to_vec(), dt)
            }
            Self::DiscreteFractionalFourier { order } => {
                let transform = DiscreteFractionalFourier::new(n, order)?;
                turned(samples, &transform, transform.coordinates().to_vec(), dt)
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

/// Through a transform between time and frequency.
fn turned(
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

/// As it is typed.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::FractionalFourier => "fractional-fourier",
        Kind::DiscreteFractionalFourier => "discrete-fractional-fourier",
        Kind::FractionalDft => "fractional-dft",
    }
}

/// What one unit of the coordinate of the fractional Fourier transforms means.
fn unit_of(n: usize, dt: f64) -> String {
    let unit = dt * (n as f64).sqrt();
    format!(
        "u = j/sqrt({n}), j = 0 in the middle of the record: at order 0 time in units of {}, at order 1 \
         frequency in units of {}",
        rounded(unit),
        rounded(unit.recip())
    )
}
