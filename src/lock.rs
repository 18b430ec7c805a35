//! The node lock: one atomic word, spin-based, many readers or one writer.
//!
//! It guards no data of its own: a node's fields are atomics that are read and written
//! `Relaxed` while a guard is held, and the lock orders them. Hold it for a few nanoseconds,
//! never across code that may wait, allocate or panic, and never twice in one thread.
//!
//! The searches keep one in each position; the module is public because the lock is of use by
//! itself.
//!
//! # Three ways to write
//! What an update does that finds the lock busy is the caller's choice:
//!
//! | policy | call | a busy lock |
//! |---|---|---|
//! | block | [`NodeLock::write`] | is waited for |
//! | yield | [`NodeLock::try_write`] | refuses at once: the update is dropped |
//! | defer | [`DeferLock::try_hold`], [`DeferLock::announce`] | learns that there is work, which its holder does |
//!
//! Block and yield may be mixed on one lock. Defer may not be mixed with either, because their
//! guards free the lock with a plain store, which would forget an announcement: so it has a type of
//! its own. Readers go with all three.
//!
//! # Waiting
//! A thread that waits spins on a load until the lock looks idle, then tries to take it, and starts
//! over if the race is lost. After a bounded number of spins the processor is handed back to the
//! system between looks, so that a holder that is not running gets to run. No thread ever waits for
//! long for one that does not hold the lock.
//!
//! # Fairness
//! There is no queue. A blocking writer that meets readers keeps new ones out, so that readers that
//! overlap without a gap cannot starve it; among threads that race for an idle lock any one may
//! win.
//!
//! # Examples
//! ```
//! use playtree::lock::NodeLock;
//!
//! let lock = NodeLock::new();
//! {
//!     let _writing = lock.write();
//!     assert!(lock.try_write().is_none());
//! }
//! let (_reading, _too) = (lock.read(), lock.read());
//! assert!(lock.try_write().is_none());
//! ```

// Inside the crate a `NodeLock` has the calls of defer too, as a Monte Carlo search chooses its
// policy while the program runs. Only the policy defer announces, and with it no update takes a
// `WriteGuard`. `try_hold` and `release` without an announcement go with every policy: the step
// that frees the lock then finds WRITER alone.

use std::fmt;
use std::mem;

use crate::sync::{AtomicU32, Ordering, run_fairly, spin_loop, yield_now};
use crate::zeroed::zeroed;

// The word:
//
//       31       30        29       28 ...................... 0
//   +--------+----------+---------+-----------------------------+
//   | WRITER | DEFERRED | WAITING |           READERS           |
//   +--------+----------+---------+-----------------------------+
//
// Its states, and every step between them:
//
//                          read, unread
//                            +------+
//                            v      |
//              read      +------------+   write finds readers   +-----------------+
//         +------------->|  n readers |------------------------>|    n readers,   |
//         |   +----------|            |                         |  WAITING (n>=0) |--+ unread,
//         |   |  unread  +------------+<------------------------|                 |<-+ n -= 1
//         |   v                          read, n == 0 and the   +-----------------+
//     +----------+                       writer keeps away               |
//     |   free   |                                                       |
//     +----------+                                        write, n == 0  |
//         |   ^                                                          |
//   write |   | unlock                                                   |
//         v   |                                                          |
//     +----------+                                                       |
//     |  WRITER  |<------------------------------------------------------+
//     +----------+
//         |   ^
// announce|   | release: the holder keeps the lock and does the work
//         v   |
//     +--------------------+
//     |  WRITER, DEFERRED  |--+
//     |                    |<-+ announce, again
//     +--------------------+
//
// Every step but two is a compare-and-swap from the state in which it was decided, so two that were
// decided on the same state cannot both succeed. The two others are made by a thread that holds the
// lock: a reader subtracts its own share, and the writer of the policies block and yield stores
// zero. What could go wrong, and why it does not:
//
// 1. A reader and a writer both find the lock free. One of them succeeds; the other was
//    decided on a word that is gone, and starts over.
// 2. A writer marks the lock as waited for when the last reader has just left: the bit would stand
//    on a free lock, or on one that a holder then fails to free, as its word is not WRITER alone.
//    The mark fails, as the count has changed. The bit lasts until a thread takes the lock, at the
//    latest the writer that set it, so while it stands there is a writer that wants the lock.
// 3. The readers leave, and the writer that waits for them is not running. Readers that
//    found the bit would wait for a thread that holds nothing: they wait for one spin only.
// 4. Work is announced after the holder's last look at it, just before it frees the lock. The
//    step that frees the lock expects WRITER alone and fails; the holder looks again.
// 5. Work is announced to a holder that has just left: the step expects WRITER and fails, and the
//    announcer takes the lock. If another has taken it by then, the step succeeds, and rightly so:
//    it is the new holder that will look.
// 6. The announcer finds DEFERRED set and goes; the holder had cleared it already and had
//    looked too early. It does not go: it replaces the word by itself, see `announce`.
// 7. The holder looks for work and then clears the bit, also for work that came in between.
//    It clears first, and looks then: `release` hands back a holder with the bit cleared.

