use serde::Serialize;

/// What the module is.
#[derive(Debug, Serialize)]
pub(crate) struct About {
    version: &'static str,
    /// Whether ensembles and transforms run on SIMD registers.
    simd: bool,
    /// Bytes of the module's memory, which never shrinks; 0 outside of WebAssembly.
    memory: usize,
    features: [&'static str; 3],
}

pub(crate) fn about() -> About {
    let simd = cfg!(any(target_feature = "simd128", not(target_arch = "wasm32")));
    About {
        version: env!("CARGO_PKG_VERSION"),
        simd,
        memory: memory(),
        features: ["ode", "sde", "fit"],
    }
}

fn memory() -> usize {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0;
    pages << 16
}
