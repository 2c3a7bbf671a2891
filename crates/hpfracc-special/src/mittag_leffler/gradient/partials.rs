/// A function of z, α and β and its three partial derivatives: numbers, or slices for them of which
/// those that are `None` are not computed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Partials<T> {
    /// The value E.
    pub value: T,
    /// ∂E/∂z
    pub z: T,
    /// ∂E/∂α
    pub alpha: T,
    /// ∂E/∂β
    pub beta: T,
}

impl<T> Partials<T> {
    pub(super) fn map<U>(self, of: impl Fn(T) -> U) -> Partials<U> {
        let [value, z, alpha, beta] = self.into_array().map(of);
        Partials { value, z, alpha, beta }
    }

    pub(super) fn each_mut(&mut self) -> Partials<&mut T> {
        let Self { value, z, alpha, beta } = self;
        Partials { value, z, alpha, beta }
    }

    pub(super) fn into_array(self) -> [T; 4] {
        [self.value, self.z, self.alpha, self.beta]
    }
}

#[cfg(feature = "rayon")]
impl Partials<Option<&mut [f64]>> {
    pub(super) fn split_at(self, middle: usize) -> (Self, Self) {
        let halves = self.map(|slice| slice.map(|slice| slice.split_at_mut(middle)).unzip());
        let Partials { value, z, alpha, beta } = halves;
        let first = Partials { value: value.0, z: z.0, alpha: alpha.0, beta: beta.0 };
        (first, Partials { value: value.1, z: z.1, alpha: alpha.1, beta: beta.1 })
    }
}
