//! The same bits on any number of threads, and after any interruption.

use crate::densities::{equicorrelated, real, sample};
use hpfracc_checkpoint::{Fingerprint, Format, seal, unseal};
use hpfracc_fit::sample::{
    Coordinates, DensityFn, LogDensity, Nuts, Sampling, Support, Watch, Whitening,
};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

const FORMAT: Format = Format { kind: *b"hpfnuts ", version: 1 };

fn settings() -> Nuts {
    Nuts { chains: 3, draws: 40, warm_up: 60, seed: 11, ..Nuts::default() }
}

/// A density with a bound, a gradient of some length, and divergences.
fn density() -> impl LogDensity {
    DensityFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let away = x[1] - x[0].ln();
        (gradient[0], gradient[1]) = (-1.0 + 9.0 * away / x[0], -9.0 * away);
        if x[0] > 4.0 { f64::NAN } else { -x[0] - 4.5 * away * away }
    })
}

fn coordinates() -> Coordinates {
    let supports = [Support::Above(0.0), Support::Real];
    let whitening = Whitening::Precision(&[1.0, 0.1, 0.0, 2.0]);
    Coordinates::new(&[1.0, 0.0], &supports, whitening).unwrap()
}

fn whole() -> Sampling {
    let mut sampling = settings().start(&density(), coordinates()).unwrap();
    assert!(sampling.run(&density(), Watch::default()).unwrap());
    sampling
}

/// The sampling after it was written to a checkpoint and read.
fn saved(sampling: &Sampling) -> Sampling {
    let fingerprint = Fingerprint::new([("the density", "a test")]).unwrap();
    let bytes = seal(FORMAT, &fingerprint, sampling).unwrap();
    unseal(FORMAT, &fingerprint, Path::new("sampling"), &bytes).unwrap()
}

#[test]
fn threads_do_not_change_bits() {
    let expected = whole();
    assert!(!expected.posterior().unwrap().divergences().is_empty());
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(whole), expected, "{threads}");
    }
}

#[test]
fn a_sampling_that_was_saved_after_any_draw_has_the_same_bits() {
    let expected = whole();
    for stride in [1, 7, 64] {
        let mut sampling = settings().start(&density(), coordinates()).unwrap();
        let mut stops = 0;
        loop {
            sampling = saved(&sampling);
            if sampling.advance(&density(), stride, Watch::default()).unwrap() {
                break;
            }
            stops += 1;
        }
        assert_eq!(stops, 99 / stride, "{stride}");
        assert_eq!(sampling, expected, "{stride}");
        assert_eq!(sampling.posterior().unwrap(), expected.posterior().unwrap());
    }
}

#[test]
fn a_cancelled_sampling_goes_on() {
    let (cancel, seen) = (AtomicBool::new(false), AtomicU32::new(0));
    let mut sampling = settings().start(&density(), coordinates()).unwrap();
    let progress = |progress: hpfracc_fit::sample::Progress| {
        assert!(progress.draws <= progress.of && progress.of == 100 && progress.chain < 3);
        if seen.fetch_add(1, Ordering::Relaxed) == 130 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let watch = Watch { cancel: Some(&cancel), progress: Some(&progress), ..Watch::default() };
    assert!(!sampling.run(&density(), watch).unwrap() && !sampling.is_complete());
    assert!(!sampling.run(&density(), watch).unwrap());
    let drawn: u32 = sampling.draws().iter().sum();
    assert!((131..300).contains(&drawn), "{drawn}");
    let mut sampling = saved(&sampling);
    assert!(sampling.run(&density(), Watch::default()).unwrap() && sampling.is_complete());
    assert_eq!(sampling, whole());
}

/// A chain is the same whatever other chains there are.
#[test]
fn chains_are_independent_of_their_number() {
    let density = equicorrelated(2, 0.5);
    let few = sample(&settings(), &density, real(2));
    let many = sample(&Nuts { chains: 5, ..settings() }, &density, real(2));
    assert_eq!(few.series(0), many.series(0)[..3]);
    assert_ne!(many.series(0)[3], many.series(0)[4]);
    let other = sample(&Nuts { seed: 12, ..settings() }, &density, real(2));
    assert_ne!(few.series(0)[0], other.series(0)[0]);
}
