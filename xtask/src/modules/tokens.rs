//! Lexer for the parts of Rust that name modules: identifiers, brackets and `::`. Comments,
//! literals, attributes and items under `#[cfg(test)]` are omitted.

/// Token with its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) line: usize,
    pub(super) kind: Kind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Word(&'a str),
    /// `::`
    Path,
    Sign(char),
}

/// Keywords that begin an item, which ends with `;` or with its block.
const ITEMS: [&str; 15] = [
    "fn",
    "struct",
    "enum",
    "union",
    "mod",
    "impl",
    "use",
    "const",
    "static",
    "type",
    "trait",
    "unsafe",
    "extern",
    "async",
    "macro_rules",
];

/// Tokens of a file without attributes and without items under `#[cfg(test)]`.
pub(super) fn library_tokens(text: &str) -> Vec<Token<'_>> {
    let tokens = lex(text);
    let mut library = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].kind != Kind::Sign('#') {
            library.push(tokens[at]);
            at += 1;
            continue;
        }
        let inner = is_sign(&tokens, at + 1, '!');
        let open = at + 1 + usize::from(inner);
        if !is_sign(&tokens, open, '[') {
            at += 1;
            continue;
        }
        let end = after_group(&tokens, open);
        let tests = only_tests(&tokens[open..end]);
        if tests && inner {
            return Vec::new();
        }
        at = if tests { after_item(&tokens, end) } else { end };
    }
    library
}

/// Whether an attribute is `cfg(test)` or a `cfg(all(test, ...))`.
fn only_tests(attribute: &[Token<'_>]) -> bool {
    let has = |word| attribute.iter().any(|token| token.kind == Kind::Word(word));
    attribute.get(1).is_some_and(|token| token.kind == Kind::Word("cfg"))
        && has("test")
        && !has("not")
        && !has("any")
}

fn is_sign(tokens: &[Token<'_>], at: usize, sign: char) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == Kind::Sign(sign))
}

/// Index after the group that opens at `open`.
pub(super) fn after_group(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Sign('(' | '[' | '{') => depth += 1,
            Kind::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Index after the item, field, variant or statement at `start`, with its attributes.
fn after_item(tokens: &[Token<'_>], start: usize) -> usize {
    let mut at = start;
    while is_sign(tokens, at, '#') {
        at = after_group(tokens, at + 1);
    }
    if tokens.get(at).is_some_and(|token| token.kind == Kind::Word("pub")) {
        at += 1;
        if is_sign(tokens, at, '(') {
            at = after_group(tokens, at);
        }
    }
    let item = matches!(tokens.get(at), Some(Token { kind: Kind::Word(word), .. }) if ITEMS.contains(word));
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Sign(';') => return at + 1,
            Kind::Sign(',') if !item => return at + 1,
            Kind::Sign('{') => return after_group(tokens, at),
            Kind::Sign('(' | '[') => at = after_group(tokens, at),
            Kind::Sign(')' | ']' | '}') => return at,
            _ => at += 1,
        }
    }
    at
}

fn lex(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let start = at;
        let mut kind = None;
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |length| at + length);
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = after_comment(bytes, at),
            b'"' => at = after_string(bytes, at),
            b'\'' => at = after_quote(text, at),
            b':' if bytes.get(at + 1) == Some(&b':') => {
                at += 2;
                kind = Some(Kind::Path);
            }
            byte if is_letter(byte) => {
                at += bytes[at..].iter().take_while(|byte| is_letter(**byte)).count();
                let word = &text[start..at];
                match (word, bytes.get(at)) {
                    ("r" | "b" | "br" | "c" | "cr", Some(b'"' | b'#')) => {
                        match after_raw(bytes, at, word.contains('r')) {
                            Some(end) => at = end,
                            // A raw identifier: its name follows.
                            None => at += 1,
                        }
                    }
                    ("b", Some(b'\'')) => at = after_quote(text, at),
                    _ => kind = Some(Kind::Word(word)),
                }
            }
            _ => {
                let sign = text[at..].chars().next().unwrap_or(' ');
                at += sign.len_utf8();
                if !sign.is_whitespace() {
                    kind = Some(Kind::Sign(sign));
                }
            }
        }
        tokens.extend(kind.map(|kind| Token { line, kind }));
        line += bytes[start..at.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count();
    }
    tokens
}

