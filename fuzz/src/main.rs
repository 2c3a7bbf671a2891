//! Program of all targets: searches for failing inputs under `cargo xtask fuzz`, otherwise replays
//! files and mutations.
#![cfg_attr(fuzzing, no_main)]

use hpfracc_fuzz::Limit;

#[global_allocator]
static LIMIT: Limit = Limit::new();

#[cfg(fuzzing)]
mod search {
    use hpfracc_fuzz::{Target, named};
    use std::sync::LazyLock;

    /// Target in the environment variable that `cargo xtask fuzz` sets.
    static TARGET: LazyLock<&Target> = LazyLock::new(|| {
        let name =
            std::env::var("HPFRACC_FUZZ_TARGET").expect("HPFRACC_FUZZ_TARGET names a target");
        named(&name).expect("HPFRACC_FUZZ_TARGET names a target")
    });

    libfuzzer_sys::fuzz_target!(|data: &[u8]| (TARGET.run)(data));
}

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match replay::run(&args) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            std::process::ExitCode::FAILURE
        }
    }
}

#[cfg(not(fuzzing))]
mod replay {
    use hpfracc_fuzz::mutation::{Random, mutation};
    use hpfracc_fuzz::{TARGETS, Target, corpus, named, runner};
    use std::time::{Duration, Instant};

    const USAGE: &str = "\
usage: hpfracc-fuzz TARGET|all FILE...            runs the inputs in files
       hpfracc-fuzz TARGET|all SECONDS [SEED]     runs the corpus, then mutations of it for a time";

    pub(super) fn run(args: &[String]) -> Result<(), String> {
        let [name, rest @ ..] = args else { return Err(usage()) };
        let targets: Vec<&'static Target> = match name.as_str() {
            "all" => TARGETS.iter().collect(),
            name => vec![named(name).ok_or_else(usage)?],
        };
        let [first, others @ ..] = rest else { return Err(usage()) };
        if let Ok(seconds) = first.parse() {
            let seed = others.first().map_or(Ok(1), |seed| seed.parse()).map_err(|_| usage())?;
            return targets.into_iter().try_for_each(|target| mutate(target, seconds, seed));
        }
        for path in rest {
            let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            for target in &targets {
                runner::run(target, std::iter::once((path.clone(), bytes.clone())))?;
            }
        }
        Ok(())
    }

    fn mutate(target: &'static Target, seconds: u64, seed: u64) -> Result<(), String> {
        let inputs = corpus::inputs(target).map_err(|error| format!("{}: {error}", target.name))?;
        let (known, mut random) = (inputs.clone(), Random::new(seed));
        // The clock starts after the corpus.
        let mut start = None;
        let mutations = (0..)
            .take_while(move |_| {
                start.get_or_insert_with(Instant::now).elapsed() < Duration::from_secs(seconds)
            })
            .map(move |i| (format!("mutation {i} of seed {seed}"), mutation(&known, &mut random)));
        let count = runner::run(target, inputs.into_iter().chain(mutations))?;
        println!("{}: {count} inputs, seed {seed}", target.name);
        Ok(())
    }

    fn usage() -> String {
        let each = TARGETS.iter().map(|target| format!("  {:16} {}", target.name, target.about));
        format!("{USAGE}\n\n{}", each.collect::<Vec<_>>().join("\n"))
    }
}
