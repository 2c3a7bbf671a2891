//! Cyclic dependencies: cycles of files, except a parent with its child, and cycles of folders.

use super::graph::Graph;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Modules that break a rule together, and the arrows between them with their causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cycle {
    kind: &'static str,
    members: Vec<String>,
    arrows: Vec<String>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, members, arrows } = self;
        write!(f, "{kind}, {}: {}", members.len(), members.join(", "))?;
        arrows.iter().try_for_each(|arrow| write!(f, "\n    {arrow}"))
    }
}

type Arrow = (usize, usize);
type Arrows = BTreeSet<Arrow>;

/// Arrows between the entries of a folder, each with the arrows between files that cause it.
type FolderArrows = BTreeMap<Arrow, Vec<Arrow>>;

/// Cycles of files. A parent and its child may use each other; any longer cycle is one.
pub(crate) fn of_files(graph: &Graph) -> Vec<Cycle> {
    let arrows: Arrows = graph.uses.keys().copied().collect();
    let family = |(a, b): Arrow| graph.parents[a] == Some(b) || graph.parents[b] == Some(a);
    let mut found = Vec::new();
    for members in components(graph.files.len(), &arrows) {
        let inside: Vec<_> = within(&arrows, &members).collect();
        // If all cycles have two members, the arrows form a tree of pairs.
        let pairs = inside.len() == 2 * (members.len() - 1);
        if pairs && inside.iter().all(|arrow| family(*arrow)) {
            continue;
        }
        found.push(Cycle {
            kind: "cycle of files",
            members: members.iter().map(|file| graph.files[*file].clone()).collect(),
            arrows: inside.iter().map(|arrow| shown(graph, *arrow)).collect(),
        });
    }
    found
}

/// Cycles of the entries of a folder, each with all modules below it.
pub(crate) fn of_folders(graph: &Graph) -> Vec<Cycle> {
    let mut levels: BTreeMap<usize, FolderArrows> = BTreeMap::new();
    for &(from, to) in graph.uses.keys() {
        let (from_path, to_path) = (ancestors(graph, from), ancestors(graph, to));
        let shared = from_path.iter().zip(&to_path).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (from_path.get(shared), to_path.get(shared)) {
            let parent = from_path[shared - 1];
            levels.entry(parent).or_default().entry((*a, *b)).or_default().push((from, to));
        }
    }
    let mut found = Vec::new();
    for level in levels.values() {
        let arrows: Arrows = level.keys().copied().collect();
        for members in components(graph.files.len(), &arrows) {
            // A cycle of files alone is already a cycle of files.
            let leaf = |file: &usize| !graph.parents.contains(&Some(*file));
            if members.iter().all(leaf) {
                continue;
            }
            let causes = within(&arrows, &members).flat_map(|arrow| &level[&arrow]);
            found.push(Cycle {
                kind: "cycle of folders",
                members: members.iter().map(|file| folder(graph, *file)).collect(),
                arrows: causes.map(|arrow| shown(graph, *arrow)).collect(),
            });
        }
    }
    found
}

/// Ancestors of a file from the root, followed by the file itself.
fn ancestors(graph: &Graph, file: usize) -> Vec<usize> {
    let mut path: Vec<usize> =
        std::iter::successors(Some(file), |file| graph.parents[*file]).collect();
    path.reverse();
    path
}

fn folder(graph: &Graph, file: usize) -> String {
    let path = &graph.files[file];
    path.strip_suffix("mod.rs").unwrap_or(path).to_owned()
}

fn shown(graph: &Graph, arrow: Arrow) -> String {
    let (from, to) = (&graph.files[arrow.0], &graph.files[arrow.1]);
    let uses: Vec<&str> = graph.uses[&arrow].iter().map(|found| found.name.as_str()).collect();
    format!("{from}:{} -> {to}: {}", graph.uses[&arrow][0].line, uses.join(", "))
}

fn within(arrows: &Arrows, members: &[usize]) -> impl Iterator<Item = Arrow> {
    let inside = |(a, b): &Arrow| members.contains(a) && members.contains(b);
    arrows.iter().copied().filter(inside)
}

