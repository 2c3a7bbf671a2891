//! What shaders are bound to, made once and kept: sizes by their values, bind groups by their
//! buffers.

use crate::Gpu;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, Buffer, BufferDescriptor,
    BufferUsages,
};

/// Beyond so many of either kind all are dropped, and made again as they are asked for. Uniforms
/// take at most this many times 16 bytes.
const MOST: usize = 4096;

/// A few whole numbers that all invocations see.
pub(crate) struct Uniform(Buffer);

/// Uniforms and bind groups of one device.
#[derive(Default)]
pub(crate) struct Bindings {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    uniforms: HashMap<[u32; 4], Buffer>,
    groups: HashMap<Key, BindGroup>,
    made: Made,
}

/// How many were ever made.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Made {
    pub(crate) uniforms: u64,
    pub(crate) bind_groups: u64,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    layout: BindGroupLayout,
    buffers: Vec<Buffer>,
}

impl Bindings {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn made(&self) -> Made {
        self.state().made
    }

    /// Drops the bind groups of a buffer that is destroyed: nobody will ask for them again.
    pub(crate) fn forget(&self, buffer: &Buffer) {
        self.state().groups.retain(|key, _| !key.buffers.contains(buffer));
    }
}

impl State {
    /// Keeps both caches within bounds.
    fn bound(&mut self) {
        if self.uniforms.len() >= MOST || self.groups.len() >= MOST {
            // Both, because groups of a uniform that is gone would never be found again.
            self.uniforms.clear();
            self.groups.clear();
        }
    }
}

impl Uniform {
    pub(crate) fn new(gpu: &Gpu, values: [usize; 4]) -> Self {
        let words = values.map(|value| value as u32);
        let known = gpu.inner.bindings.state().uniforms.get(&words).cloned();
        Self(known.unwrap_or_else(|| Self::make(gpu, words)))
    }

    fn make(gpu: &Gpu, words: [u32; 4]) -> Buffer {
        let descriptor = BufferDescriptor {
            label: None,
            size: 16,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        let mut made = None;
        let outcome = gpu.watched(16, || {
            let buffer = made.insert(gpu.inner.device.create_buffer(&descriptor));
            gpu.inner.queue.write_buffer(buffer, 0, bytemuck::cast_slice(&words));
            Ok(())
        });
        let buffer = made.expect("the closure has run");
        // A buffer that failed is not kept: the call that uses it is refused, and says so.
        if outcome.is_ok() {
            let mut state = gpu.inner.bindings.state();
            state.bound();
            state.uniforms.insert(words, buffer.clone());
            state.made.uniforms += 1;
        }
        buffer
    }

    pub(crate) fn buffer(&self) -> &Buffer {
        &self.0
    }
}

impl Gpu {
    /// These buffers at 0, 1, ... of a layout.
    pub(crate) fn bind_group(&self, layout: &BindGroupLayout, buffers: &[&Buffer]) -> BindGroup {
        let key = Key {
            layout: layout.clone(),
            buffers: buffers.iter().map(|&buffer| buffer.clone()).collect(),
        };
        let known = self.inner.bindings.state().groups.get(&key).cloned();
        known.unwrap_or_else(|| self.make_group(key))
    }

    fn make_group(&self, key: Key) -> BindGroup {
        let entries: Vec<BindGroupEntry<'_>> = (0..)
            .zip(&key.buffers)
            .map(|(binding, b)| BindGroupEntry { binding, resource: b.as_entire_binding() })
            .collect();
        let descriptor =
            BindGroupDescriptor { label: None, layout: &key.layout, entries: &entries };
        let mut made = None;
        let outcome = self.watched(0, || {
            made = Some(self.inner.device.create_bind_group(&descriptor));
            Ok(())
        });
        let group = made.expect("the closure has run");
        // As for uniforms: one that failed is not kept, and the call that uses it is refused.
        if outcome.is_ok() {
            let mut state = self.inner.bindings.state();
            state.bound();
            state.groups.insert(key, group.clone());
            state.made.bind_groups += 1;
        }
        group
    }
}
