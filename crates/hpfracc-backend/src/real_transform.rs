use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2, TAU};
use std::fmt;

/// Real orthonormal transform of n values, `c = S' x` with `x = S c`.
///
/// The columns of S are the eigenvectors of the second difference on n equal cells, by the
/// conditions at the two ends. With k, j = 0 .. n and `s = (2/n)^(1/2)`:
///
/// | transform | ends | `S[j, k]` |
/// |---|---|---|
/// | [`Dct2`](Self::Dct2) | Neumann, Neumann | `s cos(pi k (j + 1/2) / n)`, for k = 0 over 2^(1/2) |
/// | [`Dst2`](Self::Dst2) | Dirichlet, Dirichlet | `s sin(pi (k + 1) (j + 1/2) / n)`, for k = n - 1 over 2^(1/2) |
/// | [`Dct4`](Self::Dct4) | Neumann, Dirichlet | `s cos(pi (k + 1/2) (j + 1/2) / n)` |
/// | [`Dst4`](Self::Dst4) | Dirichlet, Neumann | `s sin(pi (k + 1/2) (j + 1/2) / n)` |
/// | [`Hartley`](Self::Hartley) | periodic | `n^(-1/2) (cos + sin)(2 pi k j / n)` |
///
/// Source: G. Strang, SIAM Rev. 41 (1999) 135, doi:10.1137/S0036144598336745; R. N. Bracewell, J.
/// Opt. Soc. Am. 73 (1983) 1832, doi:10.1364/JOSA.73.001832.
///
/// ```
/// use hpfracc_backend::RealTransform;
///
/// // The mean of two values, and half their difference.
/// let entries = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(j, k)| RealTransform::Dct2.entry(2, j, k));
/// let half = 0.5_f64.sqrt();
/// for (found, expected) in entries.iter().zip([half, half, half, -half]) {
///     assert!((found - expected).abs() < 1e-15);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum RealTransform {
    /// Discrete cosine transform of type II; its inverse is that of type III.
    Dct2,
    /// Discrete sine transform of type II; its inverse is that of type III.
    Dst2,
    /// Discrete cosine transform of type IV, its own inverse.
    Dct4,
    /// Discrete sine transform of type IV, its own inverse.
    Dst4,
    /// Discrete Hartley transform, its own inverse.
    Hartley,
}

/// A [`RealTransform`] by one complex Fourier transform of n points:
///
/// ```text
/// c_k = Re(after_k Z_k),   Z_k = sum_p exp(-2 pi i k p / n) before_p x_positions[p]
/// ```
///
/// The transposed matrix of a Fourier transform is the matrix itself, so that values come from
/// coefficients by the same transform:
///
/// ```text
/// x_positions[p] = Re(before_p sum_k exp(-2 pi i k p / n) after_k c_k)
/// ```
///
/// Two lines, as real and imaginary part of one, are separated by `Z_mirror(k) = conj Z_k`, which
/// holds for real x.
///
/// Source: J. Makhoul, IEEE Trans. Acoust. Speech Signal Process. 28 (1980) 27,
/// doi:10.1109/TASSP.1980.1163351.
#[derive(Debug, Clone, PartialEq)]
pub struct FourierForm {
    /// Position of the value that is entry p of the Fourier transform.
    pub positions: Vec<usize>,
    /// Factors before the Fourier transform, real and imaginary part.
    pub before: Vec<[f64; 2]>,
    /// Factors after the Fourier transform, real and imaginary part.
    pub after: Vec<[f64; 2]>,
    /// Twice the shift of the frequencies: 0, 1 or 2.
    shift: usize,
}

impl FourierForm {
    /// Frequency whose sum is the conjugate of that of frequency k.
    pub fn mirror(&self, k: usize) -> usize {
        let n = self.after.len();
        (2 * n - self.shift - k) % n
    }
}

impl RealTransform {
    /// All transforms.
    pub const ALL: [Self; 5] = [Self::Dct2, Self::Dst2, Self::Dct4, Self::Dst4, Self::Hartley];

    /// Entry `S[j, k]` of the matrix of n rows: value j of mode k.
    pub fn entry(self, n: usize, j: usize, k: usize) -> f64 {
        let [cos, sin] = match self {
            Self::Dct2 => turn(k * (2 * j + 1), 4 * n),
            Self::Dst2 => turn((k + 1) * (2 * j + 1), 4 * n),
            Self::Dct4 | Self::Dst4 => turn((2 * k + 1) * (2 * j + 1), 8 * n),
            Self::Hartley => turn(k * j, n),
        };
        self.scale(n, k)
            * match self {
                Self::Dct2 | Self::Dct4 => cos,
                Self::Dst2 | Self::Dst4 => sin,
                Self::Hartley => FRAC_1_SQRT_2 * (cos + sin),
            }
    }

