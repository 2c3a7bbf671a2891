//! Ranks as threads: order of messages, collective functions, queues, and ranks that end early.

use hpfracc_communicator::{
    Communicator, CommunicatorError, Metered, OneRank, Queue, Ranks, Tally, Traffic, run_threads,
};
use std::sync::Mutex;
use std::time::Duration;

type Result<R> = std::result::Result<R, CommunicatorError>;

#[test]
fn messages_are_gathered_in_the_order_of_the_ranks() {
    for size in [1, 2, 3, 4, 7, 16, 33] {
        let results = run_threads(size, |ranks| -> Result<_> {
            let own = vec![ranks.rank() as u8; ranks.rank() % 5];
            let gathered = ranks.gather(own)?;
            let sent = ranks.broadcast(vec![ranks.rank() as u8 + 9; 3])?;
            ranks.barrier()?;
            Ok((gathered, sent))
        });
        let results = results.unwrap();
        let expected: Vec<Vec<u8>> = (0..size).map(|rank| vec![rank as u8; rank % 5]).collect();
        assert_eq!(results[0].0, Some(expected));
        assert!(results[1..].iter().all(|(gathered, _)| gathered.is_none()));
        assert!(results.iter().all(|(_, sent)| *sent == [9; 3]));
    }
}

#[test]
fn messages_arrive_in_their_order() {
    run_threads(2, |ranks| -> Result<()> {
        let other = 1 - ranks.rank();
        (0..100u8).try_for_each(|k| ranks.send(other, vec![k]))?;
        for k in 0..100 {
            assert_eq!(ranks.receive(other)?, [k]);
        }
        let error = ranks.send(2, vec![]).unwrap_err();
        assert_eq!(error, CommunicatorError::NoRank { rank: 2, size: 2 });
        Ok(())
    })
    .unwrap();
}

#[test]
fn items_are_dealt_once() {
    let taken = Mutex::new(vec![]);
    run_threads(4, |ranks| -> Result<()> {
        for _ in 0..2 {
            let queue = Queue::new(ranks);
            while let Some(item) = queue.take(50)? {
                taken.lock().unwrap().push(item);
            }
        }
        let queue = Queue::new(ranks);
        ranks.barrier()?;
        queue.close()?;
        assert_eq!(queue.take(50)?, None);
        Ok(())
    })
    .unwrap();
    let mut taken = taken.into_inner().unwrap();
    taken.sort_unstable();
    let expected: Vec<u64> = (0..50).flat_map(|item| [item; 2]).collect();
    assert_eq!(taken, expected);
}

#[test]
fn a_rank_that_fails_ends_the_others() {
    let failed = run_threads(5, |ranks| -> Result<()> {
        if ranks.rank() == 3 {
            return Err(CommunicatorError::Transport("no space left on node 3".to_owned()));
        }
        ranks.barrier()
    });
    assert_eq!(failed.unwrap_err().to_string(), "no space left on node 3");
    let panicked = std::panic::catch_unwind(|| {
        run_threads(3, |ranks| -> Result<()> {
            assert!(ranks.rank() != 1, "rank 1 is broken");
            ranks.barrier()
        })
    });
    let panic = panicked.unwrap_err();
    assert!(panic.downcast_ref::<&str>().is_some_and(|text| text.contains("rank 1 is broken")));
}

#[test]
fn differences_are_named() {
    let differ = run_threads(4, |ranks| {
        let threads = if ranks.rank() == 2 { "AVX2" } else { "AVX-512" };
        let ranks = Ranks::from(ranks);
        ranks.agree(&[("version", "0.1.0".to_owned()), ("registers", threads.to_owned())])
    });
    assert_eq!(
        differ.unwrap_err().to_string(),
        "rank 2 and rank 0 differ in registers: `AVX2` and `AVX-512`; start all ranks with the same program, inputs and \
         settings"
    );
    // A rank that has a value more.
    let differ = run_threads(2, |ranks| {
        let values = [("version", "0.1.0".to_owned()), ("data", "x.csv".to_owned())];
        Ranks::from(ranks).agree(&values[..1 + ranks.rank()])
    });
    assert!(differ.unwrap_err().to_string().contains("differ in data: `x.csv` and `nothing`"));
}

#[test]
fn traffic_is_counted() {
    let traffic = run_threads(8, |ranks| -> Result<Traffic> {
        let metered = Metered::new(ranks);
        metered.gather(vec![0; 100])?;
        metered.broadcast(vec![0; 10])?;
        Queue::new(&metered).take(5)?;
        Ok(metered.traffic())
    });
    let traffic = traffic.unwrap();
    // Rank 4 gathers those of 5, 6 and 7, each with its length, after their number, and passes the broadcast on to 5 and 6.
    assert_eq!(traffic[4], Traffic { messages: 3, bytes: 1 + 4 * 101 + 20, counts: 1 });
    assert_eq!(traffic[0], Traffic { messages: 3, bytes: 30, counts: 1 });
}

#[test]
fn a_computation_alone_has_one_rank() {
    let alone = OneRank::default();
    assert_eq!((alone.rank(), alone.size()), (0, 1));
    alone.barrier().unwrap();
    assert_eq!(alone.broadcast(vec![7]).unwrap(), [7]);
    let queue = Queue::new(&alone);
    assert_eq!([queue.take(1).unwrap(), queue.take(1).unwrap()], [Some(0), None]);
    alone.send(0, vec![1]).unwrap();
    assert_eq!(alone.receive(0).unwrap(), [1]);
    assert!(matches!(alone.receive(0), Err(CommunicatorError::Ended { rank: 0, .. })));
}

