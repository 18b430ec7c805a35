//! What rank 0 orders the others to do: to search a position.

use std::time::Duration;

use playtree::Budget;
use playtree::dynamic::AnyMove;
use playtree_session::settings::MctsSettings;
use playtree_session::{Error, Game, Record, Root};
use serde::{Deserialize, Serialize};

/// A search, in words that every rank understands.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The engine of rank 0 that searches: its table is kept from search to search.
    pub(crate) engine: u64,
    game: String,
    pub(crate) settings: MctsSettings,
    start: String,
    /// Played since the start.
    moves: Vec<String>,
    only: Option<Vec<String>>,
    except: Vec<String>,
    /// Of all ranks together.
    simulations: Option<u64>,
    time: Option<Duration>,
}

impl Order {
    /// The search of `record` by an engine of rank 0.
    pub(crate) fn new(
        (engine, game, settings): (u64, Game, &MctsSettings),
        record: &Record,
        budget: &Budget,
        root: &Root,
    ) -> Self {
        let played = record.positions().iter().zip(record.moves());
        let text = |mv: &AnyMove| record.position().move_text(mv);
        Self {
            engine,
            game: game.name().to_owned(),
            settings: settings.clone(),
            start: record.positions()[0].position_text(),
            moves: played.map(|(state, mv)| state.move_text(mv)).collect(),
            only: root.only.as_ref().map(|moves| moves.iter().map(text).collect()),
            except: root.except.iter().map(text).collect(),
            simulations: budget.simulations_limit(),
            time: budget.time_limit(),
        }
    }

    /// The game, what was played, and the root of the search.
    ///
    /// # Errors
    /// If the program of rank 0 knows another game of this name.
    pub(crate) fn open(&self) -> Result<(Game, Record, Root), Error> {
        let (game, start) = Game::open(&self.game, Some(&self.start))?;
        let mut record = Record::new(start);
        for text in &self.moves {
            let mv = record.position().parse_move(text)?;
            record.play(mv);
        }
        let read = |texts: &Vec<String>| -> Result<Vec<AnyMove>, Error> {
            texts.iter().map(|text| Ok(record.position().parse_move(text)?)).collect()
        };
        let mut root = Root::new();
        root.only = self.only.as_ref().map(read).transpose()?;
        root.except = read(&self.except)?;
        Ok((game, record, root))
    }

    /// What ends the search of another rank if rank 0 does not: its part of the simulations, and
    /// the time, with what rank 0 may take to say so.
    pub(crate) fn budget(&self, rank: usize, ranks: usize, grace: Duration) -> Budget {
        let budget = match self.simulations {
            Some(all) => Budget::simulations(part(all, rank, ranks)),
            None => Budget::unlimited(),
        };
        match self.time {
            Some(time) => budget.and_time(time + grace),
            None => budget,
        }
    }
}

/// The part of a rank of something that all do together.
pub(crate) fn part(all: u64, rank: usize, ranks: usize) -> u64 {
    let (rank, ranks) = (rank as u64, ranks as u64);
    all / ranks + u64::from(rank < all % ranks)
}

/// The seed of a rank: another one for each.
pub(crate) fn seed(seed: Option<u64>, rank: usize) -> u64 {
    /// Odd, so that no two ranks have the same: 2^64 divided by the golden ratio.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    seed.unwrap_or(0).wrapping_add((rank as u64).wrapping_mul(STEP))
}
