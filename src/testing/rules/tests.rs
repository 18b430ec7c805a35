//! Games that each break one law, and a game that breaks none.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::game::{
    GameState, MoveCodes, MoveCoding, Outcome, Played, RolloutPolicy, Scores, UniformMoves,
};
use crate::proven::Proven;
use crate::repetition::Line;
use crate::rng::Rng;
use crate::testing::{Law, check_game, check_rollouts, check_uniform};

/// One pile; a move takes one, two or three; who takes the last wins. `FLAW` names the
/// law that it breaks.
#[derive(Clone)]
struct Toy<const FLAW: u8> {
    left: u32,
    plies: u32,
    /// Shared by all clones: what a well-behaved game does not have.
    tricks: Arc<AtomicU32>,
}

const NONE: u8 = 0;
const MOVER: u8 = 1;
const MOVES_AFTER_THE_END: u8 = 2;
const NO_MOVES: u8 = 3;
const MOVE_TWICE: u8 = 4;
const MOVES_CLEARED: u8 = 5;
const WINNER: u8 = 6;
const SUM: u8 = 7;
const PLIES: u8 = 8;
const CHANGED: u8 = 9;
const KEY: u8 = 10;
const ORDER: u8 = 11;
const IN_PLACE: u8 = 12;
const ILLEGAL: u8 = 13;
const STALE: u8 = 14;
const BIASED: u8 = 15;
const NEVER: u8 = 16;
const ROLLOUT_SIDE: u8 = 17;
const ROLLOUT_DRAWS: u8 = 18;
const ROLLOUT_BY_ONES: u8 = 19;
const REPETITION: u8 = 20;
const NOTING_SIDE: u8 = 21;
const NOTING_DRAWS: u8 = 22;
const MIXED_UP: u8 = 23;
const LEFT_OUT: u8 = 24;
const NOTING_OF_NEXT: u8 = 25;
const CHANCE: u8 = 26;
const RARE_CHANCE: u8 = 27;
const HIDDEN_CHANCE: u8 = 28;
const FICKLE_KEY: u8 = 29;
const FICKLE_OUTCOME: u8 = 30;
const FICKLE_MOVES: u8 = 31;
const PANIC: u8 = 32;
const PANIC_AT_ONCE: u8 = 33;
const ENDLESS: u8 = 34;
const MOVER_AT_THE_END: u8 = 35;
const WIN_MISSED: u8 = 36;
const WIN_THAT_IS_NONE: u8 = 37;
const FORESEEN_WIN_OF_A_LOSS: u8 = 38;
const FORESEEN_TOO_SOON: u8 = 39;
const FORESEEN_FOR_THE_OTHER: u8 = 40;
const END_MISSED: u8 = 41;

impl<const FLAW: u8> Toy<FLAW> {
    /// Whether it leaves rollouts to the search.
    const WALKS: bool = matches!(FLAW, HIDDEN_CHANCE | ENDLESS | PANIC);

    fn new() -> Self {
        Self { left: 12, plies: 0, tricks: Arc::default() }
    }

    /// Counts the calls, of every clone.
    fn calls(&self) -> u32 {
        self.tricks.fetch_add(1, Ordering::Relaxed)
    }

    fn winner(&self) -> Outcome {
        Outcome::Win((self.plies as usize + 1) % 2)
    }
}

impl<const FLAW: u8> GameState for Toy<FLAW> {
    type Key = (u32, u32);
    type Move = u32;

    fn key(&self) -> (u32, u32) {
        let tricks = match FLAW {
            CHANGED => self.tricks.load(Ordering::Relaxed),
            FICKLE_KEY => self.calls() % 2,
            _ => 0,
        };
        (self.left + 100 * tricks, if FLAW == KEY { 0 } else { self.plies % 2 })
    }

