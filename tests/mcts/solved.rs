//! Games small enough to be solved: the search with proofs ends by itself, with the exact
//! value and a move that keeps it.
//!
//! Each test has an oracle of its own (exhaustive minimax, or Bouton's rule for Nim), and is
//! compared with foreign data where that lies beside the repository.

#![cfg(feature = "games")]

use std::collections::{HashMap, HashSet};

use playtree::games::{Hex, MisereNim, NormalNim, TicTacToe};
use playtree::{Budget, GameState, Mcts, Notation, Outcome, Proven, StopReason, mcts};
use serde_json::Value;

use crate::data::data;

/// The value for the side to move (1, 0, -1), and the plies to the end if wins are made as
/// short and losses as long as possible.
type Solution = (i8, u32);

/// Exhaustive minimax for two players who move in turn.
struct Minimax<G: GameState>(HashMap<G::Key, Solution>);

impl<G: GameState> Minimax<G> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    fn solve(&mut self, state: &G) -> Solution {
        if let Some(outcome) = state.outcome() {
            return ((2.0 * outcome.score(state.mover()) - 1.0) as i8, 0);
        }
        if let Some(&known) = self.0.get(&state.key()) {
            return known;
        }
        let better = |(value, plies): Solution| match value {
            1 => (value, -i64::from(plies)),
            _ => (value, i64::from(plies)),
        };
        let answers = self.answers(state);
        let best = answers.into_iter().map(|(_, solution)| solution).max_by_key(|s| better(*s));
        let best = best.expect("a position that is not over has moves");
        self.0.insert(state.key(), best);
        best
    }

    /// Each move, and what it leads to for the side to move here.
    fn answers(&mut self, state: &G) -> Vec<(G::Move, Solution)> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let answer = |mv: G::Move| {
            let (value, plies) = self.solve(&state.apply(&mv));
            (mv, (-value, plies + 1))
        };
        moves.into_iter().map(answer).collect()
    }
}

/// How often a search has found what it need not find.
#[derive(Debug, Default)]
struct Tally {
    positions: u32,
    wins: u32,
    shortest_wins: u32,
    simulations: u64,
    most_simulations: u64,
}

impl Tally {
    fn add<M>(&mut self, report: &mcts::Report<M>) {
        self.positions += 1;
        self.simulations += report.simulations;
        self.most_simulations = self.most_simulations.max(report.simulations);
    }

    /// Whether the proven win is the shortest one.
    fn add_win(&mut self, plies: u32, shortest: u32) {
        assert!(plies >= shortest, "a win in {plies} plies, but {shortest} are needed");
        self.wins += 1;
        self.shortest_wins += u32::from(plies == shortest);
    }

    fn print(&self, name: &str, workers: usize) {
        let mean = self.simulations as f64 / f64::from(self.positions);
        print!("{name}, {workers} worker(s): {} positions proven, {mean:.0} ", self.positions);
        print!("simulations each (most {})", self.most_simulations);
        if self.wins > 0 {
            print!(", {} of {} wins by the shortest line", self.shortest_wins, self.wins);
        }
        println!();
    }
}

/// A search that must end with a proof.
fn prove<G: GameState>(state: &G, workers: usize, seed: u64, cap: u64) -> mcts::Report<G::Move> {
    let mut mcts = Mcts::builder().threads(workers).oversubscribe(true).seed(seed).build().unwrap();
    let report = mcts.search(state, &Budget::simulations(cap)).unwrap();
    mcts.audit().unwrap();
    assert_eq!(report.stop_reason, StopReason::Proven, "after {} simulations", report.simulations);
    assert_eq!(report.best_move, report.moves[0].mv);
    report
}

fn value(proven: Option<Proven>) -> i8 {
    (2.0 * proven.expect("the search ended with a proof").score() - 1.0) as i8
}

// ---- tic-tac-toe ------------------------------------------------------------------------

fn tictactoe_positions() -> Vec<TicTacToe> {
    let (mut found, mut known) = (vec![TicTacToe::new()], HashSet::new());
    let mut at = 0;
    while let Some(state) = found.get(at).copied() {
        at += 1;
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let next = moves.iter().map(|mv| state.apply(mv));
        found.extend(next.filter(|next| next.outcome().is_none() && known.insert(next.key())));
    }
    assert_eq!(found.len(), 4_520);
    found
}

