//! "Did you mean": the known name next to an unknown one.

/// Minimum similarity of Jaro and Winkler of a suggestion that is not one slip away.
const SIMILAR: f64 = 0.8;

/// The known name most similar to `name`, ignoring case, if one is similar.
///
/// ```
/// use hpfracc_cli::text::nearest;
///
/// assert_eq!(nearest("kaputo", ["riesz", "caputo"]), Some("caputo"));
/// assert_eq!(nearest("x", ["riesz", "caputo"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer names are not misspelled ones, and would take long to compare.
    if name.len() > 100 {
        return None;
    }
    let typed = name.to_lowercase();
    let scored = known.into_iter().filter(|known| known.len() <= 100).map(|known| {
        let other = known.to_lowercase();
        // Of short words one slip changes much.
        let slip = typed.len() > 2 && strsim::osa_distance(&typed, &other) == 1;
        (strsim::jaro_winkler(&typed, &other).max(if slip { SIMILAR } else { 0.0 }), known)
    });
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= SIMILAR).then_some(best.1)
}

/// `; did you mean ...?`, or nothing.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |known| format!("; did you mean `{known}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["relaxation", "oscillator", "lorenz", "sir", "bagley-torvik", "CO2"];
        for (name, expected) in [
            ("lorentz", Some("lorenz")),
            ("relaxtion", Some("relaxation")),
            ("Bagley_Torvik", Some("bagley-torvik")),
            ("co2", Some("CO2")),
            ("sri", Some("sir")),
            ("pendulum", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
        assert_eq!(nearest(&"l".repeat(1 << 20), known), None);
    }
}
