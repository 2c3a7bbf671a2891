//! Functions that generated shaders call, of which a shader gets those that it needs.

use hpfracc_lanes::Elementary;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

/// What generated text may use of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities {
    /// `fma` has one rounding. Where it has two, elementary functions compute theirs in several operations.
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

/// Functions in single precision that shaders call: elementary functions, random bits and normals, with the bits of
/// the same functions of `hpfracc-lanes` wherever each operation is rounded as IEEE 754 says.
///
/// Their constants are printed from the tables of that crate. A shader declares `fn unknown_zero() -> u32`, which returns 0
/// for a reason that the compiler does not know, such as the value of a uniform buffer.
///
/// ```
/// use hpfracc_equation::wgsl::{Capabilities, Library, Rounding};
///
/// let library = Library::new(Capabilities::default(), Rounding::Free);
/// let text = library.needed_by("fn decay_of(x: f32) -> f32 { return exp_of(-x); }");
/// assert!(text.contains("fn exp_of") && !text.contains("fn sin_of"));
/// ```
#[derive(Debug, Clone)]
pub struct Library {
    items: Vec<Item>,
}

/// Function, constant or structure with the comment before it.
#[derive(Debug, Clone)]
struct Item {
    name: String,
    text: String,
}

impl Library {
    /// Functions for a device.
    pub fn new(of: Capabilities, rounding: Rounding) -> Self {
        let mut text = tables();
        text += match rounding {
            Rounding::Free => "fn rounded(x: f32) -> f32 {\n    return x;\n}\n\n",
            Rounding::Guarded => "fn rounded(x: f32) -> f32 {\n    return opaque(x);\n}\n\n",
        };
        text += match of.fused {
            true => "fn fused(a: f32, b: f32, c: f32) -> f32 {\n    return fma(a, b, c);\n}\n\n",
            false => include_str!("exact_fused.wgsl"),
        };
        text += "\n";
        text += match of.integers_of_64_bits {
            true => MUL_HIGH_OF_64_BITS,
            false => MUL_HIGH_OF_HALVES,
        };
        text += include_str!("single.wgsl");
        text += "\n";
        text += include_str!("random.wgsl");
        text += "\n";
        text += include_str!("power.wgsl");
        let item = |text: &str| {
            let text = text.trim();
            Some(Item { name: name(text)?.to_owned(), text: text.to_owned() })
        };
        Self { items: text.split("\n\n").filter_map(item).collect() }
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
    let kinds = ["fn ", "const ", "struct "];
    words(kinds.into_iter().find_map(|kind| declaration.strip_prefix(kind))?).next()
}

/// Words of the text outside of comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')))
}

/// Constants and polynomials.
fn tables() -> String {
    let tables = <f32 as Elementary>::tables();
    let angle = (std::f64::consts::FRAC_PI_2 / 1_073_741_824.0) as f32;
    // What the two parts of ln 2 lack.
    let of = |name: &str| tables.constants.iter().find(|(known, _)| *known == name);
    let parts = ["LN_2_HIGH", "LN_2_LOW"].map(|name| of(name).map_or(0.0, |(_, x)| f64::from(*x)));
    let lowest = (std::f64::consts::LN_2 - parts[0] - parts[1]) as f32;
    let more = [("QUARTER_OF_A_CIRCLE", angle), ("LN_2_LOWEST", lowest)];
    let constants = tables.constants.into_iter().chain(more);
    let mut text = String::new();
    for (name, value) in constants {
        let _ = write!(text, "const {name} = {};\n\n", literal(value));
    }
    for (name, value) in pairs() {
        let (high, low) = (value as f32, (value - f64::from(value as f32)) as f32);
        let _ = write!(
            text,
            "const {name}_HIGH = {};\n\nconst {name}_LOW = {};\n\n",
            literal(high),
            literal(low)
        );
    }
    let inverse = |numbers: [f64; 6], scale: f64| numbers.map(|n| (scale / n) as f32);
    let artanh = inverse([9.0, 11.0, 13.0, 15.0, 17.0, 19.0], 2.0);
    let taylor =
        inverse([5040.0, 40_320.0, 362_880.0, 3_628_800.0, 39_916_800.0, 479_001_600.0], 1.0);
    let series = [("ARTANH", &artanh[..]), ("TAYLOR", &taylor[..])];
    for (name, coefficients) in tables.polynomials.into_iter().chain(series) {
        let Some((last, others)) = coefficients.split_last() else { continue };
        let (mut fused, mut unfused) = (literal(*last), literal(*last));
        for c in others.iter().rev() {
            fused = format!("fused({fused}, x, {})", literal(*c));
            unfused = format!("add_product({}, {unfused}, x)", literal(*c));
        }
        let _ = write!(
            text,
            "fn polynomial_{name}(x: f32) -> f32 {{\n    return {fused};\n}}\n\n\
             fn unfused_{name}(x: f32) -> f32 {{\n    return {unfused};\n}}\n\n"
        );
    }
    text
}

/// Constants of powers to twice the precision.
fn pairs() -> [(&'static str, f64); 7] {
    [
        ("TWO_THIRDS", 2.0 / 3.0),
        ("TWO_FIFTHS", 2.0 / 5.0),
        ("TWO_SEVENTHS", 2.0 / 7.0),
        ("INVERSE_6", 1.0 / 6.0),
        ("INVERSE_24", 1.0 / 24.0),
        ("INVERSE_120", 1.0 / 120.0),
        ("INVERSE_720", 1.0 / 720.0),
    ]
}

/// Literal of a finite number, which is read with the same bits.
pub(super) fn literal(x: f32) -> String {
    format!("{x:e}f")
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
