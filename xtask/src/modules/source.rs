//! Parser for the module structure of a file: declared modules, defined and imported names, paths.

use super::tokens::{Kind, Token, after_group, library_tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Path in the source, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

/// Name that a `use` brings into scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: Path,
    /// Name in this scope; none for `*` and `as _`.
    pub(super) name: Option<String>,
    pub(super) glob: bool,
    /// Whether it is a re-export (`pub use`, `pub(crate) use`), which is no dependency by itself.
    pub(super) public: bool,
}

/// Contents of a module: of a file, or of an inline `mod name { }`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scope {
    /// Modules in files of their own.
    pub(super) declared: Vec<String>,
    pub(super) inline: BTreeMap<String, Scope>,
    pub(super) defined: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
    /// Paths of at least two segments outside `use`.
    pub(super) paths: Vec<Path>,
    /// All identifiers outside `use`, with the first line of each.
    pub(super) words: BTreeMap<String, usize>,
}

const DEFINING: [&str; 9] =
    ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"];

pub(super) fn parse(text: &str) -> Scope {
    let tokens = library_tokens(text);
    scope(&tokens)
}

fn scope(tokens: &[Token<'_>]) -> Scope {
    let mut found = Scope::default();
    let (mut at, mut depth) = (0, 0);
    while at < tokens.len() {
        let word = match tokens[at].kind {
            Kind::Word(word) => word,
            Kind::Sign(sign) => {
                depth += i32::from(matches!(sign, '(' | '[' | '{'));
                depth -= i32::from(matches!(sign, ')' | ']' | '}'));
                at += 1;
                continue;
            }
            Kind::Path => {
                at += 1;
                continue;
            }
        };
        match (
            word,
            tokens.get(at + 1).map(|next| next.kind),
            tokens.get(at + 2).map(|next| next.kind),
        ) {
            // `use<'a>` in a return type is no import.
            ("use", Some(Kind::Word(_) | Kind::Path | Kind::Sign('{')), _) => {
                at = import(tokens, at, &mut found.imports);
                continue;
            }
            ("mod", Some(Kind::Word(name)), Some(Kind::Sign(';'))) => {
                found.declared.push(name.to_owned());
                at += 3;
                continue;
            }
            ("mod", Some(Kind::Word(name)), Some(Kind::Sign('{'))) => {
                let end = after_group(tokens, at + 2);
                found.inline.insert(name.to_owned(), scope(&tokens[at + 3..end - 1]));
                at = end;
                continue;
            }
            ("macro_rules", _, Some(Kind::Word(name))) => {
                found.defined.insert(name.to_owned());
            }
            (_, Some(Kind::Word(name)), _) if depth == 0 && DEFINING.contains(&word) => {
                found.defined.insert(name.to_owned());
            }
            _ => {}
        }
        at = path(tokens, at, &mut found);
    }
    found
}

/// Reads the words joined by `::` at `start` and returns the position after them.
fn path(tokens: &[Token<'_>], start: usize, found: &mut Scope) -> usize {
    let line = tokens[start].line;
    let mut segments = Vec::new();
    let mut at = start;
    while let Some(Kind::Word(word)) = tokens.get(at).map(|token| token.kind) {
        found.words.entry(word.to_owned()).or_insert(tokens[at].line);
        segments.push(word.to_owned());
        at += 1;
        if tokens.get(at).map(|token| token.kind) != Some(Kind::Path) {
            break;
        }
        at += 1;
    }
    let leading = start > 0 && tokens[start - 1].kind == Kind::Path;
    if segments.len() > 1 && !leading {
        found.paths.push(Path { segments, line });
    }
    at
}

/// Reads the `use` at `start` and returns the position after its `;`.
fn import(tokens: &[Token<'_>], start: usize, imports: &mut Vec<Import>) -> usize {
    let public = match start.checked_sub(1).map(|before| tokens[before].kind) {
        Some(Kind::Word("pub")) => true,
        // `pub(crate)`, `pub(super)`, `pub(in path)`; nothing else ends with a bracket before
        // `use`.
        Some(Kind::Sign(')')) => true,
        _ => false,
    };
    let mut at = start + 1;
    tree(tokens, &mut at, &[], public, imports);
    while at < tokens.len() && tokens[at].kind != Kind::Sign(';') {
        at += 1;
    }
    at + 1
}

fn tree(
    tokens: &[Token<'_>],
    at: &mut usize,
    prefix: &[String],
    public: bool,
    imports: &mut Vec<Import>,
) {
    let mut segments = prefix.to_vec();
    let mut add = |segments: Vec<String>, name: Option<String>, glob, line| {
        imports.push(Import { path: Path { segments, line }, name, glob, public });
    };
    while let Some(&Token { kind, line }) = tokens.get(*at) {
        *at += 1;
        match kind {
            Kind::Path => {}
            Kind::Sign('*') => return add(segments, None, true, line),
            Kind::Sign('{') => {
                while tokens.get(*at).is_some_and(|token| token.kind != Kind::Sign('}')) {
                    tree(tokens, at, &segments, public, imports);
                    if tokens.get(*at).is_some_and(|token| token.kind == Kind::Sign(',')) {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            Kind::Word(word) => {
                // `a::{self}` is `a`.
                if word != "self" || segments.is_empty() {
                    segments.push(word.to_owned());
                }
                match tokens.get(*at).map(|token| token.kind) {
                    Some(Kind::Path) => {}
                    Some(Kind::Word("as")) => {
                        let name = tokens.get(*at + 1).map(|token| token.kind);
                        *at += 2;
                        let name = match name {
                            Some(Kind::Word(name)) if name != "_" => Some(name.to_owned()),
                            _ => None,
                        };
                        return add(segments, name, false, line);
                    }
                    _ => {
                        let name = segments.last().cloned();
                        return add(segments, name, false, line);
                    }
                }
            }
            Kind::Sign(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(text: &str) -> Vec<String> {
        let shown = |import: Import| {
            let path = import.path.segments.join("::") + if import.glob { "::*" } else { "" };
            let name = import.name.unwrap_or_default();
            let sign = if import.public { "+" } else { "" };
            format!("{sign}{path} {name}")
        };
        parse(text).imports.into_iter().map(shown).collect()
    }

    #[test]
    fn trees_of_imports_become_paths() {
        let text =
            "pub(crate) use a::{self, b::{C, D as E}, f::*}; use super::g as _; pub use crate::h;";
        let expected =
            ["+a a", "+a::b::C C", "+a::b::D E", "+a::f::* ", "super::g ", "+crate::h h"];
        assert_eq!(imports(text), expected);
        assert_eq!(
            imports("use {a, b::c,}; fn f() -> impl A + use<'a> { use d::e; }"),
            ["a a", "b::c c", "d::e e"]
        );
        assert_eq!(imports("use ::a::b;"), ["a::b b"]);
    }

    #[test]
    fn modules_names_and_paths_are_found() {
        let text = "mod a; pub mod b { fn inner() {} c::d() } const fn e() { fn nested() {} f::<g::H>::i() } \
                    impl J { fn method() {} } macro_rules! k { () => { $crate::l::m } }";
        let found = parse(text);
        assert_eq!(found.declared, ["a"]);
        assert_eq!(found.inline["b"].paths[0].segments, ["c", "d"]);
        assert_eq!(found.defined.iter().collect::<Vec<_>>(), ["e", "fn", "k"]);
        let paths: Vec<_> = found.paths.iter().map(|path| path.segments.join("::")).collect();
        assert_eq!(paths, ["g::H", "crate::l::m"]);
    }
}
