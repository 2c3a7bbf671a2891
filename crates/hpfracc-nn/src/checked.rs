//! Serde forms of types whose fields are checked when they are read.

/// Implements [`Serialize`](serde::Serialize) and [`Deserialize`](serde::Deserialize) for types
/// that derive both with `#[serde(remote = "Self")]`: reading a value ends with its method `check`,
/// which returns a `Result<(), E>`.
macro_rules! checked {
    ($($type:ident),+) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, to)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let value = Self::deserialize(from)?;
                value.check().map_err(serde::de::Error::custom)?;
                Ok(value)
            }
        }
    )+};
}

pub(crate) use checked;
