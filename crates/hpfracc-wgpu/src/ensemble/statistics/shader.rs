//! Text of the reductions over paths.

use super::SummaryRequest;
use hpfracc_equation::wgsl::{Capabilities, Library, NumberFormat, Rounding, WeightMemory};
use std::fmt::Write as _;

/// Numbers of the states.
const FORMAT: NumberFormat = NumberFormat::Single;

/// Invocations of a workgroup.
pub(super) const WIDTH: usize = 256;

/// Paths of an invocation.
const PATHS: usize = 4;

/// Paths of a block, which a workgroup reduces.
pub(crate) const BLOCK: usize = WIDTH * PATHS;

/// Places of the words of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockWords {
    pub(super) observables: usize,
    pub(super) moments: bool,
    pub(super) order: bool,
}

impl BlockWords {
    /// Reference, scale and sum of deviations of an observable, if there are moments.
    pub(super) fn moments(self, observable: usize) -> usize {
        2 + 3 * observable
    }

    /// Sum of the products of two observables, of which the first is not before the second.
    pub(super) fn product(self, first: usize, second: usize) -> usize {
        self.moments(self.observables) + first * (first + 1) / 2 + second
    }

    /// Least, greatest and least magnitude of an observable, if they are needed.
    pub(super) fn order(self, observable: usize) -> usize {
        let begin = if self.moments { self.product(self.observables, 0) } else { 2 };
        begin + 3 * observable
    }

    /// Number of words.
    pub(super) fn count(self) -> usize {
        self.order(if self.order { self.observables } else { 0 })
    }
}

/// Sources of the reduction of blocks and of the counts.
pub(crate) fn sources(
    request: &SummaryRequest,
    dim: usize,
    of: (Capabilities, Rounding),
) -> [String; 2] {
    let observe = include_str!("observe.wgsl").to_owned() + &observe(request, dim);
    let blocks = include_str!("blocks.wgsl").replace("//{reduce}", &reduce(request, dim));
    let counts: String =
        (0..request.observables(dim)).map(|i| format!("    count({i}u, o.o{i});\n")).collect();
    let buckets = include_str!("buckets.wgsl").replace("//{counts}", &counts);
    [blocks, buckets].map(|entry| {
        let own = observe.clone() + &entry;
        format!(
            "const WIDTH = {WIDTH}u;\n\n{}{own}",
            Library::new(FORMAT, of.0, of.1).needed_by(&own)
        )
    })
}

/// Function `observe`, and the structure of its result.
fn observe(request: &SummaryRequest, dim: usize) -> String {
    let all = request.observables(dim);
    let fields: String = (0..all).map(|i| format!("    o{i}: f32,\n")).collect();
    let loads: String =
        (0..dim).map(|i| format!("    let x{i} = component({i}u, path);\n")).collect();
    let components: Vec<String> = (0..dim).map(|i| format!("x{i}")).collect();
    let shown = request.shown.as_ref();
    let call: String = shown
        .map(|function| {
            format!("    let c = {}(0u, {});\n", function.name(), components.join(", "))
        })
        .unwrap_or_default();
    let values = (0..all - dim).map(|i| format!("c.r{i}"));
    let values: Vec<String> = components.iter().cloned().chain(values).collect();
    let functions = shown.map_or_else(String::new, |function| {
        function.weights_in(WeightMemory::Storage) + &function.text(FORMAT)
    });
    format!(
        "{functions}\nstruct Observed {{\n{fields}}}\n\n\
         fn observe(path: u32) -> Observed {{\n{loads}{call}    return Observed({});\n}}\n\n",
        values.join(", ")
    )
}

