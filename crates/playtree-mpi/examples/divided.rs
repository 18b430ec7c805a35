//! What would the solver and alpha-beta have to do on ranks that have no table in common?
//!
//! Counted in positions searched, beside one engine with one thread that does everything, and in the
//! order that is best for the ranks: a best move, known beforehand, first. Messages take no time,
//! and no rank waits for an answer but where its work is less than that of the busiest one. So
//! this is the least that ranks have to do.
//!
//! - **Solver**: who wins is asked of the positions some plies from the root, each of the rank that
//!   its key falls to.
//! - **Alpha-beta**: each rank searches the best move of the root and its part of the others, to a
//!   fixed depth, so it has the best value from the start.
//!
//! Argument: how many positions of each game (20).

use std::env;
use std::error::Error;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use playtree::alphabeta::{self, AlphaBeta};
use playtree::budget::Depth;
use playtree::game::random_move;
use playtree::games::doudizhu::Rules;
use playtree::games::{Breakthrough, ConnectFour, Doudizhu, Othello, ReferenceGame};
use playtree::solver::{Aim, RootMoves};
use playtree::{Budget, GameState, Proven, Rng, Solvable, Solver};

/// The numbers of ranks.
const RANKS: [usize; 3] = [1, 2, 4];

/// The plies from the root to a question of the solver.
const PLIES: [u32; 3] = [1, 2, 4];

fn main() -> Result<(), Box<dyn Error>> {
    let positions = env::args().nth(1).map_or(Ok(20), |number| number.parse())?;
    println!("positions searched, of those of one engine: by all ranks, and by the busiest one\n");
    println!("| solver | plies | questions | one rank | two ranks | four ranks |");
    println!("|---|--:|--:|--:|--:|--:|");
    let roots = positions_of(positions, |rng| random_position(rng, ConnectFour::new(), 10));
    solver_rows("Connect Four, 10 stones", &roots);
    let roots = positions_of(positions, |rng| random_position(rng, Othello::new(), 44));
    solver_rows("Othello, 16 empty", &roots);
    let deal = |rng: &mut Rng| Doudizhu::deal(rng, 12, 12, Rules::Classic).ok();
    solver_rows("Dou Dizhu, 24 cards", &positions_of(positions, deal));

    println!("\n| alpha-beta | depth | one rank | two ranks | four ranks |");
    println!("|---|--:|--:|--:|--:|");
    let roots = positions_of(positions, |rng| random_position(rng, ConnectFour::new(), 8));
    alphabeta_row("Connect Four", 14, &roots)?;
    let roots = positions_of(positions, |rng| random_position(rng, Othello::new(), 16));
    alphabeta_row("Othello", 9, &roots)?;
    let roots = positions_of(positions, |rng| random_position(rng, Breakthrough::new(8, 8)?, 12));
    alphabeta_row("Breakthrough 8x8", 6, &roots)?;
    Ok(())
}

/// The same positions each time.
fn positions_of<G>(number: usize, mut position: impl FnMut(&mut Rng) -> Option<G>) -> Vec<G> {
    let mut rng = Rng::from_seed(1);
    let mut found = Vec::new();
    while found.len() < number {
        found.extend(position(&mut rng));
    }
    found
}

/// A position after this number of random moves, if the game goes on there with a choice.
fn random_position<G: GameState>(rng: &mut Rng, mut state: G, plies: u32) -> Option<G> {
    let mut moves = Vec::new();
    for _ in 0..plies {
        if state.outcome().is_some() {
            return None;
        }
        state = state.apply(&random_move(&state, rng, &mut moves)?);
    }
    (state.outcome().is_none() && moves_of(&state).len() > 1).then_some(state)
}

fn moves_of<G: GameState>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// The positions searched by ranks, and by one engine.
#[derive(Clone, Copy, Default)]
struct Counts {
    all: u64,
    busiest: u64,
    alone: u64,
    /// Of the solver.
    questions: u64,
}

impl Counts {
    fn add(&mut self, of_ranks: &[u64], alone: u64) {
        self.all += of_ranks.iter().sum::<u64>();
        self.busiest += of_ranks.iter().max().expect("there is a rank");
        self.alone += alone;
    }

    fn text(self) -> String {
        let part = |nodes: u64| nodes as f64 / self.alone as f64;
        format!("{:.2}, {:.2}", part(self.all), part(self.busiest))
    }
}

fn new_solver<G: Solvable + 'static>() -> Solver<G> {
    let builder = Solver::builder().threads(1).aim(Aim::Winner).root_moves(RootMoves::One);
    builder.build().expect("settings in range")
}

