//! Settings from environment variables, which no other module reads.

use crate::backends::name::Name;
use crate::error::MachineError;
use crate::settings::Settings;
use std::ffi::OsString;
use std::num::NonZeroUsize;

const BACKEND: &str = "HPFRACC_BACKEND";
const DISABLE: &str = "HPFRACC_DISABLE";
const LEARNING: &str = "HPFRACC_LEARNING";
const WISDOM: &str = "HPFRACC_WISDOM";
const THREADS: &str = "HPFRACC_THREADS";
const UNEQUAL_PROCESSORS: &str = "HPFRACC_UNEQUAL_PROCESSORS";
#[cfg(feature = "gpu")]
const GPU_MEMORY_LIMIT: &str = "HPFRACC_GPU_MEMORY_LIMIT";

/// Largest number of threads.
const MOST_THREADS: usize = 4096;

impl Settings {
    /// The settings of the environment variables. No other function reads them.
    ///
    /// | variable | value | without it |
    /// |---|---|---|
    /// | `HPFRACC_BACKEND` | name of the only backend to use, or `auto` | `auto` |
    /// | `HPFRACC_DISABLE` | names of disabled backends, separated by commas | none |
    /// | `HPFRACC_LEARNING` | `1`, or `0`: no timings, trials or wisdom files | `1` |
    /// | `HPFRACC_WISDOM` | wisdom file, see [`Settings::wisdom`] | none |
    /// | `HPFRACC_THREADS` | threads of parallel backends, 1 to 4096 | one for each core |
    /// | `HPFRACC_UNEQUAL_PROCESSORS` | `1`: ranks with other vector instructions work together; or `0` | `0` |
    /// | `HPFRACC_GPU_MEMORY_LIMIT` | memory limit of buffers on a GPU: a fraction of its memory such as `0.5` or `50%`, bytes such as `2GiB`, or `none` | `none` |
    ///
    /// Without feature `gpu` the memory limit is not read.
    ///
    /// # Errors
    /// [`MachineError::Environment`], with the variable, its value, and the valid values.
    pub fn from_env() -> Result<Self, MachineError> {
        Self::read(std::env::var_os)
    }

    /// [`Settings::from_env`] from any source of variables.
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
            if name != Self::AUTO {
                Name::parse(&name).map_err(|reason| refused(BACKEND, name.clone(), &reason))?;
            }
            settings.backend = name;
        }
        if let Some(names) = text(DISABLE)?.filter(|names| !names.trim().is_empty()) {
            let list = names.split(',').map(|name| name.trim().to_owned());
            settings.disabled = list.collect();
            for name in &settings.disabled {
                Name::parse(name).map_err(|reason| refused(DISABLE, names.clone(), &reason))?;
            }
        }
        let flag = |name| match text(name)?.as_deref() {
            None => Ok(None),
            Some("0") => Ok(Some(false)),
            Some("1") => Ok(Some(true)),
            Some(value) => Err(refused(name, value.to_owned(), &"it is 0 or 1")),
        };
        if let Some(learning) = flag(LEARNING)? {
            settings.selector.learning = learning;
        }
        settings.unequal_processors = flag(UNEQUAL_PROCESSORS)?.unwrap_or(false);
        settings.wisdom = match variable(WISDOM) {
            Some(path) if path.is_empty() => {
                return Err(refused(WISDOM, String::new(), &"it is the path of a file"));
            }
            path => path.map(Into::into),
        };
        if let Some(value) = text(THREADS)? {
            let number = value.parse::<NonZeroUsize>().ok().filter(|n| n.get() <= MOST_THREADS);
            let reason = format!("it is a whole number from 1 to {MOST_THREADS}");
            settings.threads = Some(number.ok_or_else(|| refused(THREADS, value, &reason))?);
        }
        #[cfg(feature = "gpu")]
        if let Some(limit) = text(GPU_MEMORY_LIMIT)? {
            let read = limit.parse();
            settings.gpu_memory_limit = read.map_err(|reason: hpfracc_wgpu::GpuError| {
                let reason = format!("{reason}; it is a fraction, bytes with a unit, or none");
                refused(GPU_MEMORY_LIMIT, limit, &reason)
            })?;
        }
        Ok(settings)
    }
}

fn refused(variable: &'static str, value: String, reason: &dyn std::fmt::Display) -> MachineError {
    MachineError::Environment { variable, value, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, MachineError> {
        Settings::read(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn an_empty_environment_changes_nothing() {
        assert_eq!(read(&[]), Ok(Settings::default()));
        assert_eq!(read(&[("HPFRACC_BACKEND", "auto")]), Ok(Settings::default()));
        assert_eq!(read(&[("HPFRACC_DISABLE", " ")]), Ok(Settings::default()));
    }

    #[test]
    fn everything_is_read() {
        let settings = read(&[
            ("HPFRACC_BACKEND", "cpu-fft"),
            ("HPFRACC_DISABLE", "cpu-direct, cpu-gemm"),
            ("HPFRACC_LEARNING", "0"),
            ("HPFRACC_WISDOM", "some/file"),
            ("HPFRACC_THREADS", "3"),
        ])
        .unwrap();
        let mut expected = Settings {
            backend: "cpu-fft".to_owned(),
            disabled: ["cpu-direct", "cpu-gemm"].map(str::to_owned).into(),
            wisdom: Some("some/file".into()),
            threads: NonZeroUsize::new(3),
            ..Settings::default()
        };
        expected.selector.learning = false;
        assert_eq!(settings, expected);
    }

    #[test]
    fn unknown_backends_are_refused_with_those_known() {
        for variable in ["HPFRACC_BACKEND", "HPFRACC_DISABLE"] {
            for wrong in ["cpu-psychic", "CPU-FFT", "cpu-fft;", "cpu-fft,cpu-psychic"] {
                let text = read(&[(variable, wrong)]).unwrap_err().to_string();
                assert!(text.contains(&format!("{variable}=`{wrong}`")), "{text}");
                let names = Machine::backend_names().iter().map(String::as_str);
                for name in names.chain([Settings::AUTO]) {
                    assert!(text.contains(name), "{text}");
                }
            }
        }
        for wrong in ["", "cpu-fft "] {
            assert!(read(&[("HPFRACC_BACKEND", wrong)]).is_err());
        }
        assert!(read(&[("HPFRACC_DISABLE", "cpu-fft,,cpu-gemm")]).is_err());
    }

    #[test]
    fn malformed_values_are_refused_with_those_valid() {
        for (variable, wrong, valid) in [
            ("HPFRACC_LEARNING", "yes", "0 or 1"),
            ("HPFRACC_LEARNING", "", "0 or 1"),
            ("HPFRACC_WISDOM", "", "path of a file"),
            ("HPFRACC_THREADS", "0", "from 1 to 4096"),
            ("HPFRACC_THREADS", "-1", "from 1 to 4096"),
            ("HPFRACC_THREADS", "4097", "from 1 to 4096"),
            ("HPFRACC_THREADS", "two", "from 1 to 4096"),
        ] {
            let text = read(&[(variable, wrong)]).unwrap_err().to_string();
            let named = text.contains(&format!("{variable}=`{wrong}`"));
            assert!(named && text.contains(valid), "{text}");
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
