//! Days of the Gregorian calendar, counted from 1970-01-01.

/// A date, or nothing if the calendar has no such day.
pub(crate) fn day_number(year: i64, month: i64, day: i64) -> Option<i64> {
    let in_calendar = (1..=9999).contains(&year) && (1..=12).contains(&month);
    if !in_calendar || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    // The year is taken to begin in March, so that the leap day is its last day and the lengths of
    // the months before any day follow one linear rule. 719468 days lie before 1970-01-01.
    let march_year = if month > 2 { year } else { year - 1 };
    let days_before_month = (153 * ((month + 9) % 12) + 2) / 5;
    let leap_days = march_year / 4 - march_year / 100 + march_year / 400;
    Some(365 * march_year + leap_days + days_before_month + day - 1 - 719_468)
}

/// The date (year, month, day) of a day number.
pub(crate) fn date(day_number: i64) -> (i64, i64, i64) {
    // An estimate that is never a full year late; one comparison corrects it.
    let mut year = 1970 + (day_number as f64 / 365.2425).floor() as i64;
    if day_number >= first_of_year(year + 1) {
        year += 1;
    } else if day_number < first_of_year(year) {
        year -= 1;
    }
    let (mut month, mut rest) = (1, day_number - first_of_year(year));
    while rest >= days_in_month(year, month) {
        rest -= days_in_month(year, month);
        month += 1;
    }
    (year, month, rest + 1)
}

/// The year with the part of it that has passed, for axes.
pub(crate) fn decimal_year(day_number: f64) -> f64 {
    let (year, ..) = date(day_number.floor() as i64);
    let (start, end) = (first_of_year(year), first_of_year(year + 1));
    year as f64 + (day_number - start as f64) / (end - start) as f64
}

/// The day number at a decimal year.
pub(crate) fn from_decimal_year(decimal_year: f64) -> f64 {
    let year = decimal_year.floor() as i64;
    let (start, end) = (first_of_year(year), first_of_year(year + 1));
    start as f64 + (decimal_year - year as f64) * (end - start) as f64
}

fn first_of_year(year: i64) -> i64 {
    let before = year - 1;
    365 * before + before / 4 - before / 100 + before / 400 - 719_162
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(date(number), (year, month, day));
        }
    }

    #[test]
    fn counts_every_day_once() {
        let mut expected = day_number(1599, 1, 1).unwrap();
        for year in 1599..2402 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    assert_eq!(day_number(year, month, day), Some(expected));
                    assert_eq!(date(expected), (year, month, day));
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
    }

    #[test]
    fn decimal_years_go_there_and_back() {
        assert_eq!(decimal_year(0.0), 1970.0);
        assert_eq!(decimal_year(day_number(2000, 7, 2).unwrap() as f64), 2000.5);
        for number in [-10_000.0, 0.0, 11_016.0, 12_345.5] {
            assert!((from_decimal_year(decimal_year(number)) - number).abs() < 1e-6);
        }
    }
}
