//! Pictures of heat maps, read back: orientation, colours, masks and sizes.

use hpfracc_plot::{Axis, Format, HeatMap, HeatMaps, MapFrame, PlotError};
use resvg::tiny_skia::Pixmap;

/// `n` positions from 0 to 1.
fn unit(n: u32) -> Vec<f64> {
    (0..n).map(|k| f64::from(k) / f64::from(n - 1)).collect()
}

/// Values row after row.
fn field(xs: &[f64], ys: &[f64], value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    ys.iter().flat_map(|y| xs.iter().map(|x| value(*x, *y)).collect::<Vec<_>>()).collect()
}

fn heat_map<'a>(xs: &'a [f64], ys: &'a [f64], values: &'a [f64]) -> HeatMap<'a> {
    HeatMap { title: "u", x: Axis::linear("x"), y: Axis::linear("t"), name: "u", xs, ys, values }
}

/// Sum of red, green and blue at a place of the map: (0, 0) lower left, (1, 1) upper right.
fn light(picture: &Pixmap, x: f64, y: f64) -> u32 {
    let pixel = |at: f64| (2.0 * at).round() as u32;
    // The plotting area of a single map, in units of the picture.
    let (left, right, top, bottom) = (80.0, 818.0, 74.0, 588.0);
    let at = (pixel(left + x * (right - left)), pixel(bottom - y * (bottom - top)));
    let color = picture.pixel(at.0, at.1).unwrap();
    u32::from(color.red()) + u32::from(color.green()) + u32::from(color.blue())
}

fn png(map: &HeatMap<'_>) -> Pixmap {
    Pixmap::decode_png(&map.draw(Format::Png).unwrap()).unwrap()
}

/// Few cells are rectangles, many are an image: both have x to the right and y upward.
#[test]
fn columns_go_right_and_rows_upward() {
    for n in [5, 300] {
        let (xs, ys) = (unit(n), unit(n + 1));
        let right = png(&heat_map(&xs, &ys, &field(&xs, &ys, |x, _| x)));
        let up = png(&heat_map(&xs, &ys, &field(&xs, &ys, |_, y| y)));
        for side in [0.1, 0.9] {
            assert!(light(&right, 0.9, side) > light(&right, 0.1, side) + 200, "{n}");
            assert!(light(&up, side, 0.9) > light(&up, side, 0.1) + 200, "{n}");
            assert_eq!(light(&right, 0.9, side), light(&right, 0.9, 1.0 - side), "{n}");
        }
        // Decreasing positions are the same field.
        let down: Vec<f64> = ys.iter().rev().copied().collect();
        let reversed = field(&xs, &down, |_, y| y);
        let down = png(&heat_map(&xs, &down, &reversed));
        for y in [0.1, 0.3, 0.7, 0.9] {
            assert!(light(&down, 0.5, y).abs_diff(light(&up, 0.5, y)) < 5, "{n}");
        }
    }
}

/// Times close to each other near 0 have narrow cells: the boundary between dark and light cells is
/// where the time is, not where the row is.
#[test]
fn rows_are_at_their_times() {
    let xs = unit(40);
    for n in [20, 500] {
        let ts: Vec<f64> = unit(n).iter().map(|t| t * t * t).collect();
        let picture = png(&heat_map(&xs, &ts, &field(&xs, &ts, |_, t| f64::from(t > 0.5))));
        assert!(light(&picture, 0.5, 0.55) > light(&picture, 0.5, 0.4) + 200, "{n}");
        assert_eq!(light(&picture, 0.5, 0.4), light(&picture, 0.5, 0.03), "{n}");
    }
}

