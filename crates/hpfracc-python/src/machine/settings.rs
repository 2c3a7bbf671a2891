//! Settings of a machine from arguments.

use crate::arrays::number;
use crate::errors::input;
use hpfracc::Settings;
use hpfracc::selector::Effort;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Largest number of threads.
const MOST_THREADS: usize = 4096;

/// Settings of the arguments that are not None.
///
/// # Errors
/// `InputError` for a value that a setting does not have.
pub(super) fn of(arguments: &Bound<'_, PyDict>) -> PyResult<Settings> {
    let mut settings = Settings::default();
    for (name, value) in arguments {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        match name.as_str() {
            "backend" => settings.backend = text(&name, &value)?,
            "disable" => settings.disabled = texts(&name, &value)?,
            "threads" => settings.threads = Some(threads(&value)?),
            "wisdom" => {
                let path = value.extract::<PathBuf>();
                let path = path.map_err(|_| expected(&name, &value, "the path of a file"))?;
                settings.wisdom = Some(path);
            }
            "memory" => {
                let bytes = value.extract::<u64>().ok().filter(|bytes| *bytes > 0);
                let bytes =
                    bytes.ok_or_else(|| expected(&name, &value, "a number of bytes above 0"))?;
                settings.selector.memory_limits.host_bytes = Some(bytes);
            }
            "gpu_memory" => gpu_memory(&mut settings, &value)?,
            "gpus_from" => {
                let seconds = number(&name, &value)?;
                settings.gpus_from = if seconds == f64::INFINITY {
                    Duration::MAX
                } else {
                    let duration = Duration::try_from_secs_f64(seconds);
                    duration.map_err(|_| expected(&name, &value, "seconds from 0 to inf"))?
                };
            }
            "learning" => {
                let flag = value.extract().map_err(|_| expected(&name, &value, "a bool"))?;
                settings.selector.learning = flag;
            }
            "effort" => settings.selector.effort = effort(&value)?,
            _ => return Err(input(format!("a machine has no setting {name}"))),
        }
    }
    Ok(settings)
}

fn expected(name: &str, value: &Bound<'_, PyAny>, what: &str) -> PyErr {
    let found = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    input(format!("{name} is {found}, expected {what}"))
}

pub(super) fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract().map_err(|_| expected(name, value, "a text"))
}

fn texts(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(one) = value.extract::<String>() {
        return Ok(vec![one]);
    }
    value.extract().map_err(|_| expected(name, value, "names of backends"))
}

fn threads(value: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let count = value.extract::<usize>().ok().filter(|count| *count <= MOST_THREADS);
    count.and_then(NonZeroUsize::new).ok_or_else(|| {
        expected("threads", value, &format!("a whole number from 1 to {MOST_THREADS}"))
    })
}

fn effort(value: &Bound<'_, PyAny>) -> PyResult<Effort> {
    Ok(match text("effort", value)?.as_str() {
        "estimate" => Effort::Estimate,
        "measure" => Effort::Measure,
        "exhaustive" => Effort::Exhaustive,
        "wisdom-only" => Effort::WisdomOnly,
        _ => {
            let known = "estimate, measure, exhaustive or wisdom-only";
            return Err(expected("effort", value, known));
        }
    })
}

#[cfg(feature = "gpu")]
fn gpu_memory(settings: &mut Settings, value: &Bound<'_, PyAny>) -> PyResult<()> {
    use hpfracc::gpu::MemoryLimit;
    settings.gpu_memory_limit = if let Ok(bytes) = value.extract::<u64>() {
        MemoryLimit::Bytes(bytes)
    } else if let Ok(fraction) = value.extract::<f64>() {
        MemoryLimit::Fraction(fraction)
    } else {
        let limit = text("gpu_memory", value)?.parse();
        limit.map_err(|error: hpfracc::gpu::GpuError| input(format!("gpu_memory: {error}")))?
    };
    Ok(())
}

#[cfg(not(feature = "gpu"))]
fn gpu_memory(_settings: &mut Settings, _value: &Bound<'_, PyAny>) -> PyResult<()> {
    let message = "gpu_memory: this build has no GPU support";
    Err(crate::errors::Kind::Device.error(message))
}
