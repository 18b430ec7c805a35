//! What this command line knows of each game: the evaluations of the library, by the type of the
//! game.

use std::any::Any;

use playtree::games::xiangqi::XiangqiEvaluation;
use playtree::games::{
    Breakthrough, BreakthroughEvaluation, ConnectFour, ConnectFourEvaluation, Gomoku,
    GomokuEvaluation, LargeGomoku, Othello, OthelloEvaluation, Xiangqi,
};
use playtree::{Evaluate, GameState};

/// The evaluation of a game, or none at all: every position is even then, and an alpha-beta search
/// sees the ends of the game and nothing else.
pub(crate) struct Evaluation<G>(Option<Box<dyn Evaluate<G>>>);

impl<G: GameState + 'static> Evaluation<G> {
    /// What is known of this game.
    pub(crate) fn of_game() -> Self {
        fn boxed<G: GameState + 'static>(evaluation: impl Evaluate<G> + 'static) -> Box<dyn Any> {
            Box::new(Box::new(evaluation) as Box<dyn Evaluate<G>>)
        }
        let all: [Box<dyn Any>; 6] = [
            boxed::<Breakthrough>(BreakthroughEvaluation::default()),
            boxed::<ConnectFour>(ConnectFourEvaluation::default()),
            boxed::<Gomoku>(GomokuEvaluation::default()),
            boxed::<LargeGomoku>(GomokuEvaluation::default()),
            boxed::<Othello>(OthelloEvaluation::default()),
            boxed::<Xiangqi>(XiangqiEvaluation),
        ];
        // The one whose game is this one.
        let found = all.into_iter().find_map(|one| one.downcast::<Box<dyn Evaluate<G>>>().ok());
        Self(found.map(|found| *found))
    }

    /// Whether there is one.
    pub(crate) fn is_known(&self) -> bool {
        self.0.is_some()
    }
}

impl<G: GameState> Evaluate<G> for Evaluation<G> {
    /// In the units of the evaluation of the game; 0 without one.
    fn evaluate(&self, state: &G) -> i32 {
        self.0.as_ref().map_or(0, |known| known.evaluate(state))
    }

    fn win_rate(&self, value: i32) -> f64 {
        self.0.as_ref().map_or(0.5, |known| known.win_rate(value))
    }

    fn promise(&self, state: &G, mv: &G::Move) -> i32 {
        self.0.as_ref().map_or(0, |known| known.promise(state, mv))
    }

    fn slot(&self, state: &G, mv: &G::Move) -> Option<u16> {
        self.0.as_ref().and_then(|known| known.slot(state, mv))
    }

    fn noisy_moves(&self, state: &G, moves: &mut Vec<G::Move>) {
        if let Some(known) = &self.0 {
            known.noisy_moves(state, moves);
        }
    }

    fn is_forced(&self, state: &G) -> bool {
        self.0.as_ref().is_some_and(|known| known.is_forced(state))
    }

    fn pass(&self, state: &G) -> Option<G> {
        self.0.as_ref().and_then(|known| known.pass(state))
    }
}

impl<G> std::fmt::Debug for Evaluation<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Evaluation" } else { "no evaluation" })
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::{Hex, Xiangqi};
    use playtree::{Evaluate, Notation};

    use super::Evaluation;

    #[test]
    fn a_game_finds_its_own_evaluation() {
        let known = Evaluation::<Xiangqi>::of_game();
        // Red has a rook more.
        let position = Xiangqi::parse_position("3k5/9/9/9/9/9/9/9/9/R3K4 w").expect("a position");
        assert!(known.evaluate(&position) > 300, "{known:?}");
        let unknown = Evaluation::<Hex>::of_game();
        let position = Hex::parse_position("5: c3").expect("a position");
        assert_eq!((unknown.evaluate(&position), unknown.win_rate(0)), (0, 0.5));
    }
}
