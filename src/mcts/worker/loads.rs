//! Loads of questions, and what is to be done with them next.
//!
//! A load is what a worker asks a network in one call. It is gathered, asked about, and backed up,
//! each by whichever worker is free, and what keeps the network busy comes first:
//!
//! 1. **A load that waits is asked about**, if the network can do one more call. So the worker
//!    whose call has ended makes the next one itself, at once, and none has to be woken up for it.
//! 2. Else one that was answered is backed up.
//! 3. Else the next one is gathered, if more questions may be under way. As long as fewer loads
//!    are in use than the network does calls at a time it gets its part of what is left; one more
//!    would only wait, and so it begins when what is left makes a **full batch**. No call is made
//!    short by dividing what would have filled one.
//!
//! Else the worker waits. It waits only while another one has a load in hand, and that one rings
//! the [`Bell`] when it has done with it, and takes what waits then: a worker that has nothing to
//! do, and will have nothing, need not look after it.

use std::collections::VecDeque;

use crate::sync::{Bell, Mutex};

/// The loads of a search.
#[derive(Debug)]
pub(super) struct Loads<T> {
    /// The calls that are made at a time.
    calls: usize,
    state: Mutex<State<T>>,
    /// Rung when a load is answered, and when one is idle again.
    bell: Bell,
}

#[derive(Debug)]
struct State<T> {
    idle: Vec<T>,
    /// Those that wait for their call, the first one first.
    gathered: VecDeque<T>,
    answered: Vec<T>,
    /// Loads that are not idle: those above, and those in the hands of workers.
    in_use: usize,
    /// Calls under way.
    calling: usize,
    /// The most questions of the loads in use.
    questions: u32,
}

/// What a worker would like to ask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// The most questions that it could use.
    pub(super) most: u32,
    /// Those of a full batch.
    pub(super) batch: u32,
    /// The most that may be under way, with those of all other loads.
    pub(super) of_all: u32,
}

/// What is to be done with a load.
#[derive(Debug)]
pub(super) enum Task<T> {
    Ask(T),
    BackUp(T),
    /// At most this number of questions are to be gathered.
    Gather(T, u32),
    /// Something else has to be done before, by another worker: wait for the event after this
    /// ticket.
    Wait(u64),
    /// There will be nothing more.
    Nothing,
}

impl<T> Loads<T> {
    /// For at least one load, with `calls` calls at a time, at least 1.
    pub(super) fn new(loads: Vec<T>, calls: usize) -> Self {
        let state = State {
            calling: 0,
            in_use: 0,
            questions: 0,
            gathered: VecDeque::with_capacity(loads.len()),
            answered: Vec::with_capacity(loads.len()),
            idle: loads,
        };
        Self { calls: calls.min(state.idle.len()), state: Mutex::new(state), bell: Bell::new() }
    }

    /// What a worker is to do next; without a wish nothing more is to be gathered.
    pub(super) fn next(&self, wish: Option<Wish>) -> Task<T> {
        let ticket = self.bell.ticket();
        let mut state = self.state.lock();
        if state.calling < self.calls
            && let Some(load) = state.gathered.pop_front()
        {
            state.calling += 1;
            return Task::Ask(load);
        }
        if let Some(load) = state.answered.pop() {
            return Task::BackUp(load);
        }
        let Some(wish) = wish else { return Task::Nothing };
        let Some(questions) = state.may_ask(wish, self.calls) else { return Task::Wait(ticket) };
        let Some(load) = state.idle.pop() else { return Task::Wait(ticket) };
        state.in_use += 1;
        state.questions += questions;
        Task::Gather(load, questions)
    }

    /// Takes a load that is to be asked about. This worker looks for the next task at once.
    pub(super) fn gathered(&self, load: T) {
        self.state.lock().gathered.push_back(load);
    }

    /// Takes a load that was asked about.
    pub(super) fn answered(&self, load: T) {
        let mut state = self.state.lock();
        state.calling -= 1;
        state.answered.push(load);
        drop(state);
        self.bell.ring();
    }

    /// Takes a load that nothing is left of, and that was gathered for `questions`; if it comes
    /// `from_call`, the call is over as well.
    pub(super) fn done(&self, load: T, questions: u32, from_call: bool) {
        let mut state = self.state.lock();
        state.calling -= usize::from(from_call);
        state.in_use -= 1;
        state.questions -= questions;
        state.idle.push(load);
        drop(state);
        self.bell.ring();
    }

    /// Waits for the event after a ticket. Asleep: what it waits for is a call, nearly always.
    pub(super) fn wait(&self, ticket: u64) {
        self.bell.wait_asleep(ticket);
    }

    /// The ticket to wait for what other workers do, if one of them has a load in hand. A load that
    /// lies in a list is no reason to wait: it may be for this worker to take it.
    pub(super) fn others(&self) -> Option<u64> {
        let ticket = self.bell.ticket();
        let state = self.state.lock();
        let in_lists = state.gathered.len() + state.answered.len();
        (state.in_use > in_lists).then_some(ticket)
    }

