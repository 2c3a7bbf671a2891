use crate::buffer_pool::BufferPool;
use crate::models::diffusion::DiffusionField;
use crate::models::field::Field;
use crate::{Cotangent, Layer, Scalar, path_kl};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::{DifferentiableStochasticSystem, NoiseKind, StochasticSystem, Vjp};

/// The posterior equation, augmented by the context and the divergence from the prior:
///
/// ```text
/// z        D^alpha z = h(z, c) + sigma(z) dW/dt
/// c        the context, constant
/// k        dk/dt = |u|^2 / 2,   u_i = (h_i(z, c) - f_i(z)) / sigma_i(z)
/// ```
///
/// Parameters: those of h, of f, and of sigma.
#[derive(Debug)]
pub(super) struct LatentSystem<'a, T, L> {
    pub(super) latent: usize,
    pub(super) context: usize,
    pub(super) posterior: Field<'a, T, L>,
    pub(super) prior: Field<'a, T, L>,
    pub(super) diffusion: DiffusionField<'a, T, L>,
    pub(super) pool: &'a BufferPool<T>,
    pub(super) parameters: usize,
}

impl<T: Scalar, L: Layer<T>> LatentSystem<'_, T, L> {
    /// Rows of work memory of the coefficients: at most sigma, its cotangents, those of h, the
    /// growth rate, and the work memory of the networks.
    fn rows(&self) -> usize {
        3 * self.latent + 1 + self.posterior.rows() + self.prior.rows() + self.diffusion.rows()
    }
}

impl<T: Scalar, L: Layer<T>> StochasticSystem<T> for LatentSystem<'_, T, L> {
    fn dim(&self) -> usize {
        self.latent + self.context + 1
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::LeadingDiagonal { noises: self.latent }
    }

    fn additive(&self) -> bool {
        !matches!(self.diffusion, DiffusionField::Network(..))
    }

    fn commutative(&self) -> bool {
        self.additive()
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let lanes = x.lanes();
        let size = self.latent * lanes;
        self.pool.with(self.rows() * lanes, |rows| {
            let (prior, rows) = rows.split_at_mut(size);
            let (sigma, rows) = rows.split_at_mut(size);
            let (of_z, others) = f.as_mut_slice().split_at_mut(size);
            let (of_context, growth) = others.split_at_mut(self.context * lanes);
            of_context.fill(T::zero());
            let (mut work, _) = self.posterior.work(rows, lanes);
            self.posterior.write(t, x, &mut work, of_z);
            let (mut work, _) = self.prior.work(rows, lanes);
            self.prior.write(t, x, &mut work, prior);
            self.diffusion.write(t, x, rows, RowsMut::new(sigma, lanes));
            let [of_z, prior, sigma] = [&*of_z, prior, sigma].map(|rows| Rows::new(rows, lanes));
            path_kl(of_z, prior, sigma, growth, None, None).expect(SIZES);
        });
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        let rows = self.diffusion.rows() * x.lanes();
        self.pool.with(rows, |rows| self.diffusion.write(t, x, rows, g));
    }
}

/// Invariant of the sizes of tiles.
const SIZES: &str = "all tiles have a row for each latent component";

impl<T: Scalar, L: Layer<T>> DifferentiableStochasticSystem<T> for LatentSystem<'_, T, L> {
    fn parameters(&self) -> usize {
        self.parameters
    }

    #[inline(always)]
    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { mut xbar, thetabar } = to;
        let lanes = x.lanes();
        let size = self.latent * lanes;
        let (of_posterior, rest) = thetabar.split_at_mut(self.posterior.parameters());
        let (of_prior, of_diffusion) = rest.split_at_mut(self.prior.parameters());
        let growthbar = &fbar[self.latent + self.context];
        self.pool.with(self.rows() * lanes, |rows| {
            let (sigma, rows) = rows.split_at_mut(size);
            let (apart, rows) = rows.split_at_mut(size);
            let (sigmabar, rows) = rows.split_at_mut(size);
            let (growth, rows) = rows.split_at_mut(lanes);
            let (mut posterior, rows) = self.posterior.work(rows, lanes);
            let (mut prior, rows) = self.prior.work(rows, lanes);
            self.posterior.forward(t, x, &mut posterior);
            self.prior.forward(t, x, &mut prior);
            self.diffusion.write(t, x, rows, RowsMut::new(sigma, lanes));
            let one = T::one();
            path_kl(
                Rows::new(posterior.y, lanes),
                Rows::new(prior.y, lanes),
                Rows::new(sigma, lanes),
                growth,
                Some(Cotangent::new(one, apart, lanes)),
                Some(Cotangent::new(one, sigmabar, lanes)),
            )
            .expect(SIZES);
            for row in [&mut *apart, &mut *sigmabar]
                .into_iter()
                .flat_map(|rows| rows.chunks_exact_mut(lanes))
            {
                row.iter_mut().zip(growthbar).for_each(|(bar, growthbar)| *bar *= *growthbar);
            }
            let bars = posterior.ybar.iter_mut().zip(&mut *prior.ybar);
            for ((of_h, of_f), (fbar, apart)) in bars.zip(fbar.as_slice().iter().zip(&*apart)) {
                (*of_h, *of_f) = (*fbar + *apart, -*apart);
            }
            self.posterior.vjp(x, &mut posterior, xbar.reborrow(), of_posterior);
            self.prior.vjp(x, &mut prior, xbar.reborrow(), of_prior);
            let both = (x, Rows::new(sigmabar, lanes));
            self.diffusion.vjp(t, both, rows, xbar, of_diffusion);
        });
    }

    #[inline(always)]
    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        let rows = self.diffusion.rows() * x.lanes();
        let own = &mut thetabar[self.posterior.parameters() + self.prior.parameters()..];
        self.pool.with(rows, |rows| self.diffusion.vjp(t, (x, gbar), rows, xbar, own));
    }
}
