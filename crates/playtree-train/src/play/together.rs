//! Many searches, whose questions go to the network in one batch.

use std::collections::HashMap;

use playtree::evaluate::{NetworkError, Question};
use playtree::mcts::{Asking, Report};
use playtree::{Budget, Mcts};
use playtree_planes::{Outputs, PLANES, Planes, answer, write_planes};

use super::PlayError;
use crate::net::{Net, NetError};

/// A network and its answers: it is asked about a position once, however many searches come there.
///
/// An answer is the same whoever asks, so searches find what they would find without it; what is
/// remembered is never forgotten, so this is for some hundred games.
#[derive(Debug)]
pub struct Answered<'a> {
    net: &'a Net,
    /// Of the positions that were asked about, each by its planes, the numbers in `outputs`.
    numbers: HashMap<[u64; PLANES], usize>,
    outputs: Outputs,
    /// Positions to be asked about.
    asked: Vec<[u64; PLANES]>,
}

impl<'a> Answered<'a> {
    /// A network that was not asked yet.
    #[must_use]
    pub fn new(net: &'a Net) -> Self {
        let outputs = Outputs { values: Vec::new(), logits: Vec::new() };
        Self { net, numbers: HashMap::new(), outputs, asked: Vec::new() }
    }

    /// The network.
    #[must_use]
    pub fn net(&self) -> &Net {
        self.net
    }

    /// The outputs for all questions, or `None` if some are still to come: then they are in the
    /// next [call](Self::ask).
    fn outputs_for<G: Planes>(&mut self, questions: &[Question<'_, G>]) -> Option<Outputs> {
        let moves = G::FORM.moves;
        let mut found = Outputs { values: Vec::new(), logits: Vec::new() };
        for question in questions {
            let planes = question.state.planes();
            let next = self.outputs.values.len() + self.asked.len();
            let number = *self.numbers.entry(planes).or_insert(next);
            if number == next {
                self.asked.push(planes);
            }
            if let Some(&value) = self.outputs.values.get(number) {
                found.values.push(value);
                found.logits.extend_from_slice(&self.outputs.logits[number * moves..][..moves]);
            }
        }
        (found.values.len() == questions.len()).then_some(found)
    }

    /// Asks the network about all positions that have no answer: whether there were some.
    fn ask(&mut self) -> Result<bool, NetError> {
        let mut planes = Vec::new();
        for asked in &self.asked {
            write_planes(asked, &self.net.size().form, &mut planes);
        }
        if !self.asked.is_empty() {
            let outputs = self.net.evaluate(&planes)?;
            self.outputs.values.extend(outputs.values);
            self.outputs.logits.extend(outputs.logits);
        }
        Ok(!std::mem::take(&mut self.asked).is_empty())
    }
}

/// Searches positions with an engine each, at the same time: what they ask about and is not known
/// yet is one batch.
///
/// # Errors
/// As [`PlayError`] says.
pub fn search_all<G: Planes>(
    searches: Vec<(&mut Mcts<G>, &G)>,
    simulations: u64,
    net: &mut Answered<'_>,
) -> Result<Vec<Report<G::Move>>, PlayError> {
    let budget = Budget::simulations(simulations);
    let searches = searches.into_iter().map(|(engine, state)| engine.begin_asking(state, &budget));
    let mut searches: Vec<Asking<'_, G>> = searches.collect::<Result<_, _>>()?;
    loop {
        for search in &mut searches {
            while search.ask()?
                && let Some(outputs) = net.outputs_for(&search.questions())
            {
                search.answer(|questions, answers| {
                    answer(questions, &outputs, 0, answers).map_err(NetworkError::new)
                })?;
            }
        }
        if !net.ask()? {
            break;
        }
    }
    Ok(searches.into_iter().map(Asking::finish).collect::<Result<_, _>>()?)
}
