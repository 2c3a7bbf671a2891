//! Dates of axes: days since 1970-01-01 of the Gregorian calendar as decimal years.

/// Year plus the elapsed fraction of the year.
pub(super) fn decimal_year(day: f64) -> f64 {
    let day = day.clamp(-LIMIT, LIMIT);
    let (year, ..) = date(day.floor() as i64);
    let (start, end) = (first_day(year), first_day(year + 1));
    year as f64 + (day - start as f64) / (end - start) as f64
}

/// Date `YYYY-MM-DD` of a decimal year.
pub(super) fn text(decimal_year: f64) -> String {
    let year = decimal_year.floor() as i64;
    let (start, end) = (first_day(year) as f64, first_day(year + 1) as f64);
    let (year, month, day) =
        date((start + (decimal_year - year as f64) * (end - start)).round() as i64);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Largest day number: some 270 000 years.
const LIMIT: f64 = 1e8;
/// Days of 400 years, and the number of the day 0000-03-01, from which leap days are last.
const DAYS_OF_400_YEARS: i64 = 146_097;
const MARCH_OF_YEAR_0: i64 = -719_468;

/// Day number of January 1.
fn first_day(year: i64) -> i64 {
    // 306 days after the March of the year before.
    let year = year - 1;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    MARCH_OF_YEAR_0 + era * DAYS_OF_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + 306
}

/// Year, month and day of a day number.
fn date(day: i64) -> (i64, i64, i64) {
    let days = day - MARCH_OF_YEAR_0;
    let (era, of_era) = (days.div_euclid(DAYS_OF_400_YEARS), days.rem_euclid(DAYS_OF_400_YEARS));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    // Months from March have 31, 30, 31, 30, 31 days again and again.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let next = i64::from(month >= 10);
    (year + 400 * era + next, month + 3 - 12 * next, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        for (day, expected) in [
            (0, (1970, 1, 1)),
            (-1, (1969, 12, 31)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (-25_508, (1900, 3, 1)),
            (-719_162, (1, 1, 1)),
            (2_932_896, (9999, 12, 31)),
        ] {
            assert_eq!(date(day), expected);
        }
    }

    #[test]
    fn counts_every_day_once() {
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let mut day = first_day(1599);
        for year in 1599..2402 {
            assert_eq!(first_day(year), day);
            for month in 1..=12 {
                let days = match month {
                    2 if leap(year) => 29,
                    2 => 28,
                    4 | 6 | 9 | 11 => 30,
                    _ => 31,
                };
                for of_month in 1..=days {
                    assert_eq!(date(day), (year, month, of_month));
                    day += 1;
                }
            }
        }
    }

    #[test]
    fn decimal_years_are_inverted() {
        assert_eq!((decimal_year(0.0), decimal_year(11_140.0)), (1970.0, 2000.5));
        assert_eq!(
            [0.0, 11_016.0, -25_508.0].map(|day| text(decimal_year(day))),
            ["1970-01-01", "2000-02-29", "1900-03-01"]
        );
        assert!(decimal_year(f64::MAX).is_finite() && decimal_year(f64::MIN).is_finite());
    }
}
