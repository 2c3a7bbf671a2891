//! Self-tests: a device proves double precision and double-float arithmetic before it is used.

mod double_float;
mod f64;

/// The shaders of the self-tests, and whether they need double precision.
#[cfg(test)]
pub(crate) fn sources() -> [(&'static str, bool, String); 2] {
    [("f64", true, include_str!("f64.wgsl").to_owned()), ("df64", false, double_float::source())]
}