    fn mover(&self) -> usize {
        let wrong = FLAW == MOVER && self.left == 5 || FLAW == MOVER_AT_THE_END && self.left == 0;
        self.plies as usize % 2 + if wrong { 2 } else { 0 }
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        match FLAW {
            MOVES_CLEARED => moves.clear(),
            NO_MOVES if self.left == 3 => return,
            FICKLE_MOVES if self.calls().is_multiple_of(3) => moves.push(1),
            PANIC if self.left == 4 => panic!("{} sticks, of all things", self.left),
            PANIC_AT_ONCE => panic!("no moves today"),
            MOVES_AFTER_THE_END if self.left == 0 => moves.push(1),
            MOVE_TWICE if self.left == 3 => moves.push(3),
            _ => {}
        }
        let mut takes: Vec<u32> = (1..=self.left.min(3)).collect();
        if FLAW == ORDER && self.plies >= 4 {
            takes.reverse();
        }
        moves.extend(takes);
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| match FLAW {
            FICKLE_OUTCOME if self.calls().is_multiple_of(2) => Outcome::Draw,
            WINNER => Outcome::Win(2),
            SUM => Outcome::Scores(Scores::new(&[0.5, 0.6]).unwrap()),
            _ => self.winner(),
        })
    }

    fn apply(&self, take: &u32) -> Self {
        self.tricks.fetch_add(u32::from(FLAW == CHANGED), Ordering::Relaxed);
        let still = FLAW == PLIES && *take == 3;
        let lost = match FLAW {
            CHANCE if self.left > 5 => self.calls() % 2,
            // The same four times in five.
            RARE_CHANCE if self.left > 5 => u32::from(self.calls() % 5 == 2),
            // Rolled before, and not part of the key.
            HIDDEN_CHANCE if self.left > 5 && self.plies == 3 => {
                self.tricks.load(Ordering::Relaxed) % 2
            }
            _ => 0,
        };
        if FLAW == ENDLESS {
            return Self { plies: self.plies + 1, ..self.clone() };
        }
        if FLAW == HIDDEN_CHANCE && self.plies == 0 {
            let tricks = Arc::new(AtomicU32::new(*take));
            return Self { left: 12 - 3, plies: 1, tricks };
        }
        Self {
            left: self.left - take - lost,
            plies: self.plies + u32::from(!still),
            ..self.clone()
        }
    }

    fn apply_in_place(&mut self, take: &u32) {
        *self = self.apply(take);
        self.left += u32::from(FLAW == IN_PLACE && *take == 2);
    }

    fn repetition(&self, _: &Line<'_, Self>) -> Outcome {
        if FLAW == REPETITION { Outcome::Win(7) } else { Outcome::Draw }
    }

    fn foreseen(&self) -> Option<Proven> {
        match self.left {
            1..=3 if FLAW == FORESEEN_FOR_THE_OTHER => Some(Proven::Loss { plies: 1 }),
            1..=3 => Some(Proven::Win { plies: 1 }),
            4 if FLAW == FORESEEN_WIN_OF_A_LOSS => Some(Proven::Win { plies: 3 }),
            4 => Some(Proven::Loss { plies: 2 }),
            7 if FLAW == FORESEEN_TOO_SOON => Some(Proven::Win { plies: 1 }),
            7 => Some(Proven::Win { plies: 3 }),
            _ => None,
        }
    }

    fn may_end(&self) -> impl Fn(&u32) -> bool {
        |take| *take == self.left && FLAW != END_MISSED
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        ToyRollouts
    }

    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game())
    }
}

impl<const FLAW: u8> MoveCodes for Toy<FLAW> {
    const CODES: usize = 4;

    fn move_code(&self, take: &u32) -> usize {
        *take as usize
    }
}

struct ToyRollouts;

impl<const FLAW: u8> RolloutPolicy<Toy<FLAW>> for ToyRollouts {
    fn next_move(&self, state: &Toy<FLAW>, rng: &mut Rng, buffer: &mut Vec<u32>) -> Option<u32> {
        let most = state.left.min(3);
        if FLAW != STALE || state.left > 4 {
            buffer.clear();
        }
        state.moves(buffer);
        match FLAW {
            ILLEGAL => Some(1 + rng.below(3) as u32),
            BIASED => Some((1 + rng.below(2 * most as usize) as u32).min(most)),
            NEVER => Some(1 + rng.below(most.min(2) as usize) as u32),
            _ => buffer.get(rng.below(buffer.len())).copied(),
        }
    }

    fn play(&self, state: &Toy<FLAW>, rng: &mut Rng) -> Option<Outcome> {
        if Toy::<FLAW>::WALKS {
            return None;
        }
        let mut end = state.clone();
        while end.left > 0 {
            let most = if FLAW == ROLLOUT_BY_ONES { 1 } else { end.left.min(3) };
            end.left -= 1 + rng.below(most as usize) as u32;
            end.plies += 1;
        }
        match (FLAW, end.winner()) {
            (ROLLOUT_SIDE, Outcome::Win(player)) => {
                Some(Outcome::Win((player + state.mover()) % 2))
            }
            (ROLLOUT_DRAWS, _) => Some(Outcome::Draw),
            (_, outcome) => Some(outcome),
        }
    }

