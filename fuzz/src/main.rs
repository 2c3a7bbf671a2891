//! One target: searching for inputs under `cargo xtask fuzz`, otherwise replaying files and mutations.
#![cfg_attr(fuzzing, no_main)]

use hpfracc_fuzz::Limit;

#[global_allocator]
static LIMIT: Limit = Limit::new();

#[cfg(fuzzing)]
mod search {
    use hpfracc_fuzz::{Target, named};
    use std::sync::LazyLock;

    /// The target named by the variable that `cargo xtask fuzz` sets.
    static TARGET: LazyLock<&Target> = LazyLock::new(|| {
        let name =
            std::env::var("HPFRACC_FUZZ_TARGET").expect("HPFRACC_FUZZ_TARGET names a target");
        named(&name).expect("a target of that name")
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
    use hpfracc_fuzz::mutation::{Dice, mutation};
    use hpfracc_fuzz::{TARGETS, Target, corpus, named, watched};
    use std::time::{Duration, Instant};

    const USAGE: &str = "\
usage: hpfracc-fuzz TARGET FILE...                the bytes of files through a target
       hpfracc-fuzz TARGET|all SECONDS [SEED]     the corpus and mutations of it, for so long";

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
                watched::run(target, std::iter::once((path.clone(), bytes.clone())))?;
            }
        }
        Ok(())
    }

    fn mutate(target: &'static Target, seconds: u64, seed: u64) -> Result<(), String> {
        let inputs = corpus::inputs(target).map_err(|error| format!("{}: {error}", target.name))?;
        let (known, mut dice) = (inputs.clone(), Dice::new(seed));
        // The clock starts behind the corpus, however long that takes.
        let mut start = None;
        let random = (0..)
            .take_while(move |_| {
                start.get_or_insert_with(Instant::now).elapsed() < Duration::from_secs(seconds)
            })
            .map(move |i| (format!("mutation {i} of seed {seed}"), mutation(&known, &mut dice)));
        let count = watched::run(target, inputs.into_iter().chain(random))?;
        println!("{}: {count} inputs, seed {seed}", target.name);
        Ok(())
    }

    fn usage() -> String {
        let each = TARGETS.iter().map(|target| format!("  {:16} {}", target.name, target.about));
        format!("{USAGE}\n\n{}", each.collect::<Vec<_>>().join("\n"))
    }
}
