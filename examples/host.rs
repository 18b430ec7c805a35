//! A program that lives long: games of Othello on the clock, with pondering and a memory limit.
//!
//! Each side has an engine in the background, which thinks on in the other's time. Printed are
//! the resident memory and the threads after each game (on Linux). At the end one engine saves
//! what it knows. The program fails if after some game the memory is larger than after the
//! tenth, or if a thread is left over at the end.
//!
//! ```console
//! $ cargo run --release --example host -- 1000
//! ```

use std::error::Error;
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use playtree::budget::{GameClock, TimeManager};
use playtree::games::Othello;
use playtree::{Budget, GameState, GameTag, Handle, Mcts, Outcome, save};

/// The most memory of each engine.
const MEMORY: usize = 8 << 20;
/// Growth that is none: stacks and caches of the system's allocator come and go.
const NOISE: u64 = 2 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let games = env::args().nth(1).map_or(Ok(20), |games| games.parse::<u32>())?;
    let threads_before = threads();
    let engine = |seed| Mcts::builder().threads(1).seed(seed).memory_limit(Some(MEMORY)).build();
    let start = |mcts: Mcts<Othello>| mcts.start(&Othello::new(), &Budget::unlimited());
    let mut players = [start(engine(1)?), start(engine(2)?)];

    let mut settled = None;
    let mut score = 0.0;
    for game in 1..=games {
        score += play(&mut players)?;
        let (resident, threads) = (resident(), threads());
        println!(
            "game {game}: the first player has {score}; resident: {resident:?} bytes, \
             threads: {threads:?}"
        );
        if game >= 10 {
            let at_first = *settled.get_or_insert(resident);
            if at_first.zip(resident).is_some_and(|(first, now)| now > first + NOISE) {
                return Err(format!("memory has grown from {at_first:?} bytes").into());
            }
        }
    }

    save(players.map(Handle::into_engine))?;
    // The system may still be clearing away a thread that has ended.
    let patience = Instant::now();
    while threads() != threads_before && patience.elapsed() < Duration::from_secs(5) {
        thread::yield_now();
    }
    println!("threads: {threads_before:?} at the start, {:?} at the end", threads());
    if threads() == threads_before { Ok(()) } else { Err("a thread is left over".into()) }
}

/// Saves what the first of the engines knows, and drops both.
fn save([mcts, _]: [Mcts<Othello>; 2]) -> Result<(), Box<dyn Error>> {
    let path = env::temp_dir().join(format!("playtree-host-{}", process::id()));
    let saved = mcts.save(&path, &GameTag::new("othello", 1), &save::Options::default());
    let length = fs::metadata(&path).map(|file| file.len());
    fs::remove_file(&path)?;
    saved?;
    println!("saved {} bytes; resident: {:?} bytes", length?, resident());
    Ok(())
}

/// A game; the first player's score.
fn play(players: &mut [Handle<Mcts<Othello>>; 2]) -> Result<f64, Box<dyn Error>> {
    let clock = GameClock::Fischer {
        remaining: Duration::from_millis(200),
        increment: Duration::from_millis(5),
    };
    let mut clocks = [clock; 2];
    let manager = TimeManager::new().lag(Duration::from_millis(3));
    let mut state = Othello::new();
    let outcome = loop {
        if let Some(outcome) = state.outcome() {
            break outcome;
        }
        let (side, begun) = (state.mover(), Instant::now());
        // What was pondered on turns into a search: the clock runs from here.
        players[side].think(&state, &manager.budget(clocks[side], state.plies()));
        let best = players[side].wait()?.best_move;
        match clocks[side].after_move(begun.elapsed()) {
            Some(clock) => clocks[side] = clock,
            None => break Outcome::Win(1 - side),
        }
        state = state.apply(&best);
        if state.outcome().is_none() {
            players[side].ponder(&state);
        }
    };
    for player in players {
        player.stop()?;
    }
    Ok(outcome.score(0))
}

/// Bytes of this process in memory, where the system tells.
fn resident() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Threads of this process, where the system tells.
fn threads() -> Option<usize> {
    Some(fs::read_dir("/proc/self/task").ok()?.count())
}
