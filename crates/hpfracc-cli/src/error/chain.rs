use std::error::Error;

/// An error with what caused it, as far as its own text does not say so already.
///
/// ```
/// use hpfracc_cli::error_chain;
///
/// let error = "x".parse::<f64>().unwrap_err();
/// assert_eq!(error_chain(&error), "invalid float literal");
/// ```
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}
