//! A program of ranks that starts itself by `mpirun`. Without an MPI installation the tests are skipped, and with
//! `HPFRACC_REQUIRE_MPI=1` they fail.

use hpfracc_communicator::{Communicator, CommunicatorError, Queue, Ranks, launched};
use hpfracc_mpi::{Mpi, MpiError};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// What a started rank does.
const ROLE: &str = "HPFRACC_MPI_TEST";

fn main() {
    match std::env::var(ROLE).as_deref() {
        Ok("collectives") => collectives(),
        Ok("panic") => one_panics(),
        Ok("die") => one_dies(),
        Ok("differ") => differ(),
        Ok("leave") => one_leaves(),
        Ok(role) => panic!("unknown role {role}"),
        Err(_) => launch(),
    }
}

/// Runs this program on a number of ranks, and takes the time.
fn ranks(role: &str, size: usize) -> std::io::Result<(Output, Duration)> {
    let start = Instant::now();
    let program = std::env::current_exe()?;
    let mut command = Command::new("mpirun");
    // Open MPI refuses these without being told; MPICH does not know the words, and needs none.
    for (name, value) in [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        // Seconds after which both end ranks that wait for ever.
        ("MPIEXEC_TIMEOUT", "60"),
        (ROLE, role),
    ] {
        command.env(name, value);
    }
    let output = command.args(["-n", &size.to_string()]).arg(program).output()?;
    Ok((output, start.elapsed()))
}

fn launch() {
    assert_eq!(launched(), None);
    match ranks("collectives", 1) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            assert!(
                std::env::var("HPFRACC_REQUIRE_MPI").as_deref() != Ok("1"),
                "mpirun is not installed"
            );
            return println!("skipped: ranks of MPI: mpirun is not installed");
        }
        first => drop(first.unwrap()),
    }
    for size in [1, 2, 3, 4, 7] {
        let (output, time) = ranks("collectives", size).unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{size} ranks: {output:?}");
        assert_eq!(text.trim(), format!("{size} ranks agree"), "{output:?}");
        println!("{size} ranks: {:.2} s", time.as_secs_f64());
    }
    for role in ["panic", "die"] {
        let (output, time) = ranks(role, 3).unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        println!("{role}: {:.2} s", time.as_secs_f64());
        assert!(!output.status.success() && time < Duration::from_secs(10), "{error}");
        if role == "panic" {
            assert!(error.contains("rank 1 on ") && error.contains("rank 1 is broken"), "{error}");
        }
    }
    for size in [3, 7] {
        let (output, time) = ranks("leave", size).unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        println!("leave: {:.2} s", time.as_secs_f64());
        assert!(output.status.success() && time < Duration::from_secs(10), "{output:?}");
        assert!(text.contains("rank 2 has ended early: its disk is full"), "{text}");
    }
    let (output, _) = ranks("differ", 3).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.matches("rank 2 and rank 0 differ in seed: `9` and `7`").count(), 3, "{text}");
    without_a_library();
    println!("ranks of MPI: ok");
}

/// A path of no library is named.
fn without_a_library() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.env(ROLE, "collectives").env("HPFRACC_MPI", "/nowhere/libmpi.so").output();
    let error = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    assert!(error.contains("NoLibrary") && error.contains("/nowhere/libmpi.so"), "{error}");
}

fn collectives() {
    let mpi = Mpi::start().unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(Mpi::start().unwrap_err(), MpiError::StartedBefore);
    let (rank, size) = (mpi.rank(), mpi.size());
    assert!(rank < size && !mpi.host().is_empty());
    // Messages of all lengths, in both directions at a time.
    for length in [0, 1, 1000, 100_000, 20_000_000] {
        let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
        mpi.send(next, vec![rank as u8; length]).unwrap();
        assert_eq!(mpi.receive(before).unwrap(), vec![before as u8; length]);
    }
    let gathered = mpi.gather(vec![rank as u8; rank]).unwrap();
    let expected: Vec<Vec<u8>> = (0..size).map(|rank| vec![rank as u8; rank]).collect();
    assert_eq!(gathered, (rank == 0).then_some(expected));
    assert_eq!(mpi.broadcast(vec![rank as u8 + 5]).unwrap(), [5]);
    // Rank 0 answers while it works, and while it waits.
    let queue = Queue::new(&mpi);
    let mut taken = 0u64;
    while queue.take(200).unwrap().is_some() {
        taken += 1;
        if rank == 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let all = mpi.gather(taken.to_le_bytes().to_vec()).unwrap();
    if let Some(all) = all {
        let counts: Vec<u64> =
            all.iter().map(|bytes| u64::from_le_bytes(bytes[..].try_into().unwrap())).collect();
        assert_eq!(counts.iter().sum::<u64>(), 200);
        assert!(size == 1 || counts[0] < 100, "{counts:?}");
        println!("{size} ranks agree");
    }
    let error = mpi.send(size, vec![]).unwrap_err();
    assert_eq!(error, CommunicatorError::NoRank { rank: size, size });
}

fn one_panics() {
    let mpi = Mpi::start().unwrap();
    assert!(mpi.rank() != 1, "rank 1 is broken");
    let _ = mpi.barrier();
}

/// As by the system's killer of processes.
fn one_dies() {
    let mpi = Mpi::start().unwrap();
    if mpi.rank() == 2 {
        std::process::abort();
    }
    let _ = mpi.barrier();
}

/// A rank has an error that others do not have, while these wait for it, or for one that waits.
fn one_leaves() {
    let mpi = Mpi::start().unwrap();
    if mpi.rank() == 2 {
        return mpi.leave("its disk is full");
    }
    let error = mpi.barrier().unwrap_err().to_string();
    assert!(error.contains("has ended early"), "{error}");
    if mpi.rank() == 0 {
        println!("{error}");
    }
    // A message that nobody takes any more.
    drop(mpi.send(2, vec![0; 20_000_000]));
    mpi.leave(&error);
}

fn differ() {
    let mpi = Mpi::start().unwrap();
    let seed = if mpi.rank() == 2 { "9" } else { "7" };
    let error = Ranks::from(&mpi).agree(&[("version", "1".to_owned()), ("seed", seed.to_owned())]);
    println!("{}", error.unwrap_err());
}
