//! Programs of the chapter "Extending the library": `cargo run --example book_own`.

#[path = "own/backend.rs"]
mod backend;
#[path = "own/operator.rs"]
mod operator;
#[path = "own/scheme.rs"]
mod scheme;

use pictures::Outcome;

fn main() -> Outcome<()> {
    operator::check()?;
    scheme::check()?;
    backend::check()
}

pictures::runs_with_the_tests!();
