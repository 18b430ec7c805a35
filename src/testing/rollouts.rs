//! The check of rollout policies.

use crate::game::{GameState, MOST_ROLLOUTS_AT_ONCE, MoveCoding, Outcome, Played, RolloutPolicy};
use crate::rng::Rng;
use crate::testing::rules::check_scores;
use crate::testing::{LONGEST_GAME, Law, LawBroken, Place, random_games};

/// How often each move, or each group of moves, should come up when a policy that draws all moves
/// alike is tried on a position.
const DRAWS_PER_MOVE: u32 = 128;
/// Groups of moves whose draws are counted, where a position has more moves than that.
const GROUPS: usize = 64;
/// Draws are not counted on further positions after this many, each times the moves there: to draw
/// one of them mostly takes a list of all.
const DRAWN_MOVES: usize = 50_000_000;
/// Positions whose moves and rollouts are counted, beside the first.
const COUNTED_POSITIONS: usize = 30;
/// Rollouts from each such position compared with games move by move, per game played.
const ROLLOUTS_PER_GAME: usize = 4;
/// How many standard deviations a count may be off: a right policy fails less than once in
/// 10^14 comparisons.
const DEVIATIONS: f64 = 8.0;

/// Plays `games` random games from `start` and checks a policy on their positions: that its moves
/// are legal, that it sees the moves that win at once, that whole games, and games side by side, end
/// as its moves one by one do ([or](RolloutPolicy::plays_as_moves_do) as each other), and that the
/// moves they note are those that were played.
///
/// `seed` fixes the games. Mean scores are compared on some thirty positions, to within
/// `8 / sqrt(8 * games)`: give it a thousand games. Moves that are noted are checked if the game
/// has [codes](GameState::move_codes).
///
/// # Errors
/// The first law found broken ([`Law::PolicyMove`], [`Law::WinningMove`], [`Law::Rollout`],
/// [`Law::Noting`]), with what was expected and found, and where.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::game::UniformMoves;
/// use playtree::games::ConnectFour;
/// use playtree::testing::check_rollouts;
///
/// assert_eq!(check_rollouts(&ConnectFour::new(), &UniformMoves, 100, 1), Ok(()));
/// # }
/// ```
pub fn check_rollouts<G: GameState>(
    start: &G,
    policy: &impl RolloutPolicy<G>,
    games: usize,
    seed: u64,
) -> Result<(), LawBroken> {
    let mut rollouts = Rollouts::new(policy, G::move_codes(), games);
    random_games(start, games, &mut Rng::from_seed(seed), |state, moves, place, rng| {
        if moves.is_empty() { Ok(()) } else { rollouts.check(state, moves, place, rng) }
    })
}

/// Plays random games from `start` and checks that a policy draws each legal move equally often, on
/// some thirty of their positions.
///
/// How often is compared for at most 64 groups of the moves, and where there are thousands on fewer
/// positions. `seed` fixes the games.
///
/// # Errors
/// If a move is not legal ([`Law::PolicyMove`]), or comes too often or too rarely
/// ([`Law::UniformMoves`]).
pub fn check_uniform<G: GameState>(
    start: &G,
    policy: &impl RolloutPolicy<G>,
    games: usize,
    seed: u64,
) -> Result<(), LawBroken> {
    let (mut counted, mut drawn, mut buffer) = (Counted::default(), 0, Vec::new());
    random_games(start, games, &mut Rng::from_seed(seed), |state, moves, place, rng| {
        if !moves.is_empty() && drawn <= DRAWN_MOVES && counted.takes(rng) {
            drawn += check_draws(policy, state, moves, &mut buffer, place, rng)?;
        }
        Ok(())
    })
}

/// Which positions are counted: the first, and some of the others.
#[derive(Default)]
struct Counted(usize);

impl Counted {
    fn takes(&mut self, rng: &mut Rng) -> bool {
        let takes = self.0 == 0 || self.0 <= COUNTED_POSITIONS && rng.below(8) == 0;
        self.0 += usize::from(takes);
        takes
    }
}

/// The check of a policy on one position after the other.
struct Rollouts<'a, G: GameState, P> {
    policy: &'a P,
    codes: Option<MoveCoding<G>>,
    counted: Counted,
    /// Rollouts from each position that is counted.
    trials: usize,
    buffer: Vec<G::Move>,
}

impl<'a, G: GameState, P: RolloutPolicy<G>> Rollouts<'a, G, P> {
    fn new(policy: &'a P, codes: Option<MoveCoding<G>>, games: usize) -> Self {
        let (counted, trials) = (Counted::default(), ROLLOUTS_PER_GAME * games);
        Self { policy, codes, counted, trials, buffer: Vec::new() }
    }

