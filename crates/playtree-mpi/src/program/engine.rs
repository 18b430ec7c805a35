//! An engine whose search is that of all ranks.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use playtree::mcts::exchange::{Absorbed, Exchange, ExchangeError, Lines};
use playtree::report::{bytes, grouped};
use playtree::save::{self, Info, Loaded};
use playtree::{Budget, SearchId, StopReason};
use playtree_cli::{About, Makes};
use playtree_mpi::{Cluster, End, Member, MpiCarrier, Tally};
use playtree_session::engine::{Engine, MctsEngine, OnReport, Saved, Saver, Watch};
use playtree_session::settings::MctsSettings;
use playtree_session::{Error, Game, Position, Record, Report, Root};

use crate::order::{Order, part};

/// Makes engines whose searches are those of all ranks.
#[derive(Debug)]
pub(crate) struct Together(Arc<Mutex<Hub>>);

/// What the engines of rank 0 have in common.
#[derive(Debug)]
struct Hub {
    /// `None` at the end of the program.
    cluster: Option<Cluster<MpiCarrier>>,
    engines: u64,
    last: Option<Tally>,
}

impl Together {
    pub(crate) fn new(cluster: Cluster<MpiCarrier>) -> Self {
        Self(Arc::new(Mutex::new(Hub { cluster: Some(cluster), engines: 0, last: None })))
    }

    /// The ranks, when all is done.
    pub(crate) fn into_cluster(self) -> Cluster<MpiCarrier> {
        lock(&self.0).cluster.take().expect("it is taken once")
    }
}

fn lock(hub: &Mutex<Hub>) -> MutexGuard<'_, Hub> {
    hub.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Makes for Together {
    fn mcts(&self, game: Game, settings: &MctsSettings) -> Result<Box<dyn MctsEngine>, Error> {
        let ranks = lock(&self.0).cluster.as_ref().map_or(1, Cluster::ranks);
        Ok(Box::new(Ranked {
            hub: Arc::clone(&self.0),
            number: number(&self.0),
            game,
            settings: settings.clone(),
            local: game.mcts(settings)?,
            exchange: exchange(0, ranks),
            begun: None,
        }))
    }

    fn about(&self) -> Option<About> {
        lock(&self.0).last.as_ref().map(|tally| about(tally, 0))
    }
}

/// What is said of a search of all ranks, as this rank saw it.
pub(crate) fn about(tally: &Tally, rank: usize) -> About {
    let mut json = serde_json::to_value(tally).unwrap_or_default();
    json["rank"] = rank.into();
    let ranks = match (tally.ranks, tally.missing) {
        (ranks, Some(0)) => format!("{ranks} ranks"),
        (ranks, Some(missing)) => format!("{ranks} ranks, {missing} of them missing at the end"),
        (1, None) => "1 rank".to_owned(),
        (ranks, None) => format!("{ranks} ranks, some of them silent"),
    };
    let text = format!(
        "rank {rank} of {ranks}: {} exchanges, {} sent, {} visits from others, lost: {} late, {} \
         refused",
        grouped(tally.exchanges),
        bytes(tally.bytes),
        grouped(tally.visits),
        tally.late,
        tally.refused,
    );
    About { json, text }
}

/// The part of a rank: that of one of all, if an exchange has that many.
pub(crate) fn exchange(rank: usize, ranks: usize) -> Exchange {
    Exchange::one_of(rank, ranks).unwrap_or_default()
}

fn number(hub: &Mutex<Hub>) -> u64 {
    let mut hub = lock(hub);
    hub.engines += 1;
    hub.engines
}

/// An engine of rank 0, and those of the other ranks.
#[derive(Debug)]
struct Ranked {
    hub: Arc<Mutex<Hub>>,
    number: u64,
    game: Game,
    settings: MctsSettings,
    local: Box<dyn MctsEngine>,
    exchange: Exchange,
    begun: Option<Begun>,
}

/// A search that no one has waited for yet.
#[derive(Debug)]
struct Begun {
    record: Record,
    root: Root,
    at: Instant,
}

