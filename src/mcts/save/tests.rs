//! A table saved while workers change it.

use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize, Serializer};

use super::{GameTag, Options, Shelf};
use crate::budget::{Budget, StopReason};
use crate::error::SearchError;
use crate::game::{GameState, Outcome, Saveable};
use crate::games::connect4::Column;
use crate::games::{ConnectFour, Hex};
use crate::mcts::claims::Claims;
use crate::mcts::{Inconsistency, LockPolicy, Mcts, MctsBuilder, Parallelism, Selection};
use crate::save::FULL;

/// A file that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let file = format!("playtree-live-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(file))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn tag() -> GameTag {
    GameTag::new("live", 1)
}

/// Loads a file that was saved during a search, and searches on.
fn check<G: Saveable>(name: &str, file: &Scratch, builder: &MctsBuilder<G>, state: &G) {
    let mut reader = builder.clone().build().unwrap();
    let loaded = reader.load(&file.0, &tag()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(loaded.info.search().unwrap().root.is_some(), "{name}");
    let audit = |reader: &Mcts<G>, when| match reader.audit() {
        Ok(audit) => assert!(audit.nodes > 0, "{name}, {when}"),
        Err(Inconsistency { .. }) => panic!("{name}, {when}: {:?}", reader.audit()),
    };
    audit(&reader, "loaded");
    let report = reader.search(state, &Budget::simulations(500)).unwrap();
    let came_back = report.visits() + report.dropped;
    assert!(came_back >= 500 || report.stop_reason == StopReason::Proven, "{name}: {report:?}");
    audit(&reader, "searched");
}

/// What a file is written to: now and then, when it gets something, the engine searches on until it
/// has evicted positions.
struct Slow<'a, G: GameState> {
    out: Cursor<Vec<u8>>,
    engine: &'a mut Mcts<G>,
    state: &'a G,
    writes: u32,
    evicted: u64,
}

impl<G: GameState> Write for Slow<'_, G> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (budget, before) = (Budget::simulations(1_000), self.evicted);
        for _ in 0..if self.writes.is_multiple_of(16) { 30 } else { 0 } {
            self.evicted += self.engine.search(self.state, &budget).unwrap().evicted;
            if self.evicted > before {
                break;
            }
        }
        self.writes += 1;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<G: GameState> Seek for Slow<'_, G> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

/// One thread does all of it, so each block is written in the middle of a search, and the next one
/// finds positions gone and others in their places.
#[test]
fn positions_that_go_while_a_table_is_written_are_left_out() {
    let state = ConnectFour::new();
    for selection in [Selection::default(), Selection::Ucb1Tuned] {
        let builder = Mcts::builder().threads(1).selection(selection).memory_limit(Some(1 << 20));
        let mut engine = builder.clone().build().unwrap();
        engine.search(&state, &Budget::simulations(20_000)).unwrap();
        let file = Scratch::new("slow");
        for full in [1 << 10, 1 << 13] {
            let shelf = engine.shelf();
            let out = Cursor::new(Vec::new());
            let mut slow = Slow { out, engine: &mut engine, state: &state, writes: 0, evicted: 0 };
            let written = shelf.write(&tag(), &Options::default(), full, &mut slow);
            let info = written.unwrap_or_else(|_| panic!("nothing fails here"));
            assert!(slow.evicted > info.positions / 2, "{} and {info:?}", slow.evicted);
            let search = info.search().unwrap();
            assert!(search.thinned && info.positions > 500 && search.edges > 1_000, "{info:?}");
            std::fs::write(&file.0, slow.out.into_inner()).unwrap();
            check("slow", &file, &builder, &state);
        }
    }
}

/// A save may wait for another one, and its search may be over when it begins. Then the root may
/// have been evicted, with its key.
#[test]
fn a_save_that_begins_late_takes_no_position_that_has_gone() {
    let state = ConnectFour::new();
    let builder = Mcts::builder().threads(1).memory_limit(Some(1 << 20));
    let mut engine = builder.clone().build().unwrap();
    engine.search(&state, &Budget::simulations(1_000)).unwrap();
    let first = engine.last_root.unwrap();
    let claims = Arc::new(Claims::start(&Budget::unlimited()));
    let shelf = Shelf::new(&engine.tree, Some(first), engine.saved_facts(), Some(claims));
    // Positions with fewer plies than the root go first.
    let middle = Column::new(3).unwrap();
    let later = state.apply(&middle).apply(&middle);
    let is_there = |engine: &Mcts<ConnectFour>| {
        let mut found = false;
        engine.tree.for_each_node(|id| {
            // SAFETY: no search goes on, and the node is in the table.
            found |= *unsafe { engine.tree.key(id) } == state.key();
        });
        found
    };
    for _ in 0..100 {
        engine.search(&later, &Budget::simulations(2_000)).unwrap();
        if !is_there(&engine) {
            break;
        }
    }
    assert!(!is_there(&engine), "the first root was not evicted");
    let mut out = Cursor::new(Vec::new());
    let written = shelf.write(&tag(), &Options::default(), FULL, &mut out);
    let info = written.unwrap_or_else(|_| panic!("nothing fails here"));
    assert_eq!(info.positions, engine.tree.node_count());
    let file = Scratch::new("late");
    std::fs::write(&file.0, out.into_inner()).unwrap();
    check("late", &file, &builder, &later);
}

