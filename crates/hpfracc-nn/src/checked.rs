//! Serde forms of types whose fields are checked when they are read.

/// Implements [`Serialize`](serde::Serialize) and [`Deserialize`](serde::Deserialize) for types
/// that derive both with `#[serde(remote = "Self")]`, also for types generic over their layers:
/// reading a value ends with its method `check`, which returns a `Result<(), E>`.
macro_rules! checked {
    ($($type:ident$(<$layer:ident>)?),+) => {$(
        impl$(<$layer: serde::Serialize>)? serde::Serialize for $type$(<$layer>)? {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, to)
            }
        }

        impl<'de$(, $layer: crate::Shape + serde::Deserialize<'de>)?> serde::Deserialize<'de>
            for $type$(<$layer>)?
        {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let value = Self::deserialize(from)?;
                value.check().map_err(serde::de::Error::custom)?;
                Ok(value)
            }
        }
    )+};
}

pub(crate) use checked;
