//! The roofline of a device: its peak rates, measured on it.

mod clock;
mod peak;

use crate::{Gpu, GpuError};
use clock::{Clock, LEAST_DURATION, read, wait};
use peak::FmaPeak;
use std::fmt;
use std::time::Instant;
use wgpu::{Buffer, BufferUsages, Features};

/// Peak rates of a device, the roofline of its kernels. Each method takes one measurement.
///
/// The time of a kernel divided by the time that these rates imply, measured alternately in the
/// same run, shows how far it is from the limits of the device. Rates refer to a warm device:
/// discard the first measurement.
///
/// ```no_run
/// use hpfracc_wgpu::{DevicePeaks, Gpu};
///
/// let mut peaks = DevicePeaks::new(&Gpu::new()?, 256 << 20)?;
/// peaks.copy_bandwidth()?;
/// println!("{} GB/s", peaks.copy_bandwidth()? * 1e-9);
/// # Ok::<(), hpfracc_wgpu::GpuError>(())
/// ```
pub struct DevicePeaks {
    gpu: Gpu,
    clock: Clock,
    bytes: u64,
    from: Buffer,
    to: Buffer,
    readback: Buffer,
    host: Vec<u8>,
    copies: u32,
    f32: FmaPeak,
    f64: Option<FmaPeak>,
}

impl fmt::Debug for DevicePeaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gpu, bytes, .. } = self;
        let mut shown = f.debug_struct("DevicePeaks");
        shown.field("gpu", gpu).field("bytes", bytes).finish_non_exhaustive()
    }
}

impl DevicePeaks {
    /// Creates buffers of `bytes` bytes, three on the device and one on the host, outside the
    /// buffer pool and its limit. A size beyond the caches, such as 256 MiB, measures the memory.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects a buffer or a shader.
    pub fn new(gpu: &Gpu, bytes: u64) -> Result<Self, GpuError> {
        let bytes = bytes.min(gpu.device().limits().max_buffer_size).max(256) / 256 * 256;
        let on_device = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let buffer = |usage| gpu.open_device().create_buffer(bytes, usage);
        let [from, to] = [buffer(on_device)?, buffer(on_device)?];
        let readback = buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        let has_f64 = gpu.has(Features::SHADER_F64);
        Ok(Self {
            clock: Clock::of(gpu)?,
            bytes,
            from,
            to,
            readback,
            host: vec![1; bytes as usize],
            copies: 1,
            f32: FmaPeak::new(gpu, "f32")?,
            f64: if has_f64 { Some(FmaPeak::new(gpu, "f64")?) } else { None },
            gpu: gpu.clone(),
        })
    }

    /// Whether rates on the device are measured by its own clock; otherwise by that of the host,
    /// which includes submission and wait.
    pub fn has_device_clock(&self) -> bool {
        self.clock.is_device()
    }

    /// Seconds of an empty submission and the wait for its end: a lower bound of every call.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects the submission.
    pub fn submission_latency(&self) -> Result<f64, GpuError> {
        let start = Instant::now();
        self.gpu.open_device().watched(0, || {
            let encoder = self.gpu.device().create_command_encoder(&Default::default());
            self.gpu.queue().submit([encoder.finish()]);
            wait(&self.gpu)
        })?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Bytes per second, read and written, of a copy between two buffers on the device.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects the copy.
    pub fn copy_bandwidth(&mut self) -> Result<f64, GpuError> {
        loop {
            let seconds = self.clock.time(&self.gpu, |encoder| {
                for _ in 0..self.copies {
                    encoder.copy_buffer_to_buffer(&self.from, 0, &self.to, 0, self.bytes);
                }
            })?;
            if seconds >= LEAST_DURATION.as_secs_f64() || self.copies >= 64 {
                return Ok(2.0 * self.bytes as f64 * f64::from(self.copies) / seconds);
            }
            self.copies *= 2;
        }
    }

    /// Bytes per second from host memory to device memory.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects the transfer.
    pub fn upload_bandwidth(&self) -> Result<f64, GpuError> {
        let start = Instant::now();
        self.gpu.open_device().watched(self.bytes, || {
            self.gpu.queue().write_buffer(&self.to, 0, &self.host);
            self.gpu.queue().submit([]);
            wait(&self.gpu)
        })?;
        Ok(self.bytes as f64 / start.elapsed().as_secs_f64())
    }

    /// Bytes per second from device memory to host memory.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects the transfer.
    pub fn download_bandwidth(&mut self) -> Result<f64, GpuError> {
        let start = Instant::now();
        let Self { gpu, from, readback, host, bytes, .. } = self;
        gpu.open_device().watched(*bytes, || {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(from, 0, readback, 0, *bytes);
            gpu.queue().submit([encoder.finish()]);
            read(gpu, readback, host)
        })?;
        Ok(self.bytes as f64 / start.elapsed().as_secs_f64())
    }

    /// Fused multiply-adds per second in single precision, on registers.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects the shader.
    pub fn f32_fma_rate(&mut self) -> Result<f64, GpuError> {
        self.f32.rate(&self.gpu, &self.clock)
    }

    /// Fused multiply-adds per second in double precision, on registers; `None` on a device without
    /// double precision.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects the shader.
    pub fn f64_fma_rate(&mut self) -> Result<Option<f64>, GpuError> {
        self.f64.as_mut().map(|peak| peak.rate(&self.gpu, &self.clock)).transpose()
    }
}
