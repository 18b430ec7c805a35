//! Cores for threads that begin.
//!
//! The system may let a new thread begin on the core of the one that has started it. On a virtual
//! machine with two cores the two were seen to share one of them for up to 60 ms, while the other
//! one idled.

use crate::sync::parking::Mutex;

/// The cores that the threads of one search have begun on.
pub(super) struct Cores {
    taken: Mutex<CoreSet>,
}

impl Cores {
    /// The core of the calling thread is taken.
    pub(super) fn new() -> Self {
        let mut taken = CoreSet::default();
        taken.add(current());
        Self { taken: Mutex::new(taken) }
    }

    /// Moves the calling thread to a core that no thread has taken, if it is on one that another
    /// thread has taken, and there is another core that it may use. Where the system moves it later
    /// is not changed.
    pub(super) fn settle(&self) {
        let mut taken = self.taken.lock();
        if taken.has(current())
            && let Some(all) = CoreSet::allowed()
            && let Some(free) = all.without(&taken)
        {
            // To be allowed on those only is to be moved to one of them.
            free.allow();
            taken.add(current());
            all.allow();
        } else {
            taken.add(current());
        }
    }
}

/// The number of the calling thread's core, at this moment; a negative one if the system does not
/// tell.
fn current() -> i32 {
    // SAFETY: it reads a number and returns it.
    unsafe { libc::sched_getcpu() }
}

/// The cores that a set has room for; a system with more of them does not tell which.
const ROOM: usize = 1024;

/// Some cores, as the system writes them: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CoreSet([usize; ROOM / usize::BITS as usize]);

impl CoreSet {
    /// The word and the bit of a core; `None` if the set has no room for it.
    fn place(core: i32) -> Option<(usize, usize)> {
        let core = usize::try_from(core).ok().filter(|&core| core < ROOM)?;
        Some((core / usize::BITS as usize, 1 << (core % usize::BITS as usize)))
    }

    fn has(&self, core: i32) -> bool {
        Self::place(core).is_some_and(|(word, bit)| self.0[word] & bit != 0)
    }

    fn add(&mut self, core: i32) {
        if let Some((word, bit)) = Self::place(core) {
            self.0[word] |= bit;
        }
    }

    /// Those that are not among others; `None` if all of them are.
    fn without(mut self, others: &Self) -> Option<Self> {
        self.0.iter_mut().zip(others.0).for_each(|(word, others)| *word &= !others);
        (self != Self::default()).then_some(self)
    }

    /// The cores that the calling thread may use; `None` if the system does not tell, or has more
    /// of them.
    fn allowed() -> Option<Self> {
        let mut all = Self::default();
        // SAFETY: the system writes at most the given number of bytes, which may be any, and the
        // set has them.
        let failed =
            unsafe { libc::sched_getaffinity(0, size_of_val(&all), (&raw mut all).cast()) };
        (failed == 0).then_some(all)
    }

    /// Lets the calling thread use these cores only, from now on. If the system refuses nothing
    /// changes.
    fn allow(&self) {
        // SAFETY: the system reads at most the given number of bytes, and the set has them.
        unsafe { libc::sched_setaffinity(0, size_of_val(self), std::ptr::from_ref(self).cast()) };
    }
}

#[cfg(test)]
mod tests {
    use super::{CoreSet, Cores, current};

    #[test]
    fn a_set_has_what_was_added() {
        let mut set = CoreSet::default();
        for core in [0, 63, 64, 1023, 1024, -1] {
            set.add(core);
        }
        let found: Vec<i32> = (-1..1100).filter(|&core| set.has(core)).collect();
        assert_eq!(found, [0, 63, 64, 1023]);
        let mut others = CoreSet::default();
        for core in [1, 63, 64, 1023] {
            others.add(core);
        }
        let left = set.without(&others).unwrap();
        assert!((0..1024).all(|core| left.has(core) == (core == 0)));
        assert_eq!(left.without(&set), None);
    }

    #[test]
    fn threads_settle_on_cores_of_their_own_while_there_are_some() {
        let all = CoreSet::allowed().unwrap();
        let cores = Cores::new();
        let count = (0..1024).filter(|&core| all.has(core)).count();
        std::thread::scope(|scope| {
            for _ in 1..count + 3 {
                scope.spawn(|| {
                    cores.settle();
                    assert_eq!(CoreSet::allowed(), Some(all), "all may be used as before");
                    assert!(all.has(current()));
                });
            }
        });
        assert_eq!(*cores.taken.lock(), all);
    }
}
