//! The picture of a solution, or of the mean of an ensemble with its band.

use crate::answers::{Computed, Curve};
use eframe::egui::{Color32, Ui};
use egui_plot::{FilledArea, Legend, Line, LineStyle, Plot, PlotPoints, PlotTransform};

/// Colours that people with deficient colour vision tell apart (Okabe and Ito), legible on light and dark.
pub(crate) const COLOURS: [Color32; 6] = [
    Color32::from_rgb(0, 114, 178),
    Color32::from_rgb(213, 94, 0),
    Color32::from_rgb(0, 158, 115),
    Color32::from_rgb(204, 121, 167),
    Color32::from_rgb(230, 159, 0),
    Color32::from_rgb(86, 180, 233),
];

/// Draws it, and returns where: the map from numbers to points of the window.
pub(crate) fn picture(ui: &mut Ui, computed: &Computed) -> PlotTransform {
    let t = &computed.t;
    let plot = Plot::new("picture").legend(Legend::default()).x_axis_label("t");
    let shown = plot.show(ui, |plot| {
        for (curve, colour) in computed.curves.iter().zip(COLOURS.iter().cycle()) {
            let Curve { name, y, band, exact } = curve;
            if let Some([low, high]) = band {
                let area = FilledArea::new(format!("90 % of {name}"), t, low, high);
                plot.add(area.fill_color(colour.gamma_multiply(0.2)));
            }
            plot.line(Line::new(name, points(t, y)).color(*colour).width(2.5));
            if let Some(exact) = exact {
                let line = Line::new(format!("exact {name}"), points(t, exact));
                plot.line(
                    line.color(plot.ctx().global_style().visuals.text_color())
                        .style(LineStyle::dotted_loose()),
                );
            }
        }
    });
    shown.transform
}

fn points<'a>(t: &[f64], y: &[f64]) -> PlotPoints<'a> {
    t.iter().zip(y).map(|(t, y)| [*t, *y]).collect()
}
