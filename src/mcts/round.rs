//! One round: a number of simulations that go down the tree together.
//!
//! A round of one simulation is the textbook's: selection, expansion, rollout, backup. A
//! round of many is the same, level by level: at each node the simulations are divided
//! among the branches, all rollouts follow, and then each node is updated once, the deepest
//! first. So the top of the tree is locked once per round and not once per simulation, and
//! the memory of a level is fetched while the one before is worked on.
//!
//! The steps of a round form a tree, stored in the order of levels: the children of a step lie side
//! by side, behind it. Where two steps of a level reach the same node, one goes on for both.

mod backup;
mod batch;
mod expansion;
mod history;
mod later_moves;
pub(crate) mod leaf;
mod lessons;
mod move_scores;
mod parts;
pub(crate) mod plan;
mod rollout;
pub(crate) mod select;
mod selection;
mod trip;

use std::ops::Range;
use std::sync::Arc;

use crate::error::SearchError;
use crate::game::{GameState, MoveCoding};
use crate::repetition::Before;

use super::at_root::AtRoot;
use super::config::{Expansion, LockPolicy, Parallelism, RoundSize};
use super::learned::Lessons;
use super::round::leaf::{Knowledge, Replies};
use super::round::select::{Floor, Picker, Rules};
use super::tree::node::{Access, Edge, NodeId};
use super::tree::planes::PlaneLayout;
use super::tree::update::End;
use super::tree::value::{DrawScores, Value};
use super::tree::{Allotment, Tree};

use move_scores::MoveScores;
use parts::Parts;
use plan::{LastRound, RoundPlan};

pub(crate) use batch::{Batch, Hands};
pub(crate) use later_moves::MovesSeen;
pub(crate) use rollout::caller::Caller;
pub(crate) use rollout::chosen::Chosen;
pub(crate) use rollout::questions::Questions;
pub(crate) use rollout::{AnyPolicy, RolloutSupply, Rollouts};
pub(crate) use trip::{Origin, Supply};

/// The settings of the engine that a round needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundRules {
    pub(crate) select: Rules,
    pub(crate) expansion: Expansion,
    pub(crate) round_size: RoundSize,
    pub(crate) lock_policy: LockPolicy,
    pub(crate) layout: PlaneLayout,
    pub(crate) draws: DrawScores,
    pub(crate) rollout_limit: u32,
    pub(crate) rollouts_per_leaf: u32,
}

/// Steps of a simulation, as long as none was measured.
const STEPS_AT_FIRST: f32 = 16.0;

/// Batches of questions in a round whose questions all workers ask.
const BATCHES_OF_ALL: u32 = 4;

/// Places for nodes that the steps of a level have reached. They are enough for few nodes to be
/// overlooked even in the largest rounds, and fit in the nearest cache; there are fewer if there is
/// little room.
fn reached_places(room: Option<u64>) -> usize {
    const MOST: u64 = 2048;
    const PART_OF_ROOM: u64 = 16;
    let places = room.map_or(MOST, |room| room / PART_OF_ROOM / size_of::<u32>() as u64);
    1 << places.clamp(1, MOST).ilog2()
}

/// What happened to the simulations of a worker.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Simulations that came back, dropped ones included.
    pub(crate) simulations: u64,
    /// Simulations whose update was dropped on the way.
    pub(crate) dropped: u64,
    /// Updates left to the holder of a lock.
    pub(crate) deferred: u64,
    /// Times a lock was found busy.
    pub(crate) contended: u64,
    pub(crate) asked: Asked,
}

/// What a network was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Questions.
    pub(crate) questions: u64,
    /// Calls that they were asked in.
    pub(crate) calls: u64,
    /// Those of the questions that it answered from memory.
    pub(crate) cached: u64,
}

impl Asked {
    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            questions: self.questions + other.questions,
            calls: self.calls + other.calls,
            cached: self.cached + other.cached,
        }
    }
}

