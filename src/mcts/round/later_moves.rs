//! All moves as first: which positions count a rollout, and whose table is read.

use crate::game::{GameState, MoveCoding, Outcome, Played};
use crate::mcts::tree::later_moves::{AmafSums, AmafTable, to_points};
use crate::mcts::tree::node::{Edge, Node};
use crate::mcts::tree::value::DrawScores;
use crate::mcts::tree::{Allotment, Tree};

use super::{Place, Round, Step};

/// A position has a table from `reference / PART_OF_REFERENCE` visits on, and the table is read
/// when it has counted more than `reference` rollouts: most positions never come to either.
const PART_OF_REFERENCE: u32 = 4;

/// Codes of a table, those of all players together, for each of the rollouts that are summed up
/// before the table gets them: with more of them it takes longer to sum up than to add one by one.
const CODES_PER_ROLLOUT: u64 = 8;

/// The most tables of a round that get sums: those of the steps closest to the root.
const MOST_SUMS: usize = 16;

/// The code of a step that takes no move.
const NO_CODE: u32 = u32::MAX;

/// The moves seen in the rollouts of a round, or of a part of it, until the tables are updated.
#[derive(Debug)]
pub(crate) struct MovesSeen {
    /// The moves of the rollout that the tables are being updated with.
    played: Played,
    /// The steps that the rollouts began at.
    leaves: Vec<u32>,
    /// For each rollout the score of each player, as the tables have it.
    points: Vec<u8>,
    /// For each rollout the moves of each player, in words.
    sets: Vec<u64>,
    /// What tables are to get that many of the rollouts add to, in the order of their steps.
    sums: Vec<StepSums>,
}

/// What the rollouts that have passed a step add to its table.
#[derive(Debug, Default)]
struct StepSums {
    step: u32,
    sums: AmafSums,
}

impl MovesSeen {
    pub(crate) fn new<G: GameState>(codes: MoveCoding<G>) -> Self {
        let (leaves, points, sets, sums) = Default::default();
        Self { played: Played::new(G::PLAYERS, codes.count()), leaves, points, sets, sums }
    }

    /// What the sums may take, in bytes.
    pub(super) fn bytes_of_sums<G: GameState>(codes: MoveCoding<G>) -> usize {
        MOST_SUMS * AmafSums::bytes(G::PLAYERS, codes.count())
    }

    /// What a rollout takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let players = self.played.sets().count();
        size_of::<u32>() + players * size_of::<u8>() + self.played.words() * size_of::<u64>()
    }

    /// Notes how a rollout has ended, its moves, and the step it began at.
    #[inline]
    pub(crate) fn note(
        &mut self,
        leaf: u32,
        outcome: &Outcome,
        played: &Played,
        draws: DrawScores,
    ) {
        self.leaves.push(leaf);
        let players = 0..played.sets().count();
        self.points.extend(players.map(|player| to_points(draws.fixed(outcome, player))));
        self.sets.extend(played.sets().flatten());
    }

    /// Moves what `other` has seen over to this one.
    pub(crate) fn take_from(&mut self, other: &mut Self) {
        self.leaves.append(&mut other.leaves);
        self.points.append(&mut other.points);
        self.sets.append(&mut other.sets);
    }

    fn clear(&mut self) {
        self.leaves.clear();
        self.points.clear();
        self.sets.clear();
    }
}

impl<G: GameState> Round<G> {
    /// Forgets the moves seen in the round before, and has no steps but the first.
    #[inline]
    pub(super) fn forget_moves_seen(&mut self) {
        if let Some(moves_seen) = &mut self.moves_seen {
            moves_seen.clear();
        }
        if self.coding.is_some() {
            self.lessons.clear();
            self.codes.clear();
            self.codes.push(NO_CODE);
        }
    }

