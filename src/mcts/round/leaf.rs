//! What a search learns at a leaf: a rollout, and what an evaluation or a solver adds to it.

mod asked;

use std::fmt;
use std::sync::Arc;

use crate::error::SearchError;
use crate::evaluate::{Evaluate, is_value, list_promises};
use crate::game::{
    GameState, MOST_ROLLOUTS_AT_ONCE, MoveCoding, Outcome, Played, RolloutPolicy, Scores,
};
use crate::laws::checked_mover;
use crate::oracle::Oracle;
use crate::rng::Rng;

use super::select::own::OwnPolicy;
use super::{AnyPolicy, Chosen, RolloutSupply};
use crate::mcts::config::RolloutMoves;
use crate::mcts::learned::{Memory, Tables};
use crate::mcts::tree::value::to_fixed;
use crate::sorting::sort_by_number;

pub(crate) use asked::{AskedNetwork, Replies};

/// How leaves are rolled out, what an evaluation and a solver are used for, and how branches are
/// picked, as far as the user has code of that: nothing by default.
pub(crate) struct Knowledge<G: GameState> {
    /// How rollouts are played.
    policy: Arc<dyn AnyPolicy<G>>,
    /// The most that the policy plays side by side, asked once: what it answers later must not
    /// change what is under way.
    side_by_side: usize,
    /// The codes by which moves are noted: in a search, where the selection asks for them.
    pub(crate) codes: Option<MoveCoding<G>>,
    /// The codes by which the moves of the tree alone are noted: where the selection asks for that.
    pub(crate) history_codes: Option<MoveCoding<G>>,
    /// The codes of the policy, by which rollouts learn where the selection asks for none.
    pub(crate) learned_codes: Option<MoveCoding<G>>,
    /// How rollouts choose moves on top of the policy, if they do.
    chosen: Option<Arc<Chosen<G>>>,
    /// The most plies of a rollout, and what values the position it comes to.
    pub(crate) cut_off: Option<(u32, Evaluation<G>)>,
    /// Visits that a new node begins with, and what gives them their score.
    pub(crate) prior: Option<(u32, Evaluation<G>)>,
    /// What is asked instead of rollouts.
    pub(crate) network: Option<AskedNetwork<G>>,
    /// How branches are picked, if the user says how.
    pub(crate) own: Option<OwnPolicy>,
    /// What solves positions with few plies left.
    pub(crate) endgames: Option<Arc<dyn Oracle<G>>>,
}

/// An evaluation and the name of its type.
pub(crate) struct Evaluation<G> {
    by: Arc<dyn Evaluate<G>>,
    name: &'static str,
}

impl<G: GameState> Evaluation<G> {
    pub(crate) fn new<E: Evaluate<G> + 'static>(evaluation: E) -> Self {
        Self { by: Arc::new(evaluation), name: std::any::type_name::<E>() }
    }

    /// The win rate of the side to move.
    ///
    /// # Errors
    /// If the evaluation answers what is out of its range.
    #[inline]
    fn win_rate(&self, state: &G) -> Result<f64, SearchError> {
        let value = self.by.evaluate(state);
        if !is_value(value) {
            return Err(SearchError::of_value(self.name, value, state));
        }
        let win_rate = self.by.win_rate(value);
        if (0.0..=1.0).contains(&win_rate) {
            Ok(win_rate)
        } else {
            Err(SearchError::of_win_rate(self.name, (value, win_rate), state))
        }
    }

    /// What a valued position comes to: the win rate of its side to move, and the rest of a point.
    fn outcome(&self, state: &G) -> Result<Outcome, SearchError> {
        let own = self.win_rate(state)?;
        let mut scores = [1.0 - own; 2];
        *scores.get_mut(checked_mover(state)?).expect("a game of two players") = own;
        Ok(Outcome::Scores(Scores::new(&scores).expect("both are in range")))
    }
}

impl<G> Clone for Evaluation<G> {
    fn clone(&self) -> Self {
        Self { by: Arc::clone(&self.by), name: self.name }
    }
}

impl<G: GameState> Default for Knowledge<G> {
    fn default() -> Self {
        let policy = G::rollouts();
        let learned_codes = RolloutPolicy::<G>::move_codes(&policy);
        Self {
            side_by_side: policy.side_by_side(),
            policy: Arc::new(policy),
            codes: G::move_codes(),
            history_codes: None,
            learned_codes,
            chosen: None,
            cut_off: None,
            prior: None,
            network: None,
            own: None,
            endgames: None,
        }
    }
}

impl<G: GameState> Clone for Knowledge<G> {
    fn clone(&self) -> Self {
        Self {
            policy: Arc::clone(&self.policy),
            side_by_side: self.side_by_side,
            codes: self.codes,
            history_codes: self.history_codes,
            learned_codes: self.learned_codes,
            chosen: self.chosen.clone(),
            cut_off: self.cut_off.clone(),
            prior: self.prior.clone(),
            network: self.network.clone(),
            own: self.own.clone(),
            endgames: self.endgames.clone(),
        }
    }
}

impl<G: GameState> fmt::Debug for Knowledge<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Knowledge")
            .field("cut_off", &self.cut_off.as_ref().map(|(plies, _)| plies))
            .field("prior", &self.prior.as_ref().map(|(visits, _)| visits))
            .field("network", &self.network.is_some())
            .field("own", &self.own)
            .field("endgames", &self.endgames.is_some())
            .finish()
    }
}

impl<G: GameState> Knowledge<G> {
    /// With what the user has said of picking branches, which is of no game.
    pub(crate) fn with_own(own: Option<OwnPolicy>) -> Self {
        Self { own, ..Self::default() }
    }

