//! Compiled shaders, kept in a file from one run to the next.

#![expect(unsafe_code, reason = "wgpu hands a cache to the driver only through an unsafe call")]

use crate::{Gpu, GpuError};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use wgpu::{AdapterInfo, Device, Features, PipelineCache, PipelineCacheDescriptor};

/// The cache of a device and the file that it is kept in.
pub(crate) struct CacheFile {
    pub(crate) cache: PipelineCache,
    path: PathBuf,
}

impl CacheFile {
    /// The cache in this folder, with what an earlier run has left there; `None` where the interface
    /// has no caches.
    pub(crate) fn open(device: &Device, info: &AdapterInfo, folder: &Path) -> Option<Self> {
        if !device.features().contains(Features::PIPELINE_CACHE) {
            return None;
        }
        // For each model of device another; of the driver's version wgpu and the driver take care.
        let path = folder.join(wgpu::util::pipeline_cache_key(info)?);
        let data = read(&path);
        let label = Some("hpfracc");
        let descriptor = PipelineCacheDescriptor { label, data: data.as_deref(), fallback: true };
        // SAFETY: the data is what `get_data` once gave for a device with the same key: the file bears
        // that name, and the checksum of `seal`, so that it was written by `save_pipelines` and is
        // whole. That nobody forges it is asked of the user in `GpuOptions::pipeline_folder`.
        let cache = unsafe { device.create_pipeline_cache(&descriptor) };
        Some(Self { cache, path })
    }

    fn save(&self) -> io::Result<()> {
        let Some(data) = self.cache.get_data() else { return Ok(()) };
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Others may read or write the file at the same moment, in this process or in another: they
        // see the old one or the new one, never a part.
        let writer = (std::process::id(), std::thread::current().id());
        let written = self.path.with_extension(format!("{}-{:?}.part", writer.0, writer.1));
        let outcome =
            fs::write(&written, seal(&data)).and_then(|()| fs::rename(&written, &self.path));
        if outcome.is_err() {
            let _ = fs::remove_file(&written);
        }
        outcome
    }
}

impl Gpu {
    /// Keeps what has been compiled so far in the folder of
    /// [`GpuOptions::pipeline_folder`](crate::GpuOptions::pipeline_folder), for the next run. Says
    /// whether there is something to keep: not without such a folder, nor where the interface has no
    /// caches (all but Vulkan).
    ///
    /// Called when the plans are made. It does not happen by itself when the device is dropped: there
    /// a full disk could not be reported, and a process that is ended drops nothing.
    ///
    /// # Errors
    /// [`GpuError::PipelineFile`] if the file cannot be written.
    pub fn save_pipelines(&self) -> Result<bool, GpuError> {
        let Some(file) = &self.inner.pipeline_cache else { return Ok(false) };
        let failed = |source| GpuError::PipelineFile { path: file.path.clone(), source };
        file.save().map(|()| true).map_err(failed)
    }
}

/// What begins a file, with the version of the layout.
const TITLE: &[u8] = b"hpfracc pipelines 1\n";

fn read(path: &Path) -> Option<Vec<u8>> {
    match fs::read(path) {
        Ok(content) => {
            let data = unseal(&content).map(<[u8]>::to_vec);
            if data.is_none() {
                tracing::warn!(path = %path.display(), "damaged file of compiled shaders ignored");
            }
            data
        }
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "file of compiled shaders not readable");
            None
        }
    }
}

/// Title, checksum, data.
fn seal(data: &[u8]) -> Vec<u8> {
    [TITLE, &checksum(data).to_le_bytes(), data].concat()
}

/// The data, if it is whole.
fn unseal(content: &[u8]) -> Option<&[u8]> {
    let (sum, data) = content.strip_prefix(TITLE)?.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == checksum(data)).then_some(data)
}

/// FNV-1a in 64 bits, of G. Fowler, L. C. Noll and K.-P. Vo (RFC 9923): against damage, not against
/// forgery.
fn checksum(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_literature() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn every_damage_is_found() {
        let whole = seal(b"compiled shaders");
        assert_eq!(unseal(&whole), Some(&b"compiled shaders"[..]));
        for at in 0..whole.len() {
            assert_eq!(unseal(&whole[..at]), None, "cut at {at}");
            let mut turned = whole.clone();
            turned[at] ^= 0x10;
            assert_eq!(unseal(&turned), None, "turned at {at}");
        }
        assert_eq!(unseal(&[&whole[..], b"x"].concat()), None);
    }
}
