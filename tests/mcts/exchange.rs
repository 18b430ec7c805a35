//! Statistics that go from engine to engine: all of them know the same, each visit comes once, and
//! what no engine can have said is refused.

#![cfg(feature = "games")]

use std::thread;
use std::time::Duration;

use playtree::games::{ConnectFour, Hex, TicTacToe};
use playtree::mcts::exchange::{Absorbed, Engine, Exchange, ExchangeError, Lines, Part, add};
use playtree::mcts::{self, Selection, Sharing};
use playtree::{Budget, GameState, Mcts, MctsBuilder, Notation, Outcome, Proven, StopReason};

use crate::fields::Fields;

/// An exchange of the lines of the first engine.
fn exchange_all<G: GameState, E: Engine<G>>(
    exchanges: &mut [Exchange],
    engines: &mut [E],
    at_most: usize,
) -> Vec<Absorbed> {
    exchange_late(exchanges, engines, at_most, |_| ())
}

/// The same, where `late` happens between the shares and the sum.
fn exchange_late<G: GameState, E: Engine<G>>(
    exchanges: &mut [Exchange],
    engines: &mut [E],
    at_most: usize,
    late: impl FnOnce(&mut [E]),
) -> Vec<Absorbed> {
    let lines = exchanges[0].lines(&mut engines[0], at_most).unwrap();
    let mut sum = vec![0; lines.words()];
    for (exchange, engine) in exchanges.iter_mut().zip(&mut *engines) {
        add(&mut sum, &exchange.share(engine, &lines).unwrap());
    }
    late(engines);
    let pairs = exchanges.iter_mut().zip(engines);
    pairs.map(|(exchange, engine)| exchange.absorb(engine, &sum).unwrap()).collect()
}

/// Engines of one search, and their parts in the exchange.
struct Group<G: GameState> {
    engines: Vec<Mcts<G>>,
    exchanges: Vec<Exchange>,
    /// Positions evicted so far.
    evicted: u64,
}

impl<G: GameState> Group<G> {
    fn new(count: u64, builder: impl Fn() -> MctsBuilder<G>) -> Self {
        let engine = |seed| builder().threads(1).seed(seed).build().unwrap();
        Self {
            engines: (0..count).map(engine).collect(),
            exchanges: (0..count).map(|_| Exchange::new()).collect(),
            evicted: 0,
        }
    }

    /// A slice of search in each engine: the simulations that came of it.
    fn search(&mut self, state: &G, simulations: u64) -> u64 {
        let budget = Budget::simulations(simulations);
        let mut done = 0;
        for engine in &mut self.engines {
            let report = engine.search(state, &budget).unwrap();
            done += report.simulations;
            self.evicted += report.evicted;
        }
        done
    }

    /// An exchange of the lines of the first engine, with an audit of all. `late` happens between
    /// the shares and the sum.
    fn exchange(&mut self, at_most: usize, late: impl FnOnce(&mut [Mcts<G>])) -> Vec<Absorbed> {
        let absorbed = exchange_late(&mut self.exchanges, &mut self.engines, at_most, late);
        for engine in &self.engines {
            engine.audit().unwrap();
        }
        absorbed
    }

    fn root_visits(&self) -> Vec<u64> {
        self.engines.iter().map(|engine| engine.node(&[], 0).unwrap().visits).collect()
    }
}

/// Exchanges after slices of search: the roots know of every simulation of all engines, and of no
/// more. Returns how many nodes were evicted, and branches proven by others.
fn agree<G: GameState>(
    builder: impl Fn() -> MctsBuilder<G>,
    state: &G,
    (count, exchanges, slice, lines): (u64, u32, u64, usize),
) -> (u64, u32) {
    let mut group = Group::new(count, builder);
    let (mut simulations, mut proofs) = (0, 0);
    for _ in 0..exchanges {
        simulations += group.search(state, slice);
        let absorbed = group.exchange(lines, |_| ());
        assert!(absorbed.iter().all(|one| u64::from(one.engines) == count - 1));
        assert_eq!(group.root_visits(), vec![simulations; count as usize]);
        proofs += absorbed.iter().map(|absorbed| absorbed.proofs).sum::<u32>();
    }
    let branches = |engine: &Mcts<G>| {
        let root = engine.node(&[], usize::MAX).unwrap();
        let visits = root.branches.iter().map(|branch| (format!("{:?}", branch.mv), branch.visits));
        let mut visits: Vec<_> = visits.collect();
        visits.sort();
        (visits, root.scores)
    };
    let (visits, scores) = branches(&group.engines[0]);
    for (of_other, scores_of_other) in group.engines[1..].iter().map(branches) {
        assert_eq!(visits, of_other);
        for (one, other) in scores.iter().zip(&scores_of_other) {
            assert!((one - other).abs() < 0.02, "{one} and {other}");
        }
    }
    (group.evicted, proofs)
}

