//! A session: a game that is played, and an engine that looks at it. It knows no server.

mod link;
mod live;
mod tree;
mod view;

use std::sync::Arc;
use std::time::Duration;

use playtree_session::foreign::read_move;
use playtree_session::settings::Settings;
use playtree_session::{Report, Session};

pub use live::Live;

use crate::messages::{
    Begun, ExportQuery, Kind, NewEngine, NewPosition, NewSession, Node, NodeQuery, Refusal,
    Stopped, Think, View,
};
use crate::share::{Share, budget};
use view::Shown;

/// The most moves of a game that is handed over, and of a list of moves.
const MOST_MOVES: usize = 2_000;
/// The longest text of a move, in bytes.
const LONGEST_MOVE: usize = 100;
/// The longest text of a position, in bytes.
const LONGEST_POSITION: usize = 8_000;

/// A session.
///
/// Only one caller at a time gives orders; [`Live`] is for all who look on, and never waits.
///
/// # Examples
/// ```
/// use playtree_page::desk::Desk;
/// use playtree_page::messages::{NewSession, Think};
/// use playtree_page::networks::Networks;
/// use playtree_page::share::Share;
///
/// let new = NewSession { game: "tictactoe".into(), ..NewSession::default() };
/// let networks = Networks::default();
/// let share = Share { threads: 1, memory: 16 << 20, pool: None, in_steps: false, networks };
/// let mut desk = Desk::new(&new, share)?;
/// desk.play("5")?;
/// desk.think(&Think { simulations: Some(500), ..Think::default() })?;
/// let report = desk.wait()?;
/// desk.play(report.best_move())?;
/// assert_eq!(desk.view().played.len(), 2);
/// # Ok::<(), playtree_page::messages::Refusal>(())
/// ```
#[derive(Debug)]
pub struct Desk {
    session: Session,
    share: Share,
    settings: Settings,
    /// Moves taken back, the last one first to be played again.
    undone: Vec<String>,
    live: Arc<Live>,
}

impl Desk {
    /// A new game with an engine.
    ///
    /// # Errors
    /// If there is no such game, position or move, or the engine cannot be made.
    pub fn new(new: &NewSession, share: Share) -> Result<Self, Refusal> {
        check_text("a name of a game", &new.game, LONGEST_MOVE)?;
        let settings = share.fit(&new.settings.clone().unwrap_or_default())?;
        let (position, moves) = (new.position.as_deref(), &new.moves);
        let (session, settings) = with(&share, &new.game, (&settings, new.network), |settings| {
            begin(&new.game, position, moves, settings, &share)
        })?;
        let shown = view::shown(&session, &[], 1, &settings);
        Ok(Self { session, share, settings, undone: Vec::new(), live: Live::new(shown) })
    }

    /// What others may look at.
    #[must_use]
    pub fn live(&self) -> Arc<Live> {
        Arc::clone(&self.live)
    }

    /// The game as it is.
    #[must_use]
    pub fn view(&self) -> View {
        self.live.view()
    }

    /// Shows what has changed.
    fn show(&mut self) -> View {
        let version = self.live.version() + 1;
        let shown: Shown = view::shown(&self.session, &self.undone, version, &self.settings);
        self.live.show(shown);
        self.view()
    }

    /// Plays a move, and ends the search under way.
    ///
    /// # Errors
    /// If it is not legal, or the game is over.
    pub fn play(&mut self, mv: &str) -> Result<View, Refusal> {
        check_text("a move", mv, LONGEST_MOVE)?;
        play(&mut self.session, mv)?;
        self.live.note_end();
        // The move that was taken back last may be the one played: then the others still follow.
        let text = self.session.moves().pop();
        if self.undone.pop() != text {
            self.undone.clear();
        }
        Ok(self.show())
    }

