//! What a machine chooses from, what it learns, remembers and tells.

use hpfracc::backend::conformance::verify;
use hpfracc::backend::{Backend, BackendError, Kind, Plan, Workload};
use hpfracc::selector::{Direction, Effort, Occurrence, Scalar, Source, Task, Usage};
use hpfracc::{Machine, MachineError, Settings};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

const SERIES: Workload = Workload::CausalConvolution { len: 1000, batch: 4 };

fn apply(machine: &Machine, workload: Workload, times: usize) {
    let plan: Arc<dyn Plan<f64>> = machine.plan(workload).unwrap();
    let map = plan.bind(&vec![1.0; workload.kernel_len()]).unwrap();
    let x = vec![0.5; workload.signal_len() * workload.batch()];
    let mut y = vec![0.0; workload.output_len() * workload.batch()];
    (0..times).for_each(|_| map.apply(&x, &mut y).unwrap());
}

fn names(machine: &Machine, workload: Workload) -> Vec<String> {
    let expected = machine.predict::<f64>(workload).unwrap();
    expected.into_iter().map(|p| p.candidate).collect()
}

#[test]
fn candidates_are_those_with_an_algorithm() {
    let machine = Machine::detect();
    assert_eq!(names(&machine, SERIES), ["cpu-direct", "cpu-fft", "cpu-parallel-fft"]);
    let dense = Workload::Dense { rows: 3, cols: 4, batch: 5 };
    assert_eq!(names(&machine, dense), ["cpu-gemm"]);
    let explained = machine.explain::<f64>(dense).unwrap();
    assert_eq!(explained.chosen.as_deref(), Some("cpu-gemm"));
    let left_out = explained.rows.iter().filter(|row| row.reason.starts_with("left out"));
    assert_eq!(left_out.count(), 5);
    // One sample at a time wakes no thread.
    let stream = Workload::Recurrence { nodes: 57, len: 1, batch: 1 };
    assert_eq!(machine.chosen::<f64>(stream).unwrap().as_deref(), Some("cpu-recurrence"));
    assert!(machine.predict::<f64>(Workload::CausalConvolution { len: 0, batch: 1 }).is_err());
}

#[test]
fn disabled_backends_are_not_chosen() {
    let mut settings = Settings::default();
    settings.disabled = vec!["cpu-direct".to_owned(), "cpu-parallel-fft".to_owned()];
    let machine = Machine::with(&settings).unwrap();
    assert_eq!(names(&machine, SERIES), ["cpu-fft"]);
    let tiny = Workload::CausalConvolution { len: 3, batch: 1 };
    assert_eq!(machine.chosen::<f64>(tiny).unwrap().as_deref(), Some("cpu-fft"));
    apply(&machine, tiny, 100);
    let used = &machine.summary().workloads[0];
    assert_eq!(used.preferred.as_deref(), Some("cpu-fft"));

    settings.disabled = vec!["cpu-psychic".to_owned()];
    let error = Machine::with(&settings).unwrap_err();
    assert!(matches!(&error, MachineError::UnknownBackend { name, .. } if name == "cpu-psychic"));
}

#[test]
fn a_machine_of_nothing_is_refused() {
    let all = Machine::backend_names().to_vec();
    let mut settings = Settings::default();
    settings.disabled = all;
    let error = Machine::with(&settings).unwrap_err();
    assert!(matches!(error, MachineError::NothingLeft { .. }), "{error}");
    assert!(error.to_string().contains("cpu-gemm"), "{error}");

    settings.disabled = vec!["cpu-fft".to_owned()];
    settings.backend = "cpu-fft".to_owned();
    let error = Machine::with(&settings).unwrap_err();
    assert_eq!(error.to_string(), "no backend is left to choose from: cpu-fft disabled");
}

#[test]
fn a_pool_of_its_own_computes_the_same() {
    let mut settings = Settings::default();
    settings.threads = NonZeroUsize::new(3);
    settings.backend = "cpu-parallel-fft".to_owned();
    let kinds = [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];
    verify::<f64>(&Machine::with(&settings).unwrap(), &kinds, 1e-13).unwrap();
    settings.backend = Settings::AUTO.to_owned();
    let machine = Machine::with(&settings).unwrap();
    let explained = machine.explain::<f64>(SERIES).unwrap();
    let place = |name: &str| {
        let row = explained.rows.iter().find(|row| row.prediction.candidate == name);
        row.unwrap().place.clone()
    };
    assert_eq!(place("cpu-parallel-fft"), "host, 3 threads");
    assert_eq!(place("cpu-fft"), "host");
}

