//! What is no equation, with the whole message of each.

use hpfracc_equation::Equation;

mod equations;
mod expressions;
mod statements;
mod tables;

#[track_caller]
fn refused(cases: &[(&str, &[&str])]) {
    for (text, message) in cases {
        let Err(error) = Equation::parse(text) else { panic!("accepted: {text}") };
        assert_eq!(error.to_string(), message.join("\n"), "{text}");
    }
}
