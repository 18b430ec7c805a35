//! How long to think about one move, from a game clock.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::form::{check, form};

use super::{Budget, CannotBeOvertaken, GameClock, OnlyMove};

/// Turns a game clock into the [`Budget`] of one move.
///
/// A game is not lost on time as long as each move costs at most the lag buffer beyond its
/// limit, and, without an increment, the game is no longer than twice the expected plies and
/// begins with time for the lag of all of its moves and more. With less time than the buffer
/// the plan is zero and the search answers at once. [`plan`](Self::plan) has the formula.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use playtree::budget::{GameClock, TimeManager};
/// use playtree::games::ConnectFour;
/// use playtree::{GameState, Mcts, Notation};
///
/// let manager = TimeManager::new().expected_plies(42);
/// let clock = GameClock::Fischer {
///     remaining: Duration::from_millis(700),
///     increment: Duration::from_millis(40),
/// };
/// let state = ConnectFour::parse_position("4444")?;
/// let mut mcts = Mcts::builder().build()?;
/// let report = mcts.search(&state, &manager.budget(clock, state.plies()))?;
/// let clock = clock.after_move(report.elapsed); // `None` if the time is overstepped
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeManager {
    lag: Duration,
    expected_plies: u32,
}

/// How long to think about one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThinkingTime {
    /// To be used if the best move is settled then: the soft limit. At most `limit`.
    pub target: Duration,
    /// Never to be passed: the hard limit.
    pub limit: Duration,
    /// Whether time not used now can be used for a later move.
    pub saves: bool,
}

form! {
    /// The fields.
    ThinkingForm of ThinkingTime = time {
        target: Duration = time.target,
        limit: Duration = time.limit,
        saves: bool = time.saves,
    }
}

impl TryFrom<ThinkingForm> for ThinkingTime {
    type Error = String;

    fn try_from(form: ThinkingForm) -> Result<Self, String> {
        let ThinkingForm { target, limit, saves } = form;
        check("target", format!("at most {limit:?}"), format!("{target:?}"), target <= limit)?;
        Ok(Self { target, limit, saves })
    }
}

impl Default for TimeManager {
    fn default() -> Self {
        Self { lag: Duration::from_millis(30), expected_plies: 60 }
    }
}

impl TimeManager {
    /// A manager with a lag buffer of 30 ms for games of about 60 plies.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The most time that a move costs beyond its thinking: the way of the move to the clock
    /// and back, a slow scheduler, an evaluation that cannot be interrupted. 30 ms unless set.
    #[must_use]
    pub fn lag(mut self, lag: Duration) -> Self {
        self.lag = lag;
        self
    }

    /// Plies of a usual whole game, from its start, as far as there is something to think
    /// about: the moves after a proof cost nothing. 60 unless set.
    #[must_use]
    pub fn expected_plies(mut self, plies: u32) -> Self {
        self.expected_plies = plies;
        self
    }

    /// The budget of the move at `plies` plies: the [`plan`](Self::plan) as hard and soft
    /// limit; one legal move is answered at once; and what cannot be overtaken any more ends
    /// the search.
    pub fn budget(&self, clock: GameClock, plies: u32) -> Budget {
        let plan = self.plan(clock, plies);
        let budget = Budget::time(plan.limit).and(OnlyMove).and(CannotBeOvertaken::EXACT);
        if plan.saves { budget.and_soft_time(plan.target) } else { budget }
    }

