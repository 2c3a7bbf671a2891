//! The elementary functions against the formulas to 28 digits, against double precision, and
//! against the standard library where values are exact.

mod double;
mod normal;
mod reference;
mod single;
mod special_values;
mod unfused;
