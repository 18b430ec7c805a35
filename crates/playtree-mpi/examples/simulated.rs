//! Are many ranks as strong as one search with all their simulations, and stronger than a vote?
//!
//! Simulated ranks: engines of one process that search in steps and take turns, with an exchange
//! after each slice of the search that is absorbed a slice later, and one at the end of a move. So
//! what is found does not depend on the machine, nor on how long anything takes. They play against
//! one search with the simulations of all of them, or against the same number of engines that
//! exchange nothing and add up the visits of their moves. Each opening of random plies is played
//! twice with sides swapped.
//!
//! Arguments, in this order, and what they are if not given: game (othello, hex, connect4), ranks
//! (4), opponent (one, vote), games (400), simulations of all ranks for a move (8192), slices
//! (128), lines of an exchange (128).

use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, thread};

use playtree::budget::{Hint, Progress, StopRule};
use playtree::game::random_move;
use playtree::games::{ConnectFour, Hex, Othello, ReferenceGame};
use playtree::mcts::exchange::{Exchange, ExchangeError, add};
use playtree::mcts::{Options, Report, Steps};
use playtree::statistics::MatchScore;
use playtree::{Budget, GameState, Mcts, Rng, StopReason};

/// Random plies before a game.
const OPENING_PLIES: u32 = 4;

/// The side of the Hex board.
const HEX_SIZE: usize = 7;

/// Ends a search after a number of simulations that it does not know of: so it searches as one that
/// ends by the clock, in long rounds. They end where a slice does.
#[derive(Debug)]
struct Exactly {
    simulations: u64,
    /// The simulations of a slice, not 0.
    slice: u64,
}

impl StopRule for Exactly {
    fn check(&self, progress: &Progress) -> Hint {
        let done = progress.simulations;
        let left = self.simulations.saturating_sub(done);
        let left_of_slice = self.slice - done % self.slice;
        Hint::stop_if(left == 0, StopReason::Simulations)
            .within_simulations(left.min(left_of_slice))
    }

    fn is_limit(&self) -> bool {
        true
    }
}

/// How a match is played.
#[derive(Clone, Copy)]
struct Match {
    ranks: usize,
    votes: bool,
    games: usize,
    simulations: u64,
    slices: u64,
    lines: usize,
}

/// Engines of one side.
struct Side<G: ReferenceGame> {
    engines: Vec<Mcts<G>>,
    /// One for each engine, empty if they do not exchange.
    exchanges: Vec<Exchange>,
}

impl<G: ReferenceGame> Side<G> {
    fn new(engines: usize, exchanges: bool, seed: u64) -> Result<Self, Box<dyn Error>> {
        let engine = |number: usize| {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
            Mcts::builder().threads(1).seed(seed).build()
        };
        let engines: Vec<_> = (0..engines).map(engine).collect::<Result<_, _>>()?;
        let ranks = if exchanges { engines.len() } else { 0 };
        let exchanges = (0..ranks).map(|rank| Exchange::one_of(rank, ranks));
        Ok(Self { exchanges: exchanges.collect::<Result<_, _>>()?, engines })
    }

    /// A move after the simulations of all engines together.
    fn choose(&mut self, state: &G, rules: Match) -> Result<G::Move, Box<dyn Error>> {
        let Self { engines, exchanges } = self;
        let simulations = rules.simulations / engines.len() as u64;
        let exactly =
            |slice: u64| Budget::unlimited().and(Exactly { simulations, slice: slice.max(1) });
        if exchanges.is_empty() {
            let (budget, options) = (exactly(simulations), Options::new().detailed(1));
            let reports = engines.iter_mut().map(|mcts| mcts.search_with(state, &budget, &options));
            return Ok(voted(&reports.collect::<Result<Vec<_>, _>>()?));
        }
        let slice = simulations.div_ceil(rules.slices);
        let budget = exactly(slice);
        let begun = engines.iter_mut().map(|mcts| mcts.begin(state, &budget));
        let mut searches = begun.collect::<Result<Vec<_>, _>>()?;
        let mut late: Option<Vec<i64>> = None;
        for _ in 0..rules.slices {
            for search in &mut searches {
                search.step(slice)?;
            }
            if let Some(sum) = late.take() {
                absorb(exchanges, &mut searches, &sum)?;
            }
            late = Some(share(exchanges, &mut searches, rules.lines)?);
        }
        if let Some(sum) = late {
            absorb(exchanges, &mut searches, &sum)?;
        }
        Ok(searches[0].report()?.best_move)
    }
}

