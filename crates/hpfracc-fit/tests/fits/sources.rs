use super::{model, noise};
use hpfracc_fit::{Column, Fit, FitError, FormulaModel, RawFile, Set, Source, Spool};
use ndarray::Array2;

fn decay() -> FormulaModel {
    model("a exp(-x/tau) + c; a = 1; tau = 1 in (0, inf); c = 0")
}

fn rows(count: usize) -> Vec<[f64; 2]> {
    let row = |k: usize| {
        let t = 4.0 * k as f64 / count as f64;
        [t, 2.0 * (-t / 1.5).exp() + 0.3 + 0.02 * noise(k)]
    };
    (0..count).map(row).collect()
}

/// Bits of the estimates.
fn bits(model: &FormulaModel, t: Column<'_>, y: Column<'_>) -> Vec<u64> {
    let fit = Fit::new(Set::new("decay", model).input(t).response(y)).unwrap();
    fit.run().unwrap().values().iter().map(|value| value.to_bits()).collect()
}

/// The same bits from slices, an array, a file, a spool in memory and a spool in a file.
#[test]
fn the_same_bits_from_any_source() {
    let model = decay();
    for count in [1, 511, 512, 513, 8192, 8193, 140_000].map(|count| count.max(5)) {
        let rows = rows(count);
        let [t, y] = [0, 1].map(|k| rows.iter().map(|row| row[k]).collect::<Vec<f64>>());
        let expected = bits(&model, (&t).into(), (&y).into());
        let check = |source: &dyn Source, what: &str| {
            assert_eq!(source.rows(), count);
            let found = bits(&model, Column::of(source, 0), Column::of(source, 1));
            assert_eq!(found, expected, "{what}, {count} rows");
        };
        check(&Array2::from(rows.clone()), "array");
        let columns = Array2::from_shape_vec((2, count), [t.clone(), y.clone()].concat()).unwrap();
        check(&columns.t(), "transposed view");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        std::fs::write(&path, bytes(&rows)).unwrap();
        check(&RawFile::open(&path, 2).unwrap(), "file");
        for limit in [1000, usize::MAX] {
            let mut spool = Spool::new(2, limit).folder(folder.path());
            rows.iter().for_each(|row| spool.push(row).unwrap());
            let spooled = spool.finish().unwrap();
            assert_eq!(spooled.is_file(), 16 * count > limit);
            check(&spooled, "spool");
        }
        // The temporary file is removed.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

fn bytes(rows: &[[f64; 2]]) -> Vec<u8> {
    rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect()
}

#[test]
fn sources_that_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let message = |columns| RawFile::open(&path, columns).unwrap_err().to_string();
    assert!(message(2).contains("rows: cannot open: "), "{}", message(2));
    std::fs::write(&path, [0; 40]).unwrap();
    assert!(
        message(2).ends_with("has 40 bytes, expected a multiple of 16: 2 numbers of 8 bytes a row")
    );
    assert!(RawFile::open(&path, 0).is_err());

    std::fs::write(&path, bytes(&rows(100))).unwrap();
    let (model, file) = (decay(), RawFile::open(&path, 2).unwrap());
    let set =
        |y| Set::new("decay", &model).input(Column::of(&file, 0)).response(Column::of(&file, y));
    let error = Fit::new(set(2)).unwrap_err().to_string();
    assert_eq!(error, "the set `decay` has 2 columns in its file, expected 3");

    // A file that changes between passes.
    let fit = Fit::new(set(1)).unwrap();
    std::fs::write(&path, bytes(&rows(101))).unwrap();
    let error = fit.run().unwrap_err();
    assert!(matches!(error, FitError::Source(_)), "{error}");
    assert!(error.to_string().ends_with("has changed since the first pass over it"), "{error}");

    let mut spool = Spool::new(2, 0).folder(folder.path().join("missing"));
    assert!(
        spool.push(&[1.0]).unwrap_err().to_string().contains("a row has 1 numbers, expected 2")
    );
    assert!(spool.push(&[1.0, 2.0]).is_err());
}

/// Rows that cannot be used are named by row and column in files, too.
#[test]
fn bad_rows_of_files_are_named_or_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let mut rows = rows(20_000);
    rows[9_000][1] = f64::NAN;
    std::fs::write(&path, bytes(&rows)).unwrap();
    let (model, file) = (decay(), RawFile::open(&path, 2).unwrap());
    let set =
        || Set::new("decay", &model).input(Column::of(&file, 0)).response(Column::of(&file, 1));
    let error = Fit::new(set()).unwrap().run().unwrap_err().to_string();
    assert!(error.starts_with("the set `decay` has NaN in row 9000 of responses 0"), "{error}");
    let fit = Fit::new(set().skip_not_finite()).unwrap();
    let found = fit.run().unwrap();
    assert_eq!(found.skipped(), 1);
    assert!((found.estimate("tau").unwrap().value - 1.5).abs() < 0.01);
}
