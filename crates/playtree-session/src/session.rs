//! A game that is played, searched and looked at.

use std::sync::Arc;
use std::time::Duration;

use playtree::dynamic::AnyMove;
use playtree::mcts::NodeReport;
use playtree::{Budget, GameState, Outcome, Pool, SearchId};

use crate::engine::{Engine, InSteps, OnReport, Watch};
use crate::foreign::read_move;
use crate::settings::Settings;
use crate::{Error, Game, Position, Record, Report, Root};

/// A game under way and an engine that looks at it, by name and by text.
///
/// The engine searches in threads of its own, so no call but [`wait`](Self::wait) blocks for long.
/// A move that is played or taken back ends the search: what it has found stays in the engine's
/// table.
///
/// # Examples
/// ```
/// use playtree::Budget;
/// use playtree_session::Session;
/// use playtree_session::settings::Settings;
///
/// let mut session = Session::new("tictactoe", None, &Settings::default())?;
/// while session.outcome().is_none() {
///     session.think(&Budget::simulations(500))?;
///     let report = session.wait()?;
///     session.play(report.best_move())?;
/// }
/// session.undo()?;
/// assert_eq!(session.outcome(), None);
/// # Ok::<(), playtree_session::Error>(())
/// ```
#[derive(Debug)]
pub struct Session {
    game: Game,
    record: Record,
    engine: Box<dyn Engine>,
    pool: Option<Pool>,
    /// Whether it is searched in steps.
    steps: bool,
}

impl Session {
    /// A game of this name at this position, `None` for its start, with an engine.
    ///
    /// # Errors
    /// If there is no such game or position, or the engine cannot be made.
    pub fn new(game: &str, position: Option<&str>, settings: &Settings) -> Result<Self, Error> {
        let (game, position) = Game::open(game, position)?;
        let engine = game.engine(settings)?;
        Ok(Self { game, record: Record::new(position), engine, pool: None, steps: false })
    }

