//! Rollouts that look for moves that win, and for moves that have done well in other rollouts.

use std::sync::Arc;

use crate::error::SearchError;
use crate::game::{GameState, Outcome, random_move};
use crate::laws::checked_mover;
use crate::maths::exp;
use crate::mcts::config::{BaseMoves, Choice, Decisive, Learned, RolloutMoves};
use crate::mcts::learned::Memory;
use crate::mcts::tree::later_moves::POINT;
use crate::repetition::Line;

use super::{AnyPolicy, PLIES_BETWEEN_LOOKS, RolloutSupply, no_move};

/// The weight of a move that has always won.
const MOST_WEIGHT: f64 = (1 << 24) as f64;

/// How an engine with [`RolloutMoves`] plays rollouts.
pub(crate) struct Chosen<G: GameState> {
    rules: RolloutMoves,
    /// The policy whose moves and wins are asked for.
    policy: Arc<dyn AnyPolicy<G>>,
    pub(crate) memory: Option<Memory<G>>,
    /// The weights of moves by their means, in points.
    weights: Vec<u32>,
}

impl<G: GameState> Chosen<G> {
    pub(crate) fn new(
        rules: RolloutMoves,
        policy: Arc<dyn AnyPolicy<G>>,
        memory: Option<Memory<G>>,
    ) -> Self {
        let weights = match choice(&rules) {
            Some(Choice::Gibbs { temperature }) => (0..=POINT)
                .map(|points| (f64::from(points) / f64::from(POINT) - 1.0) / temperature)
                .map(|power| (exp(power) * MOST_WEIGHT).max(1.0) as u32)
                .collect(),
            Some(Choice::Greedy { .. }) | None => Vec::new(),
        };
        Self { rules, policy, memory, weights }
    }

    /// A move of the base.
    fn base(&self, state: &G, supply: &mut RolloutSupply<'_, '_, G>) -> Option<G::Move> {
        match self.rules.base {
            BaseMoves::Policy => self.policy.draw_move(state, supply.rng, supply.moves),
            BaseMoves::Uniform => random_move(state, supply.rng, supply.moves),
        }
    }

    /// A move by what was learnt, or else of the base.
    fn choose(
        &self,
        state: &G,
        mover: usize,
        supply: &mut RolloutSupply<'_, '_, G>,
    ) -> Option<G::Move> {
        if let Some(memory) = &self.memory
            && let Some(mv) = self.learned(memory, state, mover, supply)
        {
            return Some(mv);
        }
        self.base(state, supply)
    }

    /// A move by what was learnt.
    fn learned(
        &self,
        memory: &Memory<G>,
        state: &G,
        mover: usize,
        supply: &mut RolloutSupply<'_, '_, G>,
    ) -> Option<G::Move> {
        let RolloutSupply { rng, moves, trail, .. } = supply;
        let trail = trail.as_deref_mut()?;
        let last = trail.last;
        let mut listed = false;
        let mut list = |moves: &mut Vec<G::Move>, codes: &mut Vec<u32>| {
            if !std::mem::replace(&mut listed, true) {
                moves.clear();
                state.moves(moves);
                codes.clear();
                memory.codes.append(state, moves, codes);
            }
        };
        for reply in memory.tables.replies(mover, last) {
            list(moves, &mut trail.codes);
            if let Some(at) = trail.codes.iter().position(|&code| code == reply) {
                return moves.get(at).cloned();
            }
        }
        let worth = |code: &u32| memory.tables.worth(mover, *code, last);
        match choice(&self.rules)? {
            Choice::Greedy { share } => {
                if rng.unit() >= share {
                    return None;
                }
                list(moves, &mut trail.codes);
                let (mut best, mut alike, mut chosen) = (f32::NEG_INFINITY, 0, 0);
                for (at, worth) in trail.codes.iter().map(worth).enumerate() {
                    if worth > best {
                        (best, alike, chosen) = (worth, 1, at);
                    } else if worth == best {
                        alike += 1;
                        if rng.below(alike) == 0 {
                            chosen = at;
                        }
                    }
                }
                moves.get(chosen).cloned()
            }
            Choice::Gibbs { .. } => {
                list(moves, &mut trail.codes);
                trail.weights.clear();
                let weight = |worth: f32| self.weights[(worth as usize).min(POINT as usize)];
                trail.weights.extend(trail.codes.iter().map(worth).map(weight));
                let all: u64 = trail.weights.iter().map(|&weight| u64::from(weight)).sum();
                let mut left = rng.below(all as usize) as u64;
                let at = trail.weights.iter().position(|&weight| {
                    let here = left < u64::from(weight);
                    left = left.wrapping_sub(u64::from(weight));
                    here
                });
                moves.get(at?).cloned()
            }
        }
    }

