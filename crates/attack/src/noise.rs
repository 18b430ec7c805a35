//! Games made of noise: any shape, any kind of key and move, and laws broken on demand.

use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use playtree::game::{Line, MoveCodes, MoveCoding, RolloutPolicy};
use playtree::{Evaluate, GameState, Outcome, Rng, Scores, Solvable};

use crate::dice::{Dice, mix};
use crate::inject::{Spot, injected};
use crate::tracked::Tracked;

/// What a game looks like.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) seed: u64,
    /// Positions of a layer, or of all.
    pub(crate) width: u64,
    /// Plies of a game; 0: positions come again.
    pub(crate) layers: u32,
    /// The fewest and the most moves of a position.
    pub(crate) branching: (u64, u64),
    /// One position in this many is an end.
    pub(crate) ends: u64,
    /// Whether the game plays itself out.
    pub(crate) rollout: bool,
    pub(crate) evil: Evil,
}

impl Shape {
    /// A game of some moves a position and this number of plies, whose positions hardly come again.
    pub(crate) fn tree(seed: u64, layers: u32) -> Self {
        let (width, branching) = (1 << 40, (2, 6));
        Self { seed, width, layers, branching, ends: 30, rollout: true, evil: Evil::No }
    }
}

/// The law that a game breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evil {
    No,
    PliesZero,
    PliesMax,
    KeyChanges,
    MoverOut,
    EmptyMoves,
    MovesChange,
    RandomNone,
    Outcomes,
    WinOut,
}

/// A shape at random, whose game breaks no law.
pub(crate) fn some_shape(dice: &mut Dice) -> Shape {
    let layers = dice.pick(&[0, 0, 3, 12, 40, 200]);
    Shape {
        seed: dice.next(),
        width: dice.pick(&[2, 5, 20, 200, 5_000, 1 << 40]),
        layers,
        branching: dice.pick(&[(1, 1), (1, 2), (2, 2), (1, 5), (4, 9), (30, 60), (200, 400)]),
        ends: dice.pick(&[3, 8, 50, if layers == 0 { 50 } else { 1_000_000 }]),
        rollout: dice.one_in(2),
        evil: Evil::No,
    }
}

/// What keys and moves are made of.
pub(crate) trait Kind: Send + Sync + 'static + Clone + std::fmt::Debug {
    type Key: Clone + Eq + Hash + Send + Sync;
    type Move: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    fn key(noise: u64) -> Self::Key;
    fn mv(at: u64, number: u64) -> Self::Move;
    fn number(mv: &Self::Move) -> u64;
}

/// Keys and moves that know whether they are alive.
#[derive(Clone, Debug)]
pub(crate) struct Owned;

impl Kind for Owned {
    type Key = Tracked;
    type Move = Tracked;

    fn key(noise: u64) -> Tracked {
        Tracked::new(noise)
    }

    fn mv(_: u64, number: u64) -> Tracked {
        Tracked::new(number)
    }

    fn number(mv: &Tracked) -> u64 {
        mv.check("apply");
        mv.value
    }
}

/// Numbers.
#[derive(Clone, Debug)]
pub(crate) struct Plain;

impl Kind for Plain {
    type Key = u64;
    type Move = u32;

    fn key(noise: u64) -> u64 {
        noise
    }

    fn mv(_: u64, number: u64) -> u32 {
        number as u32
    }

    fn number(mv: &u32) -> u64 {
        u64::from(*mv)
    }
}

/// Texts and lists of any length.
#[derive(Clone, Debug)]
pub(crate) struct Text;

impl Kind for Text {
    type Key = (String, Vec<u16>);
    type Move = String;

    fn key(noise: u64) -> (String, Vec<u16>) {
        let words = (0..4).map(|word| (noise >> (16 * word)) as u16).collect();
        ("k".repeat((noise % 19) as usize), words)
    }

    fn mv(at: u64, number: u64) -> String {
        format!("{number}{}", "m".repeat((at % 7) as usize))
    }

