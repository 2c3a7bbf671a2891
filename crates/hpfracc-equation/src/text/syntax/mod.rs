//! Characters to tokens, and errors with their places.

mod characters;
mod error;
mod files;
mod lexer;
mod nearest;

pub use error::{EquationError, ErrorKind};
pub(crate) use error::{Parsed, Problem, problem};
pub use files::{Files, NoFiles};
pub(crate) use lexer::{Kind, NameId, Names, Token, clipped, tokens};
pub use nearest::nearest;