impl Engine for Ranked {
    fn name(&self) -> &'static str {
        self.local.name()
    }

    fn search(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<Report, Error> {
        self.think(game, budget, root)?;
        self.wait()
    }

    fn think(&mut self, game: &Record, budget: &Budget, root: &Root) -> Result<SearchId, Error> {
        let at = Instant::now();
        let mut hub = lock(&self.hub);
        let mut own = budget.clone();
        if let Some(cluster) = hub.cluster.as_mut().filter(|cluster| cluster.ranks() > 1) {
            let order = Order::new((self.number, self.game, &self.settings), game, budget, root);
            // Plain data into memory: nothing can be wrong with it.
            cluster.order(serde_json::to_vec(&order).expect("an order can be written"));
            if let Some(all) = budget.simulations_limit() {
                own = own.and_simulations(part(all, 0, cluster.ranks()));
            }
            if let Some(time) = budget.time_limit() {
                own = own.and_time(time.saturating_sub(cluster.closing().min(time / 10)));
            }
        }
        let search = self.local.think(game, &own, root)?;
        self.begun = Some(Begun { record: game.clone(), root: root.clone(), at });
        Ok(search)
    }

    fn on_report(&mut self, interval: Duration, callback: OnReport) {
        self.local.on_report(interval, callback);
    }

    fn is_thinking(&self) -> bool {
        self.local.is_thinking()
    }

    fn report(&self) -> Option<Report> {
        self.local.report()
    }

    fn wait(&mut self) -> Result<Report, Error> {
        let Some(Begun { record, root, at }) = self.begun.take() else {
            return self.local.wait();
        };
        let mut hub = lock(&self.hub);
        let Some(cluster) = &mut hub.cluster else { return self.local.wait() };
        let mut seat = Seat { engine: &mut *self.local, exchange: &mut self.exchange };
        let tally = cluster.search(&mut seat);
        let (end, all) = (tally.end, tally.simulations);
        hub.last = Some(tally);
        let own = self.local.wait()?;
        if end != End::Together {
            return Ok(own);
        }
        // What is known with what the last exchange has brought.
        let mut report = self.local.search(&record, &Budget::simulations(0), &root)?;
        if let (Report::Mcts(report), Report::Mcts(own)) = (&mut report, own) {
            if report.stop_reason != StopReason::Proven {
                report.stop_reason = own.stop_reason;
            }
            report.simulations = all.unwrap_or(own.simulations);
            report.elapsed = at.elapsed();
            report.evicted = own.evicted;
            report.dropped = own.dropped;
            report.deferred = own.deferred;
            report.contended = own.contended;
        }
        Ok(report)
    }

    fn stop(&mut self) -> Result<Report, Error> {
        if let Some(watcher) = self.local.watcher() {
            watcher.stop();
        }
        self.wait()
    }

    fn rest(&mut self) {
        self.local.rest();
    }

    fn workers(&mut self) -> usize {
        self.local.workers()
    }

    fn forget(&mut self) {
        self.local.forget();
        // Another one for the other ranks.
        self.number = number(&self.hub);
    }

    fn watcher(&self) -> Option<Arc<dyn Watch>> {
        self.local.watcher()
    }
}

/// The table is that of rank 0, with what it knows of the others.
impl Saved for Ranked {
    fn load(&mut self, file: &Path, game: &Position) -> Result<Loaded, Error> {
        self.local.load(file, game)
    }

    fn save(
        &mut self,
        file: &Path,
        game: &Position,
        options: &save::Options,
    ) -> Result<Info, Error> {
        self.local.save(file, game, options)
    }
}

impl MctsEngine for Ranked {
    fn saver(&self, game: &Position) -> Result<Saver, Error> {
        self.local.saver(game)
    }

    fn exchange_lines(
        &mut self,
        exchange: &mut Exchange,
        at_most: usize,
    ) -> Result<Lines, ExchangeError> {
        self.local.exchange_lines(exchange, at_most)
    }

    fn exchange_share(
        &mut self,
        exchange: &mut Exchange,
        lines: &Lines,
    ) -> Result<Vec<i64>, ExchangeError> {
        self.local.exchange_share(exchange, lines)
    }

    fn exchange_absorb(
        &mut self,
        exchange: &mut Exchange,
        sum: &[i64],
    ) -> Result<Absorbed, ExchangeError> {
        self.local.exchange_absorb(exchange, sum)
    }
}

/// An engine that searches in the background, with its part in the exchange.
pub(crate) struct Seat<'a> {
    pub(crate) engine: &'a mut dyn MctsEngine,
    pub(crate) exchange: &'a mut Exchange,
}

impl Member for Seat<'_> {
    fn lines(&mut self, at_most: usize) -> Result<Lines, ExchangeError> {
        self.engine.exchange_lines(self.exchange, at_most)
    }

    fn share(&mut self, lines: &Lines) -> Result<Vec<i64>, ExchangeError> {
        self.engine.exchange_share(self.exchange, lines)
    }

    fn absorb(&mut self, sum: &[i64]) -> Result<Absorbed, ExchangeError> {
        self.engine.exchange_absorb(self.exchange, sum)
    }

    fn wait_for(&mut self, time: Duration) -> bool {
        self.engine.watcher().is_none_or(|watcher| watcher.wait_for(time))
    }

    fn stop(&mut self) {
        // What was wrong with the search is said when it is waited for.
        if let Some(watcher) = self.engine.watcher() {
            watcher.stop();
            watcher.wait_for(Duration::MAX);
        }
    }

    fn progress(&mut self) -> (StopReason, u64) {
        match self.engine.report() {
            Some(Report::Mcts(report)) => (report.stop_reason, report.simulations),
            _ => (StopReason::Stopped, 0),
        }
    }
}
