//! Checksum of wisdom files.

use std::{fmt, io};

/// FNV-1a hash of the bytes written, and their number: each step is a bijection of the state, so
/// that every single flipped bit is detected. G. Fowler, L. C. Noll, K.-P. Vo, draft-eastlake-fnv.
pub(super) struct Digest {
    hash: u64,
    pub(super) len: usize,
}

impl Default for Digest {
    fn default() -> Self {
        Self { hash: 0xcbf2_9ce4_8422_2325, len: 0 }
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        self.hash = bytes.iter().fold(self.hash, step);
        self.len += bytes.len();
    }
}

impl io::Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.hash)
    }
}

/// The hash of a text, in hexadecimal digits.
pub(super) fn checksum(text: &str) -> String {
    let mut digest = Digest::default();
    digest.add(text.as_bytes());
    digest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_of_the_published_test_vector() {
        assert_eq!(checksum("foobar"), "85944171f73967e8");
    }
}
