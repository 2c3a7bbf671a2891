//! Arguments of `hpfracc mittag-leffler`.

use crate::text::complex;
use clap::Args;
use std::ffi::{OsStr, OsString};

const NAME: &str = "mittag-leffler";

/// Evaluate the Mittag-Leffler function.
///
/// E(z) = sum of (gamma)_k z^k / (k! Gamma(alpha k + beta)) over k = 0, 1, 2, ...; gamma = 1 gives
/// the two-parameter function. Prints one value per line, the shortest decimal that reads back to
/// the same bits, as `re+imi` for arguments written with an i.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hpfracc mittag-leffler --alpha 1 1              # e
  hpfracc mittag-leffler --alpha 0.5 -1 -10       # the first is exp(1) erfc(1)
  hpfracc mittag-leffler --alpha 0.8 --beta 0.8 -1-2.5i 2i 1e-3+2e5i
  seq -10 0 | hpfracc mittag-leffler --alpha 0.9 -")]
pub(crate) struct MittagLefflerArgs {
    /// First parameter, positive
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(crate) alpha: f64,
    /// Second parameter
    #[arg(long, value_name = "B", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) beta: f64,
    /// Third parameter, for the Prabhakar function
    #[arg(long, value_name = "G", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) gamma: f64,
    /// Arguments, real or complex as re+imi; - reads them from standard input, one per line
    ///
    /// Each line is evaluated immediately. Blank lines are skipped; a malformed number is an error
    /// with its line number.
    #[arg(value_name = "Z", required = true)]
    pub(crate) values: Vec<String>,
}

/// Moves the values of `mittag-leffler` after a `--`, so that `-1-2.5i` is not parsed as options
/// and options may precede, follow and separate values.
pub fn values_last(args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).map(OsString::as_os_str) != Some(OsStr::new(NAME)) {
        return args;
    }
    let command = MittagLefflerArgs::augment_args(clap::Command::new(NAME));
    let takes_value =
        |word: &str| command.get_opts().any(|option| option.get_long() == word.strip_prefix("--"));
    let mut words = args.into_iter();
    let mut options: Vec<OsString> = words.by_ref().take(2).collect();
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--") => values.extend(words.by_ref()),
            Some(text) if text == "-" || !text.starts_with('-') => values.push(word),
            Some(text) if complex::parse(text).is_some() => values.push(word),
            Some(text) if takes_value(text) => {
                options.push(word);
                options.extend(words.next());
            }
            _ => options.push(word),
        }
    }
    if !values.is_empty() {
        options.push("--".into());
        options.extend(values);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(line: &str) -> String {
        let words = values_last(line.split(' ').map(OsString::from).collect());
        words.iter().map(|w| w.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn values_and_options_in_any_order() {
        for (line, expected) in [
            ("h mittag-leffler --alpha 1 -1-2i", "h mittag-leffler --alpha 1 -- -1-2i"),
            (
                "h mittag-leffler -1 --beta -2 3 --alpha=1",
                "h mittag-leffler --beta -2 --alpha=1 -- -1 3",
            ),
            ("h mittag-leffler --alpha 1 -- -x", "h mittag-leffler --alpha 1 -- -x"),
            ("h mittag-leffler --alpha 1 -", "h mittag-leffler --alpha 1 -- -"),
            ("h mittag-leffler -h", "h mittag-leffler -h"),
            ("h mittag-leffler --alpha 1 --bogus", "h mittag-leffler --alpha 1 --bogus"),
            ("h diff -1", "h diff -1"),
        ] {
            assert_eq!(moved(line), expected);
        }
    }
}