    /// Another move if one of another player's wins after this one, where there is a better one;
    /// and whether it is known that the next player has no move that wins.
    fn answer(
        &self,
        state: &G,
        (mv, mover): (G::Move, usize),
        others: &mut Vec<G::Move>,
        supply: &mut RolloutSupply<'_, '_, G>,
    ) -> (G::Move, bool) {
        let mut look = |mv: &G::Move| {
            let next = state.apply(mv);
            let is_threat = next.outcome().is_none() && next.mover() != mover;
            let is_lost = is_threat && self.policy.find_win(&next, supply.moves).is_some();
            (is_lost, is_threat && !is_lost)
        };
        let (is_lost, has_no_win) = look(&mv);
        if !is_lost {
            return (mv, has_no_win);
        }
        others.clear();
        state.moves(others);
        let first = supply.rng.below(others.len());
        for other in others[first..].iter().chain(&others[..first]) {
            let (is_lost, has_no_win) = look(other);
            if !is_lost {
                return (other.clone(), has_no_win);
            }
        }
        (mv, false)
    }
}

/// How moves are chosen by their means, if they are.
fn choice(rules: &RolloutMoves) -> Option<Choice> {
    match rules.learned {
        Learned::Nothing => None,
        Learned::Mast(mast) => Some(mast.choice),
        Learned::Nst(nst) => Some(nst.choice),
    }
}

impl<G: GameState> Chosen<G> {
    /// As [`AnyPolicy::roll_out`].
    pub(crate) fn roll_out(
        &self,
        state: &G,
        supply: &mut RolloutSupply<'_, '_, G>,
    ) -> Result<Option<Outcome>, SearchError> {
        self.walk(state, supply, &|state| Ok(state.repetition(&Line::new(&[], state))))
    }

