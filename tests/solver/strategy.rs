//! Strategies, walked by code that knows nothing of the solver: each move is legal, no answer is
//! missing, and every line ends as was promised.
//!
//! A strategy of one player shows the least that a position is worth to him, one of the other the
//! most: where both agree the value is proven, the plies included.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use playtree::game::random_move;
use playtree::games::{Breakthrough, ConnectFour, Doudizhu, Hex, MisereNim, NormalNim, TicTacToe};
use playtree::solver::{Aim, Strategy, StrategyKind, StrategyOptions};
use playtree::{
    Budget, GameState, Notation, Rng, SearchError, Solvable, Solver, SolverBuilder, StopReason,
    StopToken,
};

use crate::data::{lines, text};
use crate::trees::{Explicit, rows};

/// By how much a point counts more than a ply.
const POINT: i32 = 10_000;

/// Walks a strategy with rules alone.
struct Walk<'a, G: GameState> {
    strategy: &'a Strategy<G>,
    /// What each position came to.
    seen: HashMap<G::Key, i32>,
}

impl<G: Solvable> Walk<'_, G> {
    /// What the strategy makes sure of, against everything the others can do: points, and a ply off
    /// for each until then.
    fn ensures(&mut self, state: &G, at: usize) -> i32 {
        let key = state.key();
        if let Some(&number) = self.seen.get(&key) {
            return number;
        }
        let position = &self.strategy.positions[at];
        assert!(position.state.key() == key, "another position than was reached");
        let mut legal = Vec::new();
        state.moves(&mut legal);
        let player = self.strategy.player;
        let number = if let Some(outcome) = state.outcome() {
            assert_eq!(position.kind, StrategyKind::End(outcome));
            assert!(position.moves.is_empty());
            state.points(&outcome, player) * POINT
        } else {
            if state.mover() == player {
                assert_eq!(position.kind, StrategyKind::Reply);
                assert_eq!(position.moves.len(), 1, "one reply");
                assert!(legal.contains(&position.moves[0].mv), "an illegal reply");
            } else {
                assert_eq!(position.kind, StrategyKind::Answers);
                let moves: Vec<_> = position.moves.iter().map(|found| found.mv.clone()).collect();
                assert_eq!(moves, legal, "every answer");
            }
            let next = position.moves.iter();
            let worst = next.map(|found| self.ensures(&state.apply(&found.mv), found.to)).min();
            let worst = worst.expect("a move");
            worst - worst.signum()
        };
        self.seen.insert(key, number);
        number
    }
}

fn ensured<G: Solvable>(state: &G, strategy: &Strategy<G>) -> i32 {
    let mut walk = Walk { strategy, seen: HashMap::new() };
    let number = walk.ensures(state, 0);
    assert_eq!(walk.seen.len(), strategy.positions.len(), "a position that is not reached");
    number
}

fn solver<G: Solvable>(threads: usize, set: fn(SolverBuilder<G>) -> SolverBuilder<G>) -> Solver<G> {
    let builder = Solver::builder().threads(threads).oversubscribe(true);
    set(builder).build().expect("right settings")
}

fn whole<G: Solvable>(solver: &mut Solver<G>, state: &G, options: StrategyOptions) -> Strategy<G> {
    let found = solver.strategy(state, &options, &Budget::unlimited()).expect("a strategy");
    assert!(found.is_complete);
    assert_eq!(found.stop_reason, StopReason::Proven);
    found
}

/// Proves what the solver says of `state` by a strategy of each side, and that the winner's is the
/// one that is given unasked. Returns the points of the side to move.
fn check<G: Solvable>(solver: &mut Solver<G>, state: &G, text: &str) -> i32 {
    let solution = solver.solve(state, &Budget::unlimited()).expect("a game that can be solved");
    let worth = solution.limits.exact().expect("everything is known");
    let claimed = worth.points * POINT - worth.points.signum() * worth.plies as i32;
    let mover = state.mover();
    for player in 0..G::PLAYERS {
        let strategy = whole(solver, state, StrategyOptions::new().player(player));
        let sign = if player == mover { 1 } else { -1 };
        assert_eq!(ensured(state, &strategy), sign * claimed, "{text}, player {player}");
    }
    let unasked = whole(solver, state, StrategyOptions::new());
    let winner = if worth.points < 0 && G::PLAYERS == 2 { 1 - mover } else { mover };
    assert_eq!(unasked.player, winner, "{text}");
    let points = if winner == mover { worth.points } else { -worth.points };
    assert_eq!(unasked.positions[0].limits.least.points, points, "{text}");
    worth.points
}

/// As `check`, of a position as text, with `threads` threads.
fn check_text<G: Notation + Solvable>(threads: usize, text: &str) -> i32 {
    let state = G::parse_position(text).expect("a position");
    check(&mut solver(threads, |builder| builder), &state, text)
}

