//! Saved files that were changed, with the checksums made right again, so that the deeper checks
//! are reached: an error, or an engine that is sound. No panic, no hang, no memory without end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use playtree::games::{ConnectFour, TicTacToe};
use playtree::mcts::{Invariant, Selection};
use playtree::save;
use playtree::solver::Method;
use playtree::{
    Budget, GameState, GameTag, Mcts, Outcome, Saveable, SearchError, Solvable, Solver,
};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::Random;
use crate::dice::Dice;
use crate::faults::{doing, fault, other_panics_are_faults, watchdog, without_panic};
use crate::process::resident_mib;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    random: Random,
}

// Where the parts of a file lie: docs/file-format.md.
const MIN_BYTES: usize = 120;
const NAME_LENGTH_AT: usize = 100;
const NAME_AT: usize = 112;
const BODY_CHECKSUM_AT: usize = 80;
const FILE_LENGTH_AT: usize = 32;
const VERSION_AT: usize = 8;
const BLOCK_HEADER: usize = 24;
const CHECKSUM_BYTES: usize = 8;

fn word_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// The length of the header with its name and checksum.
fn header_length(bytes: &[u8]) -> usize {
    NAME_AT + word_at(bytes, NAME_LENGTH_AT) as usize + CHECKSUM_BYTES
}

/// Makes the checksums of the blocks and of the header anew, and the length if wanted. False if the
/// file is beyond that.
fn seal(bytes: &mut [u8], with_length: bool) -> bool {
    if bytes.len() < MIN_BYTES || word_at(bytes, NAME_LENGTH_AT) > 255 {
        return false;
    }
    let header = header_length(bytes);
    if bytes.len() < header {
        return false;
    }
    let (mut at, mut sum) = (header, 0);
    while at + BLOCK_HEADER <= bytes.len() {
        let stored = word_at(bytes, at + 12) as usize;
        let body = at + BLOCK_HEADER;
        if body + stored > bytes.len() {
            break;
        }
        sum = XxHash3_64::oneshot_with_seed(sum, &bytes[at..at + 16]);
        sum = XxHash3_64::oneshot_with_seed(sum, &bytes[body..body + stored]);
        bytes[at + 16..body].copy_from_slice(&sum.to_le_bytes());
        at = body + stored;
    }
    bytes[BODY_CHECKSUM_AT..][..8].copy_from_slice(&sum.to_le_bytes());
    if with_length {
        let length = bytes.len() as u64;
        bytes[FILE_LENGTH_AT..][..8].copy_from_slice(&length.to_le_bytes());
    }
    bytes[VERSION_AT..][..4].copy_from_slice(&1_u32.to_le_bytes());
    let checksum = XxHash3_64::oneshot(&bytes[..header - CHECKSUM_BYTES]);
    bytes[header - CHECKSUM_BYTES..header].copy_from_slice(&checksum.to_le_bytes());
    true
}

const WORDS: [u32; 16] = [
    0,
    1,
    2,
    0x7fff_ffff,
    0x8000_0000,
    u32::MAX,
    u32::MAX - 1,
    0xffff_0000,
    0xfffe_ffff,
    1 << 28,
    (1 << 28) + 1,
    1 << 30,
    1 << 29,
    5 << 29,
    3 << 29,
    100,
];
const LONG_WORDS: [u64; 11] = [
    0,
    1,
    2,
    u64::MAX,
    u64::MAX - 1,
    u32::MAX as u64,
    u32::MAX as u64 - (1 << 24) - 50,
    1 << 40,
    1 << 58,
    1 << 60,
    77,
];

/// Changes a file in some places, and says where.
fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>) -> String {
    let header = header_length(bytes);
    let mut what = String::new();
    for _ in 0..1 + dice.below(4) {
        what += &mutate_once(dice, bytes, header);
        what += "; ";
    }
    what
}

