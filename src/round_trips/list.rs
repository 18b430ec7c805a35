//! The types that are plain data, by the module of the source, with values of each.

use std::time::Duration;

use serde_json::from_str;

use super::Checks;
use super::pile::{PILE, Pile};
use super::values::{
    LONG, ODD, SHORT, WIN, alphabeta_move, alphabeta_report, autotune, budget, facts_info, network,
    node, progress, report, search_content, solution, table_info, worth,
};
use crate::budget::{
    All, Bytes, CannotBeOvertaken, Depth, GameClock, Hint, Leader, Nodes, OnlyMove, Quantity,
    Settled, Simulations, SoftTime, ThinkingTime, TimeFrom, TimeManager,
};
use crate::game::Record;
use crate::mcts::exchange::{Absorbed, Exchange, Lines};
use crate::mcts::{
    Audit, BaseMoves, Choice, Decisive, Dirichlet, Expansion, Grave, Gumbel, InFlight,
    Inconsistency, Invariant, Learned, LockPolicy, Mast, Nst, Parallelism, ProgressiveHistory,
    Puct, Replies, RolloutMoves, Root, RoundSize, Selection, Sharing, TableLocks, WarmUpDraw,
};
use crate::save::{Content, FactsContent, Loaded, TableKind};
use crate::solver::{
    Aim, Limits, Method, RootMoves, SolvedMove, StrategyKind, StrategyMove, StrategyOptions, Worth,
};
use crate::statistics::{Estimate, MatchScore, Sprt, Verdict};
use crate::{
    Budget, GameTag, Mcts, Outcome, Proven, Scores, SearchId, Snapshot, Solver, StopReason,
    alphabeta, mcts, save, solver,
};

/// All that is plain data, by the module of the source.
pub(super) fn all() -> Checks {
    let mut list = Checks::default();
    alphabeta_types(&mut list);
    budget_types(&mut list);
    mcts_types(&mut list);
    solver_types(&mut list);
    other_types(&mut list);
    list
}

fn alphabeta_types(list: &mut Checks) {
    use alphabeta::{AutotuneOptions, AutotuneProgress, Options, ParallelMode, Score, ScoreBound};
    list.add("alphabeta::Autotune", [autotune()]);
    list.add("alphabeta::AutotuneOptions", [AutotuneOptions::new().repetitions(7)]);
    list.add("alphabeta::AutotuneProgress", [AutotuneProgress { searches: 1, of: 2 }]);
    list.add("alphabeta::AutotuneTrial", [autotune().depth_trials[0]]);
    let score = |score| alphabeta_move(Some(score));
    list.add_with(
        "alphabeta::MoveReport",
        &["proven"],
        [score(Score::Value(35)), score(Score::Win { plies: 1 })],
    );
    list.add("alphabeta::Options", [Options::<Pile>::new().only([2]).except([1]).played([PILE])]);
    let modes = [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];
    list.add("alphabeta::ParallelMode", modes);
    list.add_with("alphabeta::Report", &["nodes_per_second"], [alphabeta_report()]);
    let win = Score::Win { plies: 1 };
    let loss = Score::Loss { plies: u32::MAX };
    list.add("alphabeta::Score", [win, Score::Value(-35), Score::Draw, loss]);
    let bounds = [ScoreBound::Exact, ScoreBound::AtMost, ScoreBound::AtLeast];
    list.add("alphabeta::ScoreBound", bounds);
}

