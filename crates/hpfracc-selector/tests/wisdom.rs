//! Timings remembered in files: right, refused or merged, never half taken.

mod simulated;

use hpfracc_selector::{Experience, Selector, Settings, Source, WisdomError};
use simulated::{World, apply, bind, conv, flat, per_call};
use std::fs;
use std::process::Command;
use std::sync::Arc;

const LENS: [usize; 4] = [16, 100, 1000, 5000];

fn world() -> World {
    let (world, _) = World::of([("a", 1e-5, 1e4), ("b", 1.1e-5, 2e4)]);
    world
}

/// A selector that has run some workloads.
fn experienced(world: &World) -> Selector<f64> {
    let selector = world.selector(Settings::default());
    for len in LENS {
        apply(bind(&selector, conv(len)).as_ref(), 50);
    }
    selector
}

fn predictions(selector: &Selector<f64>) -> Vec<f64> {
    let each = LENS.into_iter().flat_map(|len| selector.predict(conv(len)).unwrap());
    each.map(|p| p.seconds).collect()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn what_was_learned_is_known_in_the_next_run() {
    let (folder, world) = (folder(), world());
    let path = folder.path().join("wisdom.json");
    let before = experienced(&world);
    before.experience().save_wisdom(&path).unwrap();
    let after = world.selector(Settings::default());
    assert_eq!(after.predict(conv(100)).unwrap()[0].source, Source::Prior);
    let entries = after.experience().load_wisdom(&path).unwrap();
    assert!(entries >= 3 * LENS.len(), "{entries}");
    assert_eq!(after.predict(conv(100)).unwrap()[0].source, Source::Timed);
    for (known, learned) in predictions(&after).into_iter().zip(predictions(&before)) {
        assert!((known / learned - 1.0).abs() < 0.1, "{known} {learned}");
    }
    let text = fs::read_to_string(&path).unwrap();
    serde_json::from_str::<serde_json::Value>(&text).unwrap();
}

/// Reading a file in mid use changes what is known, not what was counted.
#[test]
fn statistics_survive_reading() {
    let world = world();
    let selector = experienced(&world);
    let experience = selector.experience();
    let before = experience.summary();
    experience.read_wisdom(&experience.wisdom().unwrap()).unwrap();
    assert_eq!(experience.summary().executed, before.executed);
    assert_eq!(experience.summary().workloads.len(), before.workloads.len());
}

#[test]
fn wisdom_of_other_candidates_is_refused_whole() {
    let text = experienced(&world()).experience().wisdom().unwrap();
    let mut other = world();
    other.add("c", per_call(1e-5), flat(1e4));
    let selector = other.selector(Settings::default());
    let error = selector.experience().read_wisdom(&text).unwrap_err();
    assert!(matches!(error, WisdomError::Differs { field: "candidates", .. }), "{error}");
    assert!(error.to_string().contains("c (host)"), "{error}");
    assert_eq!(selector.predict(conv(100)).unwrap()[0].source, Source::Prior);
}

/// A thousand damaged files: each is refused, or means what was written.
#[test]
fn damage_is_refused_or_harmless() {
    let (folder, world) = (folder(), world());
    let path = folder.path().join("wisdom.json");
    let text = experienced(&world).experience().wisdom().unwrap().into_bytes();
    let right = {
        let selector = world.selector(Settings::default());
        selector.experience().read_wisdom(std::str::from_utf8(&text).unwrap()).unwrap();
        predictions(&selector)
    };
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut refused = 0;
    for round in 0..1000 {
        let mut damaged = text.clone();
        if round % 2 == 0 {
            damaged.truncate(random(text.len()));
        } else {
            for _ in 0..=random(3) {
                damaged[random(text.len())] ^= 1 << random(8);
            }
        }
        fs::write(&path, &damaged).unwrap();
        let selector = world.selector(Settings::default());
        match selector.experience().load_wisdom(&path) {
            Ok(_) => assert_eq!(predictions(&selector), right, "round {round}"),
            Err(_) => {
                refused += 1;
                assert_eq!(selector.predict(conv(100)).unwrap()[0].source, Source::Prior);
            }
        }
    }
    assert!(refused > 990, "{refused}");
}

#[test]
fn hostile_files_are_errors() {
    let (folder, world) = (folder(), world());
    let path = folder.path().join("wisdom.json");
    let experience = world.experience(Settings::default());
    let load = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        experience.load_wisdom(&path).unwrap_err()
    };
    assert!(matches!(load(b""), WisdomError::Syntax { .. }));
    assert!(matches!(load(b"null"), WisdomError::Syntax { .. }));
    assert!(matches!(load(&b"[".repeat(1 << 20)), WisdomError::Syntax { .. }));
    let nested = [b"{\"checksum\":\"\",\"content\":".to_vec(), b"[".repeat(1 << 20)].concat();
    assert!(matches!(load(&nested), WisdomError::Syntax { .. }));
    assert!(matches!(load(&[0xff; 64]), WisdomError::File { .. }));
    let unsealed = br#"{"checksum":"0","content":[]}"#;
    assert!(matches!(load(unsealed), WisdomError::Damaged { .. }));
    fs::File::create(&path).unwrap().set_len((64 << 20) + 1).unwrap();
    let error = experience.load_wisdom(&path).unwrap_err();
    assert!(matches!(error, WisdomError::Long { .. }), "{error}");
    let error = experience.load_wisdom(folder.path().join("absent")).unwrap_err();
    assert!(error.to_string().contains("absent"), "{error}");
}

/// A damaged file does not keep anybody from saving.
#[test]
fn a_damaged_file_is_replaced() {
    let (folder, world) = (folder(), world());
    let path = folder.path().join("wisdom.json");
    fs::write(&path, "rubbish").unwrap();
    let selector = experienced(&world);
    selector.experience().save_wisdom(&path).unwrap();
    assert!(world.selector(Settings::default()).experience().load_wisdom(&path).unwrap() > 0);
}

