use crate::{SIZES, errors, network, number};
use hpfracc_communicator::{Communicator, Metered, Ranks, run_threads};
use hpfracc_nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::trainer::{End, Event, RunFolder, Trained, Trainer, TrainerError, Training};
use hpfracc_nn::{
    Batch, Loss, LossResult, LossScale, Network, Objective, ParameterBlock, Schedule, Storage,
    Supervised, Targets,
};
use hpfracc_sde::{PathMemory, SdeError};
use ndarray::{Array2, Array3};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

type Fit = Supervised<f64, Network>;

fn fit(samples: usize, shift: usize) -> Fit {
    let x = Array2::from_shape_fn((samples, 2), |(i, j)| number(2 * i + j + shift));
    let y = Array2::from_shape_fn((samples, 1), |(i, _)| number(i + 40 + shift));
    let targets = Targets::Values(y, Loss::MeanSquare);
    Supervised::new(network(&[2, 6, 1]), x, targets).unwrap().in_tiles_of(5).unwrap()
}

/// Noise of the data is learned, so that early stopping ends the training.
fn training() -> Training {
    Training {
        schedule: Schedule::Cosine { from: 0.05, to: 0.01, steps: 100 },
        loss_scale: Some(LossScale::default()),
        clip: Some(0.5),
        patience: Some(2),
        epochs: 60,
        batch: 33,
        seed: 5,
        ..Training::default()
    }
}

struct Data {
    objective: Fit,
    judged: Fit,
}

impl Data {
    fn new() -> Self {
        Self { objective: fit(90, 0), judged: fit(41, 1000) }
    }

    fn trainer<'a>(&'a self, ranks: Ranks<'a>, folder: Option<&Path>) -> Trainer<'a, f64> {
        let folder = folder.map(|path| RunFolder { every: Some(2), ..RunFolder::new(path) });
        Trainer {
            validation: Some(&self.judged),
            resume: folder.is_some(),
            folder,
            ranks,
            ..Trainer::new(&self.objective, training())
        }
    }
}

