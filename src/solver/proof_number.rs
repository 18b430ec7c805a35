//! Proof-number search: the other way to answer a question about points.
//!
//! Each position has two numbers: how many positions, at least, must still be decided to **prove**
//! that its side to move gets a given number of points, and how many to **disprove** it. The search
//! goes where the least is left to do (Allis, van der Meulen and van den Herik 1994), so it does
//! well where the number of answers varies much: a line along which the other side has but one
//! answer is followed to its end before anything broad is looked at. It goes depth first and keeps
//! its numbers in the table of facts (df-pn, Nagai 2002), a place apart from the facts themselves.
//!
//! - Positions are reached by many ways, and a sum over the moves would count what they have in
//!   common again and again. To disprove takes the number of the hardest move, and one more for
//!   each of the others (weak proof-number search, Ueda et al. 2008).
//! - A child is left only when it is a quarter worse than the next one, not at once (1 + epsilon,
//!   Pawlewicz and Lew 2007).
//! - With several workers, what another one has in hand looks twice as hard (virtual numbers, as in
//!   Kaneko 2010).

use crate::solvable::{STEP, Solvable};

use super::facts::{Fact, NUMBERS, Place};
use super::frame::{Child, Frame, NEVER, Numbers, Step};
use super::numbers::{first_number, lift, lift_limits, limits_of};
use super::worker::Worker;

/// The place of the numbers of a position, for a question about `points` points.
fn place_of_numbers(place: Place, points: i32) -> Place {
    let about = (points as u64).wrapping_mul(2).wrapping_add(1);
    Place { check: place.check ^ about.wrapping_mul(0x9e37_79b9_7f4a_7c15), ..place }
}

