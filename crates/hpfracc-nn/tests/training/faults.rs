//! Losses, gradients and parameters that are not finite.

use crate::objectives::{Sine, silent, train, training};
use hpfracc_nn::trainer::{RunFolder, Trainer, TrainerError, order_of_epoch};
use hpfracc_nn::{
    Activation, Batch, LossResult, Network, Objective, ParameterBlock, Pass, Scalar, Shape,
    TrainingError,
};

/// The quantity that is not finite if the sample is in the batch.
#[derive(Clone, Copy)]
enum Fault {
    Loss,
    Gradient,
    Validation,
}

struct Faulty {
    sound: Sine,
    fault: Fault,
    /// The sample with the fault.
    sample: usize,
}

impl<T: Scalar> Objective<T> for Faulty
where
    Sine: Objective<T>,
{
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.sound.parameter_blocks()
    }

    fn samples(&self) -> usize {
        Objective::<T>::samples(&self.sound)
    }

    fn evaluate(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        mut thetabar: Option<&mut [T]>,
    ) -> LossResult {
        let loss = self.sound.evaluate(theta, batch, thetabar.as_deref_mut())?;
        let broken = batch.samples.contains(&self.sample);
        match (self.fault, thetabar) {
            (Fault::Validation, None) if broken => Ok(f64::INFINITY),
            (Fault::Loss, Some(_)) if broken => Ok(f64::NAN),
            (Fault::Gradient, Some(thetabar)) if broken => {
                // 3 weights, 3 biases, then the weights of the second layer.
                thetabar[7] = T::NAN;
                Ok(loss)
            }
            _ => Ok(loss),
        }
    }

    fn culprit(&self, _: &[T], batch: Batch<'_>, pass: Pass) -> Option<String> {
        let validation = matches!(self.fault, Fault::Validation);
        assert_eq!(pass == Pass::Evaluate, validation);
        batch.samples.contains(&self.sample).then(|| "drift.1.dense".to_owned())
    }
}

#[test]
fn the_first_that_is_not_finite_is_named_with_its_place() {
    // The batch of sample 3 in the first epoch.
    let order = order_of_epoch(5, 0, 12);
    let batch = order.iter().position(|sample| *sample == 3).unwrap() / 4;
    let samples: Vec<String> = order[4 * batch..][..4].iter().map(usize::to_string).collect();
    let place = format!("epoch 0, batch {batch} (samples {})", samples.join(" "));
    let cases = [
        (Fault::Loss, place.clone(), "the loss is not finite: NaN"),
        (Fault::Gradient, place, "the gradient of `1.weight`, number 1, is not finite: NaN"),
        (
            Fault::Validation,
            "validation after epoch 0, batch 0 (samples 0 1 2 3)".to_owned(),
            "the loss is not finite: inf",
        ),
    ];
    for (fault, place, message) in cases {
        let objective = Faulty { sound: Sine::new(12, 3), fault, sample: 3 };
        let fresh = Trainer::<f32>::new(&objective, training(3, 4, 0.01));
        let trainer = Trainer { validation: Some(&objective), ..fresh };
        let error = trainer.run(silent).unwrap_err();
        let culprit = "; the first that is not finite is `drift.1.dense`";
        assert_eq!(error.to_string(), format!("{place}: {message}{culprit}"));
        assert!(matches!(
            error,
            TrainerError::Batch { source: TrainingError::NotFinite { .. }, .. }
        ));
    }
}

#[test]
fn a_step_to_parameters_that_are_not_finite_is_an_error() {
    let objective = Sine::new(12, 3);
    let sgd = hpfracc_nn::Optimiser::Sgd(hpfracc_nn::Sgd::default());
    let far = hpfracc_nn::trainer::Training { optimiser: sgd, ..training(3, 12, 1e39) };
    let error = Trainer::<f32>::new(&objective, far).run(silent).unwrap_err().to_string();
    assert!(error.contains("epoch 0, batch 0 (samples"), "{error}");
    assert!(error.contains("and 4 more): after the step `0.weight`, number 0,"), "{error}");
}

#[test]
fn the_last_checkpoint_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = RunFolder { every: Some(1), ..RunFolder::new(folder.path().join("run")) };
    let sound = Sine::new(12, 3);
    let good = train::<f64>(&sound, &training(2, 4, 0.01), &folder, silent).unwrap();
    let faulty = Faulty { sound, fault: Fault::Loss, sample: 3 };
    let error = train::<f64>(&faulty, &training(4, 4, 0.01), &folder, silent).unwrap_err();
    assert!(error.to_string().starts_with("epoch 2, batch"), "{error}");
    // The training goes on with a sound objective, and its bits are those of one without a fault.
    let after = train::<f64>(&faulty.sound, &training(4, 4, 0.01), &folder, silent).unwrap();
    let straight = Trainer::<f64>::new(&faulty.sound, training(4, 4, 0.01)).run(silent).unwrap();
    assert_eq!(after.theta, straight.theta);
    assert_ne!(after.theta, good.theta);
}

/// An objective of 10^12 weights.
struct Enormous;

impl Objective<f32> for Enormous {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        Network::perceptron(&[1_000_000, 1_000_000], Activation::Tanh).unwrap().parameter_blocks()
    }

    fn samples(&self) -> usize {
        1
    }

    fn evaluate(&self, _: &[f32], _: Batch<'_>, _: Option<&mut [f32]>) -> LossResult {
        unreachable!("refused before")
    }

    fn initialise(&self, _: u64, _: &mut [f32]) {
        unreachable!("refused before")
    }
}

/// A training beyond the available memory is refused with both figures before it allocates: with
/// Adam the parameters, the best ones, two moments and the gradient.
#[test]
fn trainings_beyond_the_memory_are_refused() {
    let error = Trainer::new(&Enormous, training(1, 1, 0.1)).run(silent).unwrap_err();
    let TrainerError::Memory(refused) = &error else { panic!("{error}") };
    let parameters = 1_000_000_000_000 + 1_000_000;
    assert_eq!(refused.needed, 5 * 4 * parameters);
    assert!(refused.available < refused.needed);
}