#[test]
fn a_thousand_exchanges_keep_every_count() {
    let start = ConnectFour::new();
    let (evicted, proofs) = agree(Mcts::builder, &start, (2, 100, 300, 64));
    assert_eq!(evicted, 0);
    let _ = proofs;
    // Positions come and go.
    let small = || Mcts::builder().memory_limit(Some(150_000));
    let (evicted, _) = agree(small, &start, (2, 1_000, 200, 64));
    assert!(evicted > 10_000, "{evicted} evicted");
}

#[test]
fn transpositions_several_engines_and_further_scores() {
    let start = TicTacToe::new();
    for lines in [1, 16, 4_096] {
        agree(|| Mcts::builder().proofs(false), &start, (3, 60, 150, lines));
    }
    let tuned = || Mcts::builder().selection(Selection::Ucb1Tuned).proofs(false);
    agree(tuned, &start, (3, 60, 150, 64));
    agree(Mcts::builder, &Fields::new(), (3, 60, 200, 64));
    let tuned = || Mcts::builder().selection(Selection::Ucb1Tuned);
    agree(tuned, &Fields::new(), (2, 60, 200, 64));
}

/// A sum that comes a slice late is taken all the same, and what was found meanwhile is new in the
/// next share.
#[test]
fn a_sum_may_come_a_slice_late() {
    let (start, slice) = (ConnectFour::new(), Budget::simulations(300));
    let mut group = Group::new(2, Mcts::builder);
    let mut simulations = group.search(&start, 300);
    for _ in 0..40 {
        let before = simulations;
        group.exchange(64, |engines| {
            for engine in engines {
                simulations += engine.search(&start, &slice).unwrap().simulations;
            }
        });
        // Of each the slice that the other does not know.
        assert_eq!(group.root_visits(), [before + 300, before + 300]);
    }
    group.exchange(64, |_| ());
    assert_eq!(group.root_visits(), [simulations; 2]);
}

/// Where no two lines lead to one position, a position that an engine was given in part as rollouts
/// and in part in detail has the visits that all of them have brought there.
#[test]
fn a_position_that_joins_the_lines_is_counted_once() {
    let start = ConnectFour::new();
    let engine = |seed| {
        let builder = Mcts::builder().threads(1).seed(seed).sharing(Sharing::PerPath);
        builder.proofs(false).build().unwrap()
    };
    let (mut engines, mut exchanges) = ([engine(1), engine(2)], [Exchange::new(), Exchange::new()]);
    let steps = engines.each_mut().map(|engine| engine.begin(&start, &Budget::unlimited()));
    let mut steps = steps.map(|steps| steps.unwrap());
    for _ in 0..30 {
        for steps in &mut steps {
            assert!(steps.step(500).unwrap());
        }
        exchange_all(&mut exchanges, &mut steps, 40);
    }
    let roots = steps.each_ref().map(|steps| steps.node(&[], 9).unwrap());
    assert_eq!(roots[0].visits, roots[1].visits);
    for branch in &roots[0].branches {
        let same = roots[1].branches.iter().find(|other| other.mv == branch.mv).unwrap();
        assert_eq!((branch.visits, branch.child_visits), (same.visits, same.child_visits));
        assert_eq!(branch.visits, branch.child_visits);
    }
    // Most of what lies below was given in detail.
    for steps in &steps {
        let below = steps.node(&[roots[0].branches[0].mv], 9).unwrap();
        assert!(below.rollouts * 5 < below.visits, "{} of {}", below.rollouts, below.visits);
    }
    drop(steps);
    engines.iter().for_each(|engine| assert!(engine.audit().is_ok()));
}