    fn number(mv: &String) -> u64 {
        mv.trim_end_matches('m').parse().unwrap_or(0)
    }
}

/// A position of such a game.
#[derive(Debug)]
pub(crate) struct Noise<const P: usize, K: Kind> {
    shape: Arc<Shape>,
    pub(crate) at: u64,
    ply: u32,
    kind: PhantomData<fn() -> K>,
}

impl<const P: usize, K: Kind> Clone for Noise<P, K> {
    fn clone(&self) -> Self {
        injected(Spot::StateClone);
        self.position(self.at, self.ply)
    }
}

impl<const P: usize, K: Kind> Drop for Noise<P, K> {
    fn drop(&mut self) {
        injected(Spot::StateDrop);
    }
}

/// Calls at which a law may have been broken.
static TEMPTATIONS: AtomicU64 = AtomicU64::new(0);

impl<const P: usize, K: Kind> Noise<P, K> {
    /// The first position that is no end.
    pub(crate) fn new(shape: Shape) -> Self {
        let mut start = Self { shape: Arc::new(shape), at: 0, ply: 0, kind: PhantomData };
        while start.is_end() {
            start.at += 1;
        }
        start
    }

    fn position(&self, at: u64, ply: u32) -> Self {
        Self { shape: Arc::clone(&self.shape), at, ply, kind: PhantomData }
    }

    fn is_end(&self) -> bool {
        let Shape { seed, layers, ends, .. } = *self.shape;
        let may_end = self.ply > 0 || layers == 0;
        layers > 0 && self.ply >= layers || may_end && mix(self.at, seed ^ 1).is_multiple_of(ends)
    }

    /// The number of moves.
    pub(crate) fn count(&self) -> u64 {
        let (least, most) = self.shape.branching;
        least + mix(self.at, self.shape.seed ^ 2) % (most - least + 1)
    }

    /// The ply, where it is part of the position.
    fn layer(&self) -> u32 {
        if self.shape.layers == 0 { 0 } else { self.ply }
    }

    fn side(&self) -> usize {
        if self.shape.layers > 0 && self.shape.seed & 8 == 0 {
            self.ply as usize % P
        } else {
            (mix(self.at, self.shape.seed ^ 3) % P as u64) as usize
        }
    }

    /// Whether this call breaks that law: one in `one_in` of a game that does.
    fn breaks(&self, law: Evil, one_in: u64) -> bool {
        self.shape.evil == law
            && mix(TEMPTATIONS.fetch_add(1, Ordering::Relaxed), 77).is_multiple_of(one_in)
    }

    fn random_scores(noise: u64) -> Scores {
        let score = |player: usize| (mix(noise, player as u64) & 255) as f64 / 255.0;
        Scores::new(&(0..P).map(score).collect::<Vec<_>>()).expect("in their range")
    }
}

impl<const P: usize, K: Kind> GameState for Noise<P, K> {
    type Key = K::Key;
    type Move = K::Move;

    const PLAYERS: usize = P;
    fn key(&self) -> K::Key {
        injected(Spot::Key);
        let changes = self.breaks(Evil::KeyChanges, 3);
        let noise = if changes { TEMPTATIONS.load(Ordering::Relaxed) << 20 } else { 0 };
        K::key(mix(self.at ^ noise, u64::from(self.layer()) << 8 | self.side() as u64))
    }

    fn mover(&self) -> usize {
        injected(Spot::Mover);
        if self.breaks(Evil::MoverOut, 500) { P + 3 } else { self.side() }
    }

    fn plies(&self) -> u32 {
        injected(Spot::Plies);
        match self.shape.evil {
            Evil::PliesZero => 0,
            Evil::PliesMax => u32::MAX - self.ply % 3,
            _ => self.ply,
        }
    }

