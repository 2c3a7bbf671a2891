use crate::Error;

/// Equally spaced values of a parameter.
pub(super) struct Range {
    pub(super) parameter: String,
    pub(super) values: Vec<f64>,
}

/// Most values of all parameters together.
pub(super) const MOST: usize = 1_000_000;

impl Range {
    /// Range of `NAME=FROM:TO:COUNT`.
    fn parse(text: &str) -> Result<Self, Error> {
        let bad = || {
            refused(
                text,
                format!("expected NAME=FROM:TO:COUNT with finite numbers and 2 to {MOST} values"),
            )
        };
        let (name, range) = text.split_once('=').ok_or_else(bad)?;
        let parts: Vec<&str> = range.split(':').map(str::trim).collect();
        let [from, to, count] = parts[..] else { return Err(bad()) };
        let number = |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite());
        let (from, to) = (number(from).ok_or_else(bad)?, number(to).ok_or_else(bad)?);
        let count: usize = count.parse().map_err(|_| bad())?;
        if !(2..=MOST).contains(&count) || !(to - from).is_finite() {
            return Err(bad());
        }
        let last = (count - 1) as f64;
        // Ends are exact.
        let value =
            |k: usize| if k + 1 == count { to } else { from + (to - from) * (k as f64 / last) };
        Ok(Self { parameter: name.trim().to_owned(), values: (0..count).map(value).collect() })
    }
}

/// Ranges of one parameter or of two.
pub(super) fn parse(texts: &[String]) -> Result<Vec<Range>, Error> {
    let ranges = texts.iter().map(|text| Range::parse(text)).collect::<Result<Vec<_>, _>>()?;
    if let Some(third) = texts.get(2) {
        return Err(refused(third, "at most two parameters are scanned".to_owned()));
    }
    if let [first, second] = &ranges[..] {
        if first.parameter == second.parameter {
            let reason = format!("{} is scanned twice", first.parameter);
            return Err(refused(&texts[1], reason));
        }
        let count = first.values.len() * second.values.len();
        if count > MOST {
            let reason = format!("{count} pairs of values, at most {MOST} are solved");
            return Err(refused(&texts[1], reason));
        }
    }
    Ok(ranges)
}

fn refused(value: &str, reason: String) -> Error {
    Error::OptionUnused { option: "--scan", value: value.to_owned(), reason }
}
