//! Results as JSON: lines for programs, and a record, the source of the tables in terminal and book.

use super::problems::Problem;
use super::row::Row;
use crate::files::{failed, write};
use crate::run::Outcome;
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Machine, date and settings of a measurement.
pub(super) struct Run {
    /// Output of our program with `--machine`: `machine`, `folder`, `date`, `program`.
    pub(super) machine: Value,
    pub(super) threads: usize,
    /// Cores that all processes are bound to, or the reason why they are not.
    pub(super) cores: Result<String, String>,
    pub(super) quick: bool,
    /// Time for the repetitions of a row.
    pub(super) seconds: f64,
    /// Time limit of a row.
    pub(super) limit: Duration,
}

impl Run {
    pub(super) fn record(&self, problems: &[&Problem], rows: &[Row]) -> Value {
        let Self { machine: about, threads, cores, quick, seconds, limit } = self;
        let problems: serde_json::Map<_, _> =
            problems.iter().map(|problem| (problem.name.clone(), problem.json())).collect();
        let mut record = json!({
            "machine": about["machine"], "date": about["date"], "program": about["program"],
            "threads": threads, "quick": quick, "seconds": seconds, "limit": limit.as_secs_f64(),
            "problems": problems, "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
        });
        match cores {
            Ok(cores) => record["cores"] = json!(cores),
            Err(reason) => record["unbound"] = json!(reason),
        }
        record
    }

    /// Appends rows as lines, so that an interrupted run loses only its last problem.
    pub(super) fn append(&self, path: &Path, rows: &[Row]) -> Outcome {
        let Self { machine: about, threads, cores, quick, .. } = self;
        let mut text = String::new();
        for row in rows {
            let line = json!({
                "date": about["date"], "machine": about["folder"],
                "commit": about["program"]["commit"], "threads": threads,
                "bound": cores.is_ok(), "quick": quick, "row": row.json(),
            });
            text += &format!("{line}\n");
        }
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(failed(path))?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed(path))
    }

    /// Path of the record in the folder of all records.
    pub(super) fn place(&self) -> PathBuf {
        let text = |key: &str| self.machine[key].as_str().unwrap_or("unknown");
        let more = match self.threads {
            1 => String::new(),
            threads => format!("-{threads}-threads"),
        };
        Path::new(text("folder")).join(format!("{}-peers{more}.json", text("date")))
    }
}

/// Writes a file completely or not at all.
pub(super) fn save(path: &Path, record: &Value) -> Outcome {
    let new = path.with_extension("new");
    write(&new, format!("{record:#}\n"))?;
    std::fs::rename(&new, path).map_err(failed(path))
}

#[cfg(test)]
pub(crate) use tests::record;

#[cfg(test)]
mod tests {
    use super::super::problems::PROBLEMS;
    use super::super::row::{Measured, Measurement};
    use super::*;
    use crate::figures::peers::{head, losses, section};

    fn row(
        problem: &'static str,
        size: usize,
        peer: &'static str,
        measurement: Measurement,
    ) -> Row {
        Row { problem, size, peer, method: ("m", "plain sums"), measurement }
    }

    fn measured(seconds: f64) -> Measured {
        let version = "1.0".to_owned();
        Measured { version, seconds, first: 2.0, error: Some(3e-7), loss: None }
    }

    fn rows() -> Vec<Row> {
        use Measurement::{Absent, Beyond, Failed};
        let of = |peer, found| row("relaxation", 1000, peer, found);
        let took = |seconds| Measurement::Measured(measured(seconds));
        let loss = |loss, seconds| {
            Measurement::Measured(Measured { error: None, loss: Some(loss), ..measured(seconds) })
        };
        vec![
            of("octave", took(0.0375)),
            of("numpy", took(0.001)),
            of("pycaputo", Beyond(Duration::from_secs(30))),
            of("scipy", Absent("pip: no | wheel".into())),
            of("fbm", Failed("NameError: x".into())),
            of("hpfracc", took(0.002)),
            of("hpfracc", took(0.001)),
            row("mittag-leffler-negative", 4096, "pymittagleffler", took(0.5)),
            row("mittag-leffler-negative", 4096, "hpfracc", took(0.25)),
            row("perceptron-24-8-2", 200, "torch", loss(0.75, 1e-4)),
            row("perceptron-24-8-2", 200, "hpfracc", loss(0.75, 5e-5)),
        ]
    }

    fn run() -> Run {
        Run {
            machine: json!({
                "machine": {"processor": "Nine", "threads": 4, "instruction_set": "vectors"},
                "folder": "nine", "date": "2026-01-31",
                "program": {"commit": "abc", "compiler": "rustc 1"},
            }),
            threads: 1,
            cores: Ok("2".to_owned()),
            quick: false,
            seconds: 1.0,
            limit: Duration::from_secs(30),
        }
    }

