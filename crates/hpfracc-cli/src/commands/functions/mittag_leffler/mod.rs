//! `hpfracc mittag-leffler`: evaluates the function, one value per line.

mod args;

use crate::output::write_stdout;
use crate::text::complex;
use crate::text::complex::Number;
use crate::{Error, MittagLefflerError};
pub(crate) use args::MittagLefflerArgs;
pub use args::values_last;
use hpfracc::special::{MittagLeffler, SpecialError, prabhakar, prabhakar_complex};
use hpfracc::types::shortest;
use std::io::{self, BufRead, Read};

/// Maximum number of bytes of a line of standard input.
const LONGEST: usize = 1 << 16;

pub(crate) fn run(args: &MittagLefflerArgs) -> Result<(), Error> {
    let function = Function::new(args)?;
    match args.values.as_slice() {
        [dash] if dash == "-" => stream(&function),
        values if values.iter().any(|value| value == "-") => {
            Err(MittagLefflerError::DashAmongValues.into())
        }
        values => {
            // Parse all values first, so that an error leaves no output.
            let numbers = values.iter().enumerate().map(|(k, text)| {
                complex::parse(text).ok_or_else(|| MittagLefflerError::NotComplex {
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
    let (mut input, mut bytes) = (io::stdin().lock(), Vec::new());
    for row in 1.. {
        bytes.clear();
        let read = input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes);
        let name = || "<stdin>".to_owned();
        if read.map_err(|source| Error::Read { name: name(), source })? == 0 {
            break;
        }
        if bytes.len() > LONGEST {
            return Err(Error::RowTooLong { name: name(), row, longest: LONGEST });
        }
        let line = String::from_utf8_lossy(&bytes);
        // Some editors write a byte order mark.
        let line = if row == 1 { line.trim_start_matches('\u{feff}') } else { &line }.trim();
        if line.is_empty() {
            continue;
        }
        let z = complex::parse(line).ok_or_else(|| MittagLefflerError::NotComplex {
            place: format!("<stdin>: row {row}"),
            text: line.to_owned(),
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
            Number::Real(x) => format!("{}\n", shortest(x)),
            Number::Complex(z) => {
                // Print the sign of the imaginary part even of zero.
                let sign = if z.im.is_sign_negative() { '-' } else { '+' };
                format!("{}{sign}{}i\n", shortest(z.re), shortest(z.im.abs()))
            }
        })
    }
}