    /// As [`AnyPolicy::walk`].
    pub(crate) fn walk(
        &self,
        state: &G,
        supply: &mut RolloutSupply<'_, '_, G>,
        stopped: &dyn Fn(&G) -> Result<Outcome, SearchError>,
    ) -> Result<Option<Outcome>, SearchError> {
        let mut state = state.clone();
        let (mut others, mut has_no_win) = (Vec::new(), false);
        for ply in 1..=supply.limit {
            if let Some(outcome) = state.outcome() {
                return Ok(Some(outcome));
            }
            let mover = checked_mover(&state)?;
            let looks = self.rules.decisive != Decisive::Off && !has_no_win;
            let win = if looks { self.policy.find_win(&state, supply.moves) } else { None };
            has_no_win = false;
            let mv = match win.map_or_else(
                || (self.choose(&state, mover, supply), true),
                |win| (Some(win), false),
            ) {
                (None, _) => return Err(no_move(&state)),
                (Some(mv), true) if self.rules.decisive == Decisive::WinsAndThreats => {
                    let answer = self.answer(&state, (mv, mover), &mut others, supply);
                    has_no_win = answer.1;
                    answer.0
                }
                (Some(mv), _) => mv,
            };
            if let Some((played, codes)) = &mut supply.noted {
                played.note(mover, codes.code(&state, &mv));
            }
            if let (Some(trail), Some(memory)) = (&mut supply.trail, &self.memory) {
                trail.note(mover, memory.codes.code(&state, &mv), memory.codes.count());
            }
            state.apply_in_place(&mv);
            if ply % PLIES_BETWEEN_LOOKS == 0 && supply.pace.is_over() {
                return Ok(None);
            }
        }
        state.outcome().map_or_else(|| stopped(&state), Ok).map(Some)
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use std::sync::Arc;

    use super::{Chosen, RolloutSupply};
    use crate::budget::Budget;
    use crate::game::{GameState, Outcome, RolloutPolicy, UniformMoves, random_move};
    use crate::games::gomoku::Rule;
    use crate::games::{Breakthrough, ConnectFour, Gomoku, Hex, Othello, TicTacToe};
    use crate::mcts::claims::{Claims, Pace};
    use crate::mcts::config::{Decisive, RolloutMoves};
    use crate::rng::Rng;

    /// How a rollout of `limit` plies from here has ended, `None` if it has not.
    fn end<G: GameState>(
        chosen: &Chosen<G>,
        state: &G,
        limit: u32,
        rng: &mut Rng,
    ) -> Option<usize> {
        let claims = Claims::start(&Budget::simulations(1));
        let (moves, pace) = (&mut Vec::new(), &mut Pace::new(&claims));
        let mut supply = RolloutSupply { rng, moves, limit, pace, noted: None, trail: None };
        match chosen.walk(state, &mut supply, &|_| Ok(Outcome::Draw)).unwrap().unwrap() {
            Outcome::Win(winner) => Some(winner),
            _ => None,
        }
    }

    /// Looks at the positions of random games: how many have a move that wins, and in how many the
    /// other side would win after some moves and not after others.
    fn check<G: GameState>(start: &G, policy: impl RolloutPolicy<G> + 'static) -> [u32; 2] {
        let policy = Arc::new(policy);
        let with = |decisive| {
            let rules = RolloutMoves { decisive, ..RolloutMoves::default() };
            Chosen::new(rules, policy.clone(), None)
        };
        let (wins, threats) = (with(Decisive::Wins), with(Decisive::WinsAndThreats));
        let (mut won, mut saved, mut rng, mut moves) = (0, 0, Rng::from_seed(7), Vec::new());
        for _ in 0..60 {
            let mut state = start.clone();
            while state.outcome().is_none() {
                let mover = state.mover();
                if UniformMoves.winning_move(&state, &mut moves).is_some() {
                    won += 1;
                    for chosen in [&wins, &threats] {
                        assert_eq!(end(chosen, &state, 1, &mut rng), Some(mover));
                    }
                } else {
                    moves.clear();
                    state.moves(&mut moves);
                    let loses = |mv: &G::Move| {
                        let next = state.apply(mv);
                        let other = next.mover() != mover && next.outcome().is_none();
                        other && UniformMoves.winning_move(&next, &mut Vec::new()).is_some()
                    };
                    let lost = moves.iter().filter(|mv| loses(mv)).count();
                    if lost > 0 && lost < moves.len() {
                        saved += 1;
                        let ended = end(&threats, &state, 2, &mut rng);
                        assert!(ended.is_none_or(|winner| winner == mover), "{ended:?}");
                    }
                }
                state = state.apply(&random_move(&state, &mut rng, &mut moves).unwrap());
            }
        }
        [won, saved]
    }

    #[test]
    fn a_win_in_one_is_never_missed() {
        let seen = [
            check(&ConnectFour::new(), UniformMoves),
            check(&ConnectFour::new(), ConnectFour::rollouts()),
            check(&Breakthrough::default(), Breakthrough::rollouts()),
            check(&Hex::new(4).unwrap(), Hex::rollouts()),
            check(&TicTacToe::new(), TicTacToe::rollouts()),
            check(&Othello::new(), Othello::rollouts()),
            check(&Gomoku::new(7, Rule::KOrMore).unwrap(), Gomoku::rollouts()),
        ];
        assert!(seen.iter().all(|&[won, saved]| won > 20 && saved > 5), "{seen:?}");
    }
}
