use crate::CommunicatorError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Values that travel between ranks. Floating-point numbers keep their bits.
pub trait Message: Serialize + DeserializeOwned + Send {}

impl<V: Serialize + DeserializeOwned + Send> Message for V {}

/// Bytes of a value.
pub(crate) fn written<V: Serialize>(value: &V) -> Result<Vec<u8>, CommunicatorError> {
    postcard::to_stdvec(value).map_err(|error| CommunicatorError::Transport(error.to_string()))
}

/// Value of a rank's message.
pub(crate) fn read<V: DeserializeOwned>(rank: usize, bytes: &[u8]) -> Result<V, CommunicatorError> {
    let (found, expected) = (bytes.len(), "a value of the same program");
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(CommunicatorError::Message { rank, found, expected }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_messages_are_refused() {
        let all = vec![vec![1u8, 2, 3], vec![], vec![4]];
        let bytes = written(&all).unwrap();
        assert_eq!(read(1, &bytes), Ok(all));
        for length in 0..bytes.len() {
            let error = read::<Vec<Vec<u8>>>(1, &bytes[..length]).unwrap_err();
            assert!(matches!(error, CommunicatorError::Message { rank: 1, .. }), "{error}");
        }
        assert!(read::<Vec<Vec<u8>>>(1, &[255; 9]).is_err());
        assert!(read::<Vec<Vec<u8>>>(1, &[&bytes[..], &[0]].concat()).is_err());
    }

    #[test]
    fn numbers_keep_their_bits() {
        let numbers = [f64::NAN, -0.0, f64::MIN_POSITIVE / 3.0, 0.1, f64::from_bits(!0)];
        let read: [f64; 5] = read(0, &written(&numbers).unwrap()).unwrap();
        assert_eq!(read.map(f64::to_bits), numbers.map(f64::to_bits));
    }
}
