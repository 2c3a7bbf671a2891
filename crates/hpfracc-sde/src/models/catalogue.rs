use super::{
    BrownianMotion, CaputoOrnsteinUhlenbeck, ColouredNoise, CompoundPoissonProcess,
    CoxIngersollRoss, Definition, FractionalBrownianMotion, FractionalLangevin,
    FractionalOrnsteinUhlenbeck, GeometricBrownian, InertialLangevin, Known, Model,
    OrnsteinUhlenbeck, RiemannLiouvilleBrownianMotion, RoughBergomi, RoughHeston, StableLevyMotion,
    Variate,
};
use crate::{Collect, Ensemble, SdeError};

/// Defines [`Named`] from the list of all models.
macro_rules! catalogue {
    ($count:literal: $($model:ident),+) => {
        /// Any model, by its name.
        ///
        /// ```
        /// use hpfracc_sde::models::Named;
        /// use hpfracc_sde::{Ensemble, Paths};
        ///
        /// let model = Named::new("rough-bergomi").expect("a name of the catalogue");
        /// let model = model.with("hurst", 0.1).expect("one of its parameters")?;
        /// let ensemble = Ensemble::new(64, 20)?.saving_every(1)?;
        /// let paths = model.simulate::<f32, _>(&ensemble, (0.0, 1.0), 1, &Paths)?;
        /// assert_eq!(paths.dim(), (64, 21, 2));
        /// # Ok::<(), hpfracc_sde::SdeError>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(tag = "model", rename_all = "kebab-case"))]
        #[non_exhaustive]
        pub enum Named {
            $(#[doc = concat!("[`", stringify!($model), "`]")] $model($model),)+
        }

        impl Named {
            /// All models, with their default parameters.
            pub fn all() -> [Self; $count] {
                [$(Self::$model($model::default())),+]
            }

            /// The model `name` with its default parameters; `None` if there is no such model.
            pub fn new(name: &str) -> Option<Self> {
                Self::all().into_iter().find(|model| model.definition().name == name)
            }

            /// Its description.
            pub fn definition(&self) -> Definition {
                match self { $(Self::$model(_) => $model::DEFINITION,)+ }
            }

            /// The values of its parameters, in their order.
            pub fn values(&self) -> Vec<f64> {
                match self { $(Self::$model(model) => model.values(),)+ }
            }

            /// The same with another value of a parameter; none if there is no such parameter.
            ///
            /// # Errors
            /// [`SdeError::OutOfRange`] inside, which names the parameter.
            pub fn with(self, parameter: &str, value: f64) -> Option<Result<Self, SdeError>> {
                match self {
                    $(Self::$model(model) => {
                        model.with(parameter, value).map(|model| model.map(Self::$model))
                    })+
                }
            }

            /// As [`Model::known`].
            ///
            /// # Errors
            /// As there.
            pub fn known(&self, elapsed: f64) -> Result<Vec<Known>, SdeError> {
                match self { $(Self::$model(model) => model.known(elapsed),)+ }
            }

            /// As [`Model::simulate`].
            ///
            /// # Errors
            /// As there.
            pub fn simulate<T: Variate, K: Collect<T>>(
                &self,
                ensemble: &Ensemble<'_>,
                interval: (f64, f64),
                seed: u64,
                collector: &K,
            ) -> Result<K::Output, SdeError> {
                match self {
                    $(Self::$model(model) => {
                        model.simulate::<T, K>(ensemble, interval, seed, collector)
                    })+
                }
            }
        }
    };
}

catalogue!(15: OrnsteinUhlenbeck, FractionalOrnsteinUhlenbeck, CaputoOrnsteinUhlenbeck, GeometricBrownian, CoxIngersollRoss,
    FractionalLangevin, InertialLangevin, RoughBergomi, RoughHeston, BrownianMotion, FractionalBrownianMotion,
    RiemannLiouvilleBrownianMotion, ColouredNoise, CompoundPoissonProcess, StableLevyMotion);
