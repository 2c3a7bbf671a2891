//! Self-tests: a device proves double precision, double-float arithmetic and fused multiply-adds before they are used.

mod double_float;
mod f64;
mod fused;
#[cfg(test)]
mod shader_sources;

/// The shaders of the self-tests, and whether they need double precision.
#[cfg(test)]
fn sources() -> [(&'static str, bool, String); 4] {
    let fused = |scalar: &str| format!("alias real = {scalar};\n{}", include_str!("fused.wgsl"));
    [
        ("f64", true, include_str!("f64.wgsl").to_owned()),
        ("df64", false, double_float::source()),
        ("fma", false, fused("f32")),
        ("fma", true, fused("f64")),
    ]
}
