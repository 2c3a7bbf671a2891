//! Standard equations. The documentation of each states its formula, parameters and source.
//!
//! | equation | type |
//! |---|---|
//! | `D^alpha u = kappa Lap u` | [`Diffusion`] |
//! | `D^alpha u + tau^alpha D^(2 alpha) u = kappa Lap u` and another form | [`Cattaneo`] |
//! | `i^alpha D^alpha psi = (-kappa Lap + V) psi` and another form | [`Schroedinger`] |
//! | `D^alpha u = (kappa u_x - v u)_x` | [`AdvectionDiffusion`] |
//! | `D^alpha p = (V' p + kappa p_x)_x` | [`FokkerPlanck`] |
//! | `D^alpha u = kappa Lap u + r u (1 - u)` | [`FisherKpp`] |
//! | `D^alpha u = epsilon^2 Lap u + u - u^3` | [`AllenCahn`] |
//! | `D^alpha u = Lap(u^3 - u - epsilon^2 Lap u)` | [`CahnHilliard`] |
//! | `D^alpha u + (u^2 / 2)_x = nu u_xx` | [`Burgers`] |
//! | two substances, fractional in space | [`GrayScott`] |
//! | `D^alpha u = Lap(u^m)` | [`PorousMedium`] |
//! | `(-Lap)^s u = f` | [`FractionalPoisson`] |

mod advection_diffusion;
mod allen_cahn;
mod burgers;
mod cahn_hilliard;
mod diffusion;
mod energy;
mod fisher_kpp;
mod fokker_planck;
mod fractional_poisson;
mod gray_scott;
mod porous_medium;
mod unit_laplacian;
mod waves;

pub use advection_diffusion::AdvectionDiffusion;
pub use allen_cahn::AllenCahn;
pub use burgers::Burgers;
pub use cahn_hilliard::CahnHilliard;
pub use diffusion::Diffusion;
pub use fisher_kpp::FisherKpp;
pub use fokker_planck::FokkerPlanck;
pub use fractional_poisson::FractionalPoisson;
pub use gray_scott::GrayScott;
pub use porous_medium::PorousMedium;
pub use waves::{Cattaneo, CattaneoForm, Schroedinger, SchroedingerForm};
