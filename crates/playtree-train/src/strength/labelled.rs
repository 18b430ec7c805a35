//! Positions whose moves are labelled with exact values.

use std::path::Path;
use std::{fs, io};

use playtree::evaluate::Elsewhere;
use playtree::mcts::{Gumbel, Root};
use playtree::{GameState, Mcts, Notation};
use playtree_planes::{Planes, write};

use crate::crew::share;
use crate::net::Net;
use crate::play::{Answered, PlayError, search_all};

/// Positions, each with the moves that keep its value.
#[derive(Clone, Debug, Default)]
pub struct Labelled<G: GameState> {
    positions: Vec<(G, Vec<G::Move>)>,
}

/// Why there are no labelled positions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelledError {
    /// The folder or a file cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A line is none.
    #[error("{path}:{line}: expected {expected}, found '{found}'")]
    Line {
        /// The file.
        path: String,
        /// The number of the line, from 1.
        line: usize,
        /// What was expected.
        expected: String,
        /// What is there.
        found: String,
    },
}

/// Positions that are searched in one batch.
const TOGETHER: usize = 32;

impl<G: Planes + Notation> Labelled<G> {
    /// Reads the files `*.tsv` of a folder: in each line the moves to a position (or `(empty)`), a
    /// tab, and a score for each column, above 0 a win, 0 a draw, `-` if it is full. Lines that
    /// begin with `#` are left out.
    ///
    /// # Errors
    /// If a file cannot be read or a line is no such one.
    pub fn read(folder: &Path) -> Result<Self, LabelledError> {
        let failed =
            |path: &Path, error| LabelledError::Io { path: path.display().to_string(), error };
        let entries = fs::read_dir(folder).map_err(|error| failed(folder, error))?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<_> =
            paths.collect::<Result<_, _>>().map_err(|error| failed(folder, error))?;
        paths.retain(|path| path.extension().is_some_and(|found| found == "tsv"));
        paths.sort();
        let mut positions = Vec::new();
        for path in &paths {
            let text = fs::read_to_string(path).map_err(|error| failed(path, error))?;
            for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
                let position = position_of(line).map_err(|expected| LabelledError::Line {
                    path: path.display().to_string(),
                    line: number + 1,
                    expected,
                    found: line.to_owned(),
                })?;
                positions.push(position);
            }
        }
        Ok(Self { positions })
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The share of positions in which the move with the highest logit keeps the value.
    ///
    /// # Errors
    /// If the network does not compute.
    pub fn kept_by_policy(&self, net: &Net) -> Result<f64, PlayError> {
        let mut planes = Vec::new();
        self.positions.iter().for_each(|(state, _)| write(state, &mut planes));
        let outputs = net.evaluate(&planes)?;
        let rows = outputs.logits.chunks_exact(G::FORM.moves);
        let kept = self.positions.iter().zip(rows).filter(|((state, good), logits)| {
            best_move(state, logits).is_some_and(|mv| good.contains(&mv))
        });
        Ok(kept.count() as f64 / self.len() as f64)
    }

    /// The share of positions in which a search keeps the value.
    ///
    /// # Errors
    /// If the network or a search does not go on.
    pub fn kept_by_search(
        &self,
        net: &Net,
        simulations: u64,
        threads: usize,
    ) -> Result<f64, PlayError> {
        let parts = self.positions.chunks(TOGETHER).collect();
        let kept = share(threads, parts, |positions: &[(G, Vec<G::Move>)]| {
            let engines = (0..positions.len()).map(|_| engine(1));
            let mut engines: Vec<Mcts<G>> = engines.collect::<Result<_, _>>()?;
            let searches = engines.iter_mut().zip(positions).map(|(e, (state, _))| (e, state));
            let reports = search_all(searches.collect(), simulations, &mut Answered::new(net))?;
            let kept = reports.iter().zip(positions);
            Ok::<_, PlayError>(kept.filter(|(r, (_, good))| good.contains(&r.best_move)).count())
        })?;
        Ok(kept.iter().sum::<usize>() as f64 / self.len() as f64)
    }
}

/// An engine that plays its best.
pub(super) fn engine<G: Planes>(seed: u64) -> Result<Mcts<G>, playtree::ConfigError> {
    let gumbel = Gumbel { noise: 0.0, ..Gumbel::default() };
    Mcts::builder()
        .threads(1)
        .seed(seed)
        .reuse(false)
        .network(Elsewhere::new(1))
        .root(Root::Gumbel(gumbel))
        .build()
}

/// The legal move with the highest logit.
pub(super) fn best_move<G: Planes>(state: &G, logits: &[f32]) -> Option<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let logit = |mv: &G::Move| logits[G::move_number(mv)];
    moves.into_iter().max_by(|one, other| logit(one).total_cmp(&logit(other)))
}

/// The position of a line, and the moves that keep its value; or what was expected.
fn position_of<G: Planes + Notation>(line: &str) -> Result<(G, Vec<G::Move>), String> {
    let (moves, scores) = line.split_once('\t').ok_or("moves, a tab, and scores")?;
    let text = if moves == "(empty)" { "" } else { moves };
    let state = G::parse_position(text).map_err(|error| error.to_string())?;
    let mut legal = Vec::new();
    state.moves(&mut legal);
    let scores: Vec<&str> = scores.split_whitespace().collect();
    if scores.len() != G::FORM.columns {
        return Err(format!("a score for each of {} columns", G::FORM.columns));
    }
    let mut signs = Vec::with_capacity(legal.len());
    for mv in &legal {
        let score: Option<i32> = scores.get(G::move_number(mv)).and_then(|s| s.parse().ok());
        signs.push(score.ok_or("a number for each column with room")?.signum());
    }
    let best = signs.iter().max().copied().ok_or("a position where the game goes on")?;
    let good = legal.into_iter().zip(signs).filter(|(_, sign)| *sign == best);
    Ok((state, good.map(|(mv, _)| mv).collect()))
}

#[cfg(test)]
mod tests {
    use playtree::GameState;
    use playtree::games::ConnectFour;

    use super::position_of;

    #[test]
    fn moves_that_keep_the_value_are_those_of_its_sign() {
        let (state, good) = position_of::<ConnectFour>("45\t1 2 -2 0 0 -3 -3").unwrap();
        assert_eq!(state.plies(), 2);
        assert_eq!(good.iter().map(|mv| mv.index()).collect::<Vec<_>>(), [0, 1]);
        let (_, good) = position_of::<ConnectFour>("(empty)\t-2 -1 0 1 0 -1 -2").unwrap();
        assert_eq!(good.iter().map(|mv| mv.index()).collect::<Vec<_>>(), [3]);
        for (line, expected) in [
            ("45 1", "moves, a tab"),
            ("45\t1 2", "a score for each of 7 columns"),
            ("45\t1 2 - 0 0 -3 -3", "a number for each column"),
            ("48\t1", "expected a column"),
        ] {
            let error = position_of::<ConnectFour>(line).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
