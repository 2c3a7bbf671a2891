//! The file of compiled shaders, written by one run and read by the next.

#![expect(unsafe_code, reason = "wgpu passes a cache to the driver only through an unsafe call")]

use crate::GpuError;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use wgpu::{AdapterInfo, Device, Features, PipelineCache, PipelineCacheDescriptor};

/// The pipeline cache of a device and its file.
pub(crate) struct PipelineCacheFile {
    pub(crate) cache: PipelineCache,
    path: PathBuf,
}

impl PipelineCacheFile {
    /// The cache in this folder, with the shaders that an earlier run saved; `None` where the
    /// interface has no pipeline caches.
    pub(crate) fn open(device: &Device, info: &AdapterInfo, folder: &Path) -> Option<Self> {
        if !device.features().contains(Features::PIPELINE_CACHE) {
            return None;
        }
        // One file for each device model; wgpu and the driver check the driver's version.
        let path = folder.join(wgpu::util::pipeline_cache_key(info)?);
        let data = read(&path);
        let label = Some("hpfracc");
        let descriptor = PipelineCacheDescriptor { label, data: data.as_deref(), fallback: true };
        // SAFETY: the data is what `get_data` returned for a device with the same key: the file has
        // that name and the checksum of `seal`, so it was written by `save` and is complete.
        // `GpuOptions::pipeline_folder` requires a folder that only trusted users can write to.
        let cache = unsafe { device.create_pipeline_cache(&descriptor) };
        Some(Self { cache, path })
    }

    /// Writes the compiled shaders to the file.
    pub(crate) fn save(&self) -> Result<(), GpuError> {
        self.write().map_err(|source| GpuError::PipelineFile { path: self.path.clone(), source })
    }

    fn write(&self) -> io::Result<()> {
        let Some(data) = self.cache.get_data() else { return Ok(()) };
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        // The rename is atomic: concurrent readers and writers, in this process or another, see the
        // old file or the new one, never a part.
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

/// First bytes of a file, with the version of its format.
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
            tracing::warn!(path = %path.display(), %error, "compiled shaders cannot be read");
            None
        }
    }
}

/// Title, checksum, data.
fn seal(data: &[u8]) -> Vec<u8> {
    [TITLE, &checksum(data).to_le_bytes(), data].concat()
}

/// The data of a file whose checksum is correct.
fn unseal(content: &[u8]) -> Option<&[u8]> {
    let (sum, data) = content.strip_prefix(TITLE)?.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == checksum(data)).then_some(data)
}

/// FNV-1a in 64 bits, of G. Fowler, L. C. Noll and K.-P. Vo (RFC 9923): detects damage, not
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
    fn checksum_matches_the_published_values() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn damage_is_detected() {
        let sealed = seal(b"compiled shaders");
        assert_eq!(unseal(&sealed), Some(&b"compiled shaders"[..]));
        for at in 0..sealed.len() {
            assert_eq!(unseal(&sealed[..at]), None, "cut at {at}");
            let mut flipped = sealed.clone();
            flipped[at] ^= 0x10;
            assert_eq!(unseal(&flipped), None, "bit flipped at {at}");
        }
        assert_eq!(unseal(&[&sealed[..], b"x"].concat()), None);
    }
}
