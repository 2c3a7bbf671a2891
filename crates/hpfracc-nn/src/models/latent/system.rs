use crate::kernels::split_mut;
use crate::models::field::Field;
use crate::models::system::NeuralSystem;
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
    pub(super) context: usize,
    pub(super) posterior: Field<'a, T, L>,
    /// f and sigma.
    pub(super) prior: NeuralSystem<'a, T, L>,
}

impl<T: Scalar, L: Layer<T>> LatentSystem<'_, T, L> {
    /// Rows of work memory of the coefficients: at most sigma, its cotangents, those of h, the
    /// growth rate, and the work memory of the networks.
    fn rows(&self) -> usize {
        let prior = self.prior.drift.rows() + self.prior.diffusion.rows();
        3 * self.prior.dim + 1 + self.posterior.rows() + prior
    }
}

impl<T: Scalar, L: Layer<T>> StochasticSystem<T> for LatentSystem<'_, T, L> {
    fn dim(&self) -> usize {
        self.prior.dim + self.context + 1
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::LeadingDiagonal { noises: self.prior.dim }
    }

    fn additive(&self) -> bool {
        self.prior.additive()
    }

    fn commutative(&self) -> bool {
        self.prior.commutative()
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let lanes = x.lanes();
        let (prior, size) = (&self.prior, self.prior.dim * lanes);
        prior.pool.with(self.rows() * lanes, |rows| {
            let (of_prior, rows) = rows.split_at_mut(size);
            let (sigma, rows) = rows.split_at_mut(size);
            let (of_z, others) = f.as_mut_slice().split_at_mut(size);
            let (of_context, growth) = others.split_at_mut(self.context * lanes);
            of_context.fill(T::zero());
            let (mut work, _) = self.posterior.work(rows, lanes);
            self.posterior.write(t, x, &mut work, of_z);
            prior.drift.write(t, x, rows, RowsMut::new(of_prior, lanes));
            prior.diffusion.write(t, x, rows, RowsMut::new(sigma, lanes));
            let [a, b, sigma] = [&*of_z, of_prior, sigma].map(|rows| Rows::new(rows, lanes));
            path_kl(a, b, sigma, growth, None, None).expect(SIZES);
        });
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        self.prior.diffusion(t, x, g);
    }
}

/// Invariant of the sizes of tiles.
const SIZES: &str = "all tiles have a row for each latent component";

impl<T: Scalar, L: Layer<T>> DifferentiableStochasticSystem<T> for LatentSystem<'_, T, L> {
    fn parameters(&self) -> usize {
        self.posterior.parameters() + self.prior.parameters()
    }

    #[inline(always)]
    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { mut xbar, thetabar } = to;
        let NeuralSystem { dim, drift, diffusion, pool, .. } = &self.prior;
        let Some(prior_drift) = drift.network() else { return };
        let (lanes, size) = (x.lanes(), dim * x.lanes());
        let (of_posterior, rest) = thetabar.split_at_mut(self.posterior.parameters());
        let (of_prior, of_diffusion) = rest.split_at_mut(drift.parameters());
        let growthbar = &fbar[dim + self.context];
        pool.with(self.rows() * lanes, |rows| {
            let (own, rows) = rows.split_at_mut(3 * size + lanes);
            let [sigma, apart, sigmabar, growth] = split_mut(own, [size, size, size, lanes]);
            let (mut posterior, rows) = self.posterior.work(rows, lanes);
            let (mut prior, rows) = prior_drift.work(rows, lanes);
            self.posterior.forward(t, x, &mut posterior);
            prior_drift.forward(t, x, &mut prior);
            diffusion.write(t, x, rows, RowsMut::new(sigma, lanes));
            let [a, b, sigma] = [&*posterior.y, prior.y, sigma].map(|rows| Rows::new(rows, lanes));
            let [of_a, of_sigma] = [&mut *apart, &mut *sigmabar]
                .map(|rows| Some(Cotangent::new(T::one(), rows, lanes)));
            path_kl(a, b, sigma, growth, of_a, of_sigma).expect(SIZES);
            for row in apart.chunks_exact_mut(lanes).chain(sigmabar.chunks_exact_mut(lanes)) {
                row.iter_mut().zip(growthbar).for_each(|(bar, growthbar)| *bar *= *growthbar);
            }
            let bars = posterior.ybar.iter_mut().zip(&mut *prior.ybar);
            for ((of_h, of_f), (fbar, apart)) in bars.zip(fbar.as_slice().iter().zip(&*apart)) {
                (*of_h, *of_f) = (*fbar + *apart, -*apart);
            }
            self.posterior.vjp(x, &mut posterior, xbar.reborrow(), of_posterior);
            prior_drift.vjp(x, &mut prior, xbar.reborrow(), of_prior);
            let both = (x, Rows::new(sigmabar, lanes));
            diffusion.vjp(t, both, rows, xbar, of_diffusion);
        });
    }

    #[inline(always)]
    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        let own = &mut thetabar[self.posterior.parameters()..];
        self.prior.diffusion_vjp(t, x, gbar, Vjp { xbar, thetabar: own });
    }
}
