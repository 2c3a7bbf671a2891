//! One program, run with so many threads, its lines read under a time limit each.

use super::row::{Found, parse};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What a program is to do.
pub(super) struct Job<'a> {
    pub(super) problem: &'a str,
    pub(super) method: &'a str,
    pub(super) sizes: &'a [usize],
    /// How long to repeat.
    pub(super) seconds: f64,
    /// How long a line may take.
    pub(super) limit: Duration,
}

/// Variables that the libraries read their number of threads from.
const THREADS: [&str; 5] = [
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "HPFRACC_THREADS",
];

/// A command on so many threads, and on these cores where there are such.
pub(super) fn on(threads: usize, cores: Option<&str>, words: &[&str]) -> Command {
    let bound = cores.map_or_else(Vec::new, |cores| vec!["taskset", "--cpu-list", cores]);
    let words = [&bound, words].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    command.envs(THREADS.map(|name| (name, threads.to_string())));
    if threads == 1 {
        command.env("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false");
    }
    // On the processor, even where there is a GPU.
    command.env("JAX_PLATFORMS", "cpu").env("CUDA_VISIBLE_DEVICES", "");
    command
}

/// What the program finds for each of the sizes. A size that takes too long ends it: larger ones would too.
pub(super) fn run(mut command: Command, job: &Job<'_>) -> Vec<Found> {
    command.arg(job.problem).arg(job.method).arg(job.seconds.to_string());
    command.args(job.sizes.iter().map(usize::to_string));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match command.spawn() {
        Ok(child) => lines(child, job),
        Err(error) => vec![Found::Failed(format!("did not start: {error}")); job.sizes.len()],
    }
}

fn lines(mut child: Child, job: &Job<'_>) -> Vec<Found> {
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let (sender, receiver) = channel();
    let reader = std::thread::spawn(move || {
        let lines = output.into_iter().flat_map(|output| BufReader::new(output).lines());
        for line in lines.map_while(Result::ok).filter(|line| line.starts_with('{')) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let said = std::thread::spawn(move || {
        let mut text = String::new();
        // What is no text is left out of the message, and of no other use.
        let _ = errors.map(|mut errors| errors.read_to_string(&mut text));
        text
    });
    let mut found = rows(&receiver, job);
    // It has told all, or will not tell more.
    drop(receiver);
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    let said = said.join().unwrap_or_default();
    let reason = said.lines().rev().find(|line| line.contains("Error") || line.contains("error"));
    let reason = reason.or(said.lines().last()).unwrap_or("it ended without a word");
    found.resize(job.sizes.len(), Found::Failed(reason.trim().to_owned()));
    found
}

/// The rows that come, or that take too long; fewer than sizes where the program ends before.
fn rows(receiver: &Receiver<String>, job: &Job<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for &size in job.sizes {
        found.push(match receiver.recv_timeout(job.limit) {
            Ok(line) => match parse(&line, job.problem, size) {
                Ok(measured) => Found::Measured(measured),
                Err(reason) => Found::Failed(reason),
            },
            Err(RecvTimeoutError::Timeout) => {
                found.resize(job.sizes.len(), Found::Beyond(job.limit));
                return found;
            }
            Err(RecvTimeoutError::Disconnected) => return found,
        });
    }
    found
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const JOB: Job<'static> = Job {
        problem: "p",
        method: "m",
        sizes: &[10, 20, 30],
        seconds: 0.5,
        // A busy machine takes its time for a shell.
        limit: Duration::from_secs(60),
    };

    fn shell(script: &str) -> Vec<Found> {
        within(JOB.limit, script)
    }

    fn within(limit: Duration, script: &str) -> Vec<Found> {
        let mut command = Command::new("sh");
        // The job's words become $1 and so on.
        command.args(["-c", script, "sh"]);
        run(command, &Job { limit, ..JOB })
    }

    const ROW: &str =
        r#"row() { echo '{"problem":"'$1'","size":'$2',"version":"1","seconds":1,"first":1}'; };"#;

    #[test]
    fn a_program_is_told_its_job_and_its_lines_are_read() {
        let found = shell(&format!("{ROW} echo noise; row $1 $4; row $1 $5; row $1 $6; exit 3"));
        assert!(found.iter().all(|f| matches!(f, Found::Measured(_))), "{found:?}");
        assert_eq!(found.len(), 3);
        let found = shell(&format!("{ROW} [ $2 = m ] && [ $3 = 0.5 ] && row $1 $4"));
        assert!(matches!(found[0], Found::Measured(_)), "{found:?}");
    }

    #[test]
    fn one_that_takes_too_long_is_ended_and_so_are_its_larger_sizes() {
        let limit = Duration::from_secs(1);
        let found = within(limit, &format!("{ROW} row $1 $4; exec sleep 60"));
        assert!(matches!(found[0], Found::Measured(_)), "{found:?}");
        assert_eq!(found[1..], [Found::Beyond(limit), Found::Beyond(limit)]);
    }

    #[test]
    fn one_that_fails_says_why() {
        let found = shell(&format!("{ROW} row $1 $4; echo 'ImportError: gone' >&2; echo more >&2"));
        assert!(matches!(found[0], Found::Measured(_)), "{found:?}");
        assert_eq!(found[1..], vec![Found::Failed("ImportError: gone".into()); 2]);
        let found = run(Command::new("no-such-program-anywhere"), &JOB);
        assert!(matches!(&found[2], Found::Failed(reason) if reason.contains("did not start")));
    }

    #[test]
    fn threads_are_set_for_all_libraries() {
        let command = on(2, None, &["octave", "-q"]);
        let value = |name: &str| {
            let mut all = command.get_envs();
            all.find(|(key, _)| *key == name).and_then(|(_, value)| value?.to_str())
        };
        assert!(THREADS.iter().all(|name| value(name) == Some("2")));
        assert_eq!(value("XLA_FLAGS"), None);
        let bound = on(2, Some("2,5"), &["octave", "-q"]);
        assert_eq!(bound.get_args().collect::<Vec<_>>(), ["--cpu-list", "2,5", "octave", "-q"]);
    }
}
