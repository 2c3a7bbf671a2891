//! Colours of numbers.

use plotters::prelude::RGBColor;

/// Colour of a part from 0 to 1: from dark violet through teal to light yellow.
///
/// A curve in Oklab, a colour space in which equal distances look alike: the lightness grows in
/// proportion to the part, so that the colours are ordered for every kind of colour vision and on
/// paper without colours.
///
/// Source: Ottosson, A perceptual color space for image processing (2020),
/// <https://bottosson.github.io/posts/oklab>.
pub(super) fn color(part: f64) -> RGBColor {
    let channel = |linear: f64| (255.0 * gamma_encoded(linear.clamp(0.0, 1.0))).round() as u8;
    let [red, green, blue] = linear_rgb(part.clamp(0.0, 1.0));
    RGBColor(channel(red), channel(green), channel(blue))
}

/// Lightness at both ends.
const LIGHTNESS: [f64; 2] = [0.25, 0.92];
/// Hue at both ends, in degrees.
const HUE: [f64; 2] = [300.0, 100.0];

fn linear_rgb(part: f64) -> [f64; 3] {
    let between = |[from, to]: [f64; 2]| from + (to - from) * part;
    let lightness = between(LIGHTNESS);
    // The least saturated colours that exist lie in the middle.
    let chroma = 0.09 + 0.16 * (part - 0.42).powi(2);
    let (sin, cos) = between(HUE).to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let cone = |of_a: f64, of_b: f64| (lightness + of_a * a + of_b * b).powi(3);
    let long = cone(0.396_337_777_4, 0.215_803_757_3);
    let medium = cone(-0.105_561_345_8, -0.063_854_172_8);
    let short = cone(-0.089_484_177_5, -1.291_485_548_0);
    let mix = |[l, m, s]: [f64; 3]| l * long + m * medium + s * short;
    [
        mix([4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2]),
        mix([-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5]),
        mix([-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701_0]),
    ]
}

/// The transfer function of sRGB.
fn gamma_encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_colors_exist() {
        for k in 0..=1000 {
            let rgb = linear_rgb(f64::from(k) / 1000.0);
            assert!(rgb.iter().all(|c| (0.0..=1.0).contains(c)), "{k}: {rgb:?}");
        }
    }

    #[test]
    fn light_is_large() {
        let luminance = |k: u32| {
            let [red, green, blue] = linear_rgb(f64::from(k) / 255.0);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        assert!((0..255).all(|k| luminance(k) < luminance(k + 1)));
        assert!(luminance(0) < 0.05 && luminance(255) > 0.7);
        // Neighbours differ, and colours beyond the ends are those of the ends.
        assert_ne!(color(0.5), color(0.51));
        assert_eq!((color(-1.0), color(2.0)), (color(0.0), color(1.0)));
    }
}