    /// All loads, when no worker is left.
    pub(super) fn into_all(self) -> impl Iterator<Item = T> {
        let Self { mut state, .. } = self;
        let state = state.get_mut();
        let (idle, answered) =
            (std::mem::take(&mut state.idle), std::mem::take(&mut state.answered));
        std::mem::take(&mut state.gathered).into_iter().chain(answered).chain(idle)
    }
}

impl<T> State<T> {
    fn may_ask(&self, Wish { most, batch, of_all }: Wish, calls: usize) -> Option<u32> {
        let left = of_all.saturating_sub(self.questions);
        let questions = match calls.saturating_sub(self.in_use) as u32 {
            0 if left < batch => return None,
            0 => most,
            free => most.min(left / free),
        };
        Some(questions.max(1))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Loads, Task, Wish};

    fn granted(loads: &Loads<u32>, of_all: u32) -> Option<(u32, u32)> {
        match loads.next(Some(Wish { most: 8, batch: 8, of_all })) {
            Task::Gather(load, questions) => Some((load, questions)),
            Task::Wait(_) => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_load_more_than_there_are_calls_is_a_full_batch() {
        let loads = Loads::new(vec![1, 2, 3], 1);
        let (first, questions) = granted(&loads, 5).unwrap();
        assert_eq!(questions, 5);
        assert_eq!(granted(&loads, 12), None);
        let (second, questions) = granted(&loads, 13).unwrap();
        assert_eq!(questions, 8);
        assert_eq!(granted(&loads, 20), None);
        loads.done(first, 5, false);
        assert_eq!(granted(&loads, 16).unwrap().1, 8);
        assert_ne!(first, second);
    }

    #[test]
    fn loads_that_are_called_at_once_share_what_may_be_under_way() {
        let loads = Loads::new(vec![1, 2], usize::MAX);
        assert_eq!(granted(&loads, 0).unwrap().1, 1);
        assert_eq!(granted(&loads, 6).unwrap().1, 5);
        let loads = Loads::new(vec![1, 2], usize::MAX);
        assert_eq!([granted(&loads, 9).unwrap().1, granted(&loads, 9).unwrap().1], [4, 5]);
    }

    #[test]
    fn what_keeps_the_network_busy_comes_first() {
        let loads = Loads::new(vec![1, 2, 3], 1);
        let taken = [(); 3].map(|()| granted(&loads, 100).unwrap().0);
        taken.into_iter().for_each(|load| loads.gathered(load));
        let Task::Ask(first) = loads.next(None) else { panic!() };
        assert_eq!(first, taken[0]);
        assert!(matches!(loads.next(None), Task::Nothing));
        loads.answered(first);
        // Its worker makes the next call, and another one backs up meanwhile.
        assert!(matches!(loads.next(None), Task::Ask(load) if load == taken[1]));
        assert!(matches!(loads.next(None), Task::BackUp(load) if load == first));
        loads.done(first, 8, false);
        assert!(loads.others().is_some());
        loads.answered(taken[1]);
        // The two that are left lie in lists.
        assert!(loads.others().is_none());
        assert_eq!(loads.into_all().collect::<Vec<_>>(), [taken[2], taken[1], first]);
    }
}

#[cfg(all(test, loom))]
mod models {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::{Loads, Task, Wish};
    use crate::sync::{AtomicU32, Ordering};

    struct Shared {
        loads: Loads<u32>,
        /// What is left to be gathered.
        left: AtomicU32,
        done: AtomicU32,
        /// The device, which does one call at a time. It holds nothing.
        device: UnsafeCell<()>,
    }

    // SAFETY: no thread dereferences the pointer of `device`; the other fields are `Sync`.
    unsafe impl Sync for Shared {}

    fn work(Shared { loads, left, done, device }: &Shared) {
        loop {
            let more = left.load(Ordering::Relaxed) > 0;
            match loads.next(more.then_some(Wish { most: 1, batch: 1, of_all: 2 })) {
                Task::Ask(load) => {
                    device.with_mut(|_| ());
                    loads.answered(load);
                }
                Task::BackUp(load) => {
                    done.fetch_add(1, Ordering::Relaxed);
                    loads.done(load, 1, false);
                }
                Task::Gather(load, _) => {
                    let claim = |left: u32| left.checked_sub(1);
                    let relaxed = Ordering::Relaxed;
                    match left.fetch_update(relaxed, relaxed, claim) {
                        Ok(_) => loads.gathered(load),
                        Err(_) => loads.done(load, 1, false),
                    }
                }
                Task::Wait(ticket) => loads.wait(ticket),
                Task::Nothing => return,
            }
        }
    }

    /// Two workers ask about two loads, one call at a time.
    #[test]
    fn every_load_is_asked_about_once_and_backed_up() {
        loom::model(|| {
            let shared = Arc::new(Shared {
                loads: Loads::new(vec![1, 2], 1),
                left: AtomicU32::new(2),
                done: AtomicU32::new(0),
                device: UnsafeCell::new(()),
            });
            let other = thread::spawn({
                let shared = Arc::clone(&shared);
                move || work(&shared)
            });
            work(&shared);
            other.join().unwrap();
            assert_eq!(shared.done.load(Ordering::Relaxed), 2);
        });
    }
}
