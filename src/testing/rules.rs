//! The conformance check of a game's rules.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::game::{GameState, Outcome};
use crate::proven::Proven;
use crate::repetition::Line;
use crate::rng::Rng;
use crate::testing::rollouts::check_rollouts;
use crate::testing::{Law, LawBroken, Place, guarded, legal, random_games, reversible, sample};

/// Moves of a position that are compared in all that the next position says.
const COMPARED_MOVES: usize = 64;
/// Times that a move is played, or a position asked, again where chance may be the cause.
const TRIALS_OF_CHANCE: u32 = 64;
/// Positions that are looked at, at most, to see whether an end that is foreseen can be forced.
const POSITIONS_TO_AN_END: u32 = 20_000;
/// Positions remembered to compare those with equal keys.
const REMEMBERED: usize = 200_000;

/// Plays `games` random games from `start` and checks the laws of [`GameState`] on each position:
/// the moves, the outcome, the key, and every provided method. What the game offers for
/// [rollouts](GameState::rollouts) is checked as by
/// [`check_rollouts`](crate::testing::check_rollouts).
///
/// `seed` fixes the games. The laws are checked in an order in which the first one that is found
/// broken is the cause of others and not their consequence: that the game gives the same answers
/// each time, then the position as it is, then what its moves lead to, then what is
/// [foreseen](GameState::foreseen), then what is random.
///
/// # What it cannot see
/// What a check of finitely many games can see is limited: that positions which are equal for all
/// future play have equal keys it cannot know. Rollouts are compared with games move by move on
/// some thirty positions only, by mean scores to within `8 / sqrt(8 * games)`: give it a thousand
/// games.
///
/// Of a position with many moves each one is played, but only 64 of the positions that they lead
/// to, drawn at random, are compared in all they say; of the others the key, the plies, the side to
/// move and the outcome. Of two positions with equal keys one move is followed.
///
/// # Errors
/// The first law found broken, with what was expected and found, and where. A panic of the game is
/// one ([`Law::NoPanic`]). So are games that do not end within 10 000 plies ([`Law::Ends`]);
/// where some do, the others are given up.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::ConnectFour;
///
/// assert_eq!(playtree::testing::check_game(&ConnectFour::new(), 100, 1), Ok(()));
/// # }
/// ```
pub fn check_game<G: GameState>(start: &G, games: usize, seed: u64) -> Result<(), LawBroken> {
    let mut rng = Rng::from_seed(seed);
    guarded(&mut Place { game: 0, ply: 0 }, |place| {
        check_scores::<G>(&start.repetition(&Line::new(&[], start)), *place)
    })?;
    let mut seen: HashMap<G::Key, G> = HashMap::new();
    let mut line = reversible::Line::new();
    random_games(start, games, &mut rng, |state, moves, place, rng| {
        let facts = check_answers(state, moves, place)?;
        check_position(state, moves, place)?;
        line.check(state, place)?;
        check_moves(state, &facts, place, rng)?;
        let full = seen.len() >= REMEMBERED;
        match seen.entry(state.key()) {
            Entry::Occupied(known) => check_keys(known.get(), state, &facts, place, rng)?,
            Entry::Vacant(new) if !full => drop(new.insert(state.clone())),
            Entry::Vacant(_) => {}
        }
        Ok(())
    })?;
    // What is wrong with the rules may show here as well.
    random_games(start, games, &mut rng, |state, moves, place, _| {
        check_foreseen(state, place)?;
        check_may_end(state, moves, place)
    })?;
    check_rollouts(start, &G::rollouts(), games, seed)
}

/// What must be the same for positions with equal keys.
struct Facts<G: GameState> {
    mover: usize,
    outcome: Option<Outcome>,
    moves: Vec<G::Move>,
}

impl<G: GameState> Facts<G> {
    fn of(state: &G) -> Self {
        Self { mover: state.mover(), outcome: state.outcome(), moves: legal(state) }
    }

    /// What differs, as expected and found, if anything does.
    fn difference(&self, found: &Self) -> Option<(String, String)> {
        if self.mover != found.mover {
            return Some((format!("side {} to move", self.mover), format!("side {}", found.mover)));
        }
        if self.outcome != found.outcome {
            let expected = format!("the outcome {:?}", self.outcome);
            return Some((expected, format!("{:?}", found.outcome)));
        }
        if self.moves != found.moves {
            return Some((format!("the moves {:?}", self.moves), format!("{:?}", found.moves)));
        }
        None
    }

    fn compare(&self, found: &Self, law: Law, place: Place) -> Result<(), LawBroken> {
        match self.difference(found) {
            Some((expected, found)) => Err(place.broken(law, expected, found)),
            None => Ok(()),
        }
    }
}

