use std::fmt;

/// Numbers of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NumberFormat {
    /// Single precision, `f32`, which every device has.
    #[default]
    Single,
    /// Double precision, `f64`, of devices with numbers and integers of 64 bits.
    Double,
    /// Double-float numbers: sums of two `f32`, 48 bits in the range of `f32`, for devices without `f64`.
    DoubleFloat,
}

impl NumberFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Single, Self::Double, Self::DoubleFloat];

    /// Name, as in names of backends: `f32`, `f64` or `df64`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "f32",
            Self::Double => "f64",
            Self::DoubleFloat => "df64",
        }
    }

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Double | Self::DoubleFloat => 8,
        }
    }

    /// The nearest number as text, which is read with the same bits.
    ///
    /// ```
    /// use hpfracc_equation::wgsl::NumberFormat;
    ///
    /// let text = NumberFormat::ALL.map(|format| format.literal(0.1));
    /// assert_eq!(text, ["1e-1f", "1e-1lf", "Pair(1e-1f, -1.4901161e-9f)"]);
    /// ```
    pub fn literal(self, x: f64) -> String {
        let high = x as f32;
        match self {
            Self::Single => format!("{high:e}f"),
            Self::Double => format!("{x:e}lf"),
            Self::DoubleFloat => format!("Pair({high:e}f, {:e}f)", (x - f64::from(high)) as f32),
        }
    }
}

impl fmt::Display for NumberFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
