//! Transform of a command line.

use super::args::{Kind, TransformArgs};
use crate::Error;
use crate::error::TransformError;
use crate::memory;
use crate::text::rounded;
use hpfracc::ndarray::ArrayView1;
use hpfracc::transforms::num_complex::Complex64;
use hpfracc::transforms::{DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform};
use hpfracc::types::shortest;

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
    /// Real part, imaginary part and modulus.
    pub(super) parts: [Vec<f64>; 3],
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

    /// Checks the memory of the transform of `n` samples: padded signals, and the results with
    /// their text.
    fn require_memory(&self, n: usize) -> Result<(), Error> {
        let results = match *self {
            Self::FractionalDft { bins: Some(bins), .. } => bins,
            _ => n,
        };
        let what = format!("{} from {n} to {results} numbers", name(self.kind()));
        let bytes = (n as u64).saturating_add(results as u64).saturating_mul(512);
        memory::require(what, bytes, "take fewer samples or --bins")
    }

    /// Transforms samples with step `dt`.
    pub(super) fn apply(&self, samples: &[Complex64], dt: f64) -> Result<Transformed, Error> {
        let n = samples.len();
        self.require_memory(n)?;
        match *self {
            Self::FractionalFourier { order } => {
                let transform = FractionalFourier::new(n, order)?;
                let (coordinates, meaning) = (transform.coordinates().to_vec(), unit_of(n, dt));
                Transformed::new(&transform, samples, ("u", "u", coordinates), meaning)
            }
            Self::DiscreteFractionalFourier { order } => {
                let transform = DiscreteFractionalFourier::new(n, order)?;
                let (coordinates, meaning) = (transform.coordinates().to_vec(), unit_of(n, dt));
                Transformed::new(&transform, samples, ("u", "u", coordinates), meaning)
            }
            Self::FractionalDft { rate, first, bins } => {
                let bin = bins.unwrap_or(n).saturating_sub(1);
                if first.is_finite() && rate.is_finite() && !(first + bin as f64 * rate).is_finite()
                {
                    return Err(TransformError::Frequency { first, rate, bin }.into());
                }
                let transform = FractionalDft::zoom(n, bins.unwrap_or(n), first, rate)?;
                let meaning = format!(
                    "frequency is in cycles per sample; divided by the step, {}, in cycles per unit of time",
                    rounded(dt)
                );
                let axis = "frequency, cycles per sample";
                let coordinates = transform.frequencies().to_vec();
                Transformed::new(&transform, samples, ("frequency", axis, coordinates), meaning)
            }
        }
    }
}

impl Transformed {
    /// Transforms samples; the coordinate has a name, the label of its axis, and values.
    fn new(
        transform: &impl Transform<f64>,
        samples: &[Complex64],
        (coordinate, axis, coordinates): (&'static str, &'static str, Vec<f64>),
        meaning: String,
    ) -> Result<Self, Error> {
        let values = transform.apply(ArrayView1::from(samples))?;
        let part = |of: fn(&Complex64) -> f64| values.iter().map(of).collect();
        let parts = [part(|y| y.re), part(|y| y.im), part(|y| y.norm())];
        Ok(Self { coordinate, axis, coordinates, parts, meaning })
    }
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
