use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_types::Real;

/// The coefficients of a stochastic equation `dX = f(t, X) dt + g(t, X) dZ`, for many paths at a
/// time.
///
/// Rows are components, lanes are paths. A loop over the lanes of a row becomes vector instructions
/// of the processor at hand if the functions are marked `#[inline(always)]`, because the solvers
/// are compiled for each instruction set.
pub trait StochasticSystem<T: Real>: Sync {
    /// Number of components of X.
    fn dim(&self) -> usize;

    /// The structure of the noise.
    fn noise_kind(&self) -> NoiseKind;

    /// Whether noise is additive: g does not depend on x. Both calculi then agree, for noise of any
    /// Hurst exponent.
    fn additive(&self) -> bool {
        false
    }

    /// Whether one noise is additive: its column of g does not depend on x. In a model of rough
    /// volatility the rough noise is additive in its own component.
    fn additive_in(&self, noise: usize) -> bool {
        let _ = noise;
        self.additive()
    }

    /// Whether the columns of g commute, `Dg_j g_k = Dg_k g_j` for all noises j and k: then Levy
    /// areas cancel, and increments suffice for strong order 1.
    ///
    /// A single noise commutes; diagonal noise does if g_i depends on no component but i, which is
    /// the default: return false otherwise, as in stochastic volatility. A matrix usually does not.
    fn commutative(&self) -> bool {
        !matches!(self.noise_kind(), NoiseKind::General { .. })
    }

    /// Number that identifies the functions exactly, with all their numbers. A
    /// [`Checkpoint`](crate::Checkpoint) of a system that has one is refused by every other system;
    /// without one it has values of the functions along a few steps.
    fn fingerprint(&self) -> Option<u64> {
        None
    }

    /// Writes the drift f, a row for each component.
    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>);

    /// Writes the diffusion g, in the rows of [`NoiseKind`]; not called without noise.
    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>);

    /// Writes both, for systems that compute them together in less time; not called without noise.
    #[inline(always)]
    fn coefficients(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>, g: RowsMut<'_, T>) {
        self.drift(t, x, f);
        self.diffusion(t, x, g);
    }
}

/// The properties of a system that are those of another one.
macro_rules! of_inner_system {
    ($self:ident => $inner:expr) => {
        fn dim(&$self) -> usize {
            $inner.dim()
        }

        fn noise_kind(&$self) -> NoiseKind {
            $inner.noise_kind()
        }

        fn additive(&$self) -> bool {
            $inner.additive()
        }

        fn additive_in(&$self, noise: usize) -> bool {
            $inner.additive_in(noise)
        }

        fn commutative(&$self) -> bool {
            $inner.commutative()
        }

        fn fingerprint(&$self) -> Option<u64> {
            $inner.fingerprint()
        }
    };
}

pub(crate) use of_inner_system;

impl<T: Real, S: StochasticSystem<T> + ?Sized> StochasticSystem<T> for &S {
    of_inner_system!(self => (**self));

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        (**self).drift(t, x, f);
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        (**self).diffusion(t, x, g);
    }

    #[inline(always)]
    fn coefficients(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>, g: RowsMut<'_, T>) {
        (**self).coefficients(t, x, f, g);
    }
}

/// The structure of the noise: diagonal, scalar or general, as in torchsde and diffrax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoiseKind {
    /// Diagonal noise: each component has a noise of its own; g has a row for each.
    Diagonal,
    /// Diagonal noise of the first components; the others have none. g has a row for each noise.
    /// With 0 noises the equation is deterministic, and its noise is
    /// [`NoNoise`](crate::noise::NoNoise).
    LeadingDiagonal {
        /// Number of noises, at most that of components.
        noises: usize,
    },
    /// Scalar noise: one noise acts on all components; g has a row for each.
    Scalar,
    /// General noise: `noises` noises act on all components; row `i * noises + j` is g_ij, the
    /// factor of noise j in component i.
    General {
        /// Number of noises.
        noises: usize,
    },
}

impl NoiseKind {
    /// Number of noises of a system of `dim` components.
    pub fn noises(self, dim: usize) -> usize {
        match self {
            Self::Diagonal => dim,
            Self::Scalar => 1,
            Self::LeadingDiagonal { noises } | Self::General { noises } => noises,
        }
    }

    /// Rows of g.
    pub fn rows(self, dim: usize) -> usize {
        match self {
            Self::Diagonal | Self::Scalar => dim,
            Self::LeadingDiagonal { noises } => noises,
            Self::General { noises } => dim * noises,
        }
    }

    /// Whether noise acts on this component.
    pub(crate) fn acts_on(self, component: usize) -> bool {
        self.acting(component).next().is_some()
    }

    /// The noises that act on this component, each with its row of g.
    #[inline(always)]
    pub(crate) fn acting(self, component: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
        let (noises, first) = match self {
            Self::Diagonal => (component..component + 1, component),
            Self::LeadingDiagonal { noises } => {
                (component.min(noises)..(component + 1).min(noises), component)
            }
            Self::Scalar => (0..1, component),
            Self::General { noises } => (0..noises, component * noises),
        };
        noises.zip(first..)
    }

    /// `sum_j g_ij dZ_j`, for every component i, is given to `add` lane by lane: `(i, row of g,
    /// row of dZ)`.
    #[inline(always)]
    pub(crate) fn each<T>(
        self,
        (dim, g, dz): (usize, Rows<'_, T>, Rows<'_, T>),
        mut add: impl FnMut(usize, &[T], &[T]),
    ) {
        for i in 0..dim {
            for (j, row) in self.acting(i) {
                add(i, &g[row], &dz[j]);
            }
        }
    }
}

/// The calculus of integrals over noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calculus {
    /// The integrand is taken at the left of each step.
    Ito,
    /// The integrand is taken in the middle of each step.
    Stratonovich,
}

/// Writes g, if there is noise.
#[inline(always)]
pub(crate) fn diffusion<T: Real, S: StochasticSystem<T>>(
    system: &S,
    t: f64,
    x: Rows<'_, T>,
    g: RowsMut<'_, T>,
) {
    if g.rows() > 0 {
        system.diffusion(t, x, g);
    }
}

/// Writes f, and g if there is noise.
#[inline(always)]
pub(crate) fn coefficients<T: Real, S: StochasticSystem<T>>(
    system: &S,
    t: f64,
    x: Rows<'_, T>,
    (f, g): (&mut [T], &mut [T]),
) {
    let (f, g) = (RowsMut::new(f, x.lanes()), RowsMut::new(g, x.lanes()));
    if g.rows() > 0 {
        system.coefficients(t, x, f, g);
    } else {
        system.drift(t, x, f);
    }
}