fn mutate_once(dice: &mut Dice, bytes: &mut Vec<u8>, header: usize) -> String {
    let word = dice.pick(&WORDS);
    let kind = dice.below(9);
    let Some(body) = bytes.len().checked_sub(header).filter(|&body| body > 64) else {
        return "nothing".to_owned();
    };
    let below = |dice: &mut Dice, end: usize| dice.below(end as u64) as usize;
    match kind {
        0 => {
            let at = header + below(dice, body);
            bytes[at] ^= 1 << dice.below(8);
            format!("bit at {at}")
        }
        1 | 2 => {
            let at = header + below(dice, body - 4);
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            format!("{word:#x} at {at}")
        }
        3 => {
            let at = dice.pick(&[16, 40, 48, 56, 64, 72, 88, 96, 98, 104, 108]);
            let long = dice.pick(&LONG_WORDS);
            let length = match at {
                96 | 98 => 2,
                16 | 104 | 108 => 4,
                _ => 8,
            };
            bytes[at..at + length].copy_from_slice(&long.to_le_bytes()[..length]);
            format!("header: {long:#x} at {at}")
        }
        4 => {
            let at = dice.pick(&[40, 48, 56, 64, 72, 88]);
            let before = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
            let after = before.wrapping_add(dice.pick(&[1, 2, u64::MAX]));
            bytes[at..at + 8].copy_from_slice(&after.to_le_bytes());
            format!("header: {before} to {after} at {at}")
        }
        5 => {
            let at = header + BLOCK_HEADER + below(dice, body - 40);
            let end = (at + 1 + below(dice, 16)).min(bytes.len());
            bytes.drain(at..end);
            if dice.one_in(2) {
                for length_at in [header + 8, header + 12] {
                    let length = word_at(bytes, length_at).wrapping_sub((end - at) as u32);
                    bytes[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
                }
            }
            format!("cut {at} to {end}")
        }
        6 => {
            let words = (body - 30) / 4;
            let from = header + BLOCK_HEADER + 4 * below(dice, words);
            let to = header + BLOCK_HEADER + 4 * below(dice, words);
            bytes.copy_within(from..from + 4, to);
            format!("copy {from} to {to}")
        }
        7 => {
            let at = header + dice.pick(&[0, 4, 8, 12]);
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            format!("block: {word:#x} at {at}")
        }
        _ => {
            let stored = word_at(bytes, header + 12) as usize;
            let second = header + BLOCK_HEADER + stored;
            let Some(room) = bytes.len().checked_sub(second + BLOCK_HEADER + 4) else {
                return "nothing".to_owned();
            };
            let at = second + BLOCK_HEADER + below(dice, room.max(1));
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            format!("second block: {word:#x} at {at}")
        }
    }
}

/// A game whose keys and moves are of different lengths.
#[derive(Clone, Debug)]
struct Words {
    at: u32,
    ply: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum WordKey {
    Text(String, u32),
    List(Vec<(u8, Option<String>)>, u32),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum WordMove {
    Pass,
    Take(String),
    Many(Vec<u64>),
}

impl GameState for Words {
    type Key = WordKey;
    type Move = WordMove;

    fn key(&self) -> WordKey {
        let number = self.at << 8 | self.ply;
        if self.at.is_multiple_of(2) {
            return WordKey::Text("a".repeat(self.at as usize % 40), number);
        }
        let item =
            |item: u32| (item as u8, item.is_multiple_of(2).then(|| "z".repeat(item as usize)));
        WordKey::List((0..self.at % 9).map(item).collect(), number)
    }

    fn mover(&self) -> usize {
        self.ply as usize % 2
    }

    fn plies(&self) -> u32 {
        self.ply
    }

    fn moves(&self, moves: &mut Vec<WordMove>) {
        if self.ply < 12 {
            let take = WordMove::Take("x".repeat(self.at as usize % 5));
            moves.extend([WordMove::Pass, take, WordMove::Many(vec![1; self.at as usize % 4])]);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ply >= 12).then_some(Outcome::Win(self.at as usize % 2))
    }

    fn apply(&self, mv: &WordMove) -> Self {
        let number = match mv {
            WordMove::Pass => 1,
            WordMove::Take(text) => 2 + text.len() as u32,
            WordMove::Many(list) => 30 + list.len() as u32,
        };
        Self { at: (self.at * 7 + number) % 997, ply: (self.ply + 1).min(12) }
    }
}

impl Solvable for Words {}

/// Keys and moves without size, and positions that come again.
#[derive(Clone, Debug)]
struct Unit {
    ply: u32,
}

impl GameState for Unit {
    type Key = ();
    type Move = ();

    const PLAYERS: usize = 1;

    fn key(&self) {}

    fn mover(&self) -> usize {
        0
    }

    fn plies(&self) -> u32 {
        self.ply
    }

    fn moves(&self, moves: &mut Vec<()>) {
        moves.push(());
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn apply(&self, _: &()) -> Self {
        Self { ply: self.ply + 1 }
    }
}

/// A part of the attack: until when, and from which seed on.
struct Part<'a> {
    folder: &'a Path,
    until: Instant,
    seed: u64,
    seen: &'a mut BTreeMap<String, u64>,
}

/// Files larger than this in memory are a fault: all of them are small.
const MOST_MIB: u64 = 100;

impl Part<'_> {
    /// Loads changed copies of `files` with `load` until the time is over.
    fn attack(
        &mut self,
        name: &str,
        files: &[Vec<u8>],
        mut load: impl FnMut(&mut Dice, &Path, &str) -> Result<(), String>,
    ) {
        let path = self.folder.join("changed");
        while Instant::now() < self.until {
            self.seed = self.seed.wrapping_add(1);
            let mut dice = Dice::new(self.seed);
            let mut bytes = files[dice.below(files.len() as u64) as usize].clone();
            let changes = mutate(&mut dice, &mut bytes);
            if !seal(&mut bytes, dice.below(8) > 0) {
                continue;
            }
            std::fs::write(&path, &bytes).expect("a folder of its own");
            let what = format!("{name}, seed {}: {changes}", self.seed);
            doing(what.clone());
            let before = resident_mib();
            let loaded = without_panic(&what, || load(&mut dice, &path, &what));
            let took = resident_mib().saturating_sub(before);
            if took > MOST_MIB {
                fault!("{took} MiB more: {what}");
            }
            let kind = match loaded {
                Some(Ok(())) => "loaded".to_owned(),
                Some(Err(error)) => error.rsplit("expected").next().unwrap_or_default().to_owned(),
                None => "a panic".to_owned(),
            };
            let kind: String = kind.chars().filter(|c| !c.is_ascii_digit()).take(40).collect();
            *self.seen.entry(format!("{name}: {kind}")).or_default() += 1;
        }
    }

    fn table<G: Saveable + 'static>(&mut self, start: &G, name: &str, selection: Selection) {
        let tag = GameTag::new(name, 1);
        let engine = |seed: u64, limit: Option<usize>| {
            let builder = Mcts::<G>::builder().threads(1).seed(seed).memory_limit(limit);
            builder.rollout_limit(50).selection(selection).build().unwrap()
        };
        let (good, again) = (self.folder.join("good"), self.folder.join("again"));
        let mut files = Vec::new();
        for (simulations, compress) in [(60, false), (2_000, false), (2_000, true)] {
            let mut mcts = engine(3, None);
            mcts.search(start, &Budget::simulations(simulations)).unwrap();
            mcts.save(&good, &tag, &save::Options::default().compress(compress)).unwrap();
            files.push(std::fs::read(&good).expect("just written"));
        }
        self.attack(&format!("table of {name}"), &files, |dice, path, what| {
            let limit = dice.pick(&[None, None, Some(1 << 20), Some(60_000)]);
            let mut mcts = engine(dice.next(), limit);
            let loaded = if dice.one_in(3) {
                mcts.search(start, &Budget::simulations(500)).unwrap();
                mcts.merge(path, &tag).map(drop)
            } else {
                mcts.load(path, &tag).map(drop)
            };
            if let Err(inconsistency) = mcts.audit() {
                fault!("audit after load: {inconsistency}: {what}");
            }
            loaded.map_err(|error| error.to_string())?;
            search_on(&mut mcts, start, what);
            if let Err(error) = mcts.save(&again, &tag, &save::Options::default()) {
                fault!("not saved: {error}: {what}");
            } else if let Err(error) = engine(1, None).load(&again, &tag) {
                fault!("saved, and not loaded: {error}: {what}");
            }
            Ok(())
        });
    }

    fn facts<G: Solvable + Saveable + 'static>(&mut self, start: &G, name: &str) {
        let tag = GameTag::new(name, 1);
        let good = self.folder.join("good");
        let mut files = Vec::new();
        for compress in [false, true] {
            let mut solver = Solver::<G>::builder().threads(1).build().unwrap();
            solver.solve(start, &Budget::nodes(20_000)).unwrap();
            solver.save(&good, &tag, &save::Options::default().compress(compress)).unwrap();
            files.push(std::fs::read(&good).expect("just written"));
        }
        self.attack(&format!("facts of {name}"), &files, |dice, path, what| {
            let limit = dice.pick(&[1 << 20, 64 << 20, 200_000, 16_384]);
            let method = dice.pick(&[Method::AlphaBeta, Method::ProofNumbers]);
            let builder = Solver::<G>::builder().threads(dice.pick(&[1, 2])).oversubscribe(true);
            let mut solver = builder.memory_limit(limit).method(method).build().unwrap();
            solver.load(path, &tag).map_err(|error| error.to_string())?;
            let time = Duration::from_secs(5);
            let begin = Instant::now();
            // Facts that are wrong may lead to a wrong answer.
            drop(solver.solve(start, &Budget::nodes(50_000).and_time(time)));
            if begin.elapsed() > 2 * time {
                fault!("solving took {:?}: {what}", begin.elapsed());
            }
            Ok(())
        });
    }
}

