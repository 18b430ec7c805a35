//! A game under way, as its client tells it, and the searcher of ours that looks at it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use playtree::budget::{Depth, TimeManager};
use playtree::{Budget, GameState};
use playtree_session::engine::{Ended, Engine, Watch};
use playtree_session::{Game, Position, Report, Root};

use super::{Allowance, Bell, Finding, PlayerArgs};
use crate::error::CliError;
use crate::foreign::xiangqi::gone_on;
use crate::games::read_move;
use crate::player::{Record, Searcher, Wishes};
use crate::spec::{self, PlayerSpec, Spec};

/// Memory of a searcher whose client and settings do not say, in bytes: a search that goes on until
/// it is stopped must not fill the machine.
const USUAL_BYTES: usize = 256 << 20;

/// A game, and the searcher. The client is the referee: what our rules say of a repetition, or of
/// many moves without a capture, ends nothing here.
pub(crate) struct Table {
    pub(crate) game: Game,
    /// Where the game began.
    start: Position,
    /// What was played, as the game writes it.
    moves: Vec<String>,
    record: Record,
    spec: Spec,
    wishes: Wishes,
    manager: TimeManager,
    lag: Duration,
    /// Of a move without any limit.
    time: Duration,
    /// Made before the first search.
    searcher: Option<Searcher>,
    search: Option<Search>,
    /// Of the last search.
    watcher: Option<Arc<dyn Watch>>,
    /// What had been played when it began.
    searched: Vec<String>,
    bell: Bell,
}

/// A search that was begun and is not answered.
struct Search {
    ended: Ended,
    waker: Waker,
}

impl Table {
    /// The start of a game, and a searcher as these arguments say.
    ///
    /// # Errors
    /// If they name none, or it cannot play the game.
    pub(crate) fn new(
        game: Game,
        start: Position,
        args: &PlayerArgs,
        bell: Bell,
    ) -> Result<Self, CliError> {
        let mut table = Self {
            game,
            record: Record::new(start.clone()),
            start,
            moves: Vec::new(),
            spec: spec::parse("SPEC", &args.player)?,
            wishes: Wishes { seed: args.seed, ..Wishes::default() },
            manager: args.manager(),
            lag: args.lag,
            time: args.time,
            searcher: None,
            search: None,
            watcher: None,
            searched: Vec::new(),
            bell,
        };
        // An error now, and no surprise in the middle of a game.
        table.searcher().map_err(|error| error.of_player("SPEC"))?;
        Ok(table)
    }

    /// The position.
    pub(crate) fn position(&self) -> &Position {
        self.record.last()
    }

    /// What was played since the start, as the game writes it.
    pub(crate) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Whether no move is left.
    pub(crate) fn is_over(&self) -> bool {
        gone_on(self.game, self.position()).is_none() && self.position().outcome().is_some()
    }

    /// Another game at another start, which nothing is known of but what its positions share.
    pub(crate) fn set_start(&mut self, game: Game, start: Position) {
        self.stop();
        // A board of another size may be another type.
        if self.game.position(&start.position_text()).is_err() {
            self.searcher = None;
        }
        self.game = game;
        self.record = Record::new(start.clone());
        self.start = start;
        self.moves.clear();
    }

