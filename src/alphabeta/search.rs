//! The search of a position: negamax with alpha and beta, and principal variation search.
//!
//! Values are those of the side to move, and change their sign only where the side changes: a side
//! may move twice. A position is gone through in these phases:
//!
//! 1. count it, and go back if its value is not wanted any more;
//! 2. a position that was on the line before has the value that the game says;
//! 3. no value is better than a win now, or worse than a loss now (mate distance pruning);
//! 4. at the depth limit it is evaluated, by quiescence;
//! 5. the table may know its value, or which move to try first;
//! 6. near the end of the game the solver may know its value, if the searcher has one;
//! 7. without a move the game is over;
//! 8. a side that stands above beta even after a pass is believed to;
//! 9. the moves, the likely best one first;
//! 10. what was found out goes to the table.
//!
//! Each value comes with whether it is **solved**: true of the whole game, not only of the depth.
//! Ends are. A value that is a lower limit is solved if that of the move is by which it was
//! reached, and any other if those of all moves are. So a root whose value is solved is proven.

use crate::evaluate::{Evaluate, VALUE_LIMIT, list_promises};
use crate::game::GameState;
use crate::laws::{MOST_MOVES, wrong_move_count};

use super::findings::RootMove;
use super::frame::{Frame, MAX_PLY, Tally, Task};
use super::order::Rank;
use super::score::{self, Found, INFINITE, Kind, LEAST_WIN, WIN};
use super::table::Entry;
use super::worker::Worker;

/// The least depth at which the solver is asked: below it an answer mostly takes longer than the
/// search that it saves.
const ENDGAME_DEPTH: i32 = 3;

/// The least depth at which a pass is tried.
const NULL_MOVE_DEPTH: i32 = 3;

/// The least depth, and the first move, that is searched less deep.
const REDUCTION_DEPTH: i32 = 3;
const FIRST_REDUCED: usize = 3;

