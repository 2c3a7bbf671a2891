//! Layout of maps of equal shapes in columns.

use super::color_bar::BAR;
use crate::canvas::{LABELS, MARGIN, RIGHT, WIDTH};

/// Distance between neighbouring maps.
const GAP: f64 = 24.0;
/// Height of the labels of the ticks below a map, and of the caption below these.
pub(super) const TICKS: f64 = 24.0;
pub(super) const CAPTION: f64 = 36.0;
/// Height of the name of the horizontal axis.
pub(super) const NAME: f64 = 22.0;
/// Height above the maps, and of the title of the picture.
pub(super) const ABOVE: f64 = 30.0;
const TITLE: f64 = 44.0;
/// Largest height of all maps together where the number of columns is free.
const TALL: f64 = 740.0;
/// Limits of the height of a map relative to its width.
const RATIOS: (f64, f64) = (0.125, 4.0);

/// Sizes and positions of the maps, in units of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PanelLayout {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Width and height of a map.
    pub(super) width: f64,
    pub(super) height: f64,
}

impl PanelLayout {
    /// Layout of `count` maps of this height relative to the width, in this number of columns.
    pub(super) fn in_columns(count: usize, columns: usize, ratio: f64) -> Self {
        let (columns, ratio) = (columns.clamp(1, count.max(1)), ratio.clamp(RATIOS.0, RATIOS.1));
        let room = f64::from(WIDTH) - MARGIN - LABELS - BAR - RIGHT + GAP;
        let width = (room / columns as f64 - GAP).floor();
        let height = (width * ratio).round();
        Self { columns, rows: count.div_ceil(columns), width, height }
    }

    /// Layout with the largest maps of a moderate height in all, with few gaps in the last row.
    pub(super) fn of(count: usize, ratio: f64) -> Self {
        let layouts = (1..=count.max(1)).map(|columns| {
            let layout = Self::in_columns(count, columns, ratio);
            let highest = TALL / layout.rows as f64 - TICKS - CAPTION;
            let part = (highest / layout.height).min(1.0);
            let [width, height] = [layout.width, layout.height].map(|l| (l * part).floor());
            Self { width, height, ..layout }
        });
        // Large maps in full rows.
        let score = |layout: &Self| {
            let full = count as f64 / (layout.columns * layout.rows) as f64;
            layout.width * full * full
        };
        let better = |best: Self, next: Self| if score(&next) > score(&best) { next } else { best };
        layouts.reduce(better).unwrap_or_else(|| Self::in_columns(count, 1, ratio))
    }

    /// Layout of one map of moderate size; 512 units hold a power of two of cells in whole pixels.
    pub(super) fn single(ratio: f64) -> Self {
        let ratio = ratio.clamp(RATIOS.0, RATIOS.1);
        let width = (512.0 / ratio).min(640.0).round();
        Self { columns: 1, rows: 1, width, height: (width * ratio).round() }
    }

    /// Width and height of the picture.
    pub(super) fn size(&self) -> (u32, u32) {
        let (columns, rows) = (self.columns as f64, self.rows as f64);
        let width = MARGIN + LABELS + columns * (self.width + GAP) - GAP + RIGHT + BAR;
        let height = TITLE + ABOVE + rows * (self.height + TICKS + CAPTION) + NAME;
        (width.round() as u32, height.round() as u32)
    }

    /// Left and upper end of a map below the title.
    pub(super) fn corner(&self, index: usize) -> (f64, f64) {
        let (row, column) = ((index / self.columns) as f64, (index % self.columns) as f64);
        let x = MARGIN + LABELS + column * (self.width + GAP);
        (x, ABOVE + row * (self.height + TICKS + CAPTION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_fill_the_picture() {
        for (count, columns) in
            [(1, 1), (2, 2), (3, 3), (4, 2), (6, 3), (9, 3), (12, 4), (5, 3), (7, 4)]
        {
            let layout = PanelLayout::of(count, 1.0);
            assert_eq!(layout.columns, columns, "{count}: {layout:?}");
            let (width, height) = layout.size();
            assert!(width <= WIDTH && height <= 846, "{count}: {width} x {height}");
            assert!((layout.width - layout.height).abs() <= 1.0);
        }
        // Wide maps are below each other, high ones side by side.
        assert_eq!(PanelLayout::of(4, 0.2).columns, 1);
        assert_eq!(PanelLayout::of(4, 4.0).columns, 4);
    }

    #[test]
    fn maps_do_not_overlap() {
        let layout = PanelLayout::in_columns(5, 3, 0.5);
        assert_eq!((layout.columns, layout.rows), (3, 2));
        let ((x0, y0), (x1, y1)) = (layout.corner(0), layout.corner(4));
        assert!(x0 + layout.width < x1 && y0 + layout.height + TICKS + CAPTION <= y1);
        assert!(layout.corner(2).0 + layout.width + BAR < f64::from(layout.size().0));
        assert_eq!(PanelLayout::in_columns(2, 9, 1.0).columns, 2);
        assert_eq!(PanelLayout::in_columns(2, 0, 1.0).columns, 1);
    }
}
