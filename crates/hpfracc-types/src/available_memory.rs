use std::path::{Path, PathBuf};

/// Bytes that this process may still allocate: the smallest of the free memory of the computer, that
/// of the control groups of the process (containers), and the rest of the limit of its address space
/// (`ulimit -v`). In WebAssembly of 32 bits, the part of 4 GiB that its memory has not grown to. `None`
/// where the operating system reports nothing: it is read from the files of Linux.
///
/// A snapshot, of some 100 microseconds: other processes allocate too. Calls whose results may be
/// large compare it with an estimate before anything is allocated.
///
/// ```
/// let available = hpfracc_types::available_memory().unwrap_or(u64::MAX);
/// assert!(available < 1 << 60 || cfg!(not(target_os = "linux")));
/// ```
pub fn available_memory() -> Option<u64> {
    let computer = number(Path::new("/proc/meminfo"), "MemAvailable:").map(kibibytes);
    let all = [computer, of_control_groups(), of_address_space(), of_linear_memory()];
    all.into_iter().flatten().min()
}

/// Of WebAssembly, whose memory grows by pages of 64 KiB and never shrinks.
fn of_linear_memory() -> Option<u64> {
    #[cfg(target_arch = "wasm32")]
    let left = Some((1 << 32) - ((core::arch::wasm32::memory_size(0) as u64) << 16));
    #[cfg(not(target_arch = "wasm32"))]
    let left = None;
    left
}

fn of_address_space() -> Option<u64> {
    let limit = number(Path::new("/proc/self/limits"), "Max address space")?;
    let used = number(Path::new("/proc/self/status"), "VmSize:").map(kibibytes)?;
    Some(limit.saturating_sub(used))
}

/// Of the group of the process and those that contain it, in either version of control groups.
fn of_control_groups() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let free = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        let (root, [limit, used], cached) = match controllers {
            "" => ("/sys/fs/cgroup", ["memory.max", "memory.current"], "inactive_file "),
            _ if controllers.split(',').any(|name| name == "memory") => {
                let files = ["memory.limit_in_bytes", "memory.usage_in_bytes"];
                ("/sys/fs/cgroup/memory", files, "total_inactive_file ")
            }
            _ => return None,
        };
        let free = |folder: PathBuf| {
            let cached = number(&folder.join("memory.stat"), cached).unwrap_or(0);
            let used = number(&folder.join(used), "")?.saturating_sub(cached);
            Some(number(&folder.join(limit), "")?.saturating_sub(used))
        };
        let folders = Path::new(group).ancestors().map(|group| Path::new(root).join(group));
        folders.filter_map(free).min()
    });
    free.min()
}

/// The first number after `key` in the line that begins with it.
fn number(file: &Path, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn kibibytes(count: u64) -> u64 {
    count.saturating_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn is_some_memory_of_this_computer() {
        let all = number(Path::new("/proc/meminfo"), "MemTotal:").map(kibibytes).unwrap();
        let available = available_memory().unwrap();
        assert!((1 << 20..=all).contains(&available), "{available} of {all}");
    }
}
