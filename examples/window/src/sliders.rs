//! Sliders of parameters, orders, steps and paths.

use crate::answers::{Checked, Range};
use crate::worker::Inputs;
use eframe::egui::{Slider, SliderClamping, Ui};
use std::collections::BTreeMap;

/// Shows the sliders; returns whether one has changed.
pub(crate) fn sliders(ui: &mut Ui, checked: &Checked, inputs: &mut Inputs) -> bool {
    let mut changed = false;
    for order in &checked.orders {
        changed |= slider(ui, order, &mut inputs.orders);
    }
    for parameter in &checked.parameters {
        changed |= slider(ui, parameter, &mut inputs.values);
    }
    changed |= count(ui, "steps", &mut inputs.steps, 100_000);
    if checked.stochastic {
        changed |= count(ui, "paths", &mut inputs.paths, 1_000_000);
    }
    changed
}

/// Typed values may be outside: then the message of the solver says what is wrong.
fn slider(ui: &mut Ui, range: &Range, values: &mut BTreeMap<String, f64>) -> bool {
    let mut value = values.get(&range.name).copied().unwrap_or(range.value);
    let slider = Slider::new(&mut value, range.low..=range.high)
        .text(&range.name)
        .logarithmic(range.logarithmic)
        .clamping(SliderClamping::Never);
    let changed = ui.add(slider).changed();
    if changed {
        values.insert(range.name.clone(), value);
    }
    changed
}

fn count(ui: &mut Ui, name: &str, count: &mut usize, most: usize) -> bool {
    let slider = Slider::new(count, 10..=most).text(name).logarithmic(true);
    ui.add(slider.clamping(SliderClamping::Never)).changed()
}