impl Counts {
    /// The counts of several workers together.
    pub(crate) fn sum(counts: impl IntoIterator<Item = Self>) -> Self {
        counts.into_iter().fold(Self::default(), |sum, counts| Self {
            simulations: sum.simulations + counts.simulations,
            dropped: sum.dropped + counts.dropped,
            deferred: sum.deferred + counts.deferred,
            contended: sum.contended + counts.contended,
            asked: sum.asked.plus(counts.asked),
        })
    }
}

/// Where a step has led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Not looked at yet.
    Unknown,
    /// A position that is to have a node: `sum` holds the hash of its key.
    Unlinked,
    /// A node whose branches the simulations take.
    Inner,
    /// A node to which a later step of the same level has led as well: they go on with the
    /// simulations of that one, whose place among the steps is in `sum`.
    Joined,
    /// A node from which they are rolled out.
    Own,
    /// The same for some of the simulations that have reached a node, the others going on:
    /// this step follows that of the node, and takes no edge.
    Stay,
    /// A position that is no node, from which they are rolled out.
    Leaf,
    /// The end of the game, or a proven position: `value` holds it.
    Known,
    /// A node at which this path has ended, being on it already or by what its key does not tell:
    /// `sum` holds the value.
    Repetition,
    /// A position that was there before, or one whose proof that may concern, below nodes of the
    /// table: the simulations are given back when the nodes on the way have been copied.
    Withheld,
}

impl Place {
    /// Whether the simulations of the step are rolled out from here.
    #[inline]
    fn is_rolled_out(self) -> bool {
        matches!(self, Self::Leaf | Self::Own | Self::Stay)
    }
}

/// Some simulations of a round passing from one position to the next.
#[derive(Clone, Copy, Debug)]
struct Step {
    place: Place,
    /// The path so far has met a node at another ply than the one it was made at.
    off_ply: bool,
    /// The step before; itself for the root.
    parent: u32,
    /// The edge taken, in the arena. Unused for the root.
    edge: u32,
    /// The node reached, if `place` is `Inner` or `Own`, or a node that is `Known`.
    node: NodeId,
    /// The steps that follow: first and number.
    children: (u32, u32),
    /// Simulations that take this step, with those that have joined them, and how many are marked
    /// on the edge.
    visits: u32,
    marked: u32,
    /// Simulations that came back this way.
    returned: u32,
    /// Sum of their scores for the side to move at the parent; for `Own` until its update,
    /// at the node.
    sum: u64,
    /// The value of the position reached, for the side to move at the parent, where there
    /// is more to say than the sum: after the update of a node, or where it is known.
    value: Option<Value>,
    /// Plies to the end, if `value` is exact.
    distance: u32,
    mover: u8,
}

impl Step {
    /// Takes back the mark on the edge taken.
    #[inline]
    fn take_back(&mut self, edge: &Edge, access: Access) {
        if self.marked > 0 {
            edge.unmark(self.marked, access);
            self.marked = 0;
        }
    }
}

