//! Long games, wide games, large positions, tiny tables: one case to a process, since a stack that
//! overflows ends it.

use std::time::{Duration, Instant};

use playtree::budget::Depth;
use playtree::games::TicTacToe;
use playtree::mcts::{Expansion, Parallelism};
use playtree::solver::Method;
use playtree::{
    AlphaBeta, Budget, Evaluate, GameState, Mcts, Outcome, Solvable, Solver, StopReason,
};

use crate::faults::{doing, fault, watchdog};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    case: Option<Case>,
}

#[derive(Clone, Copy, clap::Subcommand)]
enum Case {
    /// A game of `plies` plies with `wide` moves at each
    Mcts { plies: u32, wide: u32, rounds: Option<bool> },
    /// Positions of 4 kB, searched as deep as it goes
    AlphaBeta { plies: u32 },
    /// Positions of `bytes` bytes in a thread with 2 MiB of stack
    Solve { bytes: usize, proof_numbers: u8, threads: usize, plies: u32 },
    /// The same for three players
    MaxN { bytes: usize },
    /// A solver with a table of `bytes` bytes
    Tiny { bytes: usize },
}

/// All cases, for a call that names none.
const CASES: [&[&str]; 22] = [
    &["mcts", "20000", "2"],
    &["mcts", "200", "2000"],
    &["mcts", "1", "65535"],
    &["mcts", "2", "65535"],
    &["mcts", "2000", "3", "true"],
    &["alpha-beta", "100"],
    &["alpha-beta", "5000"],
    &["solve", "16", "0", "2", "990"],
    &["solve", "16", "1", "2", "990"],
    &["solve", "1024", "0", "2", "990"],
    &["solve", "1024", "1", "2", "990"],
    &["solve", "2048", "1", "2", "990"],
    &["solve", "4096", "0", "2", "990"],
    &["solve", "4096", "1", "1", "990"],
    &["solve", "4096", "1", "2", "990"],
    &["max-n", "16"],
    &["max-n", "1024"],
    &["max-n", "4096"],
    &["tiny", "64"],
    &["tiny", "1000"],
    &["tiny", "16384"],
    &["tiny", "100000"],
];

pub(crate) fn run(args: &Args) -> String {
    let Some(case) = args.case else { return run_all() };
    watchdog(60);
    doing("a deep case");
    let begin = Instant::now();
    match case {
        Case::Mcts { plies, wide, rounds } => search(plies, wide, rounds.unwrap_or(false)),
        Case::AlphaBeta { plies } => alpha_beta(plies),
        Case::Solve { bytes, proof_numbers, threads, plies } => {
            let method = if proof_numbers == 1 { Method::ProofNumbers } else { Method::AlphaBeta };
            match bytes {
                16 => solve::<16, 2>(method, threads, plies),
                1_024 => solve::<1_024, 2>(method, threads, plies),
                2_048 => solve::<2_048, 2>(method, threads, plies),
                _ => solve::<4_096, 2>(method, threads, plies),
            }
        }
        Case::MaxN { bytes } => match bytes {
            16 => solve::<16, 3>(Method::AlphaBeta, 1, 990),
            1_024 => solve::<1_024, 3>(Method::AlphaBeta, 1, 990),
            _ => solve::<4_096, 3>(Method::AlphaBeta, 1, 990),
        },
        Case::Tiny { bytes } => tiny(bytes),
    }
    format!("{:?}", begin.elapsed())
}

fn run_all() -> String {
    let program = std::env::current_exe().expect("the path of this program");
    for case in CASES {
        let output = std::process::Command::new(&program).arg("deep").args(case).output();
        let output = output.expect("this program starts again");
        print!("{}: {}", case.join(" "), String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            fault!("{}: {}: {}", case.join(" "), output.status, said.trim());
        }
    }
    format!("{} cases", CASES.len())
}

/// One line of play of `end` plies, each with `wide` moves that lead to the same
/// position but for its ballast.
#[derive(Clone)]
struct Line<const BYTES: usize, const P: usize> {
    ply: u32,
    end: u32,
    wide: u32,
    ballast: [u8; BYTES],
}

impl<const BYTES: usize, const P: usize> Line<BYTES, P> {
    fn new(end: u32, wide: u32) -> Self {
        Self { ply: 0, end, wide, ballast: [0; BYTES] }
    }
}

impl<const BYTES: usize, const P: usize> GameState for Line<BYTES, P> {
    type Key = u32;
    type Move = u32;

    const PLAYERS: usize = P;

    fn key(&self) -> u32 {
        self.ply
    }

