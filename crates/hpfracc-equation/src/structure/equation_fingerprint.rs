use super::fingerprint::{combined_words, fingerprint};
use crate::equation::{Action, Equation, Event, Jump, Process, State, Symbol};

impl Equation {
    /// Number that identifies the equation with the values of its parameters: all expressions, the
    /// meanings of their variables and the kinds of all parts. Names do not matter.
    ///
    /// It is the same on every machine. Equations with different solutions have different fingerprints but
    /// for accidents, one in 2^64; ranges, units and tables that nothing uses do not count. Cost: linear in the number of nodes.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    ///
    /// let equation = Equation::parse("y' = -k y; k = 2; y(0) = 1; t in [0, 1]")?;
    /// let renamed = Equation::parse("x' = -a x; a = 2; x(0) = 1; t in [0, 1]")?;
    /// assert_eq!(equation.fingerprint(), renamed.fingerprint());
    /// assert_ne!(equation.fingerprint(), renamed.with_value("a", 3.0)?.fingerprint());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let expressions = fingerprint(&self.graph, &self.roots());
        let parameters = self.parameters.iter().map(|parameter| parameter.value().to_bits());
        let counts = [
            self.states.len(),
            self.symbols.len(),
            self.parameters.len(),
            self.definitions.len(),
            self.delays.len(),
            self.noises.len(),
            self.correlations.len(),
            self.events.len(),
            self.shown.len(),
            usize::from(self.interval.is_some()),
        ];
        let kinds = self.states.iter().flat_map(of_state);
        let kinds = kinds.chain(self.symbols.iter().flat_map(of_symbol));
        let kinds = kinds.chain(self.noises.iter().map(|noise| of_process(noise.process())));
        let pairs = self.correlations.iter().flat_map(|pair| [pair.first, pair.second]);
        let kinds = kinds.chain(pairs).chain(self.events.iter().flat_map(of_event));
        let parts = counts.into_iter().chain(kinds).map(|number| number as u64);
        combined_words([expressions].into_iter().chain(parameters).chain(parts))
    }
}

fn of_state(state: &State) -> Vec<usize> {
    let flags = [state.differential, state.history.is_some()].map(usize::from);
    let counts = [state.lower_orders.len(), state.initial.len(), state.noise.len()];
    let initial = state.initial.iter().map(|value| usize::from(value.is_some()));
    let noise = state.noise.iter().flat_map(|term| [term.noise, term.calculus as usize]);
    let random = state.random.map_or(0, |random| 1 + random.distribution as usize);
    let head = [state.definition as usize, random].into_iter().chain(flags).chain(counts);
    head.chain(initial).chain(noise).collect()
}

fn of_symbol(symbol: &Symbol) -> [usize; 3] {
    match *symbol {
        Symbol::Time => [0; 3],
        Symbol::State(k) => [1, k, 0],
        Symbol::Parameter(k) => [2, k, 0],
        Symbol::Lagged { state, delay } => [3, state, delay],
        Symbol::LowerDerivative { state, term } => [4, state, term],
    }
}

fn of_process(process: Process) -> usize {
    match process {
        Process::Brownian => 0,
        Process::Fractional { .. } => 1,
        Process::Stable { .. } => 2,
        Process::Poisson { jump: Jump::Constant(_), .. } => 3,
        Process::Poisson { jump: Jump::Normal { .. }, .. } => 4,
        Process::Poisson { jump: Jump::DoubleExponential { .. }, .. } => 5,
    }
}

fn of_event(event: &Event) -> Vec<usize> {
    let assigned = match &event.action {
        Action::Stop => vec![0],
        Action::Assign(assigned) => [1, assigned.len()]
            .into_iter()
            .chain(assigned.iter().map(|(state, _)| *state))
            .collect(),
    };
    [vec![event.direction as usize], assigned].concat()
}
