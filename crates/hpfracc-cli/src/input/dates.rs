//! Dates as days since 1970-01-01.

use chrono::{Datelike, NaiveDate};

/// Day number of 1970-01-01 in the count of `chrono`, which starts with 1 at 0001-01-01.
const EPOCH: i64 = 719_163;

/// Day number of a date in the years 1 to 9999; `None` if the Gregorian calendar has no such date.
pub(crate) fn day_number(year: i32, month: u32, day: u32) -> Option<i64> {
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    (1..=9999).contains(&year).then(|| since_epoch(date))
}

/// Date of a day number. Beyond the calendar of `chrono` (about 262 000 years) it is the first or
/// the last date of that calendar.
pub(crate) fn date(day_number: i64) -> NaiveDate {
    let days = i32::try_from(day_number.saturating_add(EPOCH)).ok();
    days.and_then(NaiveDate::from_num_days_from_ce_opt).unwrap_or(limit(day_number < 0))
}

fn since_epoch(date: NaiveDate) -> i64 {
    i64::from(date.num_days_from_ce()) - EPOCH
}

fn limit(past: bool) -> NaiveDate {
    if past { NaiveDate::MIN } else { NaiveDate::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ymd(day_number: i64) -> (i32, u32, u32) {
        let date = date(day_number);
        (date.year(), date.month(), date.day())
    }

    #[test]
    fn known_days() {
        for ((year, month, day), number) in [
            ((1970, 1, 1), 0),
            ((1969, 12, 31), -1),
            ((2000, 2, 29), 11_016),
            ((2000, 3, 1), 11_017),
            ((1900, 3, 1), -25_508),
            ((1, 1, 1), -719_162),
            ((9999, 12, 31), 2_932_896),
        ] {
            assert_eq!(day_number(year, month, day), Some(number), "{year}-{month}-{day}");
            assert_eq!(ymd(number), (year, month, day));
        }
    }

    #[test]
    fn counts_every_day_once() {
        let leap = |year: i32| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let mut expected = day_number(1599, 1, 1).unwrap();
        for year in 1599..2402 {
            for month in 1..=12 {
                let days = match month {
                    2 if leap(year) => 29,
                    2 => 28,
                    4 | 6 | 9 | 11 => 30,
                    _ => 31,
                };
                for day in 1..=days {
                    assert_eq!(day_number(year, month, day), Some(expected));
                    assert_eq!(ymd(expected), (year, month, day));
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn refuses_days_that_never_were() {
        for (year, month, day) in
            [(1900, 2, 29), (2001, 2, 29), (2001, 4, 31), (2001, 13, 1), (2001, 1, 0), (0, 1, 1)]
        {
            assert_eq!(day_number(year, month, day), None, "{year}-{month}-{day}");
        }
        assert_eq!(day_number(10_000, 1, 1), None);
        assert_eq!((date(i64::MAX), date(i64::MIN)), (NaiveDate::MAX, NaiveDate::MIN));
    }
}
