use crate::{Bytes, Target};
use hpfracc::sde::SdeError;
use hpfracc::sde::models::Named;
use hpfracc::sde::{Ensemble, Moments, PairMoments, Paths, Quantiles};

/// Models with any parameters, simulated on any interval.
pub(super) const TARGET: Target =
    Target { name: "ensembles", about: "models, intervals and settings of ensembles", run };

fn run(data: &[u8]) {
    if let Err(error) = trial(&mut Bytes::new(data)) {
        drop(error.to_string());
    }
}

fn trial(bytes: &mut Bytes<'_>) -> Result<(), SdeError> {
    let mut model = *bytes.one_of(&Named::all());
    for parameter in model.definition().parameters {
        if bytes.flag() {
            model = model.with(parameter.name, bytes.real()).expect("a parameter of the model")?;
        }
    }
    let interval = (bytes.real(), bytes.real());
    let interval = if bytes.flag() { interval } else { (0.0, 1.0) };
    drop(model.known(interval.1 - interval.0).map_err(|error| error.to_string()));
    let (paths, steps, collector) = (bytes.count(9), bytes.count(24), bytes.byte() % 4);
    // Stored paths that cannot be addressed are refused; other collectors would take too long.
    if paths > 9 && collector != 0 {
        return Ok(());
    }
    let mut ensemble = Ensemble::new(paths, steps)?;
    ensemble = match bytes.byte() % 4 {
        0 => ensemble.saving_every(bytes.count(9))?,
        1 => {
            let nodes = bytes.below(4);
            ensemble.saving_nodes(&(0..nodes).map(|_| bytes.count(24)).collect::<Vec<_>>())?
        }
        2 => {
            let times = bytes.below(4);
            ensemble.saving_at(&bytes.reals(times))?
        }
        _ => ensemble,
    };
    if bytes.flag() {
        ensemble = ensemble.in_tiles_of(bytes.count(9))?;
    }
    if bytes.flag() {
        ensemble = ensemble.starting_at(bytes.word());
    }
    let seed = bytes.word();
    match collector {
        0 => drop(model.simulate::<f64, _>(&ensemble, interval, seed, &Paths)?),
        1 => drop(model.simulate::<f32, _>(&ensemble, interval, seed, &Moments)?),
        2 => drop(model.simulate::<f64, _>(&ensemble, interval, seed, &PairMoments)?),
        _ => {
            let probabilities = bytes.below(4);
            let mut quantiles = Quantiles::new(&bytes.reals(probabilities))?;
            if bytes.flag() {
                quantiles = quantiles.within(bytes.real())?;
            }
            drop(model.simulate::<f64, _>(&ensemble, interval, seed, &quantiles)?);
        }
    }
    Ok(())
}
