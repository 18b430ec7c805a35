//! Games of a network against itself, many of them in one batch.

mod game;
mod together;

use playtree_planes::Planes;

use crate::batch::Sample;
use crate::crew::share;
use crate::net::{Net, NetError};
use crate::seed_of;
use game::Game;

pub use together::{Answered, search_all};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// Simulations for each move.
    pub simulations: u64,
    /// Games begin with up to this number of random moves, so that the network learns of positions
    /// that it would not come to by itself.
    pub random_moves: usize,
    /// Games whose positions are in one batch.
    pub together: usize,
}

/// What ends the games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The network does not compute.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A search does not go on.
    #[error(transparent)]
    Search(#[from] playtree::SearchError),
    /// There is no engine with these settings.
    #[error(transparent)]
    Config(#[from] playtree::ConfigError),
}

/// Plays the games with numbers from `first` on: the samples of each, in the order of the games.
///
/// The games of a block share a batch, and a block is played by one thread: so they are the same
/// for any number of threads.
///
/// # Errors
/// As [`PlayError`] says.
pub fn games<G: Planes + Default>(
    net: &Net,
    play: Play,
    seed: u64,
    first: u64,
    count: usize,
    threads: usize,
) -> Result<Vec<Vec<Sample>>, PlayError> {
    let block = play.together.max(1);
    let blocks: Vec<Vec<u64>> = (0..count as u64)
        .map(|number| first + number)
        .collect::<Vec<_>>()
        .chunks(block)
        .map(<[u64]>::to_vec)
        .collect();
    let played = share(threads, blocks, |numbers| one_block::<G>(net, play, seed, &numbers))?;
    Ok(played.into_iter().flatten().collect())
}

/// Plays games to their ends, a move of each at a time.
fn one_block<G: Planes + Default>(
    net: &Net,
    play: Play,
    seed: u64,
    numbers: &[u64],
) -> Result<Vec<Vec<Sample>>, PlayError> {
    let games = numbers.iter().map(|&number| Game::<G>::begin(seed_of(seed, number), play));
    let mut games: Vec<Game<G>> = games.collect::<Result<_, _>>()?;
    let mut net = Answered::new(net);
    loop {
        let mut going: Vec<&mut Game<G>> = games.iter_mut().filter(|game| game.goes_on()).collect();
        if going.is_empty() {
            break;
        }
        let searches = going.iter_mut().map(|game| game.search()).collect();
        let reports = search_all(searches, play.simulations, &mut net)?;
        going.iter_mut().zip(&reports).for_each(|(game, report)| game.play(report));
    }
    Ok(games.into_iter().map(Game::finish).collect())
}
