//! Events that stop paths: first passage times against closed forms, and the same bits in whatever
//! tiles, threads and parts.

use hpfracc_equation::Equation;
use hpfracc_sde::noise::{Brownian, BrownianTree};
use hpfracc_sde::{
    Adaptive, Collect, DriftImplicit, Ensemble, EnsembleGradient, EquationModel,
    EquationModelError, EulerMaruyama, FirstPassage, FirstPassageTable, FractionalEulerMaruyama,
    Heun, Milstein, Moments, PathMemory, PathStop, Paths, RowsMut, SavedStates, SdeError, Sra1,
    StochasticScheme, StopTimes, Tolerance,
};
use std::time::Duration;

fn model(text: &str) -> EquationModel {
    EquationModel::new(&Equation::parse(text).unwrap()).unwrap()
}

fn passage(text: &str, paths: usize, steps: usize) -> FirstPassageTable {
    let ensemble = Ensemble::new(paths, steps).unwrap().saving_every(steps / 4).unwrap();
    model(text).simulate::<f64, _>(&ensemble, 5, &FirstPassage::default()).unwrap()
}

/// Distribution function of the normal distribution.
fn normal(x: f64) -> f64 {
    0.5 * (1.0 + hpfracc_special::erf(x / 2f64.sqrt()))
}

/// Shift of a barrier by which paths that are seen at nodes alone act as those of all times:
/// -zeta(1/2)/sqrt(2 pi), of Broadie, Glasserman and Kou.
const SHIFT: f64 = 0.582_597_157_939;

/// First passage of Brownian motion with drift: the inverse Gaussian distribution.
#[test]
fn first_passage_of_brownian_motion() {
    let (mu, sigma, paths, steps) = (0.4f64, 0.8f64, 40_000, 64);
    let text = format!("dX = {mu} dt + {sigma} dW; X(0) = 0; t in [0, 2]; when X = 1 rising: stop");
    let found = passage(&text, paths, steps);
    let h: f64 = 2.0 / steps as f64;
    let distribution = |level: f64, t: f64| {
        let s = sigma * t.sqrt();
        let reflected = (2.0 * mu * level / (sigma * sigma)).exp() * normal((-level - mu * t) / s);
        normal((mu * t - level) / s) + reflected
    };
    let level = 1.0 + SHIFT * sigma * h.sqrt();
    for (t, stopped) in found.times.iter().zip(&found.events[0].stopped_by).skip(1) {
        let (shifted, exact) = (distribution(level, *t), distribution(1.0, *t));
        let share = *stopped as f64 / paths as f64;
        let error = (shifted * (1.0 - shifted) / paths as f64).sqrt();
        println!("t = {t}: {share}, expected {shifted} +- {error}, at all times {exact}");
        assert!((share - shifted).abs() < 4.0 * error, "t = {t}: {share}, {shifted}");
    }
    let last = found.events[0].stopped;
    let far = (distribution(1.0, 2.0) - distribution(level, 2.0)) * paths as f64;
    assert!(distribution(1.0, 2.0) * paths as f64 - last as f64 > 0.5 * far);
    assert_eq!(found.surviving()[4], paths as u64 - last);
}

/// Mean time until an Ornstein-Uhlenbeck process leaves an interval.
#[test]
fn exit_of_an_ornstein_uhlenbeck_process() {
    let (paths, steps, t1) = (20_000, 3000, 12.0f64);
    let text = format!(
        "dX = -X dt + sqrt(2) dW; X(0) = 0; t in [0, {t1}]; when X = 1: stop; when X = -1: stop"
    );
    let found = passage(&text, paths, steps);
    // u'' - x u' = -1, u(+-a) = 0.
    let a = 1.0 + SHIFT * (2.0 * t1 / steps as f64).sqrt();
    let (n, mut inner, mut mean) = (100_000, 0.0, 0.0);
    let dy = a / n as f64;
    for k in 0..n {
        let y = (k as f64 + 0.5) * dy;
        inner += (-0.5 * y * y).exp() * dy;
        mean += (0.5 * y * y).exp() * (inner - 0.5 * (-0.5 * y * y).exp() * dy) * dy;
    }
    let [up, down] = &found.events[..] else { panic!("two events") };
    let stopped = up.stopped + down.stopped;
    assert_eq!(stopped, paths as u64, "of the paths some are not stopped");
    let all = (up.mean * up.stopped as f64 + down.mean * down.stopped as f64) / stopped as f64;
    let error = up.standard_deviation / (stopped as f64).sqrt();
    println!("mean {all} +- {error}, expected {mean}; {} up, {} down", up.stopped, down.stopped);
    assert!((all - mean).abs() < 4.0 * error, "{all} {mean} {error}");
    let half = 0.5 * paths as f64;
    assert!((up.stopped as f64 - half).abs() < 4.0 * (0.25 * paths as f64).sqrt());
}