/// Strongly connected components of more than one node, each in ascending order.
fn components(nodes: usize, arrows: &Arrows) -> Vec<Vec<usize>> {
    let reached = |start: usize, forward: bool| {
        let mut seen = BTreeSet::from([start]);
        let mut next = vec![start];
        while let Some(node) = next.pop() {
            let others = arrows.iter().filter_map(|&(a, b)| match forward {
                true => (a == node).then_some(b),
                false => (b == node).then_some(a),
            });
            next.extend(others.filter(|other| seen.insert(*other)).collect::<Vec<_>>());
        }
        seen
    };
    let mut placed = BTreeSet::new();
    let mut found = Vec::new();
    for node in 0..nodes {
        if placed.contains(&node) {
            continue;
        }
        let component: Vec<usize> =
            reached(node, true).intersection(&reached(node, false)).copied().collect();
        placed.extend(component.iter().copied());
        if component.len() > 1 {
            found.push(component);
        }
    }
    found
}

/// Arrows from a file to code of an ancestor that is not its parent.
pub(crate) fn upward(graph: &Graph) -> Vec<Cycle> {
    let far = |&(from, to): &Arrow| {
        graph.parents[from] != Some(to) && ancestors(graph, from).contains(&to)
    };
    let arrows = graph.uses.keys().copied().filter(far);
    arrows
        .map(|arrow| Cycle {
            kind: "upward arrow",
            members: [arrow.0, arrow.1].map(|file| graph.files[file].clone()).to_vec(),
            arrows: vec![shown(graph, arrow)],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::tests::graph;

    fn members(cycles: Vec<Cycle>) -> Vec<Vec<String>> {
        cycles.into_iter().map(|cycle| cycle.members).collect()
    }

    #[test]
    fn a_parent_and_its_children_may_use_each_other() {
        let star = graph(&[
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod b; mod c; pub struct A; fn f(_: b::B, _: c::C) {}"),
            ("a/b.rs", "use super::A; pub struct B;"),
            ("a/c.rs", "use super::A; pub struct C;"),
        ]);
        assert!(of_files(&star).is_empty() && of_folders(&star).is_empty());
    }

    #[test]
    fn siblings_may_not() {
        let found = graph(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use crate::a::A; pub struct B;"),
        ]);
        let cycles = of_files(&found);
        assert_eq!(
            cycles[0].to_string(),
            "cycle of files, 2: a.rs, b.rs\n    a.rs:1 -> b.rs: B\n    b.rs:1 -> a.rs: A"
        );
        assert!(of_folders(&found).is_empty());
    }

    #[test]
    fn a_cycle_through_the_parent_is_one() {
        let found = graph(&[
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod b; mod c; pub struct A; fn f(_: b::B) {}"),
            ("a/b.rs", "use super::c::C; pub struct B;"),
            ("a/c.rs", "use super::A; pub struct C;"),
        ]);
        assert_eq!(members(of_files(&found)), [["a/mod.rs", "a/b.rs", "a/c.rs"]]);
    }

    #[test]
    fn folders_that_use_each_other_are_found_without_a_cycle_of_files() {
        let found = graph(&[
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "pub mod x; pub mod y;"),
            ("a/x.rs", "use crate::b::B; pub struct X;"),
            ("a/y.rs", "pub struct Y;"),
            ("b.rs", "use crate::a::y::Y; pub struct B;"),
        ]);
        assert!(of_files(&found).is_empty());
        assert_eq!(members(of_folders(&found)), [["a/", "b.rs"]]);
    }

    #[test]
    fn code_of_a_grandparent_is_upward() {
        let found = graph(&[
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod b; pub struct A; pub use b::B;"),
            ("a/b/mod.rs", "mod c; pub struct B;"),
            ("a/b/c.rs", "use crate::a::{A, B};"),
        ]);
        assert_eq!(members(upward(&found)), [["a/b/c.rs", "a/mod.rs"]]);
    }
}
