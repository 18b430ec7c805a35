//! Ranks of one process, each in a thread of its own: for tests, and for simulated clusters.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use playtree::mcts::exchange::add;

use super::{Arrived, Carrier, CarrierError};

/// A rank of one process.
#[derive(Debug)]
pub struct LocalCarrier {
    rank: usize,
    ranks: usize,
    shared: Arc<Mutex<Shared>>,
    /// The number of the operation under way, if there is one.
    under_way: Option<u64>,
    /// Operations begun so far.
    begun: u64,
}

/// What the ranks have in common.
#[derive(Debug, Default)]
struct Shared {
    /// The number of the first operation that not all ranks have got.
    first: u64,
    operations: VecDeque<Operation>,
}

#[derive(Debug)]
struct Operation {
    kind: Kind,
    /// Ranks that have begun it, and ranks that have got it.
    begun: usize,
    got: usize,
    /// Whether rank 0 is among those that have begun it.
    has_root: bool,
    bytes: Vec<u8>,
    words: Vec<i64>,
}

/// An operation and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Broadcast(usize),
    Sum(usize),
}

impl LocalCarrier {
    /// Ranks that are connected to each other, by their number.
    #[must_use]
    pub fn ranks_of_one_process(ranks: usize) -> Vec<Self> {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let rank = |rank| {
            let shared = Arc::clone(&shared);
            Self { rank, ranks, shared, under_way: None, begun: 0 }
        };
        (0..ranks).map(rank).collect()
    }

    fn begin(&mut self, kind: Kind, give: impl FnOnce(&mut Operation)) -> Result<(), CarrierError> {
        if self.under_way.is_some() {
            return Err(CarrierError::Busy);
        }
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.begun;
        // No rank has got what this one has not begun.
        let place = (number - shared.first) as usize;
        if place == shared.operations.len() {
            shared.operations.push_back(Operation::new(kind));
        }
        let operation = &mut shared.operations[place];
        if operation.kind != kind {
            return Err(CarrierError::OutOfStep { rank: self.rank });
        }
        operation.begun += 1;
        operation.has_root |= self.rank == 0;
        give(operation);
        self.under_way = Some(number);
        self.begun += 1;
        Ok(())
    }
}

impl Operation {
    fn new(kind: Kind) -> Self {
        let words = if let Kind::Sum(words) = kind { words } else { 0 };
        Self { kind, begun: 0, got: 0, has_root: false, bytes: Vec::new(), words: vec![0; words] }
    }

    fn arrived(&self, ranks: usize) -> Option<Arrived> {
        match self.kind {
            Kind::Broadcast(_) => self.has_root.then(|| Arrived::Bytes(self.bytes.clone())),
            Kind::Sum(_) => (self.begun == ranks).then(|| Arrived::Words(self.words.clone())),
        }
    }
}

impl Carrier for LocalCarrier {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<(), CarrierError> {
        let is_root = self.rank == 0;
        self.begin(Kind::Broadcast(bytes.len()), |operation| {
            if is_root {
                operation.bytes = bytes;
            }
        })
    }

    fn sum(&mut self, words: Vec<i64>) -> Result<(), CarrierError> {
        self.begin(Kind::Sum(words.len()), |operation| add(&mut operation.words, &words))
    }

    fn poll(&mut self) -> Result<Option<Arrived>, CarrierError> {
        let Some(number) = self.under_way else { return Ok(None) };
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (number - shared.first) as usize;
        let operation = &mut shared.operations[place];
        let Some(arrived) = operation.arrived(self.ranks) else { return Ok(None) };
        operation.got += 1;
        while shared.operations.front().is_some_and(|first| first.got == self.ranks) {
            shared.operations.pop_front();
            shared.first += 1;
        }
        self.under_way = None;
        Ok(Some(arrived))
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrived, Carrier, CarrierError, LocalCarrier};

    #[test]
    fn a_sum_waits_for_all_and_a_broadcast_for_the_first() {
        let mut ranks = LocalCarrier::ranks_of_one_process(2);
        let [zero, one] = &mut ranks[..] else { unreachable!() };
        one.broadcast(vec![0; 2]).unwrap();
        assert_eq!(one.poll(), Ok(None));
        assert_eq!(one.sum(vec![1]), Err(CarrierError::Busy));
        zero.broadcast(vec![7, 8]).unwrap();
        assert_eq!(one.poll(), Ok(Some(Arrived::Bytes(vec![7, 8]))));
        assert_eq!(zero.poll(), Ok(Some(Arrived::Bytes(vec![7, 8]))));
        for turn in 0..3 {
            zero.sum(vec![1, turn]).unwrap();
            assert_eq!(zero.poll(), Ok(None));
            one.sum(vec![10, i64::MAX]).unwrap();
            let sum = Arrived::Words(vec![11, turn.wrapping_add(i64::MAX)]);
            assert_eq!(zero.poll(), Ok(Some(sum.clone())));
            assert_eq!(one.poll(), Ok(Some(sum)));
        }
        zero.sum(vec![1]).unwrap();
        assert_eq!(one.sum(vec![1, 2]), Err(CarrierError::OutOfStep { rank: 1 }));
    }
}
