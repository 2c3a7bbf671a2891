//! Names of operators in every form that the commands print.

use hpfracc::operators::{Entry, catalogue};

/// Operator as named on a command line.
#[derive(Debug, PartialEq)]
pub(crate) struct OperatorName<'a> {
    pub(crate) definition: &'a str,
    pub(crate) scheme: Option<&'a str>,
    /// Order in the name of a result column.
    pub(crate) alpha: Option<f64>,
    /// Parameters in the name of a result column.
    pub(crate) parameters: Vec<(&'a str, f64)>,
}

/// Parses the name of a definition, such as `caputo`; that of a definition with its scheme, such as
/// `caputo-l1` or `caputo l1`; or that of a result column of `hpfracc diff`, such as
/// `tempered-caputo_l1_0.5_lambda=2(x)`. Anything else is taken as the name of a definition, and so
/// is everything if there is a scheme beside it.
pub(crate) fn parse<'a>(typed: &'a str, scheme: Option<&'a str>) -> OperatorName<'a> {
    let named = if scheme.is_none() { joined(typed).or_else(|| column(typed)) } else { None };
    named.unwrap_or(OperatorName { definition: typed, scheme, alpha: None, parameters: Vec::new() })
}

/// Adds the parameters of a name to those of the command line, which take precedence.
pub(crate) fn add<'a>(parameters: &mut Vec<(&'a str, f64)>, named: &[(&'a str, f64)]) {
    let absent =
        |name: &str, parameters: &[(&str, f64)]| parameters.iter().all(|(other, _)| *other != name);
    for pair in named {
        if absent(pair.0, parameters) {
            parameters.push(*pair);
        }
    }
}

fn joined(typed: &str) -> Option<OperatorName<'_>> {
    let names = |entry: &&Entry| {
        ['-', ' '].map(|separator| format!("{}{separator}{}", entry.definition.name, entry.scheme))
    };
    let Entry { definition, scheme, .. } =
        catalogue().find(|entry| names(entry).iter().any(|name| name == typed))?;
    let (definition, scheme) = (definition.name, Some(*scheme));
    Some(OperatorName { definition, scheme, alpha: None, parameters: Vec::new() })
}

fn column(typed: &str) -> Option<OperatorName<'_>> {
    let name = typed.split_once('(').map_or(typed, |(name, _)| name);
    let mut parts = name.split('_');
    let (definition, scheme) = (parts.next()?, parts.next()?);
    catalogue().find(|e| e.definition.name == definition && e.scheme == scheme)?;
    let alpha = parts.next().map_or(Some(None), |alpha| alpha.parse().ok().map(Some))?;
    let parameters = parts.map(|part| {
        let (name, value) = part.split_once('=')?;
        Some((name, value.parse().ok()?))
    });
    let parameters = parameters.collect::<Option<Vec<_>>>()?;
    Some(OperatorName { definition, scheme: Some(scheme), alpha, parameters })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_form_is_read() {
        let plain =
            OperatorName { definition: "caputo", scheme: None, alpha: None, parameters: vec![] };
        assert_eq!(parse("caputo", None), plain);
        let l1 = OperatorName { scheme: Some("l1"), ..plain };
        for name in ["caputo-l1", "caputo l1", "caputo_l1"] {
            assert_eq!(parse(name, None), l1, "{name}");
        }
        let half = OperatorName { alpha: Some(0.5), ..l1 };
        for name in ["caputo_l1_0.5", "caputo_l1_0.5(co2)", "caputo_l1_0.5(a_b(c))"] {
            assert_eq!(parse(name, None), half, "{name}");
        }
    }

    /// Names of result columns of all operators, with their parameters.
    #[test]
    fn columns_of_the_whole_catalogue_are_read() {
        for entry in catalogue() {
            let definition = entry.definition;
            let parameters: Vec<(&str, f64)> =
                definition.parameters.iter().map(|p| (p.name, p.example)).collect();
            let labels: String =
                parameters.iter().map(|(name, x)| format!("_{name}={x}")).collect();
            let text = format!("{}_{}_0.25{labels}(x)", definition.name, entry.scheme);
            let expected = OperatorName {
                definition: definition.name,
                scheme: Some(entry.scheme),
                alpha: Some(0.25),
                parameters,
            };
            assert_eq!(parse(&text, None), expected, "{text}");
        }
    }

    #[test]
    fn anything_else_is_a_definition() {
        for name in ["kaputo", "caputo-l9", "caputo_l9_0.5", "caputo_l1_half", "caputo_l1_0.5_a"] {
            assert_eq!(parse(name, None).definition, name);
        }
        assert_eq!(parse("caputo-l1", Some("l1")).definition, "caputo-l1");
    }
}
