mod direct;
mod four_step;
mod one_pass;
mod right_angle;
mod tile;

pub use direct::{Direct, Direct64, DirectDf64};
pub(crate) use four_step::FourStep;
pub(crate) use one_pass::OnePass;
#[cfg(test)]
pub(crate) use tile::Tile;