    /// Takes moves back, and ends the search under way.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn undo(&mut self, plies: usize) -> Result<View, Refusal> {
        check_plies(plies, self.session.moves().len(), "to take back")?;
        for _ in 0..plies {
            let mv = self.session.moves().pop();
            self.session.undo()?;
            self.undone.extend(mv);
        }
        self.live.note_end();
        Ok(self.show())
    }

    /// Plays moves again that were taken back.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn redo(&mut self, plies: usize) -> Result<View, Refusal> {
        check_plies(plies, self.undone.len(), "to play again")?;
        for _ in 0..plies {
            if let Some(mv) = self.undone.pop() {
                play(&mut self.session, &mv)?;
            }
        }
        self.live.note_end();
        Ok(self.show())
    }

    /// Another position of the same game, with a new engine.
    ///
    /// # Errors
    /// If there is no such position or move; the game is as before.
    pub fn set_position(&mut self, new: &NewPosition) -> Result<View, Refusal> {
        let name = self.session.game().name();
        let (position, share) = (new.position.as_deref(), &self.share);
        let asked = (&self.settings, asks_network(&self.settings));
        let (session, settings) = with(share, name, asked, |settings| {
            begin(name, position, &new.moves, settings, share)
        })?;
        (self.session, self.settings) = (session, settings);
        self.live.end_searches();
        self.undone.clear();
        Ok(self.show())
    }

    /// Another engine, with nothing known.
    ///
    /// # Errors
    /// If it cannot be made; the one before stays.
    pub fn set_engine(&mut self, new: &NewEngine) -> Result<View, Refusal> {
        let settings = self.share.fit(&new.settings)?;
        let game = self.session.game().name();
        let ((), settings) = with(&self.share, game, (&settings, new.network), |settings| {
            Ok(self.session.set_engine(settings)?)
        })?;
        self.live.end_searches();
        self.settings = settings;
        Ok(self.show())
    }

    /// Begins to search the position; an earlier search ends.
    ///
    /// # Errors
    /// If the game is over, a move is not legal, or a limit is not one of this searcher.
    pub fn think(&mut self, think: &Think) -> Result<Begun, Refusal> {
        let budget = budget(think, &self.settings)?;
        if self.session.outcome().is_some() {
            return Err(over());
        }
        let (only, except) = (think.only.as_deref().map(texts).transpose()?, texts(&think.except)?);
        // What is wrong is found before the search under way ends.
        for mv in only.iter().flatten().chain(&except) {
            let position = self.session.record().position();
            read_move(position, mv).map_err(playtree_session::Error::from)?;
        }
        self.end_search();
        let search = self.session.think_of(&budget, only.as_deref(), &except)?;
        let ply = self.session.record().moves().len();
        let watcher = self.session.watcher().ok_or(playtree_session::Error::NoSearch)?;
        Ok(Begun { search: self.live.begin(watcher, search.get(), self.session.position(), ply) })
    }

    /// Ends the search under way, so that others learn what it has found.
    fn end_search(&mut self) {
        if self.session.is_thinking() {
            // What was wrong with it is noted by those who look on.
            let _ = self.session.stop();
        }
        self.live.note_end();
    }

    /// Goes on with the search of a session [in steps](Share::in_steps) for about this time:
    /// whether there is more to do. `now` is a moment by any clock.
    pub fn step(&mut self, slice: Duration, now: Duration) -> bool {
        if !self.session.is_thinking() {
            return false;
        }
        let goes_on = self.session.step(slice, now).unwrap_or_else(|error| {
            self.live.fail_last(error.into());
            false
        });
        if !goes_on {
            self.live.note_end();
        }
        goes_on
    }

    /// Ends the search under way: what it has found.
    ///
    /// # Errors
    /// Those of the search, and if there is none.
    pub fn stop(&mut self) -> Result<Stopped, Refusal> {
        self.end_search();
        let none = || playtree_session::Error::NoSearch;
        let search = self.live.search().ok_or_else(none)?;
        match (search.report, search.error) {
            (Some(report), _) => Ok(Stopped { search: search.search, report }),
            (None, Some(error)) => Err(error),
            (None, None) => Err(none().into()),
        }
    }

    /// Waits for the end of the search: what it has found.
    ///
    /// # Errors
    /// Those of the search, and if there is none.
    pub fn wait(&mut self) -> Result<Report, Refusal> {
        Ok(self.session.wait()?)
    }

    /// What is known of a position below the one that was searched last.
    ///
    /// # Errors
    /// If a move is not legal there.
    pub fn node(&self, query: &NodeQuery) -> Result<Node, Refusal> {
        texts(&query.line)?;
        tree::node(&self.session, self.live.current().as_ref(), query)
    }

    /// The top of the tree of the search, as a text.
    ///
    /// # Errors
    /// If nothing was searched, or that is not a tree.
    pub fn export(&self, query: ExportQuery) -> Result<String, Refusal> {
        tree::export(&self.session, self.live.current().as_ref(), query)
    }
}

