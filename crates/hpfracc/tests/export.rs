//! Results in files: CSV that reads back to the same bits, and pictures.

#![cfg(feature = "plot")]

use hpfracc::nn::trainer::{Epoch, Step};
use hpfracc::plot::{Format, PlotError};
use hpfracc::prelude::*;
use hpfracc::sde::SdeError;
use hpfracc::sde::models::{FractionalLangevin, RoughHeston};
use std::fs;
use std::path::Path;

/// Columns of a CSV file.
fn read(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), names.len(), "{line}");
        columns.iter_mut().zip(cells).for_each(|(c, cell)| c.push(cell.parse().unwrap()));
    }
    (names, columns)
}

/// Writes all files of a result, and returns its columns and its SVG.
fn written(result: &(impl Export + ?Sized)) -> (Vec<String>, Vec<Vec<f64>>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    result.write_csv(path("x.csv")).unwrap();
    result.plot(path("x.svg")).unwrap();
    result.plot(path("x.png")).unwrap();
    assert!(fs::read(path("x.png")).unwrap().starts_with(b"\x89PNG"));
    // An unknown format and a missing folder leave nothing.
    assert!(matches!(result.plot(path("x.pdf")), Err(PlotError::Format { .. })));
    assert!(matches!(result.plot(path("no/x.svg")), Err(PlotError::Write { .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    let (names, columns) = read(&path("x.csv"));
    (names, columns, fs::read_to_string(path("x.svg")).unwrap())
}

fn labelled(svg: &str, text: &str) -> bool {
    svg.contains(&format!("aria-label=\"{text}\""))
}

#[test]
fn solutions_of_every_kind_of_steps() {
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0, -2.0]], |_t, y, dydt| {
        dydt[0] = -y[0];
        dydt[1] = -y[1];
    })
    .unwrap();
    let adaptive =
        Steps::Adaptive { rtol: 1e-6, atol: 1e-6, min_step: 0.0, max_step: f64::INFINITY };
    let graded = Steps::Given(Mesh::graded(40, 1.0, 2.0).unwrap().points().to_vec());
    let solutions = [
        solve(&problem, &Collocation::default(), &adaptive, Options::default()).unwrap(),
        solve(&problem, &L1, &graded, Options::default()).unwrap(),
        solve(&problem, &L1, &Steps::Uniform(20), Options::default()).unwrap(),
    ];
    for solution in &solutions {
        let (names, columns, svg) = written(solution);
        assert_eq!(names, ["t", "y0", "y1"]);
        assert_eq!(columns[0], solution.times());
        for i in 0..2 {
            assert_eq!(columns[i + 1], solution.states().column(i).to_vec());
        }
        assert!(labelled(&svg, "y0") && labelled(&svg, "t"));
        assert_eq!(written(solution.trajectory()).1, columns);
    }
    // Few elements are drawn with dense output between them: the first curve has many points.
    let nodes = solutions[0].times().len();
    let svg = String::from_utf8(solutions[0].draw(Format::Svg).unwrap()).unwrap();
    let longest = svg.split("<polyline").map(|line| line.matches(',').count()).max().unwrap();
    assert!(nodes < 60 && longest > 500, "{nodes} {longest}");
}

#[test]
fn ensembles() {
    let model = RoughHeston::default();
    let ensemble = Ensemble::new(100, 12).unwrap().saving_every(3).unwrap();
    let quantiles = Quantiles::new(&[0.95, 0.05, 0.5]).unwrap();
    let collectors = ((Moments, Paths), quantiles);
    let ((moments, paths), quantiles) =
        model.simulate::<f32, _>(&ensemble, (0.0, 1.0), 1, &collectors).unwrap();

    let (names, columns, svg) = written(&moments);
    let expected =
        ["t", "mean(x0)", "variance(x0)", "covariance(x0;x1)", "mean(x1)", "variance(x1)"];
    assert_eq!(names, expected);
    assert_eq!(columns[0], moments.times);
    assert_eq!(columns[4], moments.mean.column(1).to_vec());
    assert!((0..5).all(|n| columns[3][n] == moments.covariance[[n, 0, 1]]));
    for text in ["mean", "1 standard deviation", "2 standard deviations", "100 paths", "x1"] {
        assert!(labelled(&svg, text), "{text}");
    }

    let (names, columns, svg) = written(&quantiles);
    assert_eq!(names[..5], ["t", "least(x0)", "q0.95(x0)", "q0.05(x0)", "q0.5(x0)"]);
    assert!((0..5).all(|n| columns[3][n] == quantiles.values[[n, 0, 1]]));
    for text in ["5 to 95 %", "median"] {
        assert!(labelled(&svg, text), "{text}");
    }

    let sampled = SampledPaths::new(&moments.times, paths.view()).unwrap();
    let (names, columns, svg) = written(&sampled);
    assert_eq!((names.len(), &names[1][..], &names[4][..]), (201, "x0[0]", "x1[1]"));
    assert!((0..5).all(|n| columns[4][n] == f64::from(paths[[1, n, 1]])));
    assert!(labelled(&svg, "50 of 100 paths"));
    let refused = SampledPaths::new(&moments.times[1..], paths.view());
    assert!(matches!(refused, Err(PlotError::Length { found: 5, expected: 4, .. })));
}

/// Paths of a noise start at 0 and end at the sums of their increments.
#[test]
fn paths_of_noise() {
    let noise = FractionalBrownian::<f64>::new(3, &[0.3, 0.9]).unwrap();
    let sampled = SampledPaths::of_noise(&noise, 2.0, 50, 4).unwrap();
    let (names, columns, _) = written(&sampled);
    assert_eq!(names[..3], ["t", "x0[0]", "x1[0]"]);
    assert_eq!((columns[0].len(), columns[0][50], columns[1][0]), (51, 2.0, 0.0));
    let tile = hpfracc::noise::Tile { first_path: 0, lanes: 4, steps: 50, h: 0.04 };
    let mut increments = vec![0.0; 2 * 4 * 50];
    noise.fill_paths(tile, &mut increments).unwrap();
    // By component, path and step.
    let sum: f64 = increments[4 * 50..5 * 50].iter().sum();
    assert!((columns[2][50] - sum).abs() < 1e-12);
    assert!(SampledPaths::of_noise(&noise, 2.0, 0, 4).is_err());
    assert!(SampledPaths::of_noise(&noise, 2.0, 50, 0).is_err());
    // A petabyte of paths whose tile of noise alone is small.
    let (white, steps) = (Brownian::new(3, 1).unwrap(), 1 << 47);
    let refused = SampledPaths::of_noise(&white, 2.0, steps, 1).unwrap_err();
    let SdeError::TooLarge { bytes, available, .. } = refused else { panic!("{refused}") };
    assert!(bytes >= 8 << 47 && bytes > available);
}

#[test]
fn trainings() {
    let epoch = |epoch: u64, validation| Epoch {
        epoch,
        step: 10 * (epoch + 1),
        loss: 1.0 / (epoch + 1) as f64,
        validation,
        best: false,
    };
    let epochs = [epoch(0, None), epoch(1, Some(0.7)), epoch(2, Some(0.6))];
    let (names, columns, svg) = written(&epochs[..]);
    assert_eq!(names, ["step", "training", "validation"]);
    assert_eq!((columns[1][2], columns[2][1]), (1.0 / 3.0, 0.7));
    assert!(columns[2][0].is_nan());
    // A logarithmic axis.
    assert!(labelled(&svg, "10⁻¹") && labelled(&svg, "Loss"));
    assert_eq!(written(&epochs[..1]).0, ["step", "training"]);
    let none: [Step; 0] = [];
    assert!(matches!(none[..].table(), Err(PlotError::Empty { .. })));
}

/// Outputs of operators over a grid and over a mesh.
#[test]
fn operators() {
    let grid = Grid::uniform(100, 0.1).unwrap();
    let signal: Array1<f64> = grid.points().map(f64::sin).collect();
    let half = Caputo::l1(Order::new(0.5).unwrap()).unwrap().on(grid, &Machine::detect()).unwrap();
    let derivative = half.apply(signal.view()).unwrap();
    let table = Table::new("t", grid.points()).with("f", signal).with("D f", derivative.clone());
    let folder = tempfile::tempdir().unwrap();
    table.write_csv(folder.path().join("half.csv")).unwrap();
    let (names, columns) = read(&folder.path().join("half.csv"));
    assert_eq!((names[2].as_str(), &columns[2]), ("D f", &derivative.to_vec()));
    table.plot(folder.path().join("half.svg")).unwrap();
}

/// A particle in a trap: the picture of the moments has a chart.
#[test]
fn moments_of_one_component() {
    let ensemble = Ensemble::new(50, 10).unwrap();
    let model = FractionalLangevin::default();
    let moments = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 2, &Moments).unwrap();
    assert_eq!(written(&moments).0, ["t", "mean(x)", "variance(x)"]);
}
