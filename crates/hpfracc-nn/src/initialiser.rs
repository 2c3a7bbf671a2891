use crate::Scalar;
use hpfracc_solvers::noise::{Normals, Purpose, Stream};
use serde::{Deserialize, Serialize};

/// How weights start, given the numbers of inputs and outputs of each of them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Initialiser {
    /// Normal with variance 2/(inputs + outputs).
    ///
    /// Source: Glorot and Bengio, AISTATS (2010).
    #[default]
    GlorotNormal,
    /// Normal with variance 2/inputs, for relu.
    ///
    /// Source: He, Zhang, Ren and Sun, ICCV (2015), DOI 10.1109/ICCV.2015.123.
    HeNormal,
    /// Normal with variance 1/inputs.
    LecunNormal,
    /// Normal with this standard deviation.
    Normal(f64),
    /// All the same.
    Constant(f64),
}

impl Initialiser {
    /// Fills weights of (inputs, outputs) with the elements `first`, `first + 1`, ... of the seed's
    /// series for parameters.
    pub fn fill<T: Scalar>(
        self,
        normals: &Normals,
        first: u64,
        (inputs, outputs): (usize, usize),
        weights: &mut [T],
    ) {
        let deviation = match self {
            Self::GlorotNormal => (2.0 / (inputs + outputs) as f64).sqrt(),
            Self::HeNormal => (2.0 / inputs as f64).sqrt(),
            Self::LecunNormal => (1.0 / inputs as f64).sqrt(),
            Self::Normal(deviation) => deviation,
            Self::Constant(value) => {
                weights.fill(T::narrow(value));
                return;
            }
        };
        let deviation = T::narrow(deviation);
        if let Some(stream) = Stream::new(Purpose::Parameters, 0) {
            for (weight, path) in weights.iter_mut().zip(first..) {
                *weight = deviation * normals.at(stream, path, 0);
            }
        }
    }
}
