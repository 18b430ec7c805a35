//! A thread that runs models for one caller at a time, who waits meanwhile.
//!
//! rten runs a model on a pool of threads, never on that of the caller. The two take turns, so they
//! need one core between them, and both are best off with the same one: where each is on its own,
//! the caller prepares its next call on the core of another caller's model, which waits, while a
//! core idles. So the thread of the pool moves to the core of whoever calls.

use std::sync::Arc;

use rten::ThreadPool;

/// A pool of one thread.
pub(super) struct Helper {
    pool: Arc<ThreadPool>,
    place: Place,
}

impl Helper {
    pub(super) fn new() -> Self {
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        let place = Place::of(|thread| pool.run(thread));
        Self { pool, place }
    }

    /// Whether it runs on the core of the calling thread.
    pub(super) fn is_here(&self) -> bool {
        self.place.is(here())
    }

    /// The pool to run a model on, on the core of the calling thread.
    pub(super) fn pool(&mut self) -> Arc<ThreadPool> {
        self.place.set(here());
        Arc::clone(&self.pool)
    }
}

#[cfg(target_os = "linux")]
use linux::{Place, here};

#[cfg(not(target_os = "linux"))]
use elsewhere::{Place, here};

#[cfg(target_os = "linux")]
mod linux {
    use rustix::thread::{CpuSet, Pid, gettid, sched_getcpu, sched_setaffinity};

    /// Where a thread runs.
    pub(super) struct Place {
        /// `None`: the system had no thread for the pool, which runs all on that of its caller, and
        /// this one is not ours to move.
        thread: Option<Pid>,
        /// `None`: wherever the system lets it run.
        core: Option<usize>,
    }

    /// The core of the calling thread.
    pub(super) fn here() -> usize {
        sched_getcpu()
    }

    impl Place {
        /// Of the thread on which `run` runs what it is given.
        pub(super) fn of(run: impl FnOnce(fn() -> Pid) -> Pid) -> Self {
            let thread = run(gettid);
            Self { thread: (thread != gettid()).then_some(thread), core: None }
        }

        pub(super) fn is(&self, core: usize) -> bool {
            self.core == Some(core)
        }

        /// Moves the thread to a core. If the system refuses it stays where it was.
        pub(super) fn set(&mut self, core: usize) {
            if self.thread.is_none() || self.is(core) || core >= CpuSet::MAX_CPU {
                return;
            }
            let mut only = CpuSet::new();
            only.set(core);
            if sched_setaffinity(self.thread, &only).is_ok() {
                self.core = Some(core);
            }
        }
    }
}

/// Where the system is not asked to move threads.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    pub(super) struct Place;

    /// Any core.
    pub(super) struct Core;

    pub(super) fn here() -> Core {
        Core
    }

    impl Place {
        pub(super) fn of(_: impl FnOnce(fn())) -> Self {
            Self
        }

        pub(super) fn is(&self, _: Core) -> bool {
            true
        }

        pub(super) fn set(&mut self, _: Core) {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::thread::{CpuSet, sched_getaffinity};

    use super::{Helper, Place, here};

    #[test]
    fn a_caller_whose_pool_has_no_thread_stays_where_it_may_run() {
        let allowed = sched_getaffinity(None).unwrap();
        let mut place = Place::of(|thread| thread());
        place.set(here());
        assert!(!(0..CpuSet::MAX_CPU).any(|core| place.is(core)));
        let now = sched_getaffinity(None).unwrap();
        assert!((0..CpuSet::MAX_CPU).all(|core| now.is_set(core) == allowed.is_set(core)));
    }

    #[test]
    fn a_helper_runs_on_the_core_of_its_caller() {
        let allowed = sched_getaffinity(None).unwrap();
        let mut helper = Helper::new();
        for core in (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)) {
            helper.place.set(core);
            assert!(helper.place.is(core));
            assert_eq!(helper.pool.run(here), core);
        }
        // A core that is none is refused.
        helper.place.set(CpuSet::MAX_CPU - 1);
        assert!(!helper.place.is(CpuSet::MAX_CPU - 1) || allowed.is_set(CpuSet::MAX_CPU - 1));
        let pool = helper.pool();
        assert!(helper.place.is(pool.run(here)));
    }
}
