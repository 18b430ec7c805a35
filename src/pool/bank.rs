//! The bytes of a pool, and who has them.
//!
//! - A **bank** has the bytes of a pool. What is taken of it is counted in one number, which never
//!   passes the bytes: an engine is paid before it grows.
//! - A **purse** is what one engine may spend: at most its own limit, and in a pool at most its
//!   share. All trees or tables of the engine pay from it, and give back when they are freed.
//!
//! **The share** of an engine is the bytes divided by the number of engines that there are, or that
//! the pool was made for if these are more. So it falls when an engine comes, and rises when one
//! goes. An engine that has more than its share by then may not grow, and makes room while it
//! searches. What the least tree or table takes is paid when an engine joins, and stays its own.

use std::sync::{Arc, Weak};

use crate::error::ConfigError;
use crate::sync::{AtomicBool, AtomicU64, Mutex, Ordering, fence};

use super::Pool;

/// No limit.
pub(crate) const UNLIMITED: u64 = u64::MAX;

/// The bytes of a pool.
#[derive(Debug)]
pub(crate) struct Bank {
    bytes: u64,
    /// Engines that the bytes are divided among, at least.
    parts: usize,
    /// Bytes that engines have. `Relaxed`: only the number itself is shared.
    taken: AtomicU64,
    /// Whether an engine was refused bytes since some were last given back.
    refused: AtomicBool,
    accounts: Mutex<Vec<Weak<Account>>>,
}

/// What an engine may have, as others change it.
#[derive(Debug)]
struct Account {
    /// The engine's own limit, at least `least_own`.
    own: AtomicU64,
    least_own: u64,
    /// What is paid beside a tree, so that the limit of a tree is less than the share.
    aside: u64,
    /// The most bytes of a tree. `Relaxed`: with an old one a worker takes a block too much or too
    /// little, which it notices after its round.
    ceiling: AtomicU64,
    /// Counts the changes of the ceiling, and the bytes that came back after a refusal.
    changes: AtomicU64,
}

/// What one engine may spend.
#[derive(Debug)]
pub struct Purse {
    account: Arc<Account>,
    member: Option<Member>,
}

/// An engine in a pool that has bytes.
#[derive(Debug)]
struct Member {
    bank: Arc<Bank>,
    needs: Needs,
    /// Bytes that its trees or tables have taken.
    used: Mutex<u64>,
}

/// What an engine has from the beginning to its end, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    /// What a tree counts as its own without taking it: the rounds and an empty table.
    pub(crate) fixed: u64,
    /// What no tree counts: a table for endgames, and one more empty table, for a tree that is made
    /// while another one is still there.
    pub(crate) aside: u64,
    /// What the least tree takes.
    pub(crate) least: u64,
}

/// The least table of a searcher whose table does not grow, where it wants more.
const LEAST_TABLE: usize = 1 << 16;

impl Needs {
    /// Of a searcher that wants a table of this many bytes.
    pub(crate) fn of_table(wanted: usize) -> Self {
        Self { least: wanted.min(LEAST_TABLE) as u64, ..Self::default() }
    }

    fn all(self) -> u64 {
        self.fixed.saturating_add(self.aside).saturating_add(self.least)
    }
}

