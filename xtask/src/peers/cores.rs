//! Cores that processes are bound to, for libraries that read no variable with the number of
//! threads.

use std::process::Command;

/// First `threads` cores of this process, in the format of `taskset`.
///
/// # Errors
/// Reason why processes cannot be bound to cores.
pub(super) fn first(threads: usize) -> Result<String, String> {
    let status = std::fs::read_to_string("/proc/self/status")
        .map_err(|_| "this system has no /proc/self/status".to_owned())?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let list = list.ok_or("/proc/self/status has no allowed cores")?.trim();
    let chosen = first_of(list, threads)?;
    // taskset must exist and be allowed to bind processes.
    let tried = Command::new("taskset").args(["--cpu-list", &chosen, "taskset", "-V"]).output();
    match tried {
        Ok(output) if output.status.success() => Ok(chosen),
        Ok(output) => {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(stderr.lines().last().unwrap_or("taskset failed").to_owned())
        }
        Err(_) => Err("no taskset in the path".to_owned()),
    }
}

/// First cores of a list such as `0-3,8`.
fn first_of(list: &str, threads: usize) -> Result<String, String> {
    let mut cores = Vec::new();
    for part in list.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (Ok(from), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>()) else {
            return Err(format!("`{list}` is not a list of cores"));
        };
        cores.extend(from..=to);
    }
    if cores.len() < threads {
        return Err(format!("{threads} threads, but only the cores {list} are allowed"));
    }
    let chosen: Vec<String> = cores[..threads].iter().map(usize::to_string).collect();
    Ok(chosen.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_the_first_of_those_allowed() {
        for (list, threads, chosen) in
            [("0-1", 1, "0"), ("0-1", 2, "0,1"), ("2-3,7,9-12", 4, "2,3,7,9"), ("5", 1, "5")]
        {
            assert_eq!(first_of(list, threads).as_deref(), Ok(chosen));
        }
        assert!(first_of("4-5", 3).unwrap_err().contains("only the cores 4-5"));
        assert!(first_of("a-b", 1).unwrap_err().contains("not a list"));
    }
}
