//! Colours of numbers: curves in Oklab, a colour space in which equal distances look alike.
//!
//! Source: Ottosson, A perceptual color space for image processing (2020),
//! <https://bottosson.github.io/posts/oklab>.

/// Colour of a part from 0 to 1: from dark violet through teal to light yellow.
///
/// The lightness grows in proportion to the part, so that the colours are ordered for every kind of
/// colour vision and on paper without colours.
pub(super) fn sequential(part: f64) -> [u8; 3] {
    encoded(sequential_rgb(part.clamp(0.0, 1.0)))
}

/// Colour of a part from 0 to 1: from dark blue through nearly white at 1/2 to dark red.
///
/// Parts at equal distances from 1/2 are equally light and equally saturated; blue and red differ
/// for every kind of colour vision but the total absence of it.
pub(super) fn diverging(part: f64) -> [u8; 3] {
    encoded(diverging_rgb(part.clamp(0.0, 1.0)))
}

fn sequential_rgb(part: f64) -> [f64; 3] {
    let between = |from: f64, to: f64| from + (to - from) * part;
    // The least saturated colours that exist lie in the middle.
    let chroma = 0.09 + 0.16 * (part - 0.42).powi(2);
    linear_rgb(between(0.25, 0.92), chroma, between(300.0, 100.0))
}

fn diverging_rgb(part: f64) -> [f64; 3] {
    let distance = (2.0 * part - 1.0).abs();
    let chroma = 0.2 * distance - 0.06 * distance * distance;
    linear_rgb(0.96 - 0.6 * distance, chroma, if part < 0.5 { 260.0 } else { 28.0 })
}

/// Linear red, green and blue of a colour in Oklab, with its hue in degrees.
fn linear_rgb(lightness: f64, chroma: f64, hue: f64) -> [f64; 3] {
    let (sin, cos) = hue.to_radians().sin_cos();
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

fn encoded(linear: [f64; 3]) -> [u8; 3] {
    linear.map(|channel| (255.0 * gamma_encoded(channel.clamp(0.0, 1.0))).round() as u8)
}

/// The transfer function of sRGB.
fn gamma_encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: [fn(f64) -> [f64; 3]; 2] = [sequential_rgb, diverging_rgb];

    #[test]
    fn all_colors_exist() {
        for map in MAPS {
            for k in 0..=1000 {
                let rgb = map(f64::from(k) / 1000.0);
                assert!(rgb.iter().all(|c| (0.0..=1.0).contains(c)), "{k}: {rgb:?}");
            }
        }
    }

    /// L*, a* and b* of CIE 1976 for the white of sRGB, D65.
    fn cielab([red, green, blue]: [f64; 3]) -> [f64; 3] {
        let row = |[r, g, b]: [f64; 3], white: f64| {
            let ratio = (r * red + g * green + b * blue) / white;
            let (small, slope) = (216.0 / 24389.0, 24389.0 / 27.0);
            if ratio > small { ratio.cbrt() } else { (slope * ratio + 16.0) / 116.0 }
        };
        let x = row([0.412_456_4, 0.357_576_1, 0.180_437_5], 0.950_47);
        let y = row([0.212_672_9, 0.715_152_2, 0.072_175_0], 1.0);
        let z = row([0.019_333_9, 0.119_192_0, 0.950_304_1], 1.088_83);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Smallest and largest step of the lightness and of the colour.
    fn steps(map: impl Fn(f64) -> [f64; 3], from: f64, to: f64) -> [(f64, f64); 2] {
        let n = 127;
        let part = |k: i32| from + (to - from) * f64::from(k) / f64::from(n);
        let colors: Vec<[f64; 3]> = (0..=n).map(|k| cielab(map(part(k)))).collect();
        let (mut lightness, mut distance) = ([f64::MAX, f64::MIN], [f64::MAX, f64::MIN]);
        for pair in colors.windows(2) {
            let [l, a, b] = [0, 1, 2].map(|k| pair[1][k] - pair[0][k]);
            lightness = [lightness[0].min(l), lightness[1].max(l)];
            let step = (l * l + a * a + b * b).sqrt();
            distance = [distance[0].min(step), distance[1].max(step)];
        }
        [(lightness[0], lightness[1]), (distance[0], distance[1])]
    }

    #[test]
    fn light_is_large() {
        let [(low, high), (near, far)] = steps(sequential_rgb, 0.0, 1.0);
        // L* grows from 11 to 91 in even steps, as do the colours.
        assert!(low > 0.85 * 80.0 / 127.0 && high < 1.15 * 80.0 / 127.0, "{low} {high}");
        assert!(far < 1.75 * near, "{near} {far}");
        assert!(cielab(sequential_rgb(0.0))[0] < 12.0 && cielab(sequential_rgb(1.0))[0] > 90.0);
        // Neighbours differ, and colours beyond the ends are those of the ends.
        assert_ne!(sequential(0.5), sequential(0.51));
        assert_eq!((sequential(-1.0), sequential(2.0)), (sequential(0.0), sequential(1.0)));
    }

    #[test]
    fn the_middle_of_the_diverging_colors_is_the_lightest() {
        let up = steps(diverging_rgb, 0.0, 0.5);
        let down = steps(|part| diverging_rgb(1.0 - part), 0.0, 0.5);
        for [(low, high), (near, far)] in [up, down] {
            assert!(low > 0.0 && high < 1.05 * low, "{low} {high}");
            assert!(far < 1.25 * near, "{near} {far}");
        }
        let lightness = |part: f64| cielab(diverging_rgb(part))[0];
        for k in 0..=50 {
            let distance = f64::from(k) / 100.0;
            let (below, above) = (lightness(0.5 - distance), lightness(0.5 + distance));
            assert!((below - above).abs() < 1.5, "{distance}: {below} {above}");
        }
        let [red, green, blue] = diverging(0.5);
        assert!(red == green && green == blue && red > 235);
        let ([r0, _, b0], [r1, _, b1]) = (diverging(0.0), diverging(1.0));
        assert!(b0 > 2 * r0 && r1 > 2 * b1);
    }
}
