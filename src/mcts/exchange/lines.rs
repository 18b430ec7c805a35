//! The lines: which positions the engines of an exchange speak of.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use serde::{Deserialize, Serialize};

use crate::game::GameState;
use crate::hash::hash_of;
use crate::laws::MOST_MOVES;
use crate::mcts::tree::node::NodeId;
use crate::prefetch::prefetch;

use super::NODES_AHEAD;
use super::error::ExchangeError;
use super::number::ByNumber;
use super::site::{Common, Site};

/// The most words of a share: half a gigabyte.
const MOST_WORDS: u64 = 1 << 26;

/// The most lines.
const MOST_LINES: usize = 1 << 20;

/// The most visited positions of a search, as lines of branches from its root.
///
/// Plain data, which one engine chooses and all are given: by [serde](serde), with any format. A
/// branch has the same number in all engines of one game, as the order of
/// [`GameState::moves`] is the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    pub(super) common: Common,
    /// Lines that have a table of all moves as first: the first ones.
    pub(super) tables: usize,
    pub(super) places: Vec<Place>,
}

/// A position: where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Place {
    /// The line that this one goes on from, and the branch. The root is the first line, and has 0
    /// and 0.
    pub(super) parent: usize,
    pub(super) branch: u32,
    /// The number of its branches.
    pub(super) branches: u32,
    /// Whether it was in the lines before these: then what is found there is given in detail.
    pub(super) goes_on: bool,
}

impl Lines {
    /// The number of lines. The root is one of them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no line, as no engine chooses them.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The number of 64-bit words that each engine shares of these lines.
    #[must_use]
    pub fn words(&self) -> usize {
        Layout::of(self).map_or(0, |layout| layout.words)
    }

    /// The most visited positions of a search, the root first and each behind one that leads to it.
    /// `goes_on` says whether a node was in the lines before.
    pub(super) fn choose<G: GameState>(
        site: &Site<'_, G>,
        at_most: usize,
        tables: usize,
        goes_on: impl Fn(NodeId) -> bool,
    ) -> Result<Self, ExchangeError> {
        let tree = site.tree;
        let mut places = Vec::new();
        let mut known = HashSet::with_hasher(ByNumber::default());
        // Of equal ones the first: the order is that of the branches, on every machine.
        let mut open = BinaryHeap::from([(u32::MAX, Reverse(0), site.root.0, 0, 0)]);
        let mut order = 0;
        while let Some((_, _, id, parent, branch)) = open.pop()
            && places.len() < at_most.clamp(1, MOST_LINES)
        {
            let node = tree.node(NodeId(id));
            if let Some(next) = open.peek() {
                tree.prefetch_edges(tree.node(NodeId(next.2)));
            }
            let Some(range) = node.edge_range() else { continue };
            if !known.insert(id) {
                continue;
            }
            let number = places.len();
            // The root always does: nothing comes to it by a branch.
            let goes_on = number == 0 || goes_on(NodeId(id));
            places.push(Place { parent, branch, branches: range.count(), goes_on });
            for (branch, edge) in (0..).zip(tree.edges(range)) {
                let (stats, child) = (edge.stats(), edge.child());
                if let Some(child) = child.filter(|_| stats.visits > 0) {
                    prefetch(tree.node(child));
                    order += 1;
                    open.push((stats.visits, Reverse(order), child.0, number, branch));
                }
            }
        }
        if places.is_empty() {
            return Err(ExchangeError::NothingSearched);
        }
        let common = site.common();
        let mut lines = Self { common, tables: tables.min(places.len()), places };
        // Of a large board fewer positions.
        while let Err(ExchangeError::TooLarge { .. }) = Layout::of(&lines)
            && lines.places.len() > 1
        {
            lines.places.truncate(lines.places.len() / 2);
            lines.tables = lines.tables.min(lines.places.len());
        }
        Ok(lines)
    }

    /// The node of each line; `None` where the tree has none with branches, or had it before.
    ///
    /// # Errors
    /// If the lines are none of an engine, or a position has another number of branches here.
    pub(super) fn follow<G: GameState>(
        &self,
        site: &Site<'_, G>,
    ) -> Result<Vec<Option<NodeId>>, ExchangeError> {
        let tree = site.tree;
        let mut nodes: Vec<Option<NodeId>> = Vec::with_capacity(self.places.len());
        let hasher = ByNumber::default();
        let mut known = HashSet::with_capacity_and_hasher(self.places.len(), hasher);
        let child = |place: &Place, nodes: &[Option<NodeId>]| {
            let parent = nodes.get(place.parent).copied().flatten()?;
            tree.edges_of(tree.node(parent)).get(place.branch as usize)?.child()
        };
        for (line, place) in self.places.iter().enumerate() {
            if let Some(ahead) = self.places.get(line + NODES_AHEAD)
                && let Some(child) = child(ahead, &nodes)
            {
                prefetch(tree.node(child));
            }
            let child = if line == 0 { Some(site.root) } else { child(place, &nodes) };
            if let Some(id) = child {
                tree.prefetch_edges(tree.node(id));
            }
            let range = child.and_then(|id| tree.node(id).edge_range());
            if let Some(range) = range.filter(|range| range.count() != place.branches) {
                let (expected, found) = (place.branches, range.count());
                return Err(ExchangeError::Branches { line, expected, found });
            }
            nodes.push(child.filter(|id| range.is_some() && known.insert(id.0)));
        }
        Ok(nodes)
    }