#[test]
fn the_hosts_memory_limit_holds_for_a_choice_and_for_one_alone() {
    let mut settings = Settings::default();
    settings.selector.memory_limits.host_bytes = Some(1000);
    for name in [Settings::AUTO, "cpu-fft"] {
        settings.backend = name.to_owned();
        let machine = Machine::with(&settings).unwrap();
        let plan = |len| {
            <Machine as Backend<f64>>::plan(&machine, Workload::CausalConvolution { len, batch: 1 })
                .map(drop)
        };
        assert!(matches!(plan(5000), Err(BackendError::Memory { .. })), "{name}");
    }
}

/// What no backend by that name can do is answered in its own words, again and again.
#[test]
fn one_backend_alone_says_itself_what_it_lacks() {
    let machine = Machine::only("cpu-gemm").unwrap();
    for _ in 0..2 {
        let error = <Machine as Backend<f64>>::plan(&machine, SERIES).err().unwrap();
        assert!(error.to_string().contains("`cpu-gemm` cannot plan"), "{error}");
    }
}

#[test]
fn less_than_double_precision_is_had_by_name_alone() {
    let machine = Machine::only("cpu-fft-rounded-to-f32").unwrap();
    let kinds = [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];
    verify::<f64>(&machine, &kinds, 4e-6).unwrap();
    assert!(verify::<f64>(&machine, &kinds, 1e-10).is_err(), "it is single precision");
    let error = <Machine as Backend<f32>>::plan(&machine, SERIES).err().unwrap();
    assert!(error.to_string().contains("cpu-fft-rounded-to-f32"), "{error}");
    assert!(!names(&Machine::detect(), SERIES).iter().any(|name| name.contains("rounded")));
    let both = Machine::only("cpu-fft+cpu-direct").unwrap();
    apply(&both, Workload::CausalConvolution { len: 50, batch: 8 }, 20);
    assert_eq!(both.summary().workloads[0].preferred.as_deref(), Some("cpu-fft+cpu-direct"));
}

#[test]
fn what_was_done_is_told() {
    let machine = Machine::detect();
    apply(&machine, SERIES, 50);
    {
        let _timer = machine.timer("drawing");
    }
    let summary = machine.summary();
    let used = &summary.workloads[0];
    assert_eq!((used.subject, used.scalar, used.executions), (SERIES, Scalar::F64, 50));
    assert_eq!(summary.timers[0].label, "drawing");
    let preferred = |what: &Occurrence| matches!(what, Occurrence::Preferred { .. });
    assert!(machine.history().iter().any(|event| preferred(&event.what)));
    let explained = machine.explain::<f64>(SERIES).unwrap();
    assert_eq!(explained.executions, 50);
    assert_eq!(explained.rows[0].prediction.source, Source::Timed);
    machine.reset();
    assert!(machine.summary().workloads.is_empty() && machine.history().is_empty());
}

#[test]
fn measuring_times_the_candidates_that_could_win() {
    let machine = Machine::detect();
    let workload = Workload::CausalConvolution { len: 256, batch: 1 };
    machine.measure::<f64>(workload, Effort::Measure).unwrap();
    let task = Task { workload, direction: Direction::Transpose, usage: Usage::Repeated };
    let explained = machine.explain::<f64>(task).unwrap();
    let timed = explained.rows.iter().filter(|row| row.prediction.source == Source::Timed);
    assert!(timed.count() >= 2, "{explained}");
}

fn remembering(path: &Path) -> Settings {
    let mut settings = Settings::default();
    settings.wisdom = Some(path.to_owned());
    settings
}

