//! Runs all committed inputs and mutations of them.

use hpfracc_fuzz::mutation::{Random, mutation};
use hpfracc_fuzz::{Limit, TARGETS, corpus, runner};

#[global_allocator]
static LIMIT: Limit = Limit::new();

/// Number of mutations per target; `cargo xtask fuzz` runs longer searches.
const MUTATIONS: usize = 200;

#[test]
fn the_corpus_and_its_mutations_pass() {
    std::thread::scope(|scope| {
        let each = TARGETS.iter().map(|target| {
            scope.spawn(move || {
                let inputs = corpus::inputs(target).unwrap();
                assert!(inputs.len() > 2, "{}: no corpus", target.name);
                let (known, mut random) = (inputs.clone(), Random::new(1));
                let mutations = (0..MUTATIONS)
                    .map(move |i| (format!("mutation {i}"), mutation(&known, &mut random)));
                runner::run(target, inputs.into_iter().chain(mutations))
            })
        });
        let all: Vec<_> = each.collect();
        let failed: Vec<_> = all.into_iter().filter_map(|run| run.join().unwrap().err()).collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    });
}

/// The corpus stays small, and each of its folders belongs to a target.
#[test]
fn the_corpus_is_small_and_complete() {
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