    /// Checks the policy on a position that has these moves.
    fn check(
        &mut self,
        state: &G,
        moves: &[G::Move],
        place: Place,
        rng: &mut Rng,
    ) -> Result<(), LawBroken> {
        draw(self.policy, state, moves, &mut self.buffer, place, rng)?;
        self.check_win(state, moves, place)?;
        if !self.counted.takes(rng) {
            return Ok(());
        }
        // Where it plays no whole games, one game of its moves at least.
        walk(self.policy, state, place, rng)?;
        if self.policy.plays_as_moves_do() {
            self.compare(state, place, rng, |rng| Ok(self.policy.play(state, rng)))?;
        }
        let mut played = self.no_moves();
        self.compare(state, place, rng, |rng| {
            played.clear();
            let outcome = self.policy.play_noting(state, rng, &mut played);
            if outcome.is_some() {
                self.check_noted(state, moves, &played, place)?;
            }
            Ok(outcome)
        })?;
        self.check_side_by_side(state, moves, place, rng)
    }

    /// A move that wins is named where there is one.
    fn check_win(&mut self, state: &G, moves: &[G::Move], place: Place) -> Result<(), LawBroken> {
        let mover = state.mover();
        let wins =
            |mv: &&G::Move| state.apply(mv).outcome().is_some_and(|end| end.score(mover) >= 1.0);
        let winning: Vec<_> = moves.iter().filter(wins).collect();
        let found = self.policy.winning_move(state, &mut self.buffer);
        let is_right = match &found {
            Some(mv) => winning.contains(&mv),
            None => winning.is_empty(),
        };
        if is_right {
            return Ok(());
        }
        let expected = format!("a move that wins at once, one of {winning:?}");
        Err(place.broken(Law::WinningMove, expected, format!("{found:?}")))
    }

    fn no_moves(&self) -> Played {
        Played::new(G::PLAYERS, self.codes.map_or(0, |codes| codes.count()))
    }

    /// A game as all are to be: of moves one by one, unless whole games are to differ from them.
    fn usual(&self, state: &G, place: Place, rng: &mut Rng) -> Result<Option<Outcome>, LawBroken> {
        if self.policy.plays_as_moves_do() {
            walk(self.policy, state, place, rng)
        } else {
            Ok(self.policy.play(state, rng))
        }
    }

    /// Compares how rollouts and [usual](Self::usual) games end: the mean score of the side to
    /// move, and the mean of its square, which tells draws from wins and losses in equal number.
    fn compare(
        &self,
        state: &G,
        place: Place,
        rng: &mut Rng,
        mut rollout: impl FnMut(&mut Rng) -> Result<Option<Outcome>, LawBroken>,
    ) -> Result<(), LawBroken> {
        let (mut pairs, mut differences) = (0.0, [0.0; 2]);
        for _ in 0..self.trials {
            let Some(rollout) = rollout(rng)? else { return Ok(()) };
            check_scores::<G>(&rollout, place)?;
            if let Some(usual) = self.usual(state, place, rng)? {
                check_scores::<G>(&usual, place)?;
                let [a, b] = [rollout, usual].map(|outcome| outcome.score(state.mover()));
                pairs += 1.0;
                differences[0] += a - b;
                differences[1] += a * a - b * b;
            }
        }
        // A score has a variance of at most 1/4, a difference of two twice that.
        let allowed = DEVIATIONS * f64::sqrt(pairs / 2.0);
        for (name, difference) in ["score", "squared score"].iter().zip(differences) {
            if difference.abs() > allowed {
                let bound = allowed / pairs;
                let usual = match self.policy.plays_as_moves_do() {
                    true => "games move by move",
                    false => "whole games",
                };
                let expected = format!("the mover's mean {name} within {bound:.3} of {usual}");
                let found = format!("{:+.3} in {pairs} rollouts", difference / pairs);
                return Err(place.broken(Law::Rollout, expected, found));
            }
        }
        Ok(())
    }

