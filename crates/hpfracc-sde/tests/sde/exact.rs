//! Equations whose solution is a function of the Brownian path at the end, or which are as good as
//! solved on very short steps.

use hpfracc_sde::{Calculus, NoiseKind, StochasticSystem};
use hpfracc_sde::{Rows, RowsMut};

/// Of one path: t, x, result.
type Field = fn(f64, &[f64], &mut [f64]);

/// From t and W(t).
type Solution = fn(f64, &[f64]) -> Vec<f64>;

/// An equation, path by path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) noise_kind: NoiseKind,
    pub(crate) calculus: Calculus,
    pub(crate) additive: bool,
    pub(crate) commutative: bool,
    pub(crate) start: &'static [f64],
    pub(crate) drift: Field,
    pub(crate) diffusion: Field,
    pub(crate) exact: Option<Solution>,
}

fn each(field: impl Fn(&[f64], &mut [f64]), x: Rows<'_, f64>, out: &mut RowsMut<'_, f64>) {
    let (mut point, mut value) = ([0.0; 2], [0.0; 4]);
    let (point, value) = (&mut point[..x.rows()], &mut value[..out.rows()]);
    for lane in 0..x.lanes() {
        point.iter_mut().enumerate().for_each(|(i, point)| *point = x[i][lane]);
        value.fill(f64::NAN);
        field(point, value);
        value.iter().enumerate().for_each(|(row, value)| out[row][lane] = *value);
    }
}

