//! What a device can do at most, measured on it.

mod clock;
mod peak;

use crate::{Gpu, GpuError};
use clock::Clock;
use peak::Peak;
use std::fmt;
use std::time::{Duration, Instant};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, MapMode, PollType};

/// What a device can do at most: each method measures it once.
///
/// Times of kernels mean little by themselves; held against these, taken in turn with them in the
/// same run, they say how much is left to gain. Rates are of a device that is warm: drop the first
/// measurement.
///
/// ```no_run
/// use hpfracc_wgpu::{Floors, Gpu};
///
/// let mut floors = Floors::new(&Gpu::new()?, 256 << 20)?;
/// floors.copy()?;
/// println!("{} GB/s", floors.copy()? * 1e-9);
/// # Ok::<(), hpfracc_wgpu::GpuError>(())
/// ```
pub struct Floors {
    gpu: Gpu,
    clock: Clock,
    bytes: u64,
    from: Buffer,
    to: Buffer,
    readback: Buffer,
    host: Vec<u8>,
    copies: u32,
    single: Peak,
    double: Option<Peak>,
}

impl fmt::Debug for Floors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gpu, bytes, .. } = self;
        f.debug_struct("Floors").field("gpu", gpu).field("bytes", bytes).finish_non_exhaustive()
    }
}

/// Least duration of what is measured, on a device that is not a software adapter: above what its
/// clock resolves and the time in which it speeds up.
const SLICE: Duration = Duration::from_millis(2);

impl Floors {
    /// Prepares buffers of so many bytes: three on the device and one on the host, outside the
    /// buffer pool and its limit. More than the caches hold, 256 MiB say, shows the memory itself.
    ///
    /// # Errors
    /// [`GpuError`], if the device refuses.
    pub fn new(gpu: &Gpu, bytes: u64) -> Result<Self, GpuError> {
        let bytes = bytes.min(gpu.device().limits().max_buffer_size).max(256) / 256 * 256;
        let on_device = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let buffer = |usage| {
            let descriptor =
                BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false };
            gpu.watched(bytes, || Ok(gpu.device().create_buffer(&descriptor)))
        };
        let [from, to] = [buffer(on_device)?, buffer(on_device)?];
        let readback = buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        let double = gpu.device().features().contains(wgpu::Features::SHADER_F64);
        Ok(Self {
            clock: Clock::of(gpu),
            bytes,
            from,
            to,
            readback,
            host: vec![1; bytes as usize],
            copies: 1,
            single: Peak::new(gpu, "f32")?,
            double: if double { Some(Peak::new(gpu, "f64")?) } else { None },
            gpu: gpu.clone(),
        })
    }

    /// Whether the device's own clock is used; else the host's, which counts the way there and back.
    pub fn by_own_clock(&self) -> bool {
        self.clock.is_own()
    }

    /// Seconds that it takes to hand over a list of commands without any and to wait for its end:
    /// no call costs less.
    ///
    /// # Errors
    /// [`GpuError`], if the device refuses.
    pub fn empty_submit(&self) -> Result<f64, GpuError> {
        let start = Instant::now();
        self.gpu.watched(0, || {
            let encoder = self.gpu.device().create_command_encoder(&Default::default());
            self.gpu.queue().submit([encoder.finish()]);
            self.wait()
        })?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Bytes per second, read and written, of a copy from one buffer to another on the device.
    ///
    /// # Errors
    /// [`GpuError`], if the device refuses.
    pub fn copy(&mut self) -> Result<f64, GpuError> {
        loop {
            let seconds = self.clock.time(&self.gpu, |encoder| {
                for _ in 0..self.copies {
                    encoder.copy_buffer_to_buffer(&self.from, 0, &self.to, 0, self.bytes);
                }
            })?;
            if seconds >= SLICE.as_secs_f64() || self.copies >= 64 {
                return Ok(2.0 * self.bytes as f64 * f64::from(self.copies) / seconds);
            }
            self.copies *= 2;
        }
    }

    /// Bytes per second from the host's memory to the device's.
    ///
    /// # Errors
    /// [`GpuError`], if the device refuses.
    pub fn upload(&self) -> Result<f64, GpuError> {
        let start = Instant::now();
        self.gpu.watched(self.bytes, || {
            self.gpu.queue().write_buffer(&self.to, 0, &self.host);
            self.gpu.queue().submit([]);
            self.wait()
        })?;
        Ok(self.bytes as f64 / start.elapsed().as_secs_f64())
    }

    /// Bytes per second from the device's memory to the host's.
    ///
    /// # Errors
    /// [`GpuError`], if the device refuses.
    pub fn download(&mut self) -> Result<f64, GpuError> {
        let start = Instant::now();
        let Self { gpu, from, readback, host, bytes, .. } = self;
        gpu.watched(*bytes, || {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(from, 0, readback, 0, *bytes);
            gpu.queue().submit([encoder.finish()]);
            read(gpu, readback, host)
        })?;
        Ok(self.bytes as f64 / start.elapsed().as_secs_f64())
    }

    /// Fused products per second in single precision, from registers.
    ///
    /// # Errors
    /// [`GpuError`], if the device refuses.
    pub fn products(&mut self) -> Result<f64, GpuError> {
        self.single.rate(&self.gpu, &self.clock)
    }

    /// The same in double precision; `None` on a device that has none.
    ///
    /// # Errors
    /// [`GpuError`], if the device refuses.
    pub fn double_products(&mut self) -> Result<Option<f64>, GpuError> {
        self.double.as_mut().map(|peak| peak.rate(&self.gpu, &self.clock)).transpose()
    }

    fn wait(&self) -> Result<(), GpuError> {
        wait(&self.gpu)
    }
}

fn wait(gpu: &Gpu) -> Result<(), GpuError> {
    gpu.poll(PollType::wait_indefinitely())
}

/// Waits for the device and copies the head of a buffer.
fn read(gpu: &Gpu, buffer: &Buffer, to: &mut [u8]) -> Result<(), GpuError> {
    let slice = buffer.slice(..to.len() as u64);
    slice.map_async(MapMode::Read, |_| ());
    wait(gpu)?;
    let view = slice.get_mapped_range().map_err(|error| gpu.refused(&error))?;
    to.copy_from_slice(&view);
    drop(view);
    buffer.unmap();
    Ok(())
}
