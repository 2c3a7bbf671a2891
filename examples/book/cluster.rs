//! Programs of the chapter "On a cluster": `cargo run --example book_cluster`.

use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    // ANCHOR: ranks
    use hpfracc::ranks::run_threads;
    use hpfracc::sde::SdeError;
    use hpfracc::sde::models::OrnsteinUhlenbeck;

    let (model, ensemble) = (OrnsteinUhlenbeck::default(), Ensemble::new(10_000, 50)?);
    // Ranks as threads of this process; `hpfracc_mpi::Mpi::start()` gives those of MPI.
    let on_ranks = run_threads(3, |ranks| -> Result<_, SdeError> {
        model.simulate::<f64, _>(&ensemble.clone().over(ranks), (0.0, 1.0), 7, &Moments)
    })?;
    let alone = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 7, &Moments)?;
    assert!(on_ranks.iter().all(|moments| *moments == alone));
    // ANCHOR_END: ranks
    println!("mean {:.4} on each of {} ranks", alone.mean[[0, 0]], on_ranks.len());
    Ok(())
}
