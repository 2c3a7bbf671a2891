//! The operators and schemes as data: for a command line, a table, a configuration file.

use crate::{
    Caputo, FractionalLaplacian, GrunwaldLetnikov, Operator, OperatorError, RiemannLiouville,
    Riesz, RlIntegral, Weyl,
};
use hpfracc_types::Order;
use std::sync::Arc;

/// One scheme of one operator.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Name of the operator.
    pub operator: &'static str,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Orders for which it is defined.
    pub range: &'static str,
    /// Order of accuracy for smooth functions at fixed t.
    pub accuracy: &'static str,
    /// What the record is taken to be outside its samples.
    pub outside: &'static str,
    make: fn(Order) -> Made,
}

type Made = Result<Arc<dyn Operator>, OperatorError>;

impl Entry {
    /// The operator of this order.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] if the order lies outside [`Entry::range`].
    pub fn make(&self, order: Order) -> Result<Arc<dyn Operator>, OperatorError> {
        (self.make)(order)
    }
}

const STARTS: &str = "starts at the first sample";
const ZERO: &str = "zero before the first sample";
const PERIODIC: &str = "periodic";
const COMPACT: &str = "zero on both sides";

/// Every operator and scheme. [`named`] takes the first scheme of an operator that is defined for
/// the order, so the usual ones come first.
pub const CATALOGUE: &[Entry] = &[
    entry("caputo", "l1", "0 < alpha < 1", "2 - alpha", STARTS, |o| arc(Caputo::l1(o)?)),
    entry("caputo", "l2-midpoint", "1 < alpha < 2", "3 - alpha", STARTS, |o| {
        arc(Caputo::l2_midpoint(o)?)
    }),
    entry("caputo", "bdf2", "0 <= alpha <= 20", "2", STARTS, |o| arc(Caputo::bdf(o, 2)?)),
    entry("caputo", "bdf3", "0 <= alpha <= 20", "3", STARTS, |o| arc(Caputo::bdf(o, 3)?)),
    entry("caputo", "bdf4", "0 <= alpha <= 20", "4", STARTS, |o| arc(Caputo::bdf(o, 4)?)),
    entry("caputo", "bdf5", "0 <= alpha <= 20", FLAT_5, STARTS, |o| arc(Caputo::bdf(o, 5)?)),
    entry("caputo", "bdf6", "0 <= alpha <= 20", FLAT_6, STARTS, |o| arc(Caputo::bdf(o, 6)?)),
    entry("caputo", "bdf1", "0 <= alpha <= 20", "1", STARTS, |o| arc(Caputo::bdf(o, 1)?)),
    entry(RL, "l1", "0 < alpha < 1", "2 - alpha", STARTS, |o| arc(RiemannLiouville::l1(o)?)),
    entry(RL, "bdf2", "0 <= alpha <= 20", "2", STARTS, |o| arc(RiemannLiouville::bdf(o, 2)?)),
    entry(RL, "bdf3", "0 <= alpha <= 20", "3", STARTS, |o| arc(RiemannLiouville::bdf(o, 3)?)),
    entry(RL, "bdf4", "0 <= alpha <= 20", "4", STARTS, |o| arc(RiemannLiouville::bdf(o, 4)?)),
    entry(RL, "bdf5", "0 <= alpha <= 20", FLAT_5, STARTS, |o| arc(RiemannLiouville::bdf(o, 5)?)),
    entry(RL, "bdf6", "0 <= alpha <= 20", FLAT_6, STARTS, |o| arc(RiemannLiouville::bdf(o, 6)?)),
    entry(RL, "bdf1", "0 <= alpha <= 20", "1", STARTS, |o| arc(RiemannLiouville::bdf(o, 1)?)),
    entry(GL, "standard", "alpha >= 0", "1", ZERO, |o| arc(GrunwaldLetnikov::new(o))),
    entry(GL, "shifted", "alpha >= 0", "1", COMPACT, |o| arc(GrunwaldLetnikov::shifted(o))),
    entry(GL, "bdf1", "alpha >= 0", "1", ZERO, |o| arc(GrunwaldLetnikov::bdf(o, 1)?)),
    entry(GL, "bdf2", "alpha >= 0", "2 if f flat at 0", ZERO, |o| {
        arc(GrunwaldLetnikov::bdf(o, 2)?)
    }),
    entry(GL, "bdf3", "alpha >= 0", "3 if f flat at 0", ZERO, |o| {
        arc(GrunwaldLetnikov::bdf(o, 3)?)
    }),
    entry(GL, "bdf4", "alpha >= 0", "4 if f flat at 0", ZERO, |o| {
        arc(GrunwaldLetnikov::bdf(o, 4)?)
    }),
    entry(GL, "bdf5", "alpha >= 0", "5 if f flat at 0", ZERO, |o| {
        arc(GrunwaldLetnikov::bdf(o, 5)?)
    }),
    entry(GL, "bdf6", "alpha >= 0", "6 if f flat at 0", ZERO, |o| {
        arc(GrunwaldLetnikov::bdf(o, 6)?)
    }),
    entry("rl-integral", "trapezoid", "0 < alpha <= 20", "2", STARTS, |o| {
        arc(RlIntegral::trapezoid(o)?)
    }),
    entry("rl-integral", "rectangle", "0 < alpha <= 20", "1", STARTS, |o| {
        arc(RlIntegral::rectangle(o)?)
    }),
    entry("weyl", "spectral", "alpha >= 0", "spectral", PERIODIC, |o| arc(Weyl::new(o))),
    entry("riesz", "spectral", "alpha >= 0", "spectral", PERIODIC, |o| arc(Riesz::spectral(o))),
    entry("riesz", "ortigueira", "0 < alpha <= 2", "2", COMPACT, |o| arc(Riesz::ortigueira(o)?)),
    entry(LAP, "spectral", "alpha >= 0", "spectral", PERIODIC, |o| {
        arc(FractionalLaplacian::spectral(o))
    }),
    entry(LAP, "ortigueira", "0 < alpha <= 2", "2", COMPACT, |o| {
        arc(FractionalLaplacian::ortigueira(o)?)
    }),
];

