//! Dependencies between the files of a crate: `use` and paths, resolved through re-exports to the
//! file that defines the name.

use super::source::{Import, Scope, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Name that one file uses of another, with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) line: usize,
}

/// Files of a crate, and their dependencies.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// Paths from `src`.
    pub(crate) files: Vec<String>,
    /// Parent of each file: the one that declares its module.
    pub(crate) parents: Vec<Option<usize>>,
    pub(crate) uses: BTreeMap<(usize, usize), Vec<Use>>,
}

struct Module {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    scope: Scope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(usize),
    /// An item of this file.
    Item(usize),
}

/// Maximum number of re-exports that are followed; more are a cycle of names.
const MAX_STEPS: usize = 12;

/// Reads the modules below `src`, starting with `lib.rs` or else `main.rs`.
pub(crate) fn read(src: &Path) -> Result<Graph, String> {
    let root = ["lib.rs", "main.rs"].into_iter().find(|name| src.join(name).is_file());
    let root = root.ok_or_else(|| format!("{}: neither lib.rs nor main.rs", src.display()))?;
    let mut reader = Reader { src, graph: Graph::default(), modules: Vec::new() };
    reader.file(root, "", None)?;
    let Reader { mut graph, modules, .. } = reader;
    for module in 0..modules.len() {
        dependencies(&modules, module, &mut graph);
    }
    for uses in graph.uses.values_mut() {
        uses.sort_by_key(|found| found.line);
        let mut seen = BTreeSet::new();
        uses.retain(|found| seen.insert(found.name.clone()));
    }
    Ok(graph)
}

struct Reader<'a> {
    src: &'a Path,
    graph: Graph,
    modules: Vec<Module>,
}

impl Reader<'_> {
    /// Reads a file and the modules below it; `folder` has the files of its children.
    fn file(&mut self, path: &str, folder: &str, parent: Option<usize>) -> Result<usize, String> {
        let text = crate::files::read(&self.src.join(path))?;
        let file = self.graph.files.len();
        self.graph.files.push(path.to_owned());
        self.graph.parents.push(parent.map(|parent| self.modules[parent].file));
        self.module(parse(&text), file, folder, parent)
    }

    fn module(
        &mut self,
        mut scope: Scope,
        file: usize,
        folder: &str,
        parent: Option<usize>,
    ) -> Result<usize, String> {
        let module = self.modules.len();
        let (declared, inline) = (scope.declared.clone(), std::mem::take(&mut scope.inline));
        self.modules.push(Module { file, parent, children: BTreeMap::new(), scope });
        for (name, scope) in inline {
            let child = self.module(scope, file, &format!("{folder}{name}/"), Some(module))?;
            self.modules[module].children.insert(name, child);
        }
        for name in declared {
            let below = format!("{folder}{name}/");
            let paths = [format!("{folder}{name}.rs"), format!("{below}mod.rs")];
            // A missing file has another path or is made by a macro.
            if let Some(path) = paths.iter().find(|path| self.src.join(path).is_file()) {
                let child = self.file(path, &below, Some(module))?;
                self.modules[module].children.insert(name, child);
            }
        }
        Ok(module)
    }
}

/// Adds the dependencies of a module to the graph.
fn dependencies(modules: &[Module], module: usize, graph: &mut Graph) {
    let Module { file, scope, .. } = &modules[module];
    let mut add = |target: Target, name: &str, line: usize| {
        if let Target::Item(other) = target
            && other != *file
        {
            let found = Use { name: name.to_owned(), line };
            graph.uses.entry((*file, other)).or_default().push(found);
        }
    };
    for import in &scope.imports {
        if import.glob {
            if !import.public {
                for (name, target) in through_glob(modules, module, import) {
                    add(target, name, import.path.line);
                }
            }
            continue;
        }
        // A re-export is no dependency unless the file itself uses the name.
        let used = |name: &String| scope.words.contains_key(name);
        if import.public && !import.name.as_ref().is_some_and(used) {
            continue;
        }
        let name = import.path.segments.last().map_or("", String::as_str);
        for target in resolve(modules, module, &import.path.segments, 0) {
            add(target, name, import.path.line);
        }
    }
    for path in &scope.paths {
        // The shortest prefix that is an item: the rest are its methods or variants.
        let target = (2..=path.segments.len()).find_map(|length| {
            let found = resolve(modules, module, &path.segments[..length], 0);
            let item = found.into_iter().find(|target| matches!(target, Target::Item(_)))?;
            Some((item, &path.segments[length - 1]))
        });
        if let Some((target, name)) = target {
            add(target, name, path.line);
        }
    }
}

/// Names that a module uses through `use path::*`.
fn through_glob<'a>(
    modules: &'a [Module],
    module: usize,
    import: &Import,
) -> Vec<(&'a str, Target)> {
    let words = &modules[module].scope.words;
    let mut found = Vec::new();
    for target in resolve(modules, module, &import.path.segments, 0) {
        match target {
            Target::Module(from) => found.extend(words.keys().flat_map(|name| {
                let own = modules[module].scope.defined.contains(name);
                let targets = if own { Vec::new() } else { lookup(modules, from, name, 0) };
                targets.into_iter().map(|target| (name.as_str(), target)).collect::<Vec<_>>()
            })),
            // Variants of an enum.
            Target::Item(_) => found.push(("*", target)),
        }
    }
    found
}