/// One writer holds the lock, and no other thread: READERS and WAITING are zero. It is set on a
/// word that is free, and from then on only the holder changes any bit but DEFERRED.
const WRITER: u32 = 1 << 31;

/// Only together with WRITER: since the holder took the lock, or last cleared this bit, another
/// thread has left work for it. It must not free the lock before it has looked for it.
const DEFERRED: u32 = 1 << 30;

/// Never together with WRITER: a blocking writer has met readers. While there are readers no more
/// are let in. With no reader left the lock is free for any thread that blocks; the bit then only
/// asks a reader to let the writer go first for as long as it spins. A thread that takes the lock
/// clears it, and a writer that still waits sets it again.
const WAITING: u32 = 1 << 29;

/// The number of readers that hold the lock, in the low bits.
const READERS: u32 = WAITING - 1;

/// With this many readers the next one waits instead of overflowing into WAITING. Small in a
/// loom model, so that the limit can be reached in one.
const MAX_READERS: u32 = if cfg!(loom) { 2 } else { READERS };

// So that `state < MAX_READERS` says three things at once: no writer, none waiting, room.
const _: () = assert!(MAX_READERS <= READERS && READERS < WAITING);

/// A spin lock for many readers or one writer, in four bytes, with the policies block and yield.
///
/// See the [module](self) for the ways to write. A guard that is leaked (`mem::forget`) leaves the
/// lock held for good.
pub struct NodeLock {
    word: AtomicU32,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<NodeLock>() == 4);

zeroed!(NodeLock { word });