    /// How long to think about the move at `plies` plies.
    ///
    /// The plan of a move is a *target* and a *limit*. With
    ///
    /// - `R` the time on the clock, `I` the increment, `P` the byo-yomi period;
    /// - `B` the lag buffer: the most time that a move costs beyond its thinking;
    /// - `E` the plies expected of a whole game, `p` those played;
    /// - `m = max((E - p) / 2 - 2, 6)` the own moves to come, as far as thinking goes;
    /// - `k = 20 + max(2 E - p, 0) / 2` the own moves for which lag is put by;
    ///
    /// | clock | usable `U` | share | target | limit |
    /// |---|---|---|---|---|
    /// | per move | `time - B` | `U` | `U` | `U` |
    /// | sudden death | `max(R - k B, R / 32)` | `U / m` | `1.2 U / m` | `min(3 share, U / 2)` |
    /// | Fischer, `i = max(I - B, 0)` | `max(R - B - k max(B - I, 0), R / 32)` | `U / m + i` | `1.2 U / m + i` | `min(3 share, U / 2 + i)` |
    /// | byo-yomi, main time | `R` | `max(R / m, P - B)` | `max(1.2 R / m, P - B)` | `min(3 share, R + P - B)` |
    /// | byo-yomi, in a period | `P - B` | `U` | `U` | `U` |
    /// | `n` moves to go | `R - n B`, `R / 16` if that is below 0 | `U / n` | `1.2 U / n` | `min(3 share, U / 2)` |
    /// | one move to go | `R - B` | `U` | `U` | `U` |
    ///
    /// and no limit is above `R - B` (of the time at hand), no target above its limit.
    ///
    /// The shape is that of the "enhanced formula" `R / (C + max(E - p, 0))` of Huang, Coulom and
    /// Lin (Time Management for Monte-Carlo Tree Search Applied to the Game of Go, 2010), which
    /// took Erica from 43 % to 60 % against GNU Go with `C = 30` and a peak at ply 80 on 19x19.
    /// Here a proof makes the last moves cheap, so there is a floor in place of `C`.
    ///
    /// Where time saved can be used later, a move ends early if no other can become the most
    /// visited one (STOP of Baier and Winands, Time Management for Monte Carlo Tree Search, 2016,
    /// with the exact lead), and goes on past its target while the best move is not settled
    /// (UNST, [`SoftTime`](super::SoftTime)). Time saved is shared out again with the next
    /// move, because every plan starts from the clock.
    ///
    /// The constants were chosen by matches of Connect Four and Othello against a fixed time per
    /// move. What those taught: Connect Four wants its time early, before the proof; Othello
    /// wants it spread evenly, and with targets of two shares and a floor of 5 moves scored 27 %,
    /// starved at the end. `cargo run --release -p peer-bench -- clocks` plays such matches.
    #[must_use]
    pub fn plan(&self, clock: GameClock, plies: u32) -> ThinkingTime {
        let Self { lag, expected_plies } = *self;
        let own_moves = expected_plies.saturating_sub(plies) / 2;
        let moves = own_moves.saturating_sub(PROVEN_MOVES).max(FEWEST_MOVES);
        let long_game = expected_plies.saturating_mul(2).saturating_sub(plies) / 2;
        let lags = FEWEST_LAGS.saturating_add(long_game);
        let usable =
            |remaining: Duration, lag: Duration| remaining.saturating_sub(lag).max(remaining / 32);
        let target = |share: Duration| share.saturating_mul(TARGET.0) / TARGET.1;
        // As in the table above; what is common to all follows below.
        let (share, target, limit, at_hand, saves) = match clock {
            GameClock::PerMove { time }
            | GameClock::ByoYomi { remaining: Duration::ZERO, period: time, periods: 1.. } => {
                let usable = time.saturating_sub(lag);
                (usable, usable, usable, time, false)
            }
            GameClock::SuddenDeath { remaining }
            | GameClock::ByoYomi { remaining, periods: 0, .. } => {
                let usable = usable(remaining, lag.saturating_mul(lags));
                let share = usable / moves;
                (share, target(share), usable / 2, remaining, true)
            }
            GameClock::Fischer { remaining, increment } => {
                let short = lag.saturating_sub(increment).saturating_mul(lags);
                let usable = usable(remaining, lag.saturating_add(short));
                let gain = increment.saturating_sub(lag);
                let [share, target, limit] = [usable / moves, target(usable / moves), usable / 2]
                    .map(|time| time.saturating_add(gain));
                (share, target, limit, remaining, true)
            }
            GameClock::ByoYomi { remaining, period, .. } => {
                let at_hand = remaining.saturating_add(period);
                let in_period = period.saturating_sub(lag);
                let [share, target] =
                    [remaining / moves, target(remaining / moves)].map(|time| time.max(in_period));
                (share, target, at_hand, at_hand, true)
            }
            GameClock::MovesToGo { remaining, moves: 0 | 1, .. } => {
                (remaining, remaining, remaining, remaining, true)
            }
            GameClock::MovesToGo { remaining, moves, .. } => {
                // Their number is known: nothing of what their lag needs is touched.
                let usable = remaining.checked_sub(lag.saturating_mul(moves));
                let usable = usable.unwrap_or(remaining / 16);
                let share = usable / moves;
                (share, target(share), usable / 2, remaining, true)
            }
        };
        let most = share.saturating_mul(MOST_SHARES);
        let limit = limit.min(most).min(at_hand.saturating_sub(lag));
        ThinkingTime { target: target.min(limit), limit, saves }
    }
}

/// Own moves at the end of a game that cost next to nothing, because the result is proven.
const PROVEN_MOVES: u32 = 2;

/// Own moves for which time to think is kept, however late in the game.
const FEWEST_MOVES: u32 = 6;

/// The target of a move in shares of the usable time, as a fraction.
const TARGET: (u32, u32) = (6, 5);

/// Own moves whose lag the clock must still bear, however late in the game.
const FEWEST_LAGS: u32 = 20;

/// The most that a move may take, in shares of the usable time.
const MOST_SHARES: u32 = 3;
