//! Formulas: TeX for who reads the source, MathML in the pages of rustdoc. `cargo xtask formulas`
//! makes the files of the second from the first.

#[cfg(doc)]
macro_rules! formula {
    ($name:literal, $tex:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/formulas/", $name, ".html"))
    };
}

#[cfg(not(doc))]
macro_rules! formula {
    ($name:literal, $tex:literal) => {
        concat!("```text\n", $tex, "\n```")
    };
}
