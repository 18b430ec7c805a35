//! Why nothing can be exchanged.

use std::fmt;

/// Why engines cannot exchange statistics. Nothing was changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The engine has no root: nothing was searched yet, or all was forgotten, or the search was
    /// ended by an error.
    #[error("expected an engine that has searched a position, found none")]
    NothingSearched,
    /// The two engines search different things.
    #[error("{part}: expected {expected} as in the engine that chose the lines, found {found}")]
    Different {
        /// In what they differ.
        part: Part,
        /// What the engine has that chose the lines.
        expected: u64,
        /// What this one has.
        found: u64,
    },
    /// A position has another number of branches in this engine: it is another game, or has other
    /// rules or options.
    #[error("line {line}: expected {expected} branches, found {found}")]
    Branches {
        /// The number of the line.
        line: usize,
        /// The branches in the engine that chose the lines.
        expected: u32,
        /// The branches in this one.
        found: u32,
    },
    /// A line does not go on from one before it, or by a branch that is not there. Lines that an
    /// engine has chosen always do.
    #[error("line {line}: expected a branch of a line before it, found none")]
    Line {
        /// The number of the line.
        line: usize,
    },
    /// The lines would take more words than an exchange may have.
    #[error("expected lines of at most {most} words, found {found}")]
    TooLarge {
        /// The most words.
        most: u64,
        /// The words of these lines.
        found: u64,
    },
    /// No share of this engine is under way.
    #[error("expected a sum with a share of this engine, found none under way")]
    NothingShared,
    /// The engine searches another position than when it gave its share.
    #[error("expected the root of the share, found another one")]
    OtherRoot,
    /// The sum has another number of words than the share.
    #[error("expected {expected} words, found {found}")]
    Length {
        /// The words of the share.
        expected: usize,
        /// The words of the sum.
        found: usize,
    },
    /// The sum is of no number of engines.
    #[error("expected the sum of 1 to {most} engines, found {found}")]
    Engines {
        /// The most engines of an exchange.
        most: i64,
        /// What the sum says.
        found: i64,
    },
    /// No engine of an exchange can have this number.
    #[error(
        "expected the number of one of 1 to {most} engines, from 0 on, found number {number} of \
         {engines}"
    )]
    Member {
        /// The most engines of an exchange.
        most: i64,
        /// The number of the engine.
        number: usize,
        /// Of how many.
        engines: usize,
    },
    /// The sum has shares of other lines, or was changed.
    #[error("expected shares of the same lines alone, found others")]
    OtherLines,
    /// A number of the sum cannot come from shares of engines.
    #[error("line {line}: expected {kind} from 0 to {most}, found {found}")]
    Number {
        /// The number of the line.
        line: usize,
        /// What it says.
        kind: Kind,
        /// The most that it can be.
        most: i64,
        /// What it is, without the share of this engine.
        found: i64,
    },
    /// Engines have proven different values of one branch.
    #[error("line {line}: expected one proven value of a branch, found several")]
    Contradiction {
        /// The number of the line.
        line: usize,
    },
}

impl ExchangeError {
    /// The error as a name that stays the same from version to version: `exchange.` and the variant.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NothingSearched => "exchange.nothing-searched",
            Self::Different { .. } => "exchange.different",
            Self::Branches { .. } => "exchange.branches",
            Self::Line { .. } => "exchange.line",
            Self::TooLarge { .. } => "exchange.too-large",
            Self::NothingShared => "exchange.nothing-shared",
            Self::OtherRoot => "exchange.other-root",
            Self::Length { .. } => "exchange.length",
            Self::Engines { .. } => "exchange.engines",
            Self::Member { .. } => "exchange.member",
            Self::OtherLines => "exchange.other-lines",
            Self::Number { .. } => "exchange.number",
            Self::Contradiction { .. } => "exchange.contradiction",
        }
    }
}

/// In what engines of an exchange must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The number of players.
    Players,
    /// The further scores of each position: one for each of three and more players, and those of
    /// UCB1-Tuned.
    FurtherScores,
    /// Whether proofs are kept.
    Proofs,
    /// The codes of moves, if GRAVE is used; else 0.
    MoveCodes,
    /// What a draw is worth, as a hash.
    Draws,
    /// The side to move at the root.
    Mover,
    /// The key of the root, as a hash; 0 where positions have none.
    Position,
    /// Plies played at the root, where positions have no keys.
    Plies,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Players => "players",
            Self::FurtherScores => "further scores of a position",
            Self::Proofs => "proofs (0 without, 1 with)",
            Self::MoveCodes => "codes of moves",
            Self::Draws => "hash of what draws are worth",
            Self::Mover => "side to move at the root",
            Self::Position => "hash of the root",
            Self::Plies => "plies at the root",
        })
    }
}

/// What a number of a share says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Visits.
    Visits,
    /// The sum of the scores of visits, in multiples of 2^-28.
    Score,
    /// Engines that have proven a branch, and the plies of their proofs.
    Proof,
    /// Rollouts of a table of all moves as first, or those with a move.
    Rollouts,
    /// The sum of the scores of such rollouts, in multiples of 1/128.
    Points,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Visits => "visits",
            Self::Score => "a score",
            Self::Proof => "a proof",
            Self::Rollouts => "rollouts",
            Self::Points => "points",
        })
    }
}
