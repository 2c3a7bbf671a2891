use crate::checks::Range;

/// The definition of a model as data: for a command line, a table, a form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Definition {
    /// Its name, such as `ornstein-uhlenbeck`.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// The equation, a line each.
    pub equation: &'static [&'static str],
    /// Its scheme, and how its state stays in its range.
    pub scheme: &'static str,
    /// Its observables, in the order of the rows.
    pub observables: &'static [&'static str],
    /// Its parameters, where the paths start among them.
    pub parameters: &'static [Parameter],
    /// Default interval and number of steps, which show what it does.
    pub default_grid: DefaultGrid,
}

/// A number that a model is given by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name, such as `sigma`.
    pub name: &'static str,
    /// Its meaning and unit.
    pub meaning: &'static str,
    /// The values allowed.
    pub range: Range,
    /// Its default.
    pub default: f64,
}

/// An interval that starts at 0, and steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DefaultGrid {
    /// Its end.
    pub t1: f64,
    /// Number of steps.
    pub steps: usize,
}

/// Defines a model from the list of its parameters: a value that is checked when it is made, its
/// default value, and the list itself.
macro_rules! parameters {
    (
        $(#[$about:meta])*
        pub struct $model:ident {
            $(#[doc = $meaning:literal] $field:ident: $range:expr, $default:expr;)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        pub struct $model {
            $(#[doc = $meaning] $field: f64,)+
        }

        impl $model {
            /// The parameters, in their order.
            pub const PARAMETERS: &'static [$crate::models::Parameter] = &[
                $($crate::models::Parameter {
                    name: stringify!($field),
                    meaning: $meaning.trim_ascii(),
                    range: $range,
                    default: $default,
                },)+
            ];

            $(
                #[doc = concat!("The same with this ", stringify!($field), ":", $meaning)]
                ///
                /// # Errors
                /// [`SdeError::OutOfRange`](crate::SdeError::OutOfRange), which names the parameter
                /// and its range.
                pub fn $field(mut self, $field: f64) -> Result<Self, $crate::SdeError> {
                    $range.check(concat!("the parameter ", stringify!($field)), $field)?;
                    self.$field = $field;
                    Ok(self)
                }
            )+

            /// The values of the parameters, in their order.
            pub fn values(&self) -> Vec<f64> {
                vec![$(self.$field),+]
            }

            /// The same with another value of the parameter `name`; `None` if there is no such
            /// parameter.
            ///
            /// # Errors
            /// [`SdeError::OutOfRange`](crate::SdeError::OutOfRange) inside.
            pub fn with(self, name: &str, value: f64) -> Option<Result<Self, $crate::SdeError>> {
                match name {
                    $(stringify!($field) => Some(self.$field(value)),)+
                    _ => None,
                }
            }
        }

        /// With the default of each parameter.
        impl Default for $model {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }

        #[cfg(feature = "serde")]
        const _: () = {
            #[derive(serde::Deserialize)]
            #[serde(default, deny_unknown_fields)]
            struct Unchecked { $($field: f64),+ }

            impl Default for Unchecked {
                fn default() -> Self {
                    Self { $($field: $default),+ }
                }
            }

            impl<'de> serde::Deserialize<'de> for $model {
                fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    let unchecked = Unchecked::deserialize(from)?;
                    let model = Self::default();
                    $(
                        let model = model.$field(unchecked.$field)
                            .map_err(<D::Error as serde::de::Error>::custom)?;
                    )+
                    Ok(model)
                }
            }
        };
    };
}

pub(super) use parameters;
