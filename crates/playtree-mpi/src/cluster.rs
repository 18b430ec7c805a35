//! One search on all ranks: who says what when.
//!
//! Rank 0 leads. It says in a broadcast which positions are exchanged, and all ranks add up what
//! they have found there in a sum. Both are begun and looked at between two naps: no rank waits for
//! them while it searches, and a sum may come when the search is further on. So at most one exchange
//! is under way, and a rank that does not answer holds up the exchange, and no search.

mod message;
mod pace;
mod tally;

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use playtree::StopReason;
use playtree::mcts::exchange::Lines;

pub use tally::{End, Tally};

use crate::carrier::{Arrived, Carrier, CarrierError};
use crate::member::Member;
use message::{Message, empty_frame, open};
use pace::Pace;

/// The time between two looks at what is under way, beside the workers.
const NAP: Duration = Duration::from_millis(1);

/// The same when the rank does not search: at the end of a search.
const SHORT_NAP: Duration = Duration::from_micros(50);

/// What the end of a search is taken to last before there was one.
const FIRST_CLOSING: Duration = Duration::from_millis(2);

/// How ranks exchange what they find. All ranks have the same settings; only those of rank 0 count,
/// but for `grace` and `recovers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The most positions of an exchange; 512 if not set.
    pub lines: usize,
    /// The shortest time between the beginnings of two exchanges; 10 ms if not set. What costs more
    /// than a hundredth of the time is done with fewer positions, and then less often.
    pub interval: Duration,
    /// How long a rank waits for the others when its search has ended; 300 ms if not set.
    pub grace: Duration,
    /// Whether a rank that waits in vain for rank 0 answers by itself. If not, it waits: the job
    /// is ended from outside when a rank dies.
    pub recovers: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lines: 512,
            interval: Duration::from_millis(10),
            grace: Duration::from_millis(300),
            recovers: false,
        }
    }
}

/// A rank among the others, from search to search.
#[derive(Debug)]
pub struct Cluster<C> {
    carrier: C,
    settings: Settings,
    pace: Pace,
    stage: Stage,
    /// The number of the search that this rank is at, or was.
    search: u64,
    /// What rank 0 has still to say.
    outbox: VecDeque<Message>,
    /// Orders that no one has asked for yet.
    inbox: VecDeque<(u64, Vec<u8>)>,
    has_quit: bool,
    tally: Tally,
    /// The work of the exchange under way.
    work: Duration,
    /// What the last searches took from their end to the end of the last exchange.
    closing: Duration,
}

/// What is under way.
#[derive(Debug)]
enum Stage {
    Free,
    /// The frame of a message, and what rank 0 sends behind it.
    Frame(Vec<u8>),
    /// What follows a frame: what was in it.
    Rest(Vec<u8>),
    /// A sum: its search, and what is added up.
    Sum {
        search: u64,
        what: What,
    },
}

/// What a sum is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Of ranks that are at the root of the search.
    Probe,
    /// Of what they have found, and whether this rank has said something.
    Exchange { is_last: bool, has_shared: bool },
}

/// What has happened.
enum Event {
    /// An operation is done, and that is all.
    Step,
    /// Rank 0 has begun another search, or will say no more.
    Superseded,
    /// How many ranks are ready for the search of this one.
    Probed(Flags),
    /// A sum for the search of this rank.
    Sum { is_last: bool, flags: Flags },
}

/// What ranks say of themselves: the last words of each sum.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    /// Ranks that are at this search, and those that are at its root, as a probe finds.
    ranks: i64,
    ready: i64,
    /// Those whose search has ended, and those that have a proof.
    over: i64,
    proven: i64,
    /// Those that cannot say what they have found, as they are elsewhere, or their games differ.
    refused: i64,
    /// Of those whose search has ended.
    simulations: i64,
}

const FLAGS: usize = 6;

impl Flags {
    fn words(self) -> [i64; FLAGS] {
        let Self { ranks, ready, over, proven, refused, simulations } = self;
        [ranks, ready, over, proven, refused, simulations]
    }

    fn of_words(words: &[i64]) -> Self {
        let at = |place: usize| words.get(place).copied().unwrap_or(0);
        Self {
            ranks: at(0),
            ready: at(1),
            over: at(2),
            proven: at(3),
            refused: at(4),
            simulations: at(5),
        }
    }
}

impl<C: Carrier> Cluster<C> {
    /// This rank among the others of a carrier. All ranks begin at once, with the same settings:
    /// [`join`](crate::join) finds out whether they belong together.
    pub fn new(carrier: C, settings: Settings) -> Self {
        Self {
            pace: Pace::new(settings),
            tally: Tally::new(carrier.ranks()),
            carrier,
            settings,
            stage: Stage::Free,
            search: 0,
            outbox: VecDeque::new(),
            inbox: VecDeque::new(),
            has_quit: false,
            work: Duration::ZERO,
            closing: FIRST_CLOSING,
        }
    }

