//! Values of layers in half precision: places of them, and kernels that read and write them.

use super::program::NotOnGpu;
use crate::Gpu;
use hpfracc_nn::Storage;
use std::borrow::Cow;
use wgpu::Features;

/// True if layers store 16-bit numbers on this device.
///
/// # Errors
/// [`NotOnGpu`] for a format that the device does not have.
pub(super) fn in_halves(gpu: &Gpu, storage: Storage) -> Result<bool, NotOnGpu> {
    let refused = |reason: &str| Err(NotOnGpu::new("the storage", reason));
    match storage {
        Storage::Full => Ok(false),
        Storage::Float16 if gpu.has(Features::SHADER_F16) => Ok(true),
        Storage::Float16 => {
            refused("the device has no numbers of 16 bits (`shader-f16`); store them in full")
        }
        _ => refused("shaders have no bfloat16; take Float16, or store them in full"),
    }
}

/// A kernel whose places may be those of half precision, from one in single precision: `values[i]` becomes a call.
pub(super) fn kernel_in_halves(source: &str) -> String {
    let draws = source.replace("@binding(5)", "@binding(7)");
    format!("enable f16;\n\n{}\n{}", include_str!("kernels/halves.wgsl"), with_calls(&draws))
}

/// The text with calls in place of `values[...]` and `bars[...]`.
fn with_calls(source: &str) -> Cow<'_, str> {
    let found = ["values[", "bars["].into_iter().filter_map(|array| {
        let at = word_at(source, array)?;
        Some((at, array))
    });
    let Some((at, array)) = found.min() else { return Cow::Borrowed(source) };
    let name = array.trim_end_matches("s[");
    let (before, rest) = (&source[..at], &source[at + array.len()..]);
    let end = closing(rest);
    let (place, after) = (with_calls(&rest[..end]), &rest[(end + 1).min(rest.len())..]);
    let text = match assignment(after) {
        Some((operator, value, after)) => {
            let value = with_calls(value);
            let value = match operator {
                "" => value,
                _ => format!("{name}_at({place}) {operator} ({value})").into(),
            };
            format!("{before}set_{name}_at({place}, {value}){}", with_calls(after))
        }
        None => format!("{before}{name}_at({place}){}", with_calls(after)),
    };
    text.into()
}

/// Position of a word that is no end of another one.
fn word_at(source: &str, word: &str) -> Option<usize> {
    source.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = source[..*at].chars().next_back();
        !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Position of the bracket that closes an open one.
fn closing(text: &str) -> usize {
    let mut open = 1;
    let end = text.char_indices().find(|(_, c)| {
        open += i32::from(*c == '[') - i32::from(*c == ']');
        open == 0
    });
    end.map_or(text.len(), |(at, _)| at)
}

/// Operator and right-hand side of an assignment, and the text from its semicolon on.
fn assignment(text: &str) -> Option<(&str, &str, &str)> {
    let rest = text.trim_start();
    let operators = [("= ", ""), ("+= ", "+"), ("-= ", "-"), ("*= ", "*"), ("/= ", "/")];
    let (rest, operator) = operators
        .into_iter()
        .find_map(|(sign, operator)| Some((rest.strip_prefix(sign)?, operator)))?;
    let end = rest.find(';').unwrap_or(rest.len());
    Some((operator, &rest[..end], &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_become_calls() {
        let same = |text: &str, expected: &str| assert_eq!(with_calls(text), expected);
        same("let x = thetabar[i] + theta[j];", "let x = thetabar[i] + theta[j];");
        same("let x = values[a + w[i]] - values[b];", "let x = value_at(a + w[i]) - value_at(b);");
        same("values[a] = bars[b] * 2.0; f();", "set_value_at(a, bar_at(b) * 2.0); f();");
        same(
            "{ bars[a] += x; } g(bars[u32(values[c])]);",
            "{ set_bar_at(a, bar_at(a) + (x)); } g(bar_at(u32(value_at(c))));",
        );
        same("if (values[a] == x) { }", "if (value_at(a) == x) { }");
    }
}
