//! Bytes like others: a number of random changes, the same ones for the same seed.

/// Changes come from here: xorshift, which needs no library and is the same everywhere.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Any seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// No input grows longer.
const LONGEST: usize = 4096;

/// One of the inputs, changed in one to eight places; or a piece of another in its midst.
pub fn mutation(inputs: &[(String, Vec<u8>)], dice: &mut Dice) -> Vec<u8> {
    let any = |dice: &mut Dice| inputs[dice.below(inputs.len())].1.as_slice();
    let mut bytes = if inputs.is_empty() { Vec::new() } else { any(dice).to_vec() };
    for _ in 0..=dice.below(8) {
        let at = dice.below(bytes.len() + 1);
        let byte = dice.below(256) as u8;
        match dice.below(7) {
            0 => bytes.insert(at, byte),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
            4 if !inputs.is_empty() => {
                let other = any(dice);
                let start = dice.below(other.len() + 1);
                let end = start + dice.below(other.len() - start + 1);
                bytes.splice(at..at, other[start..end].iter().copied());
            }
            5 => {
                let end = (at + dice.below(16)).min(bytes.len());
                let twice = bytes[at..end].to_vec();
                bytes.splice(at..at, twice);
            }
            _ if at < bytes.len() => bytes[at] = byte,
            _ => bytes.push(byte),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}