impl NodeLock {
    /// A free lock.
    #[cfg(not(loom))]
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { word: AtomicU32::new(0) }
    }

    /// A free lock. Not `const`, as loom's atomics are not.
    #[cfg(loom)]
    #[must_use]
    pub fn new() -> Self {
        Self { word: AtomicU32::new(0) }
    }

    /// Takes the lock together with other readers. Blocks while a writer holds it.
    ///
    /// A thread that holds a guard of this lock must not call this: a writer that waits
    /// between the two calls would wait for the first, and the second for the writer.
    #[inline]
    pub fn read(&self) -> ReadGuard<'_> {
        let state = self.word.load(Ordering::Relaxed);
        if state < MAX_READERS && self.take(state, state + 1) {
            return ReadGuard { lock: self, waited: false };
        }
        self.read_slow()
    }

    /// Takes the lock alone. Blocks while any thread holds it.
    #[inline]
    pub fn write(&self) -> WriteGuard<'_> {
        if self.take(0, WRITER) {
            return WriteGuard { lock: self, waited: false };
        }
        self.write_slow()
    }

    /// Takes the lock alone if no thread holds it or blocks on it; `None` otherwise. Never waits,
    /// and never refuses an idle lock.
    #[inline]
    pub fn try_write(&self) -> Option<WriteGuard<'_>> {
        // One strong compare-and-swap is the whole of it: no loop, so no waiting, and no
        // spurious failure, as a weak one may have on machines with load-linked pairs. A load
        // first would save the cache line when the lock is busy, but could be stale and
        // refuse an idle lock.
        self.take(0, WRITER).then(|| WriteGuard { lock: self, waited: false })
    }

    /// As [`DeferLock::try_hold`].
    #[inline]
    pub(crate) fn try_hold(&self) -> Option<Holder<'_>> {
        self.take(0, WRITER).then(|| Holder { lock: self })
    }

    /// As [`DeferLock::announce`]. No writer of this lock may be a [`WriteGuard`] while another
    /// thread may announce.
    pub(crate) fn announce(&self) -> Option<Holder<'_>> {
        let mut backoff = Backoff::new();
        loop {
            let state = self.word.load(Ordering::Relaxed);
            if state & WRITER != 0 {
                // The step is taken even if the bit is already set. To read DEFERRED is not
                // enough: the holder may have cleared it by now and have looked before the
                // work was there. A successful compare-and-swap comes before the step that
                // clears the bit, as both replace the last value of the word.
                //
                // Release: with the Acquire in `Holder::release`, which clears the bit; the
                // work that the caller left is visible to the holder when it looks.
                let (success, failure) = (Ordering::Release, Ordering::Relaxed);
                let announced = state | DEFERRED;
                if self.word.compare_exchange(state, announced, success, failure).is_ok() {
                    return None;
                }
                // The holder freed the lock, or others announced too: some thread made progress,
                // and each of the others comes here at most once for each record it leaves.
                continue;
            }
            if state & READERS == 0 {
                if self.take(state, WRITER) {
                    return Some(Holder { lock: self });
                }
                continue;
            }
            self.keep_readers_out(state);
            backoff.wait();
        }
    }

    /// Replaces `from` by `to`, which holds the lock; false if the word was not `from`.
    #[inline]
    fn take(&self, from: u32, to: u32) -> bool {
        // Acquire: with the Release of every step that frees the lock or gives a share of it
        // back (`drop` of the three guards, `Holder::release`). All other steps replace the
        // word atomically, so they carry on what those have released: the taker sees the
        // writes of each earlier writer, and comes after the reads of each earlier reader.
        // Relaxed on failure: nothing is read that the lock guards.
        self.word.compare_exchange(from, to, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    #[cold]
    fn read_slow(&self) -> ReadGuard<'_> {
        let mut backoff = Backoff::new();
        loop {
            // Relaxed: a stale value costs one more round; `take` decides.
            let state = self.word.load(Ordering::Relaxed);
            // A waiting writer that no reader holds up any more goes first, but if it is not
            // running then no thread holds the lock, and there is nothing to wait for.
            let open = state < MAX_READERS || (state == WAITING && backoff.has_yielded());
            if open && self.take(state, (state & READERS) + 1) {
                return ReadGuard { lock: self, waited: true };
            }
            backoff.wait();
        }
    }

    #[cold]
    fn write_slow(&self) -> WriteGuard<'_> {
        let mut backoff = Backoff::new();
        loop {
            // Relaxed: a stale value costs one more round; `take` decides.
            let state = self.word.load(Ordering::Relaxed);
            if state & (WRITER | READERS) == 0 {
                // Clears WAITING also on behalf of other writers: they will set it again if
                // they meet readers.
                if self.take(state, WRITER) {
                    return WriteGuard { lock: self, waited: true };
                }
            } else if state & WRITER == 0 {
                self.keep_readers_out(state);
            }
            backoff.wait();
        }
    }

    /// Sets WAITING, if the word is still `state`, in which readers hold the lock.
    fn keep_readers_out(&self, state: u32) {
        if state & WAITING == 0 {
            // Relaxed: the bit carries no data. If it fails the caller looks again anyway. The
            // readers cannot be gone when it succeeds, so that the bit is never set on a free lock,
            // which `try_write` would then refuse with no other thread near it.
            let marked = state | WAITING;
            let relaxed = Ordering::Relaxed;
            let _ = self.word.compare_exchange(state, marked, relaxed, relaxed);
        }
    }
}