/// Positions of random games in which at least `plies` plies were played.
fn late_positions<G: GameState>(start: &G, plies: u32, count: usize) -> Vec<G> {
    let mut rng = Rng::from_seed(7);
    let mut found = Vec::new();
    while found.len() < count {
        let mut state = start.clone();
        let mut buffer = Vec::new();
        while state.outcome().is_none() && state.plies() < plies {
            let mv = random_move(&state, &mut rng, &mut buffer).expect("a move");
            state.apply_in_place(&mv);
        }
        if state.outcome().is_none() {
            found.push(state);
        }
    }
    found
}

#[test]
fn late_positions_of_connect_four() {
    for threads in [1, 2] {
        let mut solver = solver(threads, |builder| builder);
        let mut results = HashSet::new();
        for state in late_positions(&ConnectFour::new(), 31, 30) {
            results.insert(check(&mut solver, &state, &state.position_text()));
        }
        assert_eq!(results.len(), 3, "won, drawn and lost ones: {results:?}");
    }
}

#[test]
fn nim_in_both_forms() {
    for text in ["3,4,5", "1,2,3", "2,2,5 2", "1,1,1,2"] {
        check_text::<NormalNim>(1, text);
        check_text::<MisereNim>(2, text);
    }
}

#[test]
fn small_boards() {
    check_text::<Breakthrough>(2, "pppp/4/4/PPPP w");
    check_text::<Breakthrough>(1, "ppp/3/3/PPP b");
    for text in ["3:", "3: a1", "4: a1 b2"] {
        check_text::<Hex>(1, text);
    }
    assert_eq!(check_text::<TicTacToe>(1, "........."), 0);
}

#[test]
fn graphs_in_which_players_need_not_take_turns() {
    for seed in 0..20 {
        for threads in [1, 2] {
            let text = format!("graph {seed}");
            let state = Explicit::<2, 1>::random(seed, 10, 8);
            check(&mut solver(threads, |builder| builder), &state, &text);
            let fine = Explicit::<2, 4>::random(seed, 10, 8);
            check(&mut solver(threads, |builder| builder), &fine, &text);
        }
    }
    for row in rows("single") {
        let state = Explicit::<1, 100>::of_row(&row);
        check(&mut solver(1, |builder| builder), &state, &row["id"].to_string());
    }
}

/// The winner's strategy of an endgame of Dou Dizhu wins against everything.
fn check_endgame(hands: &str, first_wins: bool) {
    let state = Doudizhu::parse_position(hands).expect("two hands");
    let mut solver = solver(1, |builder| builder.aim(Aim::Winner));
    let strategy = whole(&mut solver, &state, StrategyOptions::new());
    assert_eq!(strategy.player, usize::from(!first_wins), "{hands}");
    assert!(ensured(&state, &strategy) > 0, "{hands}");
    println!("{hands}: {} positions, {} nodes", strategy.positions.len(), strategy.nodes);
}

#[test]
fn endgames_of_dou_dizhu_are_won_against_everything() {
    let mut endgames = 0;
    for (file, winner) in [
        ("doudizhu/endgames_generated.jsonl", "first_wins"),
        ("doudizhu/endgames_published.jsonl", "winner_first"),
    ] {
        let rows = lines(file);
        if rows.is_empty() {
            return;
        }
        for row in rows {
            let first_wins = row[winner] == true || row[winner] == "win";
            check_endgame(&format!("{}/{}", text(&row, "first"), text(&row, "second")), first_wins);
            endgames += 1;
        }
    }
    assert_eq!(endgames, 103);
}

#[test]
fn any_win_will_do_if_only_the_winner_is_asked_for() {
    let mut solver = solver(1, |builder| builder.aim(Aim::Winner));
    for (text, winner) in [("4:", 0), ("4: a4", 0), ("4: a1", 1)] {
        let state = Hex::parse_position(text).expect("a board");
        let strategy = whole(&mut solver, &state, StrategyOptions::new());
        assert_eq!(strategy.player, winner, "{text}");
        assert!(ensured(&state, &strategy) > 0, "{text}");
    }
}

#[test]
fn replies_win_against_anything() {
    let state = Breakthrough::parse_position("pppp/4/4/PPPP w").expect("a board");
    let mut solver = solver(1, |builder| builder);
    let budget = Budget::unlimited();
    let solution = solver.solve(&state, &budget).expect("a game that can be solved");
    let distance = solution.distance().expect("a winner");
    let winner = if solution.points() == Some(1) { state.mover() } else { 1 - state.mover() };
    let (mut rng, mut buffer) = (Rng::from_seed(1), Vec::new());
    for _ in 0..50 {
        let mut now = state;
        while now.outcome().is_none() {
            let mv = if now.mover() == winner {
                let reply = solver.reply(&now, &budget).expect("a move");
                assert!(reply.limits.least.points > 0, "{}", now.position_text());
                reply.mv
            } else {
                random_move(&now, &mut rng, &mut buffer).expect("a move")
            };
            now.apply_in_place(&mv);
        }
        assert_eq!(now.outcome().expect("an end").score(winner), 1.0);
        assert!(now.plies() - state.plies() <= distance);
    }
}

