//! Games of a network against others.

use playtree::game::{UniformMoves, random_move};
use playtree::mcts::Selection;
use playtree::{Budget, Mcts, Rng};
use playtree_planes::{Planes, write};

use super::labelled::{best_move, engine};
use crate::crew::share;
use crate::net::Net;
use crate::play::{Answered, PlayError, search_all};
use crate::seed_of;

/// How the network plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The move with the highest logit.
    Policy,
    /// A search of this number of simulations.
    Search(u64),
}

/// Whom it plays against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Random moves.
    Random,
    /// The library's search as the textbook has it, of this number of simulations: UCB1, uniformly
    /// random games whatever the game's own rollouts see, no proofs. So it stays what it is when the
    /// library gets better.
    Plain(u64),
}

/// Games of a batch.
const TOGETHER: usize = 20;

/// A game under way.
struct Game<G: Planes> {
    state: G,
    /// Which player the network is.
    side: usize,
    ours: Mcts<G>,
    theirs: Mcts<G>,
    rng: Rng,
}

/// The score of the network in this number of games, 0 to 1. Two games, one with each side, begin
/// with the same two random moves.
///
/// # Errors
/// If the network or a search does not go on.
pub fn score<G: Planes + Default>(
    net: &Net,
    player: Player,
    opponent: Opponent,
    games: usize,
    threads: usize,
    seed: u64,
) -> Result<f64, PlayError> {
    let numbers: Vec<u64> = (0..games as u64).collect();
    let parts: Vec<Vec<u64>> = numbers.chunks(TOGETHER).map(<[u64]>::to_vec).collect();
    let points = share(threads, parts, |numbers| {
        let games = numbers.iter().map(|&number| begin::<G>(seed, number));
        let mut games: Vec<Game<G>> = games.collect::<Result<_, _>>()?;
        let mut net = Answered::new(net);
        loop {
            let mut going: Vec<&mut Game<G>> =
                games.iter_mut().filter(|game| game.state.outcome().is_none()).collect();
            if going.is_empty() {
                break;
            }
            let (mut ours, theirs): (Vec<_>, Vec<_>) =
                going.drain(..).partition(|game| game.state.mover() == game.side);
            if !ours.is_empty() {
                our_moves(&mut ours, &mut net, player)?;
            }
            theirs.into_iter().try_for_each(|game| their_move(game, opponent))?;
        }
        let end = |game: &Game<G>| game.state.outcome().map_or(0.5, |end| end.score(game.side));
        Ok::<_, PlayError>(games.iter().map(end).sum::<f64>())
    })?;
    Ok(points.iter().sum::<f64>() / games as f64)
}

fn begin<G: Planes + Default>(seed: u64, number: u64) -> Result<Game<G>, PlayError> {
    let mut pair = Rng::from_seed(seed_of(seed, number / 2));
    let mut state = G::default();
    for _ in 0..2 {
        let Some(mv) = random_move(&state, &mut pair, &mut Vec::new()) else { break };
        state = state.apply(&mv);
    }
    let own = seed_of(seed, u64::MAX - number);
    let theirs = Mcts::builder()
        .threads(1)
        .seed(own)
        .selection(Selection::default())
        .rollouts(UniformMoves)
        .proofs(false)
        .build()?;
    let (ours, rng) = (engine(own)?, Rng::from_seed(own));
    Ok(Game { state, side: number as usize % 2, ours, theirs, rng })
}

fn our_moves<G: Planes>(
    games: &mut [&mut Game<G>],
    net: &mut Answered<'_>,
    player: Player,
) -> Result<(), PlayError> {
    let moves: Vec<Option<G::Move>> = match player {
        Player::Policy => {
            let mut planes = Vec::new();
            games.iter().for_each(|game| write(&game.state, &mut planes));
            let outputs = net.net().evaluate(&planes)?;
            let rows = outputs.logits.chunks_exact(G::FORM.moves);
            games.iter().zip(rows).map(|(game, logits)| best_move(&game.state, logits)).collect()
        }
        Player::Search(simulations) => {
            let searches = games.iter_mut().map(|game| (&mut game.ours, &game.state));
            let reports = search_all(searches.collect(), simulations, net)?;
            reports.into_iter().map(|report| Some(report.best_move)).collect()
        }
    };
    for (game, mv) in games.iter_mut().zip(moves) {
        if let Some(mv) = mv {
            game.state = game.state.apply(&mv);
        }
    }
    Ok(())
}

fn their_move<G: Planes>(game: &mut Game<G>, opponent: Opponent) -> Result<(), PlayError> {
    let mv = match opponent {
        Opponent::Random => random_move(&game.state, &mut game.rng, &mut Vec::new()),
        Opponent::Plain(simulations) => {
            Some(game.theirs.best_move(&game.state, &Budget::simulations(simulations))?)
        }
    };
    if let Some(mv) = mv {
        game.state = game.state.apply(&mv);
    }
    Ok(())
}
