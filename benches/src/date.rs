//! Calendar dates for the file names of records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Current date in UTC, such as 2026-01-31.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs())
}

/// Date of a number of seconds since 1970-01-01.
fn date(seconds: u64) -> String {
    let time = chrono::DateTime::from_timestamp(seconds as i64, 0);
    time.unwrap_or_default().date_naive().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let dates = [(0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01")];
        assert!(dates.iter().all(|(day, text)| date(86_400 * day) == *text));
        assert_eq!(date(86_400 * 20_777 + 86_399), "2026-11-20");
    }
}
