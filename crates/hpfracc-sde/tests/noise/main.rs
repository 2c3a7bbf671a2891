//! Noises by what they promise: their distribution, their bits, and what they refuse.

mod brownian_tree;
mod correlated_brownian;
mod joint;
mod ornstein_uhlenbeck_noise;
mod paths;
mod poisson_jumps;
mod riemann_liouville_brownian;
mod rough_volatility;
mod stable_levy;
