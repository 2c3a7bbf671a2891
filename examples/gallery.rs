//! All pictures of the book in one run: `cargo run --release --example gallery`.
//!
//! Each comes from the program of its name, which also runs by itself; `--filter NAME` draws those
//! whose names contain NAME. A table at the end has the file and the time of each.

use hpfracc::prelude::Machine;
use pictures::{Outcome, folder, publish_series};
use std::time::Instant;
use time_series::{CO2, SUNSPOTS, Source, half_per_year, with_picture};

// Every module is a program of its own, or part of one.
mod anomalous_diffusion;
mod bagley_torvik;
mod brusselator;
mod catalogue;
mod delay_logistic;
mod fan_charts;
mod fisher_kpp;
mod fit_catalogue;
mod fit_records;
mod forecast_sunspots;
mod fractional_disk;
mod graph_diffusion;
mod gray_scott;
#[path = "book/histories/drawings.rs"]
mod histories;
mod learn_diffusion;
mod learn_order;
mod lorenz;
mod relaxation;
mod robertson;
mod sir;
mod subdiffusion;
#[path = "quickstart/time_series.rs"]
mod time_series;
mod volatility_smile;

type Draw = fn() -> Outcome<()>;

/// Pictures, in the order of the chapter.
const PICTURES: [(&str, Draw); 27] = [
    ("co2", || draw_series(&CO2)),
    ("sunspots", || draw_series(&SUNSPOTS)),
    ("relaxation", relaxation::main),
    ("bagley_torvik", bagley_torvik::main),
    ("brusselator", brusselator::main),
    ("lorenz", lorenz::main),
    ("sir", sir::main),
    ("robertson", robertson::main),
    ("delay_logistic", delay_logistic::main),
    // The first of several sheets.
    ("catalogue_1", catalogue::main),
    ("fit_catalogue_1", fit_catalogue::main),
    ("rheology_sweep", fit_records::main),
    ("subdiffusion", subdiffusion::main),
    ("fisher_kpp", fisher_kpp::main),
    ("gray_scott", gray_scott::main),
    ("fractional_disk", fractional_disk::main),
    ("graph_diffusion", graph_diffusion::main),
    ("fan_charts", fan_charts::main),
    ("anomalous_diffusion", anomalous_diffusion::main),
    ("volatility_smile", volatility_smile::main),
    ("learn_order", learn_order::main),
    ("forecast_sunspots", forecast_sunspots::main),
    ("learn_diffusion", learn_diffusion::main),
    ("histories_weights", histories::weights),
    ("histories_blocks", histories::blocks),
    ("histories_exponentials", histories::exponentials),
    ("histories_elements", histories::elements),
];

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let filter = match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => "",
        ["--filter", name] => *name,
        other => return Err(format!("`{}`: there is only --filter NAME", other.join(" ")).into()),
    };
    let chosen: Vec<_> = PICTURES.iter().filter(|(name, _)| name.contains(filter)).collect();
    if chosen.is_empty() {
        let names = PICTURES.map(|(name, _)| name).join(", ");
        return Err(format!("no picture is called `{filter}`; there are {names}").into());
    }
    let mut seconds = Vec::new();
    for (name, draw) in &chosen {
        println!("> {name}");
        let start = Instant::now();
        draw()?;
        seconds.push(start.elapsed().as_secs_f64());
        println!();
    }
    println!("seconds   picture                 file (and .png)");
    for ((name, _), seconds) in chosen.iter().zip(&seconds) {
        let file = folder().join(format!("{name}.svg"));
        // Relative to the current directory, if it lies below.
        let here = std::env::current_dir().unwrap_or_default();
        println!(
            "{seconds:7.2}   {name:<24}{}",
            file.strip_prefix(&here).unwrap_or(&file).display()
        );
    }
    println!("{:7.2}   total", seconds.iter().sum::<f64>());
    Ok(())
}

/// A time series and its half-derivative, as in the quickstart.
fn draw_series(source: &Source) -> Outcome<()> {
    let series = source.read()?;
    let half = half_per_year(&series, &Machine::detect())?;
    let shown = (&series, source.title, source.unit);
    with_picture(shown, &[source.half(&half)], |picture| publish_series(source.stem, picture))
}
