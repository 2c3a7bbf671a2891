//! One submission: upload of the input, compute pass, readback of the result.

use super::buffer_pool::{PooledBuffer, Purpose};
use super::gpu::Gpu;
use super::open_device::OpenDevice;
use super::readback::Readback;
use super::timing::CallTimer;
use crate::GpuError;
use bytemuck::Pod;
use std::future::Future;
use wgpu::{Buffer, CommandEncoder, ComputePass, ComputePassDescriptor, PollType};

impl Gpu {
    /// Blocks on a future. In a browser that is an error, and the future does not start.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn block_on<R>(
        &self,
        work: impl Future<Output = Result<R, GpuError>>,
    ) -> Result<R, GpuError> {
        pollster::block_on(work)
    }

    /// Blocks on a future. In a browser that is an error, and the future does not start.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn block_on<R>(
        &self,
        _: impl Future<Output = Result<R, GpuError>>,
    ) -> Result<R, GpuError> {
        Err(GpuError::WouldBlock { device: self.name().to_owned() })
    }

    /// A storage buffer with these values.
    pub(crate) fn upload<T: Pod>(&self, values: &[T]) -> Result<PooledBuffer, GpuError> {
        self.open_device().check_alive()?;
        let buffer = self.acquire(size_of_val(values) as u64, Purpose::Storage)?;
        self.write(&buffer, 0, values)?;
        Ok(buffer)
    }

    /// Writes values to a storage buffer, from element `first` on.
    pub(crate) fn write<T: Pod>(
        &self,
        target: &PooledBuffer,
        first: usize,
        values: &[T],
    ) -> Result<(), GpuError> {
        let device = self.open_device();
        device.check_alive()?;
        let bytes = size_of_val(values) as u64;
        let staging = self.acquire(bytes, Purpose::Staging)?;
        device.watched(bytes, || {
            let mut encoder = device.device.create_command_encoder(&Default::default());
            stage(device, &mut encoder, &staging, values, (target, first))?;
            device.queue.submit([encoder.finish()]);
            staging.release_mapped();
            Ok(())
        })?;
        // Returns the staging buffers of completed uploads; this one may still be pending.
        device.poll(PollType::Poll)
    }

    /// Uploads `x`, runs the compute pass that `record` records for the input and output buffer,
    /// and reads `y`.
    ///
    /// (On a native device the future blocks the polling thread; in a browser it yields.)
    pub(crate) async fn call<T: Pod>(
        &self,
        x: &[T],
        y: &mut [T],
        record: impl FnOnce(&mut ComputePass<'_>, [&Buffer; 2]),
    ) -> Result<(), GpuError> {
        let device = self.open_device();
        device.check_alive()?;
        let bytes = size_of_val(y) as u64;
        self.count_read(bytes);
        let staging = self.acquire(size_of_val(x) as u64, Purpose::Staging)?;
        let input = self.acquire(size_of_val(x) as u64, Purpose::Storage)?;
        let output = self.acquire(bytes, Purpose::Storage)?;
        let readback = self.acquire(bytes, Purpose::Readback)?;
        let timer = CallTimer::start(self.pool(), self.meters())?;
        let (result, timing, submitted) = device.watched(bytes, || {
            let mut encoder = device.device.create_command_encoder(&Default::default());
            stage(device, &mut encoder, &staging, x, (&input, 0))?;
            let timestamp_writes = timer.as_ref().map(|(timer, _)| timer.writes());
            let descriptor = ComputePassDescriptor { label: None, timestamp_writes };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            record(&mut pass, [input.buffer(), output.buffer()]);
            drop(pass);
            encoder.copy_buffer_to_buffer(output.buffer(), 0, readback.buffer(), 0, bytes);
            if let Some((timer, timestamps)) = &timer {
                timer.resolve(&mut encoder, timestamps);
            }
            let submitted = device.queue.submit([encoder.finish()]);
            staging.release_mapped();
            let result = Readback::start(readback, bytes);
            let timing = timer.map(|(timer, buffer)| (timer, CallTimer::read(buffer)));
            Ok((result, timing, submitted))
        })?;
        // Waits for this submission only, not for later ones of other threads.
        device.poll(PollType::Wait { submission_index: Some(submitted), timeout: None })?;
        result.copy_to(y).await?;
        if let Some((timer, timestamps)) = timing {
            timer.finish(timestamps).await?;
        }
        Ok(())
    }
}

impl Gpu {
    /// Clears buffers, runs the compute pass that `record` records, and waits for its end.
    pub(crate) async fn compute(
        &self,
        clear: &[&PooledBuffer],
        record: impl FnOnce(&mut ComputePass<'_>),
    ) -> Result<(), GpuError> {
        let device = self.open_device();
        device.check_alive()?;
        let timer = CallTimer::start(self.pool(), self.meters())?;
        let (timing, submitted) = device.watched(0, || {
            let mut encoder = device.device.create_command_encoder(&Default::default());
            for buffer in clear {
                encoder.clear_buffer(buffer.buffer(), 0, None);
            }
            let timestamp_writes = timer.as_ref().map(|(timer, _)| timer.writes());
            let descriptor = ComputePassDescriptor { label: None, timestamp_writes };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            record(&mut pass);
            drop(pass);
            if let Some((timer, timestamps)) = &timer {
                timer.resolve(&mut encoder, timestamps);
            }
            let submitted = device.queue.submit([encoder.finish()]);
            Ok((timer.map(|(timer, buffer)| (timer, CallTimer::read(buffer))), submitted))
        })?;
        device.poll(PollType::Wait { submission_index: Some(submitted), timeout: None })?;
        device.finished().await;
        if let Some((timer, timestamps)) = timing {
            timer.finish(timestamps).await?;
        }
        Ok(())
    }

    /// Reads values of a storage buffer, from element `first` on.
    pub(crate) async fn read<T: Pod>(
        &self,
        source: &PooledBuffer,
        first: usize,
        values: &mut [T],
    ) -> Result<(), GpuError> {
        let device = self.open_device();
        device.check_alive()?;
        let (bytes, at) = (size_of_val(values) as u64, (first * size_of::<T>()) as u64);
        self.count_read(bytes);
        let readback = self.acquire(bytes, Purpose::Readback)?;
        let (result, submitted) = device.watched(bytes, || {
            let mut encoder = device.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(source.buffer(), at, readback.buffer(), 0, bytes);
            let submitted = device.queue.submit([encoder.finish()]);
            Ok((Readback::start(readback, bytes), submitted))
        })?;
        device.poll(PollType::Wait { submission_index: Some(submitted), timeout: None })?;
        result.copy_to(values).await
    }
}

/// Writes values to a mapped staging buffer and records the copy to a storage buffer, from an element
/// on.
fn stage<T: Pod>(
    device: &OpenDevice,
    encoder: &mut CommandEncoder,
    staging: &PooledBuffer,
    values: &[T],
    (target, first): (&PooledBuffer, usize),
) -> Result<(), GpuError> {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let size = bytes.len() as u64;
    let range = staging.buffer().get_mapped_range_mut(..size);
    range.map_err(|error| device.rejected(&error))?.copy_from_slice(bytes);
    staging.buffer().unmap();
    let at = (first * size_of::<T>()) as u64;
    encoder.copy_buffer_to_buffer(staging.buffer(), 0, target.buffer(), at, size);
    Ok(())
}