/// Targets of a path in a module; none for other crates.
fn resolve(modules: &[Module], module: usize, path: &[String], steps: usize) -> Vec<Target> {
    let Some((last, before)) = path.split_last() else { return Vec::new() };
    if before.is_empty() {
        return match last.as_str() {
            "crate" => vec![Target::Module(0)],
            "self" => vec![Target::Module(module)],
            "super" => modules[module].parent.map(Target::Module).into_iter().collect(),
            name => lookup(modules, module, name, steps),
        };
    }
    let mut found = BTreeSet::new();
    for target in resolve(modules, module, before, steps) {
        match target {
            Target::Module(inner) if last == "super" => {
                found.extend(modules[inner].parent.map(Target::Module));
            }
            Target::Module(inner) => {
                let targets = lookup(modules, inner, last, steps);
                // Defined by a macro: assumed to be an item of this file.
                let unknown = targets.is_empty().then_some(Target::Item(modules[inner].file));
                found.extend(targets.into_iter().chain(unknown));
            }
            item @ Target::Item(_) => drop(found.insert(item)),
        }
    }
    found.into_iter().collect()
}

/// Targets of a name in a module: an item and a module may share it.
fn lookup(modules: &[Module], module: usize, name: &str, steps: usize) -> Vec<Target> {
    let Module { file, children, scope, .. } = &modules[module];
    let mut found: Vec<Target> =
        children.get(name).map(|child| Target::Module(*child)).into_iter().collect();
    if scope.defined.contains(name) {
        found.push(Target::Item(*file));
    }
    if steps >= MAX_STEPS {
        return found;
    }
    for import in &scope.imports {
        let path = &import.path.segments;
        if import.name.as_deref() == Some(name) {
            // Without this condition `use name;` would look itself up.
            if path.len() > 1 || path[0] != name {
                found.extend(resolve_import(modules, module, path, steps));
            }
        }
    }
    if found.is_empty() {
        for import in scope.imports.iter().filter(|import| import.glob) {
            for target in resolve_import(modules, module, &import.path.segments, steps) {
                if let Target::Module(from) = target
                    && from != module
                {
                    found.extend(lookup(modules, from, name, steps + 1));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Targets of a `use`, whose first segment is a child, another import or another crate.
fn resolve_import(modules: &[Module], module: usize, path: &[String], steps: usize) -> Vec<Target> {
    resolve(modules, module, path, steps + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arrows between the files of a crate, as `from -> to: names`.
    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        let graph = crate::modules::tests::graph(files);
        let shown = |(&(from, to), uses): (&(usize, usize), &Vec<Use>)| {
            let names: Vec<&str> = uses.iter().map(|found| found.name.as_str()).collect();
            format!("{} -> {}: {}", graph.files[from], graph.files[to], names.join(" "))
        };
        graph.uses.iter().map(shown).collect()
    }

    #[test]
    fn names_are_followed_through_re_exports() {
        let found = arrows(&[
            ("lib.rs", "mod a; mod b; mod c; pub use a::{A, Deep};"),
            ("a/mod.rs", "mod deep; pub struct A; pub use deep::Deep;"),
            ("a/deep.rs", "pub struct Deep; pub enum E { X } use super::A;"),
            ("b.rs", "use crate::{A, Deep}; use crate::a; fn f() -> a::Deep { a::deep::E::X }"),
            ("c.rs", "use crate::b::*; fn g() { f(); crate::made_by_macro() }"),
        ]);
        assert_eq!(
            found,
            [
                "a/deep.rs -> a/mod.rs: A",
                "b.rs -> a/mod.rs: A",
                "b.rs -> a/deep.rs: Deep E",
                "c.rs -> lib.rs: made_by_macro",
                "c.rs -> b.rs: f"
            ]
        );
    }

    #[test]
    fn a_re_export_is_an_arrow_only_where_its_name_is_used() {
        let files = |code: &str| {
            let root = format!("mod a; pub use a::A; {code}");
            arrows(&[("lib.rs", &root), ("a.rs", "pub struct A; #[cfg(test)] use super::B;")])
        };
        assert_eq!(files(""), [""; 0]);
        assert_eq!(files("fn f(_: A) {}"), ["lib.rs -> a.rs: A"]);
    }

    #[test]
    fn a_module_and_a_function_may_share_a_name() {
        let found = arrows(&[
            ("lib.rs", "mod solve; mod b; mod c; pub use solve::solve;"),
            ("solve.rs", "pub fn solve() {} pub struct S;"),
            ("b.rs", "use crate::solve; fn f() { solve() }"),
            (
                "c.rs",
                "use super::super::c as own; use std::fmt; mod inner { use super::super::solve::S; } fmt::x();",
            ),
        ]);
        assert_eq!(found, ["b.rs -> solve.rs: solve", "c.rs -> solve.rs: S"]);
    }
}
