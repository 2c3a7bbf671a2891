use hpfracc::equation::EquationError;
use hpfracc::error_chain;
use serde::Serialize;

/// Message of a request that has no answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Failure {
    pub(crate) message: String,
    /// Place in the text of the request, in UTF-16 units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<usize>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), from: None, to: None }
    }

    /// Error in a text.
    pub(crate) fn in_text(text: &str, error: &EquationError) -> Self {
        let units = |byte: usize| text[..byte].encode_utf16().count();
        let (range, help) = (error.range(), error.help());
        let message = match help {
            "" => error.message().to_owned(),
            help => format!("{}: {help}", error.message()),
        };
        Self { message, from: Some(units(range.start)), to: Some(units(range.end)) }
    }
}

/// An error of the library with its causes.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error_chain(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc::equation::Equation;

    #[test]
    fn places_count_units_of_javascript() {
        // The first line has characters of two and of four bytes: one and two units.
        let text = "# \u{e9}\u{1d6fc}\nx' = -rat x; rate = 2; x(0) = 1";
        let error = Equation::parse(text).unwrap_err();
        let failure = Failure::in_text(text, &error);
        let units: Vec<u16> = text.encode_utf16().collect();
        let (from, to) = (failure.from.unwrap(), failure.to.unwrap());
        assert_eq!(String::from_utf16(&units[from..to]).unwrap(), "rat");
        assert_eq!(failure.message, "unknown name `rat`: did you mean `rate`?");
    }
}