    /// Plays a move of the client.
    ///
    /// # Errors
    /// If it is not legal: what was expected and what was found. Nothing has changed then.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), String> {
        let other = gone_on(self.game, self.position());
        let position = other.as_ref().unwrap_or_else(|| self.record.last());
        if position.outcome().is_some() {
            return Err(format!("expected no move in a finished game, found '{text}'"));
        }
        let mv = read_move(position, text)?;
        let text = position.move_text(&mv);
        if let Some(other) = other {
            self.record = Record::new(other);
        }
        self.record.play(mv);
        self.moves.push(text);
        Ok(())
    }

    /// Takes the last `count` moves back; whether there were at least that number.
    pub(crate) fn take_back(&mut self, count: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(count) else { return false };
        self.stop();
        let mut moves = std::mem::take(&mut self.moves);
        moves.truncate(left);
        self.record = Record::new(self.start.clone());
        // They were legal before.
        moves.iter().all(|text| self.play(text).is_ok())
    }

    /// The next game has another seed, and a searcher that knows nothing.
    pub(crate) fn forget(&mut self) {
        self.stop();
        self.searcher = None;
        self.wishes.seed = self.wishes.seed.wrapping_add(1);
    }

    /// The player's text.
    pub(crate) fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// Takes another player.
    ///
    /// # Errors
    /// If the text is none; the one before stays.
    pub(crate) fn set_spec(&mut self, text: &str) -> Result<(), String> {
        let spec = spec::parse("player", text).map_err(|error| error.to_string())?;
        let before = std::mem::replace(&mut self.spec, spec);
        self.renew(|table| table.spec = before)
    }

    /// Another number of worker threads.
    ///
    /// # Errors
    /// As [`set_spec`](Self::set_spec).
    pub(crate) fn set_threads(&mut self, threads: usize) -> Result<(), String> {
        let before = self.wishes.threads.replace(threads);
        self.renew(|table| table.wishes.threads = before)
    }

    /// Another limit of memory.
    ///
    /// # Errors
    /// As [`set_spec`](Self::set_spec).
    pub(crate) fn set_bytes(&mut self, bytes: usize) -> Result<(), String> {
        let before = self.wishes.bytes.replace(bytes);
        self.renew(|table| table.wishes.bytes = before)
    }

    /// Makes the searcher again; `undo` if it cannot be made.
    fn renew(&mut self, undo: impl FnOnce(&mut Self)) -> Result<(), String> {
        self.stop();
        let before = self.searcher.take();
        if let Err(error) = self.searcher() {
            undo(self);
            self.searcher = before;
            return Err(error.to_string());
        }
        Ok(())
    }

    /// Time that a move costs on the client's clock beyond the thinking.
    pub(crate) fn set_lag(&mut self, lag: Duration) {
        self.lag = lag;
        self.manager = self.manager.lag(lag);
    }

    /// Worker threads.
    pub(crate) fn threads(&mut self) -> usize {
        self.searcher().map_or(1, |searcher| searcher.engine().workers())
    }

    /// The limit of memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.wishes.bytes.or_else(|| Searcher::own_bytes(&self.spec.player)).unwrap_or(USUAL_BYTES)
    }

    fn searcher(&mut self) -> Result<&mut Searcher, CliError> {
        if self.searcher.is_none() {
            let wishes = Wishes { bytes: Some(self.bytes()), ..self.wishes };
            self.searcher = Some(Searcher::of(&self.spec, self.game, wishes)?);
        }
        match &mut self.searcher {
            Some(searcher) => Ok(searcher),
            None => Err(CliError::usage("expected a searcher, found none")),
        }
    }

    /// The budget of a move; of one without a limit, that of the settings.
    fn budget(&mut self, allowance: &Allowance) -> Result<Budget, CliError> {
        let (lag, time, plies) = (self.lag, self.time, self.position().plies());
        let manager = self.manager;
        let counts_simulations = matches!(self.spec.player, PlayerSpec::Mcts(_));
        let searcher = self.searcher()?;
        if allowance.is_empty() {
            return Ok(searcher.budget(time));
        }
        let mut budget = match (allowance.time, allowance.clock) {
            (None, Some(clock)) => manager.budget(clock, plies),
            (Some(time), clock) => {
                let time = time.saturating_sub(lag).max(time / 2);
                let limit = clock.map(|clock| manager.plan(clock, plies).limit);
                let budget = clock.map(|clock| manager.budget(clock, plies));
                budget.unwrap_or_default().and_time(limit.map_or(time, |limit| limit.min(time)))
            }
            (None, None) => Budget::unlimited(),
        };
        if let Some(depth) = allowance.depth {
            budget = budget.and(Depth(depth));
        }
        if let Some(nodes) = allowance.nodes {
            budget = match counts_simulations {
                true => budget.and_simulations(nodes),
                false => budget.and_nodes(nodes),
            };
        }
        Ok(searcher.on_a_clock(budget))
    }

    /// Begins to search for a move of the side to move; an earlier search ends, and stays
    /// unanswered.
    ///
    /// # Errors
    /// If the search cannot begin.
    pub(crate) fn think(&mut self, allowance: &Allowance, root: Root) -> Result<(), String> {
        let budget = self.budget(allowance).map_err(|error| error.to_string())?;
        self.begin(&budget, root)
    }

    /// Begins to search until it is stopped, or nothing is left to be found.
    ///
    /// # Errors
    /// As [`think`](Self::think).
    pub(crate) fn think_on(&mut self, root: Root) -> Result<(), String> {
        self.begin(&Budget::unlimited(), root)
    }

    fn begin(&mut self, budget: &Budget, mut root: Root) -> Result<(), String> {
        self.search = None;
        let mut record = self.record.clone();
        if let Some(other) = gone_on(self.game, record.last()) {
            record = Record::new(other);
        } else if record.outcome().is_some() && record.last().outcome().is_none() {
            record = Record::new(record.last().clone());
        }
        if root.only.is_none() && root.except.is_empty() {
            root.except = record.losing_repetitions();
        }
        let waker = self.bell.waker();
        let engine = self.searcher().map_err(|error| error.to_string())?.engine();
        engine.think(record.as_played(), budget, &root).map_err(|error| error.to_string())?;
        let watcher = engine.watcher().ok_or("expected a search under way, found none")?;
        self.search = Some(Search { ended: watcher.ended(), waker });
        self.watcher = Some(watcher);
        self.searched.clone_from(&self.moves);
        Ok(())
    }

    /// Whether a search was begun and neither stopped nor answered.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// What the search under way has found so far.
    pub(crate) fn finding(&mut self) -> Option<Finding> {
        let limit = self.bytes() as u64;
        let engine = self.searcher.as_mut()?.engine();
        Some(Finding::of(&engine.report()?, Some(limit)))
    }

    /// What a search has found that has ended by itself since it was asked last; `None` if none
    /// has. Does not block.
    pub(crate) fn ended(&mut self) -> Option<Result<Finding, String>> {
        let search = self.search.as_mut()?;
        let mut context = Context::from_waker(&search.waker);
        match Pin::new(&mut search.ended).as_mut().poll(&mut context) {
            Poll::Pending => None,
            Poll::Ready(_) => self.finish(|engine| engine.wait()),
        }
    }

    /// Ends the search under way: what it has found; `None` if there was none.
    pub(crate) fn stop(&mut self) -> Option<Result<Finding, String>> {
        self.finish(|engine| engine.stop())
    }

    fn finish(
        &mut self,
        end: impl FnOnce(&mut dyn Engine) -> Result<Report, playtree_session::Error>,
    ) -> Option<Result<Finding, String>> {
        self.search.take()?;
        let limit = self.bytes() as u64;
        let report = end(self.searcher.as_mut()?.engine());
        Some(match report {
            Ok(report) => Ok(Finding::of(&report, Some(limit))),
            Err(error) => Err(error.to_string()),
        })
    }

    /// The move that the tree holds for the best in the position after `moves` from `start`, if
    /// that is one which follows the position searched.
    pub(crate) fn known_after(&self, start: &str, moves: &[String]) -> Option<String> {
        let line = moves.strip_prefix(self.searched.as_slice())?;
        if self.start.position_text() != start {
            return None;
        }
        let mut position = self.start.clone();
        let mut after = Vec::new();
        for (number, text) in moves.iter().enumerate() {
            let mv = read_move(&position, text).ok()?;
            position.apply_in_place(&mv);
            if number >= self.searched.len() {
                after.push(mv);
            }
        }
        debug_assert_eq!(line.len(), after.len());
        let node = self.watcher.as_ref()?.node(&after, 1)?;
        node.branches.first().filter(|branch| branch.visits > 0).map(|branch| branch.mv.clone())
    }
}
