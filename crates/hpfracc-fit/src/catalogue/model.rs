use super::CatalogueError;
use super::model_text::{Entry, code};
use crate::FitError;
use crate::model::{Bound, Declared, FormulaModel, Model, Separable};
use hpfracc_equation::{Formula, Rows, RowsMut};

/// Model of the catalogue: a formula with what is known of it.
///
/// ```
/// use hpfracc_fit::{Model, catalogue};
///
/// let model = catalogue::find("cole-cole")?;
/// assert_eq!(model.entry().formula(), "eps = eps_inf + delta/(1 + (i omega tau)^alpha)");
/// assert_eq!(model.entry().responses[1].meaning, "-Im eps");
/// assert_eq!(model.parameters()[2].unit.as_deref(), Some("s"));
/// # Ok::<(), hpfracc_fit::CatalogueError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CatalogueModel {
    entry: Entry,
    /// Whether the input is the frequency in hertz in place of `omega`.
    hertz: bool,
    parameters: Vec<Declared>,
    model: FormulaModel,
}

impl CatalogueModel {
    pub(super) fn new(entry: Entry) -> Result<Self, CatalogueError> {
        Self::build(entry, false)
    }

    fn build(entry: Entry, hertz: bool) -> Result<Self, CatalogueError> {
        let formulas = (0..entry.responses.len()).map(|k| formula(&entry, k, hertz));
        let formulas: Vec<Formula> = formulas.collect::<Result<_, _>>()?;
        let model = FormulaModel::new(&formulas)?;
        let names = entry.inputs.iter().map(|input| &input.name);
        // A circuit of resistors does not depend on its input.
        if !(model.columns().is_empty() || model.columns().iter().eq(names)) {
            let (name, what) = (entry.name, "an input in its first formula");
            return Err(CatalogueError::Incomplete { name, what });
        }
        let parameters = model.parameters().iter().map(|known| declared(known, &entry)).collect();
        Ok(Self { entry, hertz, parameters, model })
    }

    /// Formula, source, meanings, and an example.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The same model of the frequency f = omega/(2 pi) in hertz.
    ///
    /// # Errors
    /// [`CatalogueError::NoSpectrum`] for a model of another input than `omega`.
    pub fn in_hertz(self) -> Result<Self, CatalogueError> {
        let mut entry = self.entry;
        let model = entry.name.clone();
        match &mut entry.inputs[..] {
            [input] if input.name == "omega" => {
                input.name = "f".to_owned();
                input.unit = Some("Hz".to_owned());
                Self::build(entry, true)
            }
            [input] if self.hertz => {
                debug_assert_eq!(input.name, "f");
                Self::build(entry, true)
            }
            inputs => {
                let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
                Err(CatalogueError::NoSpectrum { model, input: names.join(", ") })
            }
        }
    }

