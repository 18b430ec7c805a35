//! The proof search: alpha-beta with empty windows over a table of facts.
//!
//! Everything is a whole number for the side to move, [`Worth::number`], counted from the position
//! itself: what a line of play adds is a ply, which makes a win one less and a loss one more. A
//! search answers with a number `v` that says, of the worth `w`:
//!
//! | answer | meaning |
//! |---|---|
//! | `v <= alpha` | `w <= v` |
//! | `alpha < v < beta` | `w == v` |
//! | `v >= beta` | `w >= v` |
//!
//! The steps of a position: 1 what the game knows at once; 2 what the table knows; 3 the ends of
//! the game one move ahead, and what the table knows of the children (enhanced transposition
//! cut-offs, Schaeffer and Plaat 1996); 4 the children in the order of their promise; 5 the table
//! learns the result.
//!
//! # Several workers
//! All of them search the root and share the table. Each writes down which children it is searching
//! ([`Busy`]), and puts off those that another one has in hand, the first of a position excepted,
//! until it has been through the others (Kerrigan's simplification of ABDADA, Weill 1996). By then
//! the table mostly knows. Now and then a worker looks up the positions of its line: where the
//! table has come to know enough, what it does below is not wanted, and it goes back to there.
//!
//! [`Worth::number`]: crate::solver::Worth

use crate::error::SearchError;
use crate::laws::check_moves;
use crate::solvable::{PLIES_LIMIT, STEP, Solvable};

use super::facts::{Fact, Place};
use super::frame::{Child, Frame, Step};
use super::numbers::{checked_points, lift, lift_limits, limits_of, lower, place_of};
use super::worker::Worker;

/// Positions below a child from which on it is worth a look-up of all children before, or a mark
/// for the other workers.
const LARGE: f32 = 48.0;

/// Positions of a worker between two look-ups of the positions of its line.
const BETWEEN_LOOKS: u64 = 512;