    /// Notes the moves of the steps behind a step; the last of them may take none.
    #[inline]
    pub(super) fn note_codes(&mut self, at: usize, first_edge: u32, moves: &[G::Move]) {
        let Some(coding) = self.coding else { return };
        let state = &self.states[at];
        let code_of = |mv| u32::try_from(coding.code(state, mv)).unwrap_or(NO_CODE);
        self.codes.extend(self.steps[self.codes.len()..].iter().map(|step| match step.place {
            Place::Stay => NO_CODE,
            _ => code_of(&moves[(step.edge - first_edge) as usize]),
        }));
    }

    /// Reads for the picker what the moves of an inner step are worth as later ones, or wherever they
    /// are made.
    #[inline]
    pub(super) fn read_later_moves(
        &mut self,
        tree: &Tree<G>,
        at: usize,
        node: &Node,
        (edges, moves): (&[Edge], &[G::Move]),
        allotment: &mut Allotment,
    ) {
        let mover = usize::from(self.steps[at].mover);
        if let (Some(scores), Some(coding)) = (&self.move_scores, self.coding) {
            self.branch_codes.clear();
            coding.append(&self.states[at], moves, &mut self.branch_codes);
            scores.show(mover, &self.branch_codes, &mut self.picker);
            return;
        }
        let (Some(reference), Some(coding)) = (self.rules.select.reference(), self.knowledge.codes)
        else {
            return;
        };
        self.branch_codes.clear();
        coding.append(&self.states[at], moves, &mut self.branch_codes);
        if (at == 0 || node.visits() >= reference / PART_OF_REFERENCE)
            && tree.give_amaf(node, allotment)
            && let Some(table) = tree.amaf(node)
        {
            // What is known of moves that were played at once.
            for (edge, &code) in edges.iter().zip(&self.branch_codes) {
                table.begin_with(mover, code as usize, edge.stats());
            }
        }
        let table = self.table(tree, at, u64::from(reference));
        let known = table.map(|table| table.of(mover)).unwrap_or_default();
        self.picker.set_amaf(&self.branch_codes, |&code| known.read(code as usize));
    }

