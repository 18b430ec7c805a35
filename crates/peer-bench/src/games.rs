//! The games of the bench, by name, and how much work each gets by default.

use std::time::Duration;

use clap::ValueEnum;
use playtree::game::RolloutPolicy;
use playtree::games::{ConnectFour, Hex, Othello, ReferenceGame, TicTacToe};
use playtree::{Evaluate, GameState};

use crate::engine::Game;

macro_rules! with_their_evaluation {
    ($($game:ty),*) => {$(
        impl Game for $game {
            fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
                <Self as ReferenceGame>::evaluation()
            }
        }
    )*};
}
with_their_evaluation!(TicTacToe, ConnectFour, Othello, Hex);

/// A game at its usual size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum GameName {
    /// Tic-tac-toe.
    Tictactoe,
    /// Connect Four, 7x6.
    Connect4,
    /// Othello, 8x8.
    Othello,
    /// Hex, 11x11.
    Hex,
}

impl GameName {
    /// Every game.
    pub(crate) const ALL: [GameName; 4] =
        [GameName::Tictactoe, GameName::Connect4, GameName::Othello, GameName::Hex];

    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The name in a heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            GameName::Tictactoe => "Tic-tac-toe",
            GameName::Connect4 => "Connect Four",
            GameName::Othello => "Othello",
            GameName::Hex => "Hex 11x11",
        }
    }

    /// Simulations of a measurement of speed.
    pub(crate) fn speed_simulations(self) -> u64 {
        match self {
            GameName::Tictactoe | GameName::Connect4 => 1_000_000,
            GameName::Othello => 300_000,
            GameName::Hex => 200_000,
        }
    }

    /// Simulations per move of a match.
    pub(crate) fn match_simulations(self) -> u64 {
        match self {
            GameName::Tictactoe => 1_000,
            GameName::Connect4 => 10_000,
            GameName::Othello | GameName::Hex => 5_000,
        }
    }

    /// Plies of a usual whole game in which there is something to think about. In Connect Four
    /// and Othello the engine proves the rest.
    pub(crate) fn plies(self) -> u32 {
        match self {
            GameName::Tictactoe => 9,
            GameName::Connect4 => 28,
            GameName::Othello => 60,
            GameName::Hex => 80,
        }
    }

    /// Plies of the longest game without a pass.
    pub(crate) fn longest_plies(self) -> u32 {
        match self {
            GameName::Tictactoe => 9,
            GameName::Connect4 => 42,
            GameName::Othello => 60,
            GameName::Hex => 121,
        }
    }

    /// Time of each side for a game of a match on the clock.
    pub(crate) fn match_time(self) -> Duration {
        match self {
            GameName::Tictactoe => Duration::from_millis(10),
            GameName::Connect4 => Duration::from_secs(1),
            GameName::Othello | GameName::Hex => Duration::from_secs(2),
        }
    }

    /// Whether rollouts can be played side by side.
    pub(crate) fn plays_side_by_side(self) -> bool {
        fn takes<G: GameState>(_: &G) -> usize {
            G::rollouts().side_by_side()
        }
        with_game!(self, start => takes(&start)) > 1
    }

    /// Games of a match.
    pub(crate) fn match_games(self) -> usize {
        match self {
            GameName::Tictactoe | GameName::Connect4 => 400,
            GameName::Othello | GameName::Hex => 200,
        }
    }
}

/// The games given on the command line, or the default ones if none was given.
pub(crate) fn or_default(given: &[GameName], default: &[GameName]) -> Vec<GameName> {
    if given.is_empty() { default.to_vec() } else { given.to_vec() }
}

/// Runs an expression with `$start` bound to the start position of the named game.
macro_rules! with_game {
    ($name:expr, $start:ident => $body:expr) => {
        match $name {
            $crate::games::GameName::Tictactoe => {
                let $start = ::playtree::games::TicTacToe::default();
                $body
            }
            $crate::games::GameName::Connect4 => {
                let $start = ::playtree::games::ConnectFour::default();
                $body
            }
            $crate::games::GameName::Othello => {
                let $start = ::playtree::games::Othello::default();
                $body
            }
            $crate::games::GameName::Hex => {
                let $start = ::playtree::games::Hex::new(11).expect("11 is a size of Hex");
                $body
            }
        }
    };
}
pub(crate) use with_game;
