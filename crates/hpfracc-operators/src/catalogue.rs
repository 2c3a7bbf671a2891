//! The operators and schemes as data: for a command line, a table, a configuration file.

use crate::definitions::{
    atangana_baleanu, caputo, caputo_fabrizio, distributed_order, erdelyi_kober,
    fractional_laplacian, grunwald_letnikov, hadamard, katugampola, marchaud, miller_ross,
    prabhakar, riemann_liouville, riesz, riesz_feller, rl_integral, spectral_laplacian, tempered,
    variable_order, weyl,
};
use crate::{Entry, Operator, OperatorError, Result};
use hpfracc_types::Order;
use std::sync::Arc;

/// Every operator and scheme, definition by definition. [`named`] takes the first scheme of a
/// definition that is defined for the order, so the default ones come first.
pub const CATALOGUE: &[&[Entry]] = &[
    caputo::ENTRIES,
    riemann_liouville::ENTRIES,
    grunwald_letnikov::ENTRIES,
    rl_integral::ENTRIES,
    tempered::RIEMANN_ENTRIES,
    tempered::CAPUTO_ENTRIES,
    tempered::NORMALISED_ENTRIES,
    tempered::INTEGRAL_ENTRIES,
    caputo_fabrizio::ENTRIES,
    caputo_fabrizio::INTEGRAL_ENTRIES,
    atangana_baleanu::CAPUTO_ENTRIES,
    atangana_baleanu::RIEMANN_ENTRIES,
    atangana_baleanu::INTEGRAL_ENTRIES,
    prabhakar::INTEGRAL_ENTRIES,
    prabhakar::CAPUTO_ENTRIES,
    prabhakar::RIEMANN_ENTRIES,
    marchaud::ENTRIES,
    miller_ross::ENTRIES,
    hadamard::INTEGRAL_ENTRIES,
    hadamard::DERIVATIVE_ENTRIES,
    hadamard::CAPUTO_ENTRIES,
    katugampola::INTEGRAL_ENTRIES,
    katugampola::DERIVATIVE_ENTRIES,
    katugampola::CAPUTO_ENTRIES,
    erdelyi_kober::ENTRIES,
    weyl::ENTRIES,
    riesz::ENTRIES,
    riesz_feller::ENTRIES,
    fractional_laplacian::ENTRIES,
    spectral_laplacian::DIRICHLET_ENTRIES,
    spectral_laplacian::NEUMANN_ENTRIES,
    variable_order::TIME_ENTRIES,
    variable_order::SAMPLE_ENTRIES,
    variable_order::LAG_ENTRIES,
    distributed_order::ENTRIES,
];

/// The entries of [`CATALOGUE`] one after the other.
pub fn catalogue() -> impl Iterator<Item = &'static Entry> {
    CATALOGUE.iter().copied().flatten()
}

/// The operator with these names: the first scheme of the catalogue whose range holds the order if
/// no scheme is named. Parameters are given by name; see
/// [`Definition::parameters`](crate::Definition::parameters).
///
/// ```
/// use hpfracc_operators::{Operator, named};
/// use hpfracc_types::Order;
///
/// assert_eq!(named("caputo", None, Order::new(0.5)?, &[])?.name(), ("caputo", "l1"));
/// assert_eq!(named("caputo", None, Order::new(1.5)?, &[])?.name(), ("caputo", "l2-midpoint"));
/// assert!(named("kaputo", None, Order::new(0.5)?, &[]).is_err());
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
///
/// # Errors
/// [`OperatorError::UnknownOperator`] and [`OperatorError::UnknownScheme`], which list the
/// available names; [`OperatorError::NoScheme`] if no scheme of the operator is defined for the
/// order; and those of [`Entry::make`].
pub fn named(
    operator: &str,
    scheme: Option<&str>,
    order: Order,
    parameters: &[(&str, f64)],
) -> Result<Arc<dyn Operator>> {
    let Some(entries) = CATALOGUE.iter().find(|entries| entries[0].definition.name == operator)
    else {
        let known: Vec<&str> = CATALOGUE.iter().map(|e| e[0].definition.name).collect();
        let (name, known) = (operator.to_owned(), known.join(", "));
        return Err(OperatorError::UnknownOperator { name, known });
    };
    let definition = entries[0].definition;
    let values = definition.values(parameters)?;
    let Some(scheme) = scheme else {
        for entry in *entries {
            match (entry.make)(order, &values) {
                Err(OperatorError::OutOfRange { .. }) => {}
                made => return made,
            }
        }
        let mut ranges: Vec<&str> = entries.iter().map(|e| e.range.text).collect();
        ranges.dedup();
        let (operator, alpha) = (definition.name, order.value());
        return Err(OperatorError::NoScheme { operator, alpha, ranges: ranges.join(", ") });
    };
    match entries.iter().find(|e| e.scheme == scheme) {
        Some(entry) => (entry.make)(order, &values),
        None => {
            let known: Vec<&str> = entries.iter().map(|e| e.scheme).collect();
            Err(OperatorError::UnknownScheme {
                operator: definition.name,
                name: scheme.to_owned(),
                known: known.join(", "),
            })
        }
    }
}
