use crate::{Bytes, Target};
use hpfracc::backend::{Backend, Reference, Workload};
use hpfracc::nn::models::{Orders, PathLoss};
use hpfracc::nn::trainer::Training;
use hpfracc::sde::models::Named;
use hpfracc::types::{Grid, Mesh, Order};
use serde_json::{from_str, to_string};

/// The first byte chooses the type, the others are JSON. A value is written and read again.
pub(super) const TARGET: Target = Target {
    name: "values",
    about: "orders, grids, workloads, models and settings from JSON",
    run,
};

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let kind = bytes.byte() % 8;
    let Ok(text) = std::str::from_utf8(bytes.rest()) else { return };
    macro_rules! round_trip {
        ($kind:ty) => {{
            let Ok(value) = from_str::<$kind>(text) else { return };
            let written = to_string(&value).expect("a plain value");
            let read = from_str::<$kind>(&written).expect("the written JSON");
            assert_eq!(to_string(&read).expect("a plain value"), written);
            value
        }};
    }
    match kind {
        0 => drop(round_trip!(Order).ceil()),
        1 => drop(round_trip!(Grid).points().last()),
        2 => drop(round_trip!(Mesh)),
        3 => {
            let workload = round_trip!(Workload);
            if let Err(error) = workload.check() {
                drop(error.to_string());
                return;
            }
            let sizes = [workload.kernel_len(), workload.signal_len(), workload.output_len()];
            assert!(sizes.iter().all(|size| *size <= isize::MAX as usize), "{workload}: {sizes:?}");
            drop(Backend::<f64>::plan(&Reference, workload).map(|plan| plan.bytes()));
        }
        4 => {
            let model = round_trip!(Named);
            drop(model.known(1.0).map_err(|error| error.to_string()));
        }
        5 => drop(round_trip!(Training).check().map_err(|error| error.to_string())),
        6 => drop(round_trip!(Orders)),
        _ => drop(round_trip!(PathLoss)),
    }
}
