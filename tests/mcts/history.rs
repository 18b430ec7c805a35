//! Searches that know what was played before their root: what follows from that is true of one
//! game, and no other search may learn of it.

use playtree::game::{Line, Record};
use playtree::mcts::{self, Expansion, LockPolicy, Sharing};
use playtree::{
    Budget, GameState, GameTag, Mcts, MctsBuilder, Outcome, Proven, Solvable, StopReason, save,
};

/// A move from one place to another.
type Way = (u8, u8);

/// A place on a map, and who is to move there. A position comes again if the place does; the game
/// ends when it does so for the `TIMES`th time.
#[derive(Clone, Copy, Debug)]
struct Walk<const TIMES: usize> {
    at: u8,
    plies: u32,
    map: &'static Map,
}

#[derive(Debug)]
struct Map {
    /// The ways, and who walks where.
    ways: &'static [Way],
    movers: &'static [usize],
    ends: &'static [(u8, Outcome)],
    repetition: Outcome,
}

impl<const TIMES: usize> Walk<TIMES> {
    fn new(map: &'static Map, at: u8) -> Self {
        Self { at, plies: 0, map }
    }
}

impl<const TIMES: usize> GameState for Walk<TIMES> {
    type Key = u8;
    type Move = u8;

    const REPETITIONS: usize = TIMES;

    fn key(&self) -> u8 {
        self.at
    }

    fn mover(&self) -> usize {
        self.map.movers[usize::from(self.at)]
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            moves.extend(self.map.ways.iter().filter(|way| way.0 == self.at).map(|way| way.1));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.map.ends.iter().find(|end| end.0 == self.at).map(|end| end.1)
    }

    fn apply(&self, to: &u8) -> Self {
        Self { at: *to, plies: self.plies + 1, ..*self }
    }

    fn repetition(&self, line: &Line<'_, Self>) -> Outcome {
        assert!(line.times() > 0 || line.positions().is_empty());
        self.map.repetition
    }
}

/// Every position is an endgame, if one that may come again.
impl<const TIMES: usize> Solvable for Walk<TIMES> {
    const SETTLED_BY_KEY: bool = false;

    fn is_endgame(&self) -> bool {
        true
    }
}

