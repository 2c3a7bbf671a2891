//! Formulas in documentation.

/// A formula by name and TeX, both literals, for a `doc` attribute: TeX in editors; in the pages of rustdoc the
/// MathML in the file `formulas/NAME.html` of the crate that uses it, which `cargo xtask formulas` makes.
#[doc(hidden)]
#[macro_export]
macro_rules! formula {
    ($name:literal, $tex:literal) => {
        // Both paths and `doc` are those of the crate that uses the macro.
        cfg_select! {
            doc => { include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/formulas/", $name, ".html")) }
            _ => { concat!("```text\n", $tex, "\n```") }
        }
    };
}