    /// The same model with another value of a constant of the experiment, such as the wavevector.
    ///
    /// # Errors
    /// [`CatalogueError::UnknownConstant`], and [`CatalogueError::Constant`] for a value that is not finite.
    pub fn with(mut self, name: &str, value: f64) -> Result<Self, CatalogueError> {
        if !value.is_finite() {
            return Err(CatalogueError::Constant { name: name.to_owned(), value });
        }
        let note = self.entry.notes.iter_mut().find(|note| note.constant && note.name == name);
        let Some(note) = note else {
            let constants = self.entry.notes.iter().filter(|note| note.constant);
            let known: Vec<&str> = constants.map(|note| note.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let (model, name) = (self.entry.name, name.to_owned());
            return Err(CatalogueError::UnknownConstant { model, name, known });
        };
        note.example = value;
        Self::build(self.entry, self.hertz)
    }

    /// Values of the parameters of the example.
    pub fn example(&self) -> Vec<f64> {
        let of = |declared: &Declared| {
            self.entry.note(&declared.name).map_or(f64::NAN, |note| note.example)
        };
        self.parameters.iter().map(of).collect()
    }

    /// Responses at these values of the parameters, a column each, for columns of the inputs.
    ///
    /// ```
    /// use hpfracc_fit::catalogue;
    ///
    /// for name in ["stretched-exponential", "cole-cole"] {
    ///     let model = catalogue::find(name)?;
    ///     let curves = model.values(&model.example(), &model.example_inputs(50))?;
    ///     assert_eq!(curves.len(), model.entry().responses.len());
    ///     assert!(curves.iter().flatten().all(|value| value.is_finite()));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FitError::Columns`] and [`FitError::Rows`] for other numbers of parameters, columns or rows than those of the model.
    pub fn values(
        &self,
        parameters: &[f64],
        inputs: &[Vec<f64>],
    ) -> Result<Vec<Vec<f64>>, FitError> {
        let set = || self.entry.name.clone();
        let counts = [
            ("parameters", parameters.len(), self.parameters.len()),
            ("columns of inputs", inputs.len(), self.inputs()),
        ];
        for (what, found, expected) in counts {
            if found != expected {
                return Err(FitError::Columns { set: set(), what, found, expected });
            }
        }
        let expected = inputs.first().map_or(1, Vec::len);
        if let Some(column) = inputs.iter().find(|column| column.len() != expected) {
            let (what, found) = ("inputs", column.len());
            return Err(FitError::Rows { set: set(), what, found, expected });
        }
        let (flat, responses) = (inputs.concat(), self.model.responses());
        let mut out = vec![0.0; responses * expected];
        let bound = self.model.at(parameters)?;
        bound.values(Rows::new(&flat, expected), RowsMut::new(&mut out, expected));
        Ok((0..responses).map(|k| out[k * expected..][..expected].to_vec()).collect())
    }

    /// Columns of the inputs of the example: a number of values of an input, and all pairs of them for two inputs.
    pub fn example_inputs(&self, count: usize) -> Vec<Vec<f64>> {
        let inputs = &self.entry.inputs;
        let rows = count.pow(inputs.len() as u32);
        let column = |k: usize| {
            let run = count.pow((inputs.len() - 1 - k) as u32);
            let share = |row: usize| (row / run % count) as f64 / (count.max(2) - 1) as f64;
            (0..rows).map(|row| inputs[k].at(share(row))).collect()
        };
        (0..inputs.len()).map(column).collect()
    }
}

/// Formula of a response.
fn formula(entry: &Entry, response: usize, hertz: bool) -> Result<Formula, CatalogueError> {
    let response = &entry.responses[response];
    let meaning = &response.meaning;
    let (sign, meaning) = match meaning.strip_prefix('-') {
        Some(meaning) => ("-", meaning),
        None => ("", meaning.as_str()),
    };
    let (imaginary, value) = match meaning.split_once(' ') {
        Some((part, value)) => (part == "Im", value),
        None => (false, meaning),
    };
    let constants: Vec<_> = entry.notes.iter().filter(|note| note.constant).collect();
    let mut text = String::new();
    if value != response.name {
        text = format!("{} = {sign}{value}\n", response.name);
    }
    for line in entry.text.lines().map(code) {
        let name = line.split_once(" = ").map_or("", |(name, _)| name);
        if !constants.iter().any(|note| note.name == name) {
            text.push_str(line);
            text.push('\n');
        }
    }
    if hertz {
        text.push_str("omega = 2 pi f\n");
    }
    let mut values = vec![("i", (0.0, 1.0))];
    values.extend(constants.iter().map(|note| (note.name.as_str(), (note.example, 0.0))));
    let inputs = entry.inputs.iter().map(|input| input.name.as_str());
    let columns: Vec<&str> = inputs.chain(values.iter().map(|(name, _)| *name)).collect();
    let formula = Formula::parse(&text, &columns)?;
    let [re, im] = formula.complex_parts(&values)?;
    Ok(if imaginary { im } else { re })
}

/// Parameter of a formula with its place in a search, without a start: the value of the text is an example.
fn declared(known: &Declared, entry: &Entry) -> Declared {
    let search = entry.note(&known.name).and_then(|note| note.search.as_ref());
    let value = |name: &str| Some(entry.note(name)?.example);
    let logarithmic = known.lower == 0f64.next_up() && known.upper == f64::MAX;
    let upper = if known.upper == f64::MAX { f64::INFINITY } else { known.upper };
    Declared {
        start: None,
        upper,
        logarithmic,
        grid: search.map(|search| search.grid(value)),
        ..known.clone()
    }
}

impl Model for CatalogueModel {
    fn parameters(&self) -> &[Declared] {
        &self.parameters
    }

    fn inputs(&self) -> usize {
        self.entry.inputs.len()
    }

    fn responses(&self) -> usize {
        self.model.responses()
    }

    fn linear(&self) -> &[usize] {
        self.model.linear()
    }

    fn separable(&self) -> Option<&Separable> {
        self.model.separable()
    }

    fn bytes_per_thread(&self) -> usize {
        self.model.bytes_per_thread()
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError> {
        self.model.at(parameters)
    }
}
