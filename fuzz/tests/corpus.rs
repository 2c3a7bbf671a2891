//! Every input that is kept, and mutations of them, go through their targets.

use hpfracc_fuzz::mutation::{Dice, mutation};
use hpfracc_fuzz::{Limit, TARGETS, corpus, watched};

#[global_allocator]
static LIMIT: Limit = Limit::new();

/// Of each target; a search for hours is `cargo xtask fuzz`.
const MUTATIONS: usize = 200;

#[test]
fn the_corpus_and_mutations_of_it_are_answered() {
    std::thread::scope(|scope| {
        let each = TARGETS.iter().map(|target| {
            scope.spawn(move || {
                let inputs = corpus::inputs(target).unwrap();
                assert!(inputs.len() > 2, "{}: no corpus", target.name);
                let (known, mut dice) = (inputs.clone(), Dice::new(1));
                let random = (0..MUTATIONS)
                    .map(move |i| (format!("mutation {i}"), mutation(&known, &mut dice)));
                watched::run(target, inputs.into_iter().chain(random))
            })
        });
        let all: Vec<_> = each.collect();
        let failed: Vec<_> = all.into_iter().filter_map(|run| run.join().unwrap().err()).collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    });
}

/// The repository keeps small things.
#[test]
fn the_corpus_is_small_and_has_no_strangers() {
    let mut bytes = 0;
    for target in TARGETS {
        let inputs = corpus::inputs(target).unwrap();
        bytes += inputs.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    }
    assert!(bytes < 1 << 20, "{bytes} bytes");
    for entry in std::fs::read_dir(corpus::folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(hpfracc_fuzz::named(&name).is_some(), "corpus/{name} belongs to no target");
    }
}
