//! Fits of fractional models to data.
//!
//! | topic | items |
//! |---|---|
//! | posterior sampling | [`sample`] |
#![forbid(unsafe_code)]

pub mod sample;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
