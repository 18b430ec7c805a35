//! A searcher of ours as a player. It keeps its table from move to move, and knows what was played.

use std::time::Duration;

use playtree::budget::Bytes;
use playtree::{Budget, GameState, StopToken};
use playtree_session::{Engine, Report, Root};

use playtree_session::Game;

use super::{Answer, AtCtrlC, Clocks, Failure, Player, Record, Seat, Work};
use crate::error::{CliError, session_error};
use crate::spec::{AlphaBetaSettings, MctsSettings, PlayerSpec, Spec};

/// An engine with its table.
#[derive(Debug)]
pub(crate) struct Searcher {
    engine: Box<dyn Engine>,
    limits: Limits,
    /// Of a move, if the settings have no limit.
    time: Duration,
    stop: AtCtrlC,
    /// Whether it has thought in the time of the other side.
    has_pondered: bool,
}

/// What the settings say of the limits of a move.
#[derive(Debug)]
enum Limits {
    Mcts(Box<MctsSettings>),
    AlphaBeta(Box<AlphaBetaSettings>),
}

impl Limits {
    /// The budget of a move on a clock.
    fn on_a_clock(&self, clock: Budget) -> Budget {
        match self {
            Self::Mcts(settings) => settings.on_a_clock(clock),
            Self::AlphaBeta(settings) => settings.on_a_clock(clock),
        }
    }

    /// The budget of a move without a clock.
    fn of_a_move(&self, time: Duration) -> Budget {
        match self {
            Self::Mcts(settings) => settings.budget(time),
            Self::AlphaBeta(settings) => settings.budget(time),
        }
    }
}

/// What a search is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// A move, on these clocks.
    Move(Option<Clocks>),
    Analysis,
}

/// Memory at which an analysis ends that nothing else has ended.
const MOST_BYTES: Bytes = Bytes(1 << 30);

/// What a client asks of a searcher, whatever its settings say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) seed: u64,
    pub(crate) threads: Option<usize>,
    /// The most memory of its table.
    pub(crate) bytes: Option<usize>,
}

impl Searcher {
    /// A searcher for a client, who says how long it searches.
    ///
    /// # Errors
    /// If the spec is no searcher of ours, or the game does not have what it asks for.
    pub(crate) fn of(spec: &Spec, game: Game, wishes: Wishes) -> Result<Self, CliError> {
        let Wishes { seed, threads, bytes } = wishes;
        let (engine, limits): (Box<dyn Engine>, _) = match &spec.player {
            PlayerSpec::Mcts(settings) => {
                let mut all = settings.settings(game, Some(1))?;
                (all.seed, all.threads) = (Some(seed), threads.or(all.threads));
                all.memory_limit = bytes.or(all.memory_limit);
                let engine = game.mcts(&all).map_err(session_error)?;
                (engine, Limits::Mcts(settings.clone()))
            }
            PlayerSpec::AlphaBeta(settings) => {
                let mut all = settings.settings();
                (all.seed, all.threads) = (Some(seed), threads.or(all.threads).or(Some(1)));
                all.table_bytes = bytes.or(all.table_bytes).filter(|_| !all.no_table);
                let engine = game.alphabeta(&all).map_err(session_error)?;
                (engine, Limits::AlphaBeta(settings.clone()))
            }
            PlayerSpec::Random | PlayerSpec::Program { .. } => {
                let found = format!("expected mcts or alphabeta with its settings, found '{spec}'");
                return Err(CliError::at("SPEC", found));
            }
        };
        let stop = AtCtrlC::GivesUp(StopToken::new());
        Ok(Self { engine, limits, time: Duration::ZERO, stop, has_pondered: false })
    }

    /// The memory that the settings of a player name, in bytes.
    pub(crate) fn own_bytes(player: &PlayerSpec) -> Option<usize> {
        match player {
            PlayerSpec::Mcts(settings) => settings.bytes(),
            PlayerSpec::AlphaBeta(settings) => settings.settings().table_bytes,
            PlayerSpec::Random | PlayerSpec::Program { .. } => None,
        }
    }

