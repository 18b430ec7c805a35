//! Statistics that go out of an engine and into others: one search on many engines.
//!
//! Engines that search one position exchange what they know of the top of its tree, again and again:
//! the [`Lines`] are the most visited positions, as one engine chooses them. Each engine makes a
//! *share* of them: a flat list of integers that say what it has found since the share before. The
//! shares are summed up, number by number, by a loop in one process or by an all-reduce of MPI on a
//! cluster; and each engine absorbs the sum, less its own share. Then all of them know what each has
//! found, up to what was found meanwhile: a sum may come late.
//!
//! # What is exchanged
//! Of each position visits, scores for all players, what is proven of its branches, and the tables
//! of all moves as first that GRAVE reads. Visits are exact: what an engine has from others it never
//! says again, and each visit comes to each engine once. It comes in detail where the position was
//! in the lines before, and else as a rollout of the position that the last line leads to. So the
//! memory for an exchange grows with the number of lines alone.
//!
//! What cannot be separated is not said: when a position was evicted and is made anew, or its
//! counts were halved, the count of what is new begins again there.
//!
//! # What it costs
//! An engine that exchanges nothing is not slower by it, and finds the same, byte for byte. To make
//! a share or to absorb a sum takes some hundred microseconds for 512 lines of Othello. An engine
//! that searches in the background goes on meanwhile; a worker waits for one position at a time, as
//! for another worker.
//!
//! # Examples
//! Two engines in one process. On a cluster the lines are broadcast, and the sum is an all-reduce:
//! ```
//! use playtree::games::ConnectFour;
//! use playtree::mcts::exchange::{Exchange, add};
//! use playtree::{Budget, Mcts};
//!
//! let start = ConnectFour::new();
//! let engine = |seed| Mcts::builder().threads(1).seed(seed).build();
//! let mut engines = [engine(1)?, engine(2)?];
//! let mut exchanges = [Exchange::new(), Exchange::new()];
//! for _ in 0..10 {
//!     for engine in &mut engines {
//!         engine.search(&start, &Budget::simulations(1_000))?;
//!     }
//!     let lines = exchanges[0].lines(&mut engines[0], 512)?;
//!     let mut sum = vec![0; lines.words()];
//!     for (exchange, engine) in exchanges.iter_mut().zip(&mut engines) {
//!         add(&mut sum, &exchange.share(engine, &lines)?);
//!     }
//!     for (exchange, engine) in exchanges.iter_mut().zip(&mut engines) {
//!         exchange.absorb(engine, &sum)?;
//!     }
//! }
//! let [one, other] = engines.map(|mut engine| engine.search(&start, &Budget::simulations(0)));
//! assert_eq!(one?.visits(), other?.visits());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod absorb;
mod error;
mod ledger;
mod lines;
mod number;
mod proof;
mod site;
mod sums;
#[cfg(all(test, feature = "games", not(loom)))]
mod tests;

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::GameState;
use crate::mcts::tree::Ticket;
use crate::mcts::tree::exchanged::Team;
use crate::mcts::tree::node::NodeId;

pub use error::{ExchangeError, Kind, Part};
pub use lines::Lines;
pub use site::Engine;

use absorb::Absorption;
use ledger::{Entry, Totals};
use lines::Layout;
use number::ByNumber;
use proof::MOST_ENGINES;
use site::Site;
use sums::Foreign;

/// Positions that exchange their tables of all moves as first, if it is not said.
const DEFAULT_TABLES: usize = 16;

/// The memory of a position is asked for this number of positions before it is read.
const NODES_AHEAD: usize = 4;

/// What one engine keeps for its part in an exchange: what it has shared and absorbed so far.
///
/// Each engine has one of its own, from the first exchange to the last, also over several searches
/// and moves: it notices when the engine has forgotten all. The calls block the caller alone; see
/// the [module](self) for what they do and how long they take.
pub struct Exchange {
    tables: usize,
    team: Team,
    /// What is known of nodes, by their numbers, is true of this tree.
    tree: Option<Ticket>,
    /// The mark of the nodes that have an entry.
    mark: u8,
    entries: Entries,
    /// The memory of an older share.
    spare: Vec<i64>,
    pending: Option<Pending>,
}

/// What is accounted for, by the numbers of the nodes.
type Entries = HashMap<u32, Entry, ByNumber>;

/// A share whose sum has not come.
struct Pending {
    lines: Lines,
    layout: Layout,
    share: Vec<i64>,
    root: NodeId,
}