/// Machines of several kinds save to one file: each finds what it has learned.
#[test]
fn kinds_of_machines_share_a_file() {
    let (folder, one, mut two) = (folder(), world(), world());
    two.add("c", per_call(1e-5), flat(1e4));
    let path = folder.path().join("wisdom.json");
    let first = experienced(&one);
    first.experience().save_wisdom(&path).unwrap();
    let second = experienced(&two);
    let refused = second.experience().load_wisdom(&path).unwrap_err();
    assert!(matches!(refused, WisdomError::Differs { field: "candidates", .. }), "{refused}");
    second.experience().save_wisdom(&path).unwrap();
    first.experience().save_wisdom(&path).unwrap();
    for (world, before) in [(&one, &first), (&two, &second)] {
        let again = world.selector(Settings::default());
        assert!(again.experience().load_wisdom(&path).unwrap() > 0);
        assert_eq!(again.predict(conv(100)).unwrap()[0].source, Source::Timed);
        for (known, learned) in predictions(&again).into_iter().zip(predictions(before)) {
            assert!((known / learned - 1.0).abs() < 0.1, "{known} {learned}");
        }
    }
}

/// Saves ten times, each time with one more workload, of lengths that no other process has.
fn write_as(name: &str, path: &std::path::Path) {
    let world = world();
    let selector = world.selector(Settings::default());
    let first = if name == "even" { 2 } else { 3 };
    for round in 0..10 {
        apply(bind(&selector, conv(first + 2 * round)).as_ref(), 5);
        selector.experience().save_wisdom(path).unwrap();
    }
}

/// Two processes save to one file at once; in the end it has what either has learned. The test runs
/// itself as the two.
#[test]
fn processes_share_a_file() {
    const NAME: &str = "HPFRACC_TEST_WISDOM_WRITER";
    const FILE: &str = "HPFRACC_TEST_WISDOM_FILE";
    if let (Ok(name), Some(path)) = (std::env::var(NAME), std::env::var_os(FILE)) {
        return write_as(&name, path.as_ref());
    }
    let (folder, world) = (folder(), world());
    let path = folder.path().join("wisdom.json");
    let children: Vec<_> = ["even", "odd"]
        .into_iter()
        .map(|name| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "processes_share_a_file"])
                .env(NAME, name)
                .env(FILE, &path)
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let selector = world.selector(Settings::default());
    selector.experience().load_wisdom(&path).unwrap();
    for len in 2..22 {
        let known = selector.predict(conv(len)).unwrap();
        assert!(known.iter().any(|p| p.source == Source::Timed), "{len} was lost");
    }
}

/// Of two timings with the same key, the later one is stored, in any order of saving.
#[test]
fn the_later_timing_wins() {
    let (folder, mut old) = (folder(), World::default());
    let path = folder.path().join("wisdom.json");
    old.add("a", per_call(1e-5), flat(1e4));
    let mut new = World::default();
    new.add("a", per_call(1e-5), flat(5e4));
    new.clock.advance(1_000_000_000_000);
    let run = |world: &World| -> Arc<Experience> {
        let selector = world.selector(Settings::default());
        apply(bind(&selector, conv(100)).as_ref(), 20);
        selector.experience().summary();
        Arc::clone(selector.experience())
    };
    let (older, newer) = (run(&old), run(&new));
    newer.save_wisdom(&path).unwrap();
    older.save_wisdom(&path).unwrap();
    let reader = new.selector(Settings::default());
    reader.experience().load_wisdom(&path).unwrap();
    let seconds = reader.predict(conv(100)).unwrap()[0].seconds;
    assert!((seconds / 5e-5 - 1.0).abs() < 0.1, "{seconds}");
}

/// A number of executions as large as a file likes is counted on, not past the end.
#[test]
fn the_largest_count_of_executions_is_no_overflow() {
    let (folder, world) = (folder(), world());
    let text = experienced(&world).experience().wisdom().unwrap();
    let text = resealed(&text, |entry| entry["executions"] = u64::MAX.into());
    let path = folder.path().join("wisdom.json");
    fs::write(&path, text).unwrap();
    let selector = world.selector(Settings::default());
    selector.experience().load_wisdom(&path).unwrap();
    for len in LENS {
        apply(bind(&selector, conv(len)).as_ref(), 50);
    }
    selector.experience().save_wisdom(&path).unwrap();
    selector.experience().load_wisdom(&path).unwrap();
}

/// What reading would refuse is not written back, or no one could ever read the file again.
#[test]
fn impossible_entries_of_a_file_are_not_merged() {
    let (folder, world) = (folder(), world());
    let selector = experienced(&world);
    let path = folder.path().join("wisdom.json");
    let text = selector.experience().wisdom().unwrap();
    fs::write(&path, resealed(&text, |entry| entry["at"] = u64::MAX.into())).unwrap();
    let refused = selector.experience().load_wisdom(&path).unwrap_err();
    assert!(matches!(refused, WisdomError::Entry { index: 0, .. }), "{refused}");
    selector.experience().save_wisdom(&path).unwrap();
    selector.experience().load_wisdom(&path).unwrap();
}

/// The text with all entries changed, and a checksum that fits.
fn resealed(text: &str, change: impl Fn(&mut serde_json::Value)) -> String {
    let mut sealed: serde_json::Value = serde_json::from_str(text).unwrap();
    sealed["content"][0]["entries"].as_array_mut().unwrap().iter_mut().for_each(change);
    let content = sealed["content"].to_string();
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let checksum = content.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{{\"checksum\":\"{checksum:016x}\",\"content\":{content}}}")
}
