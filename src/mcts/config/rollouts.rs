//! How rollouts choose their moves.

use serde::{Deserialize, Serialize};

use super::ranges::read;

/// How rollouts choose their moves: the first of its fields that names a move does.
///
/// A game or a [policy](crate::MctsBuilder::rollouts) that sees its wins at once, or knows better
/// codes to learn by, says so in its [`RolloutPolicy`](crate::RolloutPolicy). Rollouts that learn
/// need codes. What each is worth is measured in `docs/measurements/rollout-policies.md`.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::mcts::{Decisive, Learned, Mast, RolloutMoves};
/// use playtree::games::Breakthrough;
/// use playtree::{Budget, Mcts};
///
/// let moves = RolloutMoves {
///     decisive: Decisive::Wins,
///     learned: Learned::Mast(Mast::default()),
///     ..RolloutMoves::default()
/// };
/// let mut mcts = Mcts::builder().rollout_moves(moves).build()?;
/// mcts.best_move(&Breakthrough::default(), &Budget::simulations(1_000))?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RolloutMoves {
    /// Moves that win at once. Default: not looked for.
    pub decisive: Decisive,
    /// Replies that have won before. Default: not remembered.
    pub replies: Replies,
    /// Moves that have done well in other rollouts. Default: not counted.
    pub learned: Learned,
    /// All other moves. Default: those of the policy.
    pub base: BaseMoves,
}

impl RolloutMoves {
    /// Whether they learn from other rollouts, for which moves must have codes.
    #[must_use]
    pub fn learn(&self) -> bool {
        self.replies != Replies::Off || self.learned != Learned::Nothing
    }
}

/// Which moves of a rollout are looked for before any other (F. Teytaud and O. Teytaud 2010).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decisive {
    /// None.
    #[default]
    Off,
    /// One that wins at once, where there is one.
    Wins,
    /// The same, and no move after which another player wins at once, where there is another.
    WinsAndThreats,
}

/// Which replies are remembered: each until a rollout is lost with it (last good reply with
/// forgetting, Drake 2009; Baier and Drake 2010).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Replies {
    /// None.
    #[default]
    Off,
    /// That to the move before.
    ToOne,
    /// That to the two moves before, or else to the one before.
    ToTwo,
}

/// What is counted of moves, of all simulations of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Learned {
    /// Nothing.
    #[default]
    Nothing,
    /// [How each move has done](Mast).
    Mast(Mast),
    /// [How each has done after the moves before](Nst).
    Nst(Nst),
}

/// The move-average sampling technique (Finnsson and Bjornsson 2008): the mean score of each player
/// in the simulations in which the player has made a move, in the tree or after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mast {
    /// How a move is chosen by its mean.
    pub choice: Choice,
}

/// The n-gram selection technique (Tak, Winands and Bjornsson 2012): the mean of the mean scores of
/// a move, of the move after the one before, and of the move after the two before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Nst {
    /// How a move is chosen by its mean.
    pub choice: Choice,
    /// The least simulations in which moves must have followed each other to count, at least 1.
    /// Default: 7.
    #[serde(deserialize_with = "read::least_visits")]
    pub least: u32,
}

impl Default for Nst {
    fn default() -> Self {
        Self { choice: Choice::default(), least: 7 }
    }
}

/// How a move of a rollout is chosen by what is known of each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Choice {
    /// The best one, in a share of the cases.
    Greedy {
        /// The share, 0 to 1; the other moves are those of
        /// [`base`](RolloutMoves::base).
        #[serde(deserialize_with = "read::greedy_share")]
        share: f64,
    },
    /// Drawn with weights of `e^(mean / temperature)`, means being 0 to 1 (Gibbs sampling).
    Gibbs {
        /// The temperature, 0.01 to 100: the lower, the more of the best.
        #[serde(deserialize_with = "read::gibbs_temperature")]
        temperature: f64,
    },
}

impl Default for Choice {
    /// The best move in 80 % of the cases.
    fn default() -> Self {
        Self::Greedy { share: 0.8 }
    }
}

/// The moves of a rollout about which nothing else decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BaseMoves {
    /// Those of the [policy](crate::MctsBuilder::rollouts), by default that of the game.
    #[default]
    Policy,
    /// Uniformly random ones.
    Uniform,
}