/// Time at which an equation without noise reaches a level, with order 2.
#[test]
fn crossings_without_noise_are_located() {
    let model = model("dX = -X dt; X(0) = 1; t in [0, 1]; when X = 0.5 falling: stop");
    let error = |steps| {
        let ensemble = Ensemble::new(1, steps).unwrap();
        let stops = model.simulate_with::<f64, _, _>(&Heun, &ensemble, 1, &(StopTimes, Paths));
        let (stops, paths) = stops.unwrap();
        assert!((paths[[0, 0, 0]] - 0.5).abs() < 1e-15, "{paths:?}");
        (stops[0].unwrap().t - 2f64.ln()).abs()
    };
    let errors = [20, 180, 1620].map(error);
    let order = (errors[0] / errors[2]).ln() / 81f64.ln();
    println!("{errors:?}, order {order}");
    assert!((order - 2.0).abs() < 0.2, "{errors:?}");
}

/// Until it stops, a path is that without events; after it, it has the value at the stop.
#[test]
fn stopped_paths_stay_where_they_are() {
    let text = "dX = Y dt; dY = -X dt + 0.5 dW; X(0) = 0; Y(0) = 1; t in [0, 4]";
    let ensemble = Ensemble::new(300, 80).unwrap().saving_every(1).unwrap();
    let free = model(text).simulate::<f64, _>(&ensemble, 3, &Paths).unwrap();
    let stopping = model(&format!("{text}; when X = 1: stop; when X + Y = -1 falling: stop"));
    let (paths, stops) = stopping.simulate::<f64, _>(&ensemble, 3, &(Paths, StopTimes)).unwrap();
    let g = |event: usize, x: f64, y: f64| if event == 0 { x - 1.0 } else { x + y + 1.0 };
    for (path, stop) in stops.iter().enumerate() {
        let crossed = |event: usize, n: usize| {
            let [before, after] =
                [n, n + 1].map(|n| g(event, free[[path, n, 0]], free[[path, n, 1]]));
            let rises = before < 0.0 && after >= 0.0 && event == 0;
            rises || before > 0.0 && after <= 0.0
        };
        let first = (0..80).find(|n| crossed(0, *n) || crossed(1, *n));
        for n in 0..=first.unwrap_or(80) {
            assert_eq!(paths[[path, n, 0]], free[[path, n, 0]], "path {path}, node {n}");
        }
        assert_eq!(first.is_some(), stop.is_some());
        let (Some(first), Some(PathStop { event, t })) = (first, stop) else { continue };
        assert!(crossed(*event, first) && (*t - 0.05 * first as f64).abs() <= 0.05 + 1e-12);
        for n in first + 1..=80 {
            let [x, y] = [paths[[path, n, 0]], paths[[path, n, 1]]];
            assert!(g(*event, x, y).abs() < 1e-14, "path {path}: {x} {y}");
            assert_eq!(x, paths[[path, first + 1, 0]]);
        }
    }
    let stopped = stops.iter().flatten().count();
    assert!(stopped > 100 && stops.iter().flatten().any(|stop| stop.event == 1), "{stopped}");
}

/// The bits do not depend on threads and parts, nor of an interrupted solve on the interruption.
#[test]
fn stops_have_the_same_bits_in_any_parts() {
    let text = "D^0.8 X = 0.2 + 0.7 dW/dt; X(0) = normal(0, 0.1); t in [0, 2]; when X = 1: stop; \
         when X = -1 - t/4 falling: stop";
    let model = model(text);
    let (problem, noise) = (model.problem::<f32>(9).unwrap(), model.noise::<f32>(9).unwrap());
    let scheme = FractionalEulerMaruyama::default();
    let collector = (Moments, (FirstPassage::new(&[0.1, 0.9]).unwrap(), StopTimes));
    let ensemble = Ensemble::new(20_000, 50).unwrap().saving_every(10).unwrap();
    let whole = ensemble.solve(&problem, &scheme, &*noise, &collector).unwrap();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let single = one.install(|| ensemble.solve(&problem, &scheme, &*noise, &collector).unwrap());
    assert_eq!(whole, single);
    let run = ensemble.run(&problem, &scheme, &*noise, &collector).unwrap();
    run.advance_for(Duration::from_millis(1)).unwrap();
    let checkpoint = run.checkpoint();
    assert!(!run.advance_for(Duration::from_micros(1)).unwrap());
    let resumed = ensemble.run(&problem, &scheme, &*noise, &collector).unwrap();
    let resumed = resumed.restore(&checkpoint).unwrap();
    assert_eq!(resumed.finish().unwrap(), whole);
    // Paths in other tiles, and as parts of the ensemble.
    let stops = &whole.1.1;
    let tiles = ensemble.clone().in_tiles_of(48).unwrap();
    assert_eq!(&tiles.solve(&problem, &scheme, &*noise, &StopTimes).unwrap(), stops);
    let part = Ensemble::new(100, 50).unwrap().starting_at(5000);
    let part = part.solve(&problem, &scheme, &*noise, &StopTimes).unwrap();
    assert_eq!(part, stops[5000..5100]);
    // An event with another direction is another problem.
    let other = EquationModel::new(&Equation::parse(&text.replace(" falling", "")).unwrap());
    let other = other.unwrap().problem::<f32>(9).unwrap();
    let foreign = ensemble.run(&other, &scheme, &*noise, &collector).unwrap().restore(&checkpoint);
    assert!(matches!(foreign.unwrap_err(), SdeError::ForeignCheckpoint { .. }));
}

