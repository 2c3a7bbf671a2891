//! Buffers by size class: taken, used, and given back for the next call.

use crate::{Gpu, GpuError, MemoryLimit};
use hpfracc_backend::{BackendError, Workload};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, MapMode};

/// What the buffer pool of a device has seen, and what was made beside it.
///
/// A call like the one before finds all it needs: of these numbers only `hits` grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryUse {
    /// Bytes of all buffers that exist, lent or free, those for the way there and back included.
    pub bytes: u64,
    /// The most that `bytes` has been.
    pub high_water: u64,
    /// Buffers that were lent again.
    pub hits: u64,
    /// Buffers that had to be made.
    pub misses: u64,
    /// Sets of sizes that were made for shaders, 16 bytes each and not counted in `bytes`.
    pub uniforms: u64,
    /// Bind groups that were made.
    pub bind_groups: u64,
}

/// The pool of one device.
#[derive(Default)]
pub(crate) struct Memory {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: BTreeMap<Place, Buffer>,
    used: MemoryUse,
    limit: Option<u64>,
}

/// Where a buffer stands among those that are free.
///
/// Of those that fit the oldest is lent, so that calls in the same order get the same buffers in
/// whatever order they gave them back, and find their bind groups again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    class: u64,
    purpose: Purpose,
    /// Counts the buffers made.
    age: u64,
}

/// What a buffer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Shaders read and write it, the queue copies to and from it.
    Storage,
    /// The host reads it.
    Readback,
    /// The host writes it: mapped while it is free.
    ///
    /// (wgpu's own way, `Queue::write_buffer`, makes a buffer of the driver's for each call and
    /// destroys it afterwards, outside any limit.)
    Staging,
    /// The device's clock is written to it.
    Ticks,
}

impl Purpose {
    fn usages(self) -> BufferUsages {
        match self {
            Self::Storage => {
                BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST
            }
            Self::Readback => BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            Self::Staging => BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC,
            Self::Ticks => BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
        }
    }
}

/// A buffer on loan from the pool.
pub(crate) struct Lent {
    gpu: Gpu,
    place: Place,
    buffer: Option<Buffer>,
}

impl Memory {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the limit in bytes.
    pub(crate) fn limit(&self, bytes: Option<u64>) {
        self.state().limit = bytes;
    }

    fn give_back(&self, place: Place, buffer: Buffer) {
        self.state().free.insert(place, buffer);
    }

    fn destroy(&self, place: Place, buffer: &Buffer) {
        self.state().used.bytes -= place.class;
        buffer.destroy();
    }
}

impl Gpu {
    /// What the buffer pool of this device has seen so far.
    pub fn memory_use(&self) -> MemoryUse {
        let made = self.inner.bindings.made();
        let used = self.inner.memory.state().used;
        MemoryUse { uniforms: made.uniforms, bind_groups: made.bind_groups, ..used }
    }

    /// Limits what this crate's buffers may take on the device, for all clones of this value.
    ///
    /// A plan that needs more is refused before anything is bound; a call that would need more
    /// gives back free buffers first, and is refused if that is not enough.
    ///
    /// # Errors
    /// [`GpuError::UnknownMemory`] for a fraction if the driver does not tell the device's memory,
    /// [`GpuError::MemoryLimit`] for one that is not above 0 and at most 1.
    pub fn limit_memory(&self, limit: MemoryLimit) -> Result<(), GpuError> {
        let bytes = limit.bytes(self.name(), self.memory_bytes())?;
        self.inner.memory.limit(bytes);
        Ok(())
    }

