use crate::{Site, State, Term};
use hpfracc_spatial::reductions::{for_blocks, rows_of, sum_blocks};
use std::array::from_fn;
use std::ops::Range;

/// Derivatives of a [`Reaction`] with F fields and P parameters: those of field i with respect to
/// field j, and of field i with respect to parameter k.
pub type ReactionDerivatives<const F: usize, const P: usize> = ([[f64; F]; F], [[f64; P]; F]);

/// Reaction: a term of the values of all F fields at a point, from two closures.
///
/// `rate(site, u, theta)` returns the rate of each field, `derivatives(site, u, theta)` the
/// derivatives with respect to the fields and the parameters.
///
/// ```
/// use hpfracc_pde::Reaction;
///
/// // Logistic growth, r u (1 - u).
/// let growth = Reaction::new(
///     |_, [u], [r]: &[f64; 1]| [r * u * (1.0 - u)],
///     |_, [u], [r]| ([[r * (1.0 - 2.0 * u)]], [[u * (1.0 - u)]]),
/// );
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Reaction<const F: usize, const P: usize, R, D> {
    rate: R,
    derivatives: D,
}

impl<const F: usize, const P: usize, R, D> Reaction<F, P, R, D>
where
    R: Fn(&Site<'_>, &[f64; F], &[f64; P]) -> [f64; F] + Send + Sync,
    D: Fn(&Site<'_>, &[f64; F], &[f64; P]) -> ReactionDerivatives<F, P> + Send + Sync,
{
    /// From the rate and its derivatives.
    pub fn new(rate: R, derivatives: D) -> Self {
        Self { rate, derivatives }
    }

    /// Calls `visit(point of the block, position in the field, site, u, theta)` for the points of a
    /// block.
    #[inline]
    fn for_points(
        at: &State<'_>,
        block: Range<usize>,
        mut visit: impl FnMut(usize, usize, &Site<'_>, &[f64; F], &[f64; P]),
    ) {
        let theta: [f64; P] = from_fn(|k| at.theta[k]);
        let fields: [&[f64]; F] = from_fn(|k| &at.u[k * at.n..][block.clone()]);
        let mut cursor = at.points.cursor(block.start);
        for (p, index) in block.enumerate() {
            let u = from_fn(|k| fields[k][p]);
            let site = Site { t: at.t, index, x: cursor.x() };
            visit(p, index, &site, &u, &theta);
            cursor.advance();
        }
    }
}

impl<const F: usize, const P: usize, R, D> Term for Reaction<F, P, R, D>
where
    R: Fn(&Site<'_>, &[f64; F], &[f64; P]) -> [f64; F] + Send + Sync,
    D: Fn(&Site<'_>, &[f64; F], &[f64; P]) -> ReactionDerivatives<F, P> + Send + Sync,
{
    fn field_count(&self) -> usize {
        F
    }

    fn parameter_count(&self) -> usize {
        P
    }

    fn add(&self, at: &State<'_>, f: &mut [f64]) {
        for_blocks(at.n, rows_of::<F, _>(f, at.n), |block, rows| {
            Self::for_points(at, block, |p, _, site, u, theta| {
                let rate = (self.rate)(site, u, theta);
                (0..F).for_each(|k| rows[k][p] += rate[k]);
            });
        });
    }

    fn add_jvp(&self, at: &State<'_>, du: &[f64], dtheta: &[f64], df: &mut [f64]) {
        for_blocks(at.n, rows_of::<F, _>(df, at.n), |block, rows| {
            Self::for_points(at, block, |p, index, site, u, theta| {
                let (by_field, by_parameter) = (self.derivatives)(site, u, theta);
                for i in 0..F {
                    let fields = (0..F).map(|j| by_field[i][j] * du[j * at.n + index]);
                    let parameters =
                        by_parameter[i].iter().zip(dtheta).map(|(d, dtheta)| d * dtheta);
                    rows[i][p] += fields.sum::<f64>() + parameters.sum::<f64>();
                }
            });
        });
    }

    fn add_vjp(&self, at: &State<'_>, fbar: &[f64], ubar: &mut [f64], thetabar: &mut [f64]) {
        let block = |block: Range<usize>, rows: [&mut [f64]; F]| {
            let mut sums = [0.0; P];
            Self::for_points(at, block, |p, index, site, u, theta| {
                let (by_field, by_parameter) = (self.derivatives)(site, u, theta);
                for i in 0..F {
                    let fbar = fbar[i * at.n + index];
                    (0..F).for_each(|j| rows[j][p] += by_field[i][j] * fbar);
                    (0..P).for_each(|k| sums[k] += by_parameter[i][k] * fbar);
                }
            });
            sums
        };
        let add = |a: [f64; P], b: [f64; P]| from_fn(|k| a[k] + b[k]);
        let sums = sum_blocks(at.n, rows_of::<F, _>(ubar, at.n), block, add);
        thetabar.iter_mut().zip(sums).for_each(|(bar, sum)| *bar += sum);
    }

    fn add_pointwise_jacobian(&self, at: &State<'_>, rows: &mut [f64]) -> bool {
        for (i, rows) in rows.chunks_exact_mut((F * at.n).max(1)).enumerate() {
            for_blocks(at.n, rows_of::<F, _>(rows, at.n), |block, rows| {
                Self::for_points(at, block, |p, _, site, u, theta| {
                    let (by_field, _) = (self.derivatives)(site, u, theta);
                    (0..F).for_each(|j| rows[j][p] += by_field[i][j]);
                });
            });
        }
        true
    }
}
