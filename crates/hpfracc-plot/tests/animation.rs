//! Animated PNG, played back: frames, sizes, delays and pixels.

use hpfracc_plot::{
    Animation, Axis, Curve, HeatMaps, MapFrame, Mark, PlotError, Profile, Profiles,
};
use std::fs;
use std::io::Cursor;
use std::time::Duration;

/// Frames of an animation as a player shows them.
struct Film {
    size: (u32, u32),
    /// Red, green and blue of each pixel.
    frames: Vec<Vec<u8>>,
    /// Numerator and denominator of each delay in seconds.
    delays: Vec<(u16, u16)>,
    /// Number of repetitions, 0 for an endless loop.
    plays: u32,
}

impl Film {
    fn play(bytes: &[u8]) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let size = (reader.info().width, reader.info().height);
        let control = *reader.info().animation_control().unwrap();
        let mut screen = vec![0; 3 * (size.0 * size.1) as usize];
        let (mut frames, mut delays) = (Vec::new(), Vec::new());
        for _ in 0..control.num_frames {
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            assert_eq!((info.width, info.height), (frame.width, frame.height));
            let width = 3 * frame.width as usize;
            for (row, line) in pixels.chunks_exact(width).take(frame.height as usize).enumerate() {
                let place = (frame.y_offset as usize + row) * size.0 as usize;
                let at = 3 * (place + frame.x_offset as usize);
                screen[at..at + width].copy_from_slice(line);
            }
            frames.push(screen.clone());
            delays.push((frame.delay_num, frame.delay_den));
        }
        Self { size, frames, delays, plays: control.num_plays }
    }

    fn color(&self, frame: usize, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y * self.size.0 + x) as usize;
        [0, 1, 2].map(|k| self.frames[frame][at + k])
    }

    /// Light at a place of a square map: (0, 0) lower left, (1, 1) upper right.
    fn light(&self, frame: usize, x: f64, y: f64) -> u32 {
        let at = [80.0 + 512.0 * x, 74.0 + 512.0 * (1.0 - y)].map(|at| at as u32);
        self.color(frame, at[0], at[1]).iter().map(|channel| u32::from(*channel)).sum()
    }
}

fn unit(n: u32) -> Vec<f64> {
    (0..n).map(|k| f64::from(k) / f64::from(n - 1)).collect()
}

fn field(xs: &[f64], value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    xs.iter().flat_map(|y| xs.iter().map(|x| value(*x, *y)).collect::<Vec<_>>()).collect()
}

fn frames<'a>(values: &'a [Vec<f64>], captions: &'a [String]) -> Vec<MapFrame<'a>> {
    let pairs = values.iter().zip(captions);
    pairs.map(|(values, caption)| MapFrame { caption, values }).collect()
}

fn maps<'a>(xs: &'a [f64], frames: &'a [MapFrame<'a>]) -> Animation<'a> {
    let (x, y) = (Axis::linear("x"), Axis::linear("y"));
    Animation::Maps(HeatMaps { title: "u", x, y, name: "u", xs, ys: xs, frames })
}

fn captions(count: usize) -> Vec<String> {
    (0..count).map(|k| format!("t = {k}")).collect()
}

const DELAY: Duration = Duration::from_millis(120);

/// Few cells are rectangles, many are an image.
#[test]
fn maps_are_upright_and_share_their_colors() {
    for n in [6, 100] {
        let xs = unit(n);
        let values = [
            field(&xs, |x, _| x),
            field(&xs, |_, y| y),
            field(&xs, |x, y| if x > y { 2.0 } else { f64::NAN }),
        ];
        let captions = captions(3);
        let frames = frames(&values, &captions);
        let film = Film::play(&maps(&xs, &frames).encode(DELAY).unwrap());
        assert_eq!((film.frames.len(), film.plays), (3, 0));
        assert_eq!(film.delays, [(120, 1000); 3]);
        assert_eq!(film.size, (80 + 512 + 24 + 118, 44 + 30 + 512 + 24 + 36 + 22));
        for side in [0.1, 0.9] {
            assert!(film.light(0, 0.9, side) > film.light(0, 0.1, side) + 100, "{n}");
            assert!(film.light(1, side, 0.9) > film.light(1, side, 0.1) + 100, "{n}");
        }
        // One scale: half of 2 in the first frame is the lightest there, and 2 is lighter.
        assert_eq!(film.light(0, 0.95, 0.5), film.light(1, 0.5, 0.95), "{n}");
        assert!(film.light(2, 0.9, 0.1) > film.light(0, 0.99, 0.5), "{n}");
        assert_eq!(film.light(2, 0.1, 0.9), 3 * 184, "{n}");
        // Bar and frame stay, the caption changes.
        let same = |y: u32| (600..film.size.0).all(|x| film.color(0, x, y) == film.color(2, x, y));
        assert!((0..film.size.1).all(same), "{n}");
        let below = 44 + 30 + 512 + 24..44 + 30 + 512 + 24 + 30;
        let changed = |y: u32| (0..600).any(|x| film.color(0, x, y) != film.color(1, x, y));
        assert!(below.into_iter().any(changed), "{n}");
    }
}