/// Results are in the order of the items, with ranks of different speeds.
#[test]
fn results_are_in_the_order_of_the_items() {
    for (size, items) in [(1, 0), (1, 5), (2, 1), (3, 1000), (4, 3), (7, 0), (7, 20)] {
        let compute = |k: usize| -> Result<Vec<f64>> {
            if k.is_multiple_of(5) {
                std::thread::yield_now();
            }
            Ok(vec![(k as f64).sqrt(); k % 3])
        };
        let expected: Vec<Vec<f64>> = (0..items).map(|k| compute(k).unwrap()).collect();
        let all = run_threads(size, |ranks| {
            let ranks = Ranks::from(ranks);
            Ok::<_, CommunicatorError>([
                ranks.map(items, compute)?,
                ranks.map_equal(items, compute)?,
            ])
        });
        for found in all.unwrap() {
            assert_eq!(found, [expected.clone(), expected.clone()], "{size} ranks");
        }
    }
}

/// The error is that of the first item that fails: its own on the rank that has it, with its rank on the others.
#[test]
fn the_first_item_that_fails_has_the_error() {
    let compute = |k: usize| match k {
        17 | 18 | 40 => Err(CommunicatorError::Transport(format!("item {k} fails"))),
        _ => Ok(k),
    };
    assert_eq!(Ranks::ALONE.map(50, compute).unwrap_err().to_string(), "item 17 fails");
    for equal in [false, true] {
        let errors = run_threads(4, |ranks| {
            let ranks = Ranks::from(ranks);
            let result = if equal { ranks.map_equal(50, compute) } else { ranks.map(50, compute) };
            // The ranks go on together afterwards.
            ranks.any(false)?;
            Ok::<_, CommunicatorError>(result.unwrap_err())
        });
        let errors = errors.unwrap();
        let own = CommunicatorError::Transport("item 17 fails".to_owned());
        assert_eq!(errors.iter().filter(|error| **error == own).count(), 1, "{errors:?}");
        let at = errors.iter().position(|error| *error == own).unwrap();
        let message = "item 17 fails".to_owned();
        let others = CommunicatorError::OnRank { rank: at, message };
        assert_eq!(errors.iter().filter(|error| **error == others).count(), 3, "{errors:?}");
    }
}

#[test]
fn decisions_are_those_of_all_ranks() {
    run_threads(3, |ranks| {
        let ranks = Ranks::from(ranks);
        let rank = ranks.rank();
        assert!(ranks.any(rank == 2)? && !ranks.any(false)?);
        assert_eq!(ranks.from_first(|| Ok::<_, CommunicatorError>(rank + 7))?, 7);
        assert_eq!(ranks.gather_to_all(&rank)?, [0, 1, 2]);
        assert_eq!(ranks.gather(&rank)?, (rank == 0).then(|| vec![0, 1, 2]));
        let full = || CommunicatorError::Transport("the disk is full".to_owned());
        let failed = ranks.from_first(|| Err::<u8, _>(full())).unwrap_err();
        let elsewhere = |rank| CommunicatorError::OnRank { rank, message: full().to_string() };
        assert_eq!(failed, if rank == 0 { full() } else { elsewhere(0) });
        let failed = ranks.all_ok(if rank == 1 { Err(full()) } else { Ok(()) }).unwrap_err();
        assert_eq!(failed, if rank == 1 { full() } else { elsewhere(1) });
        ranks.all_ok(Ok::<(), CommunicatorError>(()))
    })
    .unwrap();
}

/// Sums along the ranks have the bits of one rank, and a rank sends the numbers at most twice.
#[test]
fn sums_are_those_of_one_rank() {
    const NUMBERS: usize = 150_000;
    let term = |item: usize, k: usize| ((item * NUMBERS + k) as f32).sin() / (1 + item) as f32;
    let add = |items: std::ops::Range<usize>, first: usize, part: &mut [f32]| {
        for (k, sum) in part.iter_mut().enumerate() {
            items.clone().for_each(|item| *sum += term(item, first + k));
        }
    };
    let mut expected = vec![0.0; NUMBERS];
    Ranks::ALONE.accumulate(&mut expected, |first, part| add(0..10, first, part)).unwrap();
    for size in [1, 2, 3, 4, 7, 12] {
        run_threads(size, |threads| {
            let metered = Metered::new(threads);
            let ranks = Ranks::from(&metered);
            let mut sum = vec![0.0; NUMBERS];
            ranks.accumulate(&mut sum, |first, part| add(ranks.share(10), first, part))?;
            assert!(sum == expected, "{size} ranks");
            let sent = metered.traffic().bytes as f64 / (4 * NUMBERS) as f64;
            assert!(sent < 2.001, "{size} ranks: {sent}");
            Ok::<_, CommunicatorError>(())
        })
        .unwrap();
    }
}

/// Rank 0 has the sum, those of the others after their next report.
#[test]
fn progress_is_that_of_all_ranks() {
    let totals = run_threads(3, |ranks| {
        let tally = Tally::new(Ranks::from(ranks));
        ranks.barrier()?;
        for _ in 0..10 {
            tally.add(5);
            std::thread::sleep(Duration::from_millis(30));
        }
        ranks.barrier()?;
        Ok::<_, CommunicatorError>(tally.total())
    });
    let totals = totals.unwrap();
    assert!((100..=150).contains(&totals[0]), "{totals:?}");
    assert_eq!(totals[1..], [50, 50]);
    let alone = Tally::new(Ranks::ALONE);
    alone.add(3);
    assert_eq!(alone.total(), 3);
}