impl StochasticSystem<f64> for Case {
    fn dim(&self) -> usize {
        self.start.len()
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
    fn drift(&self, t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        each(|x, f| (self.drift)(t, x, f), x, &mut f);
    }
    fn diffusion(&self, t: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        each(|x, g| (self.diffusion)(t, x, g), x, &mut g);
    }
}

impl Case {
    /// The Stratonovich equation with this drift in place of Ito's.
    const fn stratonovich(self, drift: Field) -> Self {
        Self { calculus: Calculus::Stratonovich, drift, ..self }
    }
}

const DIAGONAL: Case = Case {
    name: "",
    noise_kind: NoiseKind::Diagonal,
    calculus: Calculus::Ito,
    additive: false,
    commutative: true,
    start: &[],
    drift: |_, _, _| {},
    diffusion: |_, _, _| {},
    exact: None,
};

/// `dX_i = mu_i X_i dt + sigma_i X_i dW_i`
pub(crate) const GEOMETRIC: Case = Case {
    name: "geometric, diagonal",
    start: &[1.0, 0.5],
    drift: |_, x, f| (f[0], f[1]) = (0.5 * x[0], -0.7 * x[1]),
    diffusion: |_, x, g| (g[0], g[1]) = (0.8 * x[0], 0.5 * x[1]),
    exact: Some(|t, w| vec![(0.18 * t + 0.8 * w[0]).exp(), 0.5 * (-0.825 * t + 0.5 * w[1]).exp()]),
    ..DIAGONAL
};

/// The same solution.
pub(crate) const GEOMETRIC_STRATONOVICH: Case =
    GEOMETRIC.stratonovich(|_, x, f| (f[0], f[1]) = (0.18 * x[0], -0.825 * x[1]));

/// `dX = (1 - X^2) (b dt + a dW)` after Stratonovich: `X = tanh(b t + a W + artanh X_0)`.
pub(crate) const TANH: Case = Case {
    name: "tanh, diagonal",
    start: &[0.2, -0.3],
    drift: |_, x, f| {
        f[0] = (1.0 - x[0] * x[0]) * (0.5 - 0.81 * x[0]);
        f[1] = (1.0 - x[1] * x[1]) * (-0.4 - 0.49 * x[1]);
    },
    diffusion: |_, x, g| {
        (g[0], g[1]) = (0.9 * (1.0 - x[0] * x[0]), 0.7 * (1.0 - x[1] * x[1]));
    },
    exact: Some(|t, w| {
        let first = (0.5 * t + 0.9 * w[0] + 0.2f64.atanh()).tanh();
        vec![first, (-0.4 * t + 0.7 * w[1] - 0.3f64.atanh()).tanh()]
    }),
    ..DIAGONAL
};

pub(crate) const TANH_STRATONOVICH: Case = TANH.stratonovich(|_, x, f| {
    (f[0], f[1]) = (0.5 * (1.0 - x[0] * x[0]), -0.4 * (1.0 - x[1] * x[1]));
});

/// (a + i b) (x + i y)
fn times((a, b): (f64, f64), x: &[f64]) -> (f64, f64) {
    (a * x[0] - b * x[1], a * x[1] + b * x[0])
}

fn exp((a, b): (f64, f64)) -> Vec<f64> {
    vec![a.exp() * b.cos(), a.exp() * b.sin()]
}

/// `dZ = (-0.3 + 0.8i) Z dt + (0.4 + 0.6i) Z dW` in the complex plane, from 1: one noise turns and
/// stretches, `Z = exp((-0.3 + 0.8i - (0.4 + 0.6i)^2/2) t + (0.4 + 0.6i) W)`.
pub(crate) const SPIRAL: Case = Case {
    name: "spiral, one noise on two components",
    noise_kind: NoiseKind::Scalar,
    start: &[1.0, 0.0],
    drift: |_, x, f| (f[0], f[1]) = times((-0.3, 0.8), x),
    diffusion: |_, x, g| (g[0], g[1]) = times((0.4, 0.6), x),
    exact: Some(|t, w| exp((-0.2 * t + 0.4 * w[0], 0.56 * t + 0.6 * w[0]))),
    ..DIAGONAL
};

pub(crate) const SPIRAL_STRATONOVICH: Case =
    SPIRAL.stratonovich(|_, x, f| (f[0], f[1]) = times((-0.2, 0.56), x));

/// The same in Ito's sense under two noises, (0.4 + 0.6i) and (-0.5 + 0.3i): their columns commute.
pub(crate) const TWO_SPIRALS: Case = Case {
    name: "spiral, two commuting noises on two components",
    noise_kind: NoiseKind::General { noises: 2 },
    start: &[1.0, 0.0],
    drift: |_, x, f| (f[0], f[1]) = times((-0.3, 0.8), x),
    diffusion: |_, x, g| {
        (g[0], g[2]) = times((0.4, 0.6), x);
        (g[1], g[3]) = times((-0.5, 0.3), x);
    },
    exact: Some(|t, w| {
        exp((-0.28 * t + 0.4 * w[0] - 0.5 * w[1], 0.71 * t + 0.6 * w[0] + 0.3 * w[1]))
    }),
    ..DIAGONAL
};

pub(crate) const TWO_SPIRALS_STRATONOVICH: Case =
    TWO_SPIRALS.stratonovich(|_, x, f| (f[0], f[1]) = times((-0.28, 0.71), x));

/// `X = cos(2t) exp(W)` beside W itself: coefficients that depend on t.
pub(crate) const WAVE: Case = Case {
    name: "cos(2t) exp(W), one noise",
    noise_kind: NoiseKind::Scalar,
    start: &[1.0, 0.0],
    drift: |t, x, f| {
        let e = x[1].exp();
        (f[0], f[1]) = (-2.0 * (2.0 * t).sin() * e + 0.5 * (2.0 * t).cos() * e, 0.0);
    },
    diffusion: |t, x, g| (g[0], g[1]) = ((2.0 * t).cos() * x[1].exp(), 1.0),
    exact: Some(|t, w| vec![(2.0 * t).cos() * w[0].exp(), w[0]]),
    ..DIAGONAL
};

pub(crate) const WAVE_STRATONOVICH: Case = WAVE.stratonovich(|t, x, f| {
    (f[0], f[1]) = (-2.0 * (2.0 * t).sin() * x[1].exp(), 0.0);
});

/// A pendulum under two noises that push both its place and its speed, in turn weaker and stronger.
pub(crate) const PENDULUM: Case = Case {
    name: "pendulum, additive noises on two components",
    noise_kind: NoiseKind::General { noises: 2 },
    additive: true,
    commutative: false,
    start: &[0.3, 0.0],
    drift: |_, x, f| (f[0], f[1]) = (x[1], -(2.0 * x[0]).sin() - 0.5 * x[1]),
    diffusion: |t, _, g| {
        let strength = 1.0 + 0.5 * (2.0 * t).sin();
        g.copy_from_slice(&[0.8, 0.3, -0.5, 1.2].map(|g| strength * g));
    },
    ..DIAGONAL
};

/// `dX = dW_1, dY = X dW_2 `: its Levy area is the solution. Both calculi agree.
pub(crate) const AREA: Case = Case {
    name: "Levy area, noises that do not commute",
    noise_kind: NoiseKind::General { noises: 2 },
    commutative: false,
    start: &[0.0, 0.0],
    drift: |_, _, f| f.fill(0.0),
    diffusion: |_, x, g| g.copy_from_slice(&[1.0, 0.0, 0.0, x[0]]),
    ..DIAGONAL
};

pub(crate) const AREA_STRATONOVICH: Case = Case { calculus: Calculus::Stratonovich, ..AREA };

/// Two oscillators without noise, whose noise is there and zero.
pub(crate) const SILENT: Case = Case {
    name: "no noise",
    start: &[1.0, 0.0],
    drift: |t, x, f| (f[0], f[1]) = (x[1], -4.0 * x[0] + t.cos()),
    diffusion: |_, x, g| (g[0], g[1]) = (0.0 * x[0], 0.0 * x[1]),
    // x'' = -4 x + cos t
    exact: Some(|t, _| {
        let x = (2.0 * t).cos() * 2.0 / 3.0 + t.cos() / 3.0;
        vec![x, -(2.0 * t).sin() * 4.0 / 3.0 - t.sin() / 3.0]
    }),
    ..DIAGONAL
};

pub(crate) const SILENT_STRATONOVICH: Case = Case { calculus: Calculus::Stratonovich, ..SILENT };

pub(crate) const SILENT_ADDITIVE: Case = Case { additive: true, ..SILENT };