#[test]
fn equal_frames_and_one_frame_are_films() {
    let xs = unit(4);
    let values = vec![field(&xs, |x, y| x * y); 3];
    let same = vec!["t".to_owned(); 3];
    let all = frames(&values, &same);
    let bytes = maps(&xs, &all).encode(DELAY).unwrap();
    let film = Film::play(&bytes);
    assert!(film.frames.len() == 3 && film.frames.iter().all(|frame| *frame == film.frames[0]));
    let one = maps(&xs, &all[..1]).encode(DELAY).unwrap();
    assert_eq!(Film::play(&one).frames, film.frames[..1]);
    // Equal frames cost a pixel.
    assert!(bytes.len() < one.len() + 300, "{} {}", bytes.len(), one.len());
}

/// A field of 256 x 256 cells has less than 100 kB per frame.
#[test]
fn films_are_small_and_reproducible() {
    let xs = unit(256);
    let bump = |t: f64, x: f64, y: f64| {
        let (x, y) = (x - 0.5 - 0.2 * t.cos(), y - 0.5 - 0.2 * t.sin());
        (-20.0 * (x * x + y * y) / (1.0 + t)).exp() + 0.1 * (30.0 * x * y).sin()
    };
    let values: Vec<Vec<f64>> =
        (0..4).map(|k| field(&xs, |x, y| bump(f64::from(k), x, y))).collect();
    let captions = captions(4);
    let frames = frames(&values, &captions);
    let bytes = maps(&xs, &frames).encode(DELAY).unwrap();
    assert!(bytes.len() < 400_000, "{}", bytes.len());
    assert_eq!(maps(&xs, &frames).encode(DELAY).unwrap(), bytes);
}

fn profiles<'a>(frames: &'a [Profile<'a>]) -> Animation<'a> {
    let (x, y) = (Axis::linear("x"), Axis::linear("u"));
    Animation::Profiles(Profiles { title: "u", x, y, frames })
}

#[test]
fn profiles_have_the_same_axes_in_all_frames() {
    let x = unit(20);
    let heights = [0.0, 1.0, 2.0].map(|height| vec![height; 20]);
    let curves: Vec<[Curve<'_>; 1]> = heights.iter().map(|u| [Curve::line("", &x, u, 0)]).collect();
    let captions = captions(3);
    let frames: Vec<Profile<'_>> =
        curves.iter().zip(&captions).map(|(curves, caption)| Profile { caption, curves }).collect();
    let film = Film::play(&profiles(&frames).encode(DELAY).unwrap());
    assert_eq!((film.size, film.frames.len(), film.plays), ((960, 560), 3, 0));
    assert_eq!(film.delays, [(120, 1000); 3]);
    let line = |frame: usize| {
        let blue = |y: &u32| {
            let [red, _, blue] = film.color(frame, 500, *y);
            blue > red.saturating_add(40)
        };
        (0..film.size.1).find(blue).unwrap()
    };
    let rows = [0, 1, 2].map(line);
    // u goes upward, by the same height each time.
    assert!(rows[0] > rows[1] + 100 && (rows[0] - rows[1]).abs_diff(rows[1] - rows[2]) <= 1);
    // Labels of the axes stay.
    let same = |x: u32| (0..560).all(|y| film.color(0, x, y) == film.color(2, x, y));
    assert!((0..78).all(same));
}

#[test]
fn films_are_written_completely_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.png");
    let xs = unit(4);
    let (values, captions) = (vec![field(&xs, |x, y| x - y)], captions(1));
    let frames = frames(&values, &captions);
    let film = maps(&xs, &frames);
    film.write(&path, DELAY).unwrap();
    let bytes = film.encode(DELAY).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    let short = [MapFrame { caption: "", values: &values[0][..3] }];
    let said = maps(&xs, &short).write(&path, DELAY).unwrap_err();
    assert!(matches!(said, PlotError::Cells { found: 3, columns: 4, rows: 4, .. }));
    assert!(matches!(film.write(&path, Duration::ZERO), Err(PlotError::Delay { .. })));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let nowhere = folder.path().join("none").join("film.png");
    assert!(matches!(film.write(nowhere, DELAY), Err(PlotError::Write { .. })));
}

#[test]
fn inputs_are_checked() {
    let said = |film: Animation<'_>| film.encode(DELAY).unwrap_err().to_string();
    assert_eq!(said(maps(&[0.0], &[])), "there are no frames of u");
    assert_eq!(said(profiles(&[])), "there are no frames of curves");
    let (x, u) = ([0.0, 1.0], [f64::NAN; 2]);
    let profile = |curves| Profile { caption: "", curves };
    let none = [Curve::line("u", &x, &u, 0)];
    let message = "the curves of 2 frames have no finite value";
    assert_eq!(said(profiles(&[profile(&none), profile(&[])])), message);
    let short = [Curve::line("u", &x, &u[..1], 0).marked(Mark::Dots)];
    let message = "column `u` has 1 values, column `x` has 2";
    assert_eq!(said(profiles(&[profile(&none), profile(&short)])), message);
}
