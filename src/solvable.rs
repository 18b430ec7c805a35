//! What a solver has to know of a game besides its rules, and what it may know.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize};

use crate::form::{check, form};
use crate::game::{GameState, Outcome};
use crate::proven::{Proven, Word};

/// The most points by which a game can be won, for [`Solvable::MAX_POINTS`].
pub const POINTS_LIMIT: i32 = 1_000;

/// The most plies from a position to the end of the game that a [`Solver`](crate::Solver) follows.
pub const PLIES_LIMIT: u32 = 1_000;

/// How a solver finds out whether a position is worth a given number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Alpha-beta with an empty window: the moves in their order, one after the other. For games in
    /// which every position has about the same number of moves.
    AlphaBeta,
    /// Proof numbers: where the least is left to do. For games in which the number of moves varies
    /// much.
    ProofNumbers,
}

impl Method {
    /// `alpha-beta` or `proof-numbers`, as the command line prints it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Method::AlphaBeta => "alpha-beta",
            Method::ProofNumbers => "proof-numbers",
        }
    }
}

/// A game that can be solved: every [`GameState`] whose positions do not come again.
///
/// Nothing is **supplied**: `impl Solvable for MyGame {}` will do. Everything is **provided** and
/// is overridden where it makes the solver faster, or where a game is not just won, drawn or lost.
///
/// # Laws
/// [`check_solvable`](crate::testing::check_solvable) compares what a game says with a plain
/// search:
/// - No position comes again on a line of play, and what a position is worth depends on its key
///   alone ([`SETTLED_BY_KEY`](Self::SETTLED_BY_KEY)).
/// - [Points](Self::points) are within [`MAX_POINTS`](Self::MAX_POINTS) both ways, and those of two
///   players cancel out. With one and two players a score above 1/2 has points above 0, one of 1/2
///   none, and a lower one less than 0; of two [scores](Outcome::Scores) the higher one has more
///   points. So a game of scores needs `MAX_POINTS` that tell them apart.
/// - A [promise](Self::promise) and [early ends](Self::ENDS_EARLY) only change how long a proof
///   takes. A [limit](Self::limits), a [canonical key](Self::canonical_key), [moves left
///   out](Self::moves_to_solve) and [points found at once](Self::points_at_once) are believed: they
///   have to be right.
///
/// # Examples
/// One pile of Nim is solved by what it left when it was divided by four:
/// ```
/// use playtree::{Budget, GameState, Outcome, Solvable, Solver};
///
/// #[derive(Clone)]
/// struct Pile { left: u32, plies: u32 }
///
/// impl GameState for Pile {
///     type Key = (u32, usize);
///     type Move = u32;
///     fn key(&self) -> Self::Key { (self.left, self.mover()) }
///     fn mover(&self) -> usize { self.plies as usize % 2 }
///     fn plies(&self) -> u32 { self.plies }
///     fn moves(&self, moves: &mut Vec<u32>) { moves.extend(1..=self.left.min(3)) }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
///     }
///     fn apply(&self, take: &u32) -> Self {
///         Pile { left: self.left - take, plies: self.plies + 1 }
///     }
/// }
///
/// impl Solvable for Pile {}
///
/// let mut solver = Solver::builder().build()?;
/// let solution = solver.solve(&Pile { left: 15, plies: 0 }, &Budget::unlimited())?;
/// assert_eq!(solution.points(), Some(1));
/// assert_eq!(solution.distance(), Some(7));
/// assert_eq!(solution.best_moves().collect::<Vec<_>>(), [&3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Solvable: GameState {
    /// Whether the value of a position depends on nothing but its key: no position comes again on a
    /// line of play, and what the key leaves out decides nothing. The solver refuses a game for
    /// which this is not so. Provided: it is.
    const SETTLED_BY_KEY: bool = true;

    /// How the solver proves points, unless its builder sets another method. Provided: alpha-beta.
    const METHOD: Method = Method::AlphaBeta;

    /// The most [points](Self::points) by which a game can be won, 1 to [`POINTS_LIMIT`].
    /// Provided: 1, for games that are won, drawn or lost.
    const MAX_POINTS: i32 = 1;

    /// Whether of two equal wins the one in fewer plies is the better one, and of two equal losses
    /// the one in more. Not so where only the final score counts. Provided: it is.
    const COUNTS_PLIES: bool = true;

    /// Whether a game is often won long before the longest one is over. The solver then looks for
    /// a short win or loss before it asks who wins at all, if the game is only won, drawn or lost
    /// and [counts plies](Self::COUNTS_PLIES). Provided: no.
    const ENDS_EARLY: bool = false;

    /// The points of `player` at the end of a game that has ended like this, from
    /// `-`[`MAX_POINTS`](Self::MAX_POINTS) to `MAX_POINTS`. With two players those of one are the
    /// negated ones of the other. Provided: the score stretched to that range and rounded, so a
    /// win is `MAX_POINTS`, a draw 0. Rounding takes scores for one that are closer than half a
    /// point, or for a draw what is none: `check_solvable` finds that.
    #[inline]
    fn points(&self, outcome: &Outcome, player: usize) -> i32 {
        match *outcome {
            Outcome::Win(winner) if winner == player => Self::MAX_POINTS,
            Outcome::Win(_) => -Self::MAX_POINTS,
            Outcome::Draw | Outcome::Failed => 0,
            Outcome::Scores(_) => {
                let most = f64::from(Self::MAX_POINTS);
                ((2.0 * outcome.score(player) - 1.0) * most).round() as i32
            }
        }
    }

    /// What is certain of this position without a search, for its side to move. Called where the
    /// game goes on, for each position: it should be cheap. A move that wins on the spot belongs
    /// here, and what can still be reached. Provided: nothing is known, [`Limits::of_game`].
    #[inline]
    fn limits(&self) -> Limits {
        Limits::of_game::<Self>()
    }

    /// The points of the side to move with best play, if the game can tell faster than a search:
    /// the last few plies of a game that fills a board, or a formula. At or below `alpha` an upper
    /// limit of them will do, at or above `beta` a lower one. Asked only where a search wants to
    /// know no more than points. Provided: `None`.
    #[inline]
    fn points_at_once(&self, alpha: i32, beta: i32) -> Option<i32> {
        let _ = (alpha, beta);
        None
    }

    /// The key of a position with the same value, the same one for all that are alike: the least
    /// one of the mirrored boards, say. Provided: its own key.
    #[inline]
    fn canonical_key(&self) -> Self::Key {
        self.key()
    }

    /// Appends legal moves with a best one among them, at least one: those that are certainly no
    /// better than another one may be left out. Provided: all [`moves`](GameState::moves).
    #[inline]
    fn moves_to_solve(&self, moves: &mut Vec<Self::Move>) {
        self.moves(moves);
    }

    /// How promising a move looks that leads to `after`, for the order in which moves are tried:
    /// higher ones first; equal ones stay in the order of the moves. Best is what refutes, or
    /// leaves the other side few answers. Provided: 0.
    #[inline]
    fn promise(&self, mv: &Self::Move, after: &Self) -> i32 {
        let _ = (mv, after);
        0
    }

    /// Whether few enough plies are left for an exact solution within another search, a matter of
    /// far less than a millisecond. Provided: no.
    #[inline]
    fn is_endgame(&self) -> bool {
        false
    }
}

