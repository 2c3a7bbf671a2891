//! A Mittag-Leffler relaxation, solved by two schemes and drawn with its exact solution.

use crate::{Report, largest};
use hpfracc::prelude::*;
use hpfracc::special::mittag_leffler;
use hpfracc_plot::{Axis, Chart, Curve, Format, Mark, Sheet};
use pictures::Outcome;

/// Number of steps of the predictor-corrector method.
pub(crate) const STEPS: usize = 1000;

/// `D^1/2 y = -y` by two schemes, at the same times.
pub(crate) struct Relaxation {
    times: Vec<f64>,
    exact: Vec<f64>,
    pub(crate) pece: Vec<f64>,
    pub(crate) collocation: Vec<f64>,
    pub(crate) unknowns: usize,
}

impl Relaxation {
    pub(crate) fn new() -> Outcome<Self> {
        let problem = Problem::new(&[0.5], (0.0, 10.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
        let uniform = Steps::Uniform(STEPS);
        let pece =
            solve(&problem, &AdamsBashforthMoulton::default(), &uniform, Options::default())?;
        let adaptive = Steps::adaptive(1e-13, 1e-13);
        let collocation = solve(&problem, &Collocation::default(), &adaptive, Options::default())?;
        let times = pece.times().to_vec();
        let exact = times.iter().map(|t| mittag_leffler(0.5, 1.0, -t.sqrt()));
        let between = times.iter().map(|&t| Ok(collocation.at(t)?[0]));
        Ok(Self {
            exact: exact.collect::<Result<_, _>>()?,
            pece: pece.states().column(0).to_vec(),
            collocation: between.collect::<Result<_, OdeError>>()?,
            unknowns: collocation.statistics().unknowns,
            times,
        })
    }

    fn errors(&self, values: &[f64]) -> Vec<f64> {
        values.iter().zip(&self.exact).map(|(value, exact)| (value - exact).abs()).collect()
    }

    pub(crate) fn error(&self, values: &[f64]) -> f64 {
        largest(&self.errors(values))
    }

    pub(crate) fn publish(&self, report: &mut Report) -> Outcome<()> {
        let rings = |values: &[f64]| values.iter().copied().step_by(40).collect::<Vec<f64>>();
        let (ring_times, ring_values) = (rings(&self.times), rings(&self.exact));
        let curves = [
            Curve::line("predictor-corrector", &self.times, &self.pece, 0),
            Curve::line("exact", &ring_times, &ring_values, 1).marked(Mark::Rings),
        ];
        let (pece, collocation) = (self.errors(&self.pece), self.errors(&self.collocation));
        let errors = [
            Curve::line("predictor-corrector", &self.times, &pece, 0),
            Curve::line("collocation", &self.times, &collocation, 2),
        ];
        let (linear, log) = (Axis::linear, Axis::log);
        let chart = |x, y, curves| Chart { title: "", x, y, curves, equal: false };
        let charts =
            [chart(linear("t"), linear("y"), &curves), chart(log("t"), log("error"), &errors)];
        let sheet = Sheet { title: "Mittag-Leffler relaxation of order 1/2", columns: &[&charts] };
        for (extension, format) in [("svg", Format::Svg), ("png", Format::Png)] {
            let name = format!("relaxation.{extension}");
            let bytes = report.timed(&format!("draw {name}"), || sheet.draw(format))?;
            report.write(&name, bytes)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed statements on the relaxation.
    #[test]
    fn the_relaxation_is_solved() {
        let relaxation = Relaxation::new().unwrap();
        assert!(relaxation.error(&relaxation.collocation) < 1e-12);
        let pece = relaxation.error(&relaxation.pece);
        assert!(pece < 1e-2, "{pece:e}");
    }
}