impl<G: Solvable> Worker<'_, G> {
    /// Searches a position where the game goes on. What comes back while
    /// [`back_to`](Worker::back_to) is set says nothing.
    pub(super) fn search(
        &mut self,
        state: &G,
        place: Place,
        window: (i32, i32),
        ply: usize,
    ) -> i32 {
        loop {
            let number = self.visit(state, place, window, ply);
            match self.back_to {
                // The table knows by now, or has forgotten again.
                Some(there) if there == ply && !self.is_obsolete() => {
                    self.back_to = None;
                    self.line.truncate(ply);
                }
                _ => return number,
            }
        }
    }

    fn visit(
        &mut self,
        state: &G,
        place: Place,
        (mut alpha, mut beta): (i32, i32),
        ply: usize,
    ) -> i32 {
        let before = self.pace.visited();
        if self.enter() {
            return 0;
        }
        // 1. What the game knows at once.
        let (mut least, mut most) = limits_of(state);
        if least >= beta || least == most {
            return least;
        }
        if most <= alpha {
            return most;
        }
        if !G::COUNTS_PLIES
            && let Some(number) = points_at_once(state, alpha, beta)
        {
            return number;
        }
        // 2. What the table knows.
        let known = self.shared.facts.get(place);
        if let Some(fact) = known {
            least = least.max(fact.least);
            most = most.min(fact.most);
            if least >= beta || least == most {
                return least;
            }
            if most <= alpha {
                return most;
            }
        }
        alpha = alpha.max(least - 1);
        beta = beta.min(most);
        if self.is_too_deep(ply) {
            return 0;
        }
        let mut frame = std::mem::take(&mut self.frames[ply]);
        let first = known.and_then(|fact| fact.mv);
        let (number, mv) =
            self.children(state, &mut frame, first, Step { place, alpha, beta }, ply);
        self.frames[ply] = frame;
        if self.back_to.is_some() {
            return 0;
        }
        // 5. The table learns the result.
        if number > alpha {
            least = least.max(number);
        }
        if number < beta {
            most = most.min(number);
        }
        // Whatever was known before limits what was found now.
        let number = if number >= beta {
            least
        } else if number <= alpha {
            most
        } else {
            number
        };
        let effort = (self.pace.visited() - before).max(1).ilog2() as u8;
        self.shared.facts.put(place, Fact { least, most, mv, effort });
        number
    }

    /// Searches the children until one is worth `beta`. Returns the best number, and the move to
    /// try first another time.
    fn children(
        &mut self,
        state: &G,
        frame: &mut Frame<G>,
        first: Option<u16>,
        step: Step,
        ply: usize,
    ) -> (i32, Option<u16>) {
        let Step { place, mut alpha, beta } = step;
        // 3. The ends of the game, and what the table knows of the children.
        let Some(mut best) = self.expand(state, frame, (alpha, beta), ply) else {
            return (0, None);
        };
        let mut best_move = None;
        if let Some((number, mv)) = best {
            if number >= beta {
                return (number, Some(mv));
            }
            alpha = alpha.max(number);
            best_move = Some(mv);
        }
        // 4. The children.
        if let Some(at) = frame.children.iter().position(|child| Some(child.mv) == first) {
            frame.put_first(at);
        }
        let busy = self.shared.workers > 1 && self.below[ply] >= LARGE;
        frame.put_off.clear();
        let count = frame.children.len();
        let mut turn = 0;
        while turn < count + frame.put_off.len() {
            let again = turn >= count;
            let at = if again { frame.put_off[turn - count] } else { turn };
            turn += 1;
            let child = &frame.children[at];
            if busy && !again && turn > 1 && self.shared.busy.has(child.place) {
                frame.put_off.push(at);
                continue;
            }
            let before = self.pace.visited();
            let mark = busy.then(|| self.shared.busy.mark(child.place));
            let window = lower::<G>((alpha, beta), child.same);
            self.line.truncate(ply);
            self.line.push(Step { place, alpha, beta });
            self.done.begin(ply, turn - 1, count);
            let found = self.search(&child.state, child.place, window, ply + 1);
            drop(mark);
            if self.back_to.is_some() {
                return (0, None);
            }
            let below = (self.pace.visited() - before) as f32;
            self.below[ply] += (below - self.below[ply]) * (1.0 / 32.0);
            let number = lift::<G>(found, child.same);
            if best.is_none_or(|(best, _)| number > best) {
                best = Some((number, child.mv));
                if number > alpha {
                    best_move = Some(child.mv);
                    alpha = number;
                }
                if number >= beta {
                    break;
                }
            }
        }
        let (number, _) = best.unwrap_or_default();
        (number, best_move)
    }

    /// Lists the children in the order of their promise. Returns the best number that needs no
    /// search, and the number of its move; `None` if the game breaks a law.
    ///
    /// Not inlined: what it has on the stack, a position among it, must not be there once a ply.
    #[inline(never)]
    pub(super) fn expand(
        &mut self,
        state: &G,
        frame: &mut Frame<G>,
        (alpha, beta): (i32, i32),
        ply: usize,
    ) -> Option<Option<(i32, u16)>> {
        frame.moves.clear();
        frame.children.clear();
        state.moves_to_solve(&mut frame.moves);
        if let Err(error) = check_moves(state, &frame.moves) {
            self.fail(error);
            return None;
        }
        let mover = state.mover();
        let look_up = self.below[ply] >= LARGE;
        let mut best: Option<(i32, u16)> = None;
        for (mv, played) in frame.moves.iter().enumerate() {
            let after = state.apply(played);
            let mv = mv as u16;
            if after.mover() >= G::PLAYERS {
                self.fail(SearchError::of_mover(&after));
                return None;
            }
            if let Some(outcome) = after.outcome() {
                let points = match checked_points(&after, &outcome, mover) {
                    Ok(points) => points,
                    Err(error) => {
                        self.fail(error);
                        return None;
                    }
                };
                // The end is a ply away.
                let number = lift::<G>(points * STEP, true);
                if best.is_none_or(|(best, _)| number > best) {
                    best = Some((number, mv));
                    if number >= beta {
                        return Some(best);
                    }
                }
                continue;
            }
            let same = after.mover() == mover;
            let promise = state.promise(played, &after);
            let place = place_of(&after);
            self.shared.facts.prefetch(place);
            frame.children.push(Child { state: after, place, mv, promise, same });
        }
        if look_up {
            let facts = self.shared.facts;
            let mut cut = false;
            frame.children.retain(|child| {
                let Some(fact) = facts.get(child.place) else { return true };
                let (least, most) = lift_limits::<G>((fact.least, fact.most), child.same);
                if least >= beta {
                    cut = true;
                }
                // A move that is no better than alpha, and so known, is done with.
                let done = most <= alpha || least >= beta || least == most;
                let number = if least >= beta { least } else { most };
                if done && best.is_none_or(|(best, _)| number > best) {
                    best = Some((number, child.mv));
                }
                !done
            });
            if cut {
                return Some(best);
            }
        }
        frame.children.sort_by_key(|child| std::cmp::Reverse(child.promise));
        Some(best)
    }

    /// Makes room for another ply of the line; ends the search if it has become too long.
    #[inline]
    pub(super) fn is_too_deep(&mut self, ply: usize) -> bool {
        if ply + 1 >= PLIES_LIMIT as usize {
            self.fail(SearchError::TooDeep { plies: PLIES_LIMIT });
            return true;
        }
        if ply >= self.frames.len() {
            self.frames.push(Frame::default());
            self.below.push(0.0);
        }
        false
    }

    /// Counts a position, and says whether to go back.
    #[inline]
    pub(super) fn enter(&mut self) -> bool {
        self.pace.count();
        let signal = self.shared.positions.stop.signal();
        if signal != self.seen_signal {
            self.seen_signal = signal;
            if self.is_obsolete() {
                self.back_to = Some(0);
            }
        }
        if self.pace.visited() >= self.patience {
            self.is_out_of_patience = true;
            self.back_to = Some(0);
        }
        if self.pace.visited().is_multiple_of(BETWEEN_LOOKS) {
            self.look_around();
        }
        self.back_to.is_some()
    }

    /// Says how far the search has come, and finds the first position of the line that the table
    /// knows enough of by now.
    #[cold]
    fn look_around(&mut self) {
        if let Some(live) = self.live {
            live.set_share(self.done.share());
        }
        if self.shared.workers == 1 {
            return;
        }
        let facts = self.shared.facts;
        self.back_to = self.back_to.or_else(|| {
            self.line.iter().position(|&Step { place, alpha, beta }| {
                facts.get(place).is_some_and(|Fact { least, most, .. }| {
                    least >= beta || most <= alpha || least == most
                })
            })
        });
    }
}

/// What a game knows of its points, as a number that answers the window.
fn points_at_once<G: Solvable>(state: &G, alpha: i32, beta: i32) -> Option<i32> {
    // More than alpha is at least the next whole point; less than beta is at most the last one.
    let (alpha, beta) =
        (alpha.div_euclid(STEP), beta.div_euclid(STEP) + i32::from(beta % STEP != 0));
    let points = state.points_at_once(alpha, beta.max(alpha + 1))?;
    Some(points * STEP)
}
