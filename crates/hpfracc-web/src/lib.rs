//! The explorer in the browser: a page asks by messages, and a module of WebAssembly in a worker answers.
//!
//! [`Explorer::answer`] is all of it: a kind, a request in JSON and the numbers that it refers to go in, an answer in JSON and
//! its numbers come out. It is plain Rust, so that tests and other programs call it natively; on `wasm32` the same function is
//! exported to JavaScript. `examples/web/worker.js` loads the module and passes messages.
//!
//! Lists of numbers do not become text: JSON has their [places](Place) in one array beside it, [`Numbers`].
//!
//! ```
//! use hpfracc_web::Explorer;
//!
//! let request = r#"{"text": "y' = -y; y(0) = 1; t in [0, 1]", "steps": 100, "scheme": "trapezoid"}"#;
//! let answered = Explorer::new().answer("solve", request, &[]);
//! let json: serde_json::Value = serde_json::from_str(&answered.json)?;
//! let place = &json["answer"]["y"][0]["$array"];
//! let (first, count) = (place[0].as_u64().unwrap() as usize, place[1].as_u64().unwrap() as usize);
//! let y = &answered.numbers[first..][..count];
//! assert!((y[100] - (-1.0f64).exp()).abs() < 1e-5);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | kind | answers |
//! |---|---|
//! | `about` | version and instruction set |
//! | `catalogue` | equations of the literature |
//! | `check` | states, parameters and orders of a text with ranges for sliders, or its errors with their places |
//! | `solve` | the solution of a deterministic equation |
//! | `ensemble` | statistics of a stochastic one |
//! | `scan` | last and extreme values over a range of a parameter |
//! | `operators`, `derivative` | the catalogue of operators; one of them applied to data |
//! | `models`, `model`, `fit` | the catalogue of fits; columns and parameters of a formula; a model fitted to data |
//!
//! A request that needs more memory than its budget is refused before it starts; one that takes longer ends at the limit, with
//! what it has.

#[cfg(target_arch = "wasm32")]
mod bindings;
mod budget;
mod case;
mod explorer;
mod failure;
mod requests;
mod sliders;
mod transfer;

pub use explorer::{Answered, Explorer};
pub use transfer::{Numbers, Place};
