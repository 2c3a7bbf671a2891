//! The window: text and sliders on the left, the picture on the right.

use crate::Failure;
use crate::answers::{Checked, Computed, Listed, read};
use crate::editor::{catalogue, editor};
use crate::picture::picture;
use crate::sliders::sliders;
use crate::worker::{Budget, Inputs, PATIENCE, Reply, Worker};
use eframe::egui::{CentralPanel, Context, Panel, RichText, ScrollArea, Ui};
use egui_plot::PlotTransform;
use hpfracc_web::Explorer;
use std::collections::BTreeMap;

/// Equation with which the window opens.
const FIRST: &str = "relaxation";
const PATHS: usize = 10_000;
const SEED: u64 = 1;
/// An hour: the next change cancels.
const BUDGET: Budget = Budget { milliseconds: 3_600_000 };

/// State of the window.
#[derive(Debug)]
pub(crate) struct App {
    entries: Vec<Listed>,
    inputs: Inputs,
    checked: Option<Checked>,
    computed: Option<Result<Computed, String>>,
    worker: Worker,
}

impl App {
    pub(crate) fn new(context: Context) -> Result<Self, Failure> {
        let entries: Vec<Listed> = read(&Explorer::new().answer("catalogue", "{}", &[]))?;
        let worker = Worker::start(move || context.request_repaint())?;
        let first = entries.iter().find(|entry| entry.name == FIRST);
        let inputs = first.map(inputs_of).ok_or("the catalogue has no relaxation")?;
        let mut app = Self { entries, inputs, checked: None, computed: None, worker };
        app.worker.request(app.inputs.clone());
        Ok(app)
    }

    /// What is shown, once it belongs to the inputs.
    pub(crate) fn settled(&self) -> Option<&Result<Computed, String>> {
        self.computed.as_ref().filter(|_| !self.worker.is_busy())
    }

    /// Draws a frame; returns where the picture is, if there is one.
    pub(crate) fn show(&mut self, ui: &mut Ui) -> Option<PlotTransform> {
        self.receive();
        let before = self.inputs.clone();
        let left = Panel::left("inputs").default_size(320.0);
        left.show(ui, |ui| ScrollArea::vertical().show(ui, |ui| self.show_inputs(ui)));
        if self.inputs != before {
            self.worker.request(self.inputs.clone());
        }
        if self.worker.is_busy() {
            ui.ctx().request_repaint_after(PATIENCE);
        }
        CentralPanel::default().show(ui, |ui| self.show_computed(ui)).inner
    }

    fn receive(&mut self) {
        for reply in self.worker.replies() {
            match reply {
                // The text has changed since: its own answer comes.
                Reply::Checked { text, .. } if text != self.inputs.text => {}
                Reply::Checked { checked, .. } => self.checked = Some(checked),
                Reply::Computed(computed) => self.computed = Some(computed),
                Reply::Done => {}
            }
        }
    }

    fn show_inputs(&mut self, ui: &mut Ui) {
        if let Some(entry) = catalogue(ui, &self.entries) {
            (self.inputs, self.checked) = (inputs_of(entry), None);
        }
        let errors = self.checked.as_ref().map_or(&[][..], |checked| &checked.errors[..]);
        if editor(ui, &mut self.inputs.text, errors) {
            // Sliders begin again at the values of the text.
            self.inputs.values.clear();
            self.inputs.orders.clear();
        }
        if let Some(checked) = &self.checked {
            ui.separator();
            sliders(ui, checked, &mut self.inputs);
        }
    }

    fn show_computed(&self, ui: &mut Ui) -> Option<PlotTransform> {
        if self.worker.is_slow() {
            ui.spinner();
        }
        match &self.computed {
            None => None,
            Some(Err(message)) => {
                ui.label(RichText::new(message).color(ui.visuals().error_fg_color));
                None
            }
            Some(Ok(computed)) => {
                ui.label(&computed.method);
                for note in &computed.notes {
                    ui.label(RichText::new(note).color(ui.visuals().warn_fg_color));
                }
                Some(picture(ui, computed))
            }
        }
    }
}