    /// The limit set by [`Gpu::limit_memory`] in bytes, if there is one.
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
        // Where addresses have 32 bits, more than they reach is no limit.
        let limit = self.memory_limit().and_then(|limit| usize::try_from(limit).ok());
        let limit = limit.unwrap_or(usize::MAX);
        if needed <= limit {
            return Ok(());
        }
        tracing::debug!(device = self.name(), %workload, needed, limit, "plan beyond the limit");
        Err(BackendError::Memory { backend: backend.to_owned(), workload, needed, limit })
    }

    /// A buffer of at least so many bytes, with unspecified content.
    pub(crate) fn lend(&self, bytes: u64, purpose: Purpose) -> Result<Lent, GpuError> {
        match self.lend_at_once(bytes, purpose) {
            Err(GpuError::Limit { .. }) if !cfg!(target_arch = "wasm32") => {
                // Uploads that have arrived give back what they went through.
                self.poll(wgpu::PollType::wait_indefinitely())?;
                self.lend_at_once(bytes, purpose)
            }
            Err(GpuError::OutOfMemory { .. }) if self.free_unused() > 0 => {
                // The driver takes back what was destroyed once nothing on the device needs it.
                if !cfg!(target_arch = "wasm32") {
                    self.poll(wgpu::PollType::wait_indefinitely())?;
                }
                self.lend_at_once(bytes, purpose)
            }
            outcome => outcome,
        }
    }

    /// Destroys the buffers nobody uses, and tells how many bytes they took.
    fn free_unused(&self) -> u64 {
        let mut state = self.inner.memory.state();
        let before = state.used.bytes;
        while self.free_largest(&mut state) {}
        before - state.used.bytes
    }

    /// Destroys the largest buffer nobody uses, if there is one.
    fn free_largest(&self, state: &mut State) -> bool {
        let Some((place, buffer)) = state.free.pop_last() else { return false };
        state.used.bytes -= place.class;
        self.inner.bindings.forget(&buffer);
        buffer.destroy();
        true
    }

    fn lend_at_once(&self, bytes: u64, purpose: Purpose) -> Result<Lent, GpuError> {
        let class = self.class_of(bytes);
        let from = Place { class, purpose, age: 0 };
        let to = Place { age: u64::MAX, ..from };
        let mut state = self.inner.memory.state();
        if let Some((&place, _)) = state.free.range(from..=to).next() {
            state.used.hits += 1;
            let buffer = state.free.remove(&place);
            return Ok(Lent { gpu: self.clone(), place, buffer });
        }
        self.make_room(&mut state, class)?;
        let place = Place { age: state.used.misses, ..from };
        state.used.misses += 1;
        state.used.bytes += class;
        // The driver may tell of other buffers meanwhile, which then find the pool open.
        drop(state);
        let created = self.create(class, purpose);
        let mut state = self.inner.memory.state();
        match created {
            Ok(buffer) => {
                state.used.high_water = state.used.high_water.max(state.used.bytes);
                Ok(Lent { gpu: self.clone(), place, buffer: Some(buffer) })
            }
            Err(error) => {
                state.used.bytes -= class;
                Err(error)
            }
        }
    }

    /// Bytes that the pool takes for a map: what is kept, and one call with so many bytes of samples,
    /// results and what passes leave for the next. Each is rounded up to its size class.
    pub(crate) fn bytes_of_map(&self, kept: &[usize], call: [usize; 2], work: usize) -> usize {
        let class = |bytes: &usize| self.class_of(*bytes as u64) as usize;
        let work = if work > 0 { class(&work) } else { 0 };
        // Samples and results are twice there, where shaders see them and where the host does; when
        // the map is bound, so is what is kept, one array after the other.
        let call = 2 * call.iter().map(class).sum::<usize>() + work;
        let bind = kept.iter().map(class).max().unwrap_or(0);
        kept.iter().map(class).sum::<usize>() + call.max(bind)
    }

    /// The size class: powers of two, so that signals of similar length share buffers.
    fn class_of(&self, bytes: u64) -> u64 {
        // A binding shows a whole buffer, so that a class must not outgrow what a binding can show.
        let limits = &self.inner.limits;
        let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let class = bytes.max(256).next_power_of_two();
        if class <= limit {
            return class;
        }
        // Not above the limit either, which is a whole number of f32 and need not be one of more.
        let class = bytes.next_multiple_of(256);
        if class <= limit { class } else { bytes }
    }

    /// Frees buffers nobody uses, the largest first, until `bytes` more stay within the limit.
    fn make_room(&self, state: &mut State, bytes: u64) -> Result<(), GpuError> {
        let Some(limit) = state.limit else { return Ok(()) };
        while state.used.bytes + bytes > limit {
            if !self.free_largest(state) {
                let (device, in_use) = (self.name().to_owned(), state.used.bytes);
                tracing::debug!(device, bytes, in_use, limit, "buffer beyond the limit");
                return Err(GpuError::Limit { device, bytes, in_use, limit });
            }
        }
        Ok(())
    }

    fn create(&self, size: u64, purpose: Purpose) -> Result<Buffer, GpuError> {
        self.check_alive()?;
        let descriptor = BufferDescriptor {
            label: None,
            size,
            usage: purpose.usages(),
            mapped_at_creation: purpose == Purpose::Staging,
        };
        let buffer = self.watched(size, || Ok(self.inner.device.create_buffer(&descriptor)))?;
        tracing::trace!(device = self.name(), size, ?purpose, "buffer made");
        Ok(buffer)
    }
}