/// What an engine has got from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Absorbed {
    /// The other engines.
    pub engines: u32,
    /// Their simulations that have passed the root since their shares before.
    pub visits: u64,
    /// Positions of the lines that this engine has.
    pub positions: u32,
    /// Branches that others have proven, and this engine had not.
    pub proofs: u32,
}

/// Adds a share to a sum of shares, number by number. What leaves the range of the numbers wraps, as
/// in the sums of MPI; [`Exchange::absorb`] refuses it.
///
/// # Panics
/// If they are not of the same length: shares of the same [`Lines`] are.
pub fn add(sum: &mut [i64], share: &[i64]) {
    assert_eq!(sum.len(), share.len(), "shares of the same lines have the same length");
    for (sum, share) in sum.iter_mut().zip(share) {
        *sum = sum.wrapping_add(*share);
    }
}

impl Exchange {
    /// The part of an engine that has exchanged nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            tables: DEFAULT_TABLES,
            team: Team::ALONE,
            tree: None,
            mark: 0,
            entries: Entries::default(),
            spare: Vec::new(),
            pending: None,
        }
    }

    /// The part of one of several engines that search the same position at the same time: the one
    /// with this `number`, from 0 on, which no other of the `engines` has.
    ///
    /// From the first sum with shares of all of them until its search ends the engine divides what
    /// all of them are to search next, as the workers of one engine do, and does its own part of it.
    /// So they crowd the same lines less. If no further sum has come when the root has four times
    /// the visits that it had at the last one, the engine searches for all again.
    ///
    /// # Errors
    /// If there is no such engine, or there are more than 4095.
    pub fn one_of(number: usize, engines: usize) -> Result<Self, ExchangeError> {
        if number >= engines || engines > MOST_ENGINES as usize {
            return Err(ExchangeError::Member { most: MOST_ENGINES, number, engines });
        }
        let team = Team { number: number as u16, engines: engines as u16 };
        Ok(Self { team, ..Self::new() })
    }

    /// How many positions exchange their tables of all moves as first, the most visited ones; 16 if
    /// not set. Only the engine that chooses the lines is asked. A table has two words for each
    /// player and code of a move: in Hex 11 these are four kilobytes.
    #[must_use]
    pub fn tables(mut self, count: usize) -> Self {
        self.tables = count;
        self
    }

    /// Chooses the lines of an exchange: the root, and the positions below it with the most visits,
    /// `at_most` of them together, at least one. Fewer if the tree has fewer, or, on a large board,
    /// a share would have more than 2^26 words.
    ///
    /// One engine chooses, and all are given the same lines.
    ///
    /// # Errors
    /// If nothing was searched.
    pub fn lines<G: GameState>(
        &mut self,
        engine: &mut impl Engine<G>,
        at_most: usize,
    ) -> Result<Lines, ExchangeError> {
        visit(engine, |site| {
            self.enter(site);
            Lines::choose(site, at_most, self.tables, |id| {
                self.entries.contains_key(&id.0) && site.tree.node(id).exchange_mark() == self.mark
            })
        })
    }

    /// What the engine itself has found at these lines since its last share: one number for each of
    /// [`Lines::words`].
    ///
    /// Of the root the first share says everything, if the engine has absorbed nothing and loaded
    /// nothing before. A share is said once: if its sum never comes, and the next share is made,
    /// what was in it is not said again.
    ///
    /// # Errors
    /// If the engine searches another game or position than the one that chose the lines, has other
    /// options, or the lines are none of an engine. Nothing is changed then.
    pub fn share<G: GameState>(
        &mut self,
        engine: &mut impl Engine<G>,
        lines: &Lines,
    ) -> Result<Vec<i64>, ExchangeError> {
        visit(engine, |site| {
            lines.common.check(&site.common())?;
            let layout = Layout::of(lines)?;
            let nodes = lines.follow(site)?;
            self.enter(site);
            let share = self.share_nodes(site, (lines, &layout), &nodes);
            self.pending = Some(Pending {
                lines: lines.clone(),
                layout,
                share: share.clone(),
                root: site.root,
            });
            Ok(share)
        })
    }

    fn share_nodes<G: GameState>(
        &mut self,
        site: &Site<'_, G>,
        (lines, layout): (&Lines, &Layout),
        nodes: &[Option<NodeId>],
    ) -> Vec<i64> {
        let tree = site.tree;
        let mut words = std::mem::take(&mut self.spare);
        words.clear();
        words.resize(layout.words, 0);
        (words[0], words[1]) = (1, lines.check_word());
        let mut totals = Totals::default();
        let mut entries = Entries::default();
        entries.reserve(nodes.len());
        for (line, (place, id)) in lines.places.iter().zip(nodes).enumerate() {
            if let Some(Some(ahead)) = nodes.get(line + NODES_AHEAD) {
                tree.prefetch_edges(tree.node(*ahead));
            }
            let Some(id) = *id else { continue };
            let node = tree.node(id);
            let mut out = layout.parts_mut(line, place, &mut words);
            let parts = (layout.stride, !out.counts.is_empty());
            let is_same = totals.read(tree, (id, node), parts, self.mark);
            let known = self.entries.remove(&id.0).filter(|_| is_same);
            let is_all_own = !tree.exchanged.has_absorbed() && !node.is_loaded();
            let entry = match known {
                Some(entry) if place.goes_on => Some(entry),
                None if line == 0 && is_all_own => Some(Entry::empty(&totals)),
                // What was found before has come by the branch that leads here.
                _ => None,
            };
            let entry = match entry {
                Some(mut entry) => {
                    entry.share(&totals, layout.stride, &mut out);
                    entry
                }
                None => Entry::of(&totals),
            };
            totals.share_proofs(out.proofs);
            entries.insert(id.0, entry);
        }
        self.entries = entries;
        words
    }

    /// Takes what other engines have found: the sum of all shares, this engine's among them.
    ///
    /// The engine may have searched on since its share. Where the sum comes too late, as the engine
    /// searches another position by then, it is refused, and what the others have found since then
    /// does not come to this engine.
    ///
    /// # Errors
    /// If there is no share, the position is another one, or the sum cannot be one of shares of
    /// these lines. Nothing of it is absorbed then, and the share is under way no more: but for a
    /// sum of the wrong length, after which the right one may still come.
    pub fn absorb<G: GameState>(
        &mut self,
        engine: &mut impl Engine<G>,
        sum: &[i64],
    ) -> Result<Absorbed, ExchangeError> {
        visit(engine, |site| {
            self.enter(site);
            let found = sum.len();
            let pending = self.pending.take_if(|pending| pending.share.len() == found);
            let Some(Pending { lines, layout, share, root }) = pending else {
                return Err(match &self.pending {
                    Some(Pending { share, .. }) => {
                        ExchangeError::Length { expected: share.len(), found }
                    }
                    None => ExchangeError::NothingShared,
                });
            };
            let foreign = Foreign::of(&lines, &layout, share, sum)?;
            if root != site.root || lines.common != site.common() {
                return Err(ExchangeError::OtherRoot);
            }
            let nodes = lines.follow(site)?;
            let absorption = Absorption {
                tree: site.tree,
                lines: &lines,
                layout: &layout,
                foreign: &foreign,
                nodes: &nodes,
                entries: &mut self.entries,
                mark: self.mark,
            };
            let absorbed = absorption.run();
            self.spare = foreign.words;
            self.set_team(site, absorbed.engines);
            Ok(absorbed)
        })
    }

    /// Lets the engine search for itself, or as one of its team if `others` are all the others.
    fn set_team<G: GameState>(&self, site: &Site<'_, G>, others: u32) {
        let exchanged = &site.tree.exchanged;
        if u32::from(self.team.engines) == others + 1 {
            exchanged.search_together(self.team, site.tree.node(site.root).visits());
        } else {
            exchanged.search_alone();
        }
    }

    /// Begins anew if this is another tree than before.
    fn enter<G: GameState>(&mut self, site: &Site<'_, G>) {
        if !site.tree.renew(&mut self.tree) {
            self.mark = site.tree.exchanged.begin();
            self.entries.clear();
            self.pending = None;
        }
    }
}

/// Calls `act` with the tree of an engine.
fn visit<G: GameState, T>(
    engine: &mut impl Engine<G>,
    act: impl FnOnce(&Site<'_, G>) -> Result<T, ExchangeError>,
) -> Result<T, ExchangeError> {
    engine.visit(act).unwrap_or(Err(ExchangeError::NothingSearched))
}

impl Default for Exchange {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("tables", &self.tables)
            .field("positions", &self.entries.len())
            .field("is_under_way", &self.pending.is_some())
            .finish_non_exhaustive()
    }
}
