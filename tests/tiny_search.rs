//! A search so small that an interpreter can follow it: `ci/miri.sh` runs it, and so does
//! the ordinary test run. Few simulations, moves that own memory.

use playtree::game::{MoveCodes, MoveCoding, RolloutPolicy};
use playtree::mcts::{LockPolicy, RoundSize, Selection, Sharing, TableLocks};
use playtree::{Budget, GameState, GameTag, Handle, Mcts, Outcome, save};

/// Take one or two sticks; who takes the last one wins. Moves are words, so that every one
/// of them has to be freed exactly once.
#[derive(Clone)]
struct Sticks {
    left: u32,
    plies: u32,
}

impl GameState for Sticks {
    type Key = (u32, usize);
    type Move = String;

    fn key(&self) -> Self::Key {
        (self.left, self.mover())
    }

    fn mover(&self) -> usize {
        (self.plies % 2) as usize
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<String>) {
        moves.extend(["one", "two"].iter().take(self.left as usize).map(|&word| word.to_owned()));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
    }

    fn apply(&self, mv: &String) -> Self {
        let taken = if mv == "one" { 1 } else { 2 };
        Self { left: self.left - taken, plies: self.plies + 1 }
    }

    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game())
    }
}

impl MoveCodes for Sticks {
    const CODES: usize = 2;

    fn move_code(&self, mv: &String) -> usize {
        usize::from(mv == "two")
    }
}

/// Simulations of three searches, one after the other. An interpreter takes up to a second for
/// each.
const SIMULATIONS: [u64; 3] = if cfg!(miri) { [4, 8, 4] } else { [20, 40, 20] };

const POLICIES: [LockPolicy; 3] = [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer];

/// Searches, forgets, searches again, and frees everything.
fn search(policy: LockPolicy, workers: usize, scheme: Sharing, selection: Selection) {
    let mut mcts = Mcts::builder()
        .threads(workers)
        .oversubscribe(true)
        .lock_policy(policy)
        .sharing(scheme)
        .selection(selection)
        .proofs(false)
        .round_size(RoundSize::Fixed(3))
        .build()
        .unwrap();
    let state = Sticks { left: 7, plies: 0 };
    let [first, second, last] = SIMULATIONS;
    for simulations in [first, second] {
        let report = mcts.search(&state, &Budget::simulations(simulations)).unwrap();
        assert_eq!(report.simulations, simulations);
        mcts.audit().unwrap();
        mcts.forget();
        mcts.audit().unwrap();
    }
    mcts.search(&state, &Budget::simulations(last)).unwrap();
}

#[test]
fn one_worker() {
    for policy in POLICIES {
        search(policy, 1, Sharing::Shared, Selection::default());
    }
    search(LockPolicy::Block, 1, Sharing::PerPath, Selection::Ucb1Tuned);
    search(LockPolicy::Block, 1, Sharing::Shared, Selection::grave());
    search(LockPolicy::Block, 1, Sharing::Shared, Selection::progressive_history());
}

#[test]
fn two_workers() {
    for policy in POLICIES {
        search(policy, 2, Sharing::Shared, Selection::default());
    }
    search(LockPolicy::Defer, 2, Sharing::PerPath, Selection::Ucb1Tuned);
    search(LockPolicy::Block, 2, Sharing::Shared, Selection::grave());
    search(LockPolicy::Block, 2, Sharing::Shared, Selection::progressive_history());
}

#[test]
fn two_workers_prove_a_win() {
    for policy in POLICIES {
        let builder = Mcts::builder().threads(2).oversubscribe(true);
        let mut mcts = builder.lock_policy(policy).build().unwrap();
        let state = Sticks { left: 4, plies: 0 };
        let report = mcts.search(&state, &Budget::simulations(200)).unwrap();
        mcts.audit().unwrap();
        if policy != LockPolicy::Yield {
            assert_eq!(report.best_move, "one");
        }
    }
}

/// A new word at each ply, so that every position has a key of its own: little room is soon full.
#[derive(Clone)]
struct Words {
    said: String,
}

impl GameState for Words {
    type Key = String;
    type Move = String;

    fn key(&self) -> String {
        self.said.clone()
    }

    fn mover(&self) -> usize {
        self.said.len() % 2
    }