    /// The most rollouts that are played side by side; 1 where each has to be played by itself, as
    /// those that are cut off.
    pub(crate) fn rollouts_at_once(&self) -> usize {
        match self.cut_off {
            None => self.side_by_side.clamp(1, MOST_ROLLOUTS_AT_ONCE),
            Some(_) => 1,
        }
    }

    /// Plays rollouts side by side from these positions, at most
    /// [`rollouts_at_once`](Self::rollouts_at_once).
    #[inline]
    pub(crate) fn roll_out_side_by_side(
        &self,
        positions: &[&G],
        rng: &mut Rng,
        outcomes: &mut [Outcome],
        played: &mut [Played],
    ) {
        self.policy.roll_out_side_by_side(positions, rng, outcomes, played);
    }

    /// Plays rollouts by another policy.
    pub(crate) fn set_policy(&mut self, policy: impl RolloutPolicy<G> + 'static) {
        self.side_by_side = policy.side_by_side();
        self.learned_codes = policy.move_codes();
        self.policy = Arc::new(policy);
    }

    /// Lets rollouts choose moves by these rules, on top of the policy. `codes` are given if they
    /// learn.
    pub(crate) fn choose_moves(&mut self, rules: RolloutMoves, codes: Option<MoveCoding<G>>) {
        let tables =
            |codes: MoveCoding<G>| Arc::new(Tables::new(&rules, G::PLAYERS, codes.count()));
        let memory = codes.map(|codes| Memory { codes, tables: tables(codes) });
        self.side_by_side = 0;
        self.chosen = Some(Arc::new(Chosen::new(rules, Arc::clone(&self.policy), memory)));
    }

    /// What rollouts have learnt, if they do.
    #[inline]
    pub(crate) fn memory(&self) -> Option<&Memory<G>> {
        self.chosen.as_ref()?.memory.as_ref()
    }

    /// What the moves of a simulation are noted by, if they are.
    pub(crate) fn coding(&self) -> Option<MoveCoding<G>> {
        self.codes.or(self.history_codes).or(self.memory().map(|memory| memory.codes))
    }

    /// The most plies of a rollout in a search that allows it `limit`.
    #[inline]
    pub(crate) fn most_plies(&self, limit: u32) -> u32 {
        self.cut_off.as_ref().map_or(limit, |(plies, _)| limit.min(*plies))
    }

    /// The result of a rollout of at most [`most_plies`](Self::most_plies) from a position where the
    /// game goes on: of a finished game, or of a position that was valued. `None` if the search is
    /// over before.
    ///
    /// # Errors
    /// If the game breaks a law, or the evaluation answers what is out of its range.
    #[inline]
    pub(crate) fn roll_out(
        &self,
        state: &G,
        supply: &mut RolloutSupply<'_, '_, G>,
    ) -> Result<Option<Outcome>, SearchError> {
        match &self.cut_off {
            None => match &self.chosen {
                None => self.policy.roll_out(state, supply),
                Some(chosen) => chosen.roll_out(state, supply),
            },
            Some((0, evaluation)) => evaluation.outcome(state).map(Some),
            Some((_, evaluation)) => {
                let stopped = |state: &G| evaluation.outcome(state);
                match &self.chosen {
                    None => self.policy.walk(state, supply, &stopped),
                    Some(chosen) => chosen.walk(state, supply, &stopped),
                }
            }
        }
    }

    /// How a game goes on from here with best play, and in how many plies it ends, if that can be
    /// found out at once.
    #[inline]
    pub(crate) fn solve(&self, state: &G) -> Option<(Outcome, u32)> {
        let worth = self.endgames.as_ref()?.worth(state)?;
        let mover = state.mover();
        let outcome = match worth.points {
            0 => Outcome::Draw,
            1.. => Outcome::Win(mover),
            _ => Outcome::Win(1 - mover),
        };
        Some((outcome, worth.plies))
    }

    /// Whether an evaluation or a solver speaks of the positions themselves that are reached, and
    /// not of what chance makes of them.
    #[inline]
    pub(crate) fn is_of_positions(&self) -> bool {
        let of_leaves = matches!(self.cut_off, Some((0, _)));
        let of_nodes = self.prior.is_some() || self.network.is_some();
        of_leaves || of_nodes || self.endgames.is_some()
    }

    /// The visits that a new node begins with, none of them of a simulation.
    #[inline]
    pub(crate) fn prior_visits(&self) -> u32 {
        self.prior.as_ref().map_or(0, |(visits, _)| *visits)
    }

    /// These visits, and the sum of their scores for the side to move, in fixed point.
    ///
    /// # Errors
    /// If the evaluation answers what is out of its range.
    #[inline]
    pub(crate) fn prior(&self, state: &G) -> Result<Option<(u32, u64)>, SearchError> {
        let Some((visits, evaluation)) = &self.prior else { return Ok(None) };
        let score = to_fixed(evaluation.win_rate(state)?);
        Ok(Some((*visits, u64::from(*visits) * u64::from(score))))
    }

    /// Sorts moves, those that look best first.
    pub(crate) fn sort(&self, state: &G, moves: &mut [G::Move]) {
        if let Some((_, evaluation)) = self.cut_off.as_ref().or(self.prior.as_ref()) {
            let mut promises = Vec::with_capacity(moves.len());
            list_promises(&*evaluation.by, state, moves, &mut promises);
            let mut promises = promises.into_iter();
            sort_by_number(moves, |_| promises.next().map_or(0, |promise| -i64::from(promise)));
        }
    }
}
