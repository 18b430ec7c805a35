//! What must be true of ranks, whatever carries their numbers.

use std::thread;
use std::time::{Duration, Instant};

use playtree::game::random_move;
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::mcts::Selection;
use playtree::mcts::exchange::{Exchange, Lines};
use playtree::{Budget, GameState, Mcts, MctsBuilder, Rng};
use playtree_mpi::{Arrived, Carrier, Cluster, End, Seat, Settings};

use crate::fields::Fields;

fn wait(carrier: &mut impl Carrier) -> Arrived {
    loop {
        match carrier.poll().unwrap() {
            Some(arrived) => return arrived,
            None => thread::sleep(Duration::from_micros(20)),
        }
    }
}

/// The bytes of rank 0.
fn broadcast(carrier: &mut impl Carrier, bytes: &[u8]) -> Vec<u8> {
    carrier.broadcast((bytes.len() as u64).to_le_bytes().to_vec()).unwrap();
    let Arrived::Bytes(length) = wait(carrier) else { panic!("bytes") };
    let mut bytes = bytes.to_vec();
    bytes.resize(u64::from_le_bytes(length.try_into().unwrap()) as usize, 0);
    carrier.broadcast(bytes).unwrap();
    let Arrived::Bytes(bytes) = wait(carrier) else { panic!("bytes") };
    bytes
}

fn sum(carrier: &mut impl Carrier, words: Vec<i64>) -> Vec<i64> {
    carrier.sum(words).unwrap();
    let Arrived::Words(words) = wait(carrier) else { panic!("words") };
    words
}

/// Panics unless all ranks have these numbers.
fn expect_same(carrier: &mut impl Carrier, words: &[i64], what: &str) {
    let ranks = carrier.ranks() as i64;
    let squares = words.iter().map(|word| word * word);
    let both: Vec<i64> = words.iter().copied().chain(squares).collect();
    let sums = sum(carrier, both.clone());
    let expected: Vec<i64> = both.iter().map(|word| word * ranks).collect();
    assert_eq!(sums, expected, "{what}, rank {}", carrier.rank());
}

/// The visits of the root and of its branches, in the order of the game's moves.
fn root_visits<G: GameState>(mcts: &Mcts<G>, state: &G) -> Vec<i64> {
    let root = mcts.node(&[], usize::MAX).unwrap();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let of_move = |mv: &G::Move| {
        root.branches.iter().find(|branch| branch.mv == *mv).map_or(0, |branch| branch.visits)
    };
    [root.visits].into_iter().chain(moves.iter().map(of_move)).map(|visits| visits as i64).collect()
}

/// Ranks that wait for each other at the end, however busy the machine is.
fn patient() -> Settings {
    let mut settings = Settings::default();
    settings.grace = Duration::from_secs(20);
    settings
}

/// Exchanges after slices of search: each rank knows all that all have found, and each visit once.
/// Returns how many positions this rank has evicted.
fn exact<G: GameState>(
    carrier: &mut impl Carrier,
    builder: MctsBuilder<G>,
    state: &G,
    (exchanges, slice, at_most): (u32, u64, usize),
) -> u64 {
    let mut mcts = builder.threads(1).seed(carrier.rank() as u64).build().unwrap();
    let mut exchange = Exchange::new();
    let (mut all, mut evicted) = (0, 0);
    for _ in 0..exchanges {
        let report = mcts.search(state, &Budget::simulations(slice)).unwrap();
        evicted += report.evicted;
        let mut bytes = Vec::new();
        if carrier.rank() == 0 {
            let lines = exchange.lines(&mut mcts, at_most).unwrap();
            bytes = postcard::to_stdvec(&lines).unwrap();
        }
        let lines: Lines = postcard::from_bytes(&broadcast(carrier, &bytes)).unwrap();
        let mut words = exchange.share(&mut mcts, &lines).unwrap();
        words.push(report.simulations as i64);
        let mut words = sum(carrier, words);
        all += words.pop().unwrap();
        let absorbed = exchange.absorb(&mut mcts, &words).unwrap();
        assert_eq!(absorbed.engines as usize, carrier.ranks() - 1);
        mcts.audit().unwrap();
        assert_eq!(mcts.node(&[], 0).unwrap().visits as i64, all, "rank {}", carrier.rank());
    }
    expect_same(carrier, &root_visits(&mcts, state), "the visits of the root's branches");
    evicted
}

