//! The machine's name and the day, for the name of a record.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The processor's name and the number of threads it runs, such as `amd-epyc-2-threads`.
pub(super) fn name() -> String {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    hyphenated(&format!("{} {threads} threads", processor().unwrap_or("unknown".to_owned())))
}

fn processor() -> Option<String> {
    if cfg!(target_os = "linux") {
        let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        return Some(line.split_once(':')?.1.to_owned());
    }
    if cfg!(target_os = "macos") {
        let output = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output();
        return String::from_utf8(output.ok()?.stdout).ok();
    }
    std::env::var("PROCESSOR_IDENTIFIER").ok()
}

/// Lower case letters and digits, all else a hyphen.
fn hyphenated(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Today in Greenwich, such as `2026-11-20`.
pub(super) fn today() -> String {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(elapsed.as_secs() / 86_400)
}

/// The date so many days after 1 January 1970.
fn date(mut days: u64) -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_spaces() {
        assert_eq!(hyphenated(" AMD EPYC 2 threads"), "amd-epyc-2-threads");
        let brand = "Intel(R) Xeon(R) CPU @ 2.20GHz 8 threads";
        assert_eq!(hyphenated(brand), "intel-r-xeon-r-cpu-2-20ghz-8-threads");
    }

    #[test]
    fn days_become_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_777, "2026-11-20"),
            (20_818, "2026-12-31"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
