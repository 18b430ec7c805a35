//! One game of a match, from its opening to its end.

use std::io::Write;
use std::time::{Duration, Instant};

use playtree::budget::GameClock;
use playtree::dynamic::AnyMove;
use playtree::{GameState, Rng};
use serde::Serialize;

use super::MatchArgs;
use crate::error::CliError;
use crate::makes::Makes;
use crate::player::{
    self, Answer, AtCtrlC, Clocks, Failure, ForfeitKind, Record, Seat, Work, press,
};
use crate::spec::Spec;

/// What all games of a match have in common.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub(super) args: &'a MatchArgs,
    pub(super) game: playtree_session::Game,
    pub(super) specs: &'a [Spec; 2],
    /// What was played before the openings.
    pub(super) before: &'a Record,
    /// The moves of each opening.
    pub(super) openings: &'a [Vec<AnyMove>],
    pub(super) stop: &'a AtCtrlC,
    /// Of the engines of `a` and of `b`.
    pub(super) makers: [&'a dyn Makes; 2],
}

/// A game that is over.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Game {
    /// From 1; the two of an opening follow each other.
    pub(super) number: usize,
    opening: Vec<String>,
    moves: Vec<String>,
    /// What the side to move expected for `a` at each of the moves, in [0, 1], if it says so.
    win_rates: Vec<Option<f64>>,
    /// The first player, `a` or `b`.
    first: &'static str,
    /// Of the first side, `a`, in [0, 1].
    pub(super) score: f64,
    pub(super) reason: Reason,
    /// What was wrong with a program.
    pub(super) detail: Option<String>,
    pub(super) plies: usize,
    /// What `a` and `b` have spent.
    pub(super) a: Spent,
    pub(super) b: Spent,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    Rules,
    Repetition,
    MaxPlies,
    Resigned,
    ClaimedDraw,
    /// The clock of a side was used up.
    OnTime,
    /// From here on: faults of programs.
    Crash,
    Timeout,
    IllegalMove,
    Protocol,
}

impl Reason {
    /// As the JSON form spells it, with blanks.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Repetition => "repetition",
            Self::MaxPlies => "max plies",
            Self::Resigned => "resigned",
            Self::ClaimedDraw => "claimed draw",
            Self::OnTime => "on time",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::IllegalMove => "illegal move",
            Self::Protocol => "protocol",
        }
    }
}

impl From<ForfeitKind> for Reason {
    fn from(kind: ForfeitKind) -> Self {
        match kind {
            ForfeitKind::Crash => Self::Crash,
            ForfeitKind::Timeout => Self::Timeout,
            ForfeitKind::IllegalMove => Self::IllegalMove,
            ForfeitKind::Protocol => Self::Protocol,
        }
    }
}

/// What a side has spent on its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Spent {
    pub(super) moves: u64,
    pub(super) seconds: f64,
    /// On the one move that took longest.
    pub(super) longest_seconds: f64,
    /// Of all moves, `None` if that of one is not known, as for the other two.
    pub(super) simulations: Option<u64>,
    pub(super) nodes: Option<u64>,
    /// The depths of all moves added up.
    pub(super) depths: Option<u64>,
}

impl Spent {
    fn add(&mut self, work: Work, time: Duration) {
        let seconds = time.as_secs_f64();
        let one = Self {
            moves: 1,
            seconds,
            longest_seconds: seconds,
            simulations: work.simulations,
            nodes: work.nodes,
            depths: work.depth.map(u64::from),
        };
        *self = self.and(one);
    }

    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        if self.moves == 0 {
            return other;
        }
        if other.moves == 0 {
            return self;
        }
        let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        Self {
            moves: self.moves + other.moves,
            seconds: self.seconds + other.seconds,
            longest_seconds: self.longest_seconds.max(other.longest_seconds),
            simulations: sum(self.simulations, other.simulations),
            nodes: sum(self.nodes, other.nodes),
            depths: sum(self.depths, other.depths),
        }
    }
}

impl Game {
    /// Writes a line for people.
    pub(super) fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        let second = if self.first == "a" { "b" } else { "a" };
        write!(
            out,
            "game {}: {} - {second}, score of a {}, {}, {} plies:",
            self.number,
            self.first,
            self.score,
            self.reason.text(),
            self.plies
        )?;
        let opening: Vec<String> = self.opening.iter().map(|mv| format!("({mv})")).collect();
        writeln!(out, " {} {}", opening.join(" "), self.moves.join(" "))?;
        if let Some(detail) = &self.detail {
            writeln!(out, "  {detail}")?;
        }
        Ok(())
    }
}

