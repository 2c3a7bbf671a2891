//! Texts of a picture, as outlines.

use super::typeface::{Placed, RAISED, SUPERSCRIPT, Typeface};
use crate::Format;
use ab_glyph::GlyphId;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Texts drawn so far, and the glyphs that they use.
pub(super) struct Labels {
    typeface: &'static Typeface,
    format: Format,
    texts: String,
    glyphs: BTreeMap<u16, GlyphId>,
}

/// Position, size and colour of a text.
pub(super) struct Placement {
    pub(super) x: i32,
    pub(super) y: i32,
    /// Size of an em.
    pub(super) em: f64,
    /// Part of the width left of x, and part of an em between y and the baseline.
    pub(super) before: f32,
    pub(super) below: f32,
    /// Clockwise, in degrees.
    pub(super) rotation: u16,
    pub(super) color: (u8, u8, u8),
}

impl Labels {
    pub(super) fn new(typeface: &'static Typeface, format: Format) -> Self {
        Self { typeface, format, texts: String::new(), glyphs: BTreeMap::new() }
    }

    pub(super) fn push(&mut self, text: &str, at: &Placement) {
        let text = text.replace(is_no_xml, "\u{fffd}");
        if text.trim().is_empty() {
            return;
        }
        let (r, g, b) = at.color;
        let _ = write!(
            self.texts,
            "<g fill=\"#{r:02X}{g:02X}{b:02X}\" transform=\"translate({} {})",
            at.x, at.y
        );
        if at.rotation != 0 {
            let _ = write!(self.texts, " rotate({})", at.rotation);
        }
        // The viewer's fonts have characters that the built-in one lacks.
        if self.format == Format::Svg && !self.typeface.covers(&text) {
            self.push_plain(&text, at);
        } else {
            self.push_outlines(&text, at);
        }
        self.texts.push_str("</g>\n");
    }

    fn push_outlines(&mut self, text: &str, at: &Placement) {
        let upem = self.typeface.units_per_em();
        let (placed, width) = self.typeface.layout(text);
        let scale = at.em / f64::from(upem);
        let _ = write!(
            self.texts,
            " scale({scale:.4})\" role=\"img\" aria-label=\"{}\">",
            escape(text)
        );
        let baseline = (at.below * upem).round();
        for Placed { glyph, x, raised } in placed {
            let x = ((x - at.before * width) * upem).round();
            let y = baseline;
            self.glyphs.insert(glyph.0, glyph);
            let _ = if raised {
                let y = y - (RAISED * upem).round();
                let place = format!("translate({x} {y}) scale({SUPERSCRIPT})");
                write!(self.texts, "<use href=\"#g{}\" transform=\"{place}\"/>", glyph.0)
            } else {
                write!(self.texts, "<use href=\"#g{}\" x=\"{x}\" y=\"{y}\"/>", glyph.0)
            };
        }
    }

    fn push_plain(&mut self, text: &str, at: &Placement) {
        let anchor = match at.before {
            b if b < 0.25 => "start",
            b if b < 0.75 => "middle",
            _ => "end",
        };
        let y = f64::from(at.below) * at.em;
        let _ = write!(
            self.texts,
            "\"><text y=\"{y:.1}\" font-family=\"sans-serif\" font-size=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            at.em,
            escape(text)
        );
    }

    /// Definitions of the glyphs, and the texts.
    pub(super) fn finish(self) -> String {
        let mut svg = String::from("<defs>\n");
        for (id, glyph) in &self.glyphs {
            let _ = writeln!(svg, "<path id=\"g{id}\" d=\"{}\"/>", self.typeface.path(*glyph));
        }
        svg + "</defs>\n" + &self.texts
    }
}

/// Characters that XML does not allow, even escaped.
fn is_no_xml(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