    /// The table to be read at a step: that of the closest position on its path that has counted
    /// more than `reference` rollouts, or of the root.
    fn table<'a>(&self, tree: &'a Tree<G>, mut at: usize, reference: u64) -> Option<AmafTable<'a>> {
        loop {
            let step = &self.steps[at];
            let table = tree.amaf(tree.node(step.node));
            if at == 0 || table.is_some_and(|table| table.rollouts() > reference) {
                return table;
            }
            at = step.parent as usize;
        }
    }

    /// Adds the rollouts of the round to the tables of the positions on the paths to them.
    ///
    /// Simulations that have joined those of another step are counted on its path only.
    pub(super) fn update_later_moves(&mut self, tree: &Tree<G>) {
        let summed = self.begin_sums(tree);
        let Some(seen) = &mut self.moves_seen else { return };
        let MovesSeen { played, leaves, points, sets, sums } = seen;
        let sums = &mut sums[..summed];
        let words = played.words();
        for (number, &leaf) in leaves.iter().enumerate() {
            played.set(&sets[number * words..][..words]);
            let points = &points[number * G::PLAYERS..][..G::PLAYERS];
            let mut at = leaf;
            // The sums of the steps that are still above.
            let mut above = summed;
            loop {
                while above > 0 && sums[above - 1].step > at {
                    above -= 1;
                }
                let step = &self.steps[at as usize];
                match sums[..above].last_mut() {
                    Some(of_step) if of_step.step == at && of_step.sums.has_room() => {
                        of_step.sums.add(played.sets().zip(points));
                    }
                    _ if step.place == Place::Inner => {
                        if let Some(table) = tree.amaf(tree.node(step.node)) {
                            table.add(played.sets().zip(points));
                        }
                    }
                    _ => {}
                }
                if at == 0 {
                    break;
                }
                let parent = step.parent;
                let code = self.codes[at as usize] as usize;
                played.note(usize::from(self.steps[parent as usize].mover), code);
                at = parent;
            }
        }
        for of_step in sums {
            if let Some(table) = tree.amaf(tree.node(self.steps[of_step.step as usize].node)) {
                table.add_sums(&mut of_step.sums);
            }
        }
    }

    /// Makes room for the sums of the tables that many rollouts of the round add to; how many these
    /// are.
    ///
    /// Side by side they are counted faster. And each line of a table that two workers write goes
    /// from core to core: so each writes it once for a long round, and not for each rollout.
    fn begin_sums(&mut self, tree: &Tree<G>) -> usize {
        let Some(MovesSeen { played, sums, .. }) = &mut self.moves_seen else { return 0 };
        let codes = self.knowledge.codes.map_or(0, |codes| G::PLAYERS * codes.count());
        let mut summed = 0;
        for (number, step) in (0..).zip(&self.steps) {
            let Step { place, node, visits, .. } = *step;
            let are_many = u64::from(visits) * CODES_PER_ROLLOUT >= codes as u64;
            if !are_many || place != Place::Inner || tree.amaf(tree.node(node)).is_none() {
                continue;
            }
            if summed == sums.len() {
                sums.push(StepSums::default());
            }
            sums[summed].step = number;
            sums[summed].sums.clear(played.words());
            summed += 1;
            if summed == MOST_SUMS {
                break;
            }
        }
        summed
    }
}

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use crate::budget::Budget;
    use crate::game::{GameState, MoveCodes};
    use crate::games::Hex;
    use crate::mcts::{Mcts, Parallelism, RoundSize};

    /// A rollout fills the board, so a position that counts it counts one move in each cell.
    #[test]
    fn positions_hear_of_every_move_below_them() {
        let shared = (Parallelism::Shared, RoundSize::default());
        let long = (Parallelism::Shared, RoundSize::Fixed(64));
        let rounds = (Parallelism::Rounds, RoundSize::default());
        // Their rounds are summed up where several of them have a part in a step.
        let several = (Parallelism::Simulated { workers: 4 }, RoundSize::default());
        let budgets = [(shared, 4_000), (long, 4_000), (rounds, 4_000), (several, 40_000)];
        for ((parallelism, size), simulations) in budgets {
            let builder = Mcts::builder().threads(1).proofs(false).parallelism(parallelism);
            let mut mcts = builder.round_size(size).build().unwrap();
            let start = Hex::new(5).unwrap();
            let report = mcts.search(&start, &Budget::simulations(simulations)).unwrap();
            let (mut tables, mut least, mut counted, mut visits) = (0, u64::MAX, 0, 0);
            mcts.tree.for_each_node(|id| {
                let node = mcts.tree.node(id);
                let Some(table) = mcts.tree.amaf(node) else { return };
                let moves = |player| -> u64 {
                    let known = table.of(player);
                    (0..Hex::CODES).map(|code| u64::from(known.read(code).0)).sum()
                };
                let ply = node.ply();
                if ply > 0 {
                    (counted, visits) = (counted + table.rollouts(), visits + node.visits());
                }
                let (all, left) = (moves(0) + moves(1), u64::from(25 - ply));
                // Visits before the position had a table count with their first move only.
                assert!(all <= table.rollouts() * left, "{all} moves at ply {ply}");
                least = least.min(all + 100 * left - table.rollouts() * left);
                tables += 1;
                if ply == 0 {
                    assert_eq!(all, table.rollouts() * 25);
                    assert!(table.rollouts() > 3_000, "{} rollouts", table.rollouts());
                }
            });
            // Most positions have too few visits for one.
            assert!(report.nodes > 1_000 && tables >= 20, "{tables} tables");
            assert!(5 * tables < report.nodes, "{tables} tables of {}", report.nodes);
            assert!(least > 0 && start.plies() == 0);
            // Visits that came by another way, or before there was a table, are not counted.
            let most = u64::from(visits);
            assert!(counted * 10 > most * 7, "{counted} of {visits}, {parallelism:?}");
        }
    }
}
