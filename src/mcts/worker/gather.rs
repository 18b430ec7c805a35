//! Workers that ask a network in full batches: each gathers a load of questions in several rounds,
//! and a load goes from hand to hand ([`loads`](super::loads)).

use std::iter::once;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

use crate::error::SearchError;
use crate::game::GameState;
use crate::mcts::claims::Pace;
use crate::mcts::config::RoundSize;
use crate::mcts::round::plan::{LastRound, questions_under_way};
use crate::mcts::round::{Counts, Round, Supply};
use crate::mcts::tree::Allotment;
use crate::mcts::tree::epoch::Pin;
use crate::rng::{Rng, mix};
use crate::sync::turn;

use super::loads::{Loads, Task, Wish};
use super::{Search, StopOthers, Worker, run_threads};

/// What a worker asks a network in one call, from the first round to the backup.
struct Load<'a, G: GameState> {
    number: usize,
    first: &'a mut Round<G>,
    others: Vec<Round<G>>,
    allotment: &'a mut Allotment,
    rng: Rng,
    /// While it is in use: the nodes that it knows are kept.
    pin: Option<Pin<'a>>,
    /// The questions that were granted to it.
    granted: u32,
    /// The rounds that have set out, and what the last time has come to.
    used: usize,
    last: LastRound,
}

impl<'a, G: GameState> Load<'a, G> {
    fn rounds(&mut self) -> Vec<&mut Round<G>> {
        once(&mut *self.first).chain(&mut self.others).collect()
    }

    fn used(&mut self) -> Vec<&mut Round<G>> {
        let used = self.used;
        self.rounds().into_iter().take(used).collect()
    }
}

/// The loads of a search, and how large they may be.
struct Batches<'a, G: GameState> {
    loads: Loads<Load<'a, G>>,
    size: RoundSize,
    /// The questions of a full one.
    batch: u32,
}

/// What has become of a load.
enum Became {
    Gathered,
    Answered,
    /// It is idle again, and this number of simulations have come back.
    Done(u64),
    /// The same, and there is nothing more to be gathered.
    Last,
}

/// A search whose `workers` ask in full batches, with at most `calls` calls under way at a time.
///
/// # Errors
/// As [`run_all`](super::run_all).
pub(super) fn run_gathering<G: GameState>(
    search: &Search<'_, G>,
    workers: &mut [Worker<G>],
    calls: usize,
) -> Result<Counts, SearchError> {
    let mut threads = vec![(); workers.len()];
    let loads = workers.iter_mut().enumerate().map(|(number, Worker { round, allotment })| {
        round.reset_counts();
        let others = round.others();
        round.set_gathering(true);
        let rng = Rng::from_seed(mix(search.seed, number as u64));
        let (pin, granted, used, last) = (None, 0, 0, LastRound::default());
        Load { number, first: round, others, allotment, rng, pin, granted, used, last }
    });
    let loads: Vec<_> = loads.collect();
    let (size, batch) = (loads[0].first.size(), loads[0].first.most_questions());
    let batches = Batches { loads: Loads::new(loads, calls), size, batch };
    let run = AssertUnwindSafe(|| {
        run_threads(search, &mut threads, |_, _| search.ask_in_batches(&batches))
    });
    let result = panic::catch_unwind(run);
    let counts = batches.loads.into_all().map(|mut load| {
        // Whatever was not backed up will not be.
        search.give_up(&mut load);
        load.first.set_gathering(false);
        Counts::sum(load.rounds().into_iter().map(|round| round.counts))
    });
    let counts = Counts::sum(counts);
    match result {
        Ok(result) => result.map(|_| counts),
        Err(payload) => panic::resume_unwind(payload),
    }
}

