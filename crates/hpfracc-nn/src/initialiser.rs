use crate::Scalar;
use hpfracc_lanes::Elementary;
use hpfracc_sde::noise::{Gaussian, Normals, Purpose, Stream};
use serde::{Deserialize, Serialize};

/// Initial values of weights, given the numbers of inputs and outputs of each weight.
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
    /// Uniform with the variance of [`GlorotNormal`](Self::GlorotNormal).
    GlorotUniform,
    /// Uniform with the variance of [`HeNormal`](Self::HeNormal).
    HeUniform,
    /// Uniformly distributed matrix with orthonormal rows, or columns if it has fewer of those.
    ///
    /// Source: Saxe, McClelland and Ganguli, ICLR (2014), arXiv:1312.6120.
    Orthogonal,
    /// Normal with this standard deviation.
    Normal(f64),
    /// All equal to this number.
    Constant(f64),
}

impl Initialiser {
    /// Fills weights with (inputs, outputs), from elements `first`, `first + 1`, ... of the seed's
    /// stream for parameters.
    pub fn fill<T: Scalar>(
        self,
        normals: &Normals,
        first: u64,
        (inputs, outputs): (usize, usize),
        weights: &mut [T],
    ) {
        let (inputs, outputs) = (inputs as f64, outputs as f64);
        let both = inputs + outputs;
        // The half width of a uniform distribution is its standard deviation times sqrt(3).
        match self {
            Self::GlorotNormal => draw(normals, first, weights, normal((2.0 / both).sqrt())),
            Self::HeNormal => draw(normals, first, weights, normal((2.0 / inputs).sqrt())),
            Self::LecunNormal => draw(normals, first, weights, normal((1.0 / inputs).sqrt())),
            Self::Normal(deviation) => draw(normals, first, weights, normal(deviation)),
            Self::GlorotUniform => {
                draw(normals, first, weights, uniform((6.0 / both).sqrt()));
            }
            Self::HeUniform => draw(normals, first, weights, uniform((6.0 / inputs).sqrt())),
            Self::Orthogonal => orthogonal(normals, first, inputs as usize, weights),
            Self::Constant(value) => weights.fill(T::narrow(value)),
        }
    }
}

/// There always is a first component: what is not there would be found by the compiler.
const STREAM: Stream = match Stream::new(Purpose::Parameters, 0) {
    Some(stream) => stream,
    None => panic!("no first component"),
};

fn normal<T: Scalar>(deviation: f64) -> impl Fn(T) -> T {
    let deviation = T::narrow(deviation);
    move |normal| deviation * normal
}

/// The distribution function makes a normal number uniform.
fn uniform<T: Scalar>(half_width: f64) -> impl Fn(f64) -> T {
    move |normal| T::narrow(half_width * (2.0 * normal.normal().0 - 1.0))
}

fn draw<N: Gaussian, T: Scalar>(
    normals: &Normals,
    first: u64,
    weights: &mut [T],
    of: impl Fn(N) -> T,
) {
    for (weight, path) in weights.iter_mut().zip(first..) {
        *weight = of(normals.at(STREAM, path, 0));
    }
}

/// Makes rows of normal numbers, or the columns, if they are fewer, orthonormal one after the
/// other, in double precision and twice, since once leaves what cancellation has lost.
fn orthogonal<T: Scalar>(normals: &Normals, first: u64, columns: usize, weights: &mut [T]) {
    let rows = weights.len() / columns;
    let (count, length) = (rows.min(columns), rows.max(columns));
    let mut vectors = vec![0.0; count * length];
    draw(normals, first, &mut vectors, |normal: f64| normal);
    for vector in 0..count {
        let (before, rest) = vectors.split_at_mut(vector * length);
        let this = &mut rest[..length];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for other in before.chunks_exact(length).chain(before.chunks_exact(length)) {
            let share = dot(this, other);
            this.iter_mut().zip(other).for_each(|(this, other)| *this -= share * other);
        }
        let norm = dot(this, this).sqrt();
        this.iter_mut().for_each(|this| *this /= norm);
    }
    for (i, weight) in weights.iter_mut().enumerate() {
        let (row, column) = (i / columns, i % columns);
        let at = if rows <= columns { row * length + column } else { column * length + row };
        *weight = T::narrow(vectors[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(initialiser: Initialiser, sizes: (usize, usize), n: usize) -> Vec<f64> {
        let mut weights = vec![0.0; n];
        initialiser.fill(&Normals::new(5), 7, sizes, &mut weights);
        weights
    }

    /// Mean and variance within five standard errors, and the bounds of the uniform distributions.
    #[test]
    fn distributions() {
        use Initialiser::*;
        let (inputs, outputs, n) = (30, 70, 20_000);
        let cases = [
            (GlorotNormal, 2.0 / 100.0, None),
            (GlorotUniform, 2.0 / 100.0, Some(0.06f64.sqrt())),
            (HeNormal, 2.0 / 30.0, None),
            (HeUniform, 2.0 / 30.0, Some(0.2f64.sqrt())),
            (LecunNormal, 1.0 / 30.0, None),
            (Normal(0.3), 0.09, None),
        ];
        for (initialiser, variance, end) in cases {
            let found = weights(initialiser, (inputs, outputs), n);
            let moment = |power| found.iter().map(|w| w.powi(power)).sum::<f64>() / n as f64;
            let error = 5.0 / (n as f64).sqrt();
            assert!(moment(1).abs() < error * variance.sqrt(), "{initialiser:?} {}", moment(1));
            let fourth = if end.is_some() { 0.8f64 } else { 2.0 };
            let wrong = (moment(2) / variance - 1.0).abs();
            assert!(wrong < error * fourth.sqrt(), "{initialiser:?} {}", moment(2));
            if let Some(end) = end {
                let most = found.iter().fold(0.0f64, |most, w| most.max(w.abs()));
                assert!(most <= end && most > 0.999 * end, "{initialiser:?} {most} {end}");
            }
        }
    }

    #[test]
    fn orthonormal() {
        for (rows, columns) in [(3, 8), (8, 3), (5, 5), (1, 4)] {
            let w = weights(Initialiser::Orthogonal, (columns, rows), rows * columns);
            let at = |vector: usize, i: usize| {
                if rows <= columns { w[vector * columns + i] } else { w[i * columns + vector] }
            };
            for a in 0..rows.min(columns) {
                for b in 0..rows.min(columns) {
                    let dot: f64 = (0..rows.max(columns)).map(|i| at(a, i) * at(b, i)).sum();
                    assert!((dot - f64::from(a == b)).abs() < 1e-14, "{rows} {columns} {a} {b}");
                }
            }
        }
    }
}