/// Line 2 of what must be true: exact counts, on games with transpositions, with evictions, with
/// three players, with further scores and with the tables of all moves as first.
pub(crate) fn exactness(carrier: &mut impl Carrier, exchanges: u32) {
    let four = ConnectFour::new();
    exact(carrier, Mcts::builder(), &four, (exchanges, 100, 64));
    let small = Mcts::builder().memory_limit(Some(150_000));
    let evicted = exact(carrier, small, &four, (exchanges, 200, 64));
    assert!(evicted > u64::from(exchanges) * 5, "{evicted} evicted");
    exact(carrier, Mcts::builder().proofs(false), &TicTacToe::new(), (exchanges, 50, 512));
    exact(carrier, Mcts::builder(), &Fields::new(), (exchanges, 50, 64));
    let grave = || Selection::grave();
    exact(carrier, Mcts::builder().selection(grave()), &Fields::new(), (exchanges / 4, 50, 20));
    let hex = Hex::new(5).unwrap();
    exact(carrier, Mcts::builder().proofs(false), &hex, (exchanges / 4, 50, 30));
    let tuned = Mcts::builder().selection(Selection::Ucb1Tuned);
    exact(carrier, tuned, &Othello::new(), (exchanges / 4, 50, 100));
}

/// The same while the ranks search in the background, over several searches of a position: sums
/// come late, and at the end of each search all know the same.
pub(crate) fn together<C: Carrier>(carrier: C, searches: u32, time: Duration) -> C {
    let start = Othello::new();
    let mut cluster = Cluster::new(carrier, patient());
    let seed = cluster.rank() as u64;
    let mut mcts = Mcts::builder().threads(1).seed(seed).build().unwrap();
    let mut exchange = Exchange::one_of(cluster.rank(), cluster.ranks()).unwrap();
    let mut all = 0;
    for _ in 0..searches {
        let mut handle = mcts.start(&start, &Budget::time(time));
        let tally = cluster.search(&mut Seat::new(&mut handle, &mut exchange));
        assert_eq!((tally.refused, tally.late), (0, 0), "{tally:?}");
        mcts = handle.into_engine();
        mcts.audit().unwrap();
        if cluster.ranks() > 1 {
            assert_eq!((tally.end, tally.missing), (End::Together, Some(0)));
            assert!(tally.exchanges > 0 && tally.visits > 0, "{tally:?}");
            all += tally.simulations.unwrap() as i64;
            let visits = root_visits(&mcts, &start);
            assert_eq!(visits[0], all);
            expect_same(cluster.carrier_at_rest(), &visits, "the visits after a search");
        }
    }
    cluster.into_carrier()
}

/// Line 4: after a search all ranks name the same move.
pub(crate) fn agreement<C: Carrier>(mut carrier: C, positions: u64, time: Duration) -> C {
    for number in 0..positions {
        let mut rng = Rng::from_seed(number);
        let mut state = Othello::new();
        while state.plies() < 12
            && let Some(mv) = random_move(&state, &mut rng, &mut Vec::new())
        {
            state = state.apply(&mv);
        }
        let mut cluster = Cluster::new(carrier, patient());
        let mcts = Mcts::builder().threads(1).seed(cluster.rank() as u64).build().unwrap();
        let mut handle = mcts.start(&state, &Budget::time(time));
        let mut exchange = Exchange::one_of(cluster.rank(), cluster.ranks()).unwrap();
        cluster.search(&mut Seat::new(&mut handle, &mut exchange));
        let best = handle.into_engine().best_move(&state, &Budget::simulations(0)).unwrap();
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let place = moves.iter().position(|mv| *mv == best).unwrap() as i64;
        carrier = cluster.into_carrier();
        expect_same(&mut carrier, &[place], &format!("the move of position {number}"));
    }
    carrier
}

/// Line 7: what the last rank has proven before ends the search on all. Returns how long that took
/// on this rank.
pub(crate) fn proof<C: Carrier>(carrier: C) -> (C, Duration) {
    let mut cluster = Cluster::new(carrier, patient());
    let is_last = cluster.rank() + 1 == cluster.ranks();
    let (state, mcts) = slow_to_prove();
    let mcts = if is_last { mcts } else { Mcts::builder().threads(1).seed(9).build().unwrap() };
    // All begin together, however long that took.
    expect_same(cluster.carrier_at_rest(), &[1], "a number");
    let begin = Instant::now();
    let mut handle = mcts.start(&state, &Budget::unlimited());
    let tally = cluster.search(&mut Seat::new(&mut handle, &mut Exchange::new()));
    let time = begin.elapsed();
    let report = handle.into_engine().search(&state, &Budget::simulations(0)).unwrap();
    assert!(report.proven.is_some(), "{tally:?}");
    assert!(is_last || tally.proofs > 0, "{tally:?}");
    (cluster.into_carrier(), time)
}

/// A position that an engine needs long to prove, and one that has.
fn slow_to_prove() -> (ConnectFour, Mcts<ConnectFour>) {
    for seed in 0.. {
        let mut rng = Rng::from_seed(seed);
        let mut state = ConnectFour::new();
        while state.plies() < 14
            && let Some(mv) = random_move(&state, &mut rng, &mut Vec::new())
        {
            state = state.apply(&mv);
        }
        if state.outcome().is_some() {
            continue;
        }
        let mut mcts = Mcts::builder().threads(1).seed(1).build().unwrap();
        let report = mcts.search(&state, &Budget::simulations(1_500_000)).unwrap();
        if report.proven.is_some() && report.simulations > 400_000 {
            return (state, mcts);
        }
    }
    unreachable!("there are such positions")
}