/// Saves again and again while two workers search, until positions were evicted.
fn save_while_searching<G: Saveable + 'static>(name: &str, builder: &MctsBuilder<G>, state: &G) {
    let builder = builder.clone().threads(2).oversubscribe(true).seed(7);
    let file = Scratch::new(name);
    let mut thinking = builder.clone().build().unwrap().start(state, &Budget::unlimited());
    let (mut saves, mut evicted) = (0, 0);
    while saves < 3 || (evicted == 0 && thinking.is_thinking()) {
        let info = thinking.save(&file.0, &tag(), &Options::default()).unwrap();
        assert_eq!(info.search().unwrap().searches, 1);
        check(name, &file, &builder, state);
        saves += 1;
        evicted = thinking.report().unwrap().evicted;
    }
    let report = thinking.stop().unwrap();
    assert!(report.evicted > 0 || report.proven.is_some(), "{name}");
    // At rest, a handle saves what its engine saves.
    thinking.save(&file.0, &tag(), &Options::default()).unwrap();
    let by_handle = std::fs::read(&file.0).unwrap();
    let engine = thinking.into_engine();
    engine.audit().unwrap();
    engine.save(&file.0, &tag(), &Options::default()).unwrap();
    assert!(by_handle == std::fs::read(&file.0).unwrap(), "{name}");
}

#[test]
fn a_table_can_be_saved_while_a_search_changes_it() {
    let (connect4, hex) = (ConnectFour::new(), Hex::new(4).unwrap());
    let limited = || Mcts::builder().memory_limit(Some(1 << 19));
    for policy in [LockPolicy::Block, LockPolicy::Yield, LockPolicy::Defer] {
        save_while_searching("connect4", &limited().lock_policy(policy), &connect4);
    }
    let rounds = limited().parallelism(Parallelism::Rounds);
    save_while_searching("connect4-rounds", &rounds, &connect4);
    let planes = limited().selection(Selection::Ucb1Tuned);
    save_while_searching("connect4-planes", &planes, &connect4);
    let grave = Mcts::builder().memory_limit(Some(1 << 19)).selection(Selection::grave());
    save_while_searching("hex-amaf", &grave, &Hex::new(9).unwrap());
    // Proves much while it is saved.
    save_while_searching("hex", &Mcts::builder().memory_limit(Some(1 << 19)), &hex);
}

/// Take one or two; the side that takes the last has won. The serializing of its keys can be held
/// up.
#[derive(Clone, Debug)]
struct Sticks {
    left: u32,
    turn: usize,
    plies: u32,
}

impl Sticks {
    fn new(left: u32) -> Self {
        Self { left, turn: 0, plies: 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
struct SlowKey((u32, usize));

/// Tells that a key is to be written, and waits until it may be.
static HELD: Mutex<Option<(Sender<()>, Receiver<()>)>> = Mutex::new(None);

impl Serialize for SlowKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let held = HELD.lock().unwrap().take();
        if let Some((tell, wait)) = held {
            tell.send(()).unwrap();
            wait.recv().unwrap();
        }
        serializer.serialize_newtype_struct("SlowKey", &self.0)
    }
}

impl GameState for Sticks {
    type Move = u32;
    type Key = SlowKey;
    const PLAYERS: usize = 2;

    fn mover(&self) -> usize {
        self.turn
    }

    fn moves(&self, out: &mut Vec<u32>) {
        out.extend(1..=self.left.min(2));
    }

