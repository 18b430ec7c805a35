//! What a program that listens with `tracing` learns of searches and tables.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use playtree::budget::Depth;
use playtree::{
    AlphaBeta, Budget, Evaluate, GameState, GameTag, Mcts, Outcome, Solvable, Solver, save,
};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// An event: its fields, the level and the text among them.
type Entry = BTreeMap<String, String>;

/// Keeps every event.
#[derive(Clone, Default)]
struct Listener {
    events: Arc<Mutex<Vec<Entry>>>,
}

struct Fields<'a>(&'a mut Entry);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "playtree"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut entry = Entry::from([("span".to_owned(), span.metadata().name().to_owned())]);
        span.record(&mut Fields(&mut entry));
        self.events.lock().unwrap().push(entry);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let level = event.metadata().level().to_string();
        let mut entry = Entry::from([("level".to_owned(), level)]);
        event.record(&mut Fields(&mut entry));
        self.events.lock().unwrap().push(entry);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The events of what `run` does, with this text or name of a span.
fn events_of(run: impl FnOnce(), text: &str) -> Vec<Entry> {
    let listener = Listener::default();
    tracing::subscriber::with_default(listener.clone(), run);
    let events = listener.events.lock().unwrap().clone();
    let is_it =
        |entry: &Entry| [entry.get("message"), entry.get("span")].contains(&Some(&text.to_owned()));
    events.into_iter().filter(is_it).collect()
}

/// A pile: take one, two or three; the player who takes the last one wins.
#[derive(Clone)]
struct Pile {
    left: u32,
    plies: u32,
    /// Panics when this number is left.
    trap: u32,
}

impl GameState for Pile {
    type Key = (u32, usize);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.left, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(3));
    }

    fn outcome(&self) -> Option<Outcome> {
        assert_ne!(self.left, self.trap, "the trap");
        (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
    }

    fn apply(&self, take: &u32) -> Self {
        Self { left: self.left - take, plies: self.plies + 1, trap: self.trap }
    }
}

impl Solvable for Pile {}

#[derive(Clone)]
struct Even;

impl Evaluate<Pile> for Even {
    fn evaluate(&self, _: &Pile) -> i32 {
        0
    }
}

const PILE: Pile = Pile { left: 60, plies: 0, trap: u32::MAX };

/// Fails after its first move.
const TRAPPED: Pile = Pile { trap: 40, ..PILE };

fn mcts(memory: Option<usize>) -> Mcts<Pile> {
    Mcts::builder().threads(1).memory_limit(memory).build().unwrap()
}

fn alphabeta() -> AlphaBeta<Pile, Even> {
    AlphaBeta::builder(Even).threads(1).build().unwrap()
}

fn solver() -> Solver<Pile> {
    Solver::builder().threads(1).build().unwrap()
}

#[track_caller]
fn assert_fields(entry: &Entry, expected: &[(&str, &str)]) {
    for (name, value) in expected {
        assert_eq!(entry.get(*name).map(String::as_str), Some(*value), "{name} of {entry:?}");
    }
}

/// Begins once, ends once, and says what was found.
#[track_caller]
fn assert_events(searcher: &str, budget: &Budget, search: impl Fn() -> (Option<u64>, u64, String)) {
    let spans = events_of(|| drop(search()), "search");
    assert_eq!(spans.len(), 1, "{spans:?}");
    assert_fields(&spans[0], &[("searcher", searcher), ("game", "events::Pile")]);
    let begins = events_of(|| drop(search()), "search begins");
    assert_eq!(begins.len(), 1, "{begins:?}");
    let budget = format!("{budget:?}");
    assert_fields(
        &begins[0],
        &[("level", "DEBUG"), ("searcher", searcher), ("workers", "1"), ("budget", &budget)],
    );
    let mut found = None;
    let ends = events_of(|| found = Some(search()), "search ends");
    assert_eq!(ends.len(), 1, "{ends:?}");
    let (simulations, nodes, reason) = found.unwrap();
    assert_fields(
        &ends[0],
        &[("level", "DEBUG"), ("nodes", &nodes.to_string()), ("stop_reason", &reason)],
    );
    assert_eq!(ends[0].get("simulations"), simulations.map(|count| count.to_string()).as_ref());
    assert!(ends[0]["seconds"].parse::<f64>().unwrap() > 0.0);
}

#[test]
fn each_search_begins_and_ends() {
    let budget = Budget::simulations(500);
    assert_events("mcts", &budget, || {
        let found = mcts(None).search(&PILE, &budget).unwrap();
        (Some(found.simulations), found.nodes, found.stop_reason.to_string())
    });
    assert_events("mcts", &budget, || {
        let mut engine = mcts(None);
        let mut steps = engine.begin(&PILE, &budget).unwrap();
        while steps.step(100).unwrap() {}
        let found = steps.finish().unwrap();
        (Some(found.simulations), found.nodes, found.stop_reason.to_string())
    });
    let budget = Budget::unlimited().and(Depth(3));
    assert_events("alphabeta", &budget, || {
        let found = alphabeta().search(&PILE, &budget).unwrap();
        (None, found.nodes, found.stop_reason.to_string())
    });
    let budget = Budget::nodes(1_000_000);
    assert_events("solver", &budget, || {
        let found = solver().solve(&PILE, &budget).unwrap();
        (None, found.nodes, found.stop_reason.to_string())
    });
}

