//! Requests and their answers.

mod ask;
mod bad_input;
mod data;
mod ensembles;
mod solutions;
mod texts;