    fn play_noting(
        &self,
        state: &Toy<FLAW>,
        rng: &mut Rng,
        played: &mut Played,
    ) -> Option<Outcome> {
        if Toy::<FLAW>::WALKS {
            return None;
        }
        let mut state = state.clone();
        while state.left > 0 {
            let take = 1 + rng.below(state.left.min(3) as usize) as u32;
            let mover = state.plies as usize % 2;
            played.note(if FLAW == NOTING_SIDE { 1 - mover } else { mover }, take as usize);
            state.left -= take;
            state.plies += 1;
        }
        Some(if FLAW == NOTING_DRAWS { Outcome::Draw } else { state.winner() })
    }

    fn play_side_by_side(
        &self,
        positions: &[&Toy<FLAW>],
        rng: &mut Rng,
        outcomes: &mut [Outcome],
        played: &mut [Played],
    ) {
        let mut unwanted = Played::new(Toy::<FLAW>::PLAYERS, Toy::<FLAW>::CODES);
        for (at, position) in positions.iter().enumerate() {
            let played = played.get_mut(at).unwrap_or(&mut unwanted);
            if let Some(outcome) = self.play_noting(position, rng, played) {
                outcomes[at] = outcome;
            }
        }
        match FLAW {
            MIXED_UP => outcomes.reverse(),
            LEFT_OUT => outcomes[5] = Outcome::Win(usize::MAX),
            NOTING_OF_NEXT => played.reverse(),
            _ => {}
        }
    }

    fn side_by_side(&self) -> usize {
        if Toy::<FLAW>::WALKS { 0 } else { 6 }
    }

    fn winning_move(&self, state: &Toy<FLAW>, moves: &mut Vec<u32>) -> Option<u32> {
        match (FLAW, state.left) {
            (WIN_MISSED, 2) => None,
            (WIN_THAT_IS_NONE, 4..) => Some(3),
            _ => UniformMoves.winning_move(state, moves),
        }
    }
}

fn law<const FLAW: u8>() -> Option<Law> {
    // Rollouts are compared on thirty positions, and some flaws show on few positions.
    let found = |seed| check_game(&Toy::<FLAW>::new(), 400, seed).err();
    (1..=4).find_map(found).map(|broken| broken.law)
}

#[test]
fn a_right_game_passes() {
    for seed in 1..=4 {
        assert_eq!(check_game(&Toy::<NONE>::new(), 1000, seed), Ok(()));
    }
}

#[test]
fn each_flaw_is_found() {
    let laws = [
        (law::<MOVER>(), Law::Mover),
        (law::<MOVES_AFTER_THE_END>(), Law::MovesUntilTheEnd),
        (law::<NO_MOVES>(), Law::MovesUntilTheEnd),
        (law::<MOVE_TWICE>(), Law::DistinctMoves),
        (law::<MOVES_CLEARED>(), Law::FixedMoves),
        (law::<WINNER>(), Law::Scores),
        (law::<SUM>(), Law::Scores),
        (law::<PLIES>(), Law::Plies),
        (law::<CHANGED>(), Law::Unchanged),
        (law::<KEY>(), Law::Keys),
        (law::<ORDER>(), Law::Keys),
        (law::<IN_PLACE>(), Law::ApplyInPlace),
        (law::<ILLEGAL>(), Law::PolicyMove),
        (law::<STALE>(), Law::PolicyMove),
        (law::<BIASED>(), Law::Rollout),
        (law::<NEVER>(), Law::Rollout),
        (law::<ROLLOUT_SIDE>(), Law::Rollout),
        (law::<ROLLOUT_DRAWS>(), Law::Rollout),
        (law::<ROLLOUT_BY_ONES>(), Law::Rollout),
        (law::<REPETITION>(), Law::Scores),
        (law::<NOTING_SIDE>(), Law::Noting),
        (law::<NOTING_DRAWS>(), Law::Rollout),
        (law::<MIXED_UP>(), Law::Rollout),
        (law::<LEFT_OUT>(), Law::Scores),
        (law::<NOTING_OF_NEXT>(), Law::Noting),
        (law::<CHANCE>(), Law::SameMove),
        (law::<RARE_CHANCE>(), Law::SameMove),
        (law::<HIDDEN_CHANCE>(), Law::Keys),
        (law::<FICKLE_KEY>(), Law::SameAnswers),
        (law::<FICKLE_OUTCOME>(), Law::SameAnswers),
        (law::<FICKLE_MOVES>(), Law::SameAnswers),
        (law::<PANIC>(), Law::NoPanic),
        (law::<PANIC_AT_ONCE>(), Law::NoPanic),
        (law::<ENDLESS>(), Law::Ends),
        (law::<MOVER_AT_THE_END>(), Law::Mover),
        (law::<WIN_MISSED>(), Law::WinningMove),
        (law::<WIN_THAT_IS_NONE>(), Law::WinningMove),
        (law::<FORESEEN_WIN_OF_A_LOSS>(), Law::Foreseen),
        (law::<FORESEEN_TOO_SOON>(), Law::Foreseen),
        (law::<FORESEEN_FOR_THE_OTHER>(), Law::Foreseen),
        (law::<END_MISSED>(), Law::MayEnd),
    ];
    for (at, (found, expected)) in laws.into_iter().enumerate() {
        assert_eq!(found, Some(expected), "flaw {}", at + 1);
    }
}