#[test]
fn a_strategy_ends_at_its_depth() {
    let state = Hex::parse_position("4:").expect("a board");
    let mut solver = solver(1, |builder| builder);
    let whole_one = whole(&mut solver, &state, StrategyOptions::new());
    for plies in 0..4 {
        let strategy = whole(&mut solver, &state, StrategyOptions::new().plies(plies));
        let deep = strategy.positions.iter().map(|position| position.plies).max();
        assert_eq!(deep, Some(plies));
        for (position, same) in strategy.positions.iter().zip(&whole_one.positions) {
            assert!(position.state.key() == same.state.key());
            assert_eq!(position.limits, same.limits);
            assert_eq!(position.kind == StrategyKind::Beyond, position.plies == plies);
        }
    }
}

#[test]
fn a_budget_ends_all_of_it() {
    let state = Hex::parse_position("3:").expect("a board");
    let fresh = || solver::<Hex>(1, |builder| builder);
    let all = StrategyOptions::new();
    let complete = whole(&mut fresh(), &state, all);
    let root = fresh().reply(&state, &Budget::unlimited()).expect("a move");
    assert!(root.limits.least.points > 0);

    // Enough for the first position, and not for all of them.
    let limit = complete.nodes / 2;
    let part = fresh().strategy(&state, &all, &Budget::nodes(limit)).expect("a part");
    assert!(!part.is_complete && part.nodes <= limit, "{} of {limit}", part.nodes);
    assert_eq!(part.stop_reason, StopReason::Nodes);
    let unsolved = |kind: &StrategyKind| *kind == StrategyKind::Unsolved;
    assert!(part.positions.iter().any(|position| unsolved(&position.kind)));

    // With a table that knows everything each position still counts.
    let mut solver = fresh();
    whole(&mut solver, &state, all);
    let part = solver.strategy(&state, &all, &Budget::nodes(10)).expect("a part");
    assert_eq!(part.positions.iter().filter(|position| !unsolved(&position.kind)).count(), 10);
    for budget in [Budget::time(Duration::ZERO), {
        let token = StopToken::new();
        token.stop();
        Budget::until(&token)
    }] {
        let part = solver.strategy(&state, &all, &budget).expect("a part");
        assert!(!part.is_complete && part.positions.len() < 20);
    }

    // The same solver gets to the end by asking again.
    let mut solver = fresh();
    let mut calls = 0;
    let strategy = loop {
        calls += 1;
        let budget = Budget::nodes(limit + complete.positions.len() as u64);
        let found = solver.strategy(&state, &all, &budget).expect("a part");
        if found.is_complete {
            break found;
        }
    };
    assert!(calls < 10 && ensured(&state, &strategy) > 0);
}

#[test]
fn a_position_is_written_out_once() {
    let state = NormalNim::parse_position("3,4,5").expect("piles");
    let strategy = whole(&mut solver(1, |builder| builder), &state, StrategyOptions::new());
    let text = strategy.to_string();
    let replies =
        strategy.positions.iter().filter(|position| position.kind == StrategyKind::Reply).count();
    assert_eq!(text.matches(" > ").count(), replies, "{text}");
    let mut references = 0;
    for line in text.lines() {
        if let Some((_, number)) = line.split_once(" = #") {
            let numbered = format!("#{number}");
            let written =
                |line: &str| line.replace("= #", "").split(' ').any(|word| word == numbered);
            assert_eq!(text.lines().filter(|line| written(line)).count(), 1, "{number} in {text}");
            references += 1;
        }
    }
    assert!(references > 0, "{text}");
}

#[test]
fn a_strategy_is_walked_by_its_moves() {
    let state = NormalNim::parse_position("1,2").expect("piles");
    let strategy = whole(&mut solver(1, |builder| builder), &state, StrategyOptions::new());
    let root = &strategy.positions[0];
    let reply = root.moves[0].mv;
    assert_eq!(state.move_text(&reply), "2-1");
    let after = &strategy.positions[root.after(&reply).expect("a position")];
    let answer = after.state.parse_move("1-1").expect("a move");
    assert_eq!(strategy.positions[after.after(&answer).expect("a position")].plies, 2);
    assert_eq!(root.after(&answer), None);
}

#[test]
fn who_does_not_play_has_no_strategy() {
    let state = NormalNim::parse_position("1,2").expect("piles");
    let mut solver = solver(1, |builder| builder);
    let options = StrategyOptions::new().player(2);
    let error = solver.strategy(&state, &options, &Budget::unlimited()).expect_err("two players");
    assert_eq!(error, SearchError::Player { found: 2, players: 2 });
    let many = rows("maxn3").first().map(Explicit::<3, 400>::of_row);
    if let Some(many) = many {
        let mut solver = Solver::builder().build().expect("right settings");
        let error = solver.strategy(&many, &StrategyOptions::new(), &Budget::unlimited());
        assert_eq!(error.expect_err("three players"), SearchError::ManyPlayers { players: 3 });
    }
    let over = NormalNim::parse_position("0,0").expect("piles");
    for budget in [Budget::unlimited(), Budget::time(Duration::ZERO)] {
        let error = solver.strategy(&over, &StrategyOptions::new(), &budget).expect_err("an end");
        assert!(matches!(error, SearchError::GameOver(_)));
    }
}