/// What a position is worth with best play, for a side that its holder names: points, and the
/// plies until the game ends.
///
/// In order of preference: more points are greater; of wins the quicker one, of losses the slower
/// one. Plies of a draw, and of a game that does not [count](Solvable::COUNTS_PLIES) them, are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Worth {
    /// Above 0 for a win, 0 for a draw, below 0 for a loss; at most [`POINTS_LIMIT`] both ways.
    pub points: i32,
    /// Plies to the end of the game, at most 1 023.
    pub plies: u32,
}

impl Worth {
    /// No player wins.
    pub const DRAW: Self = Self { points: 0, plies: 0 };

    /// `points` at the end of a game of `plies` more plies, each cut to its range.
    #[must_use]
    pub fn new(points: i32, plies: u32) -> Self {
        let points = points.clamp(-POINTS_LIMIT, POINTS_LIMIT);
        Self { points, plies: if points == 0 { 0 } else { plies.min(STEP as u32 - 1) } }
    }

    /// One number in the order of preference, for `Solver`'s use: `points` is a step of 1 024, from
    /// which a win loses one for each ply, and a loss gains one.
    #[inline]
    pub(crate) fn number(self) -> i32 {
        self.points * STEP - self.points.signum() * self.plies as i32
    }

    /// One number in the order of preference of what is at `least` and at `most` of these numbers.
    pub(crate) fn number_of(least: i32, most: i32) -> i64 {
        (i64::from(least) << 32) + i64::from(most)
    }

