//! Cached uniform buffers and bind groups: uniforms by their values, bind groups by their buffers.

use super::open_device::{OpenDevice, locked};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, Buffer, BufferDescriptor,
    BufferUsages,
};

/// Most entries of either cache; a full one is cleared. Uniforms take 16 bytes each.
const MAX_ENTRIES: usize = 4096;

/// The caches of one device.
pub(crate) struct BindGroups {
    device: Arc<OpenDevice>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    uniforms: HashMap<[u32; 4], Buffer>,
    groups: HashMap<GroupKey, BindGroup>,
    created: Created,
}

/// Numbers of objects created since the device was opened.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Created {
    pub(crate) uniforms: u64,
    pub(crate) bind_groups: u64,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct GroupKey {
    layout: BindGroupLayout,
    buffers: Vec<Buffer>,
}

impl State {
    /// Clears both caches when one is full: groups of a dropped uniform would never be found again.
    fn bound(&mut self) {
        if self.uniforms.len() >= MAX_ENTRIES || self.groups.len() >= MAX_ENTRIES {
            self.uniforms.clear();
            self.groups.clear();
        }
    }
}

impl BindGroups {
    pub(crate) fn new(device: Arc<OpenDevice>) -> Self {
        Self { device, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    pub(crate) fn created(&self) -> Created {
        self.state().created
    }

    /// Drops the bind groups of a buffer that is about to be destroyed.
    pub(crate) fn forget(&self, buffer: &Buffer) {
        self.state().groups.retain(|key, _| !key.buffers.contains(buffer));
    }

    /// A uniform buffer with these four whole numbers.
    pub(crate) fn uniform(&self, values: [usize; 4]) -> Buffer {
        let words = values.map(|value| value as u32);
        let cached = self.state().uniforms.get(&words).cloned();
        cached.unwrap_or_else(|| self.create_uniform(words))
    }

    fn create_uniform(&self, words: [u32; 4]) -> Buffer {
        let OpenDevice { device, queue, .. } = &*self.device;
        let descriptor = BufferDescriptor {
            label: None,
            size: 16,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        let create = || {
            let buffer = device.create_buffer(&descriptor);
            queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&words));
            buffer
        };
        self.create(16, create, |state, buffer| {
            state.uniforms.insert(words, buffer);
            state.created.uniforms += 1;
        })
    }

    /// Creates an object of `bytes` bytes and caches it with `insert`. An invalid object is not
    /// cached; the call that uses it fails.
    fn create<T: Clone>(
        &self,
        bytes: u64,
        create: impl FnOnce() -> T,
        insert: impl FnOnce(&mut State, T),
    ) -> T {
        let mut created = None;
        let outcome = self.device.watched(bytes, || {
            created = Some(create());
            Ok(())
        });
        let object = created.expect("the closure has run");
        if outcome.is_ok() {
            let mut state = self.state();
            state.bound();
            insert(&mut state, object.clone());
        }
        object
    }

    /// The bind group with these buffers at bindings 0, 1, ... of a layout.
    pub(crate) fn group(&self, layout: &BindGroupLayout, buffers: &[&Buffer]) -> BindGroup {
        let key = GroupKey {
            layout: layout.clone(),
            buffers: buffers.iter().map(|&buffer| buffer.clone()).collect(),
        };
        let cached = self.state().groups.get(&key).cloned();
        cached.unwrap_or_else(|| self.create_group(key))
    }

    fn create_group(&self, key: GroupKey) -> BindGroup {
        let entries: Vec<BindGroupEntry<'_>> = (0..)
            .zip(&key.buffers)
            .map(|(binding, b)| BindGroupEntry { binding, resource: b.as_entire_binding() })
            .collect();
        let descriptor =
            BindGroupDescriptor { label: None, layout: &key.layout, entries: &entries };
        let group = || self.device.device.create_bind_group(&descriptor);
        self.create(0, group, |state, group| {
            state.created.bind_groups += 1;
            state.groups.insert(key.clone(), group);
        })
    }
}
