//! The root: deeper and deeper iterations, windows around the value expected, and what is known of
//! each move.

use crate::budget::StopReason;
use crate::evaluate::{Evaluate, VALUE_LIMIT};
use crate::game::GameState;
use crate::sorting::sort_by_number;

use super::findings::{Findings, RootMove};
use super::frame::{Frame, MAX_PLY, Tally, Task};
use super::score::{Found, INFINITE, Kind, LEAST_WIN, WIN};
use super::worker::{Shared, Worker};

/// The least depth that ends every search.
const MAX_DEPTH: u32 = 200;

impl<G: GameState, E: Evaluate<G>> Worker<'_, G, E> {
    /// Searches the root until the search is to end, and says what was found.
    pub(super) fn lead(&mut self) -> Findings<G::Move> {
        let Shared { positions, live, .. } = *self.shared;
        // What the last iteration that was completed has found.
        let mut settled = live.settled();
        self.prepare_root();
        settled.moves = self.with_root(|root| root.clone());
        if self.win_at_once(&mut settled.moves) {
            (settled.found, settled.depth) = (settled.moves[0].found, 1);
            positions.stop.stop(StopReason::Proven);
        }
        while !positions.stop.is_stopped() && settled.depth < MAX_DEPTH {
            let Findings { found, depth, .. } = settled;
            let expected = (depth > 0).then_some(found.value);
            let Some(found) = self.iterate(depth + 1, expected) else { break };
            settled = Findings {
                moves: self.with_root(|root| root.clone()),
                found,
                win_rate: self.win_rate(found.value),
                depth: depth + 1,
                counts: self.counts,
            };
            self.show(&settled);
            if is_final(found, depth + 1) {
                positions.stop.stop(StopReason::Proven);
            } else {
                positions.completed(depth + 1);
            }
        }
        positions.stop.stop(StopReason::Depth);
        let mut findings = self.with_root(|root| settled.with_better(root));
        self.extend(&mut findings.moves[0].pv, findings.depth as usize);
        findings
    }

    /// Lets others read what an iteration has found.
    fn show(&mut self, settled: &Findings<G::Move>) {
        let mut shown = settled.clone();
        self.extend(&mut shown.moves[0].pv, shown.depth as usize);
        self.shared.live.settle(shown);
    }

    /// Makes a line that a bound has cut short up to `plies` long, with the moves that the table
    /// knows.
    fn extend(&mut self, line: &mut Vec<G::Move>, plies: usize) {
        for (ply, mv) in line.iter().enumerate() {
            self.path.play(ply, mv);
        }
        while line.len() < plies && line.len() < MAX_PLY {
            let ply = line.len();
            let known = self.shared.bounds.and_then(|bounds| bounds.get(self.path.hash(ply)));
            let Some(number) = known.and_then(|entry| entry.mv) else { return };
            self.moves.clear();
            self.path.state(ply).moves(&mut self.moves);
            let Some(mv) = self.moves.get(usize::from(number)).cloned() else { return };
            if self.path.repetition(ply).is_some() {
                return;
            }
            self.path.play(ply, &mv);
            line.push(mv);
        }
    }

    /// Searches the root on its own until the search ends, to other depths than the lead does, for
    /// what that leaves in the table. `number` is that of the worker.
    pub(super) fn run_ahead(&mut self, number: usize) {
        self.prepare_root();
        let (mut depth, mut expected) = (0, None);
        // Half of the workers are one ply ahead of the lead, a quarter two, and so on.
        let ahead = 1 + number.trailing_ones();
        while depth < MAX_DEPTH {
            depth = (self.shared.positions.depth() + ahead).clamp(depth + 1, MAX_DEPTH);
            let Some(found) = self.iterate(depth, expected) else { return };
            expected = Some(found.value);
        }
    }

    /// Puts the moves of the root in their first order.
    pub(super) fn prepare_root(&mut self) {
        let moves = self.with_root(|root| root.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>());
        let mover = self.path.state(0).mover();
        self.moves.extend(moves);
        let frame = self.root_frame(0, INFINITE, mover);
        self.rank(&frame, 0, None);
        self.ranks.sort_unstable_by(|a, b| b.cmp(a));
        let order: Vec<_> = self.ranks.drain(..).map(|rank| rank.number()).collect();
        let moves = std::mem::take(&mut self.moves);
        self.with_root(|root| {
            *root = order.iter().map(|&number| RootMove::new(moves[number].clone())).collect();
        });
    }

    fn root_frame(&self, depth: i32, beta: i32, mover: usize) -> Frame {
        let settings = self.shared.settings;
        Frame { ply: 0, depth, mover, beta, pv: true, reduces: settings.reductions, ties: None }
    }

    /// Puts the moves that win on the spot first. False if there is none.
    fn win_at_once(&mut self, moves: &mut [RootMove<G::Move>]) -> bool {
        let mover = self.path.state(0).mover();
        for root_move in &mut *moves {
            self.path.play(0, &root_move.mv);
            let end = self.path.state(1).outcome();
            if end.is_some_and(|end| end.is_of::<G>() && end.score(mover) >= 1.0) {
                root_move.found = Found::solved(WIN - 1);
                (root_move.kind, root_move.depth) = (Kind::Exact, 1);
            }
        }
        sort_by_number(moves, |mv| i64::from(mv.kind != Kind::Exact));
        moves[0].kind == Kind::Exact
    }

    /// One iteration: the value of the root at `depth`, and its moves in a new order. `None` if it
    /// was not completed.
    pub(super) fn iterate(&mut self, depth: u32, expected: Option<i32>) -> Option<Found> {
        self.iteration = depth;
        let window = self.shared.settings.aspiration.zip(expected);
        let (mut alpha, mut beta) = match window {
            Some((width, value)) if value.abs() < LEAST_WIN => {
                (value.saturating_sub(width), value.saturating_add(width))
            }
            _ => (-INFINITE, INFINITE),
        };
        let mut width = window.map_or(INFINITE, |(width, _)| width);
        loop {
            let found = self.search_root(depth, alpha, beta)?;
            // Twice as wide on the side where the value was, and all of it soon.
            width = width.saturating_mul(4);
            if found.value <= alpha {
                if self.leads {
                    self.shared.positions.best_is_in_doubt();
                }
                alpha = if width > VALUE_LIMIT { -INFINITE } else { found.value - width };
            } else if found.value >= beta {
                beta = if width > VALUE_LIMIT { INFINITE } else { found.value + width };
            } else {
                self.sort_root();
                return Some(found);
            }
        }
    }

    /// The value of the root within a window. `None` if it was not completed.
    fn search_root(&mut self, depth: u32, alpha: i32, beta: i32) -> Option<Found> {
        let moves = self.with_root(|root| {
            // What was better than the best move of before stays known to be so.
            let stays = |mv: &RootMove<_>| mv.kind == Kind::AtLeast && mv.depth == depth;
            root.iter_mut().filter(|mv| !stays(mv)).for_each(|mv| mv.kind = Kind::None);
            root.iter().map(|mv| mv.mv.clone()).collect::<Vec<_>>()
        });
        // No line of the one before may be left: it would not be seen to be short.
        self.moves.clear();
        self.moves.extend(moves);
        let state = self.path.state(0);
        let (mover, settings) = (state.mover(), self.shared.settings);
        let forced = settings.check_extension && self.shared.evaluator.is_forced(state);
        let depth = depth as i32;
        let frame = Frame {
            ties: settings.random_choice.then_some(alpha),
            ..self.root_frame(depth + i32::from(forced), beta, mover)
        };
        if self.enter(0) {
            return None;
        }
        self.pv[0].clear();
        let mut tally = Tally::new(alpha);
        let count = self.moves.len();
        for number in 0..count {
            if self.try_root_move(&frame, &mut tally, number) {
                break;
            }
            if number + 1 < count && self.should_split(&frame) {
                let task = |number| Task { number, plain: true, mv: self.moves[number].clone() };
                let tasks = (number + 1..count).map(task).collect();
                self.split(&frame, &mut tally, tasks);
                break;
            }
        }
        if self.aborted {
            return None;
        }
        let (found, kind) = tally.result(alpha, beta);
        if kind != Kind::AtMost {
            self.raise_root(tally.number);
        }
        self.write_down_root(depth, found, kind);
        Some(found)
    }

    /// Searches one move of the root. True if nothing more has to be searched.
    fn try_root_move(&mut self, frame: &Frame, tally: &mut Tally, number: usize) -> bool {
        self.path.play(0, &self.moves[number]);
        let found = self.root_move(frame, number, tally.tried, || tally.alpha);
        if self.aborted {
            return true;
        }
        if tally.add(number, found) {
            self.tell_best(found.value, number > 0);
        }
        tally.alpha >= frame.beta
    }

    /// The value of the move of the root that was just played, and keeps what it has shown.
    pub(super) fn root_move(
        &mut self,
        frame: &Frame,
        number: usize,
        tried: usize,
        alpha: impl Fn() -> i32,
    ) -> Found {
        let nodes = self.pace.visited();
        let (found, low) = self.brother(frame, tried, true, alpha);
        if !self.aborted {
            let nodes = self.pace.visited() - nodes;
            self.keep_root_move(frame, number, (found, low), nodes);
        }
        found
    }

    /// Tells the rules of the budget what the best move is worth, and whether it is another one.
    pub(super) fn tell_best(&self, value: i32, changed: bool) {
        if self.leads {
            self.shared.positions.best_is(self.win_rate(value), changed);
        }
    }

    /// Keeps what a move of the root has shown in a window from `low` to the `beta` of the frame.
    fn keep_root_move(
        &mut self,
        frame: &Frame,
        number: usize,
        (found, low): (Found, i32),
        nodes: u64,
    ) {
        let depth = self.iteration;
        let line = &self.pv[1];
        let kind = match found.value {
            value if value >= frame.beta => Kind::AtLeast,
            value if value <= low => Kind::AtMost,
            _ => Kind::Exact,
        };
        // Of the game's code nothing runs under the lock.
        let win_rate = if kind == Kind::AtMost { 0.5 } else { self.win_rate(found.value) };
        let mv = &mut self.root.lock()[number];
        mv.win_rate = win_rate;
        (mv.found, mv.kind, mv.depth, mv.nodes) = (found, kind, depth, nodes);
        mv.pv.truncate(1);
        if kind == Kind::Exact {
            mv.pv.extend_from_slice(line);
        }
    }

    /// Puts the best move first, for the next search with a wider window.
    fn raise_root(&self, best: Option<usize>) {
        if let Some(best) = best {
            self.with_root(|root| root[..=best].rotate_right(1));
        }
    }

    /// Puts the moves in the order of the next iteration: those that are as good as the best one,
    /// then those that took the most to refute.
    fn sort_root(&self) {
        self.with_root(|root| {
            let best = root[0].found.value;
            // The first one stays the first.
            sort_by_number(&mut root[1..], |mv| {
                let is_best = mv.kind == Kind::Exact && mv.found.value == best;
                if is_best { i64::MIN } else { -(mv.nodes as i64) }
            });
        });
    }

    /// Puts the root into the table. The number of the move there is that of the game's list.
    fn write_down_root(&self, depth: i32, found: Found, kind: Kind) {
        if self.shared.restricted {
            return;
        }
        let mut moves = Vec::new();
        let state = self.path.state(0);
        state.moves(&mut moves);
        let best = self.with_root(|root| root[0].mv.clone());
        let number = moves.iter().position(|mv| *mv == best);
        self.write_down(0, depth, found, kind, number.filter(|_| kind != Kind::AtMost));
    }
}

/// Whether a deeper iteration could find nothing else, or nothing better.
fn is_final(found: Found, depth: u32) -> bool {
    let plies = WIN - found.value.abs();
    // A win that is longer than the iteration was deep was found by an extension: there may be a
    // shorter one.
    found.solved && (plies > WIN - LEAST_WIN || plies <= depth as i32)
}
