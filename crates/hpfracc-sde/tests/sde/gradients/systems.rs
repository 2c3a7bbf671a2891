//! Systems with parameters, each written once: complex arithmetic gives their derivatives to
//! rounding.

use crate::systems::Linear;
use hpfracc_sde::{DifferentiableStochasticSystem, NoiseKind, StochasticSystem, Vjp, dot};
use hpfracc_sde::{Rows, RowsMut};
use hpfracc_types::Real;
use num_complex::Complex64;

type C = Complex64;

/// Room for the rows of any of these.
const ROOM: usize = 6;

/// Writes f or g at (t, x, theta).
type Coefficient = fn(f64, &[C], &[C], &mut [C; ROOM]);

/// A system given by two functions of complex numbers.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) dim: usize,
    pub(crate) noise_kind: NoiseKind,
    additive: bool,
    commutative: bool,
    pub(crate) theta: Vec<f64>,
    drift: Coefficient,
    diffusion: Coefficient,
}

/// Two particles in double wells, each with a noise of its own that depends on where it is.
pub(crate) fn double_well() -> Written {
    Written {
        dim: 2,
        noise_kind: NoiseKind::Diagonal,
        additive: false,
        commutative: true,
        theta: vec![1.1, 0.8, 0.4, 0.3],
        drift: |_, x, p, f| {
            for i in 0..2 {
                f[i] = p[0] * x[i] - p[1] * x[i] * x[i] * x[i];
            }
            f[1] += 0.2 * x[0];
        },
        diffusion: |_, x, p, g| {
            for i in 0..2 {
                g[i] = p[2] + p[3] * x[i].cos();
            }
        },
    }
}

/// An oscillator with one noise in its force and in its position.
pub(crate) fn oscillator() -> Written {
    Written {
        dim: 2,
        noise_kind: NoiseKind::Scalar,
        additive: false,
        commutative: true,
        theta: vec![1.5, 0.4, 0.3, 0.2],
        drift: |t, x, p, f| {
            f[0] = x[1];
            f[1] = -p[0] * x[0].sin() - p[1] * x[1] + t.cos();
        },
        diffusion: |t, x, p, g| {
            g[0] = p[3] * x[0] * x[1];
            g[1] = p[2] * (1.0 + 0.5 * x[0] * x[0]) + 0.1 * t;
        },
    }
}

/// A component with noise that another one, without, follows.
pub(crate) fn one_noisy() -> Written {
    Written {
        dim: 2,
        noise_kind: NoiseKind::Diagonal,
        additive: false,
        commutative: true,
        theta: vec![1.2, 0.7, 0.3],
        drift: |t, x, p, f| {
            f[0] = -p[0] * x[0] + x[1].sin() + t.cos();
            f[1] = p[1] * (x[0] - x[1] * x[1] * x[1]);
        },
        diffusion: |_, x, p, g| {
            g[0] = p[2] * x[0] * x[1].cos();
            g[1] = C::from(0.0);
        },
    }
}

/// Two components under three noises, all of them of both components.
pub(crate) fn mixed() -> Written {
    Written {
        dim: 2,
        noise_kind: NoiseKind::General { noises: 3 },
        additive: false,
        commutative: false,
        theta: vec![0.9, 0.5, 0.3, 0.25, 0.2],
        drift: |_, x, p, f| {
            f[0] = -p[0] * x[0] + x[1].sin();
            f[1] = -p[1] * x[1] - 0.3 * x[0] * x[1];
        },
        diffusion: |_, x, p, g| {
            g[0] = p[2] * x[1];
            g[1] = p[3] * x[0].cos();
            g[2] = 0.1 * x[0] * x[1];
            g[3] = p[4] + p[2] * x[0] * x[0] * 0.2;
            g[4] = 0.2 * x[1];
            g[5] = p[3] * p[4] * x[0].sin();
        },
    }
}

/// A pendulum with noises that depend on time alone, of this kind.
pub(crate) fn additive(noise_kind: NoiseKind) -> Written {
    Written {
        dim: 2,
        noise_kind,
        additive: true,
        commutative: true,
        theta: vec![1.5, 0.4, 0.3, 0.2],
        drift: |t, x, p, f| {
            f[0] = x[1] - 0.1 * x[0] * x[0];
            f[1] = -p[0] * x[0].sin() - p[1] * x[1] + t.cos();
        },
        diffusion: |t, _, p, g| {
            for (row, g) in g.iter_mut().enumerate() {
                *g = p[2] * (t * (row + 1) as f64).cos() + p[3] * (row + 1) as f64;
            }
        },
    }
}