impl<'a, G: GameState> Search<'a, G> {
    /// A worker's part of it.
    #[inline(never)]
    fn ask_in_batches(&self, batches: &Batches<'a, G>) -> Result<Counts, SearchError> {
        let loads = &batches.loads;
        let stop_others = StopOthers(self.claims);
        let mut pace = Pace::new(self.claims);
        let mut last = LastRound::default();
        let mut gathers = true;
        // Where there is nothing to be gathered another worker is asking about it.
        let wait_for_others = |pace: &Pace<'_>| {
            if let Some(ticket) = loads.others() {
                loads.wait(ticket);
                pace.take_turn();
            }
        };
        loop {
            if turn::is_due() {
                pace.take_turn();
            }
            gathers &= !self.is_over();
            let wish = if gathers { Some(self.wish(batches, last)) } else { None };
            let (mut load, from_call, done) = match loads.next(wish) {
                Task::Ask(mut load) => {
                    let done = attempt(&mut load, |load| self.ask(load, &mut pace));
                    (load, true, done)
                }
                Task::BackUp(mut load) => {
                    let done = attempt(&mut load, |load| Ok(self.back_up(load)));
                    (load, false, done)
                }
                Task::Gather(mut load, questions) => {
                    load.granted = questions;
                    let done = attempt(&mut load, |load| self.gather(load, &mut pace));
                    (load, false, done)
                }
                Task::Wait(ticket) => {
                    loads.wait(ticket);
                    pace.take_turn();
                    continue;
                }
                Task::Nothing => break,
            };
            let became = match done {
                Ok(Ok(became)) => became,
                failed => {
                    self.give_up(&mut load);
                    let granted = load.granted;
                    loads.done(load, granted, from_call);
                    match failed {
                        Ok(result) => return result.map(|_| Counts::default()),
                        Err(payload) => panic::resume_unwind(payload),
                    }
                }
            };
            let granted = load.granted;
            match became {
                Became::Gathered => loads.gathered(load),
                Became::Answered => loads.answered(load),
                Became::Done(simulations) => {
                    last = load.last;
                    loads.done(load, granted, from_call);
                    if simulations == 0 {
                        wait_for_others(&pace);
                    }
                }
                Became::Last => {
                    gathers = false;
                    loads.done(load, granted, from_call);
                }
            }
        }
        std::mem::forget(stop_others);
        // They are counted when all have ended.
        Ok(Counts::default())
    }

    /// Takes back what a load has under way: it will not come back.
    fn give_up(&self, load: &mut Load<'a, G>) {
        for round in load.rounds() {
            round.take_back_marks(self.tree);
        }
        load.pin = None;
    }

    /// What a worker would like to ask, the load before having come to `last`.
    fn wish(&self, batches: &Batches<'a, G>, last: LastRound) -> Wish {
        let known = self.known(last, u32::MAX, Some((batches.batch, 1)));
        let most = batches.size.simulations(known);
        Wish { most, batch: batches.batch, of_all: questions_under_way(known.visits) }
    }

    /// Gathers a load, in several rounds.
    fn gather(&self, load: &mut Load<'a, G>, pace: &mut Pace<'_>) -> Result<Became, SearchError> {
        load.used = 0;
        load.allotment.in_haste = pace.is_nearly_over();
        let by_memory = load.rounds().iter().map(|round| round.most_simulations()).min();
        let wanted = load.granted.min(by_memory.unwrap_or(1)).max(1);
        let wanted = pace.fit(self.watch.shorten(wanted, self.claims));
        let count = self.claims.claim(wanted);
        if count == 0 {
            return Ok(Became::Last);
        }
        load.pin = Some(self.tree.eviction.epoch.pin(load.number));
        let Load { first, others, allotment, rng, .. } = load;
        let rounds = &mut once(&mut **first).chain(others).collect::<Vec<_>>();
        let supply = &mut Supply { rng, allotment, pace };
        load.used = Round::gather(rounds, self.origin(), count, self.claims, supply)?;
        if load.used().iter().any(|round| round.has_questions()) {
            return Ok(Became::Gathered);
        }
        Ok(self.back_up(load))
    }

    /// Asks about a load.
    fn ask(&self, load: &mut Load<'a, G>, pace: &mut Pace<'_>) -> Result<Became, SearchError> {
        let Load { first, others, allotment, used, .. } = load;
        let mut rounds: Vec<_> = once(&mut **first).chain(others).take(*used).collect();
        Round::ask_together(&mut rounds, self.tree, allotment, pace)?;
        Ok(Became::Answered)
    }

    /// Backs a load up, and settles what it has done: it knows no node any more.
    fn back_up(&self, load: &mut Load<'a, G>) -> Became {
        let (mut simulations, mut depth, mut last) = (0, 0, LastRound::default());
        for round in load.used() {
            round.back_up(self.tree);
            simulations += round.take_returned();
            depth = depth.max(round.depth());
            last = last.plus(round.last());
        }
        load.last = last;
        self.tree.settle(load.allotment);
        self.claims.came_back(simulations, || depth);
        if let Some(pin) = load.pin.take() {
            self.tree.end_round(simulations, &pin);
        }
        Became::Done(simulations)
    }
}

/// Does a part of what is to be done with a load; a panic is kept for later.
fn attempt<'a, G: GameState>(
    load: &mut Load<'a, G>,
    part: impl FnOnce(&mut Load<'a, G>) -> Result<Became, SearchError>,
) -> thread::Result<Result<Became, SearchError>> {
    panic::catch_unwind(AssertUnwindSafe(|| part(load)))
}
