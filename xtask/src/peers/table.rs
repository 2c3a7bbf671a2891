//! Times and errors side by side, as Markdown, losses included.

use super::problems::Problem;
use super::row::{Found, Measured, Row};

/// A problem's rows as a table, each peer's time over that of our first method in the last column.
pub(super) fn of(problem: &Problem, rows: &[Row]) -> String {
    let rate = problem.work.map_or(String::new(), |(unit, _)| format!(" {unit} / s |"));
    let line = if problem.work.is_some() { "--:|" } else { "" };
    let mut text = format!(
        "## {}\n\n{}\n\n| {} | who | method | time |{rate} first call | error | time / ours |\n\
         |--:|---|---|--:|{line}--:|--:|--:|\n",
        problem.name, problem.says, problem.size
    );
    for row in rows {
        text += &of_row(problem, row, ours(rows, row.size));
    }
    text
}

/// Our own time of a size: of the first of our methods.
fn ours(rows: &[Row], size: usize) -> Option<&Row> {
    rows.iter().find(|row| row.peer == super::OURS && row.size == size)
}

fn of_row(problem: &Problem, row: &Row, ours: Option<&Row>) -> String {
    let Row { size, peer, method: (_, method), found, .. } = row;
    let rate = |shown: String| if problem.work.is_some() { format!(" {shown} |") } else { shown };
    let empty = if problem.work.is_some() { " |" } else { "" };
    let ours = ours.and_then(Row::measured);
    match found {
        Found::Measured(Measured { version, seconds, first, error }) => {
            let per_second =
                problem.work.map(|(_, work)| format!("{:.1e}", work * *size as f64 / seconds));
            let error = error.map_or(String::new(), |error| format!("{error:.1e}"));
            format!(
                "| {size} | {peer} {version} | {method} | {} |{} {} | {error} | {} |\n",
                show(*seconds),
                per_second.map_or(String::new(), rate),
                show(*first),
                ours.map_or(String::new(), |ours| ratio(peer, seconds / ours.seconds)),
            )
        }
        Found::Beyond(limit) => {
            let limit = limit.as_secs_f64();
            let ratio =
                ours.map_or(String::new(), |ours| format!("> {}", digits(limit / ours.seconds)));
            format!("| {size} | {peer} | {method} | > {} |{empty} | | {ratio} |\n", show(limit))
        }
        Found::Absent(reason) => {
            format!("| {size} | {peer} | {method} | absent |{empty} | | {} |\n", cell(reason))
        }
        Found::Failed(reason) => {
            format!("| {size} | {peer} | {method} | failed |{empty} | | {} |\n", cell(reason))
        }
    }
}

/// In bold where others are ahead.
fn ratio(peer: &str, ratio: f64) -> String {
    if ratio < 1.0 && peer != super::OURS {
        format!("**{}**", digits(ratio))
    } else {
        digits(ratio)
    }
}

fn digits(x: f64) -> String {
    if x < 10.0 { format!("{x:.2}") } else { format!("{x:.0}") }
}

/// One line, which no bar breaks.
fn cell(reason: &str) -> String {
    reason.replace('|', "/").replace('\n', " ")
}

/// A duration in the unit that reads best.
pub(super) fn show(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The rows where others are ahead of our first method, and how many there are to be compared.
pub(super) fn losses(rows: &[Row]) -> (Vec<String>, usize) {
    let peers = rows.iter().filter(|row| row.peer != super::OURS);
    let mut compared = 0;
    let mut behind = Vec::new();
    for row in peers {
        let of_problem = |other: &&Row| {
            other.problem == row.problem && other.size == row.size && other.peer == super::OURS
        };
        let ours = rows.iter().find(of_problem).and_then(Row::measured);
        let (Some(theirs), Some(ours)) = (row.measured(), ours) else { continue };
        compared += 1;
        if theirs.seconds < ours.seconds {
            behind.push(format!(
                "{} {}: {} ({}) takes {} of our time",
                row.problem,
                row.size,
                row.peer,
                row.method.1,
                digits(theirs.seconds / ours.seconds)
            ));
        }
    }
    (behind, compared)
}

#[cfg(test)]
mod tests {
    use super::super::problems::PROBLEMS;
    use super::*;
    use std::time::Duration;

    fn row(peer: &'static str, found: Found) -> Row {
        Row { problem: "relaxation", size: 1000, peer, method: ("m", "plain sums"), found }
    }

    fn measured(seconds: f64) -> Found {
        let version = "1.0".to_owned();
        Found::Measured(Measured { version, seconds, first: 2.0, error: Some(3e-7) })
    }

    fn rows() -> Vec<Row> {
        vec![
            row("octave", measured(0.0375)),
            row("numpy", measured(0.001)),
            row("pycaputo", Found::Beyond(Duration::from_secs(30))),
            row("scipy", Found::Absent("pip: no | wheel".into())),
            row("fbm", Found::Failed("NameError: x".into())),
            row(super::super::OURS, measured(0.002)),
            row(super::super::OURS, measured(0.001)),
        ]
    }

    #[test]
    fn the_table_has_all_rows_with_the_ratio_last() {
        let problem = PROBLEMS.iter().find(|p| p.name == "relaxation").unwrap();
        let text = of(problem, &rows());
        for line in [
            "| 1000 | octave 1.0 | plain sums | 37.50 ms | 2.00 s | 3.0e-7 | 19 |",
            "| 1000 | numpy 1.0 | plain sums | 1.00 ms | 2.00 s | 3.0e-7 | **0.50** |",
            "| 1000 | pycaputo | plain sums | > 30.00 s | | | > 15000 |",
            "| 1000 | scipy | plain sums | absent | | | pip: no / wheel |",
            "| 1000 | fbm | plain sums | failed | | | NameError: x |",
            "| 1000 | hpfracc 1.0 | plain sums | 2.00 ms | 2.00 s | 3.0e-7 | 1.00 |",
            // Another method of ours is no loss.
            "| 1000 | hpfracc 1.0 | plain sums | 1.00 ms | 2.00 s | 3.0e-7 | 0.50 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\nis not in\n{text}");
        }
    }

    #[test]
    fn each_line_has_as_many_cells_as_the_head() {
        for problem in PROBLEMS {
            let text = of(problem, &rows());
            let bars: Vec<usize> = text
                .lines()
                .filter(|line| line.starts_with('|'))
                .map(|line| line.matches('|').count())
                .collect();
            assert!(bars.len() > 8 && bars.iter().all(|n| *n == bars[0]), "{bars:?}\n{text}");
        }
    }

    #[test]
    fn losses_are_named_and_counted_against_our_first_method() {
        let (behind, compared) = losses(&rows());
        assert_eq!(behind, ["relaxation 1000: numpy (plain sums) takes 0.50 of our time"]);
        assert_eq!(compared, 2);
        // Nothing of ours, nothing to compare.
        assert_eq!(losses(&rows()[..2]), (vec![], 0));
    }
}