impl Lent {
    pub(crate) fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().expect("the buffer leaves only when dropped")
    }

    /// Gives back a buffer that the host has read, and unmapped.
    pub(crate) fn has_been_read(mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.gpu.inner.memory.give_back(self.place, buffer);
        }
    }

    /// Gives back a buffer of the host's when the device has read it, mapped for the next call.
    ///
    /// Called after the submission that reads it: the device's next poll tells that it is done.
    pub(crate) fn map_again(mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        // Not the whole device: it keeps this closure until it has come to pass.
        let (memory, place) = (Arc::downgrade(&self.gpu.inner.memory), self.place);
        let mapped = buffer.clone();
        buffer.map_async(MapMode::Write, .., move |outcome| {
            let Some(memory) = memory.upgrade() else { return };
            match outcome {
                Ok(()) => memory.give_back(place, mapped),
                Err(_) => memory.destroy(place, &mapped),
            }
        });
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        let memory = &self.gpu.inner.memory;
        match self.place.purpose {
            // Of a call that failed or was dropped: whether it is mapped is not known.
            Purpose::Staging | Purpose::Readback => memory.destroy(self.place, &buffer),
            Purpose::Storage | Purpose::Ticks => memory.give_back(self.place, buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::tests::gpu;

    #[test]
    fn a_buffer_whose_reader_gave_up_is_not_lent_again() {
        let Some(gpu) = gpu("a_buffer_whose_reader_gave_up") else { return };
        let lent = gpu.lend(256, Purpose::Readback).unwrap();
        lent.buffer().map_async(MapMode::Read, .., |_| ());
        // As if the future were dropped that waits for it.
        drop(lent);
        let next = gpu.lend(256, Purpose::Readback).unwrap();
        assert_eq!((gpu.memory_use().misses, gpu.memory_use().bytes), (2, 256));
        let again = gpu.watched(256, || {
            next.buffer().map_async(MapMode::Read, .., |_| ());
            Ok(())
        });
        again.unwrap();
    }

    #[test]
    fn what_nobody_uses_is_freed_and_nothing_else() {
        let Some(gpu) = gpu("what_nobody_uses_is_freed") else { return };
        let kept = gpu.lend(1000, Purpose::Storage).unwrap();
        drop(gpu.lend(5000, Purpose::Storage).unwrap());
        drop(gpu.lend(300, Purpose::Storage).unwrap());
        assert_eq!(gpu.free_unused(), 8192 + 512);
        assert_eq!((gpu.memory_use().bytes, gpu.free_unused()), (1024, 0));
        drop(kept);
        drop(gpu.lend(1000, Purpose::Storage).unwrap());
        assert_eq!(gpu.memory_use().hits, 1);
    }

    #[test]
    fn a_size_class_is_one_that_a_binding_can_show() {
        let Some(gpu) = gpu("a_size_class_is_one") else { return };
        let limits = &gpu.inner.limits;
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) / 4 * 4;
        for bytes in [most, most - 4, most - 252, most - 256, most / 2 + 4] {
            let class = gpu.class_of(bytes);
            assert!(class >= bytes && class <= most, "{bytes}: {class}");
        }
        assert_eq!([1, 256, 257, 1025].map(|bytes| gpu.class_of(bytes)), [256, 256, 512, 2048]);
    }
}