    /// The worth of a number.
    pub(crate) fn of(number: i32) -> Self {
        let size = number.abs();
        let points = (size + STEP - 1) / STEP;
        Self { points: number.signum() * points, plies: (points * STEP - size) as u32 }
    }
}

/// By how much a point counts more than a ply.
pub(crate) const STEP: i32 = 1_024;

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Worth {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { points, plies } = *self;
        match points {
            0 => return f.write_str("draw"),
            1.. => f.write_str("win")?,
            _ => f.write_str("loss")?,
        }
        if points.abs() > 1 {
            write!(f, " by {}", points.abs())?;
        }
        if plies > 0 {
            write!(f, " in {plies}")?;
        }
        Ok(())
    }
}

/// What is certain of the worth of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// It is worth at least that.
    pub least: Worth,
    /// It is worth at most that.
    pub most: Worth,
}

impl Limits {
    /// All that a game allows where it goes on: from the worst loss to the best win, both in a ply.
    #[inline]
    #[must_use]
    pub fn of_game<G: Solvable>() -> Self {
        let plies = u32::from(G::COUNTS_PLIES);
        let worth = |points| Worth { points, plies };
        Self { least: worth(-G::MAX_POINTS), most: worth(G::MAX_POINTS) }
    }

    /// It is worth just that.
    #[inline]
    #[must_use]
    pub fn exactly(worth: Worth) -> Self {
        Self { least: worth, most: worth }
    }

    /// The same for the other one of two players.
    #[must_use]
    pub fn negated(self) -> Self {
        let negated = |worth: Worth| Worth { points: -worth.points, ..worth };
        Self { least: negated(self.most), most: negated(self.least) }
    }

    /// The points, if they are certain.
    #[must_use]
    pub fn points(self) -> Option<i32> {
        (self.least.points == self.most.points).then_some(self.least.points)
    }

    /// Whether it is a win, a draw or a loss, if that is certain, with the plies of the shortest
    /// win or longest loss as far as it is known.
    #[must_use]
    pub fn proven(self) -> Option<Proven> {
        let Worth { points, plies } = self.decided()?;
        Some(match points.signum() {
            1 => Proven::Win { plies },
            -1 => Proven::Loss { plies },
            _ => Proven::Draw,
        })
    }

    /// What it is worth as far as the winner is concerned, if that is certain: of a win the least,
    /// of a loss the most that is known.
    pub(crate) fn decided(self) -> Option<Worth> {
        let Self { least, most } = self;
        match (least.points.signum(), most.points.signum()) {
            (1, _) => Some(least),
            (_, -1) => Some(most),
            (0, 0) => Some(Worth::DRAW),
            _ => None,
        }
    }

    /// The plies to the end of the game, if they are certain; `None` for a draw too, and where the
    /// game does not [count](Solvable::COUNTS_PLIES) them.
    #[must_use]
    pub fn distance(self) -> Option<u32> {
        self.exact().map(|worth| worth.plies).filter(|&plies| plies > 0)
    }

    /// The worth, if it is certain.
    #[must_use]
    pub fn exact(self) -> Option<Worth> {
        (self.least == self.most).then_some(self.least)
    }
}

/// `win by 3 in 7`, as far as it is certain: `win by 3`, `win`, `win or draw`, `draw or loss`, or
/// `unknown`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most } = *self;
        if least == most {
            return least.fmt(f);
        }
        if least.points == most.points {
            return Worth { plies: 0, ..least }.fmt(f);
        }
        f.write_str(match (least.points.signum(), most.points.signum()) {
            (1, _) => "win",
            (_, -1) => "loss",
            (0, _) => "win or draw",
            (_, 0) => "draw or loss",
            _ => "unknown",
        })
    }
}

