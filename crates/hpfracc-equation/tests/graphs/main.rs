//! Graphs: derivatives against dual numbers, passes that keep every bit, facts found from a graph.

mod derivatives;
mod dual;
mod gates;
mod large;
mod passes;
mod random;
mod structure;
