use hpfracc::equation::Equation;
use hpfracc::equation::catalogue;
use hpfracc::sde::models::{Known, Named};

/// Exact moments of an equation that is one of the library's models with some parameters.
pub(super) struct ExactMoments {
    model: Named,
    t0: f64,
    /// Index among the observables of the model, of each quantity of the equation.
    observables: Vec<Option<usize>>,
}

impl ExactMoments {
    /// `None` for an equation that is no such model.
    pub(super) fn new(equation: &Equation) -> Option<Self> {
        Named::all().into_iter().find_map(|model| Self::of(equation, model))
    }

    fn of(equation: &Equation, mut model: Named) -> Option<Self> {
        let ends = equation.values(&equation.interval()?);
        let interval = (ends[0], ends[1]);
        let entry = catalogue::named(model.definition().name)?;
        let mut same = entry.equation().ok()?.with_interval(interval);
        for parameter in equation.parameters() {
            same.set(parameter.name(), parameter.value()).ok()?;
            model = model.with(parameter.name(), parameter.value())?.ok()?;
        }
        if same != equation.clone().with_interval(interval) {
            return None;
        }
        let names = equation.states().iter().map(|state| state.name());
        let names = names.chain(equation.shown().iter().map(|shown| shown.name()));
        let known = model.definition().observables;
        let observables =
            names.map(|name| known.iter().position(|of| of.eq_ignore_ascii_case(name)));
        Some(Self { model, t0: interval.0, observables: observables.collect() })
    }

    /// Moments of each quantity at a time.
    pub(super) fn at(&self, t: f64) -> Vec<Known> {
        let known = self.model.known(t - self.t0).unwrap_or_default();
        let of = |of: &Option<usize>| of.and_then(|k| known.get(k).copied()).unwrap_or_default();
        self.observables.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_recognised_with_any_values() {
        let text = catalogue::named("ornstein-uhlenbeck").unwrap().text;
        let changed = text.replace("sigma = 0.5", "sigma = 0.3").replace("[0, 5]", "[0, 3]");
        let equation = Equation::parse(&changed).unwrap();
        let exact = ExactMoments::new(&equation).unwrap().at(1.0)[0];
        // X(0) = 1 and theta = 1.
        let (mean, variance) = ((-1.0f64).exp(), 0.3 * 0.3 / 2.0 * (1.0 - (-2.0f64).exp()));
        assert!((exact.mean.unwrap() - mean).abs() < 1e-14, "{exact:?}");
        assert!((exact.variance.unwrap() - variance).abs() < 1e-14, "{exact:?}");
        for other in ["sigma dW", "theta (mu - X)"] {
            let other = Equation::parse(&text.replace(other, &format!("2 {other}"))).unwrap();
            assert!(ExactMoments::new(&other).is_none());
        }
    }
}
