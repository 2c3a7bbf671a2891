use crate::message::{read, written};
use crate::{Communicator, CommunicatorError};
use serde::{Deserialize, Serialize};

/// Refuses ranks with other values than rank 0 has: version, inputs, settings, each with its name. Collective.
///
/// # Errors
/// [`CommunicatorError::Differs`] with the first difference, on all ranks; those of [`Communicator::gather`].
pub(crate) fn agree(
    communicator: &dyn Communicator,
    values: &[(&str, String)],
) -> Result<(), CommunicatorError> {
    let own: Vec<(String, String)> =
        values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let first = match communicator.gather(written(&own)?)? {
        Some(all) => first_difference(&own, &all)?,
        None => None,
    };
    let verdict: Option<Difference> = read(0, &communicator.broadcast(written(&first)?)?)?;
    match verdict {
        None => Ok(()),
        Some(Difference { rank, name, found, expected }) => {
            Err(CommunicatorError::Differs { rank, name, found, expected })
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Difference {
    rank: usize,
    name: String,
    found: String,
    expected: String,
}

/// First difference of the values of a rank from those of rank 0.
fn first_difference(
    expected: &[(String, String)],
    all: &[Vec<u8>],
) -> Result<Option<Difference>, CommunicatorError> {
    for (rank, bytes) in all.iter().enumerate() {
        let found: Vec<(String, String)> = read(rank, bytes)?;
        for k in 0..expected.len().max(found.len()) {
            let of = |values: &[(String, String)]| values.get(k).cloned();
            let (expected, found) = (of(expected), of(&found));
            if expected != found {
                let name = expected.iter().chain(&found).map(|(name, _)| name.clone()).next();
                let value = |of: Option<(String, String)>| {
                    of.map_or_else(|| "nothing".to_owned(), |(_, value)| value)
                };
                let (name, found, expected) =
                    (name.unwrap_or_default(), value(found), value(expected));
                return Ok(Some(Difference { rank, name, found, expected }));
            }
        }
    }
    Ok(None)
}
