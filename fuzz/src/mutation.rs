//! Random mutations of inputs, reproducible by a seed.

/// Xorshift generator, which needs no library and is the same on all platforms.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Generator with any seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Next number below `end`, which must be positive.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// Maximum length of an input.
const MAX_LENGTH: usize = 4096;

/// Copy of a random input with one to eight changes: bytes inserted, removed, replaced or repeated,
/// or a part of another input inserted.
pub fn mutation(inputs: &[(String, Vec<u8>)], random: &mut Random) -> Vec<u8> {
    let any = |random: &mut Random| inputs[random.below(inputs.len())].1.as_slice();
    let mut bytes = if inputs.is_empty() { Vec::new() } else { any(random).to_vec() };
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len() + 1);
        let byte = random.below(256) as u8;
        match random.below(7) {
            0 => bytes.insert(at, byte),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
            4 if !inputs.is_empty() => {
                let other = any(random);
                let start = random.below(other.len() + 1);
                let end = start + random.below(other.len() - start + 1);
                bytes.splice(at..at, other[start..end].iter().copied());
            }
            5 => {
                let end = (at + random.below(16)).min(bytes.len());
                let twice = bytes[at..end].to_vec();
                bytes.splice(at..at, twice);
            }
            _ if at < bytes.len() => bytes[at] = byte,
            _ => bytes.push(byte),
        }
    }
    bytes.truncate(MAX_LENGTH);
    bytes
}