/// What one engine proves all of them know, and their searches end.
#[test]
fn a_proof_reaches_every_engine() {
    let cases = [("543335635657", 20, "win"), ("3363552364", 3, "loss")];
    for (moves, simulations, expected) in cases {
        let position = ConnectFour::parse_position(moves).unwrap();
        let mut group = Group::new(2, Mcts::builder);
        let report = group.engines[0].search(&position, &Budget::simulations(100_000)).unwrap();
        assert_eq!(report.proven.map(Proven::as_str), Some(expected));
        let other = &mut group.engines[1];
        let known = other.search(&position, &Budget::simulations(simulations)).unwrap();
        assert_eq!(known.proven, None);
        let absorbed = group.exchange(1, |_| ());
        assert!(absorbed[1].proofs > 0 && absorbed[0].proofs == 0, "{absorbed:?}");
        let other = &mut group.engines[1];
        let known = other.search(&position, &Budget::simulations(100)).unwrap();
        assert_eq!((known.stop_reason, known.simulations), (StopReason::Proven, 0));
        assert_eq!(known.proven, report.proven);
        other.audit().unwrap();
    }
}

#[test]
fn tables_of_later_moves_are_exchanged() {
    let start = Fields::new();
    let mut group = Group::new(2, || Mcts::builder().selection(Selection::grave()));
    group.search(&start, 2_000);
    let lines = group.exchanges[0].lines(&mut group.engines[0], 20).unwrap();
    let mut plain = Exchange::new().tables(0);
    let without = plain.lines(&mut group.engines[0], 20).unwrap();
    // Of 16 positions, for each of three players eight codes, and the number of rollouts.
    assert_eq!(lines.words(), without.words() + 16 * 2 * (1 + 3 * 8));
    let share = group.exchanges[0].share(&mut group.engines[0], &lines).unwrap();
    let all: i64 = share.iter().sum();
    assert!(all > 0);
    for _ in 0..50 {
        group.search(&start, 200);
        group.exchange(20, |_| ());
    }
}

/// Engines that search in the background go on meanwhile.
#[test]
fn engines_in_the_background_exchange_while_they_search() {
    let start = ConnectFour::new();
    for limit in [None, Some(300_000)] {
        let engine = |seed| {
            let builder = Mcts::builder().threads(2).oversubscribe(true).seed(seed);
            builder.memory_limit(limit).build().unwrap().start(&start, &Budget::unlimited())
        };
        let (mut handles, mut exchanges) =
            ([engine(1), engine(2)], [Exchange::new(), Exchange::new()]);
        while handles.iter().any(|handle| handle.node(&[], 0).is_none_or(|node| node.visits < 100))
        {
            thread::yield_now();
        }
        let mut visits = 0;
        for turn in 0..100 {
            // The limit changes meanwhile, and memory is given back.
            if let Some(limit) = limit {
                let now = limit * [2, 1, 4][turn % 3] / 2;
                handles.iter().for_each(|handle| handle.set_memory_limit(Some(now)).unwrap());
            }
            let absorbed = exchange_late(&mut exchanges, &mut handles, 256, |_| {
                thread::sleep(Duration::from_millis(1));
            });
            visits += absorbed.iter().map(|one| one.visits).sum::<u64>();
        }
        assert!(visits > 0);
        for handle in handles {
            let engine = handle.into_engine();
            engine.audit().unwrap();
        }
    }
}

