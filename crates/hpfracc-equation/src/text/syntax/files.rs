use crate::network::Network;

/// Files that a text names: see [`Equation::parse_with`](crate::Equation::parse_with).
///
/// ```
/// use hpfracc_equation::{Activation, Affine, Equation, Files, Network};
///
/// /// One network and one file of data, in memory.
/// struct Memory;
///
/// impl Files for Memory {
///     fn network(&self, path: &str) -> Result<Network, String> {
///         let map = Affine::new(1, vec![-2.0], vec![0.0]).map_err(|error| error.to_string())?;
///         let layers = vec![(map, Activation::Identity)];
///         Network::new(layers).map_err(|error| format!("{path}: {error}"))
///     }
///
///     fn table(&self, path: &str, x: &str, y: &str) -> Result<[Vec<f64>; 2], String> {
///         match (path, x, y) {
///             ("drive.csv", "time", "force") => Ok([vec![0.0, 1.0], vec![0.0, 3.0]]),
///             _ => Err(format!("{path} has no columns `{x}` and `{y}`")),
///         }
///     }
/// }
///
/// let text = "net f: x -> 1 from \"damping.json\"
///     table load: time -> force from \"drive.csv\"
///     x' = f + load(t); x(0) = 1";
/// let equation = Equation::parse_with(text, &Memory)?;
/// assert_eq!(equation.nets()[0].file(), "damping.json");
/// assert_eq!(equation.tables()[0].table().value(0.5, 0), 1.5);
/// # Ok::<(), hpfracc_equation::EquationError>(())
/// ```
pub trait Files {
    /// Network of a file, by its name in the text.
    ///
    /// # Errors
    /// Why it cannot be read, as a sentence that names the file; the message of an
    /// [`EquationError`](crate::EquationError). The default reads nothing.
    fn network(&self, path: &str) -> Result<Network, String> {
        not_read(path)
    }

    /// Two columns of a file of data, by their names: arguments and values, row by row.
    ///
    /// # Errors
    /// As of [`network`](Self::network). The default reads nothing.
    fn table(&self, path: &str, arguments: &str, values: &str) -> Result<[Vec<f64>; 2], String> {
        let _ = (arguments, values);
        not_read(path)
    }
}

fn not_read<T>(path: &str) -> Result<T, String> {
    Err(format!("the text names the file `{path}`, which `Equation::parse_with` reads"))
}

/// No files: a text that names one is an error.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Files for NoFiles {}
