//! The groups of benchmarks, each of an algorithm or a question.

mod adaptive;
mod caputo_fabrizio;
mod causal;
mod causal_convolution;
mod collocation;
mod dense;
mod elementary;
mod equation;
mod family;
mod fields;
mod fitting;
mod floors;
mod gradient;
mod history_choice;
mod maps;
mod mesh;
mod mittag_leffler;
mod nn;
mod noise;
mod ode;
mod operators;
mod recurrence;
mod scaling;
mod sde;
mod selector;
mod spatial;
mod spectral_multiplier;
mod stream;
mod transforms;
#[cfg(feature = "gpu")]
mod wgpu;

pub(crate) use stream::memory_alone as stream_memory;

use crate::bench::Bench;

/// Reason why constructors succeed: sizes, orders and parameters are in their ranges.
const INSIDE: &str = "inside the range";

/// Name and function of a group.
pub(crate) type Group = (&'static str, fn(&mut Bench));

/// All groups in the order in which they run.
pub(crate) const GROUPS: &[Group] = &[
    ("floors", floors::floors),
    ("causal_convolution/fft", causal_convolution::fft),
    ("causal_convolution/direct", causal_convolution::direct),
    ("causal_convolution/threads", causal_convolution::threads),
    ("spectral_multiplier", spectral_multiplier::line),
    ("dense", dense::gemm),
    ("elementary", elementary::functions),
    ("equation/lanes", equation::against_loops),
    ("equation/dense", equation::against_peak),
    ("equation/network", equation::against_rows),
    ("equation/scalar", equation::against_closures),
    ("equation/steps", equation::of_texts),
    ("recurrence/one_core", recurrence::one_core),
    ("recurrence/against_fft", recurrence::against_fft),
    ("recurrence/threads", recurrence::threads),
    ("recurrence/silence", recurrence::silence),
    ("operators/whole_call", operators::whole_call),
    ("operators/family", family::rows),
    ("operators/axes", operators::axes),
    ("operators/caputo-fabrizio", caputo_fabrizio::against_a_copy),
    ("mesh", mesh::growth),
    ("spatial/plane", spatial::plane),
    ("spatial/backends", spatial::backends),
    ("spatial/shifted", spatial::shifted),
    ("spatial/integral", spatial::integral),
    ("spatial/graphs", spatial::graphs),
    ("fields/memory", fields::memory),
    ("fields/linear", fields::linear),
    ("fields/front", fields::front),
    ("fields/orders", fields::orders),
    ("mittag_leffler", mittag_leffler::slices),
    ("stream/against_transforms", stream::against_transforms),
    ("stream/push", stream::push),
    ("stream/chunks", stream::chunks),
    ("stream/memory", stream::memory),
    #[cfg(feature = "gpu")]
    ("wgpu/device", wgpu::device),
    #[cfg(feature = "gpu")]
    ("wgpu/overhead", wgpu::overhead),
    #[cfg(feature = "gpu")]
    ("wgpu/transforms", wgpu::transforms),
    #[cfg(feature = "gpu")]
    ("wgpu/products", wgpu::products),
    #[cfg(feature = "gpu")]
    ("wgpu/networks", wgpu::networks),
    #[cfg(feature = "gpu")]
    ("wgpu/ensembles", wgpu::ensembles),
    #[cfg(feature = "gpu")]
    ("wgpu/neural-sde", wgpu::neural_sde),
    #[cfg(feature = "gpu")]
    ("wgpu/choice", wgpu::choice),
    ("fit/points", fitting::points),
    ("fit/file", fitting::file),
    ("fit/batch", fitting::batch),
    ("fit/sampling", fitting::sampling),
    ("fit/equation", fitting::equation),
    ("fit/checkpoints", fitting::checkpoints),
    ("nn/layers", nn::layers),
    ("nn/models", nn::models),
    ("nn/networks", nn::networks),
    ("transforms/sampled", transforms::sampled),
    ("transforms/chirp_z", transforms::chirp_z),
    ("transforms/discrete", transforms::discrete),
    ("causal/rows", causal::rows),
    ("causal/panels", causal::panels),
    ("causal/online", causal::online),
    ("ode/relaxation", ode::relaxation_by_history),
    ("ode/crossover", ode::crossover),
    ("ode/history_choice", history_choice::regret),
    ("ode/brusselator", ode::brusselator),
    ("ode/collocation", collocation::benchmarks),
    ("ode/schemes", ode::schemes),
    ("selector/overhead", selector::overhead),
    ("selector/machine", selector::machine),
    ("selector/regret", selector::regret),
    ("selector/real_runs", selector::real_runs),
    ("ode/adaptive", adaptive::against_equal_steps),
    ("ode/gradient", gradient::over_a_solve),
    ("scaling/operators", scaling::operators),
    ("scaling/histories", scaling::histories),
    ("noise/samples", noise::samples),
    ("noise/riemann_liouville", noise::riemann_liouville),
    ("noise/rough_bergomi", noise::rough_bergomi),
    ("sde/ensembles", sde::ensembles),
    ("sde/memories", sde::memories),
    ("sde/threads", sde::threads),
    ("sde/collectors", sde::collectors),
    ("sde/resident", sde::resident),
    ("sde/multilevel", sde::multilevel),
    ("sde/fractional_brownian", sde::fractional_brownian),
    ("sde/memory", sde::by_steps),
    ("sde/models", sde::models),
    ("sde/gradients", sde::gradients),
    ("sde/schemes", sde::by_scheme),
    ("sde/adaptive_steps", sde::adaptive),
    ("scaling/ensembles", scaling::ensembles),
    ("scaling/training", scaling::training),
];