/// An engine between two steps of a search.
#[test]
fn steps_exchange_and_the_search_goes_on() {
    let start = ConnectFour::new();
    let engine = |seed| Mcts::builder().threads(1).seed(seed).build().unwrap();
    let mut engines = [engine(1), engine(2)];
    let mut exchanges = [Exchange::new(), Exchange::new()];
    let [one, other] = &mut engines;
    let mut steps = [one, other].map(|mcts| mcts.begin(&start, &Budget::unlimited()).unwrap());
    for _ in 0..20 {
        for steps in &mut steps {
            assert!(steps.step(200).unwrap());
        }
        let absorbed = exchange_all(&mut exchanges, &mut steps, 100);
        assert!(absorbed.iter().all(|one| one.visits >= 200), "{absorbed:?}");
    }
    let reports = steps.map(|steps| steps.finish().unwrap());
    assert_eq!(reports[0].visits(), reports[1].visits());
    assert_eq!(reports[0].best_move, reports[1].best_move);
    engines.iter().for_each(|engine| assert!(engine.audit().is_ok()));
}

/// Visits of the branches of the root, in an order of their own.
fn root_branches(steps: &mcts::Steps<'_, Hex>) -> Vec<u64> {
    let mut branches = steps.node(&[], usize::MAX).unwrap().branches;
    branches.sort_by_key(|branch| format!("{:?}", branch.mv));
    branches.iter().map(|branch| branch.visits).collect()
}

/// The part of a round that two engines with this seed make below the same branches of the root,
/// from 0 to 1: before the first exchange and after it.
fn overlaps(mut exchanges: [Exchange; 2], seed: u64) -> [f64; 2] {
    let (start, unlimited) = (Hex::new(11).unwrap(), Budget::unlimited());
    let mut engines = [seed; 2].map(|seed| Mcts::builder().threads(1).seed(seed).build().unwrap());
    let [one, other] = &mut engines;
    let mut steps = [one, other].map(|mcts| mcts.begin(&start, &unlimited).unwrap());
    let round = |steps: &mut [mcts::Steps<'_, Hex>; 2]| {
        let [one, other] = steps.each_mut().map(|steps| {
            let before = root_branches(steps);
            steps.step(1).unwrap();
            let after = root_branches(steps).into_iter();
            after.zip(before).map(|(after, before)| after - before).collect::<Vec<_>>()
        });
        let both: u64 = one.iter().zip(&other).map(|(one, other)| one.min(other)).sum();
        both as f64 / one.iter().sum::<u64>() as f64
    };
    steps.iter_mut().for_each(|steps| assert!(steps.step(5_000).unwrap()));
    let before = round(&mut steps);
    exchange_all(&mut exchanges, &mut steps, 100);
    [before, round(&mut steps)]
}

#[test]
fn engines_of_a_team_do_not_search_the_same() {
    assert_eq!(overlaps([Exchange::new(), Exchange::new()], 1), [1.0, 1.0], "the same twice");
    let of = |engines| [0, 1].map(|number| Exchange::one_of(number, engines).unwrap());
    // One branch may be so much better that all go there.
    let found = [1, 2, 3, 4, 5, 6].map(|seed| overlaps(of(2), seed));
    assert!(found.iter().all(|[before, _]| *before == 1.0), "they know nothing of each other yet");
    let after = found.iter().map(|[_, after]| after).sum::<f64>() / found.len() as f64;
    assert!(after < 0.5, "{found:?}");
    // A sum of two is not that of a team of three.
    assert_eq!(overlaps(of(3), 1), [1.0, 1.0]);
}

#[test]
fn the_next_search_of_an_engine_of_a_team_is_its_own() {
    let start = Hex::new(7).unwrap();
    let reports = [false, true].map(|is_team| {
        let mut group = Group::new(2, Mcts::builder);
        if is_team {
            group.exchanges = [0, 1].map(|number| Exchange::one_of(number, 2).unwrap()).into();
        }
        for _ in 0..4 {
            group.search(&start, 2_000);
            group.exchange(100, |_| ());
        }
        // Long enough for rounds of many simulations: a team would divide them.
        group.search(&start, 40_000);
        format!("{:?}", group.engines[0].node(&[], usize::MAX))
    });
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn an_engine_has_a_number_below_that_of_all() {
    for (number, engines) in [(0, 1), (3, 4), (4_094, 4_095)] {
        assert!(Exchange::one_of(number, engines).is_ok());
    }
    for (number, engines) in [(0, 0), (1, 1), (4, 3), (0, 4_096), (1 << 16, 1 << 17)] {
        let error = Exchange::one_of(number, engines).unwrap_err();
        assert_eq!(error, ExchangeError::Member { most: 4_095, number, engines });
        let expected = format!("found number {number} of {engines}");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
}

/// Steps of one or two from 0 to 9, by one player or the other in turn: a number is reached in more
/// or in fewer plies, as a position of Othello is by passing.
#[derive(Clone)]
struct Steps {
    at: u32,
    plies: u32,
}

impl GameState for Steps {
    type Key = (u32, usize);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.at, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.at >= 9).then(|| Outcome::Win(usize::from(self.at.is_multiple_of(2))))
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend([1, 2]);
    }

    fn apply(&self, step: &u32) -> Self {
        Self { at: self.at + step, plies: self.plies + 1 }
    }
}