    /// Synthetic record.
    pub(crate) fn record() -> Value {
        let problems: Vec<&Problem> = PROBLEMS.iter().collect();
        run().record(&problems, &rows())
    }

    #[test]
    fn the_head_has_machine_date_and_settings() {
        let record = record();
        let text = head(&record);
        let line = "*`cargo xtask bench --peers`: 2026-01-31, commit abc; Nine, 4 threads, vectors; \
                    1 thread each, bound to cores 2.*";
        assert_eq!(text.lines().next(), Some(line));
        assert_eq!((&record["seconds"], &record["limit"]), (&json!(1.0), &json!(30.0)));
        assert_eq!(record["program"]["compiler"], "rustc 1");
        let other = Run { threads: 2, cores: Err("no taskset".into()), quick: true, ..run() };
        let text = head(&other.record(&[], &[]));
        let end = "2 threads each, not bound to cores (no taskset).*";
        assert!(text.starts_with("*`cargo xtask bench --peers --threads 2`"), "{text}");
        assert!(text.contains(end) && text.contains("commit abc, a quick run;"), "{text}");
        assert_eq!(other.place(), Path::new("nine/2026-01-31-peers-2-threads.json"));
        assert_eq!(run().place(), Path::new("nine/2026-01-31-peers.json"));
    }

    #[test]
    fn tables_have_all_rows_with_the_ratio_last() {
        let record = record();
        let names = ["relaxation", "mittag-leffler-negative", "perceptron-24-8-2"];
        let text: String = names.iter().map(|name| section(&record, name)).collect();
        for line in [
            "### relaxation",
            "| N | library | method | time | first call | error | time / hpfracc |",
            "| 1000 | octave 1.0 | plain sums | 37.50 ms | 2.00 s | 3.0e-7 | 19 |",
            "| 1000 | numpy 1.0 | plain sums | 1.00 ms | 2.00 s | 3.0e-7 | **0.50** |",
            "| 1000 | pycaputo | plain sums | > 30.00 s |  |  | > 15000 |",
            "| 1000 | scipy | plain sums | absent |  |  | pip: no / wheel |",
            "| 1000 | fbm | plain sums | failed |  |  | NameError: x |",
            "| 1000 | hpfracc 1.0 | plain sums | 2.00 ms | 2.00 s | 3.0e-7 | 1.00 |",
            "| 1000 | hpfracc 1.0 | plain sums | 1.00 ms | 2.00 s | 3.0e-7 | 0.50 |",
            "| values | library | method | time | values / s | first call | error | time / hpfracc |",
            "| 4096 | pymittagleffler 1.0 | plain sums | 500.00 ms | 8.2e3 | 2.00 s | 3.0e-7 | 2.00 |",
            "| batch | library | method | time | first call | loss | time / hpfracc |",
            "| 200 | torch 1.0 | plain sums | 100.00 us | 2.00 s | 0.750000 | 2.00 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\nis not in\n{text}");
        }
        let relaxation = PROBLEMS.iter().find(|problem| problem.name == "relaxation").unwrap();
        assert!(text.contains(&relaxation.says));
    }

    #[test]
    fn each_line_has_as_many_cells_as_the_head() {
        for problem in PROBLEMS.iter() {
            let rows: Vec<Row> =
                rows().into_iter().map(|row| Row { problem: &problem.name, ..row }).collect();
            let text = section(&run().record(&[problem], &rows), &problem.name);
            let lines = text.lines().filter(|line| line.starts_with('|'));
            let bars: Vec<usize> = lines.map(|line| line.matches('|').count()).collect();
            assert!(bars.len() == rows.len() + 2, "{text}");
            assert!(bars.iter().all(|n| *n == bars[0]), "{bars:?}\n{text}");
        }
    }

    #[test]
    fn losses_are_named_and_counted_against_our_first_method() {
        let text = losses(&record());
        let line = "- relaxation, 1000: numpy (plain sums) takes 0.50 of the time of hpfracc";
        assert_eq!(text, format!("Other libraries are faster in 1 of 4 rows:\n\n{line}\n"));
        // Without rows of this library nothing is compared.
        let theirs = losses(&run().record(&[], &rows()[..2]));
        assert_eq!(theirs, "Other libraries are faster in none of 0 rows.\n");
    }

    #[test]
    fn lines_are_added_to_those_of_earlier_runs() {
        let folder = std::env::temp_dir().join(format!("hpfracc-peers-{}", std::process::id()));
        let path = folder.join("bench/peers.jsonl");
        run().append(&path, &rows()[..2]).unwrap();
        run().append(&path, &rows()[2..3]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!((&lines[0]["commit"], &lines[0]["machine"]), (&json!("abc"), &json!("nine")));
        assert_eq!(lines[2]["row"]["beyond"], 30.0);
        save(&folder.join("record.json"), &record()).unwrap();
        let text = std::fs::read_to_string(folder.join("record.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), record());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
