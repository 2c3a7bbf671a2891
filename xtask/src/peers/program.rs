//! Runs a program with a number of threads and a time limit for each line of its output.

use super::row::{Measurement, parse};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Arguments of a program, and its time limit.
pub(super) struct Task<'a> {
    pub(super) problem: &'a str,
    pub(super) method: &'a str,
    pub(super) sizes: &'a [usize],
    /// Time for repetitions.
    pub(super) seconds: f64,
    /// Time limit of a line.
    pub(super) limit: Duration,
}

/// Variables from which libraries read the number of threads.
const THREADS: [&str; 5] = [
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "HPFRACC_THREADS",
];

/// Command on a number of threads, bound to cores if possible.
pub(super) fn on(threads: usize, cores: Option<&str>, words: &[&str]) -> Command {
    let bound = cores.map_or_else(Vec::new, |cores| vec!["taskset", "--cpu-list", cores]);
    let words = [&bound, words].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    command.envs(THREADS.map(|name| (name, threads.to_string())));
    if threads == 1 {
        command.env("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false");
    }
    // On the processor even if there is a GPU.
    command.env("JAX_PLATFORMS", "cpu").env("CUDA_VISIBLE_DEVICES", "");
    command
}

/// Results for each size. A size beyond the time limit ends the program, because larger ones take
/// longer.
pub(super) fn run(mut command: Command, task: &Task<'_>) -> Vec<Measurement> {
    command.arg(task.problem).arg(task.method).arg(task.seconds.to_string());
    command.args(task.sizes.iter().map(usize::to_string));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match command.spawn() {
        Ok(child) => lines(child, task),
        Err(error) => {
            vec![Measurement::Failed(format!("did not start: {error}")); task.sizes.len()]
        }
    }
}

fn lines(mut child: Child, task: &Task<'_>) -> Vec<Measurement> {
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
    let stderr = std::thread::spawn(move || {
        let mut text = String::new();
        // Output that is not text is omitted from the message.
        let _ = errors.map(|mut errors| errors.read_to_string(&mut text));
        text
    });
    let mut found = rows(&receiver, task);
    // All lines are read, or the time limit is exceeded.
    drop(receiver);
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    let stderr = stderr.join().unwrap_or_default();
    let reason = stderr.lines().rev().find(|line| line.contains("Error") || line.contains("error"));
    let reason = reason.or(stderr.lines().last()).unwrap_or("it ended without output");
    found.resize(task.sizes.len(), Measurement::Failed(reason.trim().to_owned()));
    found
}

/// Rows up to the time limit; fewer than sizes if the program ends early.
fn rows(receiver: &Receiver<String>, task: &Task<'_>) -> Vec<Measurement> {
    let mut found = Vec::new();
    for &size in task.sizes {
        found.push(match receiver.recv_timeout(task.limit) {
            Ok(line) => match parse(&line, task.problem, size) {
                Ok(measured) => Measurement::Measured(measured),
                Err(reason) => Measurement::Failed(reason),
            },
            Err(RecvTimeoutError::Timeout) => {
                found.resize(task.sizes.len(), Measurement::Beyond(task.limit));
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

    const TASK: Task<'static> = Task {
        problem: "p",
        method: "m",
        sizes: &[10, 20, 30],
        seconds: 0.5,
        // A busy machine may take long to start a shell.
        limit: Duration::from_secs(60),
    };

    fn shell(script: &str) -> Vec<Measurement> {
        within(TASK.limit, script)
    }

    fn within(limit: Duration, script: &str) -> Vec<Measurement> {
        let mut command = Command::new("sh");
        // The arguments become $1 and so on.
        command.args(["-c", script, "sh"]);
        run(command, &Task { limit, ..TASK })
    }

    const ROW: &str =
        r#"row() { echo '{"problem":"'$1'","size":'$2',"version":"1","seconds":1,"first":1}'; };"#;

    #[test]
    fn arguments_are_passed_and_lines_are_read() {
        let found = shell(&format!("{ROW} echo noise; row $1 $4; row $1 $5; row $1 $6; exit 3"));
        assert!(found.iter().all(|f| matches!(f, Measurement::Measured(_))), "{found:?}");
        assert_eq!(found.len(), 3);
        let found = shell(&format!("{ROW} [ $2 = m ] && [ $3 = 0.5 ] && row $1 $4"));
        assert!(matches!(found[0], Measurement::Measured(_)), "{found:?}");
    }

    #[test]
    fn a_program_beyond_the_limit_is_ended_with_its_larger_sizes() {
        let limit = Duration::from_secs(1);
        let found = within(limit, &format!("{ROW} row $1 $4; exec sleep 60"));
        assert!(matches!(found[0], Measurement::Measured(_)), "{found:?}");
        assert_eq!(found[1..], [Measurement::Beyond(limit), Measurement::Beyond(limit)]);
    }

    #[test]
    fn a_failed_program_has_a_reason() {
        let found = shell(&format!("{ROW} row $1 $4; echo 'ImportError: gone' >&2; echo more >&2"));
        assert!(matches!(found[0], Measurement::Measured(_)), "{found:?}");
        assert_eq!(found[1..], vec![Measurement::Failed("ImportError: gone".into()); 2]);
        let found = run(Command::new("no-such-program-anywhere"), &TASK);
        assert!(
            matches!(&found[2], Measurement::Failed(reason) if reason.contains("did not start"))
        );
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