#[test]
fn a_search_that_fails_or_panics_says_so_once() {
    let budget = Budget::nodes(100_000);
    let searches: [fn(&Pile, &Budget); 4] = [
        |state, budget| drop(mcts(None).search(state, budget)),
        |state, budget| drop(alphabeta().search(state, budget)),
        |state, budget| drop(solver().solve(state, budget)),
        |state, budget| {
            let mut engine = mcts(None);
            if let Ok(mut steps) = engine.begin(state, budget) {
                while steps.step(100).unwrap() {}
            }
        },
    ];
    for search in searches {
        let over = Pile { left: 0, ..PILE };
        let failed = events_of(|| search(&over, &budget), "search failed");
        assert_eq!(failed.len(), 1, "{failed:?}");
        assert_fields(&failed[0], &[("level", "WARN"), ("code", "search.game-over")]);
        assert!(failed[0]["error"].contains("found a finished game"), "{failed:?}");
        assert!(events_of(|| search(&over, &budget), "search ends").is_empty());

        let trapped = || drop(catch_unwind(AssertUnwindSafe(|| search(&TRAPPED, &budget))));
        let panicked = events_of(trapped, "search panicked");
        assert_eq!(panicked.len(), 1, "{panicked:?}");
        assert_fields(&panicked[0], &[("level", "ERROR")]);
        assert!(events_of(trapped, "search ends").is_empty());
    }
}

/// A wide game, whose tree grows until its memory is full.
#[derive(Clone)]
struct Path(Vec<u8>);

impl GameState for Path {
    type Key = Vec<u8>;
    type Move = u8;

    fn key(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn mover(&self) -> usize {
        self.0.len() % 2
    }

    fn plies(&self) -> u32 {
        self.0.len() as u32
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(0..4);
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0.len() == 20).then_some(Outcome::Draw)
    }

    fn apply(&self, mv: &u8) -> Self {
        let mut path = self.0.clone();
        path.push(*mv);
        Self(path)
    }
}

#[test]
fn an_eviction_says_what_it_has_freed() {
    let builder = Mcts::builder().threads(1).memory_limit(Some(1 << 20));
    let mut mcts = builder.build().unwrap();
    let mut evicted = 0;
    let search = || {
        let found = mcts.search(&Path(Vec::new()), &Budget::simulations(200_000)).unwrap();
        evicted = found.evicted;
    };
    let events = events_of(search, "evicted");
    assert!(!events.is_empty() && evicted > 0);
    let number = |entry: &Entry, name: &str| entry[name].parse::<u64>().unwrap();
    for entry in &events {
        assert_fields(entry, &[("level", "DEBUG")]);
        assert!(number(entry, "bytes_before") <= 1 << 20 && number(entry, "bytes_after") > 0);
    }
    // The last one may be under way when the search ends.
    let nodes: u64 = events.iter().map(|entry| number(entry, "nodes")).sum();
    assert!(nodes > 0 && nodes <= evicted, "{nodes} of {evicted}");
}

#[test]
fn a_table_is_saved_and_loaded_with_its_size() {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("playtree-events-{}", std::process::id()));
    let (tag, options) = (GameTag::new("pile", 1), save::Options::default());
    let (mut engine, mut solver) = (mcts(None), solver());
    engine.search(&PILE, &Budget::simulations(500)).unwrap();
    solver.solve(&PILE, &Budget::unlimited()).unwrap();

    let mut info = None;
    let saved = events_of(|| info = engine.save(&path, &tag, &options).ok(), "table saved");
    let (file, bytes) = (path.display().to_string(), info.unwrap().file_bytes.to_string());
    let expected = [("level", "INFO"), ("file", &*file), ("game", "pile"), ("bytes", &*bytes)];
    assert_eq!(saved.len(), 1);
    assert_fields(&saved[0], &expected);
    for load in [Mcts::load, Mcts::merge] {
        let loaded = events_of(|| drop(load(&mut engine, &path, &tag).unwrap()), "table loaded");
        assert_eq!(loaded.len(), 1);
        assert_fields(&loaded[0], &expected);
        assert!(loaded[0]["seconds"].parse::<f64>().unwrap() > 0.0);
    }
    let failed = events_of(|| drop(solver.load(&path, &tag).unwrap_err()), "table not loaded");
    assert_fields(&failed[0], &[("level", "WARN"), ("code", "load.kind"), ("file", &file)]);

    let saved = events_of(|| drop(solver.save(&path, &tag, &options).unwrap()), "table saved");
    assert_fields(&saved[0], &[("level", "INFO"), ("file", &file)]);
    let loaded = events_of(|| drop(solver.load(&path, &tag).unwrap()), "table loaded");
    assert_fields(&loaded[0], &[("level", "INFO"), ("file", &file)]);
    std::fs::remove_file(&path).unwrap();
    let nowhere = folder.join("no-such-folder-of-playtree").join("table");
    let failed = events_of(|| drop(engine.save(nowhere, &tag, &options)), "table not saved");
    assert_fields(&failed[0], &[("level", "WARN"), ("code", "save.io")]);
}