/// A policy need not be uniform, but its rollouts must be of its own moves.
#[test]
fn policies_that_are_not_uniform_are_told_from_those_that_are() {
    fn uniform<const FLAW: u8>() -> Option<Law> {
        let checked = check_uniform(&Toy::<FLAW>::new(), &ToyRollouts, 400, 1);
        checked.err().map(|broken| broken.law)
    }
    let found = [uniform::<NONE>(), uniform::<BIASED>(), uniform::<NEVER>(), uniform::<ILLEGAL>()];
    let unequal = Some(Law::UniformMoves);
    assert_eq!(found, [None, unequal, unequal, Some(Law::PolicyMove)]);
    // Legal on the way of most random games, and not on its own.
    let gives_up = |state: &Toy<NONE>, _: &mut Rng, _: &mut Vec<u32>| {
        (state.plies < 9 || state.left > 1).then_some(1)
    };
    let found = check_rollouts(&Toy::<NONE>::new(), &gives_up, 400, 1);
    assert_eq!(found.map_err(|broken| broken.law), Err(Law::PolicyMove));
    let ones = |_: &Toy<NONE>, _: &mut Rng, _: &mut Vec<u32>| Some(1);
    let start = Toy::<NONE>::new();
    assert_eq!(check_rollouts(&start, &ones, 400, 1), Ok(()));
    let found = check_uniform(&start, &ones, 400, 1).map_err(|broken| broken.law);
    assert_eq!(found, Err(Law::UniformMoves));
}

/// Games that end otherwise than its moves, on purpose or not; those that note moves end in draws
/// if `ALIKE` is false.
struct LastWins<const ON_PURPOSE: bool, const ALIKE: bool>;

impl<const ON_PURPOSE: bool, const ALIKE: bool> RolloutPolicy<Toy<NONE>>
    for LastWins<ON_PURPOSE, ALIKE>
{
    fn plays_as_moves_do(&self) -> bool {
        !ON_PURPOSE
    }

    fn play(&self, _: &Toy<NONE>, _: &mut Rng) -> Option<Outcome> {
        Some(Outcome::Win(1))
    }

    fn play_noting(&self, _: &Toy<NONE>, _: &mut Rng, played: &mut Played) -> Option<Outcome> {
        (0..2).for_each(|player| played.note(player, 1));
        Some(if ALIKE { Outcome::Win(1) } else { Outcome::Draw })
    }
}

#[test]
fn whole_games_may_differ_from_moves_on_purpose_but_not_from_each_other() {
    let start = Toy::<NONE>::new();
    let by_chance = check_rollouts(&start, &LastWins::<false, true>, 400, 1);
    let broken = by_chance.unwrap_err();
    assert_eq!(broken.law, Law::Rollout);
    assert!(broken.to_string().contains("of games move by move"), "{broken}");
    assert_eq!(check_rollouts(&start, &LastWins::<true, true>, 400, 1), Ok(()));
    let broken = check_rollouts(&start, &LastWins::<true, false>, 400, 1).unwrap_err();
    assert_eq!(broken.law, Law::Rollout);
    assert!(broken.to_string().contains("of whole games"), "{broken}");
}

#[test]
fn the_message_says_what_and_where() {
    let broken = check_game(&Toy::<MOVER>::new(), 10, 1).unwrap_err();
    assert!(
        broken
            .to_string()
            .starts_with("the side to move is one of the players: expected a side below 2, found "),
        "{broken}"
    );
}

/// Chance in `apply` is called that, and not a fault of what builds on it.
#[test]
fn chance_is_found_in_these_words() {
    let broken = check_game(&Toy::<CHANCE>::new(), 10, 1).unwrap_err();
    let text = broken.to_string();
    let law = "a move leads from a position to the same one each time it is played: expected ";
    assert!(text.starts_with(law), "{text}");
    assert!(text.ends_with("after 1 again (game 0, ply 0)"), "{text}");
}