    /// What searches.
    pub(crate) fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.engine
    }

    /// The budget of a move without a limit by the client; this time if the settings have none.
    pub(crate) fn budget(&self, time: Duration) -> Budget {
        self.limits.of_a_move(time)
    }

    /// The budget of a move as the client limits it, and the limits of the settings but that of its
    /// time.
    pub(crate) fn on_a_clock(&self, clock: Budget) -> Budget {
        self.limits.on_a_clock(clock)
    }

    /// The budget of the move at the end of a record.
    fn budget_of_move(&self, record: &Record, clocks: Option<Clocks>) -> Budget {
        match clocks {
            Some(clocks) => self.limits.on_a_clock(clocks.budget(record.last().plies())),
            None => self.limits.of_a_move(self.time),
        }
    }

    /// Begins to think about a move at the end of a record, in a thread of its own, or to analyze
    /// it until that is stopped or the memory for it is full.
    ///
    /// # Errors
    /// If the search cannot begin.
    pub(crate) fn begin(
        &mut self,
        record: &Record,
        purpose: Purpose,
        mut root: Root,
    ) -> Result<&mut dyn Engine, Failure> {
        let budget = match (purpose, &self.limits) {
            (Purpose::Move(clocks), _) => self.budget_of_move(record, clocks),
            (Purpose::Analysis, Limits::Mcts(_)) => Budget::unlimited().and(MOST_BYTES),
            (Purpose::Analysis, Limits::AlphaBeta(_)) => Budget::unlimited(),
        };
        if root.only.is_none() && root.except.is_empty() {
            root.except = record.losing_repetitions();
        }
        let begun = self.engine.think(record.as_played(), &budget, &root);
        begun.map_err(|error| Failure::Error(CliError::usage(error)))?;
        Ok(&mut *self.engine)
    }

    pub(super) fn by_mcts(settings: &MctsSettings, seat: Seat<'_>) -> Result<Self, CliError> {
        let mut all = settings.settings(seat.game, seat.threads)?;
        all.seed = Some(seat.seed);
        let engine = seat.maker.mcts(seat.game, &all).map_err(session_error)?;
        Ok(Self::new(engine, Limits::Mcts(settings.clone().into()), seat))
    }

    pub(super) fn by_alphabeta(
        settings: &AlphaBetaSettings,
        seat: Seat<'_>,
    ) -> Result<Self, CliError> {
        let mut all = settings.settings();
        all.seed = Some(seat.seed);
        all.threads = all.threads.or(seat.threads);
        let engine = seat.game.alphabeta(&all).map_err(session_error)?;
        Ok(Self::new(engine, Limits::AlphaBeta(settings.clone().into()), seat))
    }

    fn new(engine: Box<dyn Engine>, limits: Limits, seat: Seat<'_>) -> Self {
        Self { engine, limits, time: seat.time, stop: seat.stop.clone(), has_pondered: false }
    }
}

impl Player for Searcher {
    fn choose(&mut self, record: &Record, clocks: Option<Clocks>) -> Result<Answer, Failure> {
        let state = record.last();
        let budget = self.budget_of_move(record, clocks).and_until(&self.stop.token());
        let mut root = Root::new();
        root.except = record.losing_repetitions();
        let report = self
            .engine
            .search(record.as_played(), &budget, &root)
            .map_err(|error| Failure::Error(CliError::usage(error)))?;
        if self.stop.has_given_up() {
            return Err(Failure::Stopped);
        }
        let mut work = Work { mover_win_rate: report.win_rate(), ..Work::default() };
        match &report {
            Report::Mcts(report) => {
                work.simulations = Some(report.simulations);
                let known = report.visits().saturating_sub(report.simulations);
                work.known = self.has_pondered.then_some(known);
            }
            Report::AlphaBeta(report) => {
                (work.nodes, work.depth) = (Some(report.nodes), Some(report.depth));
            }
            _ => {}
        }
        let mv = state.parse_move(report.best_move()).map_err(|error| {
            Failure::Error(CliError::usage(format_args!("the move of a search: {error}")))
        })?;
        Ok(Answer::Move(mv, work))
    }

    fn searcher(&mut self) -> Option<&mut Searcher> {
        Some(self)
    }

    fn ponder(&mut self, record: &Record) {
        // A search that cannot begin, or ends with an error, has helped nothing; the next one says
        // so.
        let begun = self.engine.think(record.as_played(), &Budget::unlimited(), &Root::new());
        self.has_pondered |= begun.is_ok();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use playtree::StopToken;
    use playtree_session::{Game, Report};

    use super::{Answer, AtCtrlC, Player, Record, Searcher, Seat};
    use crate::spec::{PlayerSpec, Spec};

    #[test]
    fn what_is_thought_in_the_time_of_the_other_side_is_known() {
        let spec: Spec = "mcts:simulations=10,threads=1".parse().unwrap();
        let PlayerSpec::Mcts(settings) = &spec.player else { panic!("a Monte Carlo search") };
        let (game, start) = Game::open("othello", None).unwrap();
        let stop = AtCtrlC::GivesUp(StopToken::new());
        let time = Duration::from_secs(1);
        let seat = Seat {
            game,
            usual_start: true,
            seed: 1,
            time,
            clocks: None,
            threads: None,
            stop: &stop,
            maker: &crate::Here,
        };
        let mut player = Searcher::by_mcts(settings, seat).unwrap();
        let mut record = Record::new(start);
        let Ok(Answer::Move(mv, work)) = player.choose(&record, None) else { panic!("no move") };
        assert_eq!((work.simulations, work.known), (Some(10), None));
        record.play(mv);
        player.ponder(&record);
        let visits = |player: &Searcher| match player.engine.report() {
            Some(Report::Mcts(report)) => report.visits(),
            _ => 0,
        };
        while visits(&player) < 20_000 {
            std::thread::sleep(Duration::from_millis(1));
        }
        // The reply that it expects was looked at most.
        let expected = match player.engine.report() {
            Some(report) => report.best_move().to_owned(),
            None => panic!("a search under way has a report"),
        };
        record.play(record.last().parse_move(&expected).unwrap());
        let Ok(Answer::Move(_, work)) = player.choose(&record, None) else { panic!("no move") };
        assert_eq!(work.simulations, Some(10));
        assert!(work.known > Some(1_000), "{work:?}");
    }
}
