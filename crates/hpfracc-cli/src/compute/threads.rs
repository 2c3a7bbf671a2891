//! Thread pool of the size that the environment sets.

use crate::Error;
use hpfracc::Settings;

/// Runs `compute` on `HPFRACC_THREADS` threads, by default on all.
///
/// # Errors
/// [`Error::Environment`], or [`Error::Threads`] if the operating system refuses.
pub(crate) fn in_pool<R: Send>(compute: impl FnOnce() -> R + Send) -> Result<R, Error> {
    let settings = Settings::from_env().map_err(Error::Environment)?;
    let Some(threads) = settings.threads else { return Ok(compute()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    let pool = pool.map_err(|e| Error::Threads { reason: e.to_string() })?;
    Ok(pool.install(compute))
}