    fn moves(&self, moves: &mut Vec<K::Move>) {
        injected(Spot::Moves);
        if self.is_end() || self.breaks(Evil::EmptyMoves, 300) {
            return;
        }
        let changes = self.breaks(Evil::MovesChange, 5);
        let others = 1 + TEMPTATIONS.load(Ordering::Relaxed) % (2 * self.count());
        let count = if changes { others } else { self.count() };
        moves.extend((0..count).map(|number| K::mv(self.at, number)));
    }

    fn outcome(&self) -> Option<Outcome> {
        injected(Spot::Outcome);
        if self.breaks(Evil::Outcomes, 50) {
            let over = TEMPTATIONS.load(Ordering::Relaxed).is_multiple_of(2);
            return over.then_some(Outcome::Draw);
        }
        if !self.is_end() {
            return None;
        }
        if self.shape.evil == Evil::WinOut {
            return Some(Outcome::Win(99));
        }
        let noise = mix(self.at, self.shape.seed ^ 4);
        Some(match (P, noise % 4) {
            (2, 1) => Outcome::Draw,
            (2, 2) => {
                let score = (noise >> 8 & 255) as f64 / 255.0;
                Outcome::Scores(Scores::new(&[score, 1.0 - score]).expect("in their range"))
            }
            (2, _) | (_, 0) => Outcome::Win((noise >> 8) as usize % P),
            _ => Outcome::Scores(Self::random_scores(noise)),
        })
    }

    fn apply(&self, mv: &K::Move) -> Self {
        injected(Spot::Apply);
        let noise = mix(
            self.at.wrapping_mul(131).wrapping_add(K::number(mv)),
            self.shape.seed ^ 5 ^ u64::from(self.layer()),
        );
        self.position(noise % self.shape.width, self.ply.wrapping_add(1))
    }

    fn repetition(&self, line: &Line<'_, Self>) -> Outcome {
        injected(Spot::Repetition);
        let length = line.cycle().len();
        if length.is_multiple_of(3) { Outcome::Draw } else { Outcome::Win(length % P) }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        NoiseRollouts
    }

    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game())
    }
}

impl<const P: usize, K: Kind> MoveCodes for Noise<P, K> {
    const CODES: usize = 70;

    fn move_code(&self, mv: &K::Move) -> usize {
        injected(Spot::MoveCode);
        K::number(mv) as usize
    }
}

struct NoiseRollouts;

impl<const P: usize, K: Kind> RolloutPolicy<Noise<P, K>> for NoiseRollouts {
    fn next_move(
        &self,
        state: &Noise<P, K>,
        rng: &mut Rng,
        _: &mut Vec<K::Move>,
    ) -> Option<K::Move> {
        injected(Spot::RandomMove);
        let number = rng.below(state.count() as usize) as u64;
        (!state.breaks(Evil::RandomNone, 1_000)).then(|| K::mv(state.at, number))
    }

    fn play(&self, state: &Noise<P, K>, rng: &mut Rng) -> Option<Outcome> {
        injected(Spot::Rollout);
        let winner = rng.below(P + 1);
        let outcome = if winner < P { Outcome::Win(winner) } else { Outcome::Draw };
        state.shape.rollout.then_some(outcome)
    }
}

impl<const P: usize, K: Kind> Solvable for Noise<P, K> {
    fn promise(&self, _: &K::Move, _: &Self) -> i32 {
        injected(Spot::Promise);
        0
    }
}

/// Values made of noise.
#[derive(Clone, Debug)]
pub(crate) struct Eval;

impl<K: Kind> Evaluate<Noise<2, K>> for Eval {
    fn evaluate(&self, state: &Noise<2, K>) -> i32 {
        injected(Spot::Evaluate);
        (mix(state.at, 9) % 2_001) as i32 - 1_000
    }

    fn noisy_moves(&self, state: &Noise<2, K>, moves: &mut Vec<K::Move>) {
        injected(Spot::Noisy);
        if state.count() > 2 && mix(state.at, 5).is_multiple_of(4) {
            moves.push(K::mv(state.at, 0));
        }
    }
}
