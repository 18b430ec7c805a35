//! Rounds that are asked about together: the questions of a worker fill one call.
//!
//! A round seldom has a question for each simulation: some of these come to the same position, or
//! to one that is asked about already, or to an end of the game, and those that cannot be used are
//! given back. So a worker sends another round after the first one, and perhaps more, each of the
//! number of simulations that the questions still missing took so far. It goes by the marks of
//! those before. What would be more than a full call is given back.

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::claims::{Claims, Pace};
use crate::mcts::config::RoundSize;
use crate::mcts::round::{Origin, Place, Round, Step, Supply};
use crate::mcts::tree::{Allotment, Tree};

/// The rounds of a worker that are asked about together, at most: four fill a call on average.
const MOST_TOGETHER: u32 = 8;

/// Full calls whose simulations are the most of a round: where the tree is narrow, few of them are
/// of use.
const MOST_OF_ROUND: u32 = 2;

impl<G: GameState> Round<G> {
    /// Whether the rounds of an engine with several workers are asked about together, and the calls
    /// that may be under way at a time.
    pub(crate) fn gathers(&self) -> Option<usize> {
        let is_adaptive = matches!(self.rules.round_size, RoundSize::Adaptive { .. });
        Some(self.knowledge.network.as_ref().filter(|_| is_adaptive)?.calls())
    }

    /// The most questions of a call, and of all rounds that are asked about together.
    pub(crate) fn most_questions(&self) -> u32 {
        self.knowledge.network.as_ref().map_or(1, |network| network.batch() as u32)
    }

    /// The rounds that may be asked about together with this one, each with its part of the memory.
    pub(crate) fn others(&self) -> Vec<Self> {
        // What each phase of a halving gives out goes by the visits that have come back.
        let others = if self.halves_the_root() { 0 } else { MOST_TOGETHER - 1 };
        let room = self.room.map(|room| room / u64::from(MOST_TOGETHER));
        let other = |_| Self { gathers: true, ..self.another_in(self.number, room) };
        (0..others).map(other).collect()
    }

    /// Whether this round is from now on one of several that are asked about together.
    pub(crate) fn set_gathering(&mut self, on: bool) {
        self.gathers = on;
        self.questions.set_most(usize::MAX);
    }

    /// Phases 1 and 2 of these rounds, one after the other, `count` simulations having been claimed
    /// for the first one, until they have that number of questions, or that number of them have
    /// come to an end of the game: those learn nothing from each other.
    /// Returns how many of the rounds have set out.
    ///
    /// # Errors
    /// If the game breaks a law. The marks of the round that failed are taken back then.
    pub(crate) fn gather(
        rounds: &mut [&mut Self],
        from: Origin<'_, G>,
        count: u32,
        claims: &Claims,
        supply: &mut Supply<'_, '_>,
    ) -> Result<usize, SearchError> {
        let (mut used, mut ended, mut claimed) = (0, 0, 0);
        let (mut missing, mut of_next) = (count, count);
        for round in rounds {
            let fits = of_next.min(round.most_simulations());
            of_next = if used == 0 { count } else { claims.claim(fits) };
            if of_next == 0 {
                break;
            }
            used += 1;
            claimed += of_next;
            round.questions.set_most(missing as usize);
            round.attempt(from.tree, |round| {
                round.select(from, of_next, supply)?;
                round.withhold_leaves(supply.pace);
                round.ask_about_leaves()
            })?;
            missing -= round.questions.len() as u32;
            let found = (count - missing).max(1);
            of_next = (missing * claimed).div_ceil(found).min(count * MOST_OF_ROUND);
            ended += round.simulations_at_ends();
            if missing == 0 || ended >= count || supply.pace.is_over() {
                break;
            }
        }
        Ok(used)
    }

    /// Gives back the simulations that have come to positions that are no nodes, and for which
    /// there is no question left.
    fn withhold_leaves(&mut self, pace: &Pace<'_>) {
        let leaves = self.steps.iter_mut().filter(|step| step.place == Place::Leaf);
        for step in leaves.skip(self.questions.left()) {
            step.place = Place::Withheld;
            pace.give_back(step.visits);
        }
    }

    /// Simulations that have come to an end of the game, or to what is proven.
    fn simulations_at_ends(&self) -> u32 {
        let is_end = |step: &&Step| matches!(step.place, Place::Known | Place::Repetition);
        self.steps.iter().filter(is_end).map(|step| step.visits).sum()
    }

    /// Phase 3 of these rounds: asks all their questions in one call, unless the search is over.
    ///
    /// # Errors
    /// If the network has no answers, or answers what is none. The marks of the rounds are still to
    /// be taken back then.
    pub(crate) fn ask_together(
        rounds: &mut [&mut Self],
        tree: &Tree<G>,
        allotment: &mut Allotment,
        pace: &mut Pace<'_>,
    ) -> Result<(), SearchError> {
        let asked: usize = rounds.iter().map(|round| round.questions.len()).sum();
        let Some(first) = rounds.first_mut() else { return Ok(()) };
        let network = first.knowledge.network.clone();
        let Some(network) = network.filter(|_| asked > 0 && !pace.is_over_before(asked as u32))
        else {
            rounds.iter_mut().for_each(|round| round.drop_questions(tree));
            return Ok(());
        };
        let temperature = first.rules.select.temperature();
        let mut replies = std::mem::take(&mut first.replies);
        let all: Vec<_> = rounds.iter().flat_map(|round| round.all_questions()).collect();
        network.ask(&all, temperature, &mut replies)?;
        drop(all);
        let (mut outcomes, mut priors) = (&replies.outcomes[..], &replies.priors[..]);
        for round in rounds.iter_mut() {
            let (count, moves) = (round.questions.len(), round.questions.moves());
            round.take_answers_to(tree, 0..count, (outcomes, priors), allotment);
            round.drop_questions(tree);
            outcomes = &outcomes[count..];
            priors = &priors[moves.min(priors.len())..];
        }
        rounds[0].counts.asked = rounds[0].counts.asked.plus(replies.asked);
        rounds[0].replies = replies;
        Ok(())
    }
}