impl Limits {
    /// The limits that a serialized form has.
    pub(crate) fn read(least: Worth, most: Worth) -> Result<Self, String> {
        check("most", format!("at least as much as {least}"), most, least <= most)?;
        Ok(Self { least, most })
    }

    /// One number in the order of preference, `least` before `most`.
    pub(crate) fn number(self) -> i64 {
        Worth::number_of(self.least.number(), self.most.number())
    }

    /// The fields of the serialized form, among those of another struct.
    pub(crate) fn serialize_into<S: SerializeStruct>(self, fields: &mut S) -> Result<(), S::Error> {
        fields.serialize_field("value", &Word::of(self.proven()))?;
        fields.serialize_field("points", &self.points())?;
        fields.serialize_field("distance", &self.distance())?;
        fields.serialize_field("least", &self.least)?;
        fields.serialize_field("most", &self.most)
    }
}

form! {
    /// What is certain (`value`, `points`, `distance`, each perhaps none) follows from `least` and
    /// `most`.
    LimitsForm of Limits = limits {
        #[serde(default)]
        value: Option<Word> = Word::of(limits.proven()),
        #[serde(default)]
        points: Option<i32> = limits.points(),
        #[serde(default)]
        distance: Option<u32> = limits.distance(),
        least: Worth = limits.least,
        most: Worth = limits.most,
    }
}

impl TryFrom<LimitsForm> for Limits {
    type Error = String;

    fn try_from(form: LimitsForm) -> Result<Self, String> {
        Self::read(form.least, form.most)
    }
}

form! {
    /// Both numbers.
    WorthForm of Worth = worth {
        points: i32 = worth.points,
        plies: u32 = worth.plies,
    }
}

impl TryFrom<WorthForm> for Worth {
    type Error = String;

    fn try_from(form: WorthForm) -> Result<Self, String> {
        let WorthForm { points, plies } = form;
        let is_right = (-POINTS_LIMIT..=POINTS_LIMIT).contains(&points);
        check("points", format!("-{POINTS_LIMIT} to {POINTS_LIMIT}"), points, is_right)?;
        let most = if points == 0 { 0 } else { STEP as u32 - 1 };
        check("plies", format!("at most {most} for {points} points"), plies, plies <= most)?;
        Ok(Self { points, plies })
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, POINTS_LIMIT, STEP, Worth};

    #[test]
    fn numbers_are_in_the_order_of_preference() {
        let worth = |points, plies| Worth { points, plies };
        let order = [
            worth(-2, 1),
            worth(-2, 9),
            worth(-1, 1),
            worth(-1, 1_023),
            Worth::DRAW,
            worth(1, 1_023),
            worth(1, 0),
            worth(2, 40),
            worth(2, 3),
        ];
        assert!(order.is_sorted(), "{order:?}");
        for worth in order {
            assert_eq!(Worth::of(worth.number()), worth);
        }
        for number in -POINTS_LIMIT * STEP..=POINTS_LIMIT * STEP {
            assert_eq!(Worth::of(number).number(), number);
        }
    }

    #[test]
    fn a_worth_says_what_it_is() {
        assert_eq!(Worth::new(1, 7).to_string(), "win in 7");
        assert_eq!(Worth::new(-12, 0).to_string(), "loss by 12");
        assert_eq!(Worth::new(0, 5).to_string(), "draw");
    }

    #[test]
    fn limits_say_what_is_certain() {
        for (least, most, text) in [
            ((1, 7), (1, 7), "win in 7"),
            ((12, 30), (12, 4), "win by 12"),
            ((1, 9), (64, 1), "win"),
            ((0, 0), (1, 1), "win or draw"),
            ((-1, 1), (0, 0), "draw or loss"),
            ((-3, 1), (-1, 8), "loss"),
            ((-1, 1), (1, 1), "unknown"),
        ] {
            let worth = |(points, plies)| Worth { points, plies };
            let limits = Limits { least: worth(least), most: worth(most) };
            assert_eq!(limits.to_string(), text);
            assert_eq!(limits.negated().negated(), limits);
            assert_eq!(limits.negated().least, worth((-most.0, most.1)));
        }
    }
}
