//! Noises by themselves, as processes from 0.

/// Implements `Model` for the sum of the increments of a noise, times a strength: the model has
/// functions `strength`, `noise_of` and `known_at`.
macro_rules! model_of_noise {
    (
        $model:ident: $noise:ty,
        name: $name:literal,
        title: $title:literal,
        equation: $equation:literal,
        scheme: $scheme:literal,
        t1: $t1:literal
    ) => {
        impl $crate::models::Model for $model {
            const DEFINITION: $crate::models::Definition = $crate::models::Definition {
                name: $name,
                title: $title,
                equation: &[$equation],
                scheme: $scheme,
                observables: &["x"],
                parameters: Self::PARAMETERS,
                default_grid: $crate::models::DefaultGrid { t1: $t1, steps: 500 },
            };
            const ADDITIVE: &'static [bool] = &[true];

            type Noise<T: Variate> = $noise;
            type Scheme<T: Variate> = $crate::EulerMaruyama;

            fn start(&self) -> Vec<f64> {
                vec![0.0]
            }

            #[inline(always)]
            fn drift<T: Variate>(
                &self,
                _: f64,
                _: ::hpfracc_lanes::Rows<'_, T>,
                mut f: ::hpfracc_lanes::RowsMut<'_, T>,
            ) {
                f[0].fill(T::zero());
            }

            #[inline(always)]
            fn diffusion<T: Variate>(
                &self,
                _: f64,
                _: ::hpfracc_lanes::Rows<'_, T>,
                mut g: ::hpfracc_lanes::RowsMut<'_, T>,
            ) {
                g[0].fill(T::narrow(self.strength()));
            }

            fn noise<T: Variate>(&self, seed: u64) -> Result<$noise, SdeError> {
                self.noise_of(seed)
            }

            fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
                Ok(vec![self.known_at(elapsed)])
            }
        }
    };
}

mod brownian_motion;
mod coloured_noise;
mod compound_poisson_process;
mod fractional_brownian_motion;
mod riemann_liouville_brownian_motion;
mod stable_levy_motion;

pub use brownian_motion::BrownianMotion;
pub use coloured_noise::ColouredNoise;
pub use compound_poisson_process::CompoundPoissonProcess;
pub use fractional_brownian_motion::FractionalBrownianMotion;
pub use riemann_liouville_brownian_motion::RiemannLiouvilleBrownianMotion;
pub use stable_levy_motion::StableLevyMotion;
