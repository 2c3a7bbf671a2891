//! Arrays of numbers as NumPy files: version 1.0, 64-bit floats, little-endian, last axis fastest.

use crate::Error;
use crate::error::FieldsError;
use std::path::Path;

const MAGIC: &[u8] = b"\x93NUMPY";
/// What the lengths of header and data are multiples of.
const ALIGNMENT: usize = 64;

/// Bytes of a file with an array.
pub(super) fn bytes(shape: &[usize], values: impl IntoIterator<Item = f64>) -> Vec<u8> {
    let comma = if shape.len() == 1 { "," } else { "" };
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    let shape = format!("({}{comma})", lengths.join(", "));
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    let before = MAGIC.len() + 4;
    let padded = (before + header.len() + 1).next_multiple_of(ALIGNMENT);
    header.push_str(&" ".repeat(padded - before - header.len() - 1));
    header.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.into_iter().flat_map(f64::to_le_bytes));
    bytes
}

/// Shape and values of a file.
pub(super) fn read(path: &Path) -> Result<(Vec<usize>, Vec<f64>), Error> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| Error::Read { name: name.clone(), source })?;
    parse(&bytes).map_err(|reason| FieldsError::Npy { name, reason: reason.to_owned() }.into())
}

fn parse(bytes: &[u8]) -> Result<(Vec<usize>, Vec<f64>), &'static str> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("this is no NumPy file")?;
    let (length, rest) = match *rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), &rest[4..]),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, &rest[6..]),
        _ => return Err("a version of the format other than 1 to 3"),
    };
    let header = rest.get(..length).ok_or("the file ends in its header")?;
    let header = std::str::from_utf8(header).map_err(|_| "a header that is no text")?;
    if !header.contains("'<f8'") {
        return Err("expected 64-bit floats, little-endian (dtype <f8)");
    }
    if !header.contains("'fortran_order': False") {
        return Err("expected the last axis to be the fastest one (C order)");
    }
    let shape = header.split_once("'shape':").and_then(|(_, rest)| {
        let (inside, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
        let lengths = inside.split(',').map(str::trim).filter(|length| !length.is_empty());
        lengths.map(|length| length.parse().ok()).collect::<Option<Vec<usize>>>()
    });
    let shape = shape.ok_or("a header without a shape")?;
    let (values, tail) = rest[length..].as_chunks::<8>();
    let count = shape.iter().try_fold(1usize, |count, n| count.checked_mul(*n));
    if count != Some(values.len()) || !tail.is_empty() {
        return Err("the file has another number of values than its shape");
    }
    Ok((shape, values.iter().map(|value| f64::from_le_bytes(*value)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_read_back() {
        for shape in [vec![6], vec![2, 3], vec![1, 3, 2], vec![]] {
            let n: usize = shape.iter().product();
            let values: Vec<f64> = (0..n).map(|k| k as f64 / 7.0 - 0.3).collect();
            let bytes = bytes(&shape, values.iter().copied());
            assert_eq!((bytes.len() - 8 * n) % ALIGNMENT, 0);
            assert_eq!(parse(&bytes).unwrap(), (shape, values));
        }
    }

    #[test]
    fn other_files_are_refused() {
        let good = bytes(&[2, 2], [1.0, 2.0, 3.0, 4.0]);
        assert!(parse(b"PK").is_err());
        for cut in [3, 7, 9, 30, good.len() - 8, good.len() - 1] {
            assert!(parse(&good[..cut]).is_err(), "{cut}");
        }
        let text = String::from_utf8_lossy(&good).into_owned();
        for (from, to) in [("<f8", "<f4"), ("False", "True "), ("(2, 2)", "(2, 3)"), ("(", "[")] {
            let place = text.find(from).unwrap();
            let start = good.len() - text[place..].len().min(good.len());
            let mut bad = good.clone();
            let at = good.windows(from.len()).position(|w| w == from.as_bytes()).unwrap_or(start);
            bad[at..at + to.len()].copy_from_slice(to.as_bytes());
            assert!(parse(&bad).is_err(), "{from}");
        }
    }
}
