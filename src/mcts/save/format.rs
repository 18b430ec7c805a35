//! What the header of the table of a Monte Carlo search says.

use crate::mcts::tree::arena::NO_INDEX;
use crate::mcts::tree::value::DrawScores;
use crate::save::{GameTag, Header, LoadError, Own, TableKind, VERSION};

/// Flags of the header.
const PROOFS: u32 = 2;
const THINNED: u32 = 4;

/// What the header of a saved table says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableInfo {
    /// Version of the file format.
    pub version: u32,
    /// The game.
    pub game: GameTag,
    /// Hash of the form of the key and move types.
    pub layout: u64,
    /// Players of the game.
    pub players: usize,
    /// Statistics of each position beyond one mean score.
    pub planes: usize,
    /// Whether the blocks are compressed.
    pub compressed: bool,
    /// Whether wins, losses and draws were proven upwards.
    pub proofs: bool,
    /// Whether positions were left out, by a limit of memory or for a book.
    pub thinned: bool,
    /// Positions.
    pub nodes: u64,
    /// Positions whose branches are there.
    pub expanded: u64,
    /// Branches.
    pub edges: u64,
    /// Searches of the engine that saved it; they decide the next random numbers.
    pub searches: u64,
    /// Simulations of the engine that saved it.
    pub simulations: u64,
    /// Length of the file in bytes.
    pub file_bytes: u64,
    /// What a draw is worth: every mean of the table has such scores in it.
    pub(super) draws: DrawScores,
    /// The position that the last search began from, by its number in the file.
    pub(super) root: Option<u32>,
    /// Checksum of everything behind the header.
    pub(super) body_checksum: u64,
}

impl TableInfo {
    /// What a draw is worth to each player, in `[0, 1]`: 1/2, unless the engine that saved the
    /// table had [contempt](crate::MctsBuilder::contempt).
    #[must_use]
    pub fn draws(&self) -> Vec<f64> {
        self.draws.scores(self.players)
    }

    /// The header of the file.
    pub(super) fn header(&self) -> Header {
        let flags = u32::from(self.proofs) * PROOFS + u32::from(self.thinned) * THINNED;
        let root = self.root.map_or(0, |root| u64::from(root) + 1);
        let (player, beyond) = self.draws.parts();
        let Self { nodes, expanded, edges, searches, simulations, .. } = *self;
        Header {
            kind: TableKind::Search,
            compressed: self.compressed,
            game: self.game.clone(),
            layout: self.layout,
            file_bytes: self.file_bytes,
            body_checksum: self.body_checksum,
            own: Own {
                flags,
                numbers: [nodes, expanded, edges, searches, simulations, root],
                halves: [self.players as u16, self.planes as u16],
                words: [player as u32, beyond.cast_unsigned()],
            },
        }
    }

    /// What a header says.
    pub(super) fn of(header: &Header) -> Result<Self, LoadError> {
        let Own { flags, numbers, halves: [players, planes], words } = header.own;
        let [nodes, expanded, edges, searches, simulations, root] = numbers;
        let (player, beyond) = (words[0] as usize, words[1].cast_signed());
        let error =
            |expected: String, found: String| Err(LoadError::content("header", expected, found));
        let parts = (player, beyond);
        let Some(draws) = DrawScores::from_parts(usize::from(players), parts) else {
            let expected = format!("what a draw is worth to one of {players} players");
            return error(expected, format!("half a point and {beyond} / 2^28 to player {player}"));
        };
        if nodes > u64::from(NO_INDEX) || root > nodes || expanded > nodes || edges < expanded {
            let expected = "counts that belong together".into();
            return error(
                expected,
                format!("{nodes} nodes, {expanded} expanded, {edges} edges, root {root}"),
            );
        }
        Ok(Self {
            version: VERSION,
            game: header.game.clone(),
            layout: header.layout,
            players: usize::from(players),
            planes: usize::from(planes),
            compressed: header.compressed,
            proofs: flags & PROOFS != 0,
            thinned: flags & THINNED != 0,
            nodes,
            expanded,
            edges,
            searches,
            simulations,
            file_bytes: header.file_bytes,
            draws,
            root: root.checked_sub(1).map(|root| root as u32),
            body_checksum: header.body_checksum,
        })
    }
}