impl Plan<'_> {
    /// What a player, `a` is 0, learns of a game before it.
    pub(super) fn seat(&self, side: usize, seed: u64) -> Seat<'_> {
        Seat {
            game: self.game,
            usual_start: self.args.game.is_usual_start(),
            seed,
            time: self.args.time,
            clocks: self.clock().map(|clock| self.clocks([clock; 2], 0)),
            // A match is one of equals.
            threads: Some(1),
            stop: self.stop,
            maker: self.makers[side],
        }
    }

    /// The clock of each side before its first move.
    fn clock(&self) -> Option<GameClock> {
        self.args.clock.as_ref().map(|written| written.clock)
    }

    /// The clocks of `a` and `b` as the side to move sees them: `a` is 0.
    fn clocks(&self, both: [GameClock; 2], side: usize) -> Clocks {
        let manager = self.args.manager.manager();
        Clocks { own: both[side], other: both[1 - side], manager }
    }

    /// Plays game `number`, from 0. Blocks until it is over.
    pub(super) fn play(&self, number: usize) -> Result<Game, Failure> {
        let opening = &self.openings[number / 2];
        let mut record = self.before.clone();
        let begin = record.len();
        for mv in opening {
            record.play(mv.clone());
        }
        // `a` is the first player in even games.
        let a_is = number % 2;
        let (mut spent, mut win_rates) = ([Spent::default(); 2], Vec::new());
        let (score, reason, detail) =
            self.finish(number, a_is, &mut record, &mut spent, &mut win_rates)?;
        Ok(Game {
            number: number + 1,
            opening: record.texts_from(begin).take(opening.len()).collect(),
            moves: record.texts_from(begin + opening.len()).collect(),
            win_rates,
            first: if a_is == 0 { "a" } else { "b" },
            score,
            reason,
            detail,
            plies: record.len() - begin,
            a: spent[0],
            b: spent[1],
        })
    }

    /// Plays on from the opening: the score of `a`, and why.
    fn finish(
        &self,
        number: usize,
        a_is: usize,
        record: &mut Record,
        spent: &mut [Spent; 2],
        win_rates: &mut Vec<Option<f64>>,
    ) -> Result<(f64, Reason, Option<String>), Failure> {
        let mut seeds = seeds_of(self.args.seed, number);
        let mut players = Vec::with_capacity(2);
        for (side, spec) in self.specs.iter().enumerate() {
            match player::make(spec, &self.before.states()[0], self.seat(side, seeds.next_u64())) {
                Ok(player) => players.push(player),
                // It could be played with before the match: this time it does not begin.
                Err(Failure::Unfit(detail)) => {
                    return Ok((side as f64, Reason::Crash, Some(detail)));
                }
                Err(other) => return Err(other),
            }
        }
        let mut clocks = self.clock().map(|clock| [clock; 2]);
        loop {
            let state = record.last();
            if let Some(outcome) = state.outcome() {
                return Ok((outcome.score(a_is), Reason::Rules, None));
            }
            if let Some(outcome) = record.repetition() {
                return Ok((outcome.score(a_is), Reason::Repetition, None));
            }
            if record.len() - self.before.len() >= self.args.max_plies as usize {
                return Ok((0.5, Reason::MaxPlies, None));
            }
            let side = state.mover() ^ a_is;
            let seen = clocks.map(|both| self.clocks(both, side));
            let begin = Instant::now();
            let answer = players[side].choose(record, seen);
            let time = begin.elapsed();
            // What `a` gets if this side has lost.
            let lost = side as f64;
            let overstepped = clocks.as_mut().and_then(|both| press(&mut both[side], time));
            match answer {
                Err(failure @ (Failure::Unfit(_) | Failure::Stopped | Failure::Error(_))) => {
                    return Err(failure);
                }
                _ if overstepped.is_some() => return Ok((lost, Reason::OnTime, overstepped)),
                Ok(Answer::Move(mv, work)) => {
                    spent[side].add(work, time);
                    let of_a = |rate| if side == 0 { rate } else { 1.0 - rate };
                    win_rates.push(work.mover_win_rate.map(of_a));
                    record.play(mv);
                }
                Ok(Answer::Resigned) => return Ok((lost, Reason::Resigned, None)),
                Ok(Answer::ClaimedDraw) => return Ok((0.5, Reason::ClaimedDraw, None)),
                Err(Failure::Forfeit(forfeit)) => {
                    return Ok((lost, forfeit.kind.into(), Some(forfeit.detail)));
                }
            }
        }
    }
}

/// The numbers that the players of a game are seeded with, whatever the other games do.
fn seeds_of(seed: u64, game: usize) -> Rng {
    let mut all = Rng::from_seed(seed);
    let odd = all.next_u64() | 1;
    Rng::from_seed(seed ^ (game as u64 + 1).wrapping_mul(odd))
}
