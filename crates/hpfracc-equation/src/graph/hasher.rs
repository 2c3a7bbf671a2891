use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

/// Hashes of short keys, such as nodes and names, several times as fast as those of the standard library, which are made for long keys.
///
/// Each process has a random seed, so that no text is slow on purpose. Nothing depends on hashes but time:
/// nodes are numbered in the order in which they are added.
#[derive(Debug, Clone)]
pub(crate) struct ShortKeys {
    seed: u64,
}

impl Default for ShortKeys {
    fn default() -> Self {
        static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));
        Self { seed: *SEED }
    }
}

impl BuildHasher for ShortKeys {
    type Hasher = ShortKeyHasher;

    fn build_hasher(&self) -> ShortKeyHasher {
        ShortKeyHasher { hash: self.seed }
    }
}

/// Folded products of 128 bits, as in wyhash (Wang Yi, 2019).
#[derive(Debug)]
pub(crate) struct ShortKeyHasher {
    hash: u64,
}

impl Hasher for ShortKeyHasher {
    fn finish(&self) -> u64 {
        self.hash
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        let last = rest.iter().fold(bytes.len() as u64, |word, byte| word << 8 | u64::from(*byte));
        self.write_u64(last);
    }

    fn write_u8(&mut self, x: u8) {
        self.write_u64(x.into());
    }

    fn write_u32(&mut self, x: u32) {
        self.write_u64(x.into());
    }

    fn write_u64(&mut self, x: u64) {
        let product = u128::from(self.hash ^ x ^ 0x2d35_8dcc_aa6c_78a5)
            * u128::from(x.wrapping_add(0x8bb8_4b93_962e_acc9) | 1);
        self.hash = (product as u64 ^ (product >> 64) as u64).rotate_left(29);
    }

    fn write_isize(&mut self, x: isize) {
        self.write_u64(x as u64);
    }
}