    /// As [`new`](Self::new), with engines that search in a pool: in all sessions of the pool at
    /// most its number of threads search at a time.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Examples
    /// ```
    /// use playtree::{Budget, Pool};
    /// use playtree_session::Session;
    /// use playtree_session::settings::Settings;
    ///
    /// let pool = Pool::new(2)?;
    /// let mut games = Vec::new();
    /// for _ in 0..5 {
    ///     let mut game = Session::in_pool("tictactoe", None, &Settings::default(), &pool)?;
    ///     game.think(&Budget::simulations(500))?;
    ///     games.push(game);
    /// }
    /// for game in &mut games {
    ///     assert!(pool.searching() <= 2);
    ///     game.wait()?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_pool(
        game: &str,
        position: Option<&str>,
        settings: &Settings,
        pool: &Pool,
    ) -> Result<Self, Error> {
        let (game, position) = Game::open(game, position)?;
        let engine = game.engine_in(settings, pool)?;
        let (record, pool) = (Record::new(position), Some(pool.clone()));
        Ok(Self { game, record, engine, pool, steps: false })
    }

    /// As [`new`](Self::new), with an engine that searches when [`step`](Self::step) is called: for
    /// programs that have one thread. The settings should say one thread, too.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Examples
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use playtree::Budget;
    /// use playtree_session::Session;
    /// use playtree_session::settings::{MctsSettings, Settings};
    ///
    /// let settings = MctsSettings { threads: Some(1), ..MctsSettings::default() };
    /// let mut session = Session::in_steps("tictactoe", None, &Settings::from(settings))?;
    /// session.think(&Budget::time(Duration::from_millis(50)))?;
    /// let clock = Instant::now();
    /// while session.step(Duration::from_millis(10), clock.elapsed())? {
    ///     // show what was found, look whether the user has done something, ...
    /// }
    /// let report = session.report().expect("it was searched");
    /// session.play(report.best_move())?;
    /// # Ok::<(), playtree_session::Error>(())
    /// ```
    pub fn in_steps(
        game: &str,
        position: Option<&str>,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let mut session = Self::new(game, position, settings)?;
        session.steps = true;
        session.set_engine(settings)?;
        Ok(session)
    }

    /// Goes on with the search of a session [in steps](Self::in_steps) for about this time: whether
    /// there is more to do. `now` is a moment by a clock of yours, which the time limit goes by.
    ///
    /// # Errors
    /// Those of the search, which is over then.
    pub fn step(&mut self, slice: Duration, now: Duration) -> Result<bool, Error> {
        self.engine.step(slice, now)
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> Game {
        self.game
    }

    /// The game as it has been played.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The engine, for what a session does not do by itself.
    #[must_use]
    pub fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.engine
    }

    /// Takes another engine, with nothing known, in the same pool if the session is in one.
    ///
    /// # Errors
    /// If it cannot be made; the one before stays.
    pub fn set_engine(&mut self, settings: &Settings) -> Result<(), Error> {
        self.engine = match &self.pool {
            Some(pool) => self.game.engine_in(settings, pool)?,
            None if self.steps => Box::new(InSteps::new(self.game.engine(settings)?)),
            None => self.game.engine(settings)?,
        };
        Ok(())
    }

    fn present(&self) -> &Position {
        self.record.position()
    }

    /// The position as a text.
    #[must_use]
    pub fn position(&self) -> String {
        self.present().position_text()
    }

    /// The board for a person to look at.
    #[must_use]
    pub fn board(&self) -> String {
        self.present().board_text()
    }

    /// The side to move, from 0.
    #[must_use]
    pub fn mover(&self) -> usize {
        self.present().mover()
    }

    /// The legal moves as texts.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        self.present().legal_moves()
    }

    /// The moves that were played, each as it is written where it was played.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        let moves = self.record.positions().iter().zip(self.record.moves());
        moves.map(|(state, mv)| state.move_text(mv)).collect()
    }

    /// How the game has ended, by its position or by a repetition; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    /// Plays a move, also as [others write it](crate::foreign), and ends the search under way.
    ///
    /// # Errors
    /// If it is not legal; the game and the search are as before.
    pub fn play(&mut self, text: &str) -> Result<(), Error> {
        let mv = self.read(text)?;
        self.end();
        self.record.play(mv);
        Ok(())
    }

    /// Takes the last move back, and ends the search under way.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), Error> {
        if self.record.moves().is_empty() {
            return Err(Error::NoMove);
        }
        self.end();
        self.record.take_back();
        Ok(())
    }

    fn end(&mut self) {
        if self.engine.is_thinking() {
            // What it has found is in its table; what was wrong with it is over.
            let _ = self.engine.stop();
        }
    }

    fn read(&self, text: &str) -> Result<AnyMove, Error> {
        Ok(read_move(self.present(), text)?)
    }

    /// Begins to search the position; an earlier search ends.
    ///
    /// # Errors
    /// If the game is over.
    pub fn think(&mut self, budget: &Budget) -> Result<SearchId, Error> {
        self.engine.think(&self.record, budget, &Root::default())
    }

    /// Begins to search the position until it is stopped, as in the opponent's time.
    ///
    /// # Errors
    /// As [`think`](Self::think).
    pub fn ponder(&mut self) -> Result<SearchId, Error> {
        self.think(&Budget::unlimited())
    }

    /// Begins a search of some moves only, or with some left out.
    ///
    /// # Errors
    /// As [`think`](Self::think), and if a move is not legal.
    pub fn think_of(
        &mut self,
        budget: &Budget,
        only: Option<&[&str]>,
        except: &[&str],
    ) -> Result<SearchId, Error> {
        let read = |texts: &[&str]| texts.iter().map(|text| self.read(text)).collect();
        let mut root = Root::new();
        root.only = only.map(read).transpose()?;
        root.except = read(except)?;
        self.engine.think(&self.record, budget, &root)
    }

    /// Whether a search is under way.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.engine.is_thinking()
    }

    /// What the search has found so far, or in the end; `None` if there was none.
    #[must_use]
    pub fn report(&self) -> Option<Report> {
        self.engine.report()
    }

    /// Calls back every `interval` with what the search has found so far.
    pub fn on_report(&mut self, interval: Duration, callback: OnReport) {
        self.engine.on_report(interval, callback);
    }

    /// Waits for the end of the search.
    ///
    /// # Errors
    /// Those of the search, and if there is none.
    pub fn wait(&mut self) -> Result<Report, Error> {
        self.engine.wait()
    }

    /// Ends the search.
    ///
    /// # Errors
    /// Those of the search, and if there is none.
    pub fn stop(&mut self) -> Result<Report, Error> {
        self.engine.stop()
    }

    /// What looks at the search from anywhere: from other threads, and without waiting. `None`
    /// before the first search.
    #[must_use]
    pub fn watcher(&self) -> Option<Arc<dyn Watch>> {
        self.engine.watcher()
    }

    /// What is known of the position after these moves from the one that is searched, with at most
    /// `at_most` branches; `None` if that is nothing.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn node(&self, line: &[&str], at_most: usize) -> Result<Option<NodeReport<String>>, Error> {
        let mut state = self.present().clone();
        let mut moves = Vec::with_capacity(line.len());
        for text in line {
            let mv = read_move(&state, text)?;
            state.apply_in_place(&mv);
            moves.push(mv);
        }
        Ok(self.watcher().and_then(|watcher| watcher.node(&moves, at_most)))
    }
}
