use super::variables::depends_on;
use crate::graph::{Graph, Id};

/// Entry g_ij of the diffusion matrix: the factor of noise j in component i.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffusionEntry {
    /// Component i, counted from 0.
    pub component: usize,
    /// Noise j, counted from 0.
    pub noise: usize,
    /// Node of the value.
    pub value: Id,
}

/// Structure of the noise: diagonal, scalar or general, as in torchsde and diffrax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoiseKind {
    /// No noise: a deterministic equation.
    None,
    /// Each component has a noise of its own, with its own number.
    Diagonal,
    /// Diagonal noise of the first components; the others have none.
    LeadingDiagonal {
        /// Number of noises.
        noises: usize,
    },
    /// One noise acts on several components.
    Scalar,
    /// Any matrix.
    General {
        /// Number of noises.
        noises: usize,
    },
}

/// Structure of the noise, from the entries of the diffusion matrix that are not the constant 0.
///
/// `dim` is the number of components, `noises` that of noises.
///
/// ```
/// use hpfracc_equation::structure::{DiffusionEntry, NoiseKind, noise_kind};
/// use hpfracc_equation::Graph;
///
/// let mut graph = Graph::new();
/// let value = graph.variable(0);
/// let entries = [0, 1].map(|k| DiffusionEntry { component: k, noise: k, value });
/// assert_eq!(noise_kind(&graph, 2, 2, &entries), NoiseKind::Diagonal);
/// assert_eq!(noise_kind(&graph, 3, 2, &entries), NoiseKind::LeadingDiagonal { noises: 2 });
/// ```
pub fn noise_kind(
    graph: &Graph,
    dim: usize,
    noises: usize,
    diffusion: &[DiffusionEntry],
) -> NoiseKind {
    let mut entries =
        diffusion.iter().filter(|e| graph.node(e.value).as_constant() != Some(0.0)).peekable();
    if entries.peek().is_none() {
        NoiseKind::None
    } else if noises <= dim && entries.all(|entry| entry.component == entry.noise) {
        match noises {
            _ if noises == dim => NoiseKind::Diagonal,
            _ => NoiseKind::LeadingDiagonal { noises },
        }
    } else if noises == 1 {
        NoiseKind::Scalar
    } else {
        NoiseKind::General { noises }
    }
}

/// For each noise, whether it is additive: its factors depend on no state.
pub fn additive_noises(
    graph: &Graph,
    noises: usize,
    diffusion: &[DiffusionEntry],
    states: &[u32],
) -> Vec<bool> {
    let depends = depends_on(graph, states);
    let mut additive = vec![true; noises];
    for entry in diffusion.iter().filter(|entry| depends[entry.value.index()]) {
        if let Some(additive) = additive.get_mut(entry.noise) {
            *additive = false;
        }
    }
    additive
}