fn silent(_: &Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Breaks after this number of steps of the run.
fn breaking_after(steps: usize) -> impl FnMut(&Event<'_>) -> ControlFlow<()> {
    let mut count = 0;
    move |event| {
        count += usize::from(matches!(event, Event::Step(_)));
        if count >= steps { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The folder of rank 0; that of other ranks cannot be written.
fn folder_of<'a>(ranks: Ranks<'_>, first: &'a Path) -> &'a Path {
    if ranks.is_first() { first } else { Path::new("/dev/null/nowhere") }
}

#[test]
fn whole_trainings_with_validation_and_early_stopping() {
    let data = Data::new();
    let expected = data.trainer(Ranks::ALONE, None).run(silent).unwrap();
    assert_eq!(expected.end, End::Patience);
    assert!(expected.epochs > 3, "{}", expected.epochs);
    for size in SIZES {
        let found = run_threads(size, |ranks| data.trainer(ranks.into(), None).run(silent));
        assert!(found.unwrap().iter().all(|found| *found == expected), "{size} ranks");
    }
}

/// Trains until a break after some steps, on this number of ranks.
fn advance(data: &Data, path: &Path, size: usize, steps: usize) -> Vec<Trained<f64>> {
    let found = run_threads(size, |ranks| {
        let ranks: Ranks<'_> = ranks.into();
        let trainer = data.trainer(ranks, Some(folder_of(ranks, path)));
        trainer.run(breaking_after(steps))
    });
    found.unwrap()
}

/// Only rank 0 can write its folder; the files are those of one process.
#[test]
fn resumed_with_other_numbers_of_ranks() {
    let data = Data::new();
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let expected = data.trainer(Ranks::ALONE, Some(&whole)).run(silent).unwrap();
    let path = folder.path().join("ranks");
    let mut ends = vec![];
    for (size, steps) in [(3, 2), (1, 4), (2, 1), (7, 5), (4, usize::MAX)] {
        let trained = advance(&data, &path, size, steps);
        assert!(trained.iter().all(|of_rank| *of_rank == trained[0]), "{size} ranks");
        ends.push(trained[0].end);
        if steps == usize::MAX {
            assert_eq!(trained[0], expected);
        }
    }
    assert_eq!(ends[..4], [End::Cancelled; 4]);
    let files = |of: &Path| {
        let mut files = vec![fs::read(of.join("metrics.jsonl")).unwrap()];
        let folder = fs::read_dir(of.join("checkpoints")).unwrap();
        let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        files.extend(paths.iter().map(|path| fs::read(path).unwrap()));
        files
    };
    assert_eq!(files(&path), files(&whole));
    assert!(files(&path).len() > 2);
}

/// A damaged checkpoint is laid aside by rank 0, which has all events of files.
#[test]
fn events_of_files_are_those_of_rank_0() {
    let data = Data::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    advance(&data, &path, 2, 5);
    let mut files: Vec<_> =
        fs::read_dir(path.join("checkpoints")).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    fs::write(files.last().unwrap(), b"hpftrain").unwrap();
    let events = run_threads(3, |ranks| {
        let ranks: Ranks<'_> = ranks.into();
        let mut counts = [0; 4];
        let trainer = data.trainer(ranks, Some(folder_of(ranks, &path)));
        let trained = trainer.run(|event| {
            let of_files = matches!(event, Event::Saved { .. } | Event::Damaged { .. });
            counts[0] += usize::from(of_files);
            counts[1] += usize::from(matches!(event, Event::Resumed { .. }));
            counts[2] += usize::from(matches!(event, Event::Step(_)));
            counts[3] += usize::from(matches!(event, Event::Epoch(_)));
            ControlFlow::Continue(())
        });
        trained.map(|trained| (counts, trained))
    });
    let events = events.unwrap();
    let expected = data.trainer(Ranks::ALONE, None).run(silent).unwrap();
    assert!(events.iter().all(|(_, trained)| *trained == expected));
    let [saved, resumed, steps, epochs] = events[0].0;
    assert!(saved > 2 && resumed == 1 && steps > 3 && epochs > 1, "{:?}", events[0].0);
    assert!(events[1..].iter().all(|(counts, _)| *counts == [0, 0, steps, epochs]));
}

#[test]
fn an_observer_that_breaks_on_one_rank_ends_all() {
    let data = Data::new();
    let expected = data.trainer(Ranks::ALONE, None).run(breaking_after(4)).unwrap();
    let found = run_threads(3, |ranks| {
        let last = if ranks.rank() == 1 { 4 } else { usize::MAX };
        data.trainer(ranks.into(), None).run(breaking_after(last))
    });
    let found = found.unwrap();
    assert_eq!((found[0].end, found[0].steps), (End::Cancelled, 4));
    assert!(found.iter().all(|found| *found == expected));
}

#[test]
fn ranks_with_other_trainings_are_refused() {
    let (data, longer) = (Data::new(), fit(91, 0));
    let wider = fit_of_width(7);
    let refused = |change: &(dyn Fn(&mut Trainer<'_, f64>) + Sync)| {
        let messages = errors(3, |ranks| {
            let mut trainer = data.trainer(ranks, None);
            if ranks.rank() == 2 {
                change(&mut trainer);
            }
            trainer.run(silent)
        });
        assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
        messages[0].clone()
    };
    let fact = |trainer: &mut Trainer<'_, f64>| trainer.facts = vec![("data".into(), "b".into())];
    assert!(refused(&fact).contains("rank 2 and rank 0 differ in"));
    let seed = refused(&|trainer| trainer.training.seed = 6);
    assert!(seed.contains("rank 2 and rank 0 differ in seed: `6` and `5`"), "{seed}");
    let epochs = refused(&|trainer| trainer.training.epochs = 6);
    assert!(epochs.contains("differ in epochs: `6` and `60`"), "{epochs}");
    let folder = refused(&|trainer| trainer.folder = Some(RunFolder::new("/dev/null/nowhere")));
    assert!(folder.contains("differ in the checkpoints, every and keep,"), "{folder}");
    let of = |other: &Fit| {
        let messages = errors(2, |ranks| {
            let trainer = data.trainer(ranks, None);
            let objective = if ranks.is_first() { &data.objective } else { other };
            Trainer { objective, ..trainer }.run(silent)
        });
        messages[1].clone()
    };
    let samples = of(&longer);
    assert!(samples.contains("differ in the number of samples: `91` and `90`"), "{samples}");
    // Its validation objective has other parameters: rank 1 finds it.
    assert!(of(&wider).contains("the validation objective has the size"), "{}", of(&wider));
}

fn fit_of_width(hidden: usize) -> Fit {
    let (x, y) = (Array2::zeros((90, 2)), Array2::zeros((90, 1)));
    Supervised::new(network(&[2, hidden, 1]), x, Targets::Values(y, Loss::MeanSquare)).unwrap()
}

/// A folder of another training, and files that cannot be written.
#[test]
fn errors_of_files_are_those_of_all_ranks() {
    let data = Data::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    advance(&data, &path, 2, 5);
    let fresh = |ranks: Ranks<'_>| {
        let mut trainer = data.trainer(ranks, Some(folder_of(ranks, &path)));
        trainer.resume = false;
        trainer.run(silent)
    };
    let messages = errors(3, fresh);
    assert!(messages[0].contains("exists already"), "{}", messages[0]);
    let elsewhere = format!("rank 0: {}", messages[0]);
    assert!(messages[1..].iter().all(|message| *message == elsewhere), "{messages:?}");
    // The folder of checkpoints vanishes after some steps.
    let messages = errors(3, |ranks| {
        let mut count = 0;
        data.trainer(ranks, Some(folder_of(ranks, &path))).run(|event| {
            count += usize::from(matches!(event, Event::Step(_)));
            if ranks.is_first() && count == 3 {
                let _ = fs::remove_dir_all(path.join("checkpoints"));
            }
            ControlFlow::Continue(())
        })
    });
    assert!(messages[0].contains("cannot"), "{}", messages[0]);
    let elsewhere = format!("rank 0: {}", messages[0]);
    assert!(messages[1..].iter().all(|message| *message == elsewhere), "{messages:?}");
}

/// What a step sends besides the gradient.
#[test]
fn decisions_take_few_bytes() {
    let data = Data::new();
    let sent = |steps: u64| {
        let bytes = run_threads(4, |ranks| -> Result<_, TrainerError> {
            let metered = Metered::new(ranks);
            let mut trainer = data.trainer((&metered).into(), None);
            (trainer.training.steps, trainer.training.batch) = (Some(steps), 5);
            trainer.run(silent)?;
            Ok(metered.traffic().bytes)
        });
        bytes.unwrap()
    };
    let (few, many) = (sent(2), sent(12));
    let gradient = 8 * (2 * 6 + 6 + 6 + 1);
    for (few, many) in few.iter().zip(&many) {
        let each = (many - few) / 10;
        println!("{each} bytes, of {gradient}");
        assert!(each < 2 * gradient + 200, "{each}");
    }
}

/// An objective that ignores ranks, of which the last one has an error above a loss scale.
struct Overflowing {
    sound: Fit,
    above: f64,
}

impl Objective<f64> for Overflowing {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.sound.parameter_blocks()
    }

    fn samples(&self) -> usize {
        self.sound.samples()
    }

    fn evaluate(
        &self,
        theta: &[f64],
        batch: Batch<'_>,
        thetabar: Option<&mut [f64]>,
    ) -> LossResult {
        let last = batch.ranks.rank() + 1 == batch.ranks.size();
        if thetabar.is_some() && batch.scale > self.above && last {
            let error = SdeError::CotangentNotFinite { path: 7, component: 0, step: 0, t: 0.0 };
            return Err(error.into());
        }
        self.sound.evaluate(theta, Batch { ranks: Ranks::ALONE, ..batch }, thetabar)
    }
}

/// All ranks skip a step whose cotangents overflow on one of them; at scale 1 it is an error of
/// all.
#[test]
fn an_overflow_on_one_rank_halves_the_scale_on_all() {
    let scaled = Training { patience: None, steps: Some(5), ..training() };
    let overflowing = Overflowing { sound: fit(90, 0), above: 16384.0 };
    let run = |objective: &Overflowing, ranks: Ranks<'_>| {
        let mut skipped = vec![];
        let trainer = Trainer { ranks, ..Trainer::new(objective, scaled.clone()) };
        let trained = trainer.run(|event| {
            if let Event::Step(step) = event {
                skipped.push((step.norm.is_none(), step.loss.to_bits()));
            }
            ControlFlow::Continue(())
        });
        trained.map(|trained| (trained, skipped))
    };
    let expected = run(&overflowing, Ranks::ALONE).unwrap();
    let skipped: Vec<bool> = expected.1.iter().map(|(skipped, _)| *skipped).collect();
    assert_eq!(skipped, [true, true, false, false, false]);
    let found = run_threads(3, |ranks| run(&overflowing, ranks.into())).unwrap();
    assert!(found.iter().all(|found| *found == expected));
    let always = Overflowing { above: 0.0, ..overflowing };
    let messages = errors(3, |ranks| {
        let mut trainer = Trainer { ranks, ..Trainer::new(&always, scaled.clone()) };
        trainer.training.loss_scale = None;
        trainer.run(silent)
    });
    assert!(messages[2].contains("the cotangent of component 0 is not finite"), "{}", messages[2]);
    let elsewhere = messages[..2].iter().all(|message| message.contains(": rank 2: path 7: "));
    assert!(elsewhere, "{messages:?}");
}

/// With a learned order, estimated before the first step, states in 16 bits, and validation.
#[test]
fn whole_trainings_of_equations() {
    let (fit, judged) = [(150, 0), (70, 900)].map(|(samples, shift)| linear(samples, shift)).into();
    let training = Training {
        schedule: Schedule::Constant(0.01),
        loss_scale: Some(LossScale::default()),
        epochs: 3,
        batch: 100,
        seed: 5,
        ..Training::default()
    };
    let run = |ranks: Ranks<'_>| {
        let trainer = Trainer::new(&fit, training.clone());
        Trainer { validation: Some(&judged), ranks, ..trainer }.run(silent)
    };
    let expected = run(Ranks::ALONE).unwrap();
    assert!(expected.best.is_some() && !expected.orders.is_empty(), "{expected:?}");
    for size in SIZES {
        let found = run_threads(size, |ranks| run(ranks.into()));
        assert!(found.unwrap().iter().all(|found| *found == expected), "{size} ranks");
    }
}

/// `D^alpha x = -x` near alpha = 0.8, observed at all nodes.
fn linear(samples: usize, shift: usize) -> SdeFit<f32> {
    let orders = Orders::Learned { lower: 0.1, upper: 1.0, start: 0.5, each: false };
    let model = NeuralFractionalSde::new(network(&[1, 6, 1]), Diffusion::None, orders).unwrap();
    let starts = Array2::from_shape_fn((samples, 1), |(i, _)| number(i + shift) as f32);
    let nodes: Vec<usize> = (1..=8).collect();
    let observed = Array3::from_shape_fn((samples, 8, 1), |(i, k, _)| {
        let t = (k + 1) as f32 / 8.0;
        starts[[i, 0]] * (-t.powf(0.8)).exp() + 1e-3 * number(9 * i + k) as f32
    });
    let windows = Windows::new(starts, &nodes, observed).unwrap();
    let solving =
        Solving { storage: Storage::Float16, memory: PathMemory::Direct, ..Solving::new(1.0, 8) };
    SdeFit::new(model, solving, windows, PathLoss::Each(Loss::MeanSquare), 5).unwrap()
}