/// Engines that have met the root after another number of plies search the same position.
#[test]
fn a_root_that_was_reached_in_more_plies_is_the_same() {
    let mut engines = Group::new(2, || Mcts::builder().proofs(false));
    for (engine, plies) in engines.engines.iter_mut().zip([2, 4]) {
        engine.search(&Steps { at: 4, plies }, &Budget::simulations(20)).unwrap();
    }
    engines.search(&Steps { at: 4, plies: 4 }, 100);
    let absorbed = engines.exchange(64, |_| {});
    assert!(absorbed.iter().all(|absorbed| absorbed.visits > 100), "{absorbed:?}");
    assert_eq!(engines.root_visits(), [240, 240]);
}

/// What an exchange is refused for.
fn refused<G: GameState>(
    exchange: &mut Exchange,
    engine: &mut impl Engine<G>,
    lines: &Lines,
) -> ExchangeError {
    exchange.share(engine, lines).unwrap_err()
}

#[test]
fn engines_that_do_not_belong_together_are_refused() {
    let start = ConnectFour::new();
    let searched = |builder: MctsBuilder<ConnectFour>, state: &ConnectFour| {
        let mut mcts = builder.threads(1).build().unwrap();
        mcts.search(state, &Budget::simulations(500)).unwrap();
        mcts
    };
    let (mut one, mut exchange) = (searched(Mcts::builder(), &start), Exchange::new());
    let lines = exchange.lines(&mut one, 50).unwrap();
    assert_eq!((lines.len(), lines.is_empty()), (50, false));
    let mut part = |builder, state: &ConnectFour| match refused(
        &mut exchange,
        &mut searched(builder, state),
        &lines,
    ) {
        ExchangeError::Different { part, expected, found } if expected != found => part,
        error => panic!("{error}"),
    };
    assert_eq!(part(Mcts::builder().proofs(false), &start), Part::Proofs);
    assert_eq!(part(Mcts::builder().selection(Selection::Ucb1Tuned), &start), Part::FurtherScores);
    assert_eq!(part(Mcts::builder().sharing(Sharing::PerPath), &start), Part::Position);
    assert_eq!(part(Mcts::builder().contempt(0, 0.1), &start), Part::Draws);
    let mut moves = Vec::new();
    start.moves(&mut moves);
    assert_eq!(part(Mcts::builder(), &start.apply(&moves[0])), Part::Mover);
    let mut new = Mcts::<ConnectFour>::builder().threads(1).build().unwrap();
    assert_eq!(exchange.lines(&mut new, 9).unwrap_err(), ExchangeError::NothingSearched);
    assert_eq!(exchange.absorb(&mut one, &[]).unwrap_err(), ExchangeError::NothingShared);
    // A move later there is another root.
    let share = exchange.share(&mut one, &lines).unwrap();
    one.search(&start.apply(&moves[3]), &Budget::simulations(100)).unwrap();
    assert_eq!(exchange.absorb(&mut one, &share).unwrap_err(), ExchangeError::OtherRoot);
    // And all may be forgotten.
    one.search(&start, &Budget::simulations(100)).unwrap();
    let share = exchange.share(&mut one, &lines).unwrap();
    one.forget();
    one.search(&start, &Budget::simulations(5_000)).unwrap();
    assert_eq!(exchange.absorb(&mut one, &share).unwrap_err(), ExchangeError::NothingShared);
    one.audit().unwrap();

    // As text, changed by others.
    let text = serde_json::to_string(&lines).unwrap();
    assert_eq!(serde_json::from_str::<Lines>(&text).unwrap(), lines);
    let changed = |from: &str, to: &str| {
        let (before, after) = text.rsplit_once(from).unwrap();
        serde_json::from_str::<Lines>(&format!("{before}{to}{after}")).unwrap()
    };
    for (from, to, error) in [
        ("\"branches\":7", "\"branches\":6", "exchange.branches"),
        ("\"branches\":7", "\"branches\":0", "exchange.line"),
        ("\"branches\":7", "\"branches\":4294967295", "exchange.line"),
        ("\"parent\":0,\"branch\":3", "\"parent\":0,\"branch\":7", "exchange.line"),
        ("\"parent\":0,\"branch\":3", "\"parent\":49,\"branch\":3", "exchange.line"),
        ("\"tables\":16", "\"tables\":40", ""),
    ] {
        let shared = exchange.share(&mut one, &changed(from, to));
        assert_eq!(shared.err().map_or("", |error| error.code()), error, "{from} {to}");
    }
}