    /// The number of this rank, from 0.
    pub fn rank(&self) -> usize {
        self.carrier.rank()
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.carrier.ranks()
    }

    /// What carries the numbers, whatever is under way.
    pub fn carrier(&mut self) -> &mut C {
        &mut self.carrier
    }

    /// What carries the numbers, for something else, when nothing is under way: after a search that
    /// has ended [together](End::Together), and before the next. All ranks do the same.
    ///
    /// # Panics
    /// If something is under way.
    pub fn carrier_at_rest(&mut self) -> &mut C {
        assert!(matches!(self.stage, Stage::Free), "expected no operation under way, found one");
        &mut self.carrier
    }

    /// What carries the numbers, without the ranks' search.
    pub fn into_carrier(self) -> C {
        self.carrier
    }

    /// About how long the last searches took from their end to that of their last exchange: what
    /// rank 0 should keep of a limit of time.
    pub fn closing(&self) -> Duration {
        self.closing
    }

    /// What the exchanges of the last search have brought and cost.
    pub fn tally(&self) -> Tally {
        self.tally.clone()
    }

    /// Whether nothing is under way. If something is when a program ends, another rank does not
    /// answer.
    pub fn is_idle(&self) -> bool {
        matches!(self.stage, Stage::Free) || (self.rank() != 0 && self.has_quit)
    }

    /// On rank 0: what the program says to the other ranks before the next search begins there.
    /// Said when nothing else is under way, during that search at the latest.
    pub fn order(&mut self, bytes: Vec<u8>) {
        self.outbox.push_back(Message::Order { search: self.search + 1, bytes });
    }

    /// On other ranks: waits for the next order. `None` if no more will come.
    ///
    /// # Errors
    /// If an operation has failed.
    pub fn next_order(&mut self) -> Result<Option<Vec<u8>>, CarrierError> {
        loop {
            if let Some((search, bytes)) = self.inbox.pop_front() {
                self.search = search - 1;
                return Ok(Some(bytes));
            }
            if self.has_quit {
                return Ok(None);
            }
            if self.turn(None)?.is_none() {
                thread::sleep(NAP);
            }
        }
    }

    /// On rank 0: says that no more will come, and waits until that is said, at most this long:
    /// whether it is.
    ///
    /// # Errors
    /// If an operation has failed.
    pub fn quit(&mut self, at_most: Duration) -> Result<bool, CarrierError> {
        self.outbox.push_back(Message::Quit);
        let begin = Instant::now();
        while begin.elapsed() < at_most {
            if self.outbox.is_empty() && self.is_idle() {
                return Ok(true);
            }
            self.say()?;
            if self.turn(None)?.is_none() {
                thread::sleep(NAP);
            }
        }
        Ok(false)
    }

    /// Exchanges what is found until the search is over on all ranks. Called on all of them, each
    /// with a search of the same position that has begun. Blocks until then.
    ///
    /// The search of rank 0 is the one that counts: when its budget has ended it, it ends on all. A
    /// proof on any rank ends it too. Where a number of simulations has ended it, the others are
    /// waited for. At the end all know the same of the positions that were exchanged.
    ///
    /// An operation that has failed ends the exchange, not the search: see [`Tally::end`].
    pub fn search(&mut self, member: &mut dyn Member) -> Tally {
        self.search += 1;
        self.tally = Tally::new(self.ranks());
        let end = if self.ranks() == 1 {
            while !member.wait_for(Duration::from_secs(1)) {}
            Ok(End::Alone)
        } else if self.rank() == 0 {
            self.lead(member)
        } else {
            self.follow(member)
        };
        self.tally.end = end.unwrap_or_else(|error| {
            self.tally.error = Some(error);
            // What the others would have ended is still ended by its budget.
            while !member.wait_for(Duration::from_secs(1)) {}
            End::Lost
        });
        self.tally.clone()
    }