impl<G: Solvable> Worker<'_, G> {
    /// Finds out whether a position where the game goes on is worth `points` points for its side to
    /// move. Returns a number of its worth as [`search`](Worker::search) does. What comes back
    /// while [`back_to`](Worker::back_to) is set says nothing.
    pub(super) fn prove(&mut self, state: &G, place: Place, points: i32) -> i32 {
        let number = first_number(points);
        let limits = Numbers { prove: NEVER, disprove: NEVER };
        loop {
            let (numbers, worth) = self.work(state, place, points, limits, 0);
            match self.back_to {
                Some(_) => return 0,
                None if numbers.is_decided() => return worth,
                // A number ran over: what is known by now is in the table, and is gone on with.
                None => debug_assert!(number <= G::MAX_POINTS * STEP),
            }
        }
    }

    /// Works on a position until one of its numbers reaches its limit. Returns the numbers, and the
    /// number of the worth that is known if they decide.
    fn work(
        &mut self,
        state: &G,
        place: Place,
        points: i32,
        limits: Numbers,
        ply: usize,
    ) -> (Numbers, i32) {
        let before = self.pace.visited();
        // Again where the search has come back to this position: the table knows it by now, or has
        // forgotten it again.
        let (least, most, numbers, worth) = loop {
            self.line.truncate(ply);
            if self.enter() {
                return (Numbers::NEW, 0);
            }
            let number = first_number(points);
            let (least, most) = self.known(state, place);
            if least >= number {
                return (Numbers::PROVEN, least);
            }
            if most < number {
                return (Numbers::DISPROVEN, most);
            }
            if self.is_too_deep(ply) {
                return (Numbers::NEW, 0);
            }
            let mut frame = std::mem::take(&mut self.frames[ply]);
            let window = (number - 1, number);
            let (numbers, worth) = match self.expand(state, &mut frame, window, ply) {
                None => (Numbers::NEW, 0),
                Some(ends) => {
                    self.line.push(Step { place, alpha: number - 1, beta: number });
                    frame.found.clear();
                    frame.found.resize(frame.children.len(), None);
                    let ends = ends.map_or(i32::MIN, |(number, _)| number);
                    self.work_on_children(&mut frame, ends, points, limits, ply)
                }
            };
            self.frames[ply] = frame;
            match self.back_to {
                None => break (least, most, numbers, worth),
                Some(there) if there == ply && !self.is_obsolete() => self.back_to = None,
                Some(_) => return (Numbers::NEW, 0),
            }
        };
        let effort = (self.pace.visited() - before).max(1).ilog2() as u8;
        if numbers.is_decided() {
            let (least, most) = if numbers.prove == 0 {
                (least.max(worth), most)
            } else {
                (least, most.min(worth))
            };
            self.shared.facts.put(place, Fact { least, most, mv: None, effort });
        } else {
            let Numbers { prove, disprove } = numbers;
            let (least, most) = (prove as i32, disprove as i32);
            let fact = Fact { least, most, mv: Some(NUMBERS), effort };
            self.shared.facts.replace(place_of_numbers(place, points), fact);
        }
        (numbers, worth)
    }

    /// Works on the children, the most promising one first, until a number of their parent reaches
    /// its limit. `ends` is the best number of those that need no search.
    fn work_on_children(
        &mut self,
        frame: &mut Frame<G>,
        ends: i32,
        points: i32,
        limits: Numbers,
        ply: usize,
    ) -> (Numbers, i32) {
        let goal = first_number(points);
        if ends >= goal {
            return (Numbers::PROVEN, ends);
        }
        let mut refuted = ends;
        loop {
            let mut numbers = Numbers { prove: NEVER, disprove: 0 };
            let (mut second, mut best, mut open) = (NEVER, 0, 0u32);
            let mut at = 0;
            while let Some(child) = frame.children.get(at) {
                let (known, worth) = self.numbers(child, points, frame.found[at]);
                if known.prove == 0 {
                    return (Numbers::PROVEN, worth);
                }
                if known.disprove == 0 {
                    refuted = refuted.max(worth);
                    // Refuted for good: the order of the others stays.
                    // Dropped where it is, not moved out over the stack.
                    frame.children.drain(at..=at);
                    frame.found.remove(at);
                    continue;
                }
                if known.prove < numbers.prove {
                    second = numbers.prove;
                    (numbers.prove, best) = (known.prove, at);
                } else {
                    second = second.min(known.prove);
                }
                numbers.disprove = numbers.disprove.max(known.disprove);
                open += 1;
                at += 1;
            }
            if open == 0 {
                return (Numbers::DISPROVEN, refuted);
            }
            let others = open - 1;
            numbers.disprove = (numbers.disprove + others).min(NEVER - 1);
            if numbers.prove >= limits.prove || numbers.disprove >= limits.disprove {
                return (numbers, 0);
            }
            let child = &frame.children[best];
            // The child may use up what is left of its parent, or a quarter more than the next one.
            let own = Numbers {
                prove: limits.prove.min(second.saturating_add(second / 4 + 1)),
                disprove: limits.disprove - others,
            };
            let (own, points) = if child.same { (own, points) } else { (own.turned(), 1 - points) };
            let mark = (self.shared.workers > 1).then(|| self.shared.busy.mark(child.place));
            // The child stays where it is: positions may be large, and the line is on the stack.
            let (found, worth) = self.work(&child.state, child.place, points, own, ply + 1);
            drop(mark);
            if self.back_to.is_some() {
                return (Numbers::NEW, 0);
            }
            let found = if child.same { found } else { found.turned() };
            frame.found[best] = Some((found, lift::<G>(worth, child.same)));
        }
    }

    /// The numbers of a child for the mover of its parent, and the number of its worth if they
    /// decide. `found` is what this worker found there the last time that it was at the parent.
    fn numbers(
        &self,
        child: &Child<G>,
        points: i32,
        found: Option<(Numbers, i32)>,
    ) -> (Numbers, i32) {
        let goal = first_number(points);
        let known = self.known(&child.state, child.place);
        let (least, most) = lift_limits::<G>(known, child.same);
        if least >= goal {
            return (Numbers::PROVEN, least);
        }
        if most < goal {
            return (Numbers::DISPROVEN, most);
        }
        // The table may have forgotten, and the search would go round in circles.
        if let Some((numbers, worth)) = found
            && numbers.is_decided()
        {
            return (numbers, worth);
        }
        let about = if child.same { points } else { 1 - points };
        let known = self.shared.facts.get(place_of_numbers(child.place, about)).map(Numbers::of);
        let known = known.map(|numbers| if child.same { numbers } else { numbers.turned() });
        let mut numbers = known.or(found.map(|(numbers, _)| numbers)).unwrap_or(Numbers::NEW);
        if self.shared.workers > 1 && self.shared.busy.has(child.place) {
            numbers.prove = (2 * numbers.prove + 1).min(NEVER - 1);
        }
        (numbers, 0)
    }

    /// The limits of a position where the game goes on: what the game and the table know.
    fn known(&self, state: &G, place: Place) -> (i32, i32) {
        let (least, most) = limits_of(state);
        match self.shared.facts.get(place) {
            Some(fact) => (least.max(fact.least), most.min(fact.most)),
            None => (least, most),
        }
    }
}
