//! A game of a network against itself.

use playtree::evaluate::Elsewhere;
use playtree::game::random_move;
use playtree::mcts::{Report, Root, TableLocks};
use playtree::{ConfigError, GameState, Mcts, Outcome, Rng};
use playtree_planes::Planes;

use super::Play;
use crate::batch::Sample;
use crate::seed_of;

/// Memory of an engine: a search has some hundred positions at most.
const MEMORY: usize = 8 << 20;

/// How much the end of the game counts for what a position is worth; the rest is what the search
/// found.
const END: f32 = 0.5;

/// A game under way.
pub(super) struct Game<G: Planes> {
    engine: Mcts<G>,
    state: G,
    /// What was found, and the side to move there.
    found: Vec<(usize, Sample)>,
    /// What the samples' values are by the search alone, where that was a proof.
    proven: Vec<bool>,
}

impl<G: Planes + Default> Game<G> {
    /// Begins a game: its seed says with which random moves, and what the searches try out.
    pub(super) fn begin(seed: u64, play: Play) -> Result<Self, ConfigError> {
        let engine = Mcts::builder()
            .threads(1)
            .seed(seed_of(seed, 1))
            .table(TableLocks::Shards(1))
            .memory_limit(Some(MEMORY))
            .reuse(false)
            .network(Elsewhere::new(1))
            .root(Root::gumbel())
            .build()?;
        let state = opening(&mut Rng::from_seed(seed_of(seed, 0)), play.random_moves);
        Ok(Self { engine, state, found: Vec::new(), proven: Vec::new() })
    }
}

impl<G: Planes> Game<G> {
    pub(super) fn goes_on(&self) -> bool {
        self.state.outcome().is_none()
    }

    /// What is to be searched.
    pub(super) fn search(&mut self) -> (&mut Mcts<G>, &G) {
        (&mut self.engine, &self.state)
    }

    /// Notes what was found, and plays the move.
    pub(super) fn play(&mut self, report: &Report<G::Move>) {
        let policy = policy_of::<G>(report);
        let sample = Sample { planes: self.state.planes(), value: report.win_rate as f32, policy };
        self.found.push((self.state.mover(), sample));
        self.proven.push(report.proven.is_some());
        self.state = self.state.apply(&report.best_move);
    }

    /// The samples, now that the end is known.
    pub(super) fn finish(self) -> Vec<Sample> {
        let end = self.state.outcome().unwrap_or(Outcome::Draw);
        let found = self.found.into_iter().zip(self.proven);
        found
            .map(|((mover, mut sample), is_proven)| {
                if !is_proven {
                    sample.value += END * (end.score(mover) as f32 - sample.value);
                }
                sample
            })
            .collect()
    }
}

/// What the network is to learn of the moves. Where the search has proven what the position is
/// worth it may have asked nothing, and its policy says nothing: there it is the moves with the best
/// proof, the shortest win or the longest loss.
fn policy_of<G: Planes>(report: &Report<G::Move>) -> Vec<f32> {
    let best = report.moves.iter().find(|found| found.mv == report.best_move);
    let proof = best.and_then(|best| best.proven).filter(|_| report.proven.is_some());
    let mut policy = vec![0.0; G::FORM.moves];
    for found in &report.moves {
        policy[G::move_number(&found.mv)] = match proof {
            Some(_) => f32::from(u8::from(found.proven == proof)),
            None => found.policy.unwrap_or(0.0) as f32,
        };
    }
    let sum: f32 = policy.iter().sum();
    if sum > 0.0 {
        policy.iter_mut().for_each(|share| *share /= sum);
    } else {
        policy[G::move_number(&report.best_move)] = 1.0;
    }
    policy
}

/// A position after some random moves, a few more often than many: the smaller of two numbers up to
/// `most`. Games from one position are much alike, as soon as the policy is sure of its moves.
fn opening<G: GameState + Default>(rng: &mut Rng, most: usize) -> G {
    let length = rng.below(most + 1).min(rng.below(most + 1));
    let mut state = G::default();
    let mut moves = Vec::new();
    for _ in 0..length {
        let Some(mv) = random_move(&state, rng, &mut moves) else { break };
        let next = state.apply(&mv);
        if next.outcome().is_some() {
            break;
        }
        state = next;
    }
    state
}

#[cfg(test)]
mod tests {
    use playtree::evaluate::OneByOne;
    use playtree::games::ConnectFour;
    use playtree::games::ConnectFourEvaluation;
    use playtree::mcts::Root;
    use playtree::{Budget, GameState, Mcts, Notation, Rng};

    use super::{opening, policy_of};

    #[test]
    fn a_win_that_is_proven_at_once_is_what_is_learned() {
        let network = OneByOne(ConnectFourEvaluation::default());
        let mut mcts =
            Mcts::builder().threads(1).network(network).root(Root::gumbel()).build().unwrap();
        let mut of = |line: &str| {
            let state = ConnectFour::parse_position(line).unwrap();
            policy_of::<ConnectFour>(&mcts.search(&state, &Budget::simulations(32)).unwrap())
        };
        // Three of the first player's stones lie in column 4; then three in row 1, open at one end.
        assert_eq!(of("414243"), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(of("112237"), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        let open = of("4");
        assert!(open.iter().all(|&share| share < 1.0), "nothing is proven: {open:?}");
    }

    #[test]
    fn games_begin_after_a_few_random_moves_more_often_than_after_many() {
        let mut rng = Rng::from_seed(1);
        let mut counts = [0; 5];
        for _ in 0..2500 {
            counts[opening::<ConnectFour>(&mut rng, 4).plies() as usize] += 1;
        }
        // Of 25 pairs of numbers from 0 to 4, nine have 0 as the smaller one, seven 1, and so on.
        for (count, expected) in counts.into_iter().zip([900, 700, 500, 300, 100]) {
            assert!((expected - 70..expected + 70).contains(&count), "{counts:?}");
        }
    }
}