    fn lead(&mut self, member: &mut dyn Member) -> Result<End, CarrierError> {
        let begin = Instant::now();
        let mut next = begin + self.pace.interval;
        let mut is_ready = false;
        let mut flags = Flags::default();
        // Since when the own search is over, and since when it is to end on all.
        let (mut over, mut ending): (Option<Instant>, Option<Instant>) = (None, None);
        let mut waits = false;
        let mut last_event = Instant::now();
        loop {
            while let Some(event) = self.turn(Some(member))? {
                last_event = Instant::now();
                if let Event::Probed(now) = event {
                    // One that is elsewhere for long is done without.
                    let is_late = begin.elapsed() > self.settings.grace;
                    let here = if is_late { now.ranks } else { self.ranks() as i64 };
                    is_ready = now.ready > 0 && now.ready >= here;
                }
                if let Event::Sum { is_last, flags: now } = event {
                    if is_last {
                        let took = ending.map_or(Duration::ZERO, |ending| ending.elapsed());
                        self.closing = (self.closing + took) / 2;
                        self.tally.take_last(now.simulations, now.ranks);
                        return Ok(End::Together);
                    }
                    self.pace.note(self.work);
                    flags = now;
                }
            }
            let nap = if over.is_some() { SHORT_NAP } else { NAP };
            if member.wait_for(nap) {
                if over.is_none() {
                    over = Some(Instant::now());
                    waits = member.progress().0 == StopReason::Simulations;
                } else {
                    thread::sleep(nap);
                }
            }
            let all_over = flags.ranks > 0 && flags.over == flags.ranks;
            let ends = flags.proven > 0 || (over.is_some() && (!waits || all_over));
            if ends && ending.is_none() {
                member.stop();
                over = over.or(Some(Instant::now()));
                ending = Some(Instant::now());
            }
            let silent_since = match (ending, over) {
                (Some(ending), _) => Some(ending),
                (None, Some(over)) => Some(over.max(last_event)),
                (None, None) => None,
            };
            if silent_since.is_some_and(|since| since.elapsed() > self.settings.grace) {
                return Ok(End::Lost);
            }
            if !self.say()? && matches!(self.stage, Stage::Free) {
                let now = Instant::now();
                if ending.is_some() || (is_ready && now >= next) {
                    next = now + self.pace.interval;
                    self.propose(member, ending.is_some())?;
                } else if !is_ready && let Ok(root) = member.lines(1) {
                    self.outbox.push_back(Message::Probe { search: self.search, root });
                    self.say()?;
                }
            }
        }
    }

    /// Begins an exchange.
    fn propose(&mut self, member: &mut dyn Member, is_last: bool) -> Result<(), CarrierError> {
        let begin = Instant::now();
        let lines = member.lines(self.pace.lines).ok();
        self.work = begin.elapsed();
        self.tally.lines = lines.as_ref().map_or(0, |lines| lines.len() as u64);
        self.outbox.push_back(Message::Exchange { search: self.search, is_last, lines });
        self.say().map(drop)
    }

    fn follow(&mut self, member: &mut dyn Member) -> Result<End, CarrierError> {
        let mut over: Option<Instant> = None;
        let mut last_event = Instant::now();
        loop {
            while let Some(event) = self.turn(Some(member))? {
                last_event = Instant::now();
                match event {
                    Event::Sum { is_last: true, flags } => {
                        self.tally.take_last(flags.simulations, flags.ranks);
                        return Ok(End::Together);
                    }
                    Event::Superseded => {
                        member.stop();
                        return Ok(End::Superseded);
                    }
                    Event::Sum { .. } | Event::Probed(_) | Event::Step => {}
                }
            }
            if member.wait_for(NAP) {
                let since = *over.get_or_insert_with(Instant::now);
                // Rank 0 gives up after one time of grace: it should be the first to answer.
                let patience = self.settings.grace * 3 / 2;
                if self.settings.recovers && since.max(last_event).elapsed() > patience {
                    return Ok(End::Lost);
                }
                thread::sleep(SHORT_NAP);
            }
        }
    }

    /// Begins to say what rank 0 has to say, if nothing is under way: whether there was something.
    fn say(&mut self) -> Result<bool, CarrierError> {
        if !matches!(self.stage, Stage::Free) {
            return Ok(false);
        }
        let Some(message) = self.outbox.pop_front() else { return Ok(false) };
        let (frame, rest) = message.frames();
        self.tally.bytes += (frame.len() + rest.len()) as u64;
        self.carrier.broadcast(frame)?;
        self.stage = Stage::Frame(rest);
        Ok(true)
    }

