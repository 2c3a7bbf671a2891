//! The buffer pool: buffers by size class, acquired for a call and returned for the next.

use super::bind_groups::BindGroups;
use super::open_device::{OpenDevice, locked};
use crate::GpuError;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use wgpu::{Buffer, BufferUsages, MapMode, PollType};

/// Counters of the buffer pool of a device and of the caches next to it.
///
/// A repeated call changes none of them but `hits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BufferPoolStats {
    /// Bytes of all buffers, in use or free, staging and readback buffers included.
    pub bytes: u64,
    /// Maximum of `bytes` so far.
    pub high_water: u64,
    /// Requests served by a free buffer.
    pub hits: u64,
    /// Requests that created a buffer.
    pub misses: u64,
    /// Uniform buffers created, of 16 bytes each, which `bytes` does not count.
    pub uniforms: u64,
    /// Bind groups created.
    pub bind_groups: u64,
}

/// The pool of one device.
pub(crate) struct BufferPool {
    pub(super) device: Arc<OpenDevice>,
    bind_groups: Arc<BindGroups>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: BTreeMap<SlotKey, Buffer>,
    stats: BufferPoolStats,
    limit: Option<u64>,
}

/// Sort key of the free buffers.
///
/// The oldest buffer that fits is taken: calls in the same order get the same buffers in whatever
/// order they return them, and find their bind groups in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SlotKey {
    class: u64,
    purpose: Purpose,
    /// Index of the buffer in the order of creation.
    age: u64,
}

/// Purpose of a buffer, which determines its usage flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Read and written by shaders, source and target of copies.
    Storage,
    /// Read by the host.
    Readback,
    /// Written by the host: mapped while it is free.
    ///
    /// (`Queue::write_buffer` of wgpu creates and destroys a driver's buffer at each call, outside
    /// any limit.)
    Staging,
    /// Target of timestamp queries.
    Timestamps,
}

impl Purpose {
    fn usages(self) -> BufferUsages {
        match self {
            Self::Storage => {
                BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST
            }
            Self::Readback => BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            Self::Staging => BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC,
            Self::Timestamps => BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
        }
    }
}

/// A buffer of the pool in use; dropping it returns it.
pub(crate) struct PooledBuffer {
    pool: Arc<BufferPool>,
    key: SlotKey,
    buffer: Option<Buffer>,
}

impl BufferPool {
    pub(crate) fn new(device: Arc<OpenDevice>, bind_groups: Arc<BindGroups>) -> Self {
        Self { device, bind_groups, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    pub(crate) fn stats(&self) -> BufferPoolStats {
        let created = self.bind_groups.created();
        let stats = self.state().stats;
        BufferPoolStats { uniforms: created.uniforms, bind_groups: created.bind_groups, ..stats }
    }

    /// The limit in bytes.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.state().limit
    }

    /// Sets the limit in bytes.
    pub(crate) fn set_limit(&self, bytes: Option<u64>) {
        self.state().limit = bytes;
    }

    fn release(&self, key: SlotKey, buffer: Buffer) {
        self.state().free.insert(key, buffer);
    }

    fn destroy(&self, key: SlotKey, buffer: &Buffer) {
        self.state().stats.bytes -= key.class;
        buffer.destroy();
    }

    /// A buffer of at least `bytes` bytes with unspecified content.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        bytes: u64,
        purpose: Purpose,
    ) -> Result<PooledBuffer, GpuError> {
        let wait = || self.device.poll(PollType::wait_indefinitely());
        match self.try_acquire(bytes, purpose) {
            Err(GpuError::Limit { .. }) if !cfg!(target_arch = "wasm32") => {
                // Completed uploads return their staging buffers.
                wait()?;
                self.try_acquire(bytes, purpose)
            }
            Err(GpuError::OutOfMemory { .. }) if self.destroy_free() > 0 => {
                // The driver reclaims destroyed buffers when the device has finished with them.
                if !cfg!(target_arch = "wasm32") {
                    wait()?;
                }
                self.try_acquire(bytes, purpose)
            }
            outcome => outcome,
        }
    }

    /// Destroys all free buffers and returns their size in bytes.
    pub(super) fn destroy_free(&self) -> u64 {
        let mut state = self.state();
        let before = state.stats.bytes;
        while self.destroy_largest_free(&mut state) {}
        before - state.stats.bytes
    }

    /// Destroys the largest free buffer, if there is one.
    fn destroy_largest_free(&self, state: &mut State) -> bool {
        let Some((key, buffer)) = state.free.pop_last() else { return false };
        state.stats.bytes -= key.class;
        self.bind_groups.forget(&buffer);
        buffer.destroy();
        true
    }

