//! A game under way, and those who choose moves in it.

use playtree::GameState;
use playtree_session::foreign;

use crate::games::{self, read_move};
use crate::player::{self, Answer, Clocks, Failure, Player, Record, Seat};
use crate::spec::{PlayerSpec, Spec};

/// How a game has ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// `None` of a draw.
    pub(super) winner: Option<usize>,
    pub(super) by_repetition: bool,
}

/// Who chooses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chooser {
    Engine,
    /// Gives hints. It shares nothing with the engine, so that a hint changes no reply.
    Adviser,
}

/// The players that choose moves.
#[derive(Debug)]
pub(super) struct Specs {
    pub(super) engine: Spec,
    pub(super) adviser: Spec,
}

/// A game that two sides play, and those who choose moves in it.
pub(super) struct Table<'a> {
    /// Where the session began.
    before: Record,
    record: Record,
    specs: &'a Specs,
    /// The engine and the adviser, made when they are first needed.
    players: [Option<Box<dyn Player>>; 2],
    seat: Seat<'a>,
}

impl<'a> Table<'a> {
    /// A game that goes on after `before`.
    pub(super) fn new(before: Record, specs: &'a Specs, seat: Seat<'a>) -> Self {
        Self { record: before.clone(), before, specs, players: [None, None], seat }
    }

    /// A player, which is made if it is not there, and the game.
    fn player(&mut self, chooser: Chooser) -> Result<(&mut dyn Player, &Record), Failure> {
        let (place, spec, clocks) = match chooser {
            Chooser::Engine => (0, &self.specs.engine, self.seat.clocks),
            Chooser::Adviser => (1, &self.specs.adviser, None),
        };
        let slot = &mut self.players[place];
        let player = match slot.take() {
            Some(player) => player,
            None => player::make(spec, &self.record.states()[0], Seat { clocks, ..self.seat })?,
        };
        Ok((slot.insert(player).as_mut(), &self.record))
    }
}

impl Table<'_> {
    /// Lets the engine think about what the person may do, until it is asked for a move.
    pub(super) fn ponder(&mut self) {
        if let Some(engine) = &mut self.players[0] {
            engine.ponder(&self.record);
        }
    }

    /// The moves that were played, those before the session included.
    pub(super) fn plies(&self) -> usize {
        self.record.len()
    }

    /// The side to move after the first `ply` moves, 0 or 1.
    pub(super) fn mover_after(&self, ply: usize) -> usize {
        self.record.states()[ply].mover()
    }

    /// The last move as text; `None` if there is none.
    pub(super) fn last_move(&self) -> Option<String> {
        self.record.texts_from(self.record.len().checked_sub(1)?).next()
    }

    /// The board as text.
    pub(super) fn text(&self) -> String {
        self.record.last().board_text()
    }

    /// How the game has ended, if it has.
    pub(super) fn end(&self) -> Option<End> {
        let outcome = self.record.outcome()?;
        let winner = games::winner(&outcome);
        Some(End { winner, by_repetition: self.record.repetition().is_some() })
    }

    /// The legal moves as text.
    pub(super) fn legal_moves(&self) -> Vec<String> {
        self.record.last().legal_moves()
    }

    /// Plays a move. Gives it back as the game writes it, and as others do where they differ.
    ///
    /// # Errors
    /// If it is not legal; the game is as before.
    pub(super) fn play(&mut self, text: &str) -> Result<String, String> {
        let state = self.record.last();
        let mv = read_move(state, text)?;
        let mut text = state.move_text(&mv);
        if let Some(other) = foreign::written(state, &text) {
            text = format!("{text} ({other})");
        }
        self.record.play(mv);
        Ok(text)
    }

    /// Takes the last move back; nothing happens if there is none.
    pub(super) fn take_back(&mut self) {
        self.record.take_back();
        // What a program knows of the game is wrong now.
        if matches!(self.specs.engine.player, PlayerSpec::Program { .. }) {
            self.players[0] = None;
        }
    }

    /// The game so far as `--position` takes it.
    pub(super) fn position(&self) -> String {
        let start = self.record.states()[0].position_text();
        let start = (start != self.seat.game.info().start).then_some(start.as_str());
        games::join_moves(start, self.record.texts_from(0))
    }

    /// Goes on with the game of a text, as `--position` takes it, which stands in `file`. Where it
    /// begins is from now on where the session began.
    ///
    /// # Errors
    /// If there is none, or the engine plays none from there; the game is as before.
    pub(super) fn load(&mut self, text: &str, file: &str) -> Result<(), String> {
        let (game, record) =
            games::read(self.seat.game.info(), text, file).map_err(|error| error.to_string())?;
        let usual_start = games::is_of_usual_start(text);
        let loaded = Self::new(record, self.specs, Seat { game, usual_start, ..self.seat });
        let old = std::mem::replace(self, loaded);
        if let Err(failure) = self.make_engine() {
            *self = old;
            return Err(format!("the engine does not play this game: {failure}"));
        }
        Ok(())
    }

    /// Begins again where the session began, with players who know nothing.
    pub(super) fn restart(&mut self) {
        self.record = self.before.clone();
        self.players = [None, None];
        self.seat.seed = self.seat.seed.wrapping_add(1);
    }

    /// What `chooser` would do for the side to move. Blocks as long as its limits and its clock
    /// say, or until Ctrl-C.
    pub(super) fn choose(
        &mut self,
        chooser: Chooser,
        clocks: Option<Clocks>,
    ) -> Result<Answer<String>, Failure> {
        let (player, record) = self.player(chooser)?;
        Ok(match player.choose(record, clocks)? {
            Answer::Move(mv, work) => Answer::Move(record.last().move_text(&mv), work),
            Answer::Resigned => Answer::Resigned,
            Answer::ClaimedDraw => Answer::ClaimedDraw,
        })
    }

    /// Makes the engine, if it is not there yet.
    ///
    /// # Errors
    /// If there is no such player.
    pub(super) fn make_engine(&mut self) -> Result<(), Failure> {
        self.player(Chooser::Engine).map(drop)
    }
}
