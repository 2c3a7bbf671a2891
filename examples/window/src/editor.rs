//! The text of the equation, its errors, and the list of the catalogue.

use crate::answers::{Listed, TextError};
use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Color32, ComboBox, FontId, RichText, Stroke, TextBuffer, TextEdit, Ui};
use std::ops::Range;

/// Menu of the catalogue; returns the entry that was chosen.
pub(crate) fn catalogue<'a>(ui: &mut Ui, entries: &'a [Listed]) -> Option<&'a Listed> {
    let mut chosen = None;
    ComboBox::from_id_salt("catalogue").selected_text("Equations of the literature").show_ui(
        ui,
        |ui| {
            for entry in entries {
                if ui.selectable_label(false, &entry.title).on_hover_text(&entry.text).clicked() {
                    chosen = Some(entry);
                }
            }
        },
    );
    chosen
}

/// Editor with underlined errors and their messages below; returns whether the text has changed.
pub(crate) fn editor(ui: &mut Ui, text: &mut String, errors: &[TextError]) -> bool {
    let mut layout = |ui: &Ui, text: &dyn TextBuffer, width: f32| {
        let mut job = underlined(
            text.as_str(),
            errors,
            ui.visuals().text_color(),
            ui.visuals().error_fg_color,
        );
        job.wrap.max_width = width;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let editor = TextEdit::multiline(text).desired_width(f32::INFINITY).layouter(&mut layout);
    let changed = ui.add(editor).changed();
    for error in errors {
        ui.label(RichText::new(&error.message).color(ui.visuals().error_fg_color));
    }
    changed
}

/// The text in a monospaced font, with a line below the place of each error.
fn underlined(text: &str, errors: &[TextError], ink: Color32, wrong: Color32) -> LayoutJob {
    let plain = TextFormat::simple(FontId::monospace(13.0), ink);
    let marked = TextFormat { underline: Stroke::new(2.0, wrong), ..plain.clone() };
    let mut job = LayoutJob::default();
    let mut end = 0;
    for place in errors.iter().filter_map(|error| place(text, error)) {
        if place.start >= end {
            job.append(&text[end..place.start], 0.0, plain.clone());
            job.append(&text[place.clone()], 0.0, marked.clone());
            end = place.end;
        }
    }
    job.append(&text[end..], 0.0, plain);
    job
}

/// Bytes of the place of an error, which it has in UTF-16 units; `None` if the text has become shorter since.
fn place(text: &str, error: &TextError) -> Option<Range<usize>> {
    let byte = |units: usize| {
        let mut sum = 0;
        let starts = text.char_indices().map(|(byte, c)| {
            sum += c.len_utf16();
            (byte, sum - c.len_utf16())
        });
        let end = (text.len(), text.encode_utf16().count());
        starts.chain([end]).find(|(_, before)| *before == units).map(|(byte, _)| byte)
    };
    let (from, to) = (byte(error.from?)?, byte(error.to?)?);
    (from <= to).then_some(from..to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(from: usize, to: usize) -> TextError {
        TextError { message: String::new(), from: Some(from), to: Some(to) }
    }

    #[test]
    fn places_are_bytes() {
        // Characters of two and of four bytes, which have one and two units of UTF-16.
        let text = "\u{e9}\u{1d6fc} rat";
        assert_eq!(place(text, &error(4, 7)), Some(7..10));
        assert_eq!(&text[place(text, &error(4, 7)).unwrap()], "rat");
        assert_eq!(place(text, &error(1, 3)), Some(2..6));
        assert_eq!(place(text, &error(7, 7)), Some(10..10));
        // Inside of a character, and after the end.
        assert_eq!([place(text, &error(2, 4)), place(text, &error(4, 8))], [None, None]);
    }

    #[test]
    fn errors_are_underlined() {
        let job = underlined("y' = -rat y", &[error(6, 9)], Color32::BLACK, Color32::RED);
        let lines = job.sections.iter().map(|section| {
            let bytes = section.byte_range.start.0..section.byte_range.end.0;
            (&job.text[bytes], section.format.underline.width)
        });
        assert_eq!(lines.collect::<Vec<_>>(), [("y' = -", 0.0), ("rat", 2.0), (" y", 0.0)]);
        assert_eq!(underlined("y", &[error(6, 9)], Color32::BLACK, Color32::RED).text, "y");
    }
}
