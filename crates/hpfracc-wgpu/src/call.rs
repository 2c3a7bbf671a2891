//! One trip to the device: input there, work, result back.

use crate::answer::Answer;
use crate::memory::{Lent, Purpose};
use crate::timing::Clock;
use crate::{Gpu, GpuError};
use bytemuck::Pod;
use wgpu::{Buffer, CommandEncoder, ComputePass, ComputePassDescriptor, PollType};

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

    /// Takes `x` to the device, lets `record` say what happens there, and brings `y` back.
    ///
    /// (On a device of this computer the thread waits inside; in a browser the future does.)
    pub(crate) async fn call<T: Pod>(
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
        let (answer, ticks, submitted) = self.watched(bytes, || {
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
            let submitted = self.inner.queue.submit([encoder.finish()]);
            staging.map_again();
            let answer = Answer::of(readback.buffer(), bytes);
            Ok((answer, clock.as_ref().map(Clock::ask), submitted))
        })?;
        // Not for what other threads have submitted since.
        self.poll(PollType::Wait { submission_index: Some(submitted), timeout: None })?;
        self.receive(answer, readback, y).await?;
        if let (Some(clock), Some(ticks)) = (clock, ticks) {
            clock.note(ticks).await?;
        }
        Ok(())
    }

    /// Waits until a buffer can be read, copies its head, and gives it back.
    pub(crate) async fn receive<T: Pod>(
        &self,
        answer: Answer,
        readback: Lent,
        y: &mut [T],
    ) -> Result<(), GpuError> {
        let bytes = size_of_val(y) as u64;
        let mapped = answer.await;
        self.check_alive()?;
        self.check_reports(bytes)?;
        mapped.map_err(|error| self.refused(&error))?;
        let buffer = readback.buffer();
        self.watched(bytes, || {
            let view = buffer.get_mapped_range(..bytes).map_err(|error| self.refused(&error))?;
            bytemuck::cast_slice_mut(y).copy_from_slice(&view);
            drop(view);
            // Another thread may have destroyed the device by now.
            buffer.unmap();
            Ok(())
        })?;
        readback.has_been_read();
        Ok(())
    }
}