/// The image in an SVG is that of the PNG.
#[test]
fn a_million_cells_are_an_image() {
    let xs = unit(1000);
    let values = field(&xs, &xs, |x, t| (9.0 * x).sin() * (7.0 * t).cos());
    let map = heat_map(&xs, &xs, &values);
    let svg = String::from_utf8(map.draw(Format::Svg).unwrap()).unwrap();
    assert!(svg.len() < 500_000, "{}", svg.len());
    assert_eq!(svg.matches("<image ").count(), 1);
    assert!(svg.matches("<rect").count() < 270);
    let (_, data) = svg.split_once("data:image/png;base64,").unwrap();
    let (data, _) = data.split_once('"').unwrap();
    let image = Pixmap::decode_png(&decoded(data)).unwrap();
    // Two pixels per unit of the plotting area.
    assert_eq!((image.width(), image.height()), (2 * 738, 2 * 514));
    let picture = png(&map);
    for (x, y) in [(10, 10), (700, 300), (1400, 1000)] {
        let here = (image.pixel(x, y), picture.pixel(2 * 80 + x, 2 * 74 + y));
        assert_eq!(here.0, here.1, "{x} {y}");
    }
    assert_eq!(map.draw(Format::Svg).unwrap(), svg.into_bytes());
}

fn decoded(base64: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> =
        base64.chars().filter_map(|c| DIGITS.find(c)).map(|digit| digit as u32).collect();
    let bytes = |group: &[u32]| {
        let bits = (0..4).fold(0, |bits, k| bits << 6 | group.get(k).unwrap_or(&0));
        bits.to_be_bytes()[1..group.len()].to_vec()
    };
    digits.chunks(4).flat_map(bytes).collect()
}

/// A constant has a colour between those of the ends, and a field of one sign no white.
#[test]
fn only_both_signs_diverge() {
    let xs = unit(3);
    let text = |value: fn(f64, f64) -> f64| {
        let values = field(&xs, &xs, value);
        String::from_utf8(heat_map(&xs, &xs, &values).draw(Format::Svg).unwrap()).unwrap()
    };
    let white = "#F2F2F2";
    assert!(text(|x, y| x + y - 1.0).contains(white));
    assert!(text(|x, y| x + y - 0.4).contains(white));
    assert!(!text(|x, y| x + y - 0.3).contains(white));
    assert!(!text(|x, y| x + y).contains(white) && !text(|_, _| 2.0).contains(white));
}

#[test]
fn small_multiples_share_colors_and_have_captions() {
    let xs = unit(90);
    let mask = |x: f64, y: f64| if x > 0.7 && y > 0.7 { f64::NAN } else { x };
    let values = [0.0, 1.0, 2.0].map(|more| field(&xs, &xs, |x, y| mask(x, y) + more));
    let captions = ["t = 0", "t = 0.5", "t = 1"];
    let frames: Vec<MapFrame<'_>> =
        values.iter().zip(captions).map(|(values, caption)| MapFrame { caption, values }).collect();
    let maps = maps(&xs, &xs, &frames);
    let svg = String::from_utf8(maps.draw(Format::Svg).unwrap()).unwrap();
    for label in captions.iter().chain(&["x axis", "y axis", "none", "Field"]) {
        assert_eq!(svg.matches(&format!("aria-label=\"{label}\"")).count(), 1, "{label}");
    }
    assert_eq!(svg.matches("<image ").count(), 3);
    assert_eq!(maps.draw(Format::Svg).unwrap(), svg.into_bytes());

    let picture = Pixmap::decode_png(&maps.draw(Format::Png).unwrap()).unwrap();
    assert_eq!(picture.width(), 2 * 960);
    // Three squares of 230 units side by side.
    let color = |index: u32, x: f64, y: f64| {
        let (left, size) = (80.0 + f64::from(index) * (230.0 + 24.0), 230.0);
        let at = [left + size * x, 74.0 + size * (1.0 - y)].map(|at| (2.0 * at) as u32);
        let color = picture.pixel(at[0], at[1]).unwrap();
        [color.red(), color.green(), color.blue()]
    };
    let sum = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b);
    for index in 0..3 {
        assert_eq!(color(index, 0.9, 0.9), [184; 3], "{index}");
        assert!(sum(color(index, 0.9, 0.1)) > sum(color(index, 0.1, 0.1)), "{index}");
    }
    // x + 1 is lighter than x, and 0 + 1 as light as 1 + 0 nearly.
    assert!(sum(color(1, 0.5, 0.3)) > sum(color(0, 0.5, 0.3)));
    assert!(sum(color(1, 0.02, 0.3)).abs_diff(sum(color(0, 0.98, 0.3))) < 20);
}

