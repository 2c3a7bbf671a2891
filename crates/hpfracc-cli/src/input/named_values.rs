//! Parameters `NAME=VALUE` of the command line.

use crate::Error;

/// Name and value of each argument.
pub(crate) fn parse(typed: &[String]) -> Result<Vec<(&str, f64)>, Error> {
    typed.iter().map(|text| pair(text)).collect()
}

fn pair(text: &str) -> Result<(&str, f64), Error> {
    let bad = || Error::BadParameter { text: text.to_owned() };
    let (name, value) = text.split_once('=').ok_or_else(bad)?;
    let value: f64 = value.trim().parse().map_err(|_| bad())?;
    if value.is_finite() { Ok((name.trim(), value)) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_finite_number() {
        let typed = ["rho=28", " a = -1e-3 "].map(str::to_owned);
        assert_eq!(parse(&typed).unwrap(), [("rho", 28.0), ("a", -1e-3)]);
        for text in ["rho", "rho=", "rho=x", "rho=inf", "rho=NaN", "=1=2"] {
            let error = parse(&[text.to_owned()]).unwrap_err();
            assert!(matches!(error, Error::BadParameter { .. }), "{text}");
        }
    }
}
