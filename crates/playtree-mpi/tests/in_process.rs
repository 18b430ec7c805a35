//! Ranks of one process: exactness, agreement, proofs, and ranks that do not answer.

#[path = "common/checks.rs"]
mod checks;
#[path = "../../../tests/common/fields.rs"]
mod fields;

use std::thread;
use std::time::{Duration, Instant};

use playtree::games::{ConnectFour, Othello};
use playtree::mcts::exchange::Exchange;
use playtree::{Budget, Mcts, StopReason};
use playtree_mpi::{Cluster, End, LocalCarrier, Seat, Settings};

/// Does something on each of some ranks.
fn on_all<T: Send + 'static>(
    ranks: usize,
    act: impl Fn(LocalCarrier) -> T + Clone + Send + 'static,
) -> Vec<T> {
    let ranks = LocalCarrier::ranks_of_one_process(ranks).into_iter().map(|carrier| {
        let act = act.clone();
        thread::spawn(move || act(carrier))
    });
    let threads: Vec<_> = ranks.collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

#[test]
fn every_visit_is_counted_once_on_all_ranks() {
    for ranks in [1, 2, 4] {
        on_all(ranks, |mut carrier| checks::exactness(&mut carrier, 200));
    }
}

#[test]
fn searches_in_the_background_end_with_the_same_counts() {
    for ranks in [1, 2, 4] {
        on_all(ranks, |carrier| checks::together(carrier, 5, Duration::from_millis(200)));
    }
}

#[test]
fn all_ranks_name_the_same_move() {
    on_all(3, |carrier| checks::agreement(carrier, 20, Duration::from_millis(100)));
}

#[test]
fn a_proof_of_one_rank_ends_the_search_on_all() {
    for (_, time) in on_all(3, checks::proof) {
        // A hundredth of a second where the machine has nothing else to do.
        assert!(time < Duration::from_secs(2), "{time:?}");
    }
}

/// The ranks do the simulations of a budget together, each its part, and none is lost.
#[test]
fn simulations_are_counted_over_all_ranks() {
    let tallies = on_all(3, |carrier| {
        let mut cluster = Cluster::new(carrier, Settings::default());
        let part = [5_000, 40_000, 100][cluster.rank()];
        let mcts = Mcts::builder().threads(1).build().unwrap();
        let mut handle = mcts.start(&Othello::new(), &Budget::simulations(part));
        let mut exchange = Exchange::one_of(cluster.rank(), cluster.ranks()).unwrap();
        let tally = cluster.search(&mut Seat::new(&mut handle, &mut exchange));
        let report = handle.wait().unwrap();
        assert_eq!((report.simulations, report.stop_reason), (part, StopReason::Simulations));
        assert_eq!(handle.into_engine().node(&[], 0).unwrap().visits, 45_100);
        tally
    });
    for tally in tallies {
        assert_eq!((tally.end, tally.simulations), (End::Together, Some(45_100)));
    }
}

/// A rank that has gone, or stands still, holds up no search: the others answer in time.
#[test]
fn a_rank_that_does_not_answer_is_not_waited_for() {
    for silent in [0, 2] {
        let begin = Instant::now();
        let tallies = on_all(3, move |carrier| {
            let mut settings = Settings::default();
            settings.recovers = true;
            let mut cluster = Cluster::new(carrier, settings);
            if cluster.rank() == silent {
                return (None, Duration::ZERO);
            }
            let mcts = Mcts::builder().threads(1).build().unwrap();
            let time = Duration::from_millis(300);
            let mut handle = mcts.start(&ConnectFour::new(), &Budget::time(time));
            let tally = cluster.search(&mut Seat::new(&mut handle, &mut Exchange::new()));
            let report = handle.wait().unwrap();
            assert!(report.simulations > 0 && !cluster.is_idle());
            (Some(tally), begin.elapsed())
        });
        for (tally, _) in tallies.iter().filter(|(tally, _)| tally.is_some()) {
            assert_eq!(tally.as_ref().unwrap().end, End::Lost);
        }
        let longest = tallies.iter().map(|(_, time)| *time).max().unwrap();
        assert!(longest < Duration::from_millis(1_300), "{longest:?}");
    }
}

/// A rank that stands still for a while is back for the next search; what came late is lost.
#[test]
fn a_slow_rank_comes_back() {
    let ends = on_all(2, |carrier| {
        let mut cluster = Cluster::new(carrier, Settings::default());
        let mut ends = Vec::new();
        if cluster.rank() == 0 {
            let mut exchange = Exchange::new();
            let mut mcts = Mcts::builder().threads(1).build().unwrap();
            for search in 0..3 {
                cluster.order(vec![search]);
                let begin = Instant::now();
                let budget = Budget::time(Duration::from_millis(400));
                let mut handle = mcts.start(&ConnectFour::new(), &budget);
                ends.push(cluster.search(&mut Seat::new(&mut handle, &mut exchange)).end);
                assert!(begin.elapsed() < Duration::from_millis(1_400), "{:?}", begin.elapsed());
                mcts = handle.into_engine();
                mcts.audit().unwrap();
                if search == 1 {
                    thread::sleep(Duration::from_millis(700));
                }
            }
            assert!(cluster.quit(Duration::from_secs(60)).unwrap());
            return ends;
        }
        while let Some(order) = cluster.next_order().unwrap() {
            if order == [1] {
                // As if it were stopped.
                thread::sleep(Duration::from_millis(1_000));
            }
            let mcts = Mcts::builder().threads(1).seed(1).build().unwrap();
            let mut handle = mcts.start(&ConnectFour::new(), &Budget::unlimited());
            ends.push(cluster.search(&mut Seat::new(&mut handle, &mut Exchange::new())).end);
        }
        ends
    });
    assert_eq!(ends[0], [End::Together, End::Lost, End::Together]);
    assert_eq!(ends[1], [End::Together, End::Superseded, End::Together]);
}