fn inputs_of(entry: &Listed) -> Inputs {
    Inputs {
        text: entry.text.clone(),
        values: BTreeMap::new(),
        orders: BTreeMap::new(),
        steps: entry.steps,
        paths: PATHS,
        seed: SEED,
        budget: BUDGET,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::RawInput;
    use std::time::{Duration, Instant};

    /// Draws frames without a window until the last change is answered.
    fn settle(app: &mut App, context: &Context) {
        let start = Instant::now();
        let mut frames = 0;
        while frames < 3 || app.worker.is_busy() {
            let mut output = context.run_ui(RawInput::default(), |ui| {
                app.show(ui);
            });
            // Nothing paints.
            output.textures_delta.clear();
            frames += 1;
            assert!(start.elapsed() < Duration::from_secs(300), "no answer");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn app() -> (App, Context) {
        let context = Context::default();
        let mut app = App::new(context.clone()).unwrap();
        settle(&mut app, &context);
        (app, context)
    }

    fn computed(app: &App) -> &Computed {
        app.settled().unwrap().as_ref().unwrap()
    }

    /// Changes the inputs as a user does between two frames.
    fn change(app: &mut App, context: &Context, change: impl FnOnce(&mut Inputs)) {
        change(&mut app.inputs);
        app.worker.request(app.inputs.clone());
        settle(app, context);
    }

    #[test]
    fn a_slider_moves_the_solution() {
        let (mut app, context) = app();
        let orders = &app.checked.as_ref().unwrap().orders;
        assert_eq!((orders[0].name.as_str(), orders[0].value, orders[0].high), ("alpha", 0.6, 1.0));
        change(&mut app, &context, |inputs| {
            inputs.orders.insert("alpha".to_owned(), 1.0);
            inputs.values.insert("rate".to_owned(), 0.2);
        });
        // An exponential.
        let last = computed(&app).curves[0].y.last().unwrap();
        assert!((last - (-2.0f64).exp()).abs() < 1e-5, "{last}");
    }

    #[test]
    fn an_ensemble_has_a_band_around_its_mean() {
        let (mut app, context) = app();
        let paths = 2000;
        let entry = app.entries.iter().find(|entry| entry.name == "ornstein-uhlenbeck").cloned();
        change(&mut app, &context, |inputs| {
            *inputs = Inputs { paths, ..inputs_of(&entry.unwrap()) };
        });
        assert!(app.checked.as_ref().unwrap().stochastic);
        let curve = &computed(&app).curves[0];
        let [low, high] = curve.band.as_ref().unwrap();
        let exact = curve.exact.as_ref().unwrap();
        let last = exact.len() - 1;
        // The band of a normal distribution has 3.29 standard deviations.
        let error = (high[last] - low[last]) / 3.29 / (paths as f64).sqrt();
        assert!((curve.y[last] - exact[last]).abs() < 4.0 * error);
        assert!(low[last] < curve.y[last] && curve.y[last] < high[last]);
    }

    #[test]
    fn errors_of_texts_and_of_values_are_shown() {
        let (mut app, context) = app();
        change(&mut app, &context, |inputs| {
            inputs.text = "y' = -rat y; rate = 1; y(0) = 1".to_owned();
        });
        let checked = app.checked.as_ref().unwrap();
        assert_eq!(checked.errors[0].message, "unknown name `rat`: did you mean `rate`?");
        change(&mut app, &context, |inputs| {
            inputs.text = "D^a y = -y; a = 0.5 in (0, 1]; y(0) = 1; t in [0, 1]".to_owned();
            inputs.orders.insert("a".to_owned(), 1.5);
        });
        let message = app.settled().unwrap().as_ref().unwrap_err();
        assert!(message.contains("a = 1.5 is outside its range (0, 1]"), "{message}");
    }

    #[test]
    fn the_next_change_cancels_a_computation_of_many_minutes() {
        let (mut app, context) = app();
        app.inputs.text = "dX = -X^3 dt + dW; X(0) = 1; t in [0, 1]".to_owned();
        (app.inputs.paths, app.inputs.steps) = (1_000_000, 10_000);
        app.worker.request(app.inputs.clone());
        std::thread::sleep(2 * PATIENCE);
        change(&mut app, &context, |inputs| {
            inputs.text = "y' = -y; y(0) = 1; t in [0, 1]".to_owned();
        });
        let y = &computed(&app).curves[0].y;
        assert!((y.last().unwrap() - (-1.0f64).exp()).abs() < 1e-9);
    }
}