impl<G: GameState, E: Evaluate<G>> Worker<'_, G, E> {
    /// The value of the position at `ply`, `depth` plies deep, as far as it lies between `alpha`
    /// and `beta`: else a limit of it.
    pub(super) fn search(
        &mut self,
        ply: usize,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
    ) -> Found {
        // 1.
        if self.enter(ply) {
            return Found::NOTHING;
        }
        let pv = beta - alpha > 1;
        if pv {
            self.pv[ply].clear();
        }
        let settings = self.shared.settings;
        let evaluator = self.shared.evaluator;

        // 2.
        if let Some(verdict) = self.path.repetition(ply) {
            return self.repeated(ply, verdict);
        }

        // 3.
        // At the end of a game either side may be named as the one to move.
        let (most, least) = (WIN - ply as i32, ply as i32 - WIN);
        if alpha >= most {
            return Found::solved(most);
        }
        if beta <= least {
            return Found::solved(least);
        }
        beta = beta.min(most + 1);
        alpha = alpha.max(least - 1);

        // 4.
        let mut known_forced = None;
        if depth <= 0 || ply >= MAX_PLY {
            let state = self.path.state(ply);
            if let Some(outcome) = state.outcome() {
                return self.ended(ply, outcome);
            }
            let asks = settings.check_extension || settings.quiescence;
            let forced = asks && evaluator.is_forced(state);
            if !(forced && settings.check_extension && self.may_extend(ply)) {
                return self.settle(ply, alpha, beta, forced);
            }
            known_forced = Some(forced);
        }

        // 5.
        let hash = self.path.hash(ply);
        let mut known_move = None;
        if let Some(bounds) = self.shared.bounds
            && let Some(entry) = bounds.get(hash)
        {
            known_move = entry.mv;
            if let Some(found) = answer(entry, depth, settings.exact_depth, ply)
                && (!pv || found.solved)
                && match entry.kind {
                    Kind::None => false,
                    Kind::AtMost => found.value <= alpha,
                    Kind::AtLeast => found.value >= beta,
                    Kind::Exact => true,
                }
            {
                return found;
            }
        }

        // 6.
        if let Some(endgames) = self.shared.endgames
            && depth >= ENDGAME_DEPTH
            && let Some(worth) = endgames.worth(self.path.state(ply))
        {
            let (found, kind) = score::of_worth(worth, ply);
            self.write_down(ply, depth, found, kind, None);
            return found;
        }

        // 7.
        let first = self.moves.len();
        let state = self.path.state(ply);
        state.moves(&mut self.moves);
        let count = self.moves.len() - first;
        let mover = state.mover();
        if count == 0 {
            return match state.outcome() {
                Some(outcome) => self.ended(ply, outcome),
                None => self.broken(ply, count),
            };
        }
        if count > MOST_MOVES {
            self.moves.truncate(first);
            return self.broken(ply, count);
        }
        let forced =
            known_forced.unwrap_or_else(|| settings.check_extension && evaluator.is_forced(state));
        let extension = i32::from(forced && settings.check_extension && self.may_extend(ply));
        let frame = Frame {
            ply,
            depth: depth + extension,
            mover,
            beta,
            pv,
            reduces: settings.reductions && !forced,
            ties: None,
        };

        // 8.
        if settings.null_move && !pv && !forced && depth >= NULL_MOVE_DEPTH {
            let refuted = self.pass(&frame);
            if self.aborted || refuted.is_some() {
                self.moves.truncate(first);
                return refuted.unwrap_or(Found::NOTHING);
            }
        }

        // 9.
        let first_rank = self.ranks.len();
        let mut tally = Tally::new(alpha);
        let known = known_move.map(usize::from).filter(|&number| number < count);
        let mut over = false;
        if let Some(number) = known {
            over = self.try_move(&frame, &mut tally, first, number, false);
        }
        if !over {
            self.rank(&frame, first, known);
            for at in first_rank..self.ranks.len() {
                let rank = Rank::pick(&mut self.ranks, at);
                if self.try_move(&frame, &mut tally, first, rank.number(), rank.is_plain()) {
                    break;
                }
                if at + 1 < self.ranks.len() && self.should_split(&frame) {
                    let tasks = self.tasks(first, at + 1);
                    self.split(&frame, &mut tally, tasks);
                    break;
                }
            }
        }
        if self.aborted {
            self.moves.truncate(first);
            self.ranks.truncate(first_rank);
            return Found::NOTHING;
        }
        if tally.best.value >= beta {
            self.learn(&frame, &tally, first, first_rank);
        }
        self.moves.truncate(first);
        self.ranks.truncate(first_rank);

        // 10.
        let (found, kind) = tally.result(alpha, beta);
        self.write_down(ply, depth, found, kind, tally.number.filter(|_| kind != Kind::AtMost));
        found
    }

    /// Whether a position at `ply` may be searched a ply deeper: lines of nothing but forced
    /// positions have to end somewhere.
    #[inline]
    fn may_extend(&self, ply: usize) -> bool {
        ply < MAX_PLY.min(2 * self.iteration as usize + 8)
    }

    /// Ends the search: the game goes on, and has no move, or more than can be numbered.
    #[cold]
    pub(super) fn broken(&mut self, ply: usize, moves: usize) -> Found {
        let plies = self.path.state(ply).plies();
        self.fail(wrong_move_count(moves, plies))
    }

    /// Puts down the ranks of the moves from `first` on, all but the one numbered `known`.
    pub(super) fn rank(&mut self, frame: &Frame, first: usize, known: Option<usize>) {
        let (state, evaluator) = (self.path.state(frame.ply), self.shared.evaluator);
        let moves = &self.moves[first..];
        list_promises(evaluator, state, moves, &mut self.promises);
        for (number, (mv, &promise)) in moves.iter().zip(&self.promises).enumerate() {
            if Some(number) != known {
                let place = (frame.mover, frame.ply);
                let rank = self.experience.rank(evaluator, state, (number, mv, promise), place);
                self.ranks.push(rank);
            }
        }
    }

    /// The moves whose ranks stand from `at` on, in the order of their ranks.
    fn tasks(&mut self, first: usize, at: usize) -> Vec<Task<G::Move>> {
        self.ranks[at..].sort_unstable_by(|a, b| b.cmp(a));
        let task = |rank: &Rank| {
            let number = rank.number();
            Task { number, plain: rank.is_plain(), mv: self.moves[first + number].clone() }
        };
        self.ranks[at..].iter().map(task).collect()
    }

    /// Searches the move numbered `number` of the list from `first` on. True if nothing more has to
    /// be searched in this position.
    #[inline]
    pub(super) fn try_move(
        &mut self,
        frame: &Frame,
        tally: &mut Tally,
        first: usize,
        number: usize,
        plain: bool,
    ) -> bool {
        let hash = self.path.play(frame.ply, &self.moves[first + number]);
        if let Some(bounds) = self.shared.bounds
            && frame.depth > 1
        {
            bounds.prefetch(hash);
        }
        let (found, _) = self.brother(frame, tally.tried, plain, || tally.alpha);
        if self.aborted {
            return true;
        }
        if tally.add(number, found) && frame.pv {
            // The line below is that of an open window only if the value is inside of it.
            self.raise_pv(frame.ply, first + number, found.value < frame.beta);
        }
        tally.alpha >= frame.beta
    }

    /// The value of the move that was just played in `frame`, the `tried`th, for its mover, and the
    /// lower end of the window in which it was found. `alpha` tells what alpha is by now: others
    /// may raise it.
    pub(super) fn brother(
        &mut self,
        frame: &Frame,
        tried: usize,
        plain: bool,
        alpha: impl Fn() -> i32,
    ) -> (Found, i32) {
        let (beta, depth) = (frame.beta, frame.depth - 1);
        let mut low = frame.low(tried, alpha());
        if tried == 0 || !self.shared.settings.pvs {
            return (self.child(frame, depth, low, beta), low);
        }
        let mut found = Found::guess(INFINITE);
        if frame.reduces && plain && tried >= FIRST_REDUCED && frame.depth >= REDUCTION_DEPTH {
            let less = (frame.depth.ilog2() * (tried as u32).ilog2() / 3) as i32;
            if less > 0 {
                found = self.child(frame, (depth - less).max(0), low, low + 1);
            }
        }
        if found.value > low && !self.aborted {
            found = self.child(frame, depth, low, low + 1);
        }
        if frame.pv && found.value > low && found.value < beta && !self.aborted {
            let now = frame.low(tried, alpha());
            if now > low {
                // Raised meanwhile: it may not be better than that.
                low = now;
                if found.value <= low {
                    found = self.child(frame, depth, low, low + 1);
                }
            }
            if found.value > low && found.value < beta && beta - low > 1 && !self.aborted {
                found = self.child(frame, depth, low, beta);
            }
        }
        (found, low)
    }

    /// The value of the position after the move that was just played, for the mover of `frame`.
    #[inline]
    fn child(&mut self, frame: &Frame, depth: i32, alpha: i32, beta: i32) -> Found {
        let ply = frame.ply + 1;
        if self.path.state(ply).mover() == frame.mover {
            self.search(ply, depth, alpha, beta)
        } else {
            self.search(ply, depth, -beta, -alpha).for_other()
        }
    }

    /// Makes the move at `at` of the list the best one of the position at `ply`, with the line
    /// below it if that is known.
    ///
    /// Not inlined: a move may be large, and must not be on the stack once a ply.
    #[inline(never)]
    pub(super) fn raise_pv(&mut self, ply: usize, at: usize, with_line: bool) {
        let (line, below) = self.pv.split_at_mut(ply + 1);
        line[ply].clear();
        line[ply].push(self.moves[at].clone());
        if with_line {
            line[ply].extend_from_slice(&below[0]);
        }
    }

    /// The value of a position whose side to move does nothing, if that is enough for a cut-off.
    fn pass(&mut self, frame: &Frame) -> Option<Found> {
        let &Frame { ply, depth, beta, .. } = frame;
        let floor = self.begin_pass(frame)?;
        let found = self.search(ply + 1, depth - 3 - depth / 4, -beta, 1 - beta).for_other();
        self.path.lift(floor);
        // A win by doing nothing is none.
        let value = if found.value >= LEAST_WIN { beta } else { found.value };
        (value >= beta && !self.aborted).then_some(Found::guess(value))
    }

    /// Puts the position after a pass on the line, if it may refute this one. Returns what lifts
    /// it.
    ///
    /// Not inlined: a position may be large, and must not be on the stack once a ply.
    #[inline(never)]
    fn begin_pass(&mut self, frame: &Frame) -> Option<usize> {
        let &Frame { ply, mover, beta, .. } = frame;
        let evaluator = self.shared.evaluator;
        if beta.abs() > VALUE_LIMIT || self.path.is_after_pass(ply) || ply + 1 >= MAX_PLY {
            return None;
        }
        let next = evaluator.pass(self.path.state(ply))?;
        if self.evaluate(ply).value < beta || next.mover() == mover {
            return None;
        }
        Some(self.path.pass(ply, next))
    }

    /// Learns from a cut-off: which move was good, and which ones before it were not.
    fn learn(&mut self, frame: &Frame, tally: &Tally, first: usize, first_rank: usize) {
        let Some(best) = tally.number else { return };
        let evaluator = self.shared.evaluator;
        let state = self.path.state(frame.ply);
        let mv = &self.moves[first + best];
        let Some(slot) = evaluator.slot(state, mv) else { return };
        if evaluator.promise(state, mv) > 0 {
            return;
        }
        self.experience.refuted(slot, frame.mover, frame.ply, frame.depth);
        for rank in &self.ranks[first_rank..] {
            if rank.number() == best {
                break;
            }
            let mv = &self.moves[first + rank.number()];
            if rank.is_plain()
                && let Some(slot) = evaluator.slot(state, mv)
            {
                self.experience.failed(slot, frame.mover, frame.depth);
            }
        }
    }

    /// Puts what was found out about the position at `ply` into the table. What depends on the
    /// game before the root would be wrong in another game: of it the move alone is kept, to be
    /// tried first, and only where nothing is known.
    pub(super) fn write_down(
        &self,
        ply: usize,
        depth: i32,
        found: Found,
        kind: Kind,
        number: Option<usize>,
    ) {
        let Some(bounds) = self.shared.bounds else { return };
        if ply == 0 && self.shared.restricted {
            return;
        }
        if found.by_history {
            let hash = self.path.hash(ply);
            if number.is_some() && bounds.get(hash).is_none() {
                let mv = number.map(|number| number as u16);
                let entry = Entry { value: 0, kind: Kind::None, depth: 0, solved: false, mv };
                bounds.put(hash, entry);
            }
            return;
        }
        let entry = Entry {
            value: score::from_position(found.value, ply),
            kind,
            depth: depth.clamp(0, 255) as u8,
            solved: found.solved,
            mv: number.map(|number| number as u16),
        };
        bounds.put(self.path.hash(ply), entry);
    }

    /// The moves of the root.
    pub(super) fn with_root<R>(&self, work: impl FnOnce(&mut Vec<RootMove<G::Move>>) -> R) -> R {
        work(&mut self.root.lock())
    }
}

/// What an entry says at `depth`, if it does.
#[inline]
fn answer(entry: Entry, depth: i32, exact_depth: bool, ply: usize) -> Option<Found> {
    let known = i32::from(entry.depth);
    let fits = if exact_depth { known == depth.max(0) } else { entry.solved || known >= depth };
    fits.then(|| Found { solved: entry.solved, ..Found::guess(score::from_root(entry.value, ply)) })
}
