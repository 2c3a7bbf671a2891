//! One trip to the device: input there, work, result back.

use crate::memory::{Lent, Purpose};
use crate::{Gpu, GpuError};
use bytemuck::Pod;
use wgpu::{Buffer, CommandEncoder, MapMode, PollType};

/// What one trip carries.
pub(crate) struct Chunk<'a> {
    pub(crate) input: &'a Buffer,
    pub(crate) output: &'a Buffer,
    pub(crate) signals: usize,
}

impl Gpu {
    /// A buffer that holds these values.
    pub(crate) fn upload<T: Pod>(&self, values: &[T]) -> Result<Lent, GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let buffer = self.lend(bytes.len() as u64, Purpose::Storage)?;
        self.inner.queue.write_buffer(buffer.buffer(), 0, bytes);
        Ok(buffer)
    }

    /// Takes `x` to the device, lets `record` say what happens there, and waits for `y`.
    pub(crate) fn call<T: Pod>(
        &self,
        x: &[T],
        y: &mut [T],
        signals: usize,
        record: impl FnOnce(&mut CommandEncoder, &Chunk<'_>) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        self.check_alive()?;
        let bytes = size_of_val(y) as u64;
        let output = self.lend(bytes, Purpose::Storage)?;
        let readback = self.lend(bytes, Purpose::Readback)?;
        self.watched(bytes, || {
            let input = self.upload(x)?;
            let mut encoder = self.inner.device.create_command_encoder(&Default::default());
            let chunk = Chunk { input: input.buffer(), output: output.buffer(), signals };
            record(&mut encoder, &chunk)?;
            encoder.copy_buffer_to_buffer(output.buffer(), 0, readback.buffer(), 0, bytes);
            self.inner.queue.submit([encoder.finish()]);
            self.read(readback.buffer(), y)
        })
    }

    /// Waits for the device and copies the head of a buffer.
    pub(crate) fn read<T: Pod>(&self, buffer: &Buffer, y: &mut [T]) -> Result<(), GpuError> {
        let slice = buffer.slice(..size_of_val(y) as u64);
        let (sender, receiver) = std::sync::mpsc::channel();
        slice.map_async(MapMode::Read, move |outcome| {
            let _ = sender.send(outcome);
        });
        let polled = self.inner.device.poll(PollType::wait_indefinitely());
        let mapped = receiver.recv().ok().and_then(Result::ok);
        if polled.is_err() || mapped.is_none() {
            self.check_alive()?;
            let message = "a result could not be read back".to_owned();
            return Err(GpuError::Refused { device: self.name().to_owned(), message });
        }
        let view = slice.get_mapped_range().map_err(|error| GpuError::Refused {
            device: self.name().to_owned(),
            message: error.to_string(),
        })?;
        bytemuck::cast_slice_mut(y).copy_from_slice(&view);
        drop(view);
        buffer.unmap();
        Ok(())
    }
}
