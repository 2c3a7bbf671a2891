//! Memory of a device, as Vulkan reports it; wgpu has no such query.

use wgpu::{Adapter, Device};

/// The memory of a device, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceMemory {
    /// Size of all device-local heaps.
    pub(crate) total: u64,
    /// Memory available to this process, if the driver reports a budget.
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
    #![expect(unsafe_code, reason = "the driver's handles are available through unsafe calls only")]

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

    /// Vulkan 1.1, the first version with `vkGetPhysicalDeviceMemoryProperties2`.
    const VULKAN_1_1: u32 = (1 << 22) | (1 << 12);

    /// The sum of the device-local heaps. A macro, because the handle types belong to a dependency
    /// of wgpu and cannot be named here.
    macro_rules! sum_of_heaps {
        ($instance:expr, $physical:expr, $has_budget:expr) => {{
            let (instance, physical) = ($instance.raw_instance(), $physical);
            let mut properties = Default::default();
            // SAFETY: the caller holds the guard that the instance was taken from; the physical
            // device belongs to that instance.
            unsafe { instance.get_physical_device_memory_properties2(physical, &mut properties) };
            let mut budget = Budget {
                structure_type: BUDGET_TYPE,
                next: null_mut(),
                budget: [0; 16],
                usage: [0; 16],
            };
            if $has_budget {
                properties.p_next = (&raw mut budget).cast();
                // SAFETY: as above; `budget` has the layout of the extension, which the physical
                // device supports, and both outlive the call, which stores neither.
                unsafe {
                    instance.get_physical_device_memory_properties2(physical, &mut properties)
                };
            }
            let device_local = |at: &usize| {
                properties.memory_properties.memory_heaps[*at].flags.as_raw() & DEVICE_LOCAL != 0
            };
            let heaps: Vec<usize> = (0..properties.memory_properties.memory_heap_count as usize)
                .filter(device_local)
                .collect();
            let total =
                heaps.iter().map(|&at| properties.memory_properties.memory_heaps[at].size).sum();
            let free = |at: &usize| budget.budget[*at].saturating_sub(budget.usage[*at]);
            DeviceMemory { total, free: $has_budget.then(|| heaps.iter().map(free).sum()) }
        }};
    }

    pub(crate) fn of_adapter(adapter: &Adapter) -> Option<DeviceMemory> {
        // SAFETY: the handle is used for queries only; nothing is destroyed through it.
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
