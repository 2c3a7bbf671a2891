//! Maps of fields: a colour for each pair of two numbers.

mod cells;
mod color_bar;
mod color_map;
mod color_scale;
mod heat_map;
mod heat_maps;
mod map_axes;
mod panel_layout;

pub use heat_map::HeatMap;
pub use heat_maps::{HeatMaps, MapFrame};