    fn apply(&self, &mv: &u32) -> Self {
        Self { left: self.left - mv, turn: 1 - self.turn, plies: self.plies + 1 }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(1 - self.turn))
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn key(&self) -> SlowKey {
        SlowKey((self.left, self.turn))
    }
}

#[test]
fn a_save_that_stands_still_holds_up_nothing_else() {
    let (file, state) = (Scratch::new("still"), Sticks::new(800));
    let builder = Mcts::<Sticks>::builder().threads(2).oversubscribe(true).reuse(false);
    let mut thinking = builder.clone().build().unwrap().start(&state, &Budget::unlimited());
    let saver = thinking.saver();
    let (tell, answers) = channel();
    let (go_on, wait) = channel();
    *HELD.lock().unwrap() = Some((tell, wait));
    std::thread::scope(|scope| {
        let path = &file.0;
        let save = scope.spawn(move || saver.save(path, &tag(), &Options::default()));
        answers.recv().unwrap();
        assert!(thinking.report().is_some() && thinking.is_thinking());
        assert_eq!(thinking.stop().unwrap().stop_reason, StopReason::Stopped);
        // Forgets everything, and so takes another tree.
        thinking.think(&Sticks::new(700), &Budget::simulations(100));
        assert_eq!(thinking.wait().unwrap().simulations, 100);
        thinking.think(&Sticks::new(0), &Budget::simulations(100));
        assert!(matches!(thinking.wait(), Err(SearchError::GameOver(_))));
        let mut engine = thinking.into_engine();
        engine.forget();
        assert_eq!(engine.search(&state, &Budget::simulations(50)).unwrap().visits(), 50);
        go_on.send(()).unwrap();
        let info = save.join().unwrap().unwrap();
        let search = info.search().unwrap();
        assert!(search.root.is_some() && search.searches == 1, "{info:?}");
    });
    let mut reader = builder.build().unwrap();
    reader.load(&file.0, &tag()).unwrap();
    reader.audit().unwrap();
    // Without a handle there is nothing to save, and after an error there is.
    let mut thinking = reader.start(&Sticks::new(0), &Budget::unlimited());
    assert!(thinking.wait().is_err());
    let saver = thinking.saver();
    assert_eq!(saver.save(&file.0, &tag(), &Options::default()).unwrap().positions, 0);
    drop(thinking);
    let gone = saver.save(&file.0, &tag(), &Options::default()).unwrap_err();
    let expected = "expected a search in the background, found that its handle is gone";
    assert_eq!(gone.to_string(), expected);
}

/// The long form: saves every second for ten minutes, and says what that costs: ten seconds with
/// saves are followed by ten without. Run it with
///
/// ```text
/// cargo test --release --lib -- --ignored --nocapture saved_every_second
/// ```
#[test]
#[ignore = "takes twenty minutes"]
#[allow(clippy::print_stdout, reason = "it is a measurement")]
fn saved_every_second_for_ten_minutes() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let seconds = number("PLAYTREE_SECONDS", 600);
    let limit = number("PLAYTREE_MIB", 64) << 20;
    let state = crate::games::Othello::new();
    let builder = Mcts::builder().threads(2).oversubscribe(true).memory_limit(Some(limit as usize));
    let file = Scratch::new("every-second");
    let mut thinking = builder.clone().build().unwrap().start(&state, &Budget::unlimited());
    // Until it evicts.
    while thinking.report().unwrap().evicted == 0 {
        std::thread::sleep(Duration::from_millis(100));
    }
    let simulations = |report: Option<crate::mcts::Report<_>>| report.unwrap().simulations;
    let (mut saves, mut bytes, mut passed) = (0u64, 0u64, 0u64);
    // Seconds with and without saves by turns, ten of each: simulations and time of both.
    let mut halves = [(0u64, Duration::ZERO); 2];
    for turn in 0..2 * seconds {
        let saving = turn / seconds.min(10) % 2 == 1;
        let (start, before) = (Instant::now(), simulations(thinking.report()));
        if saving {
            bytes += thinking.save(&file.0, &tag(), &Options::default()).unwrap().file_bytes;
            saves += 1;
        }
        std::thread::sleep(Duration::from_secs(1).saturating_sub(start.elapsed()));
        let half = &mut halves[usize::from(saving)];
        half.0 += simulations(thinking.report()) - before;
        half.1 += start.elapsed();
        if saving {
            // Between two turns, so that it costs neither of them.
            let mut reader = builder.clone().build().unwrap();
            reader.load(&file.0, &tag()).unwrap();
            reader.audit().unwrap();
            passed += 1;
        }
    }
    let report = thinking.stop().unwrap();
    let [without, with] = halves.map(|(simulations, time)| simulations as f64 / time.as_secs_f64());
    println!("saved {saves} times, {} MiB each: {passed} loaded and passed the audit", {
        (bytes / saves.max(1)) >> 20
    });
    println!("{} evicted, {} simulations", report.evicted, report.simulations);
    println!("{without:.0} simulations a second without saves, {with:.0} with ({:.3})", {
        with / without
    });
    thinking.into_engine().audit().unwrap();
    assert!(saves > 0 && passed == saves && report.evicted > 0);
}
