//! Random openings, each different as long as there are others.

use std::collections::HashSet;

use playtree::dynamic::AnyMove;
use playtree::game::random_move;
use playtree::{GameState, Rng};
use playtree_session::Position;

use crate::error::CliError;

/// Draws without a new opening after which an earlier opening comes again.
const DRAWS: u32 = 1000;

/// Plies of an opening unless they are set: more than the fewest only where these give too few
/// openings.
const FEWEST_PLIES: u32 = 2;
const MOST_PLIES: u32 = 16;

/// Draws `count` lines of `plies` random moves from `start` that do not end the game. Two of
/// them lead to the same position only if no other can be found.
pub(crate) fn draw(
    start: &Position,
    count: usize,
    plies: u32,
    seed: u64,
) -> Result<Vec<Vec<AnyMove>>, CliError> {
    draw_or_lengthen(start, count, Some(plies), seed)
}

/// As [`draw`] with `plies`, or, without them, with two, and with one more wherever no opening is
/// left that is not one of the lines.
pub(crate) fn draw_or_lengthen(
    start: &Position,
    count: usize,
    plies: Option<u32>,
    seed: u64,
) -> Result<Vec<Vec<AnyMove>>, CliError> {
    let (mut plies, mut most) = plies.map_or((FEWEST_PLIES, MOST_PLIES), |plies| (plies, plies));
    let mut rng = Rng::from_seed(seed);
    let mut seen = HashSet::new();
    let mut lines = Vec::with_capacity(count);
    // Once no new one was found, the search for new ones is over.
    let mut exhausted = false;
    while lines.len() < count {
        let mut spare = None;
        let draws = if exhausted { 1 } else { DRAWS };
        let fresh = (0..draws).find_map(|_| {
            let (line, end) = random_line(start, plies, &mut rng)?;
            if seen.insert(end.key()) {
                return Some(line);
            }
            spare = Some(line);
            None
        });
        if fresh.is_none() && !lines.is_empty() && plies < most {
            // All longer ones end the game where none was found at all.
            if spare.is_none() {
                most = plies;
            } else {
                plies += 1;
            }
            continue;
        }
        exhausted |= fresh.is_none();
        match fresh.or(spare) {
            Some(line) => lines.push(line),
            // By chance all ended the game, or all do.
            None if !lines.is_empty() => {
                let again: Vec<_> = lines.iter().cycle().take(count).cloned().collect();
                lines = again;
            }
            None => {
                return Err(CliError::at(
                    "--openings-plies",
                    format_args!(
                        "expected fewer plies, after which the game goes on, found '{plies}'"
                    ),
                ));
            }
        }
    }
    Ok(lines)
}

/// `plies` random moves and where they lead; `None` if the game is over there or before.
fn random_line(start: &Position, plies: u32, rng: &mut Rng) -> Option<(Vec<AnyMove>, Position)> {
    let mut state = start.clone();
    let mut line = Vec::new();
    let mut buffer = Vec::new();
    for _ in 0..plies {
        let mv = random_move(&state, rng, &mut buffer)?;
        state.apply_in_place(&mv);
        line.push(mv);
        if state.outcome().is_some() {
            return None;
        }
    }
    Some((line, state))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use playtree::GameState;
    use playtree::dynamic::AnyMove;
    use playtree_session::{Game, Position};

    use super::{draw, draw_or_lengthen};

    fn start(game: &str, position: Option<&str>) -> Position {
        Game::open(game, position).unwrap().1
    }

    /// The number of different positions that `count` openings lead to.
    fn different(start: &Position, count: usize, plies: u32) -> usize {
        let lines = draw(start, count, plies, 1).unwrap();
        assert_eq!(lines.len(), count);
        let end =
            |line: &Vec<AnyMove>| line.iter().fold(start.clone(), |state, mv| state.apply(mv));
        lines.iter().map(|line| end(line).key()).collect::<HashSet<_>>().len()
    }

    #[test]
    fn openings_differ_as_long_as_they_can() {
        // A cross and a nought on nine squares.
        assert_eq!(different(&start("tictactoe", None), 100, 2), 72);
        assert_eq!(different(&start("connect4", None), 40, 3), 40);
        assert_eq!(different(&start("connect4", None), 2, 0), 1);
    }

    #[test]
    fn openings_that_are_too_few_become_longer() {
        let lengths = |game: &str, position: Option<&str>, count: usize, plies: Option<u32>| {
            let lines = draw_or_lengthen(&start(game, position), count, plies, 1).unwrap();
            let lengths = lines.iter().map(Vec::len);
            let of = |plies: usize| lengths.clone().filter(|&length| length == plies).count();
            [of(2), of(3), of(4), of(5)]
        };
        // 12 positions after two plies of Othello, 54 after three.
        assert_eq!(lengths("othello", None, 12, None), [12, 0, 0, 0]);
        assert_eq!(lengths("othello", None, 70, None), [12, 54, 4, 0]);
        assert_eq!(lengths("othello", None, 70, Some(2)), [70, 0, 0, 0]);
        // There are no more: the game is over after three.
        assert_eq!(lengths("nim", Some("2,1"), 5, None), [5, 0, 0, 0]);
    }

    #[test]
    fn no_opening_ends_the_game() {
        let pile = start("nim", Some("2,1"));
        for line in draw(&pile, 20, 2, 1).unwrap() {
            let end = line.iter().fold(pile.clone(), |state, mv| state.apply(mv));
            assert_eq!(end.outcome(), None);
        }
        assert!(draw(&pile, 1, 3, 1).is_err());
    }
}
