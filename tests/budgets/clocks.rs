//! The time manager against every clock: a thousand simulated games each, without a search
//! and without waiting, and clocks that have hardly any time or far too much.

use std::time::Duration;

use playtree::Rng;
use playtree::budget::{GameClock, ThinkingTime, TimeManager};

const LAG: Duration = Duration::from_millis(50);
const PLIES: u32 = 60;

fn manager() -> TimeManager {
    TimeManager::new().lag(LAG).expected_plies(PLIES)
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Clocks of every kind, from bullet to slow, each for a whole game.
fn clocks() -> Vec<(&'static str, Vec<GameClock>)> {
    let fischer = |remaining, increment| GameClock::Fischer {
        remaining: ms(remaining),
        increment: ms(increment),
    };
    let byo_yomi = |remaining, period, periods| GameClock::ByoYomi {
        remaining: ms(remaining),
        period: ms(period),
        periods,
    };
    let to_go = |time, moves| GameClock::MovesToGo {
        remaining: ms(time),
        moves,
        session_time: ms(time),
        session_moves: moves,
    };
    let sudden = |remaining| GameClock::SuddenDeath { remaining: ms(remaining) };
    let per_move = |time| GameClock::PerMove { time: ms(time) };
    vec![
        ("per move", [60, 200, 1_000, 30_000].map(per_move).into()),
        ("sudden death", [5_000, 10_000, 60_000, 600_000].map(sudden).into()),
        ("fischer", vec![fischer(1_000, 100), fischer(60_000, 1_000), fischer(6_000, 20)]),
        ("byo-yomi", vec![byo_yomi(60_000, 5_000, 3), byo_yomi(0, 300, 1), byo_yomi(900, 80, 5)]),
        ("moves to go", vec![to_go(60_000, 40), to_go(3_000, 20), to_go(600, 1)]),
    ]
}

fn uniform(rng: &mut Rng, most: Duration) -> Duration {
    most.mul_f64(rng.unit())
}

/// What a search with this plan might take: it is done early, at its target, somewhere
/// between, or not before its limit.
fn thinking(rng: &mut Rng, plan: ThinkingTime) -> Duration {
    match rng.below(5) {
        0 => uniform(rng, plan.target),
        1 | 2 => plan.target,
        3 => plan.target + uniform(rng, plan.limit - plan.target),
        _ => plan.limit,
    }
}

#[test]
fn a_thousand_games_with_jittered_clocks_are_never_lost_on_time() {
    for (kind, clocks) in clocks() {
        let mut rng = Rng::from_seed(2016);
        for game in 0..1_000 {
            let mut clock = clocks[game % clocks.len()];
            // From very short games to twice the expected length.
            let plies = 2 + rng.below(2 * PLIES as usize) as u32;
            for ply in (game as u32 % 2..plies).step_by(2) {
                let plan = manager().plan(clock, ply);
                let spent = thinking(&mut rng, plan) + uniform(&mut rng, LAG);
                let Some(next) = clock.after_move(spent) else {
                    panic!("{kind}, game {game}, ply {ply}: {spent:?} of {clock:?} by {plan:?}");
                };
                clock = next;
            }
        }
    }
}

#[test]
fn the_worst_of_all_games_is_not_lost_on_time() {
    // Every search takes all it may, and every move costs the whole lag buffer.
    for (kind, clocks) in clocks() {
        for start in clocks {
            let mut clock = start;
            for ply in (0..2 * PLIES).step_by(2) {
                let plan = manager().plan(clock, ply);
                let Some(next) = clock.after_move(plan.limit + LAG) else {
                    panic!("{kind}, ply {ply}: {plan:?} and the lag of {clock:?} from {start:?}");
                };
                clock = next;
            }
        }
    }
}

#[test]
fn the_time_is_used() {
    // Played at its targets, a game of the expected length uses most of its clock.
    for (kind, clocks) in clocks() {
        for start in clocks.into_iter().filter(|clock| clock.remaining() >= ms(60_000)) {
            let (mut clock, mut used) = (start, Duration::ZERO);
            for ply in (0..PLIES).step_by(2) {
                let plan = manager().plan(clock, ply);
                assert!(!plan.target.is_zero() && plan.target <= plan.limit, "{kind}: {plan:?}");
                used += plan.target;
                clock = clock.after_move(plan.target).expect("in time");
            }
            assert!(used >= start.remaining() / 2, "{kind}: {used:?} of {start:?}");
            if let GameClock::SuddenDeath { .. } = start {
                assert!(used <= start.remaining() * 49 / 50, "{kind}: {used:?} of {start:?}");
            }
        }
    }
}

#[test]
fn clocks_without_time_are_answered_at_once() {
    for left in [Duration::ZERO, Duration::from_nanos(1), ms(1), LAG] {
        for clock in [
            GameClock::PerMove { time: left },
            GameClock::SuddenDeath { remaining: left },
            GameClock::Fischer { remaining: left, increment: ms(1_000) },
            GameClock::ByoYomi { remaining: Duration::ZERO, period: left, periods: 3 },
            GameClock::ByoYomi { remaining: left, period: ms(1_000), periods: 0 },
            GameClock::MovesToGo {
                remaining: left,
                moves: 0,
                session_time: ms(1_000),
                session_moves: 0,
            },
        ] {
            let plan = manager().plan(clock, 10);
            assert_eq!((plan.target, plan.limit), (Duration::ZERO, Duration::ZERO), "{clock:?}");
        }
    }
}

#[test]
fn no_clock_overflows() {
    let max = Duration::MAX;
    let times = [Duration::ZERO, Duration::from_nanos(1), ms(1_000), max];
    let counts = [0, 1, 20, u32::MAX];
    for remaining in times {
        for other in times {
            for count in counts {
                for clock in [
                    GameClock::PerMove { time: remaining },
                    GameClock::SuddenDeath { remaining },
                    GameClock::Fischer { remaining, increment: other },
                    GameClock::ByoYomi { remaining, period: other, periods: count },
                    GameClock::MovesToGo {
                        remaining,
                        moves: count,
                        session_time: other,
                        session_moves: count,
                    },
                ] {
                    for lag in times {
                        for (plies, expected) in [(0, 0), (u32::MAX, 0), (7, u32::MAX)] {
                            let manager = TimeManager::new().lag(lag).expected_plies(expected);
                            let plan = manager.plan(clock, plies);
                            assert!(plan.target <= plan.limit && plan.limit <= clock.remaining());
                            let _ = clock.after_move(plan.limit);
                            let _ = manager.budget(clock, plies);
                        }
                    }
                }
            }
        }
    }
}
