//! One trip to the device: input there, work, result back.

use crate::memory::{Lent, Purpose};
use crate::timing::Clock;
use crate::{Gpu, GpuError};
use bytemuck::Pod;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wgpu::{Buffer, CommandEncoder, ComputePass, ComputePassDescriptor, MapMode, PollType};

/// What one trip carries.
pub(crate) struct Chunk<'a> {
    pub(crate) input: &'a Buffer,
    pub(crate) output: &'a Buffer,
    pub(crate) signals: usize,
}

impl Gpu {
    /// A buffer that holds these values.
    pub(crate) fn upload<T: Pod>(&self, values: &[T]) -> Result<Lent, GpuError> {
        self.check_alive()?;
        let bytes = size_of_val(values) as u64;
        let buffer = self.lend(bytes, Purpose::Storage)?;
        let staging = self.lend(bytes, Purpose::Staging)?;
        self.watched(bytes, || {
            let mut encoder = self.inner.device.create_command_encoder(&Default::default());
            self.stage(&mut encoder, &staging, values, &buffer)?;
            self.inner.queue.submit([encoder.finish()]);
            staging.map_again();
            Ok(())
        })?;
        // Lets buffers of earlier uploads come back; this one's may still be on its way.
        self.poll(PollType::Poll)?;
        Ok(buffer)
    }

    /// Writes values where the host can, and records their copy to where shaders can read.
    fn stage<T: Pod>(
        &self,
        encoder: &mut CommandEncoder,
        staging: &Lent,
        values: &[T],
        target: &Lent,
    ) -> Result<(), GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let size = bytes.len() as u64;
        let range = staging.buffer().get_mapped_range_mut(..size);
        range.map_err(|error| self.refused(&error))?.copy_from_slice(bytes);
        staging.buffer().unmap();
        encoder.copy_buffer_to_buffer(staging.buffer(), 0, target.buffer(), 0, size);
        Ok(())
    }

    /// Takes `x` to the device, lets `record` say what happens there, and waits for `y`.
    pub(crate) fn call<T: Pod>(
        &self,
        x: &[T],
        y: &mut [T],
        signals: usize,
        record: impl FnOnce(&mut ComputePass<'_>, &Chunk<'_>) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        self.check_alive()?;
        let bytes = size_of_val(y) as u64;
        let staging = self.lend(size_of_val(x) as u64, Purpose::Staging)?;
        let input = self.lend(size_of_val(x) as u64, Purpose::Storage)?;
        let output = self.lend(bytes, Purpose::Storage)?;
        let readback = self.lend(bytes, Purpose::Readback)?;
        let clock = Clock::of(self)?;
        self.watched(bytes, || {
            let mut encoder = self.inner.device.create_command_encoder(&Default::default());
            self.stage(&mut encoder, &staging, x, &input)?;
            let timestamp_writes = clock.as_ref().map(Clock::writes);
            let descriptor = ComputePassDescriptor { label: None, timestamp_writes };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            let chunk = Chunk { input: input.buffer(), output: output.buffer(), signals };
            record(&mut pass, &chunk)?;
            drop(pass);
            encoder.copy_buffer_to_buffer(output.buffer(), 0, readback.buffer(), 0, bytes);
            if let Some(clock) = &clock {
                clock.resolve(&mut encoder);
            }
            self.inner.queue.submit([encoder.finish()]);
            staging.map_again();
            self.read(readback.buffer(), y)
        })?;
        clock.map_or(Ok(()), Clock::note)
    }

    /// Waits for the device and copies the head of a buffer.
    pub(crate) fn read<T: Pod>(&self, buffer: &Buffer, y: &mut [T]) -> Result<(), GpuError> {
        let slice = buffer.slice(..size_of_val(y) as u64);
        let (sender, receiver) = std::sync::mpsc::channel();
        slice.map_async(MapMode::Read, move |outcome| {
            let _ = sender.send(outcome);
        });
        self.poll(PollType::wait_indefinitely())?;
        // Another thread's poll may be the one that brings this answer, a moment later.
        if receiver.recv().ok().and_then(Result::ok).is_none() {
            self.check_alive()?;
            return Err(self.refused(&"a result could not be read back"));
        }
        let view = slice.get_mapped_range().map_err(|error| self.refused(&error))?;
        bytemuck::cast_slice_mut(y).copy_from_slice(&view);
        drop(view);
        buffer.unmap();
        Ok(())
    }

    /// Lets the device's answers arrive.
    pub(crate) fn poll(&self, how: PollType) -> Result<(), GpuError> {
        // If the device is lost while it is waited for, wgpu 30 panics, and leaves nothing broken:
        // the loss has reached its handler before.
        let polled = catch_unwind(AssertUnwindSafe(|| self.inner.device.poll(how)));
        self.check_alive()?;
        match polled {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(self.refused(&error)),
            Err(_) => Err(self.refused(&"it cannot be waited for")),
        }
    }
}
