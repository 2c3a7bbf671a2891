//! Long signals against tables of 20 digits: phases take thousands of turns there.

use hpfracc_testkit::{Row, Table};
use hpfracc_transforms::{FractionalDft, FractionalFourier, Transform};
use ndarray::Array1;
use num_complex::Complex;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Rows by the text of their first three columns.
fn groups<'a>(table: &'a Table, keys: [&str; 3]) -> BTreeMap<[String; 3], Vec<Row<'a>>> {
    let mut groups: BTreeMap<[String; 3], Vec<Row<'_>>> = BTreeMap::new();
    for row in table.rows() {
        groups.entry(keys.map(|key| row.text(key).to_owned())).or_default().push(row);
    }
    groups
}

fn value(row: &Row<'_>) -> Complex<f64> {
    Complex::new(row.number("re"), row.number("im"))
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn fractional_dft_of_a_million_samples() {
    let table = Table::parse(include_str!("data/fractional_dft.csv"));
    for ([n, first, step], rows) in groups(&table, ["n", "first", "step"]) {
        let n = number(&n) as usize;
        let x: Array1<Complex<f64>> =
            (0..n).map(|j| Complex::from(((j * j % 17) as f64 - 8.0) / 8.0)).collect();
        let norm = x.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
        let transform = FractionalDft::<f64>::zoom(n, n, number(&first), number(&step)).unwrap();
        let y = transform.apply(x.view()).unwrap();
        let errors = rows.iter().map(|row| (y[row.number("k") as usize] - value(row)).norm());
        // Results are as large as |x| sqrt(n); the FFTs' errors spread evenly.
        let worst = errors.fold(0.0, f64::max) / norm;
        println!("n = {n}, f = {first}, c = {step}: {worst:.1e} of |x|");
        assert!(worst < 3e-15, "n = {n}, f = {first}, c = {step}: {worst:e}");
    }
}

#[test]
fn a_gaussian_far_from_the_middle_of_a_million_samples() {
    let table = Table::parse(include_str!("data/shifted_gaussian.csv"));
    for ([n, x0, order], rows) in groups(&table, ["n", "x0", "order"]) {
        let (n, x0) = (number(&n) as usize, number(&x0));
        let transform = FractionalFourier::<f64>::new(n, number(&order)).unwrap();
        let x = transform.coordinates();
        let x = x.mapv(|x| Complex::from((-PI * (x - x0) * (x - x0)).exp()));
        let y = transform.apply(x.view()).unwrap();
        let errors = rows.iter().map(|row| {
            let at = row.number("j") as i64 + (n / 2) as i64;
            (y[at as usize] - value(row)).norm()
        });
        let worst = errors.fold(0.0, f64::max);
        println!("n = {n}, x0 = {x0}, a = {order}: {worst:.1e}");
        assert!(worst < 1e-14, "n = {n}, x0 = {x0}, a = {order}: {worst:e}");
    }
}