/// Statements of the reduction of a block.
fn reduce(request: &SummaryRequest, dim: usize) -> String {
    let all = request.observables(dim);
    let words = request.words(dim);
    let mut text = String::new();
    for k in 0..PATHS {
        let broken: Vec<String> = (0..all).map(|i| format!("is_broken(o{k}.o{i})")).collect();
        let _ = write!(
            text,
            "    let path{k} = begin + {k}u * WIDTH + lane;\n    \
             let inside{k} = path{k} < sizes.paths;\n    \
             let o{k} = observe(min(path{k}, sizes.paths - 1u));\n    \
             let broken{k} = inside{k} && ({});\n",
            broken.join(" || ")
        );
        for row in 0..dim {
            let _ = write!(
                text,
                "    if path{k} < sizes.first {{\n        \
                 results[sizes.words * ((sizes.paths + {last}u) / {BLOCK}u) + {row}u * sizes.first + path{k}] = \
                 states[{row}u * sizes.paths + path{k}];\n    }}\n",
                last = BLOCK - 1
            );
        }
    }
    let broken = each(" + ", |k| format!("select(0u, 1u, broken{k})"));
    let least = |of: &dyn Fn(usize) -> String| {
        (1..PATHS).fold(of(0), |least, k| format!("min({least}, {})", of(k)))
    };
    let first = least(&|k| format!("select(0xffffffffu, path{k}, broken{k})"));
    let mut results = vec![("u32", 0, "broken".to_owned()), ("u32", 1, "first".to_owned())];
    let _ = write!(
        text,
        "    let broken = count_of(lane, {broken});\n    let first = least_of(lane, {first});\n"
    );
    if words.moments {
        text += "    let of_first = observe(begin);\n";
        for i in 0..all {
            moments(&mut text, i);
            let at = words.moments(i);
            results.push(("f32", at, format!("reference{i}")));
            results.push(("u32", at + 1, format!("scale{i}")));
            results.push(("f32", at + 2, format!("sum{i}")));
        }
        for i in 0..all {
            for j in 0..=i {
                let products = each(" + ", |k| format!("d{i}_{k} * d{j}_{k}"));
                let _ = writeln!(text, "    let product{i}_{j} = sum_of(lane, {products});");
                results.push(("f32", words.product(i, j), format!("product{i}_{j}")));
            }
        }
    }
    for i in (0..all).filter(|_| words.order) {
        let orders = [
            ("least", least(&|k| format!("order_of(o{k}.o{i})"))),
            ("above", least(&|k| format!("~order_of(o{k}.o{i})"))),
            ("magnitude", least(&|k| format!("magnitude_above_zero(o{k}.o{i})"))),
        ];
        for (place, (name, value)) in orders.into_iter().enumerate() {
            let _ = writeln!(text, "    let {name}{i} = least_of(lane, {value});");
            results.push(("u32", words.order(i) + place, format!("{name}{i}")));
        }
    }
    text += "    if lane == 0u {\n";
    for (kind, at, value) in results {
        let value = if kind == "f32" { format!("bitcast<u32>({value})") } else { value };
        let _ = writeln!(text, "        results[at + {at}u] = {value};");
    }
    text + "    }"
}

/// Deviations of an observable from a number near its mean, which is that of its values if these are equal, in units of a power of two, and their sum.
fn moments(text: &mut String, i: usize) {
    let parts =
        each(" + ", |k| format!("select(0.0, (o{k}.o{i} - of_first.o{i}) * share, inside{k})"));
    let reach =
        (1..PATHS).fold(format!("~reach{i}_0"), |least, k| format!("min({least}, ~reach{i}_{k})"));
    let _ = writeln!(text, "    let reference{i} = of_first.o{i} + sum_of(lane, {parts});");
    for k in 0..PATHS {
        let _ = writeln!(
            text,
            "    let reach{i}_{k} = bitcast<u32>(o{k}.o{i} - reference{i}) & 0x7fffffffu;"
        );
    }
    let _ = write!(
        text,
        "    let scale{i} = scale_of(~least_of(lane, {reach}));\n    let inverse{i} = inverse_of(scale{i});\n"
    );
    for k in 0..PATHS {
        let _ = writeln!(
            text,
            "    let d{i}_{k} = select(0.0, (o{k}.o{i} - reference{i}) * inverse{i}, inside{k});"
        );
    }
    let sum = each(" + ", |k| format!("d{i}_{k}"));
    let _ = writeln!(text, "    let sum{i} = sum_of(lane, {sum});");
}

/// A term for each path of an invocation, paired so that sums are trees.
fn each(operator: &str, term: impl Fn(usize) -> String) -> String {
    let pairs: Vec<String> =
        (0..PATHS / 2).map(|k| format!("({}{operator}{})", term(2 * k), term(2 * k + 1))).collect();
    pairs.join(operator)
}
