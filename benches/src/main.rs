//! Ratios of each algorithm to its floor, measured in one run.
//!
//! A run passes or fails only with `--baseline`, which compares its times with those of a record.

mod allocated;
mod baseline;
mod bench;
mod cell;
mod date;
mod fit;
mod floor;
mod groups;
mod machine;
mod measure;
mod peak;
mod plots;
mod publish;
mod record;
mod threads;

use baseline::{Baseline, Comparison};
use bench::Bench;
use clap::Parser;
use groups::GROUPS;
use machine::{Machine, Program, root};
use measure::Budget;
use record::{Group, Record};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Measures the algorithms of the workspace relative to their floors.
#[derive(Parser)]
struct Arguments {
    /// Runs only the groups whose name contains this.
    #[arg(long, default_value = "")]
    filter: String,
    /// Fewer sizes and shorter timings: less than two minutes in total.
    #[arg(long)]
    quick: bool,
    /// Adds the results to the record of this machine, benches/record/MACHINE/DATE.json. Requires a
    /// full run of a commit without uncommitted changes.
    #[arg(long)]
    publish: bool,
    /// Compares with an earlier record of this machine, by default the newest, and fails if a time
    /// is more than 10 % longer relative to the floors of its row, or to the machine's own times if
    /// the row has no floor. A failed run is not published.
    #[arg(long, value_name = "RECORD")]
    baseline: Option<Option<PathBuf>>,
    /// Draws the plots of a record without measuring.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["publish", "baseline", "quick"])]
    plots_from: Option<PathBuf>,
    /// Only runs a stream of this many samples and prints its resident set: `stream/memory` starts
    /// it as a process of its own.
    #[arg(long, hide = true)]
    stream_memory: Option<u64>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<()> {
    let Arguments { filter, quick, publish, baseline, plots_from, stream_memory } = arguments;
    if let Some(last) = stream_memory {
        groups::stream_memory(*last);
        return Ok(());
    }
    let (machine, folder) = (Machine::here(), target().join("bench"));
    std::fs::create_dir_all(&folder)?;
    if let Some(path) = plots_from {
        let record = Record::read(path)?;
        let groups: Vec<_> = record.groups.iter().filter(|g| g.name.contains(filter)).collect();
        return plots::draw(groups, &folder);
    }
    let chosen: Vec<_> = GROUPS.iter().filter(|(name, _)| name.contains(filter)).collect();
    if chosen.is_empty() {
        return Err(io::Error::other(no_group(filter)));
    }
    let records = root().join("benches/record").join(machine.folder());
    let program = Program::here();
    if *publish {
        // Errors are reported before the measurements.
        publish::check(*quick, &program)?;
        publish::newest(&machine, &records)?;
    }
    let baseline = match baseline {
        Some(file) => Some(Baseline::read(file.as_deref(), &machine, &records)?),
        None => None,
    };
    let lines = folder.join("bench.jsonl");
    println!("{}", machine.line());
    let mut groups = Vec::new();
    for (name, work) in &chosen {
        println!("\n## {name}\n");
        let group = measure(name, *work, *quick, &program);
        record::append_line(&lines, &machine, &group)?;
        groups.push(group);
    }
    let comparison = baseline.map(|baseline| {
        baseline.compare(&groups, |name| {
            let (name, work) = chosen.iter().find(|(group, _)| *group == name)?;
            println!("\n## {name}, repeated\n");
            Some(measure(name, *work, *quick, &program))
        })
    });
    for rerun in comparison.iter().flat_map(Comparison::better_reruns) {
        record::append_line(&lines, &machine, rerun)?;
        groups.iter_mut().filter(|g| g.name == rerun.name).for_each(|g| g.clone_from(rerun));
    }
    println!("\nas JSON: {}", lines.display());
    plots::draw(&groups, &folder)?;
    if let Some(comparison) = comparison {
        println!("\n{comparison}");
        let slower = comparison.slower();
        if slower > 0 {
            return Err(io::Error::other(format!("{slower} times are longer than in the record")));
        }
    }
    if *publish {
        let path = publish::publish(machine, &groups, &records)?;
        println!("record: {}", path.display());
    }
    Ok(())
}

/// Target folder of cargo: `CARGO_TARGET_DIR`, or `target` in the workspace.
fn target() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    folder.map_or_else(|| root().join("target"), PathBuf::from)
}

fn measure(name: &str, work: fn(&mut Bench), quick: bool, program: &Program) -> Group {
    let budget = if quick {
        Budget { rounds: 7, slice: Duration::from_millis(2) }
    } else {
        Budget { rounds: 25, slice: Duration::from_millis(5) }
    };
    let before = floor::machine(budget);
    let (mut bench, begun) = (Bench::new(budget, quick), Instant::now());
    work(&mut bench);
    let seconds = begun.elapsed().as_secs_f64().round();
    let times = floor::MACHINE.iter().zip(before).zip(floor::machine(budget));
    let machine = times.map(|((name, before), after)| {
        let both = before.and(&after).spread(1.0);
        ((*name).to_owned(), [both.least, both.median])
    });
    Group {
        name: name.to_owned(),
        date: record::today(),
        program: program.clone(),
        quick,
        seconds,
        machine: machine.collect(),
        blocks: bench.into_blocks(),
    }
}

fn no_group(filter: &str) -> String {
    let names: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    let names = names.join(", ");
    let others = if cfg!(feature = "gpu") {
        ""
    } else {
        "\nand those of wgpu with `cargo xtask bench --gpu`"
    };
    format!("no group's name contains `{filter}`; the groups are {names}{others}")
}