/// The working memory of a worker, used again round after round.
pub(crate) struct Round<G: GameState> {
    rules: RoundRules,
    knowledge: Knowledge<G>,
    /// Which of the rounds under way this one is.
    number: u32,
    /// Visits that some branches of the root are to get.
    floor: Option<Floor>,
    /// What is special about the root.
    at_root: Option<Arc<AtRoot>>,
    /// What was played before the root.
    history: Option<Arc<Before<G>>>,
    /// With a history: of each step, the hash that repetitions are found by.
    hashes: Vec<u64>,
    plan: RoundPlan,
    /// Whether it is one of several rounds that are asked about together.
    gathers: bool,
    /// Simulations of the round that have come to what was proven.
    proven: u32,
    /// The steps that other rounds have a part in.
    parts: Parts,
    picker: Picker,
    steps: Vec<Step>,
    /// The position of each step; that of its parent where it will not be looked at.
    states: Vec<G>,
    /// The last step that has reached a node, by the lowest bits of the node's index.
    reached: Box<[u32]>,
    /// Further planes for each step: means if its `value` is set, else sums.
    planes: Vec<u64>,
    moves: Vec<G::Move>,
    rollouts: Rollouts<G>,
    /// The moves seen in the rollouts, if the selection asks for them.
    moves_seen: Option<MovesSeen>,
    /// What moves are worth wherever they are made in the tree, if the selection asks for that.
    move_scores: Option<Arc<MoveScores>>,
    /// The rollouts of the round, if rollouts learn.
    lessons: Lessons,
    /// What the moves of steps are noted by, if they are.
    coding: Option<MoveCoding<G>>,
    /// Then the code of the move of each step, and those of the branches of the step at hand.
    codes: Vec<u32>,
    branch_codes: Vec<u32>,
    /// Branches of a new node that end the game, and how.
    ends: Vec<End>,
    /// With a network: what it is asked, and its last replies.
    questions: Questions<G>,
    replies: Replies,
    /// The caller of the search, if that one answers.
    caller: Option<Caller<G>>,
    /// What it was asked before the search, of the root.
    asked_before: Asked,
    /// Memory that this may hold, in bytes; `None` for no limit.
    room: Option<u64>,
    steps_per_simulation: f32,
    /// The law that the game has broken on the way down.
    fault: Option<SearchError>,
    pub(crate) counts: Counts,
    /// Simulations of `counts` that [`take_returned`](Self::take_returned) has given out.
    counted: u64,
}

impl<G: GameState> Round<G> {
    /// The round with this `number` among those under way, with `room` bytes of memory, if there is
    /// a limit.
    pub(crate) fn new(
        rules: RoundRules,
        knowledge: Knowledge<G>,
        number: u32,
        room: Option<u64>,
    ) -> Self {
        Self {
            picker: Picker::new(rules.select, knowledge.own.clone()),
            rollouts: Rollouts::new(&knowledge),
            moves_seen: knowledge.codes.map(MovesSeen::new),
            move_scores: knowledge.history_codes.map(MoveScores::new).map(Arc::new),
            lessons: Lessons::default(),
            coding: knowledge.coding(),
            rules,
            knowledge,
            number,
            floor: None,
            at_root: None,
            history: None,
            hashes: Vec::new(),
            plan: RoundPlan::ONE,
            gathers: false,
            proven: 0,
            parts: Parts::default(),
            steps: Vec::new(),
            states: Vec::new(),
            reached: vec![0; reached_places(room)].into(),
            planes: Vec::new(),
            moves: Vec::new(),
            codes: Vec::new(),
            branch_codes: Vec::new(),
            ends: Vec::new(),
            questions: Questions::default(),
            replies: Replies::default(),
            caller: None,
            asked_before: Asked::default(),
            room,
            steps_per_simulation: STEPS_AT_FIRST,
            fault: None,
            counts: Counts::default(),
            counted: 0,
        }
    }

    /// How many simulations the engine's rounds are to have.
    pub(crate) fn size(&self) -> RoundSize {
        self.rules.round_size
    }

    /// The most questions that a round has with a network, and the rounds under way of this tree.
    pub(crate) fn questions(&self, tree: &Tree<G>, parallelism: Parallelism) -> Option<(u32, u32)> {
        let batch = self.knowledge.network.as_ref()?.batch() as u32;
        let batches = match parallelism {
            // All workers ask about one round.
            Parallelism::Rounds => BATCHES_OF_ALL,
            Parallelism::Shared | Parallelism::Simulated { .. } => 1,
        };
        Some((batch.saturating_mul(batches), tree.rounds() as u32))
    }

    /// Whether simulations end with questions to a network.
    pub(crate) fn asks(&self) -> bool {
        self.knowledge.network.is_some()
    }

    /// Starts counting from 0, and from what was asked to find the root.
    pub(crate) fn reset_counts(&mut self) {
        let asked = std::mem::take(&mut self.asked_before);
        (self.counts, self.counted) = (Counts { asked, ..Counts::default() }, 0);
        self.proven = 0;
        self.steps.clear();
    }