impl Default for NodeLock {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for NodeLock {
    /// What the word says at this moment. Does not block.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.word.load(Ordering::Relaxed);
        f.debug_struct("NodeLock")
            .field("writer", &(state & WRITER != 0))
            .field("deferred", &(state & DEFERRED != 0))
            .field("waiting", &(state & WAITING != 0))
            .field("readers", &(state & READERS))
            .finish()
    }
}

/// A [`NodeLock`] with the policy defer: an update that finds it busy is left to its holder, so
/// that nothing waits for a writer and nothing is lost.
///
/// What it guards, and where work is left, is up to the caller.
///
/// # Examples
/// An update that neither waits nor is lost. A mailbox behind a mutex keeps the example short; a
/// list that is pushed to and emptied with one atomic step is what it takes for no thread to wait.
/// ```
/// use std::sync::Mutex;
/// use playtree::lock::DeferLock;
///
/// fn update(lock: &DeferLock, mailbox: &Mutex<Vec<u32>>, record: u32, apply: impl Fn(u32)) {
///     let mut holder = match lock.try_hold() {
///         Some(holder) => {
///             apply(record);
///             holder.release()
///         }
///         None => {
///             mailbox.lock().unwrap().push(record);
///             lock.announce()
///         }
///     };
///     while let Some(held) = holder {
///         let left: Vec<u32> = std::mem::take(&mut *mailbox.lock().unwrap());
///         left.into_iter().for_each(&apply);
///         holder = held.release();
///     }
/// }
///
/// let (lock, mailbox, sum) = (DeferLock::new(), Mutex::default(), std::cell::Cell::new(0));
/// update(&lock, &mailbox, 7, |record| sum.set(sum.get() + record));
/// assert_eq!(sum.get(), 7);
/// ```
#[derive(Debug, Default)]
pub struct DeferLock {
    lock: NodeLock,
}

impl DeferLock {
    /// A free lock.
    #[cfg(not(loom))]
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self { lock: NodeLock::new() }
    }

    /// A free lock. Not `const`, as loom's atomics are not.
    #[cfg(loom)]
    #[must_use]
    pub fn new() -> Self {
        Self { lock: NodeLock::new() }
    }

    /// As [`NodeLock::read`].
    #[inline]
    pub fn read(&self) -> ReadGuard<'_> {
        self.lock.read()
    }

    /// Takes the lock alone as its [`Holder`], if no thread holds it. Never waits.
    ///
    /// On `None` put the work where the holder will look for it, then
    /// [`announce`](Self::announce) it.
    #[inline]
    pub fn try_hold(&self) -> Option<Holder<'_>> {
        self.lock.try_hold()
    }

    /// Says that work has been left for the holder of the lock.
    ///
    /// `None`: there is a holder, and it will look for the work before it frees the lock. `Some`:
    /// the lock was free, the caller holds it now, and looks for the work itself, which another may
    /// have done by then. Waits for readers, which cannot do the work, but never for a writer.
    pub fn announce(&self) -> Option<Holder<'_>> {
        self.lock.announce()
    }
}

/// A share of a [`NodeLock`] or a [`DeferLock`], given back on drop.
#[derive(Debug)]
#[must_use = "the lock is given back at once if the guard is not kept"]
pub struct ReadGuard<'a> {
    lock: &'a NodeLock,
    waited: bool,
}

impl ReadGuard<'_> {
    /// Whether the first try failed: the lock was busy, or another thread was faster.
    #[must_use]
    #[inline]
    pub fn waited(&self) -> bool {
        self.waited
    }
}

impl Drop for ReadGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        // Release: with the Acquire of the next writer's `take`, so that what it writes
        // cannot be seen by the reads made under this guard.
        self.lock.word.fetch_sub(1, Ordering::Release);
    }
}

/// The whole of a [`NodeLock`], for the policies block and yield. Freed on drop.
#[derive(Debug)]
#[must_use = "the lock is freed at once if the guard is not kept"]
pub struct WriteGuard<'a> {
    lock: &'a NodeLock,
    waited: bool,
}

impl WriteGuard<'_> {
    /// Whether the first try failed: the lock was busy, or another thread was faster.
    #[must_use]
    #[inline]
    pub fn waited(&self) -> bool {
        self.waited
    }
}

