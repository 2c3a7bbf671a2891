//! Waiting for the device: in a browser only as a future.

use crate::{Gpu, GpuError};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use wgpu::{Buffer, BufferAsyncError, MapMode, PollType};

/// That a buffer can be read, once the device has written it.
pub(crate) struct Answer(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    outcome: Option<Result<(), BufferAsyncError>>,
    waiting: Option<Waker>,
}

impl Answer {
    /// Asks for the first so many bytes, after the submission that writes them.
    pub(crate) fn of(buffer: &Buffer, bytes: u64) -> Self {
        let state = Arc::<Mutex<State>>::default();
        let told = Arc::clone(&state);
        buffer.map_async(MapMode::Read, ..bytes, move |outcome| {
            let mut state = told.lock().unwrap_or_else(PoisonError::into_inner);
            state.outcome = Some(outcome);
            let waiting = state.waiting.take();
            // Outside the lock, which whoever is woken takes.
            drop(state);
            if let Some(waker) = waiting {
                waker.wake();
            }
        });
        Self(state)
    }
}

impl Future for Answer {
    type Output = Result<(), BufferAsyncError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.outcome.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                state.waiting = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Gpu {
    /// Does what takes its time, and waits for it. In a browser that is refused before it begins.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn wait<R>(
        &self,
        work: impl Future<Output = Result<R, GpuError>>,
    ) -> Result<R, GpuError> {
        pollster::block_on(work)
    }

    /// Does what takes its time, and waits for it. In a browser that is refused before it begins.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn wait<R>(
        &self,
        _: impl Future<Output = Result<R, GpuError>>,
    ) -> Result<R, GpuError> {
        Err(GpuError::WouldWait { device: self.name().to_owned() })
    }

    /// Lets the device's answers arrive. (In a browser they come by themselves.)
    pub(crate) fn poll(&self, how: PollType) -> Result<(), GpuError> {
        // If the device is lost while it is waited for, wgpu 30 panics, and leaves nothing broken.
        let polled = catch_unwind(AssertUnwindSafe(|| self.inner.device.poll(how)));
        self.check_alive()?;
        match polled {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(self.refused(&error)),
            Err(_) => Err(self.refused(&"it cannot be waited for")),
        }
    }
}