/// What two positions that should be one differ in, as expected and found: all of what they say, or
/// without the lists of moves.
fn difference<G: GameState>(expected: &G, found: &G, with_moves: bool) -> Option<(String, String)> {
    if expected.key() != found.key() {
        return Some(("the same key".into(), "another".into()));
    }
    if expected.plies() != found.plies() {
        return Some((format!("{} plies", expected.plies()), found.plies().to_string()));
    }
    let facts = |state: &G| {
        if with_moves {
            Facts::of(state)
        } else {
            Facts { mover: state.mover(), outcome: state.outcome(), moves: Vec::new() }
        }
    };
    facts(expected).difference(&facts(found))
}

/// That a position gives the same answers each time. Its facts.
fn check_answers<G: GameState>(
    state: &G,
    moves: &[G::Move],
    place: Place,
) -> Result<Facts<G>, LawBroken> {
    let law = Law::SameAnswers;
    if let Some((expected, found)) = difference(state, state, true) {
        return Err(place.broken(law, expected, format!("{found}, asked again")));
    }
    if let Some((expected, found)) = difference(state, &state.clone(), true) {
        return Err(place.broken(law, expected, format!("{found} of a clone")));
    }
    let facts = Facts::of(state);
    if facts.moves != moves {
        let found = format!("{:?}, asked again", facts.moves);
        return Err(place.broken(law, format!("the moves {moves:?}"), found));
    }
    Ok(facts)
}

pub(super) fn check_scores<G: GameState>(outcome: &Outcome, place: Place) -> Result<(), LawBroken> {
    let found = format!("{outcome:?}");
    if let Outcome::Win(winner) = outcome
        && *winner >= G::PLAYERS
    {
        let expected = format!("a winner below {}", G::PLAYERS);
        return Err(place.broken(Law::Scores, expected, found));
    }
    let scores: Vec<f64> = (0..G::PLAYERS).map(|player| outcome.score(player)).collect();
    if scores.iter().any(|score| !(0.0..=1.0).contains(score)) {
        return Err(place.broken(Law::Scores, "scores in [0, 1]", found));
    }
    if !outcome.is_of::<G>() {
        return Err(place.broken(Law::Scores, "scores that add up to 1", found));
    }
    Ok(())
}

/// That a position gives the same answers each time, where something else seems to be wrong.
fn check_answers_again<G: GameState>(state: &G, place: Place) -> Result<(), LawBroken> {
    for _ in 0..TRIALS_OF_CHANCE {
        check_answers(state, &legal(state), place)?;
    }
    Ok(())
}

/// The laws about one position on its own.
fn check_position<G: GameState>(
    state: &G,
    moves: &[G::Move],
    place: Place,
) -> Result<(), LawBroken> {
    if state.mover() >= G::PLAYERS {
        let expected = format!("a side below {}", G::PLAYERS);
        return Err(place.broken(Law::Mover, expected, state.mover()));
    }
    match state.outcome() {
        Some(outcome) if !moves.is_empty() => {
            let found = format!("{} with the outcome {outcome:?}", moves.len());
            return Err(place.broken(Law::MovesUntilTheEnd, "no moves", found));
        }
        None if moves.is_empty() => {
            return Err(place.broken(Law::MovesUntilTheEnd, "a move or an outcome", "neither"));
        }
        Some(outcome) => check_scores::<G>(&outcome, place)?,
        None => {}
    }
    let mut twice = moves.to_vec();
    state.moves(&mut twice);
    if twice.len() != 2 * moves.len() || twice[..moves.len()] != twice[moves.len()..] {
        let expected = format!("{moves:?} appended to itself");
        return Err(place.broken(Law::FixedMoves, expected, format!("{twice:?}")));
    }
    Ok(())
}

/// The laws about playing each of the moves; `before` holds the facts of the position.
fn check_moves<G: GameState>(
    state: &G,
    before: &Facts<G>,
    place: Place,
    rng: &mut Rng,
) -> Result<(), LawBroken> {
    let moves = &before.moves;
    let mut looked_into = vec![false; moves.len()];
    sample(moves, COMPARED_MOVES, rng).for_each(|(number, _)| looked_into[number] = true);
    // Moves that are equal lead to positions with equal keys: only these are compared.
    let mut by_key: HashMap<G::Key, Vec<usize>> = HashMap::new();
    for (number, mv) in moves.iter().enumerate() {
        let next = check_move(state, mv, looked_into[number], place)?;
        let alike = by_key.entry(next.key()).or_default();
        if alike.iter().rev().take(COMPARED_MOVES).any(|&other| moves[other] == *mv) {
            return Err(place.broken(Law::DistinctMoves, "each once", format!("{mv:?} twice")));
        }
        alike.push(number);
    }
    before.compare(&Facts::of(state), Law::Unchanged, place)
}

