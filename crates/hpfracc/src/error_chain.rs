use std::error::Error;

/// Message of an error with its sources, skipping those that the message already contains.
///
/// ```
/// use hpfracc::error_chain;
///
/// let error = "x".parse::<f64>().unwrap_err();
/// assert_eq!(error_chain(&error), "invalid float literal");
/// ```
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}