/// Letters, digits, `_` and every byte of a character outside ASCII.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn after_comment(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < bytes.len() {
        match &bytes[at..(at + 2).min(bytes.len())] {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn after_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// End of a string literal with a prefix, whose quote or first `#` is at `start`; none for `r#name`.
fn after_raw(bytes: &[u8], start: usize, raw: bool) -> Option<usize> {
    if !raw {
        return Some(after_string(bytes, start));
    }
    let hashes = bytes[start..].iter().take_while(|byte| **byte == b'#').count();
    if bytes.get(start + hashes) != Some(&b'"') {
        return None;
    }
    let mut at = start + hashes + 1;
    while at < bytes.len() {
        let tail = &bytes[at + 1..];
        if bytes[at] == b'"'
            && tail.iter().take(hashes).filter(|byte| **byte == b'#').count() == hashes
        {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(at)
}

/// Index after a character literal, or after the quote of a lifetime.
fn after_quote(text: &str, start: usize) -> usize {
    let mut rest = text[start + 1..].chars();
    match (rest.next(), rest.next()) {
        (Some('\\'), Some(escaped)) => {
            let body = start + 2 + escaped.len_utf8();
            text[body..].find('\'').map_or(text.len(), |length| body + length + 1)
        }
        (Some(c), Some('\'')) => start + 2 + c.len_utf8(),
        _ => start + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let word = |token: Token<'_>| match token.kind {
            Kind::Word(word) => Some(text[..].split_at(text.find(word)?).1.split_at(word.len()).0),
            _ => None,
        };
        library_tokens(text).into_iter().filter_map(word).collect()
    }

    #[test]
    fn literals_and_comments_are_omitted() {
        assert_eq!(words("a /* b /* c */ d */ e // f\n\"g \\\" h\" i"), ["a", "e", "i"]);
        assert_eq!(words("r#\"a\"# r\"b\\\" b\"c\" br##\"d\"#\"## e"), ["e"]);
        assert_eq!(words("'a' '\\'' b'c' '\\u{41}' 'd: e"), ["d", "e"]);
        assert_eq!(words("r#type x"), ["type", "x"]);
    }

    #[test]
    fn lines_are_counted_through_literals() {
        let tokens = lex("\"a\nb\" /*\n*/ c\n::d");
        let found: Vec<_> = tokens.iter().map(|token| (token.line, token.kind)).collect();
        assert_eq!(found, [(3, Kind::Word("c")), (4, Kind::Path), (4, Kind::Word("d"))]);
    }

    #[test]
    fn items_of_tests_are_omitted() {
        assert_eq!(words("#[cfg(test)] mod t { a } b"), ["b"]);
        assert_eq!(
            words("#[cfg(test)] #[x(y)] pub(crate) fn f<A, B>(c: [D; 2]) -> E { g } h"),
            ["h"]
        );
        assert_eq!(words("#[cfg(test)] use a::{b, c}; d"), ["d"]);
        assert_eq!(words("S { #[cfg(test)] a: B, c }"), ["S", "c"]);
        assert_eq!(words("S { #[cfg(all(test, unix))] pub a: B }"), ["S"]);
        assert_eq!(words("#[cfg(not(test))] use a; #[cfg(any(test, unix))] b"), ["use", "a", "b"]);
        assert_eq!(words("#![cfg(test)] a"), [""; 0]);
        assert_eq!(words("#[derive(A)] struct B;"), ["struct", "B"]);
    }
}
