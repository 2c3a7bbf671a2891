use super::checks::rows;
use super::error::ModelError;
use super::field::{Field, Work};
use crate::checks::{in_range, not_negative, positive};
use crate::layers::Network;
use crate::{Activation, Block, Layer, ParameterBlock, Pass, Scalar, Shape};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::NoiseKind;
use serde::{Deserialize, Serialize};

/// Diffusion coefficient of a neural stochastic differential equation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Diffusion<L = Network> {
    /// No noise: a deterministic equation.
    #[default]
    None,
    /// Additive noise: a constant for each component, softplus of a parameter.
    Additive {
        /// Initial value, positive.
        start: f64,
    },
    /// Diagonal noise: a function of the state for each component, with independent noises.
    Diagonal {
        /// Network from the components, or these and the time, to a row for each component.
        network: L,
        /// Lower bound: the diffusion is this plus softplus of the network's output. Without it,
        /// the diffusion is the network's output, of either sign.
        floor: Option<f64>,
    },
    /// General noise: a matrix of functions of the state; each noise acts on all components.
    General {
        /// Network from the components, or these and the time, to the rows `component * noises +
        /// noise`.
        network: L,
        /// Number of noises.
        noises: usize,
    },
}

impl<L: Shape> Diffusion<L> {
    /// Checks the sizes for `dim` components.
    pub(super) fn check(&self, dim: usize) -> Result<(), ModelError> {
        match self {
            Self::None => Ok(()),
            Self::Additive { start } => Ok(positive("the diffusion at the start", *start)?),
            Self::Diagonal { network, floor } => {
                not_negative("the least diffusion", floor.unwrap_or(0.0))?;
                rows("the inputs of the diffusion", network.inputs(), &[dim, dim + 1])?;
                rows("the outputs of the diffusion", network.outputs(), &[dim])
            }
            Self::General { network, noises } => {
                in_range(*noises > 0, "the number of noises", noises, "at least 1")?;
                rows("the inputs of the diffusion", network.inputs(), &[dim, dim + 1])?;
                rows("the outputs of the diffusion", network.outputs(), &[dim * noises])
            }
        }
    }

    pub(super) fn parameter_blocks(&self, dim: usize) -> Vec<ParameterBlock> {
        match self {
            Self::None => Vec::new(),
            Self::Additive { start } => {
                // The inverse of softplus, ln(exp(s) - 1).
                let raw = start + (-(-start).exp_m1()).ln();
                vec![Block::new("raw", &[dim]).filled(raw)]
            }
            Self::Diagonal { network, .. } | Self::General { network, .. } => {
                network.parameter_blocks()
            }
        }
    }

    pub(super) fn parameters(&self, dim: usize) -> usize {
        match self {
            Self::None => 0,
            Self::Additive { .. } => dim,
            Self::Diagonal { network, .. } | Self::General { network, .. } => network.parameters(),
        }
    }

    /// Noise structure on the leading components of a state.
    pub(super) fn noise_kind(&self, dim: usize) -> NoiseKind {
        match self {
            Self::None => NoiseKind::LeadingDiagonal { noises: 0 },
            Self::Additive { .. } | Self::Diagonal { .. } => {
                NoiseKind::LeadingDiagonal { noises: dim }
            }
            Self::General { noises, .. } => NoiseKind::General { noises: *noises },
        }
    }
}

/// A coefficient of an equation with its parameters: a drift, or a [`Diffusion`].
#[derive(Debug)]
pub(super) enum Coefficient<'a, T, L> {
    /// Zero.
    None,
    Additive(&'a [T]),
    /// The network, with the lower bound to which softplus of its output is added.
    Network(Field<'a, T, L>, Option<T>),
}

impl<'a, T: Scalar, L: Layer<T>> Coefficient<'a, T, L> {
    pub(super) fn diffusion(of: &'a Diffusion<L>, dim: usize, theta: &'a [T], pass: Pass) -> Self {
        match of {
            Diffusion::None => Self::None,
            Diffusion::Additive { .. } => Self::Additive(theta),
            Diffusion::Diagonal { network, floor } => {
                Self::Network(Field::new(network, dim, theta, pass), floor.map(T::narrow))
            }
            Diffusion::General { network, .. } => {
                Self::Network(Field::new(network, dim, theta, pass), None)
            }
        }
    }

    /// The network, if there is one.
    pub(super) fn network(&self) -> Option<&Field<'a, T, L>> {
        if let Self::Network(field, _) = self { Some(field) } else { None }
    }

    /// Rows of work memory.
    pub(super) fn rows(&self) -> usize {
        self.network().map_or(0, Field::rows)
    }

    pub(super) fn parameters(&self) -> usize {
        if let Self::Additive(raw) = self {
            return raw.len();
        }
        self.network().map_or(0, Field::parameters)
    }

    /// True if the coefficient does not depend on the state.
    pub(super) fn is_constant(&self) -> bool {
        self.network().is_none()
    }

    /// Writes g.
    #[inline(always)]
    pub(super) fn write(&self, t: f64, x: Rows<'_, T>, rows: &mut [T], mut g: RowsMut<'_, T>) {
        match self {
            Self::None => g.as_mut_slice().fill(T::zero()),
            Self::Additive(raw) => {
                raw.iter().enumerate().for_each(|(i, raw)| g[i].fill(raw.softplus()));
            }
            Self::Network(field, floor) => {
                let (mut work, _) = field.work(rows, x.lanes());
                field.write(t, x, &mut work, g.as_mut_slice());
                if let Some(floor) = *floor {
                    Activation::Softplus.apply(g.as_mut_slice());
                    g.as_mut_slice().iter_mut().for_each(|g| *g += floor);
                }
            }
        }
    }

    /// Backward pass for the cotangent `gbar`.
    #[inline(always)]
    pub(super) fn vjp(
        &self,
        t: f64,
        (x, gbar): (Rows<'_, T>, Rows<'_, T>),
        rows: &mut [T],
        xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    ) {
        match self {
            Self::None => {}
            Self::Additive(raw) => {
                for (i, (raw, rawbar)) in raw.iter().zip(thetabar).enumerate() {
                    let sum = gbar[i].iter().fold(T::zero(), |sum, gbar| sum + *gbar);
                    *rawbar += raw.logistic() * sum;
                }
            }
            Self::Network(field, floor) => {
                let (mut work, _) = field.work(rows, x.lanes());
                field.forward(t, x, &mut work);
                Self::of_network(*floor, gbar.as_slice(), &mut work);
                field.vjp(x, &mut work, xbar, thetabar);
            }
        }
    }

    /// Cotangent of the network's output.
    #[inline(always)]
    fn of_network(floor: Option<T>, gbar: &[T], work: &mut Work<'_, T>) {
        if floor.is_none() {
            work.ybar.copy_from_slice(gbar);
            return;
        }
        // The slope of softplus.
        work.ybar.copy_from_slice(work.y);
        Activation::Sigmoid.apply(work.ybar);
        work.ybar.iter_mut().zip(gbar).for_each(|(ybar, gbar)| *ybar *= *gbar);
    }
}
