//! Saving and reading wisdom holds few copies of it at a time, and none afterwards.

mod simulated;

use hpfracc_selector::{Selector, Settings};
use hpfracc_testkit::CountingAllocator;
use simulated::{World, apply, bind, conv};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// More than one model keeps.
const LENS: usize = 2500;

/// What a run takes at most beyond what was in use, and what it leaves.
fn memory(run: impl FnOnce()) -> (usize, usize) {
    let before = ALLOCATOR.bytes_in_use();
    ALLOCATOR.most_bytes_in_use();
    run();
    let most = ALLOCATOR.most_bytes_in_use() - before;
    (most, ALLOCATOR.bytes_in_use().saturating_sub(before))
}

fn selector(world: &World) -> Selector<f64> {
    world.selector(Settings::default())
}

/// One test: the counter sees the whole process, and two tests run at the same time.
#[test]
fn few_copies_are_held_and_none_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wisdom.json");
    let (world, _) = World::of([("a", 1e-5, 1e4), ("b", 1.1e-5, 2e4)]);
    let learned = selector(&world);
    for len in 1..=LENS {
        apply(bind(&learned, conv(len)).as_ref(), 1);
    }
    let experience = learned.experience();
    experience.save_wisdom(&path).unwrap();
    let file = std::fs::metadata(&path).unwrap().len() as usize;
    let times = |bytes: usize| bytes as f64 / file as f64;
    // Timings as they are written, and the text of the file with the timings in it, which are
    // merged.
    let (most, _) = memory(|| experience.save_wisdom(&path).unwrap());
    println!("saving takes {:.1} times the {file} bytes of the file", times(most));
    assert!(times(most) < 5.0, "{:.1}", times(most));
    // The text and its timings: all of them are known already, each at this very time.
    let (most, _) = memory(|| assert!(experience.load_wisdom(&path).unwrap() > LENS));
    println!("reading takes {:.1} times", times(most));
    assert!(times(most) < 3.0, "{:.1}", times(most));
    let (_, kept) = memory(|| {
        for _ in 0..5 {
            experience.save_wisdom(&path).unwrap();
            experience.load_wisdom(&path).unwrap();
        }
    });
    println!("ten more times keep {kept} bytes");
    assert!(kept < file / 20, "{kept} bytes are kept of {file}");
}
