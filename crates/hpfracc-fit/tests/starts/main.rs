//! Starts from the data: catalogue models from no start at all, random truths, further starts, bits.

mod catalogue;
mod formulas;
mod random;
mod truths;
