//! Definitions of the fractional Laplacian, and domains of the integral one.

use crate::Error;
use crate::commands::fields::expression::Expression;
use crate::commands::fields::space::SpaceArgs;
use clap::ValueEnum;
use hpfracc::pde::ZeroOutside;

/// Definition of the fractional Laplacian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Definition {
    /// Power of the Laplacian of the box with its boundary conditions
    Spectral,
    /// Zero outside of the domain
    Integral,
}

/// Refuses a domain where the definition is that of the box.
pub(super) fn refuse_domain(domain: Option<&str>) -> Result<(), Error> {
    let Some(domain) = domain else { return Ok(()) };
    let reason = "the spectral definition is that of the box; take --definition integral";
    let (option, value) = ("--domain", domain.to_owned());
    Err(Error::OptionUnused { option, value, reason: reason.to_owned() })
}

/// Domain of the integral definition.
pub(super) fn zero_outside(space: &SpaceArgs, domain: Option<&str>) -> Result<ZeroOutside, Error> {
    if let Some(boundary) = space.boundary.first() {
        let reason = "the integral definition has u = 0 outside and no boundary condition";
        let (option, value) = ("--boundary", boundary.clone());
        return Err(Error::OptionUnused { option, value, reason: reason.to_owned() });
    }
    let names = space.names()?;
    let whole = ZeroOutside::on(&space.intervals()?).map_err(Error::library)?;
    let Some(domain) = domain else { return Ok(whole) };
    let nodes = whole.nodes();
    let condition = format!("({domain})");
    let expression = Expression::parse(&condition, names, "--domain", |_| None, &[])?;
    let columns: Vec<f64> =
        (0..names.len()).flat_map(|d| nodes.iter().map(move |node| node[d])).collect();
    let mask = expression.at(&columns, nodes.len());
    let mask: Vec<bool> = mask.into_iter().map(|inside| inside != 0.0).collect();
    ZeroOutside::masked(whole.axes(), &mask).map_err(Error::library)
}
