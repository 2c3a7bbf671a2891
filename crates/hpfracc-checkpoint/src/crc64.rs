//! The checksum CRC-64/XZ.
//!
//! Detects accidental damage, not tampering: every burst of errors within 64 bits is detected, any
//! other is missed with probability 2^-64. Needs a table and a loop, and no dependency.

/// The polynomial x^64 + x^62 + ... of ECMA-182, bits reversed.
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

/// CRC-64/XZ checksum of all bytes, as in checkpoints.
///
/// ```
/// assert_eq!(hpfracc_checkpoint::crc64(b"123456789"), 0x995d_c9bb_df19_39fa);
/// ```
pub fn crc64(bytes: &[u8]) -> u64 {
    crc64_append(0, bytes)
}

/// Checksum of the bytes with the checksum `sum` followed by `bytes`.
///
/// ```
/// use hpfracc_checkpoint::{crc64, crc64_append};
/// assert_eq!(crc64_append(crc64(b"check"), b"point"), crc64(b"checkpoint"));
/// ```
pub fn crc64_append(sum: u64, bytes: &[u8]) -> u64 {
    !bytes.iter().fold(!sum, |sum, byte| TABLE[(sum as u8 ^ byte) as usize] ^ sum >> 8)
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
