//! Reading results: a future that resolves when the device has written a readback buffer.

use super::buffer_pool::PooledBuffer;
use super::open_device::locked;
use crate::GpuError;
use bytemuck::Pod;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use wgpu::{BufferAsyncError, MapMode};

/// A readback buffer that is being mapped.
pub(crate) struct Readback {
    buffer: PooledBuffer,
    bytes: u64,
    mapping: Mapping,
}

/// The completion of a mapping, as a future.
struct Mapping(Arc<Mutex<MappingState>>);

#[derive(Default)]
struct MappingState {
    outcome: Option<Result<(), BufferAsyncError>>,
    waker: Option<Waker>,
}

impl Readback {
    /// Maps the first `bytes` bytes, after the submission that writes them.
    pub(super) fn start(buffer: PooledBuffer, bytes: u64) -> Self {
        let state = Arc::<Mutex<MappingState>>::default();
        let shared = Arc::clone(&state);
        buffer.buffer().map_async(MapMode::Read, ..bytes, move |outcome| {
            let mut state = locked(&shared);
            state.outcome = Some(outcome);
            let waker = state.waker.take();
            // Unlocked before the wake: the woken task locks the state.
            drop(state);
            if let Some(waker) = waker {
                waker.wake();
            }
        });
        Self { buffer, bytes, mapping: Mapping(state) }
    }

    /// Waits for the mapping, copies the values to `to`, and returns the buffer to the pool.
    pub(super) async fn copy_to<T: Pod>(self, to: &mut [T]) -> Result<(), GpuError> {
        let Self { buffer, bytes, mapping } = self;
        let mapped = mapping.await;
        let device = buffer.device();
        device.check_alive()?;
        device.check_reports(bytes)?;
        mapped.map_err(|error| device.rejected(&error))?;
        device.watched(bytes, || {
            let view = buffer.buffer().get_mapped_range(..bytes);
            let view = view.map_err(|error| device.rejected(&error))?;
            bytemuck::cast_slice_mut(to).copy_from_slice(&view);
            drop(view);
            // Within the scope: another thread may have destroyed the device by now.
            buffer.buffer().unmap();
            Ok(())
        })?;
        buffer.release_unmapped();
        Ok(())
    }
}

impl Future for Mapping {
    type Output = Result<(), BufferAsyncError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = locked(&self.0);
        match state.outcome.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
