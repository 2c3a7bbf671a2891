//! Typeface of all texts: widths and outlines of its glyphs.

use ab_glyph::{Font, FontRef, GlyphId, OutlineCurve, Point};
use std::fmt::Write;
use std::sync::LazyLock;

/// Glyph of a text: position in em, and whether it is a superscript.
pub(super) struct Placed {
    pub(super) glyph: GlyphId,
    pub(super) x: f32,
    pub(super) raised: bool,
}

/// Size and height of a superscript, relative to the text.
pub(super) const SUPERSCRIPT: f32 = 0.68;
pub(super) const RAISED: f32 = 0.36;

/// Built-in font.
pub(super) struct Typeface {
    font: FontRef<'static>,
    units_per_em: f32,
}

impl Typeface {
    /// The font, read once; `None` if it is not readable.
    pub(super) fn get() -> Option<&'static Self> {
        static TYPEFACE: LazyLock<Option<Typeface>> = LazyLock::new(|| {
            let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok()?;
            let units_per_em = font.units_per_em()?;
            Some(Typeface { font, units_per_em })
        });
        TYPEFACE.as_ref()
    }

    /// Whether it has all characters of a text.
    pub(super) fn covers(&self, text: &str) -> bool {
        text.chars().all(|c| self.font.glyph_id(base(c).0).0 != 0)
    }

    /// Glyphs of a text, and its width in em.
    pub(super) fn layout(&self, text: &str) -> (Vec<Placed>, f32) {
        let (mut x, mut last) = (0.0, None);
        let placed = text.chars().map(|c| {
            let (c, raised) = base(c);
            let glyph = self.font.glyph_id(c);
            let scale = if raised { SUPERSCRIPT } else { 1.0 } / self.units_per_em;
            if let Some(previous) = last.replace(glyph) {
                x += scale * self.font.kern_unscaled(previous, glyph);
            }
            let at = x;
            x += scale * self.font.h_advance_unscaled(glyph);
            Placed { glyph, x: at, raised }
        });
        let placed = placed.collect();
        (placed, x)
    }

    /// Path of a glyph for SVG, in units of the font with y downwards; empty for a space.
    pub(super) fn path(&self, glyph: GlyphId) -> String {
        let Some(outline) = self.font.outline(glyph) else { return String::new() };
        let (mut path, mut at) = (String::new(), None);
        let point = |p: Point| format!("{} {}", p.x.round(), -p.y.round());
        for curve in outline.curves {
            let (from, to, text) = match curve {
                OutlineCurve::Line(a, b) => (a, b, format!("L{}", point(b))),
                OutlineCurve::Quad(a, b, c) => (a, c, format!("Q{} {}", point(b), point(c))),
                OutlineCurve::Cubic(a, b, c, d) => {
                    (a, d, format!("C{} {} {}", point(b), point(c), point(d)))
                }
            };
            // Curves that do not continue the last one begin another contour.
            if at != Some(from) {
                let _ = write!(path, "M{}", point(from));
            }
            path.push_str(&text);
            at = Some(to);
        }
        path
    }

    pub(super) fn units_per_em(&self) -> f32 {
        self.units_per_em
    }
}

/// Character of the font that draws this one, and whether it is drawn as a superscript.
fn base(c: char) -> (char, bool) {
    const SUPERSCRIPTS: [(char, char); 11] = [
        ('⁰', '0'),
        ('¹', '1'),
        ('²', '2'),
        ('³', '3'),
        ('⁴', '4'),
        ('⁵', '5'),
        ('⁶', '6'),
        ('⁷', '7'),
        ('⁸', '8'),
        ('⁹', '9'),
        ('⁻', '\u{2212}'),
    ];
    SUPERSCRIPTS
        .iter()
        .find(|(raised, _)| *raised == c)
        .map_or((c, false), |(_, base)| (*base, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_widths_and_outlines() {
        let typeface = Typeface::get().unwrap();
        let width = |text: &str| typeface.layout(text).1;
        assert_eq!(width(""), 0.0);
        assert!(width("mm") > 2.0 * width("i") && width("10⁻³") < width("10\u{2212}3"));
        assert!(typeface.covers("10⁻³ α β √year CO₂ \u{2212} ü é") && !typeface.covers("年"));
        let (placed, _) = typeface.layout("o ");
        let path = typeface.path(placed[0].glyph);
        // An outer and an inner contour.
        assert_eq!(path.matches('M').count(), 2, "{path}");
        assert!(typeface.path(placed[1].glyph).is_empty());
    }
}