    /// A number that other lines do not have, below 2^31.
    pub(super) fn check_word(&self) -> i64 {
        (hash_of(&(self.common, self.tables, &self.places)) >> 33) as i64
    }
}

/// Words before those of the lines: the number of engines, and the check word of each.
pub(super) const HEADER: usize = 2;

/// Where the words of each line are in a share.
///
/// A line has groups of `stride` words: visits, the sum of their scores, and that of each further
/// score. The first group is that of the rollouts which began at the position itself, and each
/// branch has one. Behind them comes a word for each branch that says what is proven, if the
/// engines keep proofs, and the table of all moves as first, counts and then points, if the line has
/// one.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) stride: usize,
    /// The first word of each line.
    starts: Vec<usize>,
    pub(super) words: usize,
    has_proofs: bool,
    /// Words of a table, and the lines that have one.
    table: usize,
    tables: usize,
}

impl Layout {
    /// The layout of lines from anywhere.
    ///
    /// # Errors
    /// If the lines are none that an engine has chosen.
    pub(super) fn of(lines: &Lines) -> Result<Self, ExchangeError> {
        let Lines { common, tables, places } = lines;
        let most = MOST_WORDS;
        let too_large = |found| ExchangeError::TooLarge { most, found };
        if places.is_empty() {
            return Err(ExchangeError::Line { line: 0 });
        }
        let stride = common.planes.saturating_add(2);
        let table = match common.codes {
            0 => 0,
            codes => codes.saturating_mul(common.players).saturating_add(1),
        };
        let per_branch = stride.saturating_add(common.proofs);
        let mut words = HEADER as u64;
        let mut starts = Vec::with_capacity(places.len().min(MOST_LINES));
        for (line, place) in places.iter().enumerate() {
            let comes_from = places.get(place.parent).filter(|_| place.parent < line);
            let is_there = comes_from.is_some_and(|from| place.branch < from.branches);
            let has_branches = (1..=MOST_MOVES as u64).contains(&place.branches.into());
            if !has_branches || (line > 0 && !is_there) {
                return Err(ExchangeError::Line { line });
            }
            starts.push(words as usize);
            let of_branches = u64::from(place.branches).saturating_mul(per_branch);
            let of_table = if line < *tables { table.saturating_mul(2) } else { 0 };
            words = [stride, of_branches, of_table].into_iter().fold(words, u64::saturating_add);
            if words > most {
                return Err(too_large(words));
            }
        }
        Ok(Self {
            stride: stride as usize,
            starts,
            words: words as usize,
            has_proofs: common.proofs > 0,
            table: table as usize,
            tables: *tables,
        })
    }

    /// The parts of a line in the words of a share.
    pub(super) fn parts<'a>(&self, line: usize, place: &Place, words: &'a [i64]) -> Parts<'a> {
        let branches = place.branches as usize;
        let (groups, rest) = words[self.starts[line]..].split_at((1 + branches) * self.stride);
        let (proofs, rest) = rest.split_at(if self.has_proofs { branches } else { 0 });
        let (counts, rest) = rest.split_at(if line < self.tables { self.table } else { 0 });
        Parts { groups, proofs, counts, points: &rest[..counts.len()] }
    }

    /// As [`parts`](Self::parts), to be written.
    pub(super) fn parts_mut<'a>(
        &self,
        line: usize,
        place: &Place,
        words: &'a mut [i64],
    ) -> PartsMut<'a> {
        let branches = place.branches as usize;
        let rest = &mut words[self.starts[line]..];
        let (groups, rest) = rest.split_at_mut((1 + branches) * self.stride);
        let (proofs, rest) = rest.split_at_mut(if self.has_proofs { branches } else { 0 });
        let (counts, rest) = rest.split_at_mut(if line < self.tables { self.table } else { 0 });
        let points = &mut rest[..counts.len()];
        PartsMut { groups, proofs, counts, points }
    }
}

/// The words of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    pub(super) groups: &'a [i64],
    pub(super) proofs: &'a [i64],
    pub(super) counts: &'a [i64],
    pub(super) points: &'a [i64],
}

/// The words of a line, to be written.
#[derive(Debug)]
pub(super) struct PartsMut<'a> {
    pub(super) groups: &'a mut [i64],
    pub(super) proofs: &'a mut [i64],
    pub(super) counts: &'a mut [i64],
    pub(super) points: &'a mut [i64],
}
