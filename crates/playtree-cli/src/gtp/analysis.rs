//! What a search has found in the words of the programs that clients know: `lz-analyze` of Leela
//! Zero and `kata-analyze` of KataGo, which Sabaki and Lizzie read.

use std::time::Duration;

use playtree::dynamic::AnyMove;
use playtree_session::{Position, Root};

use super::letters::Letters;
use crate::games::read_move;
use crate::protocols::{Finding, Variation};

/// Whose words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Win rates and priors as whole numbers to 10000.
    Leela,
    /// As numbers to 1.
    Kata,
}

/// What a client asks for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    dialect: Dialect,
    pub(super) letters: Letters,
    /// Between two lines.
    pub(super) interval: Duration,
    /// The most moves of a line.
    most: usize,
    /// The moves that are looked at, or are not.
    pub(super) root: Root,
}

/// The shortest time between two lines: a client could ask for none.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);
/// Where the client names none.
const USUAL_INTERVAL: Duration = Duration::from_millis(500);

impl Wanted {
    /// Reads what follows the colour: hundredths of a second, and words with their values. Words of
    /// other programs that are about what the game does not have are left out.
    ///
    /// # Errors
    /// If something is not understood: what was expected and what was found.
    pub(super) fn read(
        dialect: Dialect,
        letters: Letters,
        words: &[&str],
        position: &Position,
    ) -> Result<Self, String> {
        let mut wanted = Self {
            dialect,
            letters,
            interval: USUAL_INTERVAL,
            most: usize::MAX,
            root: Root::new(),
        };
        let mut words = words.iter().copied();
        let mut has_interval = false;
        while let Some(word) = words.next() {
            if let (Ok(number), false) = (word.parse::<u32>(), has_interval) {
                wanted.set_interval(number);
                has_interval = true;
                continue;
            }
            let mut value = || {
                words.next().ok_or_else(|| format!("syntax error: expected a value after {word}"))
            };
            let number = |text: &str| {
                text.parse::<u32>().map_err(|_| {
                    format!("syntax error: expected a number after {word}, found '{text}'")
                })
            };
            match word {
                "interval" => wanted.set_interval(number(value()?)?),
                "maxmoves" => wanted.most = number(value()?)?.max(1) as usize,
                "minmoves" => drop(number(value()?)?),
                "avoid" | "allow" => {
                    // A colour, moves, and until which depth: here it is the first one.
                    let (_, vertices, _) = (value()?, value()?, value()?);
                    let moves = read_moves(vertices, letters, position)?;
                    match word {
                        "avoid" => wanted.root.except.extend(moves),
                        _ => wanted.root.only.get_or_insert_default().extend(moves),
                    }
                }
                "ownership"
                | "ownershipStdev"
                | "movesOwnership"
                | "movesOwnershipStdev"
                | "pvVisits"
                | "pvEdgeVisits"
                | "rootInfo"
                | "noResultValue" => drop(value()?),
                other => {
                    let expected = "expected an interval or a word such as maxmoves";
                    return Err(format!("syntax error: {expected}, found '{other}'"));
                }
            }
        }
        Ok(wanted)
    }

    fn set_interval(&mut self, hundredths: u32) {
        let interval = Duration::from_millis(10 * u64::from(hundredths));
        self.interval = interval.max(SHORTEST_INTERVAL);
    }

    /// The line for what was found.
    pub(super) fn line(&self, finding: &Finding) -> String {
        let all: u64 = finding.variations.iter().map(|found| found.visits).sum();
        let mut entries = Vec::new();
        let is_known = |found: &&Variation| found.visits > 0 || found.proven.is_some();
        let seen = finding.variations.iter().filter(is_known);
        for (order, found) in seen.take(self.most).enumerate() {
            let line: Vec<String> =
                found.line.iter().map(|mv| self.letters.to_theirs(mv)).collect();
            let (mv, visits, pv) = (&line[0], found.visits.max(1), line.join(" "));
            // What is proven at first sight has no visits, and clients divide by them. The share of
            // visits stands for a prior, which this search does not have.
            let share = visits as f64 / all.max(1) as f64;
            let (rate, low) = (found.win_rate, found.lower_bound);
            entries.push(match self.dialect {
                Dialect::Leela => {
                    let [rate, share, low] =
                        [rate, share, low].map(|part| (10_000.0 * part).round() as u32);
                    format!(
                        "info move {mv} visits {visits} winrate {rate} prior {share} lcb {low} \
                         order {order} pv {pv}"
                    )
                }
                Dialect::Kata => format!(
                    "info move {mv} visits {visits} utility {:.6} winrate {rate:.6} \
                     scoreMean 0 scoreStdev 0 scoreLead 0 scoreSelfplay 0 prior {share:.6} \
                     lcb {low:.6} utilityLcb {:.6} order {order} pv {pv}",
                    2.0 * rate - 1.0,
                    2.0 * low - 1.0
                ),
            });
        }
        entries.join(" ")
    }
}

/// Moves with commas between.
fn read_moves(
    vertices: &str,
    letters: Letters,
    position: &Position,
) -> Result<Vec<AnyMove>, String> {
    // What cannot be played here is avoided as it is.
    let moves = vertices.split(',').filter(|vertex| !vertex.eq_ignore_ascii_case("pass"));
    moves.map(|vertex| read_move(position, &letters.to_ours(vertex))).collect()
}
