//! Ratios of each algorithm to its floor, measured in one run.
//!
//! Nothing here passes or fails by itself: the figures are for reading and for records, and
//! `--baseline` compares them with a record.

mod baseline;
mod bench;
mod cell;
mod day;
mod fit;
mod floor;
mod groups;
mod held;
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

/// Measures the algorithms of the workspace against their floors.
#[derive(Parser)]
struct Arguments {
    /// Only the groups whose name contains this.
    #[arg(long, default_value = "")]
    filter: String,
    /// Fewer sizes and shorter timings: below two minutes in all.
    #[arg(long)]
    quick: bool,
    /// Puts what was measured into the record of this machine, benches/record/MACHINE/DATE.json:
    /// whole runs of a commit without changes.
    #[arg(long)]
    publish: bool,
    /// Compares with an earlier record of this machine, the newest unless one is named, and fails
    /// if a time has become more than 10 % longer, relative to the floors of its row or, without
    /// one, to what the machine did meanwhile. What fails is not published.
    #[arg(long, value_name = "RECORD")]
    baseline: Option<Option<PathBuf>>,
    /// Measures nothing and draws the plots of a record.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["publish", "baseline", "quick"])]
    plots_from: Option<PathBuf>,
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
    let Arguments { filter, quick, publish, baseline, plots_from } = arguments;
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
        // Known before anything is measured.
        publish::check(*quick, &program)?;
        publish::newest(&machine, &records)?;
    }
    let before = match baseline {
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
    let found = before.map(|before| {
        before.compare(&groups, |name| {
            let (name, work) = chosen.iter().find(|(known, _)| *known == name)?;
            println!("\n## {name}, again\n");
            Some(measure(name, *work, *quick, &program))
        })
    });
    for again in found.iter().flat_map(Comparison::counted) {
        record::append_line(&lines, &machine, again)?;
        groups.iter_mut().filter(|g| g.name == again.name).for_each(|g| g.clone_from(again));
    }
    println!("\nas JSON: {}", lines.display());
    plots::draw(&groups, &folder)?;
    if let Some(found) = found {
        println!("\n{found}");
        if found.slower() > 0 {
            return Err(io::Error::other(format!("{} times are longer", found.slower())));
        }
    }
    if *publish {
        let path = publish::publish(machine, &groups, &records)?;
        println!("on record: {}", path.display());
    }
    Ok(())
}

/// Where cargo puts what it makes, which may be named in the environment.
fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    named.map_or_else(|| root().join("target"), PathBuf::from)
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
        found: bench.found(),
    }
}

fn no_group(filter: &str) -> String {
    let names: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    let names = names.join(", ");
    let others = if cfg!(feature = "gpu") {
        ""
    } else {
        "\nand, with `cargo xtask bench --gpu`, those of wgpu"
    };
    format!("no group's name contains `{filter}`; there are {names}{others}")
}
