//! Transforms along time of rows of lanes: products of real polynomials whose coefficients are
//! rows.

use hpfracc_types::Real;

/// Lanes of a group; rows have whole groups of them.
pub(super) const WIDTH: usize = 16;

/// Adjacent lanes of a row.
pub(super) type Group<T> = [T; WIDTH];

/// Residues of polynomials with n real coefficients modulo `t^n - i`: n complex numbers per lane.
///
/// Modulo `t^n - i`, a polynomial with 2n real coefficients `p_lo + t^n p_hi` is `p_lo + i p_hi`,
/// and a product of two is their product modulo `t^2n + 1`: the transform of half the length does
/// for real numbers. `t^4m - d^4` is the product of `t^m - d i^k`, k = 0 .. 3, so that each stage
/// takes polynomials modulo one to polynomials modulo four, and the last has numbers, in an order
/// that only the inverse needs.
///
/// Lanes never mix, so that a path has the same bits in any tile.
#[derive(Debug, Clone)]
pub(super) struct RowTransform<T> {
    len: usize,
    /// By stage and node, `d`, `d^2`, `d^3`.
    stages: Vec<Vec<[(T, T); 3]>>,
}

impl<T: Real> RowTransform<T> {
    /// The transform of `len` coefficients, a power of four.
    pub(super) fn new(len: usize) -> Self {
        // Angles of the right-hand sides d^4, in turns.
        let mut angles = vec![0.25];
        let mut stages = Vec::new();
        while angles.len() < len {
            let power = |angle: f64, j: i32| {
                let (sin, cos) = (std::f64::consts::FRAC_PI_2 * angle * f64::from(j)).sin_cos();
                (T::narrow(cos), T::narrow(sin))
            };
            stages.push(angles.iter().map(|&a| [power(a, 1), power(a, 2), power(a, 3)]).collect());
            let next = |angle: &f64| [0.0, 1.0, 2.0, 3.0].map(|k| (angle + k) / 4.0);
            angles = angles.iter().flat_map(next).collect();
        }
        Self { len, stages }
    }

    /// Coefficients to residues, in place.
    #[inline(always)]
    pub(super) fn forward(&self, re: &mut [Group<T>], im: &mut [Group<T>]) {
        for nodes in &self.stages {
            let part = re.len() / nodes.len();
            let parts = re.chunks_exact_mut(part).zip(im.chunks_exact_mut(part));
            for ((re, im), twiddles) in parts.zip(nodes) {
                quarters(re, im, |p| {
                    let t1 = product(twiddles[0], p[1]);
                    let t2 = product(twiddles[1], p[2]);
                    let t3 = product(twiddles[2], p[3]);
                    let (a, b) = (add(p[0], t2), subtract(p[0], t2));
                    let (c, (re, im)) = (add(t1, t3), subtract(t1, t3));
                    let e = (T::zero() - im, re);
                    [add(a, c), add(b, e), subtract(a, c), subtract(b, e)]
                });
            }
        }
    }

    /// Residues to `len` times the coefficients, in place.
    #[inline(always)]
    pub(super) fn inverse(&self, re: &mut [Group<T>], im: &mut [Group<T>]) {
        for nodes in self.stages.iter().rev() {
            let part = re.len() / nodes.len();
            let parts = re.chunks_exact_mut(part).zip(im.chunks_exact_mut(part));
            for ((re, im), twiddles) in parts.zip(nodes) {
                quarters(re, im, |r| {
                    let (a, b) = (add(r[0], r[2]), subtract(r[0], r[2]));
                    let (c, (re, im)) = (add(r[1], r[3]), subtract(r[1], r[3]));
                    let e = (im, T::zero() - re);
                    let back = twiddles.map(|(cos, sin)| (cos, T::zero() - sin));
                    [
                        add(a, c),
                        product(back[0], add(b, e)),
                        product(back[1], subtract(a, c)),
                        product(back[2], subtract(b, e)),
                    ]
                });
            }
        }
    }

    /// Number of coefficients.
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// Applies `change` to the numbers at the same place in each quarter.
#[inline(always)]
fn quarters<T: Real>(
    re: &mut [Group<T>],
    im: &mut [Group<T>],
    change: impl Fn([(T, T); 4]) -> [(T, T); 4],
) {
    let quarter = re.len() / 4;
    for at in 0..quarter {
        let places = [at, at + quarter, at + 2 * quarter, at + 3 * quarter];
        let (old_re, old_im) = (places.map(|i| re[i]), places.map(|i| im[i]));
        let (mut new_re, mut new_im) = ([[T::zero(); WIDTH]; 4], [[T::zero(); WIDTH]; 4]);
        for lane in 0..WIDTH {
            let new = change([0, 1, 2, 3].map(|k| (old_re[k][lane], old_im[k][lane])));
            for k in 0..4 {
                (new_re[k][lane], new_im[k][lane]) = new[k];
            }
        }
        for (k, place) in places.into_iter().enumerate() {
            re[place] = new_re[k];
            im[place] = new_im[k];
        }
    }
}

#[inline(always)]
fn add<T: Real>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0 + b.0, a.1 + b.1)
}

#[inline(always)]
fn subtract<T: Real>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0 - b.0, a.1 - b.1)
}

#[inline(always)]
pub(super) fn product<T: Real>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}