impl Drop for WriteGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        debug_assert_eq!(
            self.lock.word.load(Ordering::Relaxed),
            WRITER,
            "work was announced to a lock whose writer does not look for it"
        );
        // A plain store: only `announce` changes the word while WRITER is set, and it is not
        // used together with this guard. To bear it would take a read-modify-write, several times
        // the price of the store on x86.
        // Release: with the Acquire of the next `take`, which sees what was written.
        self.lock.word.store(0, Ordering::Release);
    }
}

/// The whole of a [`DeferLock`]. Free it with [`release`](Self::release).
///
/// If it is dropped instead, as in a panic, the lock is freed and an announcement is forgotten; the
/// work itself is still where it was left, for the next thread that looks.
#[derive(Debug)]
#[must_use = "an announcement is forgotten if the holder is dropped instead of released"]
pub struct Holder<'a> {
    lock: &'a NodeLock,
}

impl<'a> Holder<'a> {
    /// Frees the lock, unless there is work.
    ///
    /// `None`: it is free. `Some`: work has been announced and the caller still holds the
    /// lock: look for the work, do it, release again. Never waits, but hands out work for as
    /// long as others keep announcing some.
    ///
    /// Nothing is lost, because each announcement comes either before the step that frees the lock,
    /// and then that step fails, or after it, and then the announcer finds the lock free, or a
    /// later holder, to which the same applies.
    #[inline]
    pub fn release(self) -> Option<Self> {
        let lock = self.lock;
        // Release: with the Acquire of the next `take`, which sees what was written.
        let (success, failure) = (Ordering::Release, Ordering::Relaxed);
        if lock.word.compare_exchange(WRITER, 0, success, failure).is_ok() {
            mem::forget(self);
            return None;
        }
        self.accept();
        Some(self)
    }

    /// Takes note of the announcements so far.
    #[cold]
    fn accept(&self) {
        // A read-modify-write, so that it follows the last announcement and a later one will
        // set the bit again; *before* the work is looked for, as else the bit of work that
        // came in between would be cleared unseen.
        // Acquire: with the Release of every announcement that it follows (each carries on
        // the earlier ones), so that all their work is seen.
        self.lock.word.fetch_and(!DEFERRED, Ordering::Acquire);
    }
}

impl Drop for Holder<'_> {
    fn drop(&mut self) {
        // Release: as in `release`.
        self.lock.word.store(0, Ordering::Release);
    }
}

/// A bounded spin, then the processor is handed back between looks.
struct Backoff {
    /// How often `wait` was called.
    waits: u32,
}

impl Backoff {
    /// The first waits spin for 1, 2, 4, ... 32 hints, 63 in all: some microseconds where a
    /// hint is long (about 140 cycles on recent x86), a hundred times as long as a thread that
    /// runs holds a node lock. A holder that is still there is not running, and wants our
    /// core. No spins under loom, which schedules.
    const SPINS: u32 = if cfg!(loom) { 0 } else { 6 };

    /// After `PATIENCE` waits loom need not look for worse schedules.
    const PATIENCE: u32 = Self::SPINS + 2;

    fn new() -> Self {
        Self { waits: 0 }
    }

    fn wait(&mut self) {
        if self.waits < Self::SPINS {
            for _ in 0..1 << self.waits {
                spin_loop();
            }
        } else {
            if self.waits >= Self::PATIENCE {
                run_fairly();
            }
            yield_now();
        }
        self.waits = self.waits.saturating_add(1);
    }

    /// Whether the spin is over and the processor was handed back at least once.
    fn has_yielded(&self) -> bool {
        self.waits > Self::SPINS
    }
}

// The models of tests/loom.rs check the protocols; here is what needs the word itself.
#[cfg(all(test, not(loom)))]
mod tests {
    use super::{DEFERRED, MAX_READERS, NodeLock, Ordering, WAITING, WRITER};
    use crate::sync::{AtomicU32, scope, spin_loop, yield_now};

    fn word(lock: &NodeLock) -> u32 {
        lock.word.load(Ordering::Relaxed)
    }