/// One process learns, the next one knows; clones are one machine.
#[test]
fn wisdom_goes_from_one_machine_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wisdom.json");
    let machine = Machine::with(&remembering(&path)).unwrap();
    apply(&machine, SERIES, 20);
    let clone = machine.clone();
    drop(machine);
    assert!(!path.exists(), "a clone is left");
    drop(clone);
    assert!(path.exists());

    let next = Machine::with(&remembering(&path)).unwrap();
    assert_eq!(next.wisdom_refused(), None);
    let known = next.predict::<f64>(SERIES).unwrap();
    assert!(known.iter().any(|p| p.source == Source::Timed));
    // Fewer candidates are no other machine: the file serves them, and is not replaced.
    drop(next);
    let mut fewer = remembering(&path);
    fewer.disabled = vec!["cpu-gemm".to_owned()];
    let machine = Machine::with(&fewer).unwrap();
    assert_eq!(machine.wisdom_refused(), None);
    drop(machine);
    let again = Machine::with(&remembering(&path)).unwrap();
    assert!(again.predict::<f64>(SERIES).unwrap().iter().any(|p| p.source == Source::Timed));
    // By hand, to another file.
    let other = folder.path().join("other.json");
    again.save_wisdom(&other).unwrap();
    assert!(Machine::detect().load_wisdom(&other).unwrap() > 0);
}

#[test]
fn without_learning_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wisdom.json");
    let mut settings = remembering(&path);
    settings.selector.learning = false;
    let machine = Machine::with(&settings).unwrap();
    apply(&machine, SERIES, 20);
    assert!(machine.summary().workloads.is_empty());
    drop(machine);
    settings.selector.learning = true;
    settings.backend = "cpu-fft".to_owned();
    let alone = Machine::with(&settings).unwrap();
    apply(&alone, SERIES, 20);
    drop(alone);
    assert!(!path.exists());
}

#[test]
fn a_damaged_file_is_an_error_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wisdom.json");
    fs::write(&path, "{\"checksum\":").unwrap();
    let error = Machine::with(&remembering(&path)).unwrap_err();
    assert!(matches!(&error, MachineError::Wisdom { path: named, .. } if *named == path));
    assert!(error.to_string().contains("wisdom.json"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"checksum\":");
}

/// A file of other backends (here: of a pool) is left aside, said so, and replaced in the end.
#[test]
fn a_file_for_other_backends_is_left_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wisdom.json");
    let mut settings = remembering(&path);
    settings.threads = NonZeroUsize::new(2);
    let machine = Machine::with(&settings).unwrap();
    apply(&machine, SERIES, 20);
    drop(machine);
    let other = Machine::with(&remembering(&path)).unwrap();
    assert!(other.wisdom_refused().unwrap().contains("`candidates`"), "{other:?}");
    let known = other.predict::<f64>(SERIES).unwrap();
    assert!(known.iter().all(|p| p.source == Source::Prior));
    drop(other);
    assert_eq!(Machine::with(&remembering(&path)).unwrap().wisdom_refused(), None);
}

/// A missing folder is an error at the start, not a log entry at the end.
#[test]
fn wisdom_without_a_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::default();
    settings.wisdom = Some(folder.path().join("absent").join("wisdom.json"));
    let error = Machine::with(&settings).unwrap_err();
    assert!(matches!(&error, MachineError::Wisdom { .. }), "{error}");
    assert!(error.to_string().contains("absent"), "{error}");
    settings.wisdom = Some(folder.path().join("wisdom.json"));
    assert!(Machine::with(&settings).is_ok());
}

/// The tasks of one pool share a map whose backend waits for another pool: no task may wait for one
/// that its own thread has begun.
#[test]
fn one_map_in_a_pool_of_threads_comes_to_an_end() {
    let mut settings = Settings::default();
    settings.threads = NonZeroUsize::new(2);
    let machine = Machine::with(&settings).unwrap();
    let outer = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    for len in [100, 1000, 5000, 9000] {
        let workload = Workload::CausalConvolution { len, batch: 8 };
        let plan: Arc<dyn Plan<f64>> = machine.plan(workload).unwrap();
        let map = plan.bind(&vec![1.0; len]).unwrap();
        let x = vec![0.5; 8 * len];
        outer.scope(|scope| {
            for _ in 0..50 {
                scope.spawn(|_| {
                    let mut y = vec![0.0; 8 * len];
                    map.apply(&x, &mut y).unwrap();
                    assert!((y[len - 1] - 0.5 * len as f64).abs() < 1e-8 * len as f64);
                });
            }
        });
    }
}
