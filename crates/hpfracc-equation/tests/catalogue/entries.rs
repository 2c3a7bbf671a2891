use crate::point::{Point, equation};
use hpfracc_equation::catalogue::{ENTRIES, Entry, named};
use hpfracc_equation::{Derivative, Equation, Id};

#[test]
fn every_text_parses() {
    let errors: Vec<String> = ENTRIES
        .iter()
        .filter_map(|entry| entry.equation().err().map(|error| format!("{}:\n{error}", entry.name)))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
}

#[test]
fn names_are_sorted_and_found() {
    assert!(ENTRIES.len() > 75);
    assert!(ENTRIES.windows(2).all(|pair| pair[0].name < pair[1].name));
    for entry in ENTRIES.iter() {
        assert_eq!(named(entry.name), Some(entry));
    }
    assert_eq!(named("lorentz"), None);
}

#[test]
fn schemes_and_sources_are_given() {
    let ordinary = [
        "pece",
        "rectangle",
        "trapezoid",
        "fractional-trapezoid",
        "newton-gregory",
        "bdf2",
        "l1",
        "collocation",
    ];
    let stochastic = ["euler-maruyama", "fractional-euler-maruyama"];
    for entry in ENTRIES.iter() {
        let schemes: &[&str] =
            if equation(entry).noises().is_empty() { &ordinary } else { &stochastic };
        assert!(schemes.contains(&entry.scheme), "{}: {}", entry.name, entry.scheme);
        assert!(entry.steps >= 100 && entry.grading >= 1.0, "{}", entry.name);
        assert!(!entry.title.is_empty() && entry.about.ends_with('.'), "{}", entry.name);
        assert!(
            !entry.title.ends_with('.')
                && entry.source.contains("(1") | entry.source.contains("(2")
        );
    }
}

#[test]
fn orders_of_fractional_equations_are_parameters() {
    for entry in ENTRIES.iter() {
        let equation = equation(entry);
        for state in equation.states() {
            let order = equation.value(state.order());
            assert!(order > 0.0 && order <= 2.0, "{}: {order}", entry.name);
        }
        for parameter in equation.parameters().iter().filter(|p| p.name().starts_with("alpha")) {
            assert!(parameter.range().is_some(), "{}: {}", entry.name, parameter.name());
        }
    }
}

#[test]
fn every_entry_has_an_interval_and_a_finite_start() {
    for entry in ENTRIES.iter() {
        let name = entry.name;
        let equation = equation(entry);
        let [t0, t1] = equation.values(&equation.interval().expect(name))[..] else { panic!() };
        assert!(t0 == 0.0 && t1 > 0.0 && t1.is_finite(), "{name}");
        let mut start = vec![];
        for state in equation.states() {
            let rows = equation.value(state.order()).ceil() as usize;
            let first = match state.history() {
                Some(history) => Point::at(t0).values(&equation, &[history])[0],
                None => {
                    assert_eq!(state.initial().len(), rows, "{name}");
                    let rows: Vec<Id> = state.initial().iter().map(|row| row.unwrap()).collect();
                    let rows = equation.values(&rows);
                    assert!(rows.iter().all(|row| row.is_finite()), "{name}: {rows:?}");
                    rows[0]
                }
            };
            start.push(first);
        }
        let mut roots: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        roots.extend(
            equation.states().iter().flat_map(|s| s.noise()).map(|term| term.coefficient()),
        );
        roots.extend(equation.shown().iter().map(|shown| shown.value()));
        roots.extend(equation.events().iter().map(|event| event.expression()));
        let found =
            Point { t: t0, y: &start, lagged: &start, lower: &[0.0] }.values(&equation, &roots);
        assert!(found.iter().all(|value| value.is_finite()), "{name}: {found:?}");
    }
}

#[test]
fn exact_solutions_start_at_the_initial_values() {
    let mut count = 0;
    for entry in ENTRIES.iter() {
        let equation = equation(entry);
        for shown in equation.shown() {
            let Some(state) = shown.name().strip_prefix("exact_") else { continue };
            let state = &equation.states()[equation.state_index(state).expect(entry.name)];
            let first = match state.history() {
                Some(history) => Point::at(0.0).values(&equation, &[history])[0],
                None => equation.value(state.initial()[0].unwrap()),
            };
            let exact = Point::at(0.0).values(&equation, &[shown.value()])[0];
            assert_eq!(exact, first, "{}", entry.name);
            count += 1;
        }
    }
    assert_eq!(count, 9);
}

#[test]
fn every_definition_of_the_derivative_occurs() {
    for definition in [
        Derivative::Caputo,
        Derivative::RiemannLiouville,
        Derivative::CaputoFabrizio,
        Derivative::AtanganaBaleanu,
    ] {
        let has = |entry: &Entry| equation(entry).states()[0].definition() == definition;
        assert!(ENTRIES.iter().any(has), "{definition:?}");
    }
}

#[test]
fn every_text_prints_and_reads_back() {
    for entry in ENTRIES.iter() {
        let equation = equation(entry);
        let text = equation.to_string();
        let again =
            Equation::parse(&text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", entry.name));
        assert!(again == equation, "{}:\n{text}", entry.name);
        assert_eq!(again.to_string(), text, "{}", entry.name);
    }
}

/// Every equation has its own fingerprint, which its printed text keeps and each change of a part changes.
#[test]
fn fingerprints_identify_equations() {
    let mut all: Vec<u64> = ENTRIES.iter().map(|entry| equation(entry).fingerprint()).collect();
    for (entry, fingerprint) in ENTRIES.iter().zip(&all) {
        let printed = Equation::parse(&equation(entry).to_string()).unwrap();
        assert_eq!(printed.fingerprint(), *fingerprint, "{}", entry.name);
    }
    let texts = [
        "dX = -X dt + a dW; a = 1; X(0) = 1; t in [0, 1]",
        "dX = -X dt + a dW; a = 2; X(0) = 1; t in [0, 1]",
        "dX = -X dt + a o dW; a = 1; X(0) = 1; t in [0, 1]",
        "dX = -X dt + a dW; a = 1; X(0) = 2; t in [0, 1]",
        "dX = -X dt + a dW; a = 1; X(0) = 1; t in [0, 2]",
        "dX = -X dt + a dW; a = 1; W = fbm(0.7); X(0) = 1; t in [0, 1]",
        "D^a X = -X; a = 1; X(0) = 1; t in [0, 1]",
        "RL D^a X = -X; a = 1; X(0) = 1; t in [0, 1]",
        "D^a X = -X; a = 1; X(0) = 1; t in [0, 1]; when X = 0.5: stop",
        "D^a X = -X; a = 1; X(0) = 1; t in [0, 1]; when X = 0.5 falling: stop",
        "D^a X = -X; a = 1; X(0) = 1; t in [0, 1]; when X = 0.5: X = 1",
        "D^a X = -X(t - 1); a = 1; X(t) = 1 for t <= 0; t in [0, 1]",
        "D^a X = -X(t - 2); a = 1; X(t) = 1 for t <= 0; t in [0, 1]",
        "D^a X = -X(t - 2); a = 1; X(t) = t for t <= 0; t in [0, 1]",
    ];
    all.extend(texts.map(|text| Equation::parse(text).unwrap().fingerprint()));
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}