/// What `attempt` makes of settings, or of the same with the network for the game if it is asked
/// for.
fn with<T>(
    share: &Share,
    game: &str,
    (settings, network): (&Settings, bool),
    mut attempt: impl FnMut(&Settings) -> Result<T, Refusal>,
) -> Result<(T, Settings), Refusal> {
    if network {
        share.networks.attach(game, settings, attempt)
    } else {
        Ok((attempt(settings)?, settings.clone()))
    }
}

/// Whether an engine with these settings asks a network.
fn asks_network(settings: &Settings) -> bool {
    matches!(settings, Settings::Mcts(own) if own.network.is_some())
}

/// A game at a position with moves that were played there.
fn begin(
    game: &str,
    position: Option<&str>,
    moves: &[String],
    settings: &Settings,
    share: &Share,
) -> Result<Session, Refusal> {
    if let Some(position) = position {
        check_text("a position", position, LONGEST_POSITION)?;
    }
    texts(moves)?;
    let mut session = match &share.pool {
        Some(pool) => Session::in_pool(game, position, settings, pool),
        None if share.in_steps => Session::in_steps(game, position, settings),
        None => Session::new(game, position, settings),
    }?;
    for (at, mv) in moves.iter().enumerate() {
        play(&mut session, mv).map_err(|error| Refusal {
            message: format!("move {}: {}", at + 1, error.message),
            ..error
        })?;
    }
    Ok(session)
}

fn play(session: &mut Session, mv: &str) -> Result<(), Refusal> {
    // A game may end by a repetition where its position has moves.
    if session.outcome().is_some() {
        return Err(over());
    }
    Ok(session.play(mv)?)
}

fn over() -> Refusal {
    Refusal::new(Kind::Unready, "search.game-over", "expected a game that goes on, found one over")
}

/// The moves as they are written, if there are not too many and none is too long.
fn texts(moves: &[String]) -> Result<Vec<&str>, Refusal> {
    if moves.len() > MOST_MOVES {
        let message = format!("expected at most {MOST_MOVES} moves, found {}", moves.len());
        return Err(Refusal::wrong("too-long", message));
    }
    let check = |mv| check_text("a move", mv, LONGEST_MOVE).map(|()| mv);
    moves.iter().map(|mv| check(mv.as_str())).collect()
}

fn check_text(what: &str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.len() <= most {
        return Ok(());
    }
    let message = format!("expected {what} of at most {most} bytes, found {}", text.len());
    Err(Refusal::wrong("too-long", message))
}

fn check_plies(plies: usize, there: usize, what: &str) -> Result<(), Refusal> {
    if plies == 0 {
        return Err(Refusal::wrong("plies", "expected at least one ply, found 0"));
    }
    if plies > there {
        let message = format!("expected {plies} moves {what}, found {there}");
        return Err(Refusal::new(Kind::Unready, "session.no-move", message));
    }
    Ok(())
}
