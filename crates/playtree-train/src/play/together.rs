//! Many searches, whose questions go to the network in one batch.

use playtree::evaluate::NetworkError;
use playtree::mcts::{Asking, Report};
use playtree::{Budget, Mcts};
use playtree_planes::{Planes, answer, write};

use super::PlayError;
use crate::net::Net;

/// Searches positions with an engine each, at the same time: each asks about one position at a
/// time, and all these are one batch.
///
/// # Errors
/// As [`PlayError`] says.
pub fn search_all<G: Planes>(
    searches: Vec<(&mut Mcts<G>, &G)>,
    simulations: u64,
    net: &Net,
) -> Result<Vec<Report<G::Move>>, PlayError> {
    let budget = Budget::simulations(simulations);
    let searches = searches.into_iter().map(|(engine, state)| engine.begin_asking(state, &budget));
    let mut searches: Vec<Asking<'_, G>> = searches.collect::<Result<_, _>>()?;
    let mut planes = Vec::new();
    // The numbers of the searches that ask, each with that of its first question in the batch.
    let mut asking: Vec<(usize, usize)> = Vec::new();
    loop {
        planes.clear();
        asking.clear();
        for (number, search) in searches.iter_mut().enumerate() {
            if search.ask()? {
                asking.push((number, planes.len() / G::FORM.inputs()));
                search.questions().iter().for_each(|asked| write(asked.state, &mut planes));
            }
        }
        if asking.is_empty() {
            break;
        }
        let outputs = net.evaluate(&planes)?;
        for &(number, first) in &asking {
            searches[number].answer(|questions, answers| {
                answer(questions, &outputs, first, answers).map_err(NetworkError::new)
            })?;
        }
    }
    Ok(searches.into_iter().map(Asking::finish).collect::<Result<_, _>>()?)
}
