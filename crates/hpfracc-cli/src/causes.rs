use std::error::Error;

/// An error with what caused it, as far as its own text does not say so already.
///
/// ```
/// use hpfracc_cli::with_causes;
///
/// let error = "x".parse::<f64>().unwrap_err();
/// assert_eq!(with_causes(&error), "invalid float literal");
/// ```
pub fn with_causes(error: &dyn Error) -> String {
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