fn maps<'a>(xs: &'a [f64], ys: &'a [f64], frames: &'a [MapFrame<'a>]) -> HeatMaps<'a> {
    let (x, y) = (Axis::linear("x axis"), Axis::linear("y axis"));
    HeatMaps { title: "Field", x, y, name: "u", xs, ys, frames }
}

/// Extreme positions and values, wide and high boxes give a picture or an error.
#[test]
fn extremes_do_not_panic() {
    let huge = [f64::MIN, 0.0, f64::MAX];
    let tiny = [0.0, f64::MIN_POSITIVE, 1e-300];
    let unit = unit(3);
    let values = [f64::MIN, -1.0, 0.0, 1e-320, 1.0, f64::MAX, f64::INFINITY, f64::NAN, 2.0];
    let frames = [MapFrame { caption: "t = 10⁻³", values: &values }; 2];
    for (xs, ys) in [(huge, tiny), (tiny, huge), ([0.0, 1e9, 2e9], tiny), (huge, huge)] {
        let _ = maps(&xs, &ys, &frames).draw(Format::Png);
        let _ = heat_map(&xs, &ys, &values).draw(Format::Png);
    }
    assert!(maps(&unit, &[0.0, 100.0, 200.0], &frames).draw(Format::Png).is_ok());
    let log = HeatMap { y: Axis::log("t"), ..heat_map(&unit, &[1e-3, 1.0, 1e3], &values) };
    assert!(log.draw(Format::Png).is_ok());
    let log = HeatMap { y: Axis::log("t"), ..heat_map(&unit, &unit, &values) };
    assert!(matches!(log.draw(Format::Png), Err(PlotError::Position { index: 0, .. })));
}

#[test]
fn columns_may_be_chosen() {
    let xs = unit(3);
    let frames = [MapFrame { caption: "", values: &[1.0; 9] }; 4];
    let size = |columns| {
        let bytes = maps(&xs, &xs, &frames).draw_in_columns(columns, Format::Png).unwrap();
        let picture = Pixmap::decode_png(&bytes).unwrap();
        (picture.width(), picture.height())
    };
    let ((_, one), (_, two), (_, four)) = (size(1), size(2), size(4));
    assert!(one > two && two > four, "{one} {two} {four}");
}

#[test]
fn frames_are_checked() {
    let xs = unit(3);
    let said = |frames: &[MapFrame<'_>]| maps(&xs, &xs, frames).draw(Format::Svg).unwrap_err();
    assert_eq!(said(&[]).to_string(), "there are no frames of u");
    let (good, short, none) = ([1.0; 9], [1.0; 8], [f64::NAN; 9]);
    let frame = |values| MapFrame { caption: "", values };
    let message = "u, frame 1, has 8 values, expected 3 x 3, one for each column of each row";
    assert_eq!(said(&[frame(&good), frame(&short)]).to_string(), message);
    let message = "u has no finite value in 2 frames";
    assert_eq!(said(&[frame(&none), frame(&none)]).to_string(), message);
    assert!(maps(&xs, &xs, &[frame(&none), frame(&good)]).draw(Format::Svg).is_ok());
    let many = vec![frame(&good); 101];
    assert!(matches!(said(&many), PlotError::TooManyMaps { found: 101, most: 100 }));
    let mixed = [0.0, 2.0, 1.0];
    let said = maps(&mixed, &xs, &[frame(&good)]).draw(Format::Svg).unwrap_err();
    assert!(matches!(said, PlotError::Position { index: 2, .. }));
}
