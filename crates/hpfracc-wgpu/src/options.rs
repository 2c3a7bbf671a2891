use crate::Preference;
use std::path::PathBuf;

/// How to open a device. Made from a [`Preference`] where that is all there is to say.
///
/// ```no_run
/// use hpfracc_wgpu::{Gpu, GpuOptions, Preference};
///
/// let discrete = Gpu::with(Preference::Best)?;
/// let folder = Some(std::env::temp_dir().join("shaders"));
/// let kept = Gpu::with(GpuOptions { pipeline_folder: folder, ..Default::default() })?;
/// # Ok::<(), hpfracc_wgpu::GpuError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GpuOptions {
    /// The adapter wished for.
    pub adapter: Preference,
    /// A folder for compiled shaders: what [`Gpu::save_pipelines`](crate::Gpu::save_pipelines) wrote
    /// there is taken up again. A damaged file is ignored, with a warning in the log.
    ///
    /// The file goes to the driver. A checksum finds damage but no forgery: the folder must be one
    /// that only those may write to whom the program trusts.
    pub pipeline_folder: Option<PathBuf>,
}

impl From<Preference> for GpuOptions {
    fn from(adapter: Preference) -> Self {
        Self { adapter, pipeline_folder: None }
    }
}

impl From<&Preference> for GpuOptions {
    fn from(adapter: &Preference) -> Self {
        adapter.clone().into()
    }
}
