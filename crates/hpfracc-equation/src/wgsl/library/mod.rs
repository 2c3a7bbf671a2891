//! Functions that generated shaders call, of which a shader gets those that it needs.

mod tables;

use super::NumberFormat;
use std::collections::{BTreeSet, HashMap};
use tables::tables;

/// What generated text may use of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities {
    /// `fma` of the device's numbers, `f64` in double precision and else `f32`, has one rounding. Where it has two,
    /// elementary functions compute theirs in several operations.
    pub fused: bool,
    /// There are integers of 64 bits.
    pub integers_of_64_bits: bool,
}

/// Roundings of sums and products in generated text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rounding {
    /// A compiler may combine operations, as WGSL allows: a product and a sum may be rounded once.
    #[default]
    Free,
    /// Each operation is rounded as it is written: an operation on its bits follows that the compiler does not know to be
    /// none.
    Guarded,
}

/// Functions that shaders call: arithmetic by name, elementary functions, random bits and normals.
///
/// In [`Single`](NumberFormat::Single) and [`Double`](NumberFormat::Double) precision they have the bits of the same
/// functions of `hpfracc-lanes` wherever each operation is rounded as IEEE 754 says, and their constants are printed from
/// the tables of that crate. Those of [`DoubleFloat`](NumberFormat::DoubleFloat) numbers have relative errors of some
/// 1e-13, and take the tables of double precision.
///
/// A shader declares `fn unknown_zero() -> u32`, which returns 0 for a reason that the compiler does not know, such as the
/// value of a uniform buffer.
///
/// ```
/// use hpfracc_equation::wgsl::{Capabilities, Library, NumberFormat, Rounding};
///
/// let library = Library::new(NumberFormat::Single, Capabilities::default(), Rounding::Free);
/// let text = library.needed_by("fn decay_of(x: real) -> real { return exp_of(negate(x)); }");
/// assert!(text.contains("fn exp_of") && !text.contains("fn sin_of"));
/// ```
#[derive(Debug, Clone)]
pub struct Library {
    items: Vec<Item>,
}

/// Function, constant, structure or alias with the comment before it.
#[derive(Debug, Clone)]
struct Item {
    name: String,
    text: String,
}

impl Library {
    /// Functions in a format for a device.
    pub fn new(format: NumberFormat, device: Capabilities, rounding: Rounding) -> Self {
        let rounded = match rounding {
            Rounding::Free => "fn rounded(x: float) -> float {\n    return x;\n}\n",
            Rounding::Guarded => "fn rounded(x: float) -> float {\n    return opaque(x);\n}\n",
        };
        let fused = match device.fused {
            true => include_str!("device_fused.wgsl"),
            false => include_str!("exact_fused.wgsl"),
        };
        let mul_high = match device.integers_of_64_bits {
            true => MUL_HIGH_OF_64_BITS,
            false => MUL_HIGH_OF_HALVES,
        };
        let [float, functions] = match format {
            NumberFormat::Single => [include_str!("single.wgsl"), include_str!("native.wgsl")],
            NumberFormat::Double => [include_str!("double.wgsl"), include_str!("native.wgsl")],
            NumberFormat::DoubleFloat => {
                [include_str!("single.wgsl"), include_str!("double_float.wgsl")]
            }
        };
        let text = [
            float,
            &tables(format),
            include_str!("float.wgsl"),
            rounded,
            fused,
            mul_high,
            include_str!("pair.wgsl"),
            functions,
            include_str!("power.wgsl"),
            include_str!("random.wgsl"),
        ];
        let item = |text: &str| {
            let text = text.trim();
            Some(Item { name: name(text)?.to_owned(), text: text.to_owned() })
        };
        Self { items: text.iter().flat_map(|text| text.split("\n\n")).filter_map(item).collect() }
    }

    /// Text of the functions that a text calls, and of those that they call.
    pub fn needed_by(&self, text: &str) -> String {
        let numbers: HashMap<&str, usize> =
            self.items.iter().enumerate().map(|(k, item)| (item.name.as_str(), k)).collect();
        let (mut needed, mut open) = (BTreeSet::new(), vec![text]);
        while let Some(text) = open.pop() {
            for name in words(text) {
                if let Some(&k) = numbers.get(name)
                    && needed.insert(k)
                {
                    open.push(&self.items[k].text);
                }
            }
        }
        needed.into_iter().map(|k| format!("{}\n\n", self.items[k].text)).collect()
    }
}

/// Name that an item declares.
fn name(item: &str) -> Option<&str> {
    let declaration = item.lines().find(|line| !line.starts_with("//"))?;
    let kinds = ["fn ", "const ", "struct ", "alias "];
    words(kinds.into_iter().find_map(|kind| declaration.strip_prefix(kind))?).next()
}

/// Words of the text outside of comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')))
}

const MUL_HIGH_OF_64_BITS: &str = "\
// The upper half of a product.
fn mul_high(a: u32, b: u32) -> u32 {
    return u32((u64(a) * u64(b)) >> 32u);
}

";

const MUL_HIGH_OF_HALVES: &str = "\
// The upper half of a product, from products of halves.
fn mul_high(a: u32, b: u32) -> u32 {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let middle = a_high * b_low + ((a_low * b_low) >> 16u);
    let other = a_low * b_high + (middle & 0xffffu);
    return a_high * b_high + (middle >> 16u) + (other >> 16u);
}

";