    /// Looks once at what is under way: what has happened, if anything has.
    fn turn(&mut self, member: Option<&mut dyn Member>) -> Result<Option<Event>, CarrierError> {
        if matches!(self.stage, Stage::Free) && self.rank() != 0 && !self.has_quit {
            self.carrier.broadcast(empty_frame())?;
            self.stage = Stage::Frame(Vec::new());
        }
        let Some(arrived) = self.carrier.poll()? else { return Ok(None) };
        let stage = std::mem::replace(&mut self.stage, Stage::Free);
        Ok(Some(match (stage, arrived) {
            (Stage::Frame(mut rest), Arrived::Bytes(frame)) => {
                let (inside, behind) = open(&frame);
                if behind > 0 {
                    rest.resize(behind, 0);
                    self.carrier.broadcast(rest)?;
                    self.stage = Stage::Rest(inside.to_vec());
                    Event::Step
                } else {
                    self.take(inside, member)?
                }
            }
            (Stage::Rest(mut bytes), Arrived::Bytes(rest)) => {
                bytes.extend_from_slice(&rest);
                self.take(&bytes, member)?
            }
            (Stage::Sum { search, what }, Arrived::Words(words)) => {
                let (words, flags) = words.split_at(words.len().saturating_sub(FLAGS));
                let flags = Flags::of_words(flags);
                match (member, what) {
                    (Some(_), What::Probe) if search == self.search => Event::Probed(flags),
                    (_, What::Probe) => Event::Step,
                    (Some(member), What::Exchange { is_last, has_shared })
                        if search == self.search =>
                    {
                        if has_shared {
                            self.absorb(member, words);
                        }
                        self.tally.exchanges += 1;
                        self.tally.work += self.work;
                        self.tally.refused += flags.refused as u64;
                        Event::Sum { is_last, flags }
                    }
                    _ => {
                        self.tally.late += 1;
                        Event::Step
                    }
                }
            }
            // A carrier that brings what was not asked for: nothing is to be done with it.
            _ => Event::Step,
        }))
    }

    /// Obeys a message.
    fn take(
        &mut self,
        bytes: &[u8],
        member: Option<&mut dyn Member>,
    ) -> Result<Event, CarrierError> {
        match Message::read(bytes) {
            Some(Message::Probe { search, root }) => {
                let member = member.filter(|_| search == self.search);
                let mut flags = Flags::default();
                if let Some(member) = member {
                    flags.ranks = 1;
                    flags.ready = i64::from(member.lines(1).is_ok_and(|own| own == root));
                }
                self.tally.bytes += size_of_val(&flags.words()) as u64;
                self.carrier.sum(flags.words().to_vec())?;
                self.stage = Stage::Sum { search, what: What::Probe };
            }
            Some(Message::Exchange { search, is_last, lines }) => {
                let member = member.filter(|_| search == self.search);
                self.contribute(search, is_last, lines.as_ref(), member)?;
            }
            Some(Message::Order { search, bytes }) if self.rank() != 0 => {
                self.inbox.push_back((search, bytes));
                return Ok(Event::Superseded);
            }
            Some(Message::Quit) => {
                self.has_quit = true;
                return Ok(Event::Superseded);
            }
            Some(Message::Order { .. }) | None => {}
        }
        Ok(Event::Step)
    }

    /// Begins the sum: of what this rank has found, or of nothing.
    fn contribute(
        &mut self,
        search: u64,
        is_last: bool,
        lines: Option<&Lines>,
        member: Option<&mut dyn Member>,
    ) -> Result<(), CarrierError> {
        let count = lines.map_or(0, Lines::words);
        let (mut flags, mut share) = (Flags::default(), None);
        if self.rank() != 0 {
            // On rank 0 it began with the choice of the lines.
            self.work = Duration::ZERO;
        }
        if let Some(member) = member {
            flags.ranks = 1;
            if is_last {
                member.stop();
            }
            if member.wait_for(Duration::ZERO) {
                let (reason, simulations) = member.progress();
                flags.over = 1;
                flags.proven = i64::from(reason == StopReason::Proven);
                flags.simulations = simulations as i64;
            }
            let begin = Instant::now();
            share = match lines.map(|lines| member.share(lines)) {
                Some(Ok(share)) => Some(share),
                None => None,
                // Another game or root, or none yet: what the others say now does not come here.
                Some(Err(_)) => {
                    flags.refused = 1;
                    None
                }
            };
            self.work += begin.elapsed();
        }
        let has_shared = share.is_some();
        let mut words = share.unwrap_or_else(|| vec![0; count]);
        words.extend(flags.words());
        self.tally.bytes += (words.len() * size_of::<i64>()) as u64;
        self.carrier.sum(words)?;
        self.stage = Stage::Sum { search, what: What::Exchange { is_last, has_shared } };
        Ok(())
    }

    fn absorb(&mut self, member: &mut dyn Member, sum: &[i64]) {
        let begin = Instant::now();
        match member.absorb(sum) {
            Ok(absorbed) => {
                self.tally.visits += absorbed.visits;
                self.tally.proofs += u64::from(absorbed.proofs);
            }
            Err(_) => self.tally.refused += 1,
        }
        self.work += begin.elapsed();
    }
}
