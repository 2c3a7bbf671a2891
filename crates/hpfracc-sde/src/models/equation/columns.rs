use super::EquationModelError;
use crate::NoiseKind;
use hpfracc_equation::structure::{self, DiffusionEntry, additive_noises, noises_commute};
use hpfracc_equation::{Calculus, Equation, Id, NoiseTerm, Process, Symbol};

/// Columns of the diffusion: the noises of an equation that occur in it, in the order of its
/// [`Joint`](crate::noise::Joint) noise, and the structure of their matrix.
#[derive(Debug)]
pub(super) struct Columns {
    /// Noise of each column, Brownian motions first, in the order of the components that they drive.
    pub(super) noises: Vec<usize>,
    pub(super) kind: NoiseKind,
    /// Entries in the rows of the kind; `None` is zero.
    pub(super) entries: Vec<Option<Id>>,
    pub(super) additive_in: Vec<bool>,
    pub(super) commutative: bool,
    pub(super) stratonovich: bool,
}

impl Columns {
    pub(super) fn new(equation: &Equation) -> Result<Self, EquationModelError> {
        let noises = ordered(equation);
        let (states, count) = (equation.states(), noises.len());
        let mut diffusion = Vec::new();
        for (component, state) in states.iter().enumerate() {
            for term in state.noise().iter().filter(|term| acts(equation, term)) {
                if let Some(noise) = noises.iter().position(|noise| *noise == term.noise()) {
                    diffusion.push(DiffusionEntry { component, noise, value: term.coefficient() });
                }
            }
        }
        let kind = match structure::noise_kind(equation.graph(), states.len(), count, &diffusion) {
            structure::NoiseKind::None => NoiseKind::LeadingDiagonal { noises: 0 },
            structure::NoiseKind::Diagonal => NoiseKind::Diagonal,
            structure::NoiseKind::LeadingDiagonal { noises } => {
                NoiseKind::LeadingDiagonal { noises }
            }
            structure::NoiseKind::Scalar => NoiseKind::Scalar,
            structure::NoiseKind::General { noises } => NoiseKind::General { noises },
        };
        let mut entries = vec![None; kind.rows(states.len())];
        for entry in &diffusion {
            let row = match kind {
                NoiseKind::General { noises } => entry.component * noises + entry.noise,
                _ => entry.component,
            };
            entries[row] = Some(entry.value);
        }
        let variables: Vec<u32> =
            (0..states.len()).filter_map(|k| equation.variable(Symbol::State(k))).collect();
        let additive_in = additive_noises(equation.graph(), count, &diffusion, &variables);
        let commutative = noises_commute(&mut equation.graph().clone(), &diffusion, &variables);
        let stratonovich = calculus(equation, &noises, &additive_in)?;
        Ok(Self { noises, kind, entries, additive_in, commutative, stratonovich })
    }
}

/// Whether a term is not the constant 0.
fn acts(equation: &Equation, term: &NoiseTerm) -> bool {
    equation.graph().node(term.coefficient()).as_constant() != Some(0.0)
}

/// Noises that occur, by the kind of their process and then by the first component they drive.
fn ordered(equation: &Equation) -> Vec<usize> {
    let first = |noise: usize| {
        let mut states = equation.states().iter();
        states.position(|state| {
            state.noise().iter().any(|term| term.noise() == noise && acts(equation, term))
        })
    };
    let group = |noise: usize| match equation.noises()[noise].process() {
        Process::Brownian => 0,
        Process::Fractional { .. } => 1,
        Process::Stable { .. } => 2,
        Process::Poisson { .. } => 3,
    };
    let mut noises: Vec<usize> =
        (0..equation.noises().len()).filter(|noise| first(*noise).is_some()).collect();
    noises.sort_by_key(|noise| (group(*noise), first(*noise)));
    noises
}

/// Whether the multiplicative Brownian noise is Stratonovich's. Additive noise and fractional Brownian
/// motion have one integral.
fn calculus(
    equation: &Equation,
    noises: &[usize],
    additive_in: &[bool],
) -> Result<bool, EquationModelError> {
    let (mut ito, mut stratonovich) = (None, false);
    for state in equation.states() {
        for term in state.noise() {
            let column = noises.iter().position(|noise| *noise == term.noise());
            let process = equation.noises()[term.noise()].process();
            let one_integral = matches!(process, Process::Fractional { .. })
                || column.is_some_and(|j| additive_in[j]);
            match term.calculus() {
                _ if one_integral => {}
                Calculus::Ito => ito = Some((state, term.noise())),
                Calculus::Stratonovich => stratonovich = true,
            }
        }
    }
    match ito {
        Some((state, noise)) if stratonovich => Err(EquationModelError::MixedCalculus {
            state: state.name().to_owned(),
            noise: equation.noises()[noise].name().to_owned(),
        }),
        _ => Ok(stratonovich),
    }
}
