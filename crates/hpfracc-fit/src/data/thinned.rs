use super::{Reader, ReaderColumns, Set, Weighting};
use crate::FitError;
use hpfracc_lanes::random::{Philox, unit};

/// Purpose of the random numbers, the last word of their counters, after those of the bootstrap.
const PURPOSE: u32 = 72 << 24;

/// Some rows of a set, in memory.
#[derive(Debug)]
pub(crate) struct Thinned<'a> {
    set: Set<'a>,
    /// As those of [`Set::columns`].
    columns: Vec<Vec<f64>>,
}

impl<'a> Set<'a> {
    /// At most `count` rows: one of each of `count` parts of equal size, at a place that depends on the numbers of the part and
    /// of the set alone, so that periods of the data do not matter.
    pub(crate) fn thinned(&self, count: usize, number: u32) -> Result<Thinned<'a>, FitError> {
        let (rows, philox) = (self.rows(), Philox::new(0));
        let parts = rows.min(count);
        let mut columns: Vec<Vec<f64>> =
            self.columns().map(|_| Vec::with_capacity(parts)).collect();
        let mut read = ReaderColumns::default();
        for part in 0..parts {
            let bound = |part: usize| (part as u128 * rows as u128 / parts as u128) as usize;
            let (first, end) = (bound(part), bound(part + 1));
            let [a, b, ..] = philox.block([part as u32, number, 0, PURPOSE]);
            let row = (first + (unit(a, b) * (end - first) as f64) as usize).min(end - 1);
            let mut reader = Reader::new(self, row + 1, &mut read);
            reader.read(row..row + 1)?;
            for (values, (_, _, column)) in columns.iter_mut().zip(self.columns()) {
                values.push(reader.value(&column, row));
            }
        }
        Ok(Thinned { set: self.clone(), columns })
    }
}

impl<'a> Thinned<'a> {
    /// Set of these rows.
    pub(crate) fn set(&self) -> Set<'_> {
        let Set { name, model, inputs, responses, skips } = &self.set;
        let mut columns = self.columns.iter();
        let mut next = || columns.next().map_or(&[][..], Vec::as_slice).into();
        let inputs: Vec<_> = inputs.iter().map(|_| next()).collect();
        let values: Vec<_> = responses.iter().map(|_| next()).collect();
        let weighted = values.into_iter().zip(responses).map(|(values, (_, weighting))| {
            let weighting = match weighting {
                Weighting::Equal => Weighting::Equal,
                Weighting::Sigma(_) => Weighting::Sigma(next()),
                Weighting::Weight(_) => Weighting::Weight(next()),
            };
            (values, weighting)
        });
        let responses = weighted.collect();
        Set { name: name.clone(), model: *model, inputs, responses, skips: *skips }
    }
}

#[cfg(test)]
mod tests {
    use crate::{FormulaModel, Set};
    use hpfracc_equation::Formula;

    #[test]
    fn rows_are_kept_together_and_spread() {
        let model = FormulaModel::new(&[Formula::parse("a x", &["x"]).unwrap()]).unwrap();
        let x: Vec<f64> = (0..1000).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        let sigma: Vec<f64> = x.iter().map(|x| 3.0 + x).collect();
        let set = Set::new("line", &model).input(&x).response(&y).sigma(&sigma);
        for count in [1, 7, 64, 1000, 5000] {
            let thinned = set.thinned(count, 0).unwrap();
            let [x, y, sigma] = [0, 1, 2].map(|k| &thinned.columns[k]);
            let parts = count.min(1000);
            assert_eq!(x.len(), parts);
            for (part, x) in x.iter().enumerate() {
                let row = *x as usize;
                assert!(part * 1000 / parts <= row && row < (part + 1) * 1000 / parts);
            }
            let rows = x.iter().zip(y).zip(sigma);
            rows.for_each(|((x, y), sigma)| assert_eq!((*y, *sigma), (2.0 * x, 3.0 + x)));
            assert_eq!(thinned.set().rows(), parts);
        }
        // The places differ from set to set.
        assert_ne!(set.thinned(64, 0).unwrap().columns, set.thinned(64, 1).unwrap().columns);
    }
}