    #[test]
    fn each_guard_shows_in_the_word_and_leaves_no_trace() {
        let lock = NodeLock::new();
        {
            let (first, second) = (lock.read(), lock.read());
            assert!(!first.waited() && !second.waited());
            assert_eq!(word(&lock), 2);
            assert!(lock.try_write().is_none() && lock.try_hold().is_none());
        }
        assert_eq!(word(&lock), 0);
        {
            let guard = lock.write();
            assert!(!guard.waited());
            assert_eq!(word(&lock), WRITER);
            assert!(lock.try_write().is_none() && lock.try_hold().is_none());
        }
        assert_eq!(word(&lock), 0);
        drop(lock.try_write().expect("the lock is idle"));
        assert_eq!(word(&lock), 0);
    }

    #[test]
    fn a_holder_hears_of_work_once_for_any_number_of_announcements() {
        let lock = NodeLock::new();
        let holder = lock.try_hold().expect("the lock is idle");
        assert!(lock.announce().is_none());
        assert!(lock.announce().is_none());
        assert_eq!(word(&lock), WRITER | DEFERRED);
        let holder = holder.release().expect("there is work");
        assert_eq!(word(&lock), WRITER);
        assert!(holder.release().is_none());
        assert_eq!(word(&lock), 0);
    }

    #[test]
    fn who_announces_to_a_free_lock_holds_it() {
        let lock = NodeLock::new();
        let holder = lock.announce().expect("no thread holds the lock");
        assert_eq!(word(&lock), WRITER);
        assert!(holder.release().is_none());
    }

    #[test]
    fn a_panic_frees_the_lock() {
        let lock = NodeLock::new();
        let panics = |hold: &dyn Fn()| {
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(hold));
            assert!(caught.is_err());
            assert_eq!(word(&lock), 0);
        };
        panics(&|| {
            let _guard = lock.read();
            panic!("under a read guard");
        });
        panics(&|| {
            let _guard = lock.write();
            panic!("under a write guard");
        });
        panics(&|| {
            let _guard = lock.try_hold();
            assert!(lock.announce().is_none());
            panic!("in a holder to which work was announced");
        });
    }

    #[test]
    fn readers_beyond_the_limit_wait() {
        let lock = NodeLock { word: AtomicU32::new(MAX_READERS) };
        scope(|s| {
            let last = s.spawn(|| drop(lock.read()));
            for _ in 0..100 {
                yield_now();
                assert!(!last.is_finished());
                assert_eq!(word(&lock), MAX_READERS);
            }
            // One of the others gives its share back.
            lock.word.fetch_sub(1, Ordering::Release);
        });
        assert_eq!(word(&lock), MAX_READERS - 1);
    }

    #[test]
    fn a_waiting_writer_keeps_new_readers_out_and_gets_in() {
        let lock = NodeLock::new();
        let first = lock.read();
        scope(|s| {
            let writer = s.spawn(|| lock.write().waited());
            while word(&lock) != 1 | WAITING {
                spin_loop();
            }
            assert!(lock.try_write().is_none());
            let reader = s.spawn(|| lock.read().waited());
            drop(first);
            assert!(writer.join().expect("the writer gets in"));
            // It waited or came after the writer; either way it got in.
            let _ = reader.join().expect("the reader gets in");
        });
        assert_eq!(word(&lock), 0);
    }

    #[test]
    fn a_mark_without_readers_stops_nobody_who_blocks() {
        // As left by a writer that is not running.
        let marked = || NodeLock { word: AtomicU32::new(WAITING) };
        let lock = marked();
        drop(lock.read());
        assert_eq!(word(&lock), 0);
        let lock = marked();
        drop(lock.write());
        assert_eq!(word(&lock), 0);
        let lock = marked();
        assert!(lock.announce().is_some_and(|holder| holder.release().is_none()));
        assert_eq!(word(&lock), 0);
    }

    #[test]
    fn debug_shows_the_state() {
        let lock = NodeLock::default();
        let _guard = lock.read();
        let shown = format!("{lock:?}");
        assert_eq!(
            shown,
            "NodeLock { writer: false, deferred: false, waiting: false, readers: 1 }"
        );
    }
}