/// Two noises that turn and stretch a plane: their columns commute.
pub(crate) fn commuting() -> Written {
    Written {
        dim: 2,
        noise_kind: NoiseKind::General { noises: 2 },
        additive: false,
        commutative: true,
        theta: vec![0.9, 0.3, 0.4, 0.25],
        drift: |t, x, p, f| {
            f[0] = -p[0] * x[0] + x[1].sin() + 0.2 * t;
            f[1] = -p[0] * x[1] - 0.3 * x[0] * x[1];
        },
        diffusion: |_, x, p, g| {
            g[0] = p[1] * x[0] - 0.2 * x[1];
            g[1] = -p[2] * x[1] + p[3] * x[0];
            g[2] = p[1] * x[1] + 0.2 * x[0];
            g[3] = p[2] * x[0] + p[3] * x[1];
        },
    }
}

/// Lane of a row of complex numbers.
fn lane<T: Real>(x: Rows<'_, T>, lane: usize) -> Vec<C> {
    (0..x.rows()).map(|i| C::from(x[i][lane].widen())).collect()
}

impl Written {
    fn complex_theta(&self) -> Vec<C> {
        self.theta.iter().map(|p| C::from(*p)).collect()
    }

    fn write<T: Real>(&self, of: Coefficient, t: f64, x: Rows<'_, T>, mut out: RowsMut<'_, T>) {
        let theta = self.complex_theta();
        for l in 0..x.lanes() {
            let mut values = [C::from(0.0); ROOM];
            of(t, &lane(x, l), &theta, &mut values);
            (0..out.rows()).for_each(|i| out[i][l] = T::narrow(values[i].re));
        }
    }

    /// The imaginary part of `of(x + i 1e-30 e) . bar`, for each direction e.
    fn vjp<T: Real>(
        &self,
        of: Coefficient,
        (t, x, bar): (f64, Rows<'_, T>, Rows<'_, T>),
        mut xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    ) {
        const STEP: f64 = 1e-30;
        let theta = self.complex_theta();
        for l in 0..x.lanes() {
            let x = lane(x, l);
            let along = |x: &[C], theta: &[C]| {
                let mut values = [C::from(0.0); ROOM];
                of(t, x, theta, &mut values);
                let rows = (0..bar.rows()).map(|i| values[i].im * bar[i][l].widen());
                T::narrow(rows.sum::<f64>() / STEP)
            };
            for i in 0..self.dim {
                let mut moved = x.clone();
                moved[i].im = STEP;
                xbar[i][l] += along(&moved, &theta);
            }
            for k in 0..theta.len() {
                let mut moved = theta.clone();
                moved[k].im = STEP;
                thetabar[k] += along(&x, &moved);
            }
        }
    }
}

impl<T: Real> StochasticSystem<T> for Written {
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        self.noise_kind
    }

    fn additive(&self) -> bool {
        self.additive
    }

    fn commutative(&self) -> bool {
        self.commutative
    }

    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        self.write(self.drift, t, x, f);
    }

    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        self.write(self.diffusion, t, x, g);
    }
}

impl<T: Real> DifferentiableStochasticSystem<T> for Written {
    fn parameters(&self) -> usize {
        self.theta.len()
    }

    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        self.vjp(self.drift, (t, x, fbar), xbar, thetabar);
    }

    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { xbar, thetabar } = to;
        self.vjp(self.diffusion, (t, x, gbar), xbar, thetabar);
    }
}

/// By hand, with the parameters lambda, sigma and rho.
impl<T: Real> DifferentiableStochasticSystem<T> for Linear {
    fn parameters(&self) -> usize {
        3
    }

    #[inline(always)]
    fn drift_vjp(&self, _: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { mut xbar, thetabar } = to;
        let lambda = T::narrow(self.lambda);
        for (xbar, fbar) in xbar.as_mut_slice().iter_mut().zip(fbar.as_slice()) {
            *xbar += lambda * *fbar;
        }
        thetabar[0] += dot(x.as_slice(), fbar.as_slice());
    }

    #[inline(always)]
    fn diffusion_vjp(&self, _: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        let Vjp { mut xbar, thetabar } = to;
        let rho = T::narrow(self.rho);
        for (xbar, gbar) in xbar.as_mut_slice().iter_mut().zip(gbar.as_slice()) {
            *xbar += rho * *gbar;
        }
        for gbar in gbar.as_slice() {
            thetabar[1] += *gbar;
        }
        thetabar[2] += dot(x.as_slice(), gbar.as_slice());
    }
}
