//! A game as a board shows it.

use playtree::game::Outcome;
use playtree_session::Session;
use playtree_session::settings::Settings;

use super::link;
use crate::messages::{End, View};
use crate::{games, look};

/// What is shown until the next change; the search is not part of it.
pub(super) type Shown = View;

pub(super) fn shown(
    session: &Session,
    undone: &[String],
    version: u64,
    settings: &Settings,
) -> Shown {
    let (record, game) = (session.record(), session.game());
    let before = record.moves().len().checked_sub(1);
    let last = before.map(|at| (&record.positions()[at], &record.moves()[at]));
    let outcome = session.outcome();
    let (start, played) = (record.positions()[0].position_text(), session.moves());
    View {
        session: String::new(),
        version,
        game: game.name().into(),
        title: games::title(game.name()).into(),
        position: session.position(),
        board: look::board(record.position(), last),
        mover: session.mover(),
        players: game.players(),
        moves: if outcome.is_some() { Vec::new() } else { look::moves(record.position()) },
        undone: undone.len(),
        outcome: outcome.map(|outcome| end(&outcome, game.players())),
        thinking: None,
        settings: settings.clone(),
        network: super::asks_network(settings),
        link: link::link(game.info(), &start, &played),
        start,
        played,
    }
}

pub(super) fn end(outcome: &Outcome, players: usize) -> End {
    let text = match outcome {
        Outcome::Win(player) => format!("player {} has won", player + 1),
        Outcome::Draw => "draw".to_owned(),
        _ => "the game is over".to_owned(),
    };
    End { scores: (0..players).map(|player| outcome.score(player)).collect(), text }
}