    /// Simulations that came back since the last call.
    pub(crate) fn take_returned(&mut self) -> u64 {
        self.measure_steps();
        self.counts.simulations - std::mem::replace(&mut self.counted, self.counts.simulations)
    }

    /// Drops the positions and moves of the last round, and keeps the working memory: an engine at
    /// rest holds no value of the game's but those in its tree.
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.moves.clear();
        self.questions.clear();
        self.rollouts.clear();
    }

    /// Gives the working memory back.
    pub(crate) fn release(&mut self) {
        *self = self.another(self.number);
    }

    /// The most simulations of a round that the memory is enough for, by what earlier ones
    /// took: a list that grows holds up to three times what is in it.
    pub(crate) fn most_simulations(&self) -> u32 {
        let Some(room) = self.room else { return u32::MAX };
        let planes = self.rules.layout.count() * size_of::<u64>();
        let seen = self.moves_seen.as_ref().map_or(0, MovesSeen::bytes);
        let of_code = if self.coding.is_some() { size_of::<u32>() } else { 0 };
        let step = size_of::<Step>() + size_of::<G>() + planes + of_code;
        let sums = self.knowledge.codes.map_or(0, MovesSeen::bytes_of_sums);
        let scores = self.knowledge.history_codes.map_or(0, MoveScores::bytes);
        let fixed = size_of_val(&*self.reached) + self.rollouts.bytes() + sums + scores;
        let room = room.saturating_sub(fixed as u64);
        let asked = if self.asks() { self.questions.bytes_of_each() } else { 0 };
        let learnt = self.knowledge.memory().map_or(0, |_| Lessons::BYTES_OF_EACH);
        let each = (seen + asked + learnt) as f64;
        let simulation = step as f64 * f64::from(self.steps_per_simulation) + each;
        (room as f64 / (3.0 * simulation)) as u32
    }

    /// Simulations of the last round of this search, and how many of them have come to what was
    /// proven.
    pub(crate) fn last(&self) -> LastRound {
        let simulations = self.steps.first().map_or(0, |root| root.visits);
        LastRound { simulations, proven: self.proven }
    }

    /// Brings `steps_per_simulation` up to date with a round that is over.
    fn measure_steps(&mut self) {
        let simulations = self.steps.first().map_or(1, |root| root.visits.max(1));
        let now = self.steps.len() as f32 / simulations as f32;
        // Rounds differ, so what was high stays high for a while.
        self.steps_per_simulation = now.max(self.steps_per_simulation * 0.99);
    }

    /// Another one of the same worker, with the same settings.
    pub(crate) fn another(&self, number: u32) -> Self {
        self.another_in(number, self.room)
    }

    /// The same with other memory.
    fn another_in(&self, number: u32, room: Option<u64>) -> Self {
        let knowledge = self.knowledge.clone();
        let (history, at_root) = (self.history.clone(), self.at_root.clone());
        let move_scores = self.move_scores.clone();
        let new = Self::new(self.rules, knowledge, number, room);
        Self { floor: self.floor, history, at_root, move_scores, ..new }
    }

    /// Forgets the endgames that were solved, of every round with the same knowledge.
    pub(crate) fn forget_endgames(&self) {
        if let Some(endgames) = &self.knowledge.endgames {
            endgames.forget();
        }
    }

    /// Halves what is known of moves wherever they are made: a new search begins.
    pub(crate) fn fade_move_scores(&self) {
        if let Some(scores) = &self.move_scores {
            scores.fade();
        }
    }

    /// Forgets what is known of moves.
    pub(crate) fn forget_move_scores(&self) {
        if let Some(scores) = &self.move_scores {
            scores.forget();
        }
    }

    /// Halves what the rollouts of an engine have learnt: a new search begins.
    pub(crate) fn fade_learned(&self) {
        if let Some(memory) = self.knowledge.memory() {
            memory.tables.fade();
        }
    }

    /// Forgets what the rollouts of an engine have learnt.
    pub(crate) fn forget_learned(&self) {
        if let Some(memory) = self.knowledge.memory() {
            memory.tables.forget();
        }
    }

    /// Sets the visits that some branches of the root are to get.
    pub(crate) fn set_floor(&mut self, floor: Option<Floor>) {
        self.floor = floor;
    }

    /// Sets what is special about the root.
    pub(crate) fn set_at_root(&mut self, at_root: Option<Arc<AtRoot>>) {
        self.at_root = at_root;
    }

    /// Sets what was played before the root.
    pub(crate) fn set_history(&mut self, history: Option<Arc<Before<G>>>) {
        self.history = history;
    }

    /// An empty batch for what this round selects.
    pub(crate) fn batch(&self) -> Batch<G> {
        Batch::new(self.rules, self.knowledge.clone())
    }

    /// Plies below the root at which the last round has left the tree, at most.
    pub(crate) fn depth(&self) -> u32 {
        // Steps are stored level by level, so none is deeper than the last one.
        let mut at = self.steps.len().saturating_sub(1);
        let mut depth = 0;
        while at > 0 {
            at = self.steps[at].parent as usize;
            depth += 1;
        }
        depth
    }

    /// Gives the root its edges. False if there is no memory for them.
    ///
    /// # Errors
    /// If the game breaks a law.
    pub(crate) fn expand_root(
        &mut self,
        tree: &Tree<G>,
        root: NodeId,
        state: &G,
        allotment: &mut Allotment,
    ) -> Result<bool, SearchError> {
        self.start(tree, root, state, 0);
        self.expand(tree, 0, allotment)
    }

    /// The first step of a round.
    fn start(&mut self, tree: &Tree<G>, root: NodeId, state: &G, count: u32) {
        self.steps.clear();
        self.states.clear();
        self.planes.clear();
        self.forget_moves_seen();
        self.steps.push(Step {
            place: Place::Inner,
            off_ply: false,
            parent: 0,
            edge: 0,
            node: root,
            children: (0, 0),
            visits: count,
            marked: 0,
            returned: 0,
            sum: 0,
            value: None,
            distance: 0,
            mover: tree.node(root).mover() as u8,
        });
        self.planes.resize(self.rules.layout.count(), 0);
        self.states.push(state.clone());
        self.start_history(state);
    }

    /// How this policy changes the marks of edges.
    fn access(&self) -> Access {
        match self.rules.lock_policy {
            LockPolicy::Block => Access::Alone,
            LockPolicy::Yield | LockPolicy::Defer => Access::Shared,
        }
    }

    /// The steps behind a step; of one that has none, an empty range.
    #[inline]
    fn children(&self, at: usize) -> Range<usize> {
        let (first, count) = self.steps[at].children;
        first as usize..(first + count) as usize
    }

    /// Takes back the mark of a step. Under the write lock of its node if the policy asks
    /// for it.
    fn take_back(&mut self, tree: &Tree<G>, at: usize) {
        let access = self.access();
        let step = &mut self.steps[at];
        step.take_back(tree.edge(step.edge), access);
    }

    /// Takes back the marks of the steps behind a step: none of them came back.
    #[cold]
    fn take_back_children(&mut self, tree: &Tree<G>, at: usize) {
        let node = tree.node(self.steps[at].node);
        let _alone = (self.access() == Access::Alone).then(|| node.lock().write());
        for child in self.children(at) {
            self.take_back(tree, child);
        }
    }

    /// Takes back every mark of the round, and its questions: it will not come back.
    #[cold]
    pub(crate) fn take_back_marks(&mut self, tree: &Tree<G>) {
        self.drop_questions(tree);
        for at in 1..self.steps.len() {
            if self.steps[at].marked > 0 {
                let from = self.steps[self.steps[at].parent as usize].node;
                let node = tree.node(from);
                let _alone = (self.access() == Access::Alone).then(|| node.lock().write());
                self.take_back(tree, at);
            }
        }
    }
}
