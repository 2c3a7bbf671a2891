//! How much memory a device has. wgpu does not tell; where it runs on Vulkan the driver does.

use wgpu::{Adapter, Device};

/// The memory of a device, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceMemory {
    /// All of it.
    pub(crate) total: u64,
    /// What this process may still take, if the driver keeps count.
    pub(crate) free: Option<u64>,
}

#[cfg(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub(crate) use vulkan::{of_adapter, of_device};

#[cfg(not(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub(crate) fn of_adapter(_: &Adapter) -> Option<DeviceMemory> {
    None
}

#[cfg(not(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub(crate) fn of_device(_: &Device) -> Option<DeviceMemory> {
    None
}

#[cfg(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd"))]
mod vulkan {
    #![expect(unsafe_code, reason = "a driver's own handles are reached through unsafe calls only")]

    use super::{Adapter, Device, DeviceMemory};
    use std::ffi::{CStr, c_void};
    use std::ptr::null_mut;
    use wgpu::hal::api::Vulkan;

    /// `VkPhysicalDeviceMemoryBudgetPropertiesEXT`, of VK_EXT_memory_budget.
    #[repr(C)]
    struct Budget {
        structure_type: i32,
        next: *mut c_void,
        budget: [u64; 16],
        usage: [u64; 16],
    }

    /// `VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT`
    const BUDGET_TYPE: i32 = 1_000_237_000;

    const BUDGET: &CStr = c"VK_EXT_memory_budget";

    /// `VK_MEMORY_HEAP_DEVICE_LOCAL_BIT`
    const DEVICE_LOCAL: u32 = 1;

    /// Vulkan 1.1, in which instances learned to answer extended questions.
    const VULKAN_1_1: u32 = (1 << 22) | (1 << 12);

    /// The sum of the heaps that are the device's own. A macro, because the types of the handles are
    /// those of a dependency of wgpu and cannot be written here.
    macro_rules! sum_of_heaps {
        ($instance:expr, $physical:expr, $has_budget:expr) => {{
            let (instance, physical) = ($instance.raw_instance(), $physical);
            let mut found = Default::default();
            // SAFETY: the instance lives as long as the guard that it was taken from, which the
            // caller holds; the physical device is one of its own.
            unsafe { instance.get_physical_device_memory_properties2(physical, &mut found) };
            let mut budget = Budget {
                structure_type: BUDGET_TYPE,
                next: null_mut(),
                budget: [0; 16],
                usage: [0; 16],
            };
            if $has_budget {
                found.p_next = (&raw mut budget).cast();
                // SAFETY: as above; `budget` is laid out as the extension says, the physical device
                // has it, and both outlive the call, which keeps neither.
                unsafe { instance.get_physical_device_memory_properties2(physical, &mut found) };
            }
            let own = |at: &usize| {
                found.memory_properties.memory_heaps[*at].flags.as_raw() & DEVICE_LOCAL != 0
            };
            let heaps: Vec<usize> =
                (0..found.memory_properties.memory_heap_count as usize).filter(own).collect();
            let total = heaps.iter().map(|&at| found.memory_properties.memory_heaps[at].size).sum();
            let free = |at: &usize| budget.budget[*at].saturating_sub(budget.usage[*at]);
            DeviceMemory { total, free: $has_budget.then(|| heaps.iter().map(free).sum()) }
        }};
    }

    pub(crate) fn of_adapter(adapter: &Adapter) -> Option<DeviceMemory> {
        // SAFETY: the handle is only asked questions, and nothing is destroyed through it.
        let adapter = unsafe { adapter.as_hal::<Vulkan>() }?;
        let instance = adapter.shared_instance();
        let has_budget = adapter.physical_device_capabilities().supports_extension(BUDGET);
        (instance.instance_api_version() >= VULKAN_1_1)
            .then(|| sum_of_heaps!(instance, adapter.raw_physical_device(), has_budget))
    }

    pub(crate) fn of_device(device: &Device) -> Option<DeviceMemory> {
        // SAFETY: as for an adapter.
        let device = unsafe { device.as_hal::<Vulkan>() }?;
        let instance = device.shared_instance();
        let has_budget = device.enabled_device_extensions().contains(&BUDGET);
        (instance.instance_api_version() >= VULKAN_1_1)
            .then(|| sum_of_heaps!(instance, device.raw_physical_device(), has_budget))
    }
}
