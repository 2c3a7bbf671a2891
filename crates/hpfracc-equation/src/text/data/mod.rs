//! What comes from files: tables of data and networks.

mod nets;
mod tables;