#[test]
fn a_panic_comes_with_its_place() {
    let broken = check_game(&Toy::<PANIC>::new(), 10, 1).unwrap_err();
    let text = broken.to_string();
    let law =
        "no method of the game panics: expected an answer, found a panic: 4 sticks, of all things";
    assert!(text.starts_with(law), "{text}");
    assert!(broken.place.game == 0 && broken.place.ply > 0, "{text}");
}

#[test]
fn games_without_an_end_are_named() {
    let broken = check_game(&Toy::<ENDLESS>::new(), 2, 1).unwrap_err();
    assert_eq!(
        broken.to_string(),
        "games of random moves end: expected a game of random moves that ends within 10000 plies, \
         found none of 2 (game 1, ply 10000)"
    );
}

/// One ply with many moves, which counts the work.
#[derive(Clone)]
struct Wide<'a> {
    moves: u32,
    plies: u32,
    work: &'a AtomicU32,
}

/// A move that counts how often it is made, compared and copied.
#[derive(Debug)]
struct Counted<'a>(u32, &'a AtomicU32);

impl Clone for Counted<'_> {
    fn clone(&self) -> Self {
        self.1.fetch_add(1, Ordering::Relaxed);
        Self(self.0, self.1)
    }
}

impl PartialEq for Counted<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0 == other.0
    }
}

impl<'a> GameState for Wide<'a> {
    type Key = u32;
    type Move = Counted<'a>;

    fn key(&self) -> u32 {
        self.plies
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies.min(1)
    }

    fn moves(&self, moves: &mut Vec<Counted<'a>>) {
        let count = if self.plies == 0 { self.moves } else { 0 };
        self.work.fetch_add(count, Ordering::Relaxed);
        moves.extend((0..count).map(|number| Counted(number, self.work)));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies > 0).then_some(Outcome::Draw)
    }

    fn apply(&self, mv: &Counted<'a>) -> Self {
        self.work.fetch_add(1, Ordering::Relaxed);
        Self { plies: self.plies + 1 + mv.0, ..*self }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        WideRollouts
    }
}

struct WideRollouts;

impl<'a> RolloutPolicy<Wide<'a>> for WideRollouts {
    fn next_move(
        &self,
        state: &Wide<'a>,
        rng: &mut Rng,
        _: &mut Vec<Counted<'a>>,
    ) -> Option<Counted<'a>> {
        state.work.fetch_add(1, Ordering::Relaxed);
        Some(Counted(rng.below(state.moves as usize) as u32, state.work))
    }
}

/// The work for a position grows with the number of its moves, and not with their square.
#[test]
fn wide_positions_take_time_by_their_moves() {
    let work = |moves| {
        let work = AtomicU32::new(0);
        let state = Wide { moves, plies: 0, work: &work };
        assert_eq!(check_game(&state, 1, 1), Ok(()));
        work.into_inner()
    };
    let (few, many) = (work(1_000), work(4_000));
    assert!(many < 5 * few, "{few} for 1000 moves, {many} for 4000");
}

/// Three places in a ring; each can be left both ways for ever. The game says that only the last
/// `SAID` plies can be undone.
#[derive(Clone)]
struct Ring<const SAID: u32>(u32, u32);

impl<const SAID: u32> GameState for Ring<SAID> {
    type Key = (u32, u32);
    type Move = u32;

    fn key(&self) -> (u32, u32) {
        (self.0 % 3, self.1 % 2)
    }

    fn mover(&self) -> usize {
        self.1 as usize % 2
    }

    fn plies(&self) -> u32 {
        self.1
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        if self.1 < 40 {
            moves.extend([1, 2]);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.1 >= 40).then_some(Outcome::Draw)
    }

    fn apply(&self, mv: &u32) -> Self {
        Self(self.0 + mv, self.1 + 1)
    }

    fn repetition_key(&self) -> Option<(u32, u32)> {
        Some((self.0 % 3, 2 + self.1 % 2))
    }

    fn reversible_plies(&self) -> u32 {
        SAID
    }
}

#[test]
fn what_comes_again_must_be_said_to() {
    let law = |found: Result<(), crate::testing::LawBroken>| found.err().map(|broken| broken.law);
    // The key tells less than the plies do, which `Keys` finds at the end.
    assert_eq!(law(check_game(&Ring::<1>(0, 0), 5, 1)), Some(Law::ReversiblePlies));
    assert_ne!(law(check_game(&Ring::<40>(0, 0), 5, 1)), Some(Law::ReversiblePlies));
}