/// 1, 0 or -1 if the side to move wins, draws or loses, and the positions searched to find that out.
fn ask<G: Solvable>(solver: &mut Solver<G>, state: &G) -> (i32, u64) {
    let solution = solver.solve(state, &Budget::unlimited()).expect("the game goes on");
    let value = match solution.proven().expect("solved") {
        Proven::Win { .. } => 1,
        Proven::Draw => 0,
        Proven::Loss { .. } => -1,
    };
    (value, solution.nodes)
}

/// The same at the end of the game.
fn value_at_end<G: GameState>(state: &G) -> Option<i32> {
    let score = state.outcome()?.score(state.mover());
    Some(score.total_cmp(&0.5) as i32)
}

/// Solvers that share nothing, and the positions that each has searched.
struct Ranks<'a, G: Solvable> {
    solvers: Vec<Solver<G>>,
    nodes: Vec<u64>,
    questions: u64,
    /// Says which moves are best.
    knowing: &'a mut Solver<G>,
}

impl<G: Solvable + 'static> Ranks<'_, G> {
    /// What a position is worth to its side to move, by questions this number of plies on.
    fn search(&mut self, state: &G, plies: u32) -> i32 {
        if let Some(value) = value_at_end(state) {
            return value;
        }
        if plies == 0 {
            let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(state.key());
            let rank = hash as usize % self.solvers.len();
            let (value, nodes) = ask(&mut self.solvers[rank], state);
            self.nodes[rank] += nodes;
            self.questions += 1;
            return value;
        }
        let of_mover =
            |child: &G, value: i32| if child.mover() == state.mover() { value } else { -value };
        let mut children: Vec<G> = moves_of(state).iter().map(|mv| state.apply(mv)).collect();
        children.sort_by_cached_key(|child| {
            let value = value_at_end(child).unwrap_or_else(|| ask(self.knowing, child).0);
            -of_mover(child, value)
        });
        let mut best = -1;
        for child in &children {
            best = best.max(of_mover(child, self.search(child, plies - 1)));
            if best == 1 {
                break;
            }
        }
        best
    }
}

fn solver_rows<G: Solvable + 'static>(name: &str, roots: &[G]) {
    let alone: Vec<(i32, u64)> = roots.iter().map(|root| ask(&mut new_solver(), root)).collect();
    let mut knowing = new_solver();
    for plies in PLIES {
        let counts = RANKS.map(|ranks| {
            let mut counts = Counts::default();
            for (root, &(value, nodes)) in roots.iter().zip(&alone) {
                let mut ranks = Ranks {
                    solvers: (0..ranks).map(|_| new_solver()).collect(),
                    nodes: vec![0; ranks],
                    questions: 0,
                    knowing: &mut knowing,
                };
                assert_eq!(ranks.search(root, plies), value, "the value that one engine finds");
                counts.add(&ranks.nodes, nodes);
                counts.questions += ranks.questions;
            }
            counts
        });
        // However many ranks there are.
        let questions = counts[0].questions;
        println!("| {name} | {plies} | {questions} | {} |", counts.map(Counts::text).join(" | "));
    }
}

fn alphabeta_row<G: ReferenceGame>(
    name: &str,
    depth: u32,
    roots: &[G],
) -> Result<(), Box<dyn Error>> {
    let evaluation = || G::evaluation().ok_or("the game has an evaluation");
    let budget = Budget::unlimited().and(Depth(depth));
    let mut counts = RANKS.map(|_| Counts::default());
    for root in roots {
        let search = |options: &alphabeta::Options<G>| -> Result<_, Box<dyn Error>> {
            let mut engine = AlphaBeta::builder(evaluation()?).threads(1).build()?;
            Ok(engine.search_with(root, &budget, options)?)
        };
        let alone = search(&alphabeta::Options::new())?;
        let others: Vec<_> =
            moves_of(root).into_iter().filter(|mv| *mv != alone.best_move).collect();
        for (counts, ranks) in counts.iter_mut().zip(RANKS) {
            let nodes: Vec<u64> = (0..ranks)
                .map(|rank| {
                    let own = others.iter().skip(rank).step_by(ranks).cloned();
                    let moves = [alone.best_move.clone()].into_iter().chain(own);
                    Ok(search(&alphabeta::Options::new().only(moves))?.nodes)
                })
                .collect::<Result<_, Box<dyn Error>>>()?;
            counts.add(&nodes, alone.nodes);
        }
    }
    println!("| {name} | {depth} | {} |", counts.map(Counts::text).join(" | "));
    Ok(())
}