    /// The transform of n values by a Fourier transform of as many points.
    pub fn fourier_form(self, n: usize) -> FourierForm {
        let shift = match self {
            Self::Dct2 | Self::Hartley => 0,
            Self::Dct4 | Self::Dst4 => 1,
            Self::Dst2 => 2,
        };
        // Of values at odd positions, which come from the end.
        let sign = match self {
            Self::Dst2 | Self::Dct4 => -1.0,
            Self::Dct2 | Self::Dst4 | Self::Hartley => 1.0,
        };
        let position = |p: usize| match self {
            Self::Hartley => p,
            _ if 2 * p < n => 2 * p,
            _ => 2 * (n - p) - 1,
        };
        let before = |p: usize| {
            let [cos, sin] = turn(p * shift, 2 * n);
            let sign = if 2 * p < n { 1.0 } else { sign };
            [sign * cos, -sign * sin]
        };
        let after = |k: usize| {
            let scale = self.scale(n, k);
            // exp(-2 pi i turns), for sines times i.
            match self {
                Self::Dct2 => conjugate(scale, turn(k, 4 * n)),
                Self::Dct4 => conjugate(scale, turn(2 * k + 1, 8 * n)),
                Self::Dst2 => swapped(scale, turn(k + 1, 4 * n)),
                Self::Dst4 => swapped(scale, turn(2 * k + 1, 8 * n)),
                Self::Hartley => [scale * FRAC_1_SQRT_2; 2],
            }
        };
        FourierForm {
            positions: (0..n).map(position).collect(),
            before: (0..n).map(before).collect(),
            after: (0..n).map(after).collect(),
            shift,
        }
    }

    /// `(2/n)^(1/2)`, and `n^(-1/2)` for the mode that has the same value or alternating ones.
    fn scale(self, n: usize, k: usize) -> f64 {
        let single = match self {
            Self::Dct2 => k == 0,
            Self::Dst2 => k + 1 == n,
            Self::Dct4 | Self::Dst4 | Self::Hartley => false,
        };
        let root = (1.0 / n as f64).sqrt();
        if single { root } else { SQRT_2 * root }
    }
}

impl fmt::Display for RealTransform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dct2 => "dct2",
            Self::Dst2 => "dst2",
            Self::Dct4 => "dct4",
            Self::Dst4 => "dst4",
            Self::Hartley => "hartley",
        })
    }
}

/// Cosine and sine of `2 pi a / b`. The angle is reduced while it is a ratio of whole numbers.
fn turn(a: usize, b: usize) -> [f64; 2] {
    let rest = a % b;
    let signed = if 2 * rest <= b { rest as f64 } else { -((b - rest) as f64) };
    let (sin, cos) = (TAU * (signed / b as f64)).sin_cos();
    [cos, sin]
}

/// `scale conj(z)`.
fn conjugate(scale: f64, z: [f64; 2]) -> [f64; 2] {
    [scale * z[0], -scale * z[1]]
}

/// `i scale conj(z)`.
fn swapped(scale: f64, z: [f64; 2]) -> [f64; 2] {
    [scale * z[1], scale * z[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENS: [usize; 8] = [1, 2, 3, 4, 5, 8, 13, 16];

    #[test]
    fn the_matrices_are_orthogonal() {
        for (transform, n) in RealTransform::ALL.into_iter().flat_map(|t| LENS.map(|n| (t, n))) {
            for (k, l) in (0..n).flat_map(|k| (0..n).map(move |l| (k, l))) {
                let products = (0..n).map(|j| transform.entry(n, j, k) * transform.entry(n, j, l));
                let expected = f64::from(u8::from(k == l));
                assert!(
                    (products.sum::<f64>() - expected).abs() < 1e-14,
                    "{transform} {n} {k} {l}"
                );
            }
        }
    }

    #[test]
    fn fourier_forms_have_the_entries_of_the_matrices() {
        for (transform, n) in RealTransform::ALL.into_iter().flat_map(|t| LENS.map(|n| (t, n))) {
            let form = transform.fourier_form(n);
            for (k, p) in (0..n).flat_map(|k| (0..n).map(move |p| (k, p))) {
                let sum = |k: usize| times(conjugate(1.0, turn(k * p, n)), form.before[p]);
                let found = times(form.after[k], sum(k))[0];
                let expected = transform.entry(n, form.positions[p], k);
                assert!((found - expected).abs() < 2e-15, "{transform} {n} {k} {p}");
                let mirrored = conjugate(1.0, sum(form.mirror(k)));
                let equal = mirrored.iter().zip(sum(k)).all(|(a, b)| (a - b).abs() < 2e-14);
                assert!(equal, "{transform} {n}: the mirror image of {k}");
            }
        }
    }

    fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
    }
}