/// From 0 the first player wins by way of 1 and 3, and draws by way of 2; at 1 the other one may go
/// back.
static WON: Map = Map {
    ways: &[(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (3, 0), (4, 6)],
    movers: &[0, 1, 1, 0, 0, 1, 1],
    ends: &[(5, Outcome::Win(0)), (6, Outcome::Draw)],
    repetition: Outcome::Draw,
};

/// The same with nothing proven: each end is behind a place at which a player may turn back for
/// ever.
static OPEN: Map = Map {
    ways: &[(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (3, 7), (4, 6), (7, 3), (4, 8), (8, 4)],
    movers: &[0, 1, 1, 0, 0, 1, 1, 1, 1],
    ends: &[(5, Outcome::Win(0)), (6, Outcome::Draw)],
    repetition: Outcome::Win(1),
};

fn builder<const TIMES: usize>() -> MctsBuilder<Walk<TIMES>> {
    let builder = Mcts::builder().threads(1).seed(1).rollout_limit(50);
    builder.expansion(Expansion::OnePerSimulation { from_visit: 1 })
}

/// A search from 0 after a game by way of these places.
fn search<const TIMES: usize>(
    mcts: &mut Mcts<Walk<TIMES>>,
    map: &'static Map,
    played: &[u8],
) -> mcts::Report<u8> {
    let played = played.iter().map(|&at| Walk::new(map, at));
    let options = mcts::Options::new().played(played);
    let budget = Budget::simulations(2_000);
    let report = mcts.search_with(&Walk::new(map, 0), &budget, &options).unwrap();
    mcts.audit().unwrap();
    report
}

/// Value and proof of a position by itself.
fn assert_won<M: Copy + PartialEq<u8> + std::fmt::Debug>(report: &mcts::Report<M>) {
    assert!(report.best_move == 1, "{report:?}");
    assert_eq!((report.proven, report.win_rate), (Some(Proven::Win { plies: 3 }), 1.0));
}

#[test]
fn a_way_back_to_what_was_played_is_a_repetition() {
    let mut mcts = builder::<3>().build().unwrap();
    for played in [&[1][..], &[3], &[9, 3, 1]] {
        let played: Vec<u8> = played.iter().map(|at| at % 7).collect();
        let report = search(&mut mcts, &WON, &played);
        // Both ways draw: the win is behind a place that was there.
        assert_eq!((report.proven, report.stop_reason), (None, StopReason::Simulations));
        assert!((report.win_rate - 0.5).abs() < 0.02, "{played:?}: {report:?}");
    }
    // What cannot be reached does not matter.
    assert_won(&search(&mut mcts, &WON, &[6, 4, 2]));
}

#[test]
fn no_other_search_hears_of_a_history() {
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        let new = || builder::<3>().sharing(scheme).build().unwrap();
        let mut mcts = new();
        for played in [&[1][..], &[3], &[2, 1], &[3, 0]] {
            search(&mut mcts, &WON, played);
            assert_won(&search(&mut mcts, &WON, &[]));
        }
        // The nodes of the searches with a history are gone.
        let mut fresh = new();
        let nodes = search(&mut fresh, &WON, &[]).nodes;
        assert!(scheme == Sharing::PerPath || search(&mut mcts, &WON, &[]).nodes <= nodes + 2);
    }
}

#[test]
fn endgames_prove_nothing_that_a_history_may_undo() {
    let new = || builder::<3>().endgames(1 << 16).build().unwrap();
    let mut mcts = new();
    let fresh = search(&mut new(), &WON, &[]);
    for played in [&[1][..], &[3], &[2, 1], &[3, 4, 3], &[1, 3, 1, 3]] {
        let report = search(&mut mcts, &WON, played);
        // Where 3 was there twice its next coming ends the game.
        let ends = played.iter().filter(|&&at| at == 3).count() == 2;
        assert!(!ends || report.proven.is_none(), "{played:?}: {report:?}");
        let report = search(&mut mcts, &WON, &[]);
        assert_won(&report);
        assert_eq!((report.proven, report.win_rate), (fresh.proven, fresh.win_rate));
    }
}

#[test]
fn the_values_of_shared_positions_are_those_of_a_search_without_a_history() {
    // In `OPEN` who comes back to a place has lost if he is the first player: with 3 in the game
    // before, all that leads there is lost, and without it, it is won.
    for (played, low) in [(&[3][..], 0.4), (&[1], 0.4), (&[4], 0.9)] {
        let mut mcts = builder::<3>().proofs(false).build().unwrap();
        let ruled = search(&mut mcts, &OPEN, played);
        let mut fresh = builder::<3>().proofs(false).build().unwrap();
        let report = |mcts: &mut Mcts<Walk<3>>, at: u8| {
            let state = Walk::new(&OPEN, at);
            mcts.search(&state, &Budget::simulations(20_000)).unwrap()
        };
        for at in [3, 4, 1, 2, 0] {
            let [after, alone] = [report(&mut mcts, at), report(&mut fresh, at)];
            let difference = (after.win_rate - alone.win_rate).abs();
            assert!(difference < 0.01, "{played:?} {at}: {after:?} {alone:?}");
            assert_eq!(after.best_move, alone.best_move, "{played:?} {at}");
        }
        let best = ruled.moves.iter().filter_map(|mv| mv.win_rate).fold(0.0, f64::max);
        assert!(best >= low && ruled.win_rate < 1.0, "{played:?}: {ruled:?}");
    }
}

#[test]
fn a_proof_of_the_position_is_none_where_the_game_would_end_before() {
    // 3 is known to be won, and so is 0: but not after a game in which 3 was there, if the second
    // time ends it.
    let mut mcts = builder::<2>().build().unwrap();
    assert_won(&search(&mut mcts, &WON, &[]));
    let report = search(&mut mcts, &WON, &[3]);
    assert_eq!(report.proven, None);
    assert!((report.win_rate - 0.5).abs() < 0.02, "{report:?}");
    assert_won(&search(&mut mcts, &WON, &[]));
    // Twice in a game that the third time ends.
    let mut mcts = builder::<3>().build().unwrap();
    assert_won(&search(&mut mcts, &WON, &[]));
    let report = search(&mut mcts, &WON, &[3, 0, 3]);
    assert_eq!(report.proven, None);
    assert!((report.win_rate - 0.5).abs() < 0.02, "{report:?}");
    assert_won(&search(&mut mcts, &WON, &[]));
}

#[test]
fn a_saved_table_knows_no_history() {
    let mut mcts = builder::<3>().build().unwrap();
    for played in [&[][..], &[3]] {
        search(&mut mcts, &WON, played);
        let name = format!("playtree-history-{}-{}", std::process::id(), played.len());
        let (file, game) = (std::env::temp_dir().join(name), GameTag::new("walk", 1));
        let info = mcts.save(&file, &game, &save::Options::default()).unwrap();
        assert!(info.positions <= 5, "{info:?}");
        let mut other = builder::<3>().build().unwrap();
        other.load(&file, &game).unwrap();
        std::fs::remove_file(&file).unwrap();
        other.audit().unwrap();
        assert_won(&search(&mut other, &WON, &[]));
    }
}

#[test]
fn with_several_workers_and_every_policy_too() {
    for policy in [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer] {
        let workers = builder::<3>().threads(3).oversubscribe(true).lock_policy(policy);
        let mut mcts = workers.memory_limit(Some(1 << 20)).build().unwrap();
        for played in [&[1][..], &[3], &[], &[3, 0, 3]] {
            let report = search(&mut mcts, &WON, played);
            if played.is_empty() {
                assert_won(&report);
            } else {
                assert!((report.win_rate - 0.5).abs() < 0.05, "{played:?}: {report:?}");
            }
        }
    }
}

#[test]
fn a_win_is_not_repeated_away() {
    // The first player goes by way of 1 as long as he knows of no history; each time the other one
    // goes back. The record says what was there.
    static ROUND: Map = Map {
        ways: &[(0, 1), (0, 2), (1, 3), (3, 0), (2, 4), (4, 5)],
        movers: &[0, 1, 1, 1, 0, 1],
        ends: &[(5, Outcome::Win(0))],
        repetition: Outcome::Draw,
    };
    let mut mcts = builder::<3>().build().unwrap();
    let mut record = Record::new(Walk::<3>::new(&ROUND, 0));
    [1, 3, 0].into_iter().for_each(|to| record.play(to));
    let options = mcts::Options::new().played(record.positions().iter().copied());
    let budget = Budget::simulations(500);
    let report = mcts.search_with(record.position(), &budget, &options).unwrap();
    assert_eq!(report.best_move, 2);
    assert_eq!(report.proven, Some(Proven::Win { plies: 3 }));
}

#[test]
fn the_mean_of_a_shared_position_has_no_verdict_in_it() {
    // Whatever the other player does at 1, he loses. But 2 and 3 were there, and to come back to
    // one of them wins, says this game. A later search from 1 passes one branch: the other still
    // has its value from the search before.
    static BOTH: Map = Map {
        ways: &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)],
        movers: &[0, 1, 0, 0, 1],
        ends: &[(4, Outcome::Win(0))],
        repetition: Outcome::Win(1),
    };
    let mut mcts = builder::<3>().proofs(false).build().unwrap();
    let ruled = search(&mut mcts, &BOTH, &[2, 3]);
    assert!(ruled.win_rate < 0.01, "{ruled:?}");
    let report = mcts.search(&Walk::new(&BOTH, 1), &Budget::simulations(1)).unwrap();
    assert_eq!(report.win_rate, 0.0, "{report:?}");
}
