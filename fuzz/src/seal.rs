//! Checksums made right again, so that the contents behind them are under trial too.

/// The hash of Fowler, Noll and Vo, form 1a of 64 bits, of wisdom and of states kept as JSON.
pub(crate) fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// As [`fnv`], of numbers by their bytes.
pub(crate) fn fnv_of(words: impl Iterator<Item = u64>) -> u64 {
    fnv(words.flat_map(u64::to_le_bytes))
}