const RL: &str = "riemann-liouville";
const GL: &str = "grunwald-letnikov";
const LAP: &str = "fractional-laplacian";
const FLAT_5: &str = "4; 5 if f'' = f''' = 0 at 0";
const FLAT_6: &str = "4; 6 if f'' = f''' = 0 at 0";

const fn entry(
    operator: &'static str,
    scheme: &'static str,
    range: &'static str,
    accuracy: &'static str,
    outside: &'static str,
    make: fn(Order) -> Made,
) -> Entry {
    Entry { operator, scheme, range, accuracy, outside, make }
}

fn arc(operator: impl Operator + 'static) -> Made {
    Ok(Arc::new(operator))
}

/// The operator with these names: the first scheme of the catalogue whose range holds the order if
/// no scheme is named.
///
/// ```
/// use hpfracc_operators::{Operator, named};
/// use hpfracc_types::Order;
///
/// assert_eq!(named("caputo", None, Order::new(0.5)?)?.name(), ("caputo", "l1"));
/// assert_eq!(named("caputo", None, Order::new(1.5)?)?.name(), ("caputo", "l2-midpoint"));
/// assert!(named("kaputo", None, Order::new(0.5)?).is_err());
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
///
/// # Errors
/// [`OperatorError::UnknownOperator`] and [`OperatorError::UnknownScheme`], which list the names
/// known; [`OperatorError::OutOfRange`] if the scheme named, [`OperatorError::NoScheme`] if no scheme
/// of the operator is defined for the order.
pub fn named(
    operator: &str,
    scheme: Option<&str>,
    order: Order,
) -> Result<Arc<dyn Operator>, OperatorError> {
    let entries: Vec<&Entry> = CATALOGUE.iter().filter(|e| e.operator == operator).collect();
    let Some(first) = entries.first() else {
        let mut known: Vec<&str> = CATALOGUE.iter().map(|e| e.operator).collect();
        known.dedup();
        let (name, known) = (operator.to_owned(), known.join(", "));
        return Err(OperatorError::UnknownOperator { name, known });
    };
    let Some(scheme) = scheme else {
        return entries.iter().find_map(|e| e.make(order).ok()).ok_or_else(|| {
            let mut ranges: Vec<&str> = entries.iter().map(|e| e.range).collect();
            ranges.dedup();
            let (operator, alpha) = (first.operator, order.value());
            OperatorError::NoScheme { operator, alpha, ranges: ranges.join(", ") }
        });
    };
    match entries.iter().find(|e| e.scheme == scheme) {
        Some(entry) => entry.make(order),
        None => {
            let known: Vec<&str> = entries.iter().map(|e| e.scheme).collect();
            Err(OperatorError::UnknownScheme {
                operator: first.operator,
                name: scheme.to_owned(),
                known: known.join(", "),
            })
        }
    }
}
