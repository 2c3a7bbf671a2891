//! Buffers by size class: taken, used, and given back for the next call.

use crate::{Gpu, GpuError};
use hpfracc_backend::{BackendError, Workload};
use std::sync::{Mutex, MutexGuard, PoisonError};
use wgpu::{Buffer, BufferDescriptor, BufferUsages};

/// What the buffer pool of a device has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryUse {
    /// Bytes of all buffers that exist, lent or free.
    pub bytes: u64,
    /// The most that `bytes` has been.
    pub high_water: u64,
    /// Buffers that were lent again.
    pub hits: u64,
    /// Buffers that had to be made.
    pub misses: u64,
}

/// The pool of one device.
#[derive(Default)]
pub(crate) struct Memory {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: Vec<Buffer>,
    used: MemoryUse,
    limit: Option<u64>,
}

/// What a buffer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Shaders read and write it, the queue copies to and from it.
    Storage,
    /// The host reads it.
    Readback,
}

impl Purpose {
    fn usages(self) -> BufferUsages {
        match self {
            Self::Storage => {
                BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST
            }
            Self::Readback => BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        }
    }
}

/// A buffer on loan from the pool.
pub(crate) struct Lent {
    gpu: Gpu,
    buffer: Option<Buffer>,
}

impl Memory {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gpu {
    /// What the buffer pool of this device has seen so far.
    pub fn memory_use(&self) -> MemoryUse {
        self.inner.memory.state().used
    }

    /// The most bytes that this crate's buffers may take on the device, for all clones of this
    /// value; `None`, the default, leaves it to the driver.
    ///
    /// A plan that needs more is refused before anything is bound; a call that would need more
    /// gives back free buffers first, and is refused if that is not enough.
    pub fn set_memory_limit(&self, bytes: Option<u64>) {
        self.inner.memory.state().limit = bytes;
    }

    /// The limit set by [`Gpu::set_memory_limit`].
    pub fn memory_limit(&self) -> Option<u64> {
        self.inner.memory.state().limit
    }

    /// Refuses a plan that needs more than the limit.
    pub(crate) fn check_plan(
        &self,
        backend: &str,
        workload: Workload,
        needed: usize,
    ) -> Result<(), BackendError> {
        let limit = self.memory_limit().map_or(usize::MAX, |limit| limit as usize);
        if needed <= limit {
            Ok(())
        } else {
            Err(BackendError::Memory { backend: backend.to_owned(), workload, needed, limit })
        }
    }

    /// A buffer of at least so many bytes, with unspecified content.
    pub(crate) fn lend(&self, bytes: u64, purpose: Purpose) -> Result<Lent, GpuError> {
        let class = self.class_of(bytes);
        let usage = purpose.usages();
        let mut state = self.inner.memory.state();
        let fits = |b: &Buffer| b.size() == class && b.usage() == usage;
        if let Some(at) = state.free.iter().position(fits) {
            state.used.hits += 1;
            let buffer = state.free.swap_remove(at);
            return Ok(Lent { gpu: self.clone(), buffer: Some(buffer) });
        }
        self.make_room(&mut state, class)?;
        let buffer = self.create(class, usage)?;
        state.used.misses += 1;
        state.used.bytes += class;
        state.used.high_water = state.used.high_water.max(state.used.bytes);
        Ok(Lent { gpu: self.clone(), buffer: Some(buffer) })
    }

    /// The size class: powers of two, so that signals of similar length share buffers.
    fn class_of(&self, bytes: u64) -> u64 {
        // A binding shows a whole buffer, so that a class must not outgrow what a binding can show.
        let limits = &self.inner.limits;
        let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let class = bytes.max(256).next_power_of_two();
        if class <= limit { class } else { bytes.next_multiple_of(256) }
    }

    /// Frees buffers nobody uses until `bytes` more stay within the limit.
    fn make_room(&self, state: &mut State, bytes: u64) -> Result<(), GpuError> {
        let Some(limit) = state.limit else { return Ok(()) };
        while state.used.bytes + bytes > limit {
            let Some(buffer) = state.free.pop() else {
                let device = self.name().to_owned();
                return Err(GpuError::Limit { device, bytes, in_use: state.used.bytes, limit });
            };
            state.used.bytes -= buffer.size();
            buffer.destroy();
        }
        Ok(())
    }

    fn create(&self, size: u64, usage: BufferUsages) -> Result<Buffer, GpuError> {
        self.check_alive()?;
        let descriptor = BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        self.watched(size, || Ok(self.inner.device.create_buffer(&descriptor)))
    }
}

impl Lent {
    pub(crate) fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().expect("the buffer leaves only when dropped")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.gpu.inner.memory.state().free.push(buffer);
        }
    }
}