    fn mover(&self) -> usize {
        self.ply as usize % P
    }

    fn plies(&self) -> u32 {
        self.ply
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.ply < self.end {
            moves.extend(0..self.wide);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ply >= self.end).then_some(Outcome::Win((self.end % 2) as usize))
    }

    fn apply(&self, mv: &u32) -> Self {
        let mut next = self.clone();
        next.ply += 1;
        next.ballast[*mv as usize % BYTES] ^= 1;
        next
    }
}

impl<const BYTES: usize, const P: usize> Solvable for Line<BYTES, P> {}

struct Evaluation;

impl<const BYTES: usize> Evaluate<Line<BYTES, 2>> for Evaluation {
    fn evaluate(&self, state: &Line<BYTES, 2>) -> i32 {
        (state.ply % 7) as i32
    }

    fn noisy_moves(&self, state: &Line<BYTES, 2>, moves: &mut Vec<u32>) {
        if state.ply < state.end {
            moves.push(0);
        }
    }
}

/// A call may take twice its time, on a busy machine.
fn check_time(begin: Instant, budget: Duration) {
    if begin.elapsed() > 2 * budget {
        fault!("took {:?} with a budget of {budget:?}", begin.elapsed());
    }
}

fn search(plies: u32, wide: u32, rounds: bool) {
    let parallelism = if rounds { Parallelism::Rounds } else { Parallelism::Shared };
    let builder = Mcts::builder().threads(2).expansion(Expansion::Everything);
    let mut mcts = builder.parallelism(parallelism).rollout_limit(u32::MAX).build().unwrap();
    let simulations = if plies > 10_000 { 50 } else { 2_000 };
    let time = Duration::from_secs(10);
    let begin = Instant::now();
    let budget = Budget::simulations(simulations).and_time(time);
    match mcts.search(&Line::<16, 2>::new(plies, wide), &budget) {
        Ok(report) => println!("{} simulations, {:?}", report.simulations, report.stop_reason),
        Err(error) => fault!("{error}"),
    }
    check_time(begin, time);
    if let Err(inconsistency) = mcts.audit() {
        fault!("audit: {inconsistency}");
    }
}

fn alpha_beta(plies: u32) {
    let time = Duration::from_secs(5);
    let begin = Instant::now();
    let mut engine = AlphaBeta::builder(Evaluation).threads(2).oversubscribe(true).build().unwrap();
    let start = Line::<4_096, 2>::new(plies, 2);
    let run = move || engine.search(&start, &Budget::time(time).and(Depth(10_000)));
    match std::thread::spawn(run).join().expect("no panic") {
        Ok(report) => println!("depth {}, {:?}", report.depth, report.stop_reason),
        Err(error) => println!("error: {error}"),
    }
    check_time(begin, time);
}

fn solve<const BYTES: usize, const P: usize>(method: Method, threads: usize, plies: u32) {
    let builder = Solver::builder().threads(threads).oversubscribe(true).method(method);
    let mut solver = match builder.build() {
        Ok(solver) => solver,
        Err(error) => return println!("error: {error}"),
    };
    let time = Duration::from_secs(10);
    let begin = Instant::now();
    let start = Line::<BYTES, P>::new(plies, 2);
    // As in a thread of a server: 2 MiB of stack.
    let run = move || solver.solve(&start, &Budget::nodes(3_000_000).and_time(time));
    match std::thread::spawn(run).join().expect("no panic") {
        Ok(solution) => println!("{:?} points, {:?}", solution.points(), solution.stop_reason),
        Err(error) => println!("error: {error}"),
    }
    check_time(begin, time);
}

fn tiny(bytes: usize) {
    for method in [Method::AlphaBeta, Method::ProofNumbers] {
        for threads in [1, 2] {
            doing(format!("{method:?}, {threads} threads, {bytes} bytes"));
            let builder = Solver::builder().threads(threads).oversubscribe(true).method(method);
            let mut solver = match builder.memory_limit(bytes).build() {
                Ok(solver) => solver,
                Err(error) => {
                    println!("{method:?}: error: {error}");
                    continue;
                }
            };
            let solution = solver.solve(&TicTacToe::new(), &Budget::time(Duration::from_secs(8)));
            let solution = solution.unwrap();
            println!("{method:?}, {threads} threads: {:?}", (solution.points(), solution.nodes));
            // Tic-tac-toe takes a fraction of a second: a solver that runs into the time goes round
            // in circles.
            if solution.stop_reason == StopReason::Time {
                fault!("{method:?} does not end: {threads} threads, {bytes} bytes");
            }
        }
    }
}
