//! Ranks as threads: order of messages, collective functions, queues, and ranks that end early.

use hpfracc_communicator::{
    Communicator, CommunicatorError, Metered, OneRank, Queue, Traffic, agree, run_threads,
};
use std::sync::Mutex;

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
        agree(ranks, &[("version", "0.1.0".to_owned()), ("registers", threads.to_owned())])
    });
    assert_eq!(
        differ.unwrap_err().to_string(),
        "rank 2 and rank 0 differ in registers: `AVX2` and `AVX-512`; start all ranks with the same program, inputs and \
         settings"
    );
    // A rank that has a value more.
    let differ = run_threads(2, |ranks| {
        let values = [("version", "0.1.0".to_owned()), ("data", "x.csv".to_owned())];
        agree(ranks, &values[..1 + ranks.rank()])
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
    // Rank 4 gathers those of 5, 6 and 7, each with its length, and passes the broadcast on to 5 and 6.
    assert_eq!(traffic[4], Traffic { messages: 3, bytes: 4 * 108 + 20, counts: 1 });
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