    fn plies(&self) -> u32 {
        self.said.len() as u32
    }

    fn moves(&self, moves: &mut Vec<String>) {
        moves.extend(["a", "b", "c"].map(str::to_owned));
    }

    fn outcome(&self) -> Option<Outcome> {
        let win = self.said.bytes().filter(|&byte| byte == b'a').count() % 2;
        (self.said.len() == 12).then_some(Outcome::Win(win))
    }

    fn apply(&self, mv: &String) -> Self {
        Self { said: format!("{}{mv}", self.said) }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        CoinFlip
    }
}

struct CoinFlip;

impl RolloutPolicy<Words> for CoinFlip {
    fn play(&self, _: &Words, rng: &mut playtree::Rng) -> Option<Outcome> {
        Some(Outcome::Win(rng.below(2)))
    }
}

/// An engine with room for some hundred positions.
fn small_engine(policy: LockPolicy) -> Mcts<Words> {
    engine_of(MEMORY, policy)
}

fn engine_of(memory: usize, policy: LockPolicy) -> Mcts<Words> {
    Mcts::builder()
        .threads(2)
        .oversubscribe(true)
        .table(TableLocks::OneLock)
        .lock_policy(policy)
        .proofs(false)
        .round_size(RoundSize::Fixed(3))
        .memory_limit(Some(memory))
        .build()
        .unwrap()
}

const MEMORY: usize = 40_000;

/// Positions to be evicted: with many of them, what was freed is used again and again.
const EVICTED: u64 = if cfg!(miri) { 1 } else { 1_000 };

/// Simulations between two looks at how many were.
const STEP: u64 = if cfg!(miri) { 100 } else { 1_000 };

#[test]
fn two_workers_evict() {
    for policy in POLICIES {
        let mut mcts = small_engine(policy);
        let (mut evicted, mut simulations) = (0, 0);
        while evicted < EVICTED {
            let state = Words { said: String::new() };
            let report = mcts.search(&state, &Budget::simulations(STEP)).unwrap();
            (evicted, simulations) = (evicted + report.evicted, simulations + report.simulations);
            mcts.audit().unwrap();
        }
        println!("{policy:?}: {evicted} positions evicted in {simulations} simulations");
    }
}

/// What two workers have made is given back while they search, and is made again.
#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(miri, ignore = "an interpreter needs half an hour to fill the memory")]
fn memory_is_given_back_while_two_workers_search() {
    let state = Words { said: String::new() };
    let memory = 10 * MEMORY;
    for policy in POLICIES {
        let thinking = engine_of(memory, policy).start(&state, &Budget::unlimited());
        let wait_until = |is_so: &dyn Fn(usize) -> bool| {
            while !is_so(thinking.report().map_or(0, |report| report.bytes as usize)) {
                std::thread::yield_now();
            }
        };
        for _ in 0..10 {
            wait_until(&|bytes| bytes > memory / 5 * 4);
            thinking.set_memory_limit(Some(memory / 2)).unwrap();
            wait_until(&|bytes| bytes <= memory / 2);
            thinking.set_memory_limit(Some(memory)).unwrap();
        }
        thinking.into_engine().audit().unwrap();
    }
}

#[test]
fn a_table_is_saved_while_two_workers_evict() {
    let file = std::env::temp_dir().join(format!("playtree-tiny-{}", std::process::id()));
    let (tag, options) = (GameTag::new("words", 1), save::Options::default());
    let state = Words { said: String::new() };
    let mut thinking = small_engine(LockPolicy::Block).start(&state, &Budget::unlimited());
    let evicted =
        |thinking: &Handle<Mcts<Words>>| thinking.report().map_or(0, |report| report.evicted);
    let (mut saved, mut during) = (0, 0);
    while saved < 2 || during == 0 {
        let before = evicted(&thinking);
        thinking.save(&file, &tag, &options).unwrap();
        during += evicted(&thinking) - before;
        saved += 1;
        let mut loaded = small_engine(LockPolicy::Block);
        loaded.load(&file, &tag).unwrap();
        loaded.audit().unwrap();
    }
    let report = thinking.stop().unwrap();
    println!("{saved} saves, {during} of {} positions evicted during them", report.evicted);
    std::fs::remove_file(&file).unwrap();
}