#[test]
fn sums_that_no_engines_can_have_made_are_refused_whole() {
    let start = ConnectFour::new();
    let mut group = Group::new(2, Mcts::builder);
    group.search(&start, 2_000);
    group.exchange(30, |_| ());
    group.search(&start, 500);
    let lines = group.exchanges[0].lines(&mut group.engines[0], 30).unwrap();
    let Group { engines, exchanges, .. } = &mut group;
    let other = exchanges[1].share(&mut engines[1], &lines).unwrap();
    let known = |engine: &mut Mcts<ConnectFour>| {
        let audit = engine.audit().unwrap();
        (format!("{audit:?}"), format!("{:?}", engine.node(&[], 9)))
    };
    let before = known(&mut engines[0]);
    let last = other.len() - 1;
    let own_last = exchanges[0].share(&mut engines[0], &lines).unwrap()[last];
    let mut attempts = 0;
    let mut refused = |change: &dyn Fn(&mut Vec<i64>)| {
        let mut sum = exchanges[0].share(&mut engines[0], &lines).unwrap();
        let own = sum.clone();
        add(&mut sum, &other);
        change(&mut sum);
        let error = exchanges[0].absorb(&mut engines[0], &sum).unwrap_err();
        assert_eq!(known(&mut engines[0]), before, "{error}");
        attempts += 1;
        // What is right would have been taken.
        assert!(own.len() == other.len() && !error.to_string().is_empty());
        error.code()
    };
    assert_eq!(refused(&|sum| sum.truncate(9)), "exchange.length");
    assert_eq!(refused(&|sum| sum.push(0)), "exchange.length");
    assert_eq!(refused(&|sum| sum[0] = 0), "exchange.engines");
    assert_eq!(refused(&|sum| sum[0] = 5_000), "exchange.engines");
    assert_eq!(refused(&|sum| sum[0] = 3), "exchange.other-lines");
    assert_eq!(refused(&|sum| sum[1] += 1), "exchange.other-lines");
    assert_eq!(refused(&|sum| sum[2] = -1), "exchange.number");
    assert_eq!(refused(&|sum| sum[3] = i64::MAX), "exchange.number");
    assert_eq!(refused(&|sum| sum[4] = 1 << 40), "exchange.number");
    assert_eq!(refused(&|sum| sum[5] = i64::MIN), "exchange.number");
    assert_eq!(refused(&|sum| sum[last] = -7), "exchange.number");
    assert_eq!(refused(&|sum| sum[last] = 1 << 40), "exchange.number");
    let both = |sum: &mut Vec<i64>| {
        (sum[0], sum[1], sum[last]) = (3, sum[1] / 2 * 3, own_last + (1 | 1 << 24));
    };
    assert_eq!(refused(&both), "exchange.contradiction");
    assert_eq!(attempts, 13);
    let mut sum = exchanges[0].share(&mut engines[0], &lines).unwrap();
    add(&mut sum, &other);
    assert!(exchanges[0].absorb(&mut engines[0], &sum).unwrap().visits >= 500);
    engines[0].audit().unwrap();
}
