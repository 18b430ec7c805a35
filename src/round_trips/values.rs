//! Values as far from the defaults as they can be, so that a field that is not written or not read
//! shows.

use std::time::Duration;

use serde_json::{Value, from_value, json, to_value};

use crate::alphabeta;
use crate::budget::{
    All, Budget, Bytes, CannotBeOvertaken, Depth, Leader, Nodes, OnlyMove, Progress, Settled,
    Simulations, SoftTime, StopReason, TimeFrom,
};
use crate::mcts::{self, BranchReport, NodeReport};
use crate::proven::Proven;
use crate::save::{Info, SearchContent};
use crate::solver::{Limits, Solution, SolvedMove, Worth};

/// A number that has to be right to the last bit.
pub(super) const ODD: f64 = 0.1 + 0.2;

/// 48 days but for some hours.
pub(super) const LONG: Duration = Duration::new(4_000_000, 123_456_789);

pub(super) const SHORT: Duration = Duration::new(1, 999_999_999);

pub(super) fn worth(points: i32, plies: u32) -> Worth {
    Worth { points, plies }
}

pub(super) const WIN: Option<Proven> = Some(Proven::Win { plies: 7 });

pub(super) fn report(proven: Option<Proven>) -> mcts::Report<String> {
    let mv = |name: &str, proven| mcts::MoveReport {
        mv: name.to_owned(),
        visits: u64::MAX / 2,
        win_rate: Some(ODD),
        lcb: Some(ODD / 3.0),
        proven,
        pv: vec![name.to_owned(), "reply".to_owned()],
        prior: proven.is_some().then_some(ODD),
        policy: proven.is_some().then_some(ODD),
    };
    mcts::Report {
        best_move: "a1".to_owned(),
        win_rate: ODD,
        scores: vec![ODD, 1.0 - ODD],
        proven,
        simulations: u64::MAX,
        elapsed: LONG,
        nodes: 1 << 60,
        bytes: (1 << 60) + 1,
        dropped: 3,
        deferred: 4,
        contended: 5,
        workers: 6,
        stop_reason: StopReason::SoftTime,
        memory_full: true,
        evicted: 7,
        moves: vec![mv("a1", proven), mv("a2", None)],
        network: proven.map(|_| network()),
    }
}

pub(super) fn network() -> mcts::NetworkReport {
    mcts::NetworkReport { evaluations: u64::MAX, calls: 2, cached: 3 }
}

pub(super) fn node() -> NodeReport<u32> {
    NodeReport {
        number: u32::MAX,
        plies: 2,
        mover: 1,
        visits: u64::MAX,
        rollouts: 3,
        win_rate: Some(ODD),
        scores: vec![ODD; 3],
        proven: WIN,
        branch_count: 4,
        branches: vec![BranchReport {
            mv: 5,
            visits: 6,
            in_flight: 7,
            win_rate: Some(ODD),
            proven: Some(Proven::Loss { plies: 8 }),
            child: Some(9),
            child_visits: u64::MAX,
            prior: Some(ODD),
        }],
    }
}

pub(super) fn alphabeta_move(score: Option<alphabeta::Score>) -> alphabeta::MoveReport<u32> {
    alphabeta::MoveReport {
        mv: 1,
        score,
        bound: alphabeta::ScoreBound::AtMost,
        depth: 2,
        nodes: u64::MAX,
        pv: vec![1, 2],
    }
}

pub(super) fn alphabeta_report() -> alphabeta::Report<u32> {
    let score = alphabeta::Score::Loss { plies: 3 };
    alphabeta::Report {
        best_move: 1,
        score,
        proven: score.proven(),
        win_rate: ODD,
        pv: vec![1, 2],
        depth: 4,
        selective_depth: 5,
        nodes: 6,
        elapsed: LONG,
        workers: 7,
        stop_reason: StopReason::CannotBeOvertaken,
        moves: vec![alphabeta_move(Some(score)), alphabeta_move(None)],
        splits: 8,
        aborted_splits: 9,
        wasted_nodes: 10,
        idle: SHORT,
        table_bytes: 11,
        table_entries: 12,
        table_used: ODD,
    }
}

pub(super) fn solution(limits: Limits) -> Solution<u32> {
    Solution {
        limits,
        is_complete: true,
        moves: vec![SolvedMove { mv: 2, limits }],
        question_share: ODD,
        nodes: 3,
        elapsed: LONG,
        peak_bytes: 4,
        table_used: ODD,
        workers: 5,
        stop_reason: StopReason::Stopped,
    }
}

pub(super) fn search_content() -> SearchContent {
    SearchContent {
        planes: 1,
        proofs: true,
        thinned: true,
        expanded: 2,
        edges: 3,
        searches: 4,
        simulations: u64::MAX,
        draws: vec![ODD, 1.0 - ODD],
        root: Some(5),
    }
}

/// What the header of a file says, in the form of `playtree table --json`.
pub(super) fn info(own: Value) -> Info {
    let mut info = json!({
        "version": 1, "game": "hex 11x11", "encoding": 3, "players": 2, "layout": "00000abcdef01234",
        "compressed": true, "bytes": 4_096, "checksum": "fedcba9876543210",
    });
    info.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    let read: Info = from_value(info.clone()).unwrap();
    assert_eq!(to_value(&read).unwrap(), info);
    read
}

pub(super) fn table_info() -> Info {
    info(json!({
        "nodes": 1, "planes": 2, "proofs": true, "thinned": true, "expanded": 3, "edges": 4,
        "searches": 5, "simulations": u64::MAX, "draws": [ODD, 1.0 - ODD], "root": 6,
    }))
}

pub(super) fn facts_info() -> Info {
    info(json!({
        "facts": 1, "form": "0123456789abcdef", "max_points": 2, "counts_plies": true, "buckets": 3,
    }))
}

pub(super) fn budget() -> Budget {
    let all = All::of(Nodes(4)).and(Bytes(5)).and(All::of(Settled::Time(SHORT)).and(Depth(6)));
    Budget::soft_time(SHORT, Duration::MAX)
        .and_simulations(u64::MAX)
        .and_nodes(7)
        .and(Simulations(8))
        .and(OnlyMove)
        .and(SoftTime(LONG))
        .and(Settled::Simulations(9))
        .and(CannotBeOvertaken { share: ODD })
        .and(all)
        .time_from(TimeFrom::FirstTurn)
}

pub(super) fn progress() -> Progress {
    Progress {
        elapsed: Duration::MAX,
        simulations: 1,
        nodes: 2,
        bytes: 3,
        depth: 4,
        root_visits: 5,
        root_moves: 6,
        best: Leader { visits: 7, win_rate: Some(ODD) },
        second: Some(Leader { visits: 8, win_rate: None }),
        best_is_highest: true,
        unchanged_simulations: 9,
        unchanged_time: SHORT,
        simulations_limit: Some(10),
        time_limit: Some(LONG),
        soft_time_limit: Some(SHORT),
    }
}

pub(super) fn autotune() -> alphabeta::Autotune {
    let trial = alphabeta::AutotuneTrial {
        max_threads_per_split: 1,
        min_split_depth: 2,
        positions: 3,
        nodes: 4,
        wasted_nodes: 5,
        elapsed: LONG,
    };
    alphabeta::Autotune {
        max_threads_per_split: 6,
        min_split_depth: 7,
        depth_trials: vec![trial],
        thread_trials: vec![trial, trial],
        is_complete: true,
    }
}