/// The laws about playing one move. The position that it leads to.
fn check_move<G: GameState>(
    state: &G,
    mv: &G::Move,
    with_moves: bool,
    place: Place,
) -> Result<G, LawBroken> {
    let (key, plies) = (state.key(), state.plies());
    let next = state.apply(mv);
    if state.key() != key || state.plies() != plies {
        let found = format!("another after {mv:?}");
        return Err(place.broken(Law::Unchanged, "the same key and plies", found));
    }
    check_same_move(state, mv, &next, with_moves, 1, place)?;
    if next.plies() != plies + 1 {
        let found = format!("{} after {mv:?}", next.plies());
        return Err(place.broken(Law::Plies, format!("{} plies", plies + 1), found));
    }
    let mut moved = state.clone();
    moved.apply_in_place(mv);
    if let Some((expected, found)) = difference(&next, &moved, with_moves) {
        // Chance may have shown here first.
        check_answers_again(&next, place)?;
        check_same_move(state, mv, &next, with_moves, TRIALS_OF_CHANCE, place)?;
        return Err(place.broken(Law::ApplyInPlace, expected, format!("{found} after {mv:?}")));
    }
    Ok(next)
}

/// That a move leads to `next` each time it is played, a number of times.
fn check_same_move<G: GameState>(
    state: &G,
    mv: &G::Move,
    next: &G,
    with_moves: bool,
    times: u32,
    place: Place,
) -> Result<(), LawBroken> {
    for _ in 0..times {
        if let Some((expected, found)) = difference(next, &state.apply(mv), with_moves) {
            check_answers_again(next, place)?;
            let found = format!("{found} after {mv:?} again");
            return Err(place.broken(Law::SameMove, expected, found));
        }
    }
    Ok(())
}

/// That an end which is foreseen can be forced within its plies, as far as that is seen in
/// [`POSITIONS_TO_AN_END`].
fn check_foreseen<G: GameState>(state: &G, place: Place) -> Result<(), LawBroken> {
    if G::PLAYERS != 2 || state.outcome().is_some() {
        return Ok(());
    }
    let Some(foreseen) = state.foreseen() else { return Ok(()) };
    let broken = |expected: &str| Err(place.broken(Law::Foreseen, expected, foreseen));
    if state.foreseen() != Some(foreseen) {
        return broken("the same end each time");
    }
    let (winner, plies) = match foreseen {
        Proven::Win { plies } => (state.mover(), plies),
        Proven::Loss { plies } => (1 - state.mover(), plies),
        Proven::Draw => return Ok(()),
    };
    match forces(state, winner, plies, &mut POSITIONS_TO_AN_END.clone()) {
        Some(false) => broken("an end that can be forced within its plies, or none"),
        Some(true) | None => Ok(()),
    }
}

/// That each of these moves which ends the game is one that may end it.
fn check_may_end<G: GameState>(
    state: &G,
    moves: &[G::Move],
    place: Place,
) -> Result<(), LawBroken> {
    let may_end = state.may_end();
    let is_missed = |mv: &&G::Move| !may_end(mv) && state.apply(mv).outcome().is_some();
    match moves.iter().find(is_missed) {
        None => Ok(()),
        Some(mv) => {
            let expected = format!("that {mv:?}, which ends the game, may end it");
            Err(place.broken(Law::MayEnd, expected, "that it does not"))
        }
    }
}

/// Whether `winner` can force a win within these plies; `None` if no positions are `left` to look
/// at.
fn forces<G: GameState>(state: &G, winner: usize, plies: u32, left: &mut u32) -> Option<bool> {
    *left = left.checked_sub(1)?;
    if let Some(outcome) = state.outcome() {
        return Some(outcome.score(winner) >= 1.0);
    }
    if plies == 0 {
        return Some(false);
    }
    let (chooses, mut is_sure) = (state.mover() == winner, true);
    for mv in legal(state) {
        match forces(&state.apply(&mv), winner, plies - 1, left) {
            Some(forced) if forced == chooses => return Some(chooses),
            Some(_) => {}
            None => is_sure = false,
        }
    }
    is_sure.then_some(!chooses)
}

/// Compares two positions with equal keys, and what one of their moves leads to.
fn check_keys<G: GameState>(
    known: &G,
    state: &G,
    facts: &Facts<G>,
    place: Place,
    rng: &mut Rng,
) -> Result<(), LawBroken> {
    Facts::of(known).compare(facts, Law::Keys, place)?;
    let Some(mv) = facts.moves.get(rng.below(facts.moves.len())) else { return Ok(()) };
    let [expected, found] = [known, state].map(|state| Facts::of(&state.apply(mv)));
    match expected.difference(&found) {
        Some((expected, found)) => {
            [known, state]
                .map(|state| {
                    check_same_move(state, mv, &state.apply(mv), true, TRIALS_OF_CHANCE, place)
                })
                .into_iter()
                .collect::<Result<(), _>>()?;
            Err(place.broken(Law::Keys, expected, format!("{found} after {mv:?}")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