/// Statistics are those of the stop times of all paths.
#[test]
fn statistics_are_those_of_the_stop_times() {
    let model = model("dX = dW; X(0) = 0; t in [0, 3]; when X = 1: stop; when X = -0.5: stop");
    let ensemble = Ensemble::new(5000, 100).unwrap().saving_every(25).unwrap();
    let collector = (FirstPassage::default(), StopTimes);
    let (table, stops) = model.simulate::<f64, _>(&ensemble, 3, &collector).unwrap();
    for (number, event) in table.events.iter().enumerate() {
        let of_event = stops.iter().flatten().filter(|stop| stop.event == number);
        let mut times: Vec<f64> = of_event.map(|stop| stop.t).collect();
        times.sort_by(f64::total_cmp);
        let n = times.len() as f64;
        let mean = times.iter().sum::<f64>() / n;
        let variance = times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / (n - 1.0);
        assert_eq!(event.stopped, times.len() as u64);
        assert!((event.mean - mean).abs() < 1e-12);
        assert!((event.standard_deviation - variance.sqrt()).abs() < 1e-12);
        assert_eq!(event.standard_error(), event.standard_deviation / n.sqrt());
        let median = times[times.len() / 2];
        assert!((event.quantiles[1] / median - 1.0).abs() < 1.0 / 64.0);
        for (t, stopped) in table.times.iter().zip(&event.stopped_by) {
            assert_eq!(*stopped, times.iter().filter(|time| *time <= t).count() as u64);
        }
    }
    let surviving = table.surviving();
    assert_eq!(surviving[4], stops.iter().filter(|stop| stop.is_none()).count() as u64);
}

fn stops<S: StochasticScheme<f64>>(text: &str, scheme: &S) -> Vec<Option<PathStop>> {
    let ensemble = Ensemble::new(200, 64).unwrap();
    model(text).simulate_with(scheme, &ensemble, 3, &StopTimes).unwrap()
}

/// What a stopped path would do next does not matter: coefficients may be infinite at a barrier, and equations of
/// steps unsolvable.
#[test]
fn stopped_paths_do_not_fail() {
    // A Bessel process of dimension 1/2, which reaches 0, with a drift that is infinite there.
    let bessel = "dX = (-0.25/X) dt + dW; X(0) = 0.4; t in [0, 1]; when X = 0.02 falling: stop";
    let paths = stops(bessel, &EulerMaruyama);
    assert!(paths.iter().flatten().count() > 100);
    // After the stops, at t = 1/3, steps from the values of stopped paths have no solution.
    let explosive =
        "dX = (1 + 1e4 pos(t - 0.7)) X^2 dt + 0.05 dW; X(0) = 1; t in [0, 1]; when X = 1.5: stop";
    for stops in [stops(explosive, &EulerMaruyama), stops(explosive, &DriftImplicit::default())] {
        assert!(stops.iter().all(Option::is_some));
    }
    let tree = BrownianTree::new(3, 1).unwrap();
    let (problem, ensemble) =
        (model(explosive).problem::<f64>(3).unwrap(), Ensemble::new(200, 64).unwrap());
    let tolerance = Tolerance { absolute: 1e-3, relative: 1e-3 };
    let adaptive = Adaptive::new(Sra1, tree, tolerance).unwrap();
    let stops = ensemble.solve(&problem, &adaptive, &tree, &StopTimes).unwrap();
    assert!(stops.iter().all(Option::is_some));
}

