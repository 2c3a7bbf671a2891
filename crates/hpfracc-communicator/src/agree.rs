use crate::{Communicator, CommunicatorError};

/// Refuses ranks with other values than rank 0 has: version, inputs, settings, each with its name. Collective.
///
/// ```
/// use hpfracc_communicator::{Communicator, CommunicatorError, agree, run_threads};
///
/// let seeds = |seed_of: fn(usize) -> usize| {
///     run_threads(3, |ranks| agree(ranks, &[("seed", seed_of(ranks.rank()).to_string())]))
/// };
/// assert!(seeds(|_| 7).is_ok());
/// let error: CommunicatorError = seeds(|rank| 7 + rank / 2).unwrap_err();
/// assert!(error.to_string().starts_with("rank 2 and rank 0 differ in seed: `8` and `7`"));
/// ```
///
/// # Errors
/// [`CommunicatorError::Differs`] with the first difference, on all ranks; those of [`Communicator::gather`].
pub fn agree(
    communicator: &(impl Communicator + ?Sized),
    values: &[(&str, String)],
) -> Result<(), CommunicatorError> {
    let fields: Vec<&str> = values.iter().flat_map(|(name, value)| [*name, value]).collect();
    let gathered = communicator.gather(written(&fields))?;
    let difference = gathered.map(|all| difference(&all)).unwrap_or_default();
    let verdict = communicator.broadcast(written(&difference))?;
    match &read(&verdict)[..] {
        [] => Ok(()),
        [rank, name, found, expected] => Err(CommunicatorError::Differs {
            rank: rank.parse().unwrap_or(usize::MAX),
            name: name.clone(),
            found: found.clone(),
            expected: expected.clone(),
        }),
        _ => Err(CommunicatorError::Message {
            rank: 0,
            found: verdict.len(),
            expected: "the difference of two ranks",
        }),
    }
}

/// Rank, name and both values of the first difference, or nothing.
fn difference(all: &[Vec<u8>]) -> Vec<String> {
    let Some((first, others)) = all.split_first() else { return vec![] };
    let expected = read(first);
    for (number, bytes) in others.iter().enumerate().filter(|(_, bytes)| *bytes != first) {
        let found = read(bytes);
        let missing = || "nothing".to_owned();
        for k in (1..expected.len().max(found.len())).step_by(2) {
            let of = |fields: &[String]| fields.get(k).cloned().unwrap_or_else(missing);
            let (found_value, expected_value) = (of(&found), of(&expected));
            if found_value != expected_value || found.get(k - 1) != expected.get(k - 1) {
                let name = expected.get(k - 1).or(found.get(k - 1)).cloned().unwrap_or_default();
                return vec![(number + 1).to_string(), name, found_value, expected_value];
            }
        }
    }
    vec![]
}

/// Texts, each after its length.
fn written<S: AsRef<str>>(texts: &[S]) -> Vec<u8> {
    let of = |text: &S| {
        let bytes = text.as_ref().as_bytes();
        [&(bytes.len() as u64).to_le_bytes()[..], bytes].concat()
    };
    texts.iter().flat_map(of).collect()
}

fn read(bytes: &[u8]) -> Vec<String> {
    let (mut texts, mut rest) = (vec![], bytes);
    while let Some((length, tail)) = rest.split_first_chunk::<8>() {
        let length = u64::from_le_bytes(*length).min(tail.len() as u64) as usize;
        texts.push(String::from_utf8_lossy(&tail[..length]).into_owned());
        rest = &tail[length..];
    }
    texts
}
