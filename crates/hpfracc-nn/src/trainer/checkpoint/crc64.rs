//! The checksum CRC-64/XZ.
//!
//! It guards against damage, not against malice: every burst of errors within 64 bits is found, any
//! other with a chance of 2^-64 to be missed. That takes a table and a loop, and no dependency.

/// x^64 + x^62 + ... of ECMA-182, its bits in reverse.
const POLYNOMIAL: u64 = 0xc96c_5795_d787_0f42;

const TABLE: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut bit) = (byte as u64, 0);
        while bit < 8 {
            rest = if rest & 1 == 1 { rest >> 1 ^ POLYNOMIAL } else { rest >> 1 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// The checksum CRC-64/XZ of all bytes, with which checkpoints are sealed.
pub fn crc64(bytes: &[u8]) -> u64 {
    !bytes.iter().fold(!0, |sum, byte| TABLE[(sum as u8 ^ byte) as usize] ^ sum >> 8)
}

#[cfg(test)]
mod tests {
    use super::crc64;

    /// The check value of the catalogue of parametrised CRC algorithms.
    #[test]
    fn known_answer() {
        assert_eq!(crc64(b"123456789"), 0x995d_c9bb_df19_39fa);
        assert_eq!(crc64(b""), 0);
    }
}
