//! Cells between edges: rectangles, or an image if they are many.

use super::color_scale::rgb;
use crate::canvas::{Drawn, INK, Palette, Pen, Raster};
use crate::chart::Cartesian;
use plotters::prelude::*;

/// Most rectangles of a map; more are one image with the pixels of the PNG.
const RECTANGLES: usize = 4096;

/// Colours of cells: index into a palette by row and column.
pub(super) struct Cells<'a, F> {
    /// Edges of the columns and of the rows, in increasing or decreasing order.
    pub(super) columns: &'a [f64],
    pub(super) rows: &'a [f64],
    pub(super) index: F,
    pub(super) palette: &'a Palette,
}

impl<F: Fn(usize, usize) -> u8> Cells<'_, F> {
    pub(super) fn draw(&self, chart: &Cartesian<'_, '_>, pen: &Pen) -> Drawn {
        let rows = 0..self.rows.len() - 1;
        if rows.map(|row| self.runs(row).count()).sum::<usize>() > RECTANGLES {
            pen.place(self.raster(chart, pen));
            return Ok(());
        }
        self.draw_rectangles(chart, pen.px(1.0))
    }

    /// First and last edge and index of neighbours in a row with the same colour.
    fn runs(&self, row: usize) -> impl Iterator<Item = (usize, usize, u8)> {
        let (count, mut column) = (self.columns.len() - 1, 0);
        std::iter::from_fn(move || {
            let first = column;
            let index = (first < count).then(|| (self.index)(row, first))?;
            while column < count && (self.index)(row, column) == index {
                column += 1;
            }
            Some((first, column, index))
        })
    }

    /// Cells overlap the next ones, so that no gaps shine through.
    fn draw_rectangles(&self, chart: &Cartesian<'_, '_>, overlap: i32) -> Drawn {
        let area = chart.plotting_area().strip_coord_spec();
        let width = area.dim_in_pixel().0 as i32;
        let (xs, ys) = self.places(chart);
        for row in 0..self.rows.len() - 1 {
            for (first, last, index) in self.runs(row) {
                let (x0, y0, x1, y1) = (xs[first], ys[row], xs[last], ys[row + 1]);
                let (left, right) = (x0.min(x1), (x0.max(x1) + overlap).min(width));
                let (top, bottom) = ((y0.min(y1) - overlap).max(0), y0.max(y1));
                let color = rgb(self.palette[usize::from(index)]);
                area.draw(&Rectangle::new([(left, top), (right, bottom)], color.filled()))?;
            }
        }
        Ok(())
    }

    /// Coordinates of all edges in the plotting area.
    fn places(&self, chart: &Cartesian<'_, '_>) -> (Vec<i32>, Vec<i32>) {
        let area = chart.plotting_area();
        let (base_x, base_y) = area.get_base_pixel();
        let (width, height) = area.dim_in_pixel();
        let (x0, y0) = (self.columns[0], self.rows[0]);
        let x = |x: &f64| (area.map_coordinate(&(*x, y0)).0 - base_x).clamp(0, width as i32);
        let y = |y: &f64| (area.map_coordinate(&(x0, *y)).1 - base_y).clamp(0, height as i32);
        (self.columns.iter().map(x).collect(), self.rows.iter().map(y).collect())
    }

    /// Image in which each pixel has the colour of the cell at its centre.
    fn raster(&self, chart: &Cartesian<'_, '_>, pen: &Pen) -> Raster {
        let area = chart.plotting_area();
        let (base_x, base_y) = area.get_base_pixel();
        let (xs, ys) = self.places(chart);
        let (left, columns) = cell_of_pixels(&xs, base_x, pen.pixel());
        let (top, rows) = cell_of_pixels(&ys, base_y, pen.pixel());
        let cells = rows.iter().flat_map(|row| columns.iter().map(move |column| (*row, *column)));
        Raster {
            left,
            top,
            size: (columns.len() as u32, rows.len() as u32),
            indices: cells.map(|(row, column)| (self.index)(row, column)).collect(),
            palette: Box::new(*self.palette),
        }
    }
}

/// Draws the outline of the plotting area.
pub(super) fn draw_frame(chart: &Cartesian<'_, '_>, pen: &Pen) -> Drawn {
    let area = chart.plotting_area();
    let (x, y) = (area.get_x_range(), area.get_y_range());
    let [lower, upper] = [y.start, y.end].map(|y| [(x.start, y), (x.end, y)]);
    let corners = vec![lower[0], lower[1], upper[1], upper[0], lower[0]];
    area.draw(&PathElement::new(corners, pen.line(INK, 0.8)))
}

/// First pixel of the cells between these edges, and the cell at the centre of each pixel.
fn cell_of_pixels(edges: &[i32], base: i32, pixel: i32) -> (u32, Vec<usize>) {
    let reversed = edges.first() > edges.last();
    let mut ordered: Vec<i32> = edges.iter().map(|edge| edge + base).collect();
    if reversed {
        ordered.reverse();
    }
    let cells = ordered.len() - 1;
    // Rounded to whole pixels.
    let near = |place: i32| (place + pixel / 2).div_euclid(pixel);
    let (first, last) = (near(ordered[0]), near(ordered[cells]).max(near(ordered[0]) + 1));
    let mut cell = 0;
    let cells = (first..last).map(|k| {
        while cell + 1 < cells && 2 * ordered[cell + 1] <= pixel * (2 * k + 1) {
            cell += 1;
        }
        if reversed { cells - 1 - cell } else { cell }
    });
    (first.max(0) as u32, cells.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_have_the_cell_at_their_centre() {
        // Pixels of length 4, with centres at 2, 6, 10 and 14.
        assert_eq!(cell_of_pixels(&[0, 5, 16], 0, 4), (0, vec![0, 1, 1, 1]));
        assert_eq!(cell_of_pixels(&[0, 7, 16], 0, 4), (0, vec![0, 0, 1, 1]));
        // Another base, and decreasing edges.
        assert_eq!(cell_of_pixels(&[0, 7, 16], 8, 4), (2, vec![0, 0, 1, 1]));
        assert_eq!(cell_of_pixels(&[16, 7, 0], 0, 4), (0, vec![1, 1, 0, 0]));
        // Cells smaller than a pixel, and one pixel at least.
        assert_eq!(cell_of_pixels(&[0, 1, 3, 4, 8], 0, 4), (0, vec![1, 3]));
        assert_eq!(cell_of_pixels(&[0, 1], 0, 4), (0, vec![0]));
    }
}
