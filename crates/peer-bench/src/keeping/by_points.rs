//! A game in which each point counts, in place of who wins.

use playtree::game::{GameState, Outcome, RolloutPolicy, Scores};
use playtree::mcts::Selection;
use playtree::{Mcts, Rng, Solvable};

use crate::Failure;
use crate::engine::{Found, Game, Limit};
use crate::peers::playtree::found;

/// A game of two whose score at the end is its points, stretched from 0 to 1. Its random games are
/// played move by move: whole games only say who wins.
#[derive(Clone, Debug)]
struct ByPoints<G>(G);

/// The rollouts of a game, move by move.
struct Moves<P>(P);

impl<G: Solvable + 'static, P: RolloutPolicy<G>> RolloutPolicy<ByPoints<G>> for Moves<P> {
    fn next_move(
        &self,
        state: &ByPoints<G>,
        rng: &mut Rng,
        moves: &mut Vec<G::Move>,
    ) -> Option<G::Move> {
        self.0.next_move(&state.0, rng, moves)
    }
}

impl<G: Solvable + 'static> GameState for ByPoints<G> {
    type Key = G::Key;
    type Move = G::Move;

    fn key(&self) -> G::Key {
        self.0.key()
    }

    fn mover(&self) -> usize {
        self.0.mover()
    }

    fn plies(&self) -> u32 {
        self.0.plies()
    }

    fn moves(&self, moves: &mut Vec<G::Move>) {
        self.0.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.0.outcome()?;
        let most = f64::from(G::MAX_POINTS);
        let score = |player| (f64::from(self.0.points(&outcome, player)) / most + 1.0) / 2.0;
        // Points that are out of their range are no score.
        let scores = Scores::new(&[score(0), score(1)]);
        Some(scores.map_or(Outcome::Failed, Outcome::Scores))
    }

    fn apply(&self, mv: &G::Move) -> Self {
        Self(self.0.apply(mv))
    }

    fn reversible_plies(&self) -> u32 {
        self.0.reversible_plies()
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        Moves(G::rollouts())
    }
}

impl<G: Game + Solvable> Game for ByPoints<G> {}

/// What a new engine of this library finds that plays for points, by UCB1 with this constant.
pub(super) fn search<G: Game + Solvable>(
    state: &G,
    limit: Limit,
    exploration: Option<f64>,
    (threads, seed): (usize, u64),
) -> Result<Found<G::Move>, Failure> {
    let selection =
        exploration.map_or(Selection::default(), |exploration| Selection::Ucb1 { exploration });
    let builder = Mcts::builder().threads(threads).seed(seed).selection(selection);
    Ok(found(&mut builder.build()?, &ByPoints(state.clone()), limit)?)
}

#[cfg(test)]
mod tests {
    use playtree::games::Othello;
    use playtree::{GameState, Notation};

    use super::{ByPoints, search};
    use crate::engine::Limit;

    #[test]
    fn a_score_is_the_difference_in_discs() {
        let text = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOO X";
        let over = ByPoints(Othello::parse_position(text).unwrap());
        let outcome = over.outcome().unwrap();
        assert_eq!([0, 1].map(|player| outcome.score(player)), [0.75, 0.25]);
    }

    /// Both moves win. After h8 the other side takes a1, and six discs with it.
    #[test]
    fn of_two_wins_the_one_by_more_discs_is_played() {
        let rows = ["-XXXXXOX", "OXXXXXXX", &"X".repeat(40), "XXXXXXO-"];
        let text = &format!("{} X", rows.concat());
        let state = Othello::parse_position(text).unwrap();
        let found = search(&state, Limit::Simulations(1_000), None, (1, 1)).unwrap();
        assert_eq!(state.move_text(&found.best), "a1");
    }
}