fn solve_tictactoe(workers: usize) {
    let (mut minimax, mut tally) = (Minimax::new(), Tally::default());
    for (seed, state) in (0..).zip(tictactoe_positions()) {
        let (exact, plies) = minimax.solve(&state);
        let report = prove(&state, workers, seed, 100_000);
        let text = state.position_text();
        assert_eq!(value(report.proven), exact, "{text}");
        assert_eq!(report.win_rate, f64::from(exact + 1) / 2.0, "{text}");
        let (kept, _) = minimax.solve(&state.apply(&report.best_move));
        assert_eq!(-kept, exact, "{text}: {:?} gives the value away", report.best_move);
        tally.add(&report);
        if let Some(Proven::Win { plies: found }) = report.proven {
            tally.add_win(found, plies);
        }
    }
    tally.print("tic-tac-toe", workers);
}

#[test]
fn tictactoe_is_solved_by_one_worker() {
    solve_tictactoe(1);
}

#[test]
fn tictactoe_is_solved_by_two_workers() {
    solve_tictactoe(2);
}

/// The oracle itself, against an enumeration that others have made.
#[test]
fn the_oracle_agrees_with_the_known_values_of_tictactoe() {
    let Some(text) = data("smallgames/ttt_all.tsv") else { return };
    let mut minimax = Minimax::new();
    let mut rows = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split('\t').collect();
        let [board, exact, plies, best] = fields[..] else { panic!("{line}") };
        let state = TicTacToe::parse_position(&board.to_uppercase()).unwrap();
        assert_eq!(
            minimax.solve(&state),
            (exact.parse().unwrap(), plies.parse().unwrap()),
            "{line}"
        );
        let answers = minimax.answers(&state);
        let keeping = answers.iter().filter(|(_, answer)| answer.0.to_string() == exact);
        let keeping: Vec<_> = keeping.map(|(mv, _)| mv.index().to_string()).collect();
        assert_eq!(keeping.join(","), best, "{line}");
        rows += 1;
    }
    assert_eq!(rows, 4_520);
}

// ---- Nim --------------------------------------------------------------------------------

/// Bouton's rule (1901): whether the side to move wins. In the misère form it is the same
/// while some pile is larger than one, else turned around.
fn bouton(piles: &[u8], misere: bool) -> bool {
    let sum = piles.iter().fold(0, |sum, pile| sum ^ pile);
    if misere && piles.iter().all(|&pile| pile <= 1) { sum == 0 } else { sum != 0 }
}

/// Every position of three piles up to seven.
fn solve_nim<G: Notation>(misere: bool, workers: usize, piles: impl Fn(&G) -> Vec<u8>) {
    let mut tally = Tally::default();
    for number in 1..512u64 {
        let text = format!("{},{},{}", number & 7, number >> 3 & 7, number >> 6);
        let state = G::parse_position(&text).unwrap();
        let report = prove(&state, workers, number, 1_000_000);
        let wins = bouton(&piles(&state), misere);
        assert_eq!(value(report.proven), if wins { 1 } else { -1 }, "{text}");
        if wins {
            let next = state.apply(&report.best_move);
            assert!(!bouton(&piles(&next), misere), "{text}: {:?} loses", report.best_move);
        }
        tally.add(&report);
    }
    tally.print(if misere { "misère Nim" } else { "Nim" }, workers);
}

#[test]
fn nim_is_solved() {
    for workers in [1, 2] {
        solve_nim(false, workers, |state: &NormalNim| state.piles().collect());
    }
}

#[test]
fn misere_nim_is_solved() {
    for workers in [1, 2] {
        solve_nim(true, workers, |state: &MisereNim| state.piles().collect());
    }
}

// ---- Hex --------------------------------------------------------------------------------

