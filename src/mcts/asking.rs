//! A search whose questions the caller answers, in place of a network.

use std::fmt;
use std::ops::Deref;

use crate::budget::Budget;
use crate::error::SearchError;
use crate::evaluate::{Answers, NetworkError, Question};
use crate::game::GameState;

use super::{Mcts, Options, Report, Steps};

/// A search whose questions the caller answers: [`Mcts::begin_asking`] makes one.
///
/// For programs that evaluate positions elsewhere, or those of many searches together: on a device,
/// in another process, in a browser, or in one batch for hundreds of games at a time. The search
/// has no thread of its own. It goes on while [`ask`](Self::ask) runs, until it has questions, and
/// takes the answers with [`answer`](Self::answer).
///
/// The same is found, byte for byte, as by one [search](Mcts::search) of one worker that asks a
/// network with the same answers; with a table from a file, whose positions are asked about one by
/// one, nearly the same. What is known so far is read as from [`Steps`], which this
/// derefs to.
///
/// # Examples
/// Two games, asked about together:
/// ```
/// use playtree::evaluate::Elsewhere;
/// use playtree::games::ConnectFour;
/// use playtree::{Budget, Mcts};
///
/// let engine = |seed| Mcts::builder().threads(1).seed(seed).network(Elsewhere::new(1)).build();
/// let (mut one, mut two) = (engine(1)?, engine(2)?);
/// let (start, budget) = (ConnectFour::new(), Budget::simulations(16));
/// let mut games =
///     [one.begin_asking(&start, &budget)?, two.begin_asking(&start, &budget)?];
/// loop {
///     let mut batch = Vec::new();
///     for game in &mut games {
///         game.ask()?;
///     }
///     for game in &games {
///         batch.extend(game.questions().iter().map(|question| question.state.clone()));
///     }
///     if batch.is_empty() {
///         break;
///     }
///     // One call for all of them.
///     let mut values = vec![0.5; batch.len()].into_iter();
///     for game in &mut games {
///         game.answer(|questions, answers| {
///             for number in 0..questions.len() {
///                 answers.value(number, values.next().expect("one for each question"));
///             }
///             Ok(())
///         })?;
///     }
/// }
/// for game in games {
///     assert_eq!(game.finish()?.simulations, 16);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is searched until it is asked for questions"]
pub struct Asking<'a, G: GameState> {
    steps: Steps<'a, G>,
    /// What the search is to begin with, until the root has its answer.
    opening: Option<(Budget, Options<G>)>,
}

impl<G: GameState> Mcts<G> {
    /// Begins a search whose questions the caller answers, with the clock of the budget running
    /// from now on, and searches nothing yet. The budget may be [unlimited](Budget::unlimited): the
    /// caller ends the search.
    ///
    /// The engine's [network](crate::MctsBuilder::network) is not asked; it says how many questions
    /// there are at a time. [`Elsewhere`](crate::evaluate::Elsewhere) stands for one where there is
    /// no other.
    ///
    /// # Errors
    /// As [`begin`](Self::begin), and [`NoNetwork`](SearchError::NoNetwork) if the engine asks
    /// nothing. What the root is searched for is looked at with the first [`ask`](Asking::ask).
    pub fn begin_asking(
        &mut self,
        state: &G,
        budget: &Budget,
    ) -> Result<Asking<'_, G>, SearchError> {
        self.begin_asking_with(state, budget, &Options::default())
    }

    /// As [`begin_asking`](Self::begin_asking), for a search that goes as `options` say.
    ///
    /// # Errors
    /// As `begin_asking`.
    pub fn begin_asking_with(
        &mut self,
        state: &G,
        budget: &Budget,
        options: &Options<G>,
    ) -> Result<Asking<'_, G>, SearchError> {
        if !self.asks() {
            return Err(SearchError::NoNetwork);
        }
        self.workers[0].round.set_caller(true);
        let steps = Steps::new(self, state, budget);
        Ok(Asking { steps, opening: Some((budget.clone(), options.clone())) })
    }
}

impl<G: GameState> Asking<'_, G> {
    /// Searches until there are questions, or the search is over: whether there are some. While
    /// questions wait it does nothing.
    ///
    /// # Errors
    /// As [`Mcts::search`], if the search cannot be begun or the game breaks a law. The search is
    /// over then.
    ///
    /// # Panics
    /// With the game's own panic. The search is over then, and the engine stays usable.
    pub fn ask(&mut self) -> Result<bool, SearchError> {
        if !self.steps.goes_on() {
            return Ok(false);
        }
        if self.steps.round().has_questions() {
            return Ok(true);
        }
        if let Some((budget, options)) = self.opening.take() {
            match self.steps.open(&budget, &options) {
                Err(_) if self.steps.round().waits_for_one() => {
                    self.opening = Some((budget, options));
                    return Ok(true);
                }
                opened => opened?,
            }
        }
        self.steps.step_asking()
    }

    /// The questions that wait for an answer; none before the search was [asked](Self::ask), or
    /// when it is over. Rarely more than the network's [batch](crate::Network::batch).
    #[must_use]
    pub fn questions(&self) -> Vec<Question<'_, G>> {
        self.steps.round().waiting_questions()
    }

    /// Answers all questions that wait, as a network does in
    /// [`evaluate`](crate::Network::evaluate). Where none wait `answers` is not called.
    ///
    /// # Errors
    /// If `answers` fails, or answers what is none, as for a network. The search is over then, and
    /// the engine stays usable.
    ///
    /// # Panics
    /// With the panic of `answers`, with the same consequences.
    pub fn answer(
        &mut self,
        answers: impl FnOnce(&[Question<'_, G>], &mut Answers) -> Result<(), NetworkError>,
    ) -> Result<(), SearchError> {
        if !self.steps.goes_on() || !self.steps.round().has_questions() {
            return Ok(());
        }
        self.steps.take_answers(answers)
    }

    /// Ends the search, and says what was found. Questions that wait are dropped, and the
    /// simulations with them that ask. Dropping this ends the search as well.
    ///
    /// # Errors
    /// As [`Steps::report`].
    pub fn finish(self) -> Result<Report<G::Move>, SearchError> {
        self.steps.finish()
    }
}

impl<'a, G: GameState> Deref for Asking<'a, G> {
    type Target = Steps<'a, G>;

    fn deref(&self) -> &Self::Target {
        &self.steps
    }
}

impl<G: GameState> fmt::Debug for Asking<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking")
            .field("questions", &self.questions().len())
            .field("steps", &self.steps)
            .finish()
    }
}
