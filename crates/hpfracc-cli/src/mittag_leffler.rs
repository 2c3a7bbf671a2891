//! `hpfracc mittag-leffler`: values of the function, one a line.

use crate::Error;
use crate::args::MittagLefflerArgs;
use crate::complex::{self, Number};
use crate::output::{digits17, write_stdout};
use hpfracc::special::{MittagLeffler, SpecialError};
use std::io::{self, BufRead};

pub(crate) fn run(args: &MittagLefflerArgs) -> Result<(), Error> {
    let function = Function::new(args)?;
    match args.values.as_slice() {
        [dash] if dash == "-" => stream(&function),
        values if values.iter().any(|value| value == "-") => Err(Error::DashAmongValues),
        values => {
            // All of them are read before the first is answered, so that a slip leaves no output.
            let numbers = values.iter().enumerate().map(|(k, text)| {
                complex::parse(text).ok_or_else(|| Error::NotComplex {
                    place: format!("value {}", k + 1),
                    text: text.clone(),
                })
            });
            let numbers: Vec<Number> = numbers.collect::<Result<_, _>>()?;
            let lines: Result<String, Error> =
                numbers.into_iter().map(|z| function.line(z)).collect();
            write_stdout(lines?.as_bytes())
        }
    }
}

/// Answers each line of standard input as it comes.
fn stream(function: &Function) -> Result<(), Error> {
    for (k, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|source| Error::Read { name: "<stdin>".to_owned(), source })?;
        if line.trim().is_empty() {
            continue;
        }
        let z = complex::parse(&line).ok_or_else(|| Error::NotComplex {
            place: format!("<stdin>: row {}", k + 1),
            text: line.trim().to_owned(),
        })?;
        write_stdout(function.line(z)?.as_bytes())?;
    }
    Ok(())
}

/// The function with its parameters checked.
enum Function {
    TwoParameters(MittagLeffler),
}

impl Function {
    fn new(args: &MittagLefflerArgs) -> Result<Self, SpecialError> {
        let (alpha, beta, _gamma) = (args.alpha, args.beta, args.gamma);
        MittagLeffler::new(alpha, beta).map(Self::TwoParameters)
    }

    fn line(&self, z: Number) -> Result<String, Error> {
        let Self::TwoParameters(e) = self;
        Ok(match z {
            Number::Real(x) => format!("{}\n", digits17(e.eval(x))),
            Number::Complex(z) => {
                let value = e.eval_complex(z);
                // The sign of the imaginary part stands between the two, also that of NaN and 0.
                let sign = if value.im.is_sign_negative() { '-' } else { '+' };
                format!("{}{sign}{}i\n", digits17(value.re), digits17(value.im.abs()))
            }
        })
    }
}