    fn try_acquire(
        self: &Arc<Self>,
        bytes: u64,
        purpose: Purpose,
    ) -> Result<PooledBuffer, GpuError> {
        let class = self.size_class(bytes);
        let oldest = SlotKey { class, purpose, age: 0 };
        let newest = SlotKey { age: u64::MAX, ..oldest };
        let mut state = self.state();
        if let Some((&key, _)) = state.free.range(oldest..=newest).next() {
            state.stats.hits += 1;
            let buffer = state.free.remove(&key);
            return Ok(PooledBuffer { pool: Arc::clone(self), key, buffer });
        }
        self.make_room(&mut state, class)?;
        let key = SlotKey { age: state.stats.misses, ..oldest };
        state.stats.misses += 1;
        state.stats.bytes += class;
        // Unlocked: the driver may call back for other buffers while it creates this one.
        drop(state);
        let created = self.create(class, purpose);
        let mut state = self.state();
        match created {
            Ok(buffer) => {
                state.stats.high_water = state.stats.high_water.max(state.stats.bytes);
                Ok(PooledBuffer { pool: Arc::clone(self), key, buffer: Some(buffer) })
            }
            Err(error) => {
                state.stats.bytes -= class;
                Err(error)
            }
        }
    }

    /// Bytes that the pool takes for a map: the buffers that live as long as it, and one call with
    /// `transfers` bytes of input and output and `scratch` bytes between passes. Each is rounded up
    /// to its size class.
    pub(crate) fn bytes_of_map(
        &self,
        persistent: &[usize],
        transfers: [usize; 2],
        scratch: usize,
    ) -> usize {
        let class =
            |&bytes: &usize| if bytes > 0 { self.size_class(bytes as u64) as usize } else { 0 };
        // Input and output are there twice, for shaders and for the host; while a map is bound, so
        // are its persistent buffers, one after the other.
        let call = 2 * transfers.iter().map(class).sum::<usize>() + class(&scratch);
        let bind = persistent.iter().map(class).max().unwrap_or(0);
        persistent.iter().map(class).sum::<usize>() + call.max(bind)
    }

    /// The size class: powers of two, so that signals of similar length share buffers.
    pub(super) fn size_class(&self, bytes: u64) -> u64 {
        // Shaders bind whole buffers: a class stays within the limit of a binding.
        let limits = &self.device.limits;
        let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let class = bytes.max(256).next_power_of_two();
        if class <= limit {
            return class;
        }
        // The limit is a multiple of 4 bytes and may be none of 256.
        let class = bytes.next_multiple_of(256);
        if class <= limit { class } else { bytes }
    }

    /// Destroys free buffers, the largest first, until `bytes` more are within the limit.
    fn make_room(&self, state: &mut State, bytes: u64) -> Result<(), GpuError> {
        let Some(limit) = state.limit else { return Ok(()) };
        while state.stats.bytes + bytes > limit {
            if !self.destroy_largest_free(state) {
                let (device, in_use) = (self.device.name().to_owned(), state.stats.bytes);
                tracing::debug!(device, bytes, in_use, limit, "buffer exceeds the limit");
                return Err(GpuError::Limit { device, bytes, in_use, limit });
            }
        }
        Ok(())
    }

    fn create(&self, size: u64, purpose: Purpose) -> Result<Buffer, GpuError> {
        self.device.check_alive()?;
        let buffer = self.device.create_buffer(size, purpose.usages())?;
        tracing::trace!(device = self.device.name(), size, ?purpose, "buffer created");
        Ok(buffer)
    }
}

impl PooledBuffer {
    pub(crate) fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().expect("the buffer leaves only when dropped")
    }

    pub(super) fn device(&self) -> &OpenDevice {
        &self.pool.device
    }

    /// Returns a readback buffer that the host has read and unmapped.
    pub(super) fn release_unmapped(mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.pool.release(self.key, buffer);
        }
    }

    /// Returns a staging buffer once the device has read it, mapped for the next call.
    ///
    /// Called after the submission that reads it; a later poll completes the mapping.
    pub(super) fn release_mapped(mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        // Weak: the device owns this closure until the mapping completes.
        let (pool, key) = (Arc::downgrade(&self.pool), self.key);
        let mapped = buffer.clone();
        buffer.map_async(MapMode::Write, .., move |outcome| {
            let Some(pool) = pool.upgrade() else { return };
            match outcome {
                Ok(()) => pool.release(key, mapped),
                Err(_) => pool.destroy(key, &mapped),
            }
        });
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        match self.key.purpose {
            // From a call that failed or was dropped: it may be mapped or not.
            Purpose::Staging | Purpose::Readback => self.pool.destroy(self.key, &buffer),
            Purpose::Storage | Purpose::Timestamps => self.pool.release(self.key, buffer),
        }
    }
}
