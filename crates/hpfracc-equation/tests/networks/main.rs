//! Networks in graphs and in texts.

mod bits;
mod derivatives;
mod random;
mod structure;
mod texts;