/// The sum of what all searches have found at the lines of the first one.
fn share<G: GameState>(
    exchanges: &mut [Exchange],
    searches: &mut [Steps<'_, G>],
    lines: usize,
) -> Result<Vec<i64>, ExchangeError> {
    let lines = exchanges[0].lines(&mut searches[0], lines)?;
    let mut sum = vec![0; lines.words()];
    for (exchange, search) in exchanges.iter_mut().zip(searches) {
        add(&mut sum, &exchange.share(search, &lines)?);
    }
    Ok(sum)
}

/// All searches take the sum.
fn absorb<G: GameState>(
    exchanges: &mut [Exchange],
    searches: &mut [Steps<'_, G>],
    sum: &[i64],
) -> Result<(), ExchangeError> {
    for (exchange, search) in exchanges.iter_mut().zip(searches) {
        exchange.absorb(search, sum)?;
    }
    Ok(())
}

/// The move with the most visits of all engines; one that is proven to win or not to lose, first.
fn voted<M: Clone + PartialEq>(reports: &[Report<M>]) -> M {
    let [first, others @ ..] = reports else { unreachable!("a side has an engine") };
    if others.is_empty() {
        return first.best_move.clone();
    }
    let worth = |mv: &M| {
        let all = reports.iter().flat_map(|report| &report.moves).filter(|other| other.mv == *mv);
        let (mut visits, mut proven) = (0, 0);
        for found in all {
            visits += found.visits;
            if found.proven.is_some() {
                proven = match found.win_rate {
                    Some(rate) if rate > 0.9 => 1,
                    Some(rate) if rate < 0.1 => -1,
                    _ => proven,
                };
            }
        }
        (proven, visits)
    };
    let best = first.moves.iter().max_by_key(|found| worth(&found.mv));
    best.map_or_else(|| first.best_move.clone(), |found| found.mv.clone())
}

/// The score of the ranks in a game: `number` and the next one have the same opening.
fn play<G: ReferenceGame>(start: &G, number: usize, rules: Match) -> Result<f64, Box<dyn Error>> {
    let mut rng = Rng::from_seed(number as u64 / 2);
    let mut state = start.clone();
    for _ in 0..OPENING_PLIES {
        if let Some(mv) = random_move(&state, &mut rng, &mut Vec::new()) {
            state = state.apply(&mv);
        }
    }
    let ranks_are = number % 2;
    let mut ranks = Side::new(rules.ranks, true, 2 * number as u64 + 1)?;
    let others = if rules.votes { rules.ranks } else { 1 };
    let mut other = Side::new(others, false, 2 * number as u64 + 2)?;
    loop {
        if let Some(outcome) = state.outcome() {
            return Ok(outcome.score(ranks_are));
        }
        let side = if state.mover() == ranks_are { &mut ranks } else { &mut other };
        let mv = side.choose(&state, rules)?;
        state = state.apply(&mv);
    }
}

fn play_match<G: ReferenceGame + Sync>(start: &G, rules: Match) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let next = AtomicUsize::new(0);
    let scores = Mutex::new(vec![None; rules.games]);
    let threads = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // Relaxed: the counter hands out games and orders nothing else.
                while let number = next.fetch_add(1, Ordering::Relaxed)
                    && number < rules.games
                {
                    let score = play(start, number, rules).map_err(|error| error.to_string());
                    scores.lock().expect("no thread has panicked")[number] = Some(score);
                }
            });
        }
    });
    let scores = scores.into_inner()?;
    let scores: Vec<f64> = scores.into_iter().flatten().collect::<Result<_, _>>()?;
    let score = MatchScore::of_pairs(
        scores.chunks(2).map(|pair| pair.iter().sum::<f64>() / pair.len() as f64),
    )
    .score();
    println!(
        "{}: {} ranks against {}, {} games, {} simulations a move in {} slices, {} lines: {:.1} % \
         [{:.1}, {:.1}], {:.0} s",
        G::INFO.name,
        rules.ranks,
        if rules.votes { "a vote of engines" } else { "one" },
        rules.games,
        rules.simulations,
        rules.slices,
        rules.lines,
        score.value * 100.0,
        score.low * 100.0,
        score.high * 100.0,
        begin.elapsed().as_secs_f64(),
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "othello".into());
    let number = |default: u64, text: Option<String>| {
        text.map_or(Ok(default), |text| text.parse()).map_err(|error| format!("a number: {error}"))
    };
    let ranks = number(4, arguments.next())?;
    let votes = match arguments.next().as_deref() {
        None | Some("one") => false,
        Some("vote") => true,
        Some(other) => return Err(format!("expected one or vote, found '{other}'").into()),
    };
    let rules = Match {
        ranks: ranks.max(1) as usize,
        votes,
        games: number(400, arguments.next())? as usize,
        simulations: number(8192, arguments.next())?,
        slices: number(128, arguments.next())?.max(1),
        lines: number(128, arguments.next())? as usize,
    };
    match game.as_str() {
        "othello" => play_match(&Othello::new(), rules),
        "hex" => play_match(&Hex::new(HEX_SIZE).ok_or("a board")?, rules),
        "connect4" => play_match(&ConnectFour::new(), rules),
        other => Err(format!("expected othello, hex or connect4, found '{other}'").into()),
    }
}
