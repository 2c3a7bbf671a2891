//! Fourier transforms: WGSL of the transform inside a workgroup, and its tables.

pub(crate) mod roots;
mod transform;

pub(crate) use transform::{LONGEST, Layout, Order, SHORTEST, filling, longest, points_of_line};
