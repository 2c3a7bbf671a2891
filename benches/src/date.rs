//! Calendar dates for the file names of records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Current date in UTC, such as 2026-01-31.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date((since.as_secs() / 86_400) as i64)
}

/// Date of a day counted from 1970-01-01. Years start in March, so that the leap day comes last.
fn date(day: i64) -> String {
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) =
        (400 * era + year + i64::from(month > 9), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let dates = [(0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01")];
        assert!(dates.iter().all(|(day, text)| date(*day) == *text));
        assert_eq!(date(20_777), "2026-11-20");
    }
}
