//! Reading results: futures that resolve when the device has written a readback buffer, and when it has
//! done the submitted work.

use super::buffer_pool::PooledBuffer;
#[cfg(target_arch = "wasm32")]
use super::open_device::OpenDevice;
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
    mapping: Notification<Result<(), BufferAsyncError>>,
}

/// Value that a callback will be called with.
struct Notification<T>(Arc<Mutex<NotificationState<T>>>);

struct NotificationState<T> {
    value: Option<T>,
    waker: Option<Waker>,
}

impl Readback {
    /// Maps the first `bytes` bytes, after the submission that writes them.
    pub(super) fn start(buffer: PooledBuffer, bytes: u64) -> Self {
        let (notify, mapping) = notification();
        buffer.buffer().map_async(MapMode::Read, ..bytes, notify);
        Self { buffer, bytes, mapping }
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

#[cfg(target_arch = "wasm32")]
impl OpenDevice {
    /// Yields until the submitted work is done.
    pub(crate) async fn finished(&self) {
        let (notify, done) = notification::<()>();
        self.queue.on_submitted_work_done(move || notify(()));
        done.await;
    }
}

/// A callback, and the future of the value that it is called with.
fn notification<T: Send + 'static>() -> (impl FnOnce(T) + Send + 'static, Notification<T>) {
    let state = Arc::new(Mutex::new(NotificationState { value: None, waker: None }));
    let shared = Arc::clone(&state);
    let notify = move |value| {
        let mut state = locked(&shared);
        state.value = Some(value);
        let waker = state.waker.take();
        // Unlocked before the wake: the woken task locks the state.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    };
    (notify, Notification(state))
}

impl<T> Future for Notification<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut state = locked(&self.0);
        match state.value.take() {
            Some(value) => Poll::Ready(value),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