/// Searches with what was loaded. Positions whose counts are at the end of their range may be
/// refused.
fn search_on<G: GameState>(mcts: &mut Mcts<G>, start: &G, what: &str) {
    for simulations in [300, 3_000] {
        let time = Duration::from_secs(5);
        let begin = Instant::now();
        match mcts.search(start, &Budget::simulations(simulations).and_time(time)) {
            Ok(_) | Err(SearchError::GameOver(_)) => {}
            Err(error) => println!("search: {error}: {what}"),
        }
        if begin.elapsed() > 2 * time {
            fault!("a search took {:?}: {what}", begin.elapsed());
        }
        // A file may say of a branch that it is proven, which the position behind it contradicts
        // once it is searched.
        if let Err(inconsistency) = mcts.audit()
            && inconsistency.law != Invariant::BranchBounds
        {
            fault!("audit after a search: {inconsistency}: {what}");
        }
    }
}

pub(crate) fn run(args: &Args) -> String {
    watchdog(60);
    other_panics_are_faults();
    let folder: PathBuf =
        std::env::temp_dir().join(format!("playtree-attack-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder of its own");
    let mut seen = BTreeMap::new();
    let time = Duration::from_millis(args.random.seconds * 1_000 / 7);
    for number in 0..7 {
        let until = Instant::now() + time;
        let mut part = Part { folder: &folder, until, seed: args.random.seed, seen: &mut seen };
        let (words, ucb1) = (Words { at: 1, ply: 0 }, Selection::default());
        match number {
            0 => part.table(&TicTacToe::new(), "tic-tac-toe", ucb1),
            1 => part.table(&TicTacToe::new(), "tic-tac-toe, tuned", Selection::Ucb1Tuned),
            2 => part.table(&words, "words", ucb1),
            3 => part.table(&Unit { ply: 0 }, "unit", ucb1),
            4 => part.table(&ConnectFour::new(), "Connect Four", ucb1),
            5 => part.facts(&TicTacToe::new(), "tic-tac-toe"),
            _ => part.facts(&words, "words"),
        }
    }
    drop(std::fs::remove_dir_all(&folder));
    for (what, count) in &seen {
        println!("{count:6} {what}");
    }
    format!("{} files, {} kinds of answers", seen.values().sum::<u64>(), seen.len())
}
