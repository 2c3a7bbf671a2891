//! `hpfracc diff --plot`.

use crate::command::Folder;

fn wave() -> String {
    let rows = (0..400).map(|j| match j {
        100..110 => format!("{j},\n"),
        _ => format!("{j},{}\n", (f64::from(j) / 20.0).sin()),
    });
    "t,a<b&c\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn svg_is_well_formed_and_names_what_it_shows() {
    let folder = Folder::with(&[("wave.csv", &wave())]);
    let words = "diff --operator caputo --alpha 0.5 --missing interpolate wave.csv --plot p.svg";
    let run = folder.run(words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let svg = String::from_utf8(folder.read("p.svg")).unwrap();
    let options = resvg::usvg::Options::default();
    let tree = resvg::usvg::Tree::from_str(&svg, &options).unwrap();
    assert_eq!((tree.size().width(), tree.size().height()), (960.0, 640.0));
    for text in ["caputo, scheme l1, order 0.5", "a&lt;b&amp;c", "filled linearly (10 values)"] {
        assert!(svg.contains(text), "{text}");
    }
    // Input, filled part and result, each in its colour.
    for color in ["#0072B2", "#E69F00", "#D55E00"] {
        assert!(svg.contains(color), "{color}");
    }
}

#[test]
fn a_name_cannot_break_the_svg() {
    let folder = Folder::with(&[("x.csv", "t,a\u{1}b\u{ffff}\u{1b}c\n0,1\n1,2\n2,4\n")]);
    for picture in ["p.svg", "p.png"] {
        let run = folder.run(&format!("diff --operator caputo --alpha 0.5 x.csv -p {picture}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let svg = String::from_utf8(folder.read("p.svg")).unwrap();
    resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default()).unwrap();
    assert!(svg.contains("a\u{fffd}b\u{fffd}\u{fffd}c"));
}

#[test]
fn png_shows_both_curves() {
    let folder = Folder::with(&[("wave.csv", &wave())]);
    let words =
        "diff --operator caputo --alpha 0.5 --missing interpolate wave.csv -o o.csv -p p.png";
    let run = folder.run(words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&folder.read("p.png")).unwrap();
    assert_eq!((pixels.width(), pixels.height()), (1920, 1280));
    let count = |upper: bool, color: (u8, u8, u8)| {
        let half = pixels.pixels().len() / 2;
        let part = if upper { &pixels.pixels()[..half] } else { &pixels.pixels()[half..] };
        part.iter().filter(|p| (p.red(), p.green(), p.blue()) == color).count()
    };
    assert!(count(true, (0, 114, 178)) > 2000);
    assert!(count(false, (213, 94, 0)) > 2000);
    assert!(count(true, (230, 159, 0)) > 100);
    assert_eq!(count(true, (213, 94, 0)), 0);
}