impl Bank {
    /// For at least this many engines.
    pub(crate) fn new(bytes: u64, parts: usize) -> Self {
        Self {
            bytes,
            parts,
            taken: AtomicU64::new(0),
            refused: AtomicBool::new(false),
            accounts: Mutex::default(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes that engines have.
    pub(crate) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    fn left(&self) -> u64 {
        self.bytes.saturating_sub(self.taken())
    }

    /// Takes bytes, all or none.
    fn take(&self, bytes: u64) -> bool {
        if self.try_take(bytes) {
            return true;
        }
        self.refused.store(true, Ordering::Relaxed);
        // Pairs with the fence in `give`: either the second try sees what was given back, or the
        // one that gives sees the refusal, and says so to all.
        fence(Ordering::SeqCst);
        self.try_take(bytes)
    }

    fn try_take(&self, bytes: u64) -> bool {
        let more = |taken: u64| taken.checked_add(bytes).filter(|&sum| sum <= self.bytes);
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// Gives bytes back.
    fn give(&self, bytes: u64) {
        if bytes == 0 {
            return;
        }
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
        // Pairs with the fence in `take`.
        fence(Ordering::SeqCst);
        if self.refused.swap(false, Ordering::Relaxed) {
            for account in self.accounts.lock().iter().filter_map(Weak::upgrade) {
                account.changed();
            }
        }
    }

    /// Tells every account its share.
    fn share_out(&self, accounts: &mut Vec<Weak<Account>>) {
        accounts.retain(|account| account.strong_count() > 0);
        let share = self.bytes / accounts.len().max(self.parts).max(1) as u64;
        accounts.iter().filter_map(Weak::upgrade).for_each(|account| account.set_share(share));
    }
}

impl Account {
    fn new(own: Option<u64>, Needs { fixed, aside, least }: Needs) -> Self {
        let own = own.unwrap_or(UNLIMITED);
        Self {
            own: AtomicU64::new(own),
            least_own: fixed.saturating_add(least),
            aside,
            ceiling: AtomicU64::new(own),
            changes: AtomicU64::new(0),
        }
    }

    /// Sets the ceiling for a share of a pool.
    fn set_share(&self, share: u64) {
        let most = share.saturating_sub(self.aside).max(self.least_own);
        let ceiling = self.own.load(Ordering::Relaxed).min(most);
        if self.ceiling.swap(ceiling, Ordering::Relaxed) != ceiling {
            self.changed();
        }
    }

    fn changed(&self) {
        // Release: pairs with the acquire in `Purse::changes`, which sees the new ceiling.
        self.changes.fetch_add(1, Ordering::Release);
    }
}

impl Purse {
    /// Of an engine that is in no pool with bytes.
    pub(crate) fn alone(own: Option<u64>, needs: Needs) -> Self {
        let account = Account::new(own, Needs { aside: 0, ..needs });
        Self { account: Arc::new(account), member: None }
    }

    /// Of an engine in this pool, if there is one.
    ///
    /// # Errors
    /// If the pool has no room for what the engine needs.
    pub(crate) fn of(
        pool: Option<&Pool>,
        own: Option<u64>,
        needs: Needs,
    ) -> Result<Self, ConfigError> {
        match pool.and_then(Pool::bank) {
            Some(bank) => Self::join(bank, own, needs),
            None => Ok(Self::alone(own, needs)),
        }
    }

    /// Of an engine that joins a pool.
    ///
    /// # Errors
    /// If the pool has no room for what the engine needs.
    fn join(bank: &Arc<Bank>, own: Option<u64>, needs: Needs) -> Result<Self, ConfigError> {
        // Under the lock, so that those that come together find what the others have left.
        let mut accounts = bank.accounts.lock();
        if !bank.try_take(needs.all()) {
            return Err(ConfigError::PoolMemory { least: needs.all(), found: bank.left() });
        }
        let account = Arc::new(Account::new(own, needs));
        accounts.push(Arc::downgrade(&account));
        bank.share_out(&mut accounts);
        drop(accounts);
        let member = Member { bank: Arc::clone(bank), needs, used: Mutex::new(0) };
        Ok(Self { account, member: Some(member) })
    }

    /// Changes the engine's own limit.
    ///
    /// # Errors
    /// If it has no room for the least tree.
    pub(crate) fn set_own(&self, own: Option<usize>) -> Result<(), ConfigError> {
        let own = own.map_or(UNLIMITED, |bytes| bytes as u64);
        let least = self.account.least_own;
        if own < least {
            let number = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
            return Err(ConfigError::MemoryLimit { least: number(least), found: number(own) });
        }
        match &self.member {
            Some(Member { bank, .. }) => {
                let mut accounts = bank.accounts.lock();
                self.account.own.store(own, Ordering::Relaxed);
                bank.share_out(&mut accounts);
            }
            None => {
                self.account.own.store(own, Ordering::Relaxed);
                self.account.set_share(UNLIMITED);
            }
        }
        Ok(())
    }

    /// The most bytes that a tree of the engine may have now, all that it counts included; a pool
    /// may have less left.
    #[inline]
    pub(crate) fn ceiling(&self) -> u64 {
        self.account.ceiling.load(Ordering::Relaxed)
    }

    /// Whether there is any limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.member.is_some() || self.ceiling() != UNLIMITED
    }

    /// Whether the engine is in a pool that has bytes.
    pub(crate) fn is_shared(&self) -> bool {
        self.member.is_some()
    }

    /// Changes of what it may spend, so far: to be compared with those seen before. One that is
    /// seen late is followed a round later.
    #[inline]
    pub(crate) fn changes_so_far(&self) -> u64 {
        self.account.changes.load(Ordering::Relaxed)
    }

    /// The same, and what has changed is seen.
    pub(crate) fn changes(&self) -> u64 {
        // Acquire: pairs with the release in `changed`.
        self.account.changes.load(Ordering::Acquire)
    }

    /// Bytes that the engine could take now if nothing but the pool kept it from that.
    pub(crate) fn left(&self) -> u64 {
        let Some(Member { bank, needs, used }) = &self.member else { return UNLIMITED };
        let used = *used.lock();
        needs.least.saturating_sub(used).saturating_add(bank.left())
    }

    /// Bytes that the engine may take for a table now.
    pub(crate) fn room(&self) -> u64 {
        let used = self.member.as_ref().map_or(0, |member| *member.used.lock());
        self.left().min(self.ceiling().saturating_sub(used))
    }

    /// The limit of a further tree of the engine, if there is one.
    pub(crate) fn limit_of_next(&self) -> Option<u64> {
        let Some(Member { needs, .. }) = &self.member else {
            return Some(self.ceiling()).filter(|&limit| limit != UNLIMITED);
        };
        Some(self.ceiling().min(needs.fixed.saturating_add(self.left())))
    }

    /// Pays for bytes of a tree or a table; false if the pool has not enough left.
    pub(crate) fn pay(&self, bytes: u64) -> bool {
        let Some(Member { bank, needs, used }) = &self.member else { return true };
        let mut used = used.lock();
        let Some(now) = used.checked_add(bytes) else { return false };
        // What the least tree takes was paid before.
        if !bank.take(now.max(needs.least) - (*used).max(needs.least)) {
            return false;
        }
        *used = now;
        true
    }

    /// Gives back what was paid for, when its memory is free.
    pub(crate) fn give_back(&self, bytes: u64) {
        let Some(Member { bank, needs, used }) = &self.member else { return };
        let mut used = used.lock();
        let before = *used;
        *used = before.saturating_sub(bytes);
        let back = before.max(needs.least) - (*used).max(needs.least);
        drop(used);
        bank.give(back);
    }

    /// Pays for a table of `wanted` bytes, or of those that there are, at least `least`.
    pub(crate) fn pay_table(self: &Arc<Self>, wanted: usize, least: usize) -> Option<Charge> {
        loop {
            let bytes = wanted.min(usize::try_from(self.room()).unwrap_or(usize::MAX));
            if bytes < least {
                return None;
            }
            if self.pay(bytes as u64) {
                return Some(Charge { purse: Arc::clone(self), bytes });
            }
        }
    }
}

impl Drop for Purse {
    fn drop(&mut self) {
        let Some(Member { bank, needs, used }) = &self.member else { return };
        let used = *used.lock();
        let mut accounts = bank.accounts.lock();
        // No tree of the engine is left.
        accounts.retain(|account| !std::ptr::eq(account.as_ptr(), &*self.account));
        bank.share_out(&mut accounts);
        drop(accounts);
        bank.give(needs.fixed + needs.aside + used.max(needs.least));
    }
}

/// Bytes of a table, paid for until it is dropped.
#[derive(Debug)]
pub(crate) struct Charge {
    purse: Arc<Purse>,
    bytes: usize,
}

impl Charge {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.purse.give_back(self.bytes as u64);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::{Bank, Needs, Purse};
    use crate::error::ConfigError;

    const NEEDS: Needs = Needs { fixed: 10, aside: 5, least: 20 };

    #[test]
    fn shares_are_equal_and_follow_the_engines() {
        let bank = Arc::new(Bank::new(400, 2));
        let one = Purse::join(&bank, None, NEEDS).unwrap();
        assert_eq!((one.ceiling(), bank.taken()), (195, 35), "it is made for two");
        let own = Purse::join(&bank, Some(50), NEEDS).unwrap();
        assert_eq!((one.ceiling(), own.ceiling()), (195, 50));
        let seen = one.changes();
        let three: Vec<_> = (0..2).map(|_| Purse::join(&bank, None, NEEDS).unwrap()).collect();
        assert_eq!((one.ceiling(), three[1].ceiling()), (95, 95));
        assert!(one.changes() > seen);
        drop(three);
        assert!(own.set_own(Some(29)).is_err());
        own.set_own(None).unwrap();
        assert_eq!((one.ceiling(), own.ceiling(), bank.taken()), (195, 195, 70));
        drop((one, own));
        assert_eq!(bank.taken(), 0);
    }

    #[test]
    fn what_the_least_tree_takes_is_there_whatever_others_have() {
        let bank = Arc::new(Bank::new(100, 1));
        let (one, two) =
            (Purse::join(&bank, None, NEEDS).unwrap(), Purse::join(&bank, None, NEEDS).unwrap());
        assert!(one.pay(50) && !one.pay(1));
        assert_eq!((bank.taken(), two.left()), (100, 20));
        assert!(two.pay(20) && !two.pay(1));
        let error = Purse::join(&bank, None, NEEDS).unwrap_err();
        assert_eq!(error, ConfigError::PoolMemory { least: 35, found: 0 });
        // Two hears that there is room again.
        let seen = two.changes();
        one.give_back(40);
        assert!(two.changes() > seen && two.pay(30) && !two.pay(1));
        let two = Arc::new(two);
        two.give_back(50);
        let table = two.pay_table(1_000, 10).unwrap();
        assert_eq!((table.bytes(), bank.taken()), (45, 95), "of its share of 50 bytes");
        assert!(two.pay_table(1_000, 1).is_none());
        drop(table);
        assert_eq!(bank.taken(), 70);
    }

    #[test]
    fn the_bytes_are_never_exceeded_by_engines_that_come_and_go() {
        let bank = Arc::new(Bank::new(1_000, 1));
        let turns = if cfg!(miri) { 20 } else { 5_000 };
        thread::scope(|scope| {
            for number in 0..4u64 {
                let bank = &bank;
                scope.spawn(move || {
                    for turn in 0..turns {
                        let Ok(purse) = Purse::join(bank, None, NEEDS) else { continue };
                        let mut paid = 0;
                        for step in 1..9 {
                            paid += if purse.pay(step * (number + turn) % 97) {
                                step * (number + turn) % 97
                            } else {
                                0
                            };
                            assert!(bank.taken() <= 1_000);
                        }
                        purse.give_back(paid);
                    }
                });
            }
        });
        assert_eq!(bank.taken(), 0);
    }
}

#[cfg(all(test, loom))]
mod models {
    use loom::sync::Arc as LoomArc;
    use loom::thread;
    use std::sync::Arc;

    use super::{Bank, Needs, Purse};

    /// One engine asks for bytes that another gives back: either it gets them, or it learns that
    /// there is room.
    #[test]
    fn no_refusal_is_forgotten() {
        loom::model(|| {
            let bank = Arc::new(Bank::new(2, 1));
            let (one, two) = (
                Purse::join(&bank, None, Needs::default()).unwrap(),
                LoomArc::new(Purse::join(&bank, None, Needs::default()).unwrap()),
            );
            assert!(one.pay(2));
            let asks = {
                let two = two.clone();
                thread::spawn(move || {
                    let seen = two.changes();
                    (seen, two.pay(1))
                })
            };
            one.give_back(2);
            let (seen, is_paid) = asks.join().unwrap();
            assert!(is_paid || two.changes() > seen);
        });
    }
}
