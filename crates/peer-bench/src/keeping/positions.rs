//! Positions in which the exact worth of every move is known.

mod cells;
mod columns;
mod discs;
pub(super) mod made;

use std::fs;
use std::path::Path;

use playtree::{MctsBuilder, Solvable};
#[cfg(feature = "onnx")]
use playtree_onnx::OnnxNetwork;
#[cfg(feature = "onnx")]
use playtree_planes::Planes;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Failure;
use crate::engine::Game;
use crate::keeping::measure::Measure;

/// A position and what its moves are worth.
#[derive(Clone)]
pub(super) struct Labelled<G: Game> {
    /// The position, which is not the end of a game.
    pub(super) state: G,
    /// The legal moves, and what each is worth for the side that plays it: in points. The
    /// sign says whether it wins, draws or loses.
    pub(super) worths: Vec<(G::Move, i32)>,
}

impl<G: Measured> Labelled<G> {
    /// What the best move is worth.
    pub(super) fn best(&self) -> i32 {
        self.worths.iter().map(|(_, worth)| *worth).max().unwrap_or(0)
    }

    /// What `mv` is worth, `None` if it is no legal move.
    pub(super) fn worth(&self, mv: &G::Move) -> Option<i32> {
        self.worths.iter().find(|(legal, _)| legal == mv).map(|(_, worth)| *worth)
    }

    /// Whether some moves lose more than others, as `measure` counts.
    pub(super) fn counts_for(&self, measure: Measure) -> bool {
        let best = self.best();
        self.worths.iter().any(|(_, worth)| measure.loss(best, *worth) > 0.0)
    }

    /// Whether it counts for one of the measures of its game.
    pub(super) fn counts_for_any(&self) -> bool {
        G::MEASURES.iter().any(|measure| self.counts_for(*measure))
    }
}

/// What was read.
pub(super) struct Reading<G: Game> {
    /// The positions, in the order of the file.
    pub(super) positions: Vec<Labelled<G>>,
    /// Why positions were left out, and the number of those that were.
    pub(super) left_out: Vec<(&'static str, usize)>,
}

impl<G: Game> Reading<G> {
    /// All of the positions.
    fn all(positions: Vec<Labelled<G>>) -> Self {
        Self { positions, left_out: Vec::new() }
    }
}

/// A game that has positions with exact worths.
pub(super) trait Measured: Game + Solvable {
    /// How it is counted what a move loses, a table for each.
    const MEASURES: &'static [Measure];

    /// What a reader must know of the positions in files.
    const NOTE: Option<&'static str> = None;

    /// Reads the text of a file of positions. An error says what was expected and found, and in
    /// which line.
    fn read(text: &str) -> Result<Reading<Self>, String>;

    /// The builder with the network in a file.
    fn asking(builder: MctsBuilder<Self>, file: &Path) -> Result<MctsBuilder<Self>, String> {
        let _ = builder;
        Err(format!("expected connect4 or othello for a network, found '{}'", file.display()))
    }
}

/// Reads a file of positions.
pub(super) fn read<G: Measured>(file: &Path) -> Result<Reading<G>, Failure> {
    let place = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("{place}: {error}"))?;
    Ok(G::read(&text).map_err(|error| format!("{place}, {error}"))?)
}

/// The builder with the network in a file.
#[cfg(feature = "onnx")]
fn with_network<G: Game + Planes>(
    builder: MctsBuilder<G>,
    file: &Path,
) -> Result<MctsBuilder<G>, String> {
    let network = OnnxNetwork::open(file).map_err(|error| error.to_string())?;
    Ok(builder.network(network.batch(1)))
}

/// Adds the number of the line to what is wrong with it.
fn in_line<T>(index: usize, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|error| format!("line {}: {error}", index + 1))
}

/// The name in the line of a JSON file that says where it comes from.
const PROVENANCE: &str = "PROVENANCE";

/// Reads each JSON line by `read`, except for those that say where a file comes from.
fn read_json<T: DeserializeOwned, R>(
    text: &str,
    mut read: impl FnMut(T) -> Result<R, String>,
) -> Result<Vec<R>, String> {
    let mut all = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row = serde_json::from_str(line).map_err(|error| error.to_string());
        let row: Value = in_line(index, row)?;
        if row.get(PROVENANCE).is_none() {
            let row = serde_json::from_value(row).map_err(|error| error.to_string());
            all.push(in_line(index, row.and_then(&mut read))?);
        }
    }
    Ok(all)
}

/// The text of a file of the data beside the repository; `None`, with a message, where it is
/// absent.
#[cfg(test)]
fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: {} is not there", path.display());
    }
    text
}
