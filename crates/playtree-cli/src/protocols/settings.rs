//! What the commands have in common that answer a client.

use std::time::Duration;

use clap::Args;
use playtree::budget::TimeManager;

use crate::options::values;

/// The player that answers, and its time.
#[derive(Args, Debug)]
pub(crate) struct PlayerArgs {
    /// The player, written as for 'playtree match'.
    #[arg(value_name = "SPEC", default_value = "mcts")]
    pub(crate) player: String,
    /// Time of each move, for a player whose own text has no limit. What the client says takes its
    /// place, and that of a time in the player's text.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) time: Duration,
    /// Time that a move costs on the client's clock beyond the player's thinking.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) lag: Duration,
    /// Plies of a usual whole game, by which the client's clock is divided.
    #[arg(long, value_name = "PLIES", default_value = "60", value_parser = values::small)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) expected_plies: u32,
    /// Seed of the player; each game after the first has another.
    #[arg(long, value_name = "S", default_value = "0", value_parser = values::seed)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) seed: u64,
}

impl PlayerArgs {
    /// What divides the client's clock.
    pub(crate) fn manager(&self) -> TimeManager {
        TimeManager::new().lag(self.lag).expected_plies(self.expected_plies)
    }
}
