//! A game as it has been played, which knows when a position has come for the third time.

use crate::game::{GameState, Outcome};
use crate::games::xiangqi::repetition::verdict;
use crate::games::xiangqi::{Step, Xiangqi};

/// A game so far: what a referee needs to judge repetition.
///
/// A position by itself does not know what was before. When the same pieces stand on the same
/// points with the same side to move for the third time, the game ends: what both sides have done
/// since the first time decides, after the rules of the Asian Xiangqi Federation. Who has given
/// check with every move, or else chased one unprotected piece with every move, loses, unless
/// both have; everything else is a draw.
///
/// # Examples
/// ```
/// use playtree::games::Xiangqi;
/// use playtree::games::xiangqi::Record;
/// use playtree::{Notation, Outcome};
///
/// // The rook gives check for ever.
/// let mut game = Record::new(Xiangqi::parse_position("4k4/9/9/R8/9/9/9/9/9/3K5 w")?);
/// for text in "a6e6 e9f9 e6f6 f9e9 f6e6 e9f9 e6f6 f9e9 f6e6".split(' ') {
///     assert_eq!(game.outcome(), None);
///     game.play(&game.position().parse_move(text)?);
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(1)));
/// # Ok::<(), playtree::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// From the first to the present one; never empty.
    positions: Vec<Xiangqi>,
}

impl Record {
    /// A game that begins with `start`.
    #[must_use]
    pub fn new(start: Xiangqi) -> Self {
        Self { positions: vec![start] }
    }

    /// The present position.
    #[must_use]
    pub fn position(&self) -> &Xiangqi {
        &self.positions[self.positions.len() - 1]
    }

    /// How many moves have been played.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.positions.len() - 1
    }

    /// Plays a legal move of the present position.
    pub fn play(&mut self, mv: &Step) {
        self.positions.push(self.position().apply(mv));
    }

    /// How the game has ended: by the position, or by repetition; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().or_else(|| self.repetition_verdict())
    }

    /// The verdict if the present position is there for the third time; else `None`.
    #[must_use]
    pub fn repetition_verdict(&self) -> Option<Outcome> {
        let present = self.position();
        // Nothing before the last capture can come again.
        let quiet = present.quiet_plies() as usize;
        let start = self.moves().saturating_sub(quiet);
        let mut again =
            (start..self.moves()).rev().filter(|&at| self.positions[at].same_board(present));
        let (_second, first) = (again.next()?, again.next()?);
        let line: Vec<&Xiangqi> = self.positions[first..].iter().collect();
        Some(verdict(&line))
    }
}
