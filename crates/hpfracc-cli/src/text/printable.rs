//! Text of unknown origin in messages.

use std::fmt::Write;

/// Maximum number of characters of a quoted part, such as a cell, and of a message.
const QUOTED: usize = 100;
const MESSAGE: usize = 4000;

/// One line for a terminal: control characters are escaped, as `\n`, `\0` or `\u{1b}`; quoted parts
/// and the whole are shortened in the middle.
///
/// ```
/// use hpfracc_cli::text::printable;
///
/// assert_eq!(printable("`a\0\u{1b}[2J`"), "`a\\0\\u{1b}[2J`");
/// let long = format!("`{}` is not a number", "9".repeat(1000));
/// assert!(printable(&long).ends_with("9… (1000 characters)` is not a number"));
/// ```
pub fn printable(text: &str) -> String {
    let mut line = String::new();
    for (k, part) in text.split('`').enumerate() {
        if k > 0 {
            line.push('`');
        }
        if k % 2 == 1 { quoted(&mut line, part) } else { escape(&mut line, part) }
    }
    let Some((last, _)) = line.char_indices().nth(MESSAGE) else { return line };
    let start = line.floor_char_boundary(last * 3 / 4);
    let end = line.ceil_char_boundary(line.len() - last / 4);
    format!("{} … {}", &line[..start], &line[end..])
}

/// Appends the beginning of a long part, and its length.
fn quoted(line: &mut String, part: &str) {
    match part.char_indices().nth(QUOTED) {
        None => escape(line, part),
        Some((end, _)) => {
            escape(line, &part[..end]);
            // A `String` accepts all text.
            let _ = write!(line, "… ({} characters)", part.chars().count());
        }
    }
}

fn escape(line: &mut String, part: &str) {
    for c in part.chars() {
        if is_control(c) { line.extend(c.escape_debug()) } else { line.push(c) }
    }
}

/// Control characters, and those that change the direction of text or break a line.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_unchanged() {
        for text in ["", "x.csv: row 4, column `x`: `two` is not a number", "αβγ `` — é"] {
            assert_eq!(printable(text), text);
        }
    }

    #[test]
    fn no_control_character_is_left() {
        let text: String = (0..0x3000).filter_map(char::from_u32).collect();
        let line = printable(&text);
        assert!(!line.chars().any(is_control), "{line}");
        assert_eq!(printable("a\r\nb\t\u{202e}"), "a\\r\\nb\\t\\u{202e}");
    }

    #[test]
    fn long_parts_and_long_messages_are_short() {
        let cell = "é".repeat(100_000);
        let line = printable(&format!("x: `{cell}` and `{cell}`"));
        assert_eq!(line.matches("(100000 characters)").count(), 2);
        assert!(line.chars().count() < 300, "{line}");
        for text in [cell.clone(), "` ".repeat(50_000), "`\u{1b}".repeat(50_000)] {
            let line = printable(&text);
            assert!(line.chars().count() <= MESSAGE + 4 && line.contains(" … "), "{line}");
        }
    }
}
