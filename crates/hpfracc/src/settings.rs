#[cfg(feature = "gpu")]
use crate::gpu::{GpuError, MemoryLimit};
use crate::{Machine, MachineError};
use std::ffi::OsString;

/// How a [`Machine`] is put together.
///
/// ```
/// use hpfracc::{Machine, Settings};
///
/// let mut settings = Settings::default();
/// settings.backend = "cpu-fft".to_owned();
/// let machine = Machine::with(&settings)?;
/// # Ok::<(), hpfracc::MachineError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Name of the one backend to use, see [`Machine::backend_names`], or [`Settings::AUTO`].
    pub backend: String,
    /// The most memory that buffers may take on a GPU.
    #[cfg(feature = "gpu")]
    pub gpu_memory_limit: MemoryLimit,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            backend: Self::AUTO.to_owned(),
            #[cfg(feature = "gpu")]
            gpu_memory_limit: MemoryLimit::None,
        }
    }
}

impl Settings {
    /// In place of a backend's name: each workload goes to a backend chosen for it.
    pub const AUTO: &str = "auto";

    /// What the environment says. It is read here and nowhere else.
    ///
    /// | variable | value | without it |
    /// |---|---|---|
    /// | `HPFRACC_BACKEND` | name of the one backend to use, or `auto` | `auto` |
    /// | `HPFRACC_GPU_MEMORY_LIMIT` | what buffers may take on a GPU: a fraction of its memory such as `0.5` or `50%`, bytes such as `2GiB`, or `none` | `none` |
    ///
    /// Without feature `gpu` no memory of a GPU is ever taken and the limit is not read.
    ///
    /// # Errors
    /// [`MachineError::Environment`], which names the variable and its value.
    pub fn from_env() -> Result<Self, MachineError> {
        Self::read(std::env::var_os)
    }

    /// As [`Settings::from_env`], from any source of variables.
    fn read(variable: impl Fn(&'static str) -> Option<OsString>) -> Result<Self, MachineError> {
        let text = |name: &'static str| match variable(name).map(OsString::into_string) {
            None => Ok(None),
            Some(Ok(text)) => Ok(Some(text)),
            Some(Err(raw)) => {
                let value = raw.to_string_lossy().into_owned();
                Err(refused(name, value, &"it is no Unicode text"))
            }
        };
        let mut settings = Self::default();
        if let Some(name) = text(BACKEND)? {
            settings.backend = name;
            // Refused here, where the variable is still known.
            Machine::with(&settings)
                .map_err(|reason| refused(BACKEND, settings.backend.clone(), &reason))?;
        }
        #[cfg(feature = "gpu")]
        if let Some(limit) = text(GPU_MEMORY_LIMIT)? {
            settings.gpu_memory_limit = limit
                .parse()
                .map_err(|reason: GpuError| refused(GPU_MEMORY_LIMIT, limit, &reason))?;
        }
        Ok(settings)
    }
}

const BACKEND: &str = "HPFRACC_BACKEND";
#[cfg(feature = "gpu")]
const GPU_MEMORY_LIMIT: &str = "HPFRACC_GPU_MEMORY_LIMIT";

fn refused(variable: &'static str, value: String, reason: &dyn std::fmt::Display) -> MachineError {
    MachineError::Environment { variable, value, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, MachineError> {
        Settings::read(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn an_empty_environment_changes_nothing() {
        assert_eq!(read(&[]), Ok(Settings::default()));
        assert_eq!(read(&[("HPFRACC_BACKEND", "auto")]), Ok(Settings::default()));
    }

    #[test]
    fn a_backend_is_named() {
        assert_eq!(read(&[("HPFRACC_BACKEND", "cpu-fft")]).unwrap().backend, "cpu-fft");
        for wrong in ["", "cpu-psychic", "CPU-FFT", "cpu-fft "] {
            let text = read(&[("HPFRACC_BACKEND", wrong)]).unwrap_err().to_string();
            assert!(text.contains("HPFRACC_BACKEND") && text.contains(&format!("`{wrong}`")));
            for name in Machine::backend_names().iter().chain([&Settings::AUTO]) {
                assert!(text.contains(name), "{text}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_refused() {
        use std::os::unix::ffi::OsStringExt;
        let error = Settings::read(|_| Some(OsString::from_vec(vec![b'c', 0xff]))).unwrap_err();
        assert!(error.to_string().contains("HPFRACC_BACKEND=`c"), "{error}");
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn a_memory_limit_is_read_or_refused() {
        for good in ["0.5", "50%", "2GiB", "none"] {
            let settings = read(&[("HPFRACC_GPU_MEMORY_LIMIT", good)]).unwrap();
            assert_eq!(settings.gpu_memory_limit, good.parse().unwrap());
        }
        for wrong in ["", "half", "-1", "NaN", "1.5", "2000000"] {
            let text = read(&[("HPFRACC_GPU_MEMORY_LIMIT", wrong)]).unwrap_err().to_string();
            let named = format!("HPFRACC_GPU_MEMORY_LIMIT=`{wrong}`");
            assert!(text.contains(&named), "{text}");
        }
    }
}
