use super::noise::DiffusionEntry;
use super::normal_form::NormalForms;
use super::polynomial::Polynomial;
use crate::derive::jacobian;
use crate::graph::{Graph, Id};
use std::collections::HashMap;

/// Most products of derivatives and factors that are compared.
const MAX_PRODUCTS: usize = 200_000;

/// Whether the columns of the diffusion matrix commute, `Dg_j g_k = Dg_k g_j` for all noises j and k: then
/// Levy areas cancel, and increments suffice for strong order 1.
///
/// True only if every difference is found to be zero: as a polynomial with exact coefficients (0.1 is 1/10), in
/// the states, the parameters and whatever functions occur, with `sqrt(u)^2 = u` and `a^(b-1) = a^b / a`. False if in
/// doubt: identities of other functions, differences of very many terms, functions without a derivative.
///
/// ```
/// use hpfracc_equation::structure::{DiffusionEntry, noises_commute};
/// use hpfracc_equation::Graph;
///
/// // Both noises of dX = a X dW_0 + b X dW_1 are multiples of X.
/// let mut graph = Graph::new();
/// let [x, a, b] = [0, 1, 2].map(|k| graph.variable(k));
/// let values = [graph.product(a, x), graph.product(b, x)];
/// let entries = [0, 1].map(|k| DiffusionEntry { component: 0, noise: k, value: values[k] });
/// assert!(noises_commute(&mut graph, &entries, &[0]));
/// // With a constant beside it they do not commute.
/// let entries = [0, 1].map(|k| DiffusionEntry { component: 0, noise: k, value: [values[0], b][k] });
/// assert!(!noises_commute(&mut graph, &entries, &[0]));
/// ```
pub fn noises_commute(graph: &mut Graph, diffusion: &[DiffusionEntry], states: &[u32]) -> bool {
    commute(graph, diffusion, states) == Some(true)
}

/// `None` if in doubt.
fn commute(graph: &mut Graph, diffusion: &[DiffusionEntry], states: &[u32]) -> Option<bool> {
    let values: Vec<Id> = diffusion.iter().map(|entry| entry.value).collect();
    // Row: the entry of the diffusion; column: the state l.
    let derivatives = jacobian(graph, &values, states).ok()?;
    let mut rows: HashMap<usize, Vec<&DiffusionEntry>> = HashMap::new();
    for entry in diffusion.iter().filter(|e| graph.node(e.value).as_constant() != Some(0.0)) {
        rows.entry(entry.component).or_default().push(entry);
    }
    let needed: Vec<Id> = derivatives.iter().map(|d| d.value).chain(values).collect();
    let mut forms = NormalForms::new(graph, &needed);
    let mut brackets: HashMap<(usize, usize, usize), Polynomial> = HashMap::new();
    let mut products = 0;
    for derivative in &derivatives {
        let DiffusionEntry { component, noise: k, .. } = diffusion[derivative.row];
        for factor in rows.get(&derivative.column).into_iter().flatten() {
            let j = factor.noise;
            if j == k {
                continue;
            }
            products += 1;
            (products <= MAX_PRODUCTS).then_some(())?;
            // dg_ik/dx_l g_lj of both orders cancel.
            let (d, g) = (forms.form(derivative.value), forms.form(factor.value));
            let mut product = forms.product(&d, &g)?;
            if j > k {
                product = product.negated();
            }
            let bracket = brackets.entry((component, j.min(k), j.max(k))).or_default();
            *bracket = bracket.plus(&product)?;
        }
    }
    Some(brackets.values().all(Polynomial::is_zero))
}