#[test]
fn an_event_at_the_start_stops_at_once() {
    let text = "dX = dt + dW; X(2) = 1; t in [2, 3]; when X = 1 falling: stop";
    let stops = stops(text, &Milstein);
    assert!(stops.iter().all(|stop| *stop == Some(PathStop { event: 0, t: 2.0 })), "{stops:?}");
    let rising = "dX = -dt; X(0) = 1; t in [0, 3]; when X = 0 rising: stop";
    assert!(crate::stops(rising, &EulerMaruyama).iter().all(Option::is_none));
}

#[test]
fn what_cannot_be_stopped_is_an_error() {
    let ensemble = Ensemble::new(20, 100).unwrap();
    let logarithm = model("dX = -0.1 dt + 0.3 dW; X(0) = 1; t in [0, 9]; when ln(X) = -3: stop");
    // The path jumps over e^-3 to a negative value.
    let coarse = Ensemble::new(200, 10).unwrap();
    let error = logarithm.simulate::<f64, _>(&coarse, 3, &StopTimes).unwrap_err();
    let EquationModelError::Problem(SdeError::EventNotFinite { path, event, t }) = error else {
        panic!("{error}")
    };
    println!("{error}");
    assert!(path < 200 && event == 0 && t > 0.0 && t <= 9.0);
    let free = model("dX = dW; X(0) = 1; t in [0, 1]");
    for error in [
        free.simulate::<f64, _>(&ensemble, 3, &StopTimes).map(|_| ()).unwrap_err(),
        free.simulate::<f64, _>(&ensemble, 3, &FirstPassage::default()).map(|_| ()).unwrap_err(),
    ] {
        assert!(error.to_string().contains("number of events that stop paths is 0"), "{error}");
    }
    let jumping = Equation::parse("dX = dW; X(0) = 0; t in [0, 1]; when X = 1: X = 0").unwrap();
    let error = EquationModel::new(&jumping).unwrap_err();
    assert!(error.to_string().contains("no jumps at events, only stops"), "{error}");
    let stopping = model("dX = dW; X(0) = 0; t in [0, 1]; when X = 1: stop");
    let error = stopping.differentiable::<f64>().unwrap_err();
    assert!(error.to_string().contains("do not differentiate the stops"), "{error}");
    let loss = |_: SavedStates<'_, f64>, _: &mut [f64], _: RowsMut<'_, f64>| {};
    let free = free.differentiable::<f64>().unwrap();
    let event = hpfracc_sde::StopEvent::new(|_, x: hpfracc_sde::Rows<'_, f64>, g: &mut [f64]| {
        g.copy_from_slice(&x[0]);
    });
    let (problem, noise) = (free.stopping_when(event), Brownian::new(1, 1).unwrap());
    let gradient = EnsembleGradient::new(ensemble);
    let error = gradient.solve(&problem, &EulerMaruyama, &noise, &loss).unwrap_err();
    assert!(matches!(error, SdeError::StopsNotDifferentiated));
}

/// All memories of a fractional equation see the same stops.
#[test]
fn fractional_equations_stop() {
    let text = "D^0.7 X = -X + 0.8 dW/dt; X(0) = 0.5; t in [0, 1]; when X = 1: stop";
    let found =
        [PathMemory::Direct, PathMemory::Blocked, PathMemory::Exponentials { tolerance: 1e-10 }]
            .map(|memory| stops(text, &FractionalEulerMaruyama::new(memory)));
    assert!(found[0].iter().flatten().count() > 50);
    for other in &found[1..] {
        for (a, b) in found[0].iter().zip(other) {
            assert!(a.zip(*b).map_or(a == b, |(a, b)| (a.t - b.t).abs() < 1e-6), "{a:?} {b:?}");
        }
    }
}

/// A collector sees no stops of a problem without events.
#[test]
fn without_events_no_stops_are_recorded() {
    struct NoStops;
    impl Collect<f64> for NoStops {
        type Shard = ();
        type Output = ();
        fn shard(&self, _: &hpfracc_sde::Layout) {}
        fn record(&self, (): &mut (), _: hpfracc_sde::RecordIndex, _: hpfracc_sde::Rows<'_, f64>) {}
        fn record_stops(&self, (): &mut (), _: usize, _: &[Option<PathStop>]) {
            panic!("stops without events");
        }
        fn merge(&self, (): &mut (), (): ()) {}
        fn save(&self, (): &(), _: &mut Vec<u64>) {}
        fn restore(
            &self,
            _: &hpfracc_sde::Layout,
            _: &mut hpfracc_sde::SavedWords<'_>,
        ) -> Option<()> {
            Some(())
        }
        fn finish(&self, _: &hpfracc_sde::Layout, (): ()) {}
    }
    let ensemble = Ensemble::new(20, 10).unwrap();
    model("dX = dW; X(0) = 1; t in [0, 1]").simulate(&ensemble, 3, &NoStops).unwrap();
}