    /// Compares rollouts that are played side by side with usual games: those from this
    /// position, in turn with the same number from the next one.
    fn check_side_by_side(
        &self,
        state: &G,
        moves: &[G::Move],
        place: Place,
        rng: &mut Rng,
    ) -> Result<(), LawBroken> {
        let at_once = self.policy.side_by_side().min(MOST_ROLLOUTS_AT_ONCE);
        if at_once < 2 {
            return Ok(());
        }
        let next = state.apply(&moves[rng.below(moves.len())]);
        let next = if next.outcome().is_none() { &next } else { state };
        let positions: Vec<_> = [state, next].into_iter().cycle().take(at_once).collect();
        for noting in [false, true] {
            let mut played = vec![self.no_moves(); if noting { at_once } else { 0 }];
            let mut outcomes = Vec::new();
            let mut number = at_once;
            self.compare(state, place, rng, |rng| {
                if number >= at_once {
                    // An outcome that was not written is no player's.
                    outcomes = vec![Outcome::Win(usize::MAX); at_once];
                    played.iter_mut().for_each(Played::clear);
                    self.policy.play_side_by_side(&positions, rng, &mut outcomes, &mut played);
                    outcomes.iter().try_for_each(|outcome| check_scores::<G>(outcome, place))?;
                    number = 0;
                }
                if noting {
                    self.check_noted(state, moves, &played[number], place)?;
                }
                number += 2;
                Ok(Some(outcomes[number - 2]))
            })?;
        }
        Ok(())
    }

    /// One of the legal moves was the first one, and is noted if each of them has a code.
    fn check_noted(
        &self,
        state: &G,
        moves: &[G::Move],
        played: &Played,
        place: Place,
    ) -> Result<(), LawBroken> {
        let Some(coding) = self.codes else { return Ok(()) };
        let codes = || moves.iter().map(|mv| coding.code(state, mv));
        let coded = codes().all(|code| code < coding.count());
        if coded && !codes().any(|code| played.has(state.mover(), code)) {
            let expected = format!("one of the moves {moves:?} noted for player {}", state.mover());
            return Err(place.broken(Law::Noting, expected, "none"));
        }
        Ok(())
    }
}

/// One move of the policy: its index among the legal ones.
fn draw<G: GameState>(
    policy: &impl RolloutPolicy<G>,
    state: &G,
    moves: &[G::Move],
    buffer: &mut Vec<G::Move>,
    place: Place,
    rng: &mut Rng,
) -> Result<usize, LawBroken> {
    let mv = policy.next_move(state, rng, buffer);
    let index = mv.as_ref().and_then(|mv| moves.iter().position(|legal| legal == mv));
    index.ok_or_else(|| place.broken(Law::PolicyMove, "a legal move", format!("{mv:?}")))
}

/// Compares how often each move is drawn, or where there are many, each of [`GROUPS`] groups of
/// them. Returns the moves that were listed for it.
fn check_draws<G: GameState>(
    policy: &impl RolloutPolicy<G>,
    state: &G,
    moves: &[G::Move],
    buffer: &mut Vec<G::Move>,
    place: Place,
    rng: &mut Rng,
) -> Result<usize, LawBroken> {
    let groups = moves.len().min(GROUPS);
    let group = |number: usize| number * groups / moves.len();
    let (mut sizes, mut counts) = (vec![0u32; groups], vec![0u32; groups]);
    (0..moves.len()).for_each(|number| sizes[group(number)] += 1);
    let trials = DRAWS_PER_MOVE as usize * groups;
    for _ in 0..trials {
        counts[group(draw(policy, state, moves, buffer, place, rng)?)] += 1;
    }
    for (at, (&size, &count)) in sizes.iter().zip(&counts).enumerate() {
        let mean = trials as f64 * f64::from(size) / moves.len() as f64;
        if (f64::from(count) - mean).abs() > DEVIATIONS * mean.sqrt() {
            let first = (at * moves.len()).div_ceil(groups);
            let which = &moves[first..first + size as usize];
            let which =
                if size == 1 { format!("{:?}", which[0]) } else { format!("one of {which:?}") };
            let expected = format!("{which} about {mean:.0} times in {trials}");
            return Err(place.broken(Law::UniformMoves, expected, format!("{count} times")));
        }
    }
    Ok(trials * moves.len())
}

/// The end of a game of the policy's moves; `None` if the game has none where it goes on, or goes on
/// for too long.
fn walk<G: GameState>(
    policy: &impl RolloutPolicy<G>,
    state: &G,
    place: Place,
    rng: &mut Rng,
) -> Result<Option<Outcome>, LawBroken> {
    let mut state = state.clone();
    let (mut moves, mut buffer) = (Vec::new(), Vec::new());
    for _ in 0..LONGEST_GAME {
        if let Some(outcome) = state.outcome() {
            return Ok(Some(outcome));
        }
        moves.clear();
        state.moves(&mut moves);
        if moves.is_empty() {
            return Ok(None);
        }
        match policy.next_move(&state, rng, &mut buffer) {
            Some(mv) if moves.contains(&mv) => state = state.apply(&mv),
            mv => {
                let found = format!("{mv:?} after {} plies", state.plies());
                return Err(place.broken(Law::PolicyMove, "a legal move", found));
            }
        }
    }
    Ok(None)
}