/// Who wins from here, by exhaustive search that stops at the first winning move.
fn hex_winner(state: &Hex, known: &mut HashMap<<Hex as GameState>::Key, usize>) -> usize {
    if let Some(outcome) = state.outcome() {
        return usize::from(outcome == Outcome::Win(1));
    }
    if let Some(&winner) = known.get(&state.key()) {
        return winner;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let mover = state.mover();
    let wins = moves.iter().any(|mv| hex_winner(&state.apply(mv), known) == mover);
    let winner = if wins { mover } else { 1 - mover };
    known.insert(state.key(), winner);
    winner
}

/// The empty board and all boards with one stone.
fn hex_openings(size: usize) -> Vec<Hex> {
    let empty = Hex::new(size).unwrap();
    let mut moves = Vec::new();
    empty.moves(&mut moves);
    let mut openings = vec![empty];
    openings.extend(moves.iter().map(|mv| empty.apply(mv)));
    openings
}

fn solve_hex(workers: usize) {
    for size in [2, 3, 4] {
        let (mut known, mut tally) = (HashMap::new(), Tally::default());
        for (seed, state) in (0..).zip(hex_openings(size)) {
            let text = state.position_text();
            let winner = hex_winner(&state, &mut known);
            let report = prove(&state, workers, seed, 3_000_000);
            assert_eq!(value(report.proven) == 1, winner == state.mover(), "{text}");
            let kept = hex_winner(&state.apply(&report.best_move), &mut known);
            assert_eq!(kept, winner, "{text}: {:?} gives the value away", report.best_move);
            tally.add(&report);
        }
        tally.print(&format!("Hex {size}x{size}"), workers);
    }
}

#[test]
fn small_hex_is_solved_by_one_worker() {
    solve_hex(1);
}

#[test]
fn small_hex_is_solved_by_two_workers() {
    solve_hex(2);
}

/// The oracle itself, against openings that others have solved.
#[test]
fn the_oracle_agrees_with_the_known_openings_of_hex() {
    let Some(text) = data("hex/openings.jsonl") else { return };
    let mut known: Vec<_> = (0..=4).map(|_| HashMap::new()).collect();
    let mut rows = 0;
    for row in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let Some(size) = row["rows"].as_u64().filter(|&size| size <= 4) else { continue };
        if row["cols"] != row["rows"] {
            continue;
        }
        let stones = row["stones"].as_array().unwrap().iter();
        let moves: Vec<_> = stones.map(|stone| stone[1].as_str().unwrap()).collect();
        let state = Hex::parse_position(&format!("{size}: {}", moves.join(" "))).unwrap();
        let winner = hex_winner(&state, &mut known[size as usize]);
        assert_eq!(row["winner"], ["black", "white"][winner], "{row}");
        rows += 1;
    }
    println!("{rows} openings agree");
    assert!(rows >= 20);
}

// ---- many moves that end the game --------------------------------------------------------

/// One move, and then many that end the game for the side that makes one of them.
#[derive(Clone)]
struct Ends {
    plies: u32,
    count: u32,
    /// How the game ends after the last of these moves; after the others it is lost.
    last: Outcome,
    end: Option<Outcome>,
}

impl GameState for Ends {
    type Key = (u32, bool);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.plies, self.end.is_some())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        match (self.end, self.plies) {
            (None, 0) => moves.push(0),
            (None, _) => moves.extend(0..self.count),
            _ => {}
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end
    }

    fn apply(&self, mv: &u32) -> Self {
        let end = if mv + 1 == self.count { self.last } else { Outcome::Win(0) };
        Self { plies: self.plies + 1, end: (self.plies == 1).then_some(end), ..*self }
    }
}

/// Each of the ends narrows what is proven of the position, and is looked at together with the
/// others: one by one they would take 2^31 looks, half a minute under the lock of the position.
#[test]
fn a_position_of_65535_ends_is_proven_when_it_is_reached() {
    for (last, proven) in [
        (Outcome::Win(0), Proven::Win { plies: 2 }),
        (Outcome::Draw, Proven::Draw),
        (Outcome::Win(1), Proven::Loss { plies: 2 }),
    ] {
        let start = Ends { plies: 0, count: 65_535, last, end: None };
        for workers in [1, 2] {
            assert_eq!(prove(&start, workers, 1, 1_000).proven, Some(proven));
        }
        let report = prove(&start.apply(&0), 1, 1, 10);
        let answer = match proven {
            Proven::Win { .. } => Proven::Loss { plies: 1 },
            Proven::Loss { .. } => Proven::Win { plies: 1 },
            other => other,
        };
        assert_eq!((report.proven, report.simulations), (Some(answer), 0));
    }
}
