//! Two engines that exchange what they find: do they agree, and how long does an exchange take?
//!
//! From each of some Othello positions two engines search in the background, with a worker each:
//! once for themselves, once with an exchange every 50 ms. Printed is in how many positions they
//! then name the same move, and how long each call of an exchange has taken beside the workers, who
//! go on. Then one engine searches in steps of 50 ms with an exchange between two of them: what that
//! takes is a pause. Arguments: positions, milliseconds for each search, lines; 20, 1000 and 512 if
//! not given.

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use playtree::game::random_move;
use playtree::games::Othello;
use playtree::mcts::exchange::{Engine, Exchange, add};
use playtree::{Budget, GameState, Handle, Mcts, Rng};

const BETWEEN_EXCHANGES: Duration = Duration::from_millis(50);
const OPENING_PLIES: u32 = 12;

/// What the calls of an exchange have taken, in microseconds.
#[derive(Default)]
struct Times {
    lines: Vec<u128>,
    share: Vec<u128>,
    absorb: Vec<u128>,
}

/// Calls something, and notes what it takes.
fn timed<T>(times: &mut Vec<u128>, call: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = call();
    times.push(begin.elapsed().as_micros());
    result
}

/// An exchange of the lines of the first engine.
fn exchange(
    exchanges: &mut [Exchange; 2],
    engines: &mut [impl Engine<Othello>; 2],
    (lines, times): (usize, &mut Times),
) -> Result<(), Box<dyn Error>> {
    let lines = timed(&mut times.lines, || exchanges[0].lines(&mut engines[0], lines))?;
    let mut sum = vec![0; lines.words()];
    for (exchange, engine) in exchanges.iter_mut().zip(&mut *engines) {
        add(&mut sum, &timed(&mut times.share, || exchange.share(engine, &lines))?);
    }
    for (exchange, engine) in exchanges.iter_mut().zip(engines) {
        timed(&mut times.absorb, || exchange.absorb(engine, &sum))?;
    }
    Ok(())
}

/// Whether both engines name the same move, and the simulations of both.
fn agree(
    state: &Othello,
    time: Duration,
    mut exchanging: Option<(usize, &mut Times)>,
) -> Result<(bool, u64), Box<dyn Error>> {
    let engine = |seed| -> Result<Handle<Mcts<Othello>>, Box<dyn Error>> {
        let mcts = Mcts::builder().threads(1).seed(seed).build()?;
        Ok(mcts.start(state, &Budget::unlimited()))
    };
    let begin = Instant::now();
    let mut engines = [engine(1)?, engine(2)?];
    let mut exchanges = [Exchange::one_of(0, 2)?, Exchange::one_of(1, 2)?];
    while begin.elapsed() < time {
        thread::sleep(BETWEEN_EXCHANGES);
        if let Some((lines, times)) = &mut exchanging {
            exchange(&mut exchanges, &mut engines, (*lines, times))?;
        }
    }
    let mut simulations = 0;
    for engine in &mut engines {
        simulations += engine.stop()?.simulations;
    }
    // What was found since the last exchange.
    let mut engines = engines.map(Handle::into_engine);
    if let Some((lines, _)) = exchanging {
        exchange(&mut exchanges, &mut engines, (lines, &mut Times::default()))?;
    }
    let mut moves = Vec::new();
    for engine in &mut engines {
        engine.audit()?;
        moves.push(engine.best_move(state, &Budget::simulations(0))?);
    }
    Ok((moves[0] == moves[1], simulations))
}

/// How long an engine that searches in steps pauses for its part in each exchange: that of the one
/// that chooses the lines, and of another one.
fn pauses(
    state: &Othello,
    time: Duration,
    lines: usize,
    (first, other): (&mut Vec<u128>, &mut Vec<u128>),
) -> Result<(), Box<dyn Error>> {
    let mut engines = [1, 2].map(|seed| Mcts::builder().threads(1).seed(seed).build());
    let [Ok(one), Ok(two)] = &mut engines else { return Err("no engine".into()) };
    let mut engines =
        [one.begin(state, &Budget::unlimited())?, two.begin(state, &Budget::unlimited())?];
    let mut exchanges = [Exchange::one_of(0, 2)?, Exchange::one_of(1, 2)?];
    let begin = Instant::now();
    while begin.elapsed() < time {
        for steps in &mut engines {
            steps.step_for(BETWEEN_EXCHANGES)?;
        }
        let mut times = Times::default();
        exchange(&mut exchanges, &mut engines, (lines, &mut times))?;
        first.push(times.lines[0] + times.share[0] + times.absorb[0]);
        other.push(times.share[1] + times.absorb[1]);
    }
    Ok(())
}

/// The half and 99 of 100 take at most this, and the longest.
fn print(name: &str, times: &mut [u128]) {
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("{name:<15} {:>8} {:>8} {:>8} us of {}", at(0.5), at(0.99), at(1.0), times.len());
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (positions, milliseconds, lines) = (number(20)?, number(1000)?, number(512)? as usize);
    let time = Duration::from_millis(milliseconds);
    let (mut alone, mut together, mut times) = ((0, 0), (0, 0), Times::default());
    let (mut first, mut other) = (Vec::new(), Vec::new());
    for seed in 0..positions {
        let mut rng = Rng::from_seed(seed);
        let mut state = Othello::new();
        while state.plies() < OPENING_PLIES
            && let Some(mv) = random_move(&state, &mut rng, &mut Vec::new())
        {
            state = state.apply(&mv);
        }
        let (same, simulations) = agree(&state, time, None)?;
        alone = (alone.0 + u64::from(same), alone.1 + simulations);
        let (same, simulations) = agree(&state, time, Some((lines, &mut times)))?;
        together = (together.0 + u64::from(same), together.1 + simulations);
        pauses(&state, time, lines, (&mut first, &mut other))?;
    }
    println!("same move of {positions} positions, {milliseconds} ms each, {lines} lines");
    println!("without exchange: {}, {} simulations", alone.0, alone.1);
    println!("with exchange: {}, {} simulations", together.0, together.1);
    println!("call              median     99 %     most");
    print("lines", &mut times.lines);
    print("share", &mut times.share);
    print("absorb", &mut times.absorb);
    print("pause of one", &mut other);
    print("with its lines", &mut first);
    Ok(())
}
