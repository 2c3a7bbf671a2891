use crate::{Bytes, Target};
use hpfracc_cli::{CsvTable, Missing, Series, SeriesOptions};

/// The first two bytes choose the options of the time series, the others are the file.
pub(super) const TARGET: Target =
    Target { name: "csv", about: "CSV files, and time series from them", run };

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let (flags, dt) = (bytes.byte(), bytes.byte());
    let dt = match dt {
        0..200 => None,
        200..240 => Some(0.5),
        _ => Some(bytes.real()),
    };
    let Ok(table) = CsvTable::parse("fuzz.csv", bytes.rest()) else { return };
    for column in 0..table.header().len() {
        let _ = table.numbers(column).map_err(|error| error.to_string());
        table.begins_with_a_number(column);
    }
    let named = |index: u8| table.header().get(usize::from(index)).cloned();
    let options = SeriesOptions {
        column: if flags & 1 == 1 { named(flags >> 4 & 3) } else { None },
        time: if flags & 2 == 2 { named(flags >> 6) } else { None },
        dt,
        missing: [Missing::Error, Missing::Interpolate, Missing::Drop][usize::from(flags >> 2) % 3],
    };
    match Series::new(&table, &options) {
        Ok(series) => {
            let n = series.values.len();
            assert_eq!((n, n, n), (series.labels.len(), series.times.len(), series.grid.n()));
            assert!(series.values.iter().all(|x| x.is_finite()), "{:?}", series.values);
            assert!(series.grid.dt() > 0.0 && series.grid.dt().is_finite());
            assert!(series.filled.iter().all(|run| run.end <= n));
        }
        Err(error) => drop(error.to_string()),
    }
}
