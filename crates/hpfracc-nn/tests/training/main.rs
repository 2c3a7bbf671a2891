//! Training of small objectives: what it reaches, what it leaves, and what it goes on from.

mod checkpoints;
mod ends;
mod faults;
mod objectives;
mod orders;
