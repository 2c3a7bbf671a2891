use hpfracc::pde::catalogue;

/// Whether a name is that of a ready equation of fields.
pub(crate) fn is_ready_field(text: &str) -> bool {
    catalogue::named(text.trim()).is_some()
}

/// Whether a text has operators in space.
pub(crate) fn has_operators(text: &str) -> bool {
    let operators = ["lap(", "lap)", "lap^", "div(", "grad(", "grad_"];
    operators.iter().any(|operator| text.contains(operator))
}
