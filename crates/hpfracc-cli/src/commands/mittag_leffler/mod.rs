//! `hpfracc mittag-leffler`: evaluates the function, one value per line.

mod args;

use crate::Error;
use crate::output::write_stdout;
use crate::text::complex;
use crate::text::complex::Number;
use crate::text::digits17;
pub(crate) use args::MittagLefflerArgs;
pub use args::values_last;
use hpfracc::special::{MittagLeffler, SpecialError, prabhakar, prabhakar_complex};
use std::io::{self, BufRead};

pub(crate) fn run(args: &MittagLefflerArgs) -> Result<(), Error> {
    let function = Function::new(args)?;
    match args.values.as_slice() {
        [dash] if dash == "-" => stream(&function),
        values if values.iter().any(|value| value == "-") => Err(Error::DashAmongValues),
        values => {
            // Parse all values first, so that an error leaves no output.
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

/// Evaluates each line of standard input immediately.
fn stream(function: &Function) -> Result<(), Error> {
    for (k, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|source| Error::Read { name: "<stdin>".to_owned(), source })?;
        // Some editors write a byte order mark.
        let line = if k == 0 { line.trim_start_matches('\u{feff}') } else { &line };
        if line.trim().is_empty() {
            continue;
        }
        let z = complex::parse(line).ok_or_else(|| Error::NotComplex {
            place: format!("<stdin>: row {}", k + 1),
            text: line.trim().to_owned(),
        })?;
        write_stdout(function.line(z)?.as_bytes())?;
    }
    Ok(())
}

/// Function with checked parameters.
enum Function {
    /// Prepared for many arguments.
    TwoParameters(Box<MittagLeffler>),
    ThreeParameters {
        alpha: f64,
        beta: f64,
        gamma: f64,
    },
}

impl Function {
    fn new(args: &MittagLefflerArgs) -> Result<Self, SpecialError> {
        let &MittagLefflerArgs { alpha, beta, gamma, .. } = args;
        if gamma == 1.0 {
            return MittagLeffler::new(alpha, beta).map(|e| Self::TwoParameters(Box::new(e)));
        }
        // Check the parameters before reading arguments.
        prabhakar(alpha, beta, gamma, 0.0)?;
        Ok(Self::ThreeParameters { alpha, beta, gamma })
    }

    fn line(&self, z: Number) -> Result<String, Error> {
        let value = match (self, z) {
            (Self::TwoParameters(e), Number::Real(x)) => Number::Real(e.eval(x)),
            (Self::TwoParameters(e), Number::Complex(z)) => Number::Complex(e.eval_complex(z)),
            (&Self::ThreeParameters { alpha, beta, gamma }, Number::Real(x)) => {
                Number::Real(prabhakar(alpha, beta, gamma, x)?)
            }
            (&Self::ThreeParameters { alpha, beta, gamma }, Number::Complex(z)) => {
                Number::Complex(prabhakar_complex(alpha, beta, gamma, z)?)
            }
        };
        Ok(match value {
            Number::Real(x) => format!("{}\n", digits17(x)),
            Number::Complex(z) => {
                // Print the sign of the imaginary part even of zero.
                let sign = if z.im.is_sign_negative() { '-' } else { '+' };
                format!("{}{sign}{}i\n", digits17(z.re), digits17(z.im.abs()))
            }
        })
    }
}
