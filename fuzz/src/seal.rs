//! Checksums of edited files, so that their contents are tested, too.

/// FNV-1a hash of 64 bits, the checksum of wisdom files and of states saved as JSON.
pub(crate) fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// FNV-1a hash of the bytes of numbers.
pub(crate) fn fnv_of(words: impl Iterator<Item = u64>) -> u64 {
    fnv(words.flat_map(u64::to_le_bytes))
}
