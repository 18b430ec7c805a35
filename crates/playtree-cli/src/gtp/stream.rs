//! Answers that go on while a search does: what was found so far at each interval, until the next
//! command of the client, or until the move that it asked for is there.

use std::io::Write;
use std::time::Instant;

use playtree_session::Engine;

use super::analysis::{Dialect, Wanted};
use super::session::{Session, player_of};
use crate::error::CliError;
use crate::games::read_move;
use crate::player::{Failure, Purpose};
use crate::protocols::{Event, Events, Finding};

/// A search that was begun, and how it is shown.
#[derive(Debug)]
pub(super) struct Stream {
    wanted: Wanted,
    /// The player whose move it is to be, and when it was asked for; `None` of an analysis.
    chooser: Option<(usize, Instant)>,
    /// Whether the turn was handed over for it, and whether the game was set up before.
    handed_over: Option<bool>,
}

impl Session<'_> {
    /// Begins an analysis, or the search for a move that was asked for at `begin`, of the side that
    /// the words name first.
    ///
    /// # Errors
    /// If the player is no searcher, or something else keeps it from that.
    pub(super) fn begin_stream(
        &mut self,
        dialect: Dialect,
        words: &[&str],
        begin: Option<Instant>,
    ) -> Result<(), String> {
        let mover = playtree::GameState::mover(self.line.record.last());
        let colour = words.first().and_then(|word| Some((player_of(word).ok()?, &words[1..])));
        let (player, words) = match (colour, begin) {
            (Some((player, words)), _) => (player, words),
            (None, None) => (mover, words),
            (None, Some(_)) => return player_of(words[0]).map(drop),
        };
        self.player().map_err(|failure| failure.to_string())?;
        let was_set_up = self.is_set_up;
        let handed_over = self.line.turn_to(self.settings.game, player)?;
        self.is_set_up |= handed_over;
        let begun = self.begin_search(dialect, words, player, begin);
        let handed_over = handed_over.then_some(was_set_up);
        match begun {
            Ok(wanted) => {
                let chooser = begin.map(|begin| (player, begin));
                self.stream = Some(Stream { wanted, chooser, handed_over });
                Ok(())
            }
            Err(error) => {
                self.give_back(handed_over);
                Err(error)
            }
        }
    }

    fn begin_search(
        &mut self,
        dialect: Dialect,
        words: &[&str],
        player: usize,
        begin: Option<Instant>,
    ) -> Result<Wanted, String> {
        let wanted = Wanted::read(dialect, self.settings.letters, words, self.line.record.last())?;
        let purpose = match begin {
            Some(begin) => Purpose::Move(self.clocks(player, begin.elapsed())),
            None => Purpose::Analysis,
        };
        let searcher = self.player.as_mut().and_then(|player| player.searcher());
        let searcher = searcher.ok_or("expected mcts or alphabeta, which can be looked at")?;
        let begun = searcher.begin(&self.line.record, purpose, wanted.root.clone());
        begun.map_err(|failure| failure.to_string())?;
        Ok(wanted)
    }

    /// Gives the turn back that was handed over, if it was.
    fn give_back(&mut self, handed_over: Option<bool>) {
        if let Some(was_set_up) = handed_over {
            self.line.give_back();
            self.is_set_up = was_set_up;
        }
    }

    /// Shows the search that the last command has begun, if it has; blocks until that is over. What
    /// has ended it.
    pub(super) fn stream(
        &mut self,
        events: &Events,
        out: &mut impl Write,
    ) -> Result<Option<Event>, CliError> {
        let Some(Stream { wanted, chooser, handed_over }) = self.stream.take() else {
            return Ok(None);
        };
        let searcher = self.player.as_mut().and_then(|player| player.searcher());
        let Some(engine) = searcher.map(|searcher| searcher.engine()) else { return Ok(None) };
        let Some((player, begin)) = chooser else {
            let event = show_until_event(engine, &wanted, events, out)?;
            // What it has found is in its table.
            let _ = engine.stop();
            self.give_back(handed_over);
            writeln!(out)?;
            out.flush()?;
            return Ok(Some(event));
        };
        let found = show_until_end(engine, &wanted, out)?;
        match found.and_then(|finding| self.play_best(&finding, player, begin)) {
            Ok(mv) => writeln!(out, "play {}\n", wanted.letters.to_theirs(&mv))?,
            Err(failure) => {
                self.give_back(handed_over);
                // The answer has begun: there is no other word for it.
                writeln!(out, "info string {failure}\nplay resign\n")?;
            }
        }
        out.flush()?;
        Ok(None)
    }

    fn play_best(
        &mut self,
        finding: &Finding,
        player: usize,
        begin: Instant,
    ) -> Result<String, Failure> {
        let text = finding.best().map_or("", |best| best.mv());
        let mv = read_move(self.line.record.last(), text).map_err(Failure::Unfit)?;
        let text = self.line.record.last().move_text(&mv);
        self.line.record.play(mv);
        if let Some(clocks) = &mut self.settings.clocks {
            clocks[player] = clocks[player].after_move(begin.elapsed());
        }
        Ok(text)
    }
}

/// Shows what is found at each interval until the client says something: that.
fn show_until_event(
    engine: &mut dyn Engine,
    wanted: &Wanted,
    events: &Events,
    out: &mut impl Write,
) -> Result<Event, CliError> {
    let mut is_over = false;
    loop {
        let until = Instant::now() + wanted.interval;
        match events.next((!is_over).then_some(until))? {
            Some(Event::Woken) => {}
            Some(event) => return Ok(event),
            None => {
                // After its end there is nothing new to be shown.
                is_over = !engine.is_thinking();
                show(engine, wanted, out)?;
            }
        }
    }
}

/// Shows what is found at each interval and in the end.
fn show_until_end(
    engine: &mut dyn Engine,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<Result<Finding, Failure>, CliError> {
    if let Some(watcher) = engine.watcher() {
        while !watcher.wait_for(wanted.interval) {
            show(engine, wanted, out)?;
        }
    }
    let report = match engine.wait() {
        Ok(report) => report,
        Err(error) => return Ok(Err(Failure::Unfit(error.to_string()))),
    };
    let finding = Finding::of(&report, None);
    let line = wanted.line(&finding);
    if !line.is_empty() {
        writeln!(out, "{line}")?;
    }
    Ok(Ok(finding))
}

fn show(engine: &dyn Engine, wanted: &Wanted, out: &mut impl Write) -> Result<(), CliError> {
    let Some(report) = engine.report() else { return Ok(()) };
    let line = wanted.line(&Finding::of(&report, None));
    if !line.is_empty() {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}
