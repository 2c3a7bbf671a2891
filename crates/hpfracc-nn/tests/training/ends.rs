//! What a training reaches, and when it ends.

use crate::objectives::{Sine, silent, training};
use hpfracc_nn::trainer::{End, Epoch, Event, Step, Trained, Trainer, TrainerError, Training};
use hpfracc_nn::{Batch, LossResult, LossScale, Objective, Schedule};
use hpfracc_sde::SdeError;
use std::ops::ControlFlow;

fn steps(trainer: &Trainer<'_, f64>) -> (Trained<f64>, Vec<Step>, Vec<Epoch>) {
    let (mut steps, mut epochs) = (Vec::new(), Vec::new());
    let trained = trainer.run(|event| {
        match event {
            Event::Step(step) => steps.push(*step),
            Event::Epoch(epoch) => epochs.push(*epoch),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    (trained.unwrap(), steps, epochs)
}

#[test]
fn a_network_learns() {
    let (objective, others) = (Sine::new(64, 12), Sine::new(50, 12));
    let fresh = Trainer::new(&objective, training(150, 16, 0.02));
    let trainer = Trainer { validation: Some(&others), ..fresh };
    let (trained, steps, epochs) = steps(&trainer);
    assert_eq!((trained.end, trained.epochs, trained.steps), (End::Epochs, 150, 600));
    assert!(epochs[0].loss > 0.1 && epochs[149].loss < 0.01, "{:?}", epochs[149]);
    let best = trained.best.as_ref().unwrap();
    let smallest = epochs.iter().filter_map(|e| e.validation).fold(f64::INFINITY, f64::min);
    assert_eq!(best.loss, smallest);
    // The best parameters are those that had that loss.
    let all: Vec<usize> = (0..50).collect();
    let found = others.loss(trained.parameters(), Batch::new(&all, 0)).unwrap();
    assert!((found - smallest).abs() < 1e-14, "{found} {smallest}");
    assert_eq!(epochs.iter().rfind(|epoch| epoch.best).unwrap().epoch, best.epoch);
    // An epoch's loss is the mean of its steps'.
    let mean = steps[4..8].iter().map(|step| step.loss).sum::<f64>() / 4.0;
    assert!((epochs[1].loss - mean).abs() < 1e-15);
    let places: Vec<_> =
        steps[3..5].iter().map(|s| (s.step, s.epoch, s.batch, s.batches)).collect();
    assert_eq!(places, [(3, 0, 3, 4), (4, 1, 0, 4)]);
}

/// The last batch of an epoch is smaller, and has a smaller weight in the mean loss.
#[test]
fn every_sample_is_seen_once_an_epoch() {
    let objective = Sine::new(7, 3);
    let (_, steps, epochs) = steps(&Trainer::new(&objective, training(1, 3, 0.0)));
    let mean = (3.0 * steps[0].loss + 3.0 * steps[1].loss + steps[2].loss) / 7.0;
    assert!((epochs[0].loss - mean).abs() < 1e-15);
    let mut theta = vec![0.0; Objective::<f64>::parameters(&objective)];
    objective.initialise(5, &mut theta);
    let all = [0, 1, 2, 3, 4, 5, 6];
    let exact: f64 = objective.loss(&theta, Batch::new(&all, 0)).unwrap();
    assert!((epochs[0].loss - exact).abs() < 1e-15);
    assert!(epochs[0].validation.is_none());
}

#[test]
fn patience_ends_a_training_that_learns_nothing() {
    let objective = Sine::new(16, 3);
    let none = Training { patience: Some(3), validate_every: 2, ..training(100, 8, 0.0) };
    let trainer = Trainer { validation: Some(&objective), ..Trainer::new(&objective, none) };
    let (trained, _, epochs) = steps(&trainer);
    // The first validation is the best, and three more are not better.
    assert_eq!((trained.end, trained.epochs), (End::Patience, 8));
    let judged: Vec<u64> =
        epochs.iter().filter(|e| e.validation.is_some()).map(|e| e.epoch).collect();
    assert_eq!(judged, [1, 3, 5, 7]);
    assert_eq!(trained.best.unwrap().epoch, 1);
}

#[test]
fn steps_and_observers_end_a_training_within_an_epoch() {
    let objective = Sine::new(16, 3);
    let few = Training { steps: Some(5), ..training(100, 4, 0.01) };
    let (trained, _, epochs) = steps(&Trainer::new(&objective, few));
    assert_eq!((trained.end, trained.steps, trained.epochs, epochs.len()), (End::Steps, 5, 1, 1));
    // With the last step of an epoch, the epoch has ended.
    let whole = Training { steps: Some(8), ..training(100, 4, 0.01) };
    let (trained, _, epochs) = steps(&Trainer::new(&objective, whole));
    assert_eq!((trained.end, trained.steps, trained.epochs, epochs.len()), (End::Steps, 8, 2, 2));
    let mut count = 0;
    let stopped =
        Trainer::<f64>::new(&objective, training(100, 4, 0.01)).run(|event| match event {
            Event::Step(_) if count == 2 => ControlFlow::Break(()),
            _ => {
                count += 1;
                ControlFlow::Continue(())
            }
        });
    let stopped = stopped.unwrap();
    assert_eq!((stopped.end, stopped.steps), (End::Cancelled, 3));
}

#[test]
fn a_gradient_is_cut_to_the_norm_and_the_rate_follows_the_schedule() {
    let objective = Sine::new(8, 3);
    let sgd = hpfracc_nn::Optimiser::Sgd(hpfracc_nn::Sgd::default());
    let schedule = Schedule::Linear { from: 1.0, to: 0.0, steps: 4 };
    let clipped = Training { optimiser: sgd, schedule, clip: Some(1e-3), ..training(1, 8, 0.0) };
    let (trained, seen, _) = steps(&Trainer::new(&objective, clipped.clone()));
    let mut start = vec![0.0; trained.theta.len()];
    objective.initialise(5, &mut start);
    let squares = trained.theta.iter().zip(&start).map(|(a, b): (&f64, &f64)| (a - b).powi(2));
    assert!((squares.sum::<f64>().sqrt() - 1e-3).abs() < 1e-12);
    assert!(seen[0].norm.unwrap() > 0.01);
    let (_, seen, _) = steps(&Trainer::new(&objective, Training { epochs: 4, ..clipped }));
    assert_eq!(seen.iter().map(|step| step.rate).collect::<Vec<_>>(), [1.0, 0.75, 0.5, 0.25]);
}

/// A loss scale is a power of two: without overflow it changes no bit; after an overflow it is
/// halved.
#[test]
fn a_loss_scale_changes_no_bit_without_overflow() {
    let objective = Sine::new(8, 3);
    let plain = Trainer::<f32>::new(&objective, training(3, 4, 0.01)).run(silent).unwrap();
    let scaled = Training { loss_scale: Some(LossScale::default()), ..training(3, 4, 0.01) };
    let scaled = Trainer::<f32>::new(&objective, scaled).run(silent).unwrap();
    assert_eq!(plain.theta, scaled.theta);
    /// Gradients that overflow above a scale of 2^14.
    struct Narrow(Sine);
    impl Objective<f32> for Narrow {
        fn parameter_blocks(&self) -> Vec<hpfracc_nn::ParameterBlock> {
            Objective::<f32>::parameter_blocks(&self.0)
        }
        fn samples(&self) -> usize {
            Objective::<f32>::samples(&self.0)
        }
        fn evaluate(
            &self,
            theta: &[f32],
            batch: Batch<'_>,
            mut thetabar: Option<&mut [f32]>,
        ) -> LossResult {
            let loss = self.0.evaluate(theta, batch, thetabar.as_deref_mut());
            if let Some(thetabar) = thetabar.filter(|_| batch.scale > 16384.0) {
                thetabar[0] = f32::INFINITY;
            }
            loss
        }
    }
    let narrow = Narrow(objective);
    let (mut norms, once) =
        (Vec::new(), Training { loss_scale: Some(LossScale::default()), ..training(2, 4, 0.01) });
    let trained = Trainer::new(&narrow, once).run(|event| {
        if let Event::Step(step) = event {
            norms.push(step.norm.is_some());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(norms, [false, false, true, true]);
    assert_eq!(trained.unwrap().steps, 4);
}

/// In a model the solver detects the overflow and returns an error.
#[test]
fn a_cotangent_that_overflows_in_a_solve_halves_the_scale() {
    struct Solved(Sine, f64);
    impl Objective<f32> for Solved {
        fn parameter_blocks(&self) -> Vec<hpfracc_nn::ParameterBlock> {
            Objective::<f32>::parameter_blocks(&self.0)
        }
        fn samples(&self) -> usize {
            Objective::<f32>::samples(&self.0)
        }
        fn evaluate(
            &self,
            theta: &[f32],
            batch: Batch<'_>,
            thetabar: Option<&mut [f32]>,
        ) -> LossResult {
            if thetabar.is_some() && batch.scale > self.1 {
                let error = SdeError::CotangentNotFinite { path: 0, component: 0, step: 0, t: 0.0 };
                return Err(error.into());
            }
            self.0.evaluate(theta, batch, thetabar)
        }
    }
    let scaled = Training { loss_scale: Some(LossScale::default()), ..training(2, 4, 0.01) };
    let (mut norms, objective) = (Vec::new(), Solved(Sine::new(8, 3), 16384.0));
    let trained = Trainer::new(&objective, scaled.clone()).run(|event| {
        if let Event::Step(step) = event {
            norms.push((step.norm.is_some(), step.loss.is_finite()));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(norms, [(false, true), (false, true), (true, true), (true, true)]);
    assert_eq!(trained.unwrap().steps, 4);
    // At scale 1, and without one, it is the loss itself.
    let objective = Solved(Sine::new(8, 3), 0.5);
    for training in [Training { epochs: 10, ..scaled }, training(2, 4, 0.01)] {
        let error = Trainer::new(&objective, training).run(silent).unwrap_err().to_string();
        assert!(error.contains("the cotangent of component 0 is not finite"), "{error}");
    }
}

#[test]
fn settings_out_of_range_are_named() {
    let objective = Sine::new(8, 3);
    let bad = [
        (Training { batch: 0, ..Training::default() }, "batch is 0, expected at least 1"),
        (Training { epochs: 0, ..Training::default() }, "epochs is 0, expected at least 1"),
        (Training { validate_every: 0, ..Training::default() }, "validate-every is 0"),
        (Training { steps: Some(0), ..Training::default() }, "steps is 0, expected at least 1"),
        (Training { patience: Some(0), ..Training::default() }, "patience is 0"),
        (Training { clip: Some(-1.0), ..Training::default() }, "clip is -1, expected positive"),
        (training(1, 1, -0.5), "a rate of a schedule is -0.5"),
    ];
    for (training, message) in bad {
        let error = Trainer::<f64>::new(&objective, training).run(silent).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let impatient = Training { patience: Some(2), ..training(1, 4, 0.1) };
    let error = Trainer::<f64>::new(&objective, impatient).run(silent).unwrap_err().to_string();
    assert_eq!(error, "patience is 2, expected none without a validation objective");
    let (empty, other) = (Sine::new(0, 3), Sine::new(8, 4));
    let error = Trainer::<f64>::new(&empty, training(1, 1, 0.1)).run(silent).unwrap_err();
    assert!(matches!(error, TrainerError::OutOfRange(_)), "{error}");
    let fresh = Trainer::<f64>::new(&objective, training(1, 1, 0.1));
    let trainer = Trainer { validation: Some(&other), ..fresh };
    let error = trainer.run(silent).unwrap_err().to_string();
    assert_eq!(error, "the validation objective has the size 13, expected 10");
}