fn budget_types(list: &mut Checks) {
    list.add("budget::All", [All::of(Nodes(1)).and(OnlyMove), All::default()]);
    list.add("budget::Budget", [budget(), Budget::unlimited()]);
    list.add("budget::TimeFrom", [TimeFrom::Call, TimeFrom::FirstTurn]);
    list.add("budget::Bytes", [Bytes(1)]);
    let shares = [ODD, 9.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    list.add("budget::CannotBeOvertaken", shares.map(|share| CannotBeOvertaken { share }));
    list.add("budget::Depth", [Depth(1)]);
    list.add(
        "budget::GameClock",
        [
            GameClock::PerMove { time: SHORT },
            GameClock::SuddenDeath { remaining: Duration::MAX },
            GameClock::Fischer { remaining: LONG, increment: SHORT },
            GameClock::ByoYomi { remaining: LONG, period: SHORT, periods: 3 },
            GameClock::MovesToGo {
                remaining: LONG,
                moves: 4,
                session_time: SHORT,
                session_moves: 5,
            },
        ],
    );
    let later = Hint::go_on().within_simulations(1).within_time(SHORT);
    list.add("budget::Hint", [Hint::stop(StopReason::Time), later]);
    list.add("budget::Leader", [Leader { visits: 1, win_rate: Some(ODD) }]);
    list.add("budget::Nodes", [Nodes(1)]);
    list.add("budget::OnlyMove", [OnlyMove]);
    list.add("budget::Progress", [progress()]);
    let quantities = [Quantity::Nodes, Quantity::Bytes, Quantity::Depth, Quantity::Best];
    list.add("budget::Quantity", quantities);
    list.add("budget::Settled", [Settled::Simulations(1), Settled::Time(SHORT)]);
    list.add("budget::Simulations", [Simulations(u64::MAX)]);
    list.add("budget::SoftTime", [SoftTime(Duration::MAX)]);
    list.add(
        "budget::StopReason",
        [
            StopReason::Running,
            StopReason::Time,
            StopReason::SoftTime,
            StopReason::Simulations,
            StopReason::Nodes,
            StopReason::Bytes,
            StopReason::Memory,
            StopReason::Depth,
            StopReason::Stopped,
            StopReason::Proven,
            StopReason::OnlyMove,
            StopReason::Settled,
            StopReason::Exhausted,
            StopReason::CannotBeOvertaken,
            StopReason::Other("time"),
            StopReason::Other(""),
        ],
    );
    let time = ThinkingTime { target: SHORT, limit: Duration::MAX, saves: true };
    list.add("budget::ThinkingTime", [time]);
    list.add("budget::TimeManager", [TimeManager::new().lag(SHORT).expected_plies(7)]);
}

/// The lines of a small search.
fn lines() -> Lines {
    let mut engine = Mcts::builder().threads(1).build().unwrap();
    engine.search(&PILE, &Budget::simulations(50)).unwrap();
    Exchange::new().lines(&mut engine, 3).unwrap()
}

fn mcts_types(list: &mut Checks) {
    let absorbed = Absorbed { engines: 1, visits: u64::MAX, positions: 2, proofs: 3 };
    list.add("mcts::Absorbed", [absorbed]);
    list.add("mcts::Lines", [lines()]);
    let audit = Audit { nodes: 1, edges: 2, root_visits: 3, node_visits: 4, edge_visits: u64::MAX };
    list.add("mcts::Audit", [audit]);
    let branch = node().branches.remove(0);
    list.add("mcts::BranchReport", [branch]);
    let expansion = Expansion::OnePerSimulation { from_visit: 3 };
    list.add("mcts::Expansion", [Expansion::Adaptive, expansion, Expansion::Everything]);
    let grave = Grave { exploration: ODD, reference: 7, bias: ODD };
    list.add("mcts::Grave", [grave]);
    let weighed = InFlight::VirtualLoss { weight: ODD };
    let dirichlet = Dirichlet { alpha: ODD, share: ODD };
    list.add("mcts::Dirichlet", [dirichlet]);
    let gumbel = Gumbel { considered: 7, scale: ODD, visits: ODD, noise: ODD };
    list.add("mcts::Gumbel", [gumbel]);
    list.add("mcts::InFlight", [InFlight::Ignore, InFlight::Count, weighed]);
    let choices = [Choice::Greedy { share: ODD }, Choice::Gibbs { temperature: ODD }];
    list.add("mcts::Choice", choices);
    let [mast, _] = choices.map(|choice| Mast { choice });
    let nst = Nst { choice: choices[1], least: 3 };
    list.add("mcts::Mast", [mast]);
    list.add("mcts::Nst", [nst]);
    let learned = [Learned::Nothing, Learned::Mast(mast), Learned::Nst(nst)];
    list.add("mcts::Learned", learned);
    list.add("mcts::Decisive", [Decisive::Off, Decisive::Wins, Decisive::WinsAndThreats]);
    list.add("mcts::Replies", [Replies::Off, Replies::ToOne, Replies::ToTwo]);
    list.add("mcts::BaseMoves", [BaseMoves::Policy, BaseMoves::Uniform]);
    let (decisive, replies) = (Decisive::Wins, Replies::ToTwo);
    let moves = RolloutMoves { decisive, replies, learned: learned[2], base: BaseMoves::Uniform };
    list.add("mcts::RolloutMoves", [moves]);
    let (expected, found) = ("1".to_owned(), "2".to_owned());
    let law = Invariant::BranchBounds;
    list.add("mcts::Inconsistency", [Inconsistency { node: 7, law, expected, found }]);
    list.add("mcts::Invariant", [Invariant::ProvenValue, law]);
    list.add("mcts::LockPolicy", [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer]);
    list.add(
        "mcts::MoveReport",
        [WIN, Some(Proven::Draw)].map(|proven| report(proven).moves.remove(0)),
    );
    list.add("mcts::NetworkReport", [network()]);
    list.add("mcts::NodeReport", [node()]);
    let options = mcts::Options::<Pile>::new().only([1, 2]).except([1]).played([PILE]);
    list.add("mcts::Options", [options.detailed(3).visit_floor(4).temperature(ODD)]);
    let simulated = Parallelism::Simulated { workers: 7 };
    list.add("mcts::Parallelism", [Parallelism::Shared, Parallelism::Rounds, simulated]);
    let reports = [None, WIN, Some(Proven::Loss { plies: 2 })].map(report);
    list.add_with("mcts::Report", &["simulations_per_second"], reports);
    let (dirichlet, gumbel) = (Root::Dirichlet(dirichlet), Root::Gumbel(gumbel));
    list.add("mcts::Root", [Root::Plain, dirichlet, gumbel]);
    list.add("mcts::RoundSize", [RoundSize::Fixed(3), RoundSize::Adaptive { most: 5 }]);
    let ucb1 = Selection::Ucb1 { exploration: ODD };
    let puct = Puct { exploration: ODD, growth: 7.0, reduction: ODD, temperature: 2.0 };
    list.add("mcts::Puct", [puct]);
    let (grave, puct) = (Selection::Grave(grave), Selection::Puct(puct));
    let history = ProgressiveHistory { exploration: ODD, weight: ODD };
    list.add("mcts::ProgressiveHistory", [history]);
    let history = Selection::ProgressiveHistory(history);
    list.add("mcts::Selection", [ucb1, Selection::Ucb1Tuned, grave, puct, history]);
    list.add("mcts::Sharing", [Sharing::Shared, Sharing::PerPath]);
    list.add("mcts::TableLocks", [TableLocks::OneLock, TableLocks::Shards(7)]);
    list.add("mcts::WarmUpDraw", [WarmUpDraw::AnyBranch, WarmUpDraw::UnfinishedBranch]);
}

fn solver_types(list: &mut Checks) {
    let limits = [(1, 9, 1, 9), (-1, 1, 0, 0), (0, 0, 0, 0), (-2, 3, -1, 8), (12, 30, 12, 4)].map(
        |(least, late, most, soon)| Limits { least: worth(least, late), most: worth(most, soon) },
    );
    list.add_with("solvable::Limits", &["distance", "points", "value"], limits);
    list.add("solvable::Method", [Method::AlphaBeta, Method::ProofNumbers]);
    list.add("solvable::Worth", [worth(-1_000, 1_023), Worth::DRAW]);
    list.add("solver::Aim", [Aim::Winner, Aim::Points, Aim::Distance]);
    list.add("solver::Options", [solver::Options::new()]);
    list.add("solver::RootMoves", [RootMoves::One, RootMoves::Best, RootMoves::All]);
    let derived = ["best_moves", "distance", "nodes_per_second", "points", "value"];
    list.add_with("solver::Solution", &derived, limits.map(solution));
    let moves = limits.map(|limits| SolvedMove { mv: "a1".to_owned(), limits });
    list.add_with("solver::SolvedMove", &["distance", "points", "value"], moves);
    let mut engine = Solver::builder().threads(1).build().unwrap();
    let (options, budget) = (StrategyOptions::new(), Budget::unlimited());
    let deep = engine.strategy(&PILE, &options, &budget).unwrap();
    let flat = engine.strategy(&PILE, &options.plies(2).player(1), &budget).unwrap();
    list.add_with("solver::Strategy", &["distance", "points", "value"], [deep, flat]);
    let kinds = [StrategyKind::Reply, StrategyKind::Answers, StrategyKind::End(Outcome::Win(1))];
    list.add("solver::StrategyKind", kinds);
    list.add("solver::StrategyMove", [StrategyMove { mv: 1u32, to: 2 }]);
    list.add("solver::StrategyOptions", [StrategyOptions::new().plies(3).player(1)]);
}

fn other_types(list: &mut Checks) {
    list.add("background::SearchId", [from_str::<SearchId>("7").unwrap()]);
    let search = from_str("8").unwrap();
    let found = Mcts::<Pile>::builder().threads(1).build().unwrap();
    let found = { found }.search(&PILE, &Budget::simulations(10)).unwrap();
    let snapshot = Snapshot::<Mcts<Pile>> { search, state: PILE.into(), report: found };
    list.add("background::Snapshot", [snapshot]);

    let scores = Scores::new(&[ODD, 0.0, 1.0 - ODD]).unwrap();
    let outcomes = [Outcome::Win(7), Outcome::Draw, Outcome::Scores(scores), Outcome::Failed];
    list.add("game::Outcome", outcomes);
    list.add("game::Scores", [scores, Scores::default()]);
    let mut record = Record::new(Pile { left: 9, plies: 3 });
    [2, 1, 2].into_iter().for_each(|mv| record.play(mv));
    list.add("repetition::Record", [record]);
    list.add("proven::Proven", [Proven::Win { plies: 1 }, Proven::Draw, Proven::Loss { plies: 2 }]);

    let facts = FactsContent { form: u64::MAX, max_points: 1, counts_plies: true, buckets: 2 };
    list.add("save::Content", [Content::Search(search_content()), Content::Facts(facts)]);
    list.add("save::FactsContent", [facts]);
    list.add("save::GameTag", [GameTag::new("hex 11x11", 7)]);
    list.add_by_name("save::Info", &[], [table_info(), facts_info()]);
    let loaded = |info| Loaded { info, left_out: 7 };
    list.add_by_name("save::Loaded", &[], [loaded(table_info())]);
    list.add("save::Options", [save::Options::default().compress(true).min_visits(7)]);
    list.add("save::SearchContent", [search_content()]);
    list.add("save::TableKind", [TableKind::Search, TableKind::Facts]);

    let sweep = MatchScore::of_games(&[1.0; 2]).elo();
    assert!(sweep.value.is_infinite());
    let estimate = Estimate { value: ODD, low: f64::NAN, high: 1.0 };
    list.add("statistics::Estimate", [sweep, estimate]);
    list.add("statistics::MatchScore", [MatchScore::of_pairs([ODD, 0.25])]);
    let test = Sprt { elo0: -ODD, elo1: 50.0, alpha: 0.05, beta: 0.04 };
    list.add("statistics::Sprt", [test]);
    list.add("statistics::Verdict", [Verdict::Elo0, Verdict::Elo1, Verdict::Undecided]);
}
