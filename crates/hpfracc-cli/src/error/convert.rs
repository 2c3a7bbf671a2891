//! Conversions of errors.

/// Conversions to [`Error`] through the error of a command.
macro_rules! convert_through {
    ($through:ty: $($error:ty),*) => {
        $(impl From<$error> for super::Error {
            fn from(error: $error) -> Self {
                <$through>::from(error).into()
            }
        })*
    };
}
