//! The conformance check of a game's texts.

use crate::game::Notation;
use crate::rng::Rng;
use crate::testing::{Law, LawBroken, Place, legal, random_games, sample};

/// Damaged texts tried on each position.
const DAMAGED: usize = 4;
/// The most moves of a position that are written and read: to read one mostly takes a list of all.
const WRITTEN_MOVES: usize = 256;

/// Plays `games` random games from `start` and checks that every position and every move
/// is read back from its own text, that no text is read as a move that is not legal, and
/// that a damaged text does no harm.
///
/// `seed` fixes the games. A position is read back if the key, the side to move, the moves and the
/// outcome agree. Of a position with more than 256 moves 256 are written and read, drawn at random.
///
/// # Errors
/// The first law found broken, with what was expected and found, and where. A panic of the game is
/// one ([`Law::NoPanic`]), and so are games that do not end within 10 000 plies.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::NormalNim;
///
/// assert_eq!(playtree::testing::check_notation(&NormalNim::default(), 20, 1), Ok(()));
/// # }
/// ```
pub fn check_notation<G: Notation>(start: &G, games: usize, seed: u64) -> Result<(), LawBroken> {
    let mut rng = Rng::from_seed(seed);
    let first: Vec<String> = legal(start).iter().map(|mv| start.move_text(mv)).collect();
    random_games(start, games, &mut rng, |state, moves, place, rng| {
        check_position_text(state, moves, place)?;
        check_move_texts(state, sample(moves, WRITTEN_MOVES, rng).map(|(_, mv)| mv), place)?;
        let board = state.board_text();
        if board.is_empty() || board.ends_with('\n') {
            return Err(place.broken(Law::BoardText, "a board", format!("{board:?}")));
        }
        for _ in 0..DAMAGED {
            // Only a panic would be wrong here.
            let _ = G::parse_position(&damage(&state.position_text(), rng));
            if let Some(text) = first.get(rng.below(first.len())) {
                check_any_text(state, moves, text, place)?;
                check_any_text(state, moves, &damage(text, rng), place)?;
            }
        }
        Ok(())
    })
}

fn check_position_text<G: Notation>(
    state: &G,
    moves: &[G::Move],
    place: Place,
) -> Result<(), LawBroken> {
    let text = state.position_text();
    let law = Law::PositionText;
    let read = G::parse_position(&text)
        .map_err(|error| place.broken(law, format!("'{text}' to be read"), error))?;
    if read.key() != state.key() {
        let found = format!("'{}'", read.position_text());
        return Err(place.broken(law, format!("the key of '{text}'"), found));
    }
    if read.mover() != state.mover() || read.outcome() != state.outcome() || legal(&read) != moves {
        let found = "another side to move, outcome or moves";
        return Err(place.broken(law, format!("the same position from '{text}'"), found));
    }
    Ok(())
}

fn check_move_texts<'a, G: Notation<Move: 'a>>(
    state: &G,
    moves: impl Iterator<Item = &'a G::Move>,
    place: Place,
) -> Result<(), LawBroken> {
    for mv in moves {
        let text = state.move_text(mv);
        let expected = || format!("{mv:?} from '{text}'");
        match state.parse_move(&text) {
            Ok(read) if read == *mv => {}
            Ok(read) => return Err(place.broken(Law::MoveText, expected(), format!("{read:?}"))),
            Err(error) => return Err(place.broken(Law::MoveText, expected(), error)),
        }
    }
    Ok(())
}

/// A text may be refused, but may not be read as something that is not legal.
fn check_any_text<G: Notation>(
    state: &G,
    moves: &[G::Move],
    text: &str,
    place: Place,
) -> Result<(), LawBroken> {
    match state.parse_move(text) {
        Ok(read) if !moves.contains(&read) => {
            let expected = format!("an error from '{text}'");
            Err(place.broken(Law::MoveText, expected, format!("{read:?}")))
        }
        _ => Ok(()),
    }
}

/// The text with one character lost, doubled or replaced.
fn damage(text: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return "é".to_owned();
    }
    let at = rng.below(characters.len());
    match rng.below(4) {
        0 => drop(characters.remove(at)),
        1 => characters.insert(at, characters[at]),
        2 => characters[at] = ['é', '-', ' ', '9', 'z', ':', '\0'][rng.below(7)],
        _ => characters.truncate(at),
    }
    characters.into_iter().collect()
}
