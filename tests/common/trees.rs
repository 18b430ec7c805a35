//! Explicit game trees and graphs: made by hand, at random, or those of the data beside the
//! repository.

// Not every program that has this module needs all of it.
#![allow(dead_code)]

use std::sync::Arc;

use playtree::{GameState, Outcome, Rng, Scores};
use serde_json::Value;

use crate::data::data;

/// A position of an explicit tree.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// The side to move and the positions that follow.
    Moves(usize, Vec<usize>),
    /// The end.
    End(Outcome),
}

/// A place in an explicit tree or graph with payoffs from `-REACH` to `REACH`. Players need not
/// take turns.
#[derive(Clone, Debug)]
pub(crate) struct Explicit<const PLAYERS: usize = 2, const REACH: i32 = 1> {
    nodes: Arc<Vec<Node>>,
    at: usize,
    plies: u32,
}

impl<const PLAYERS: usize, const REACH: i32> GameState for Explicit<PLAYERS, REACH> {
    type Key = usize;
    type Move = usize;
    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> usize {
        self.at
    }

    fn mover(&self) -> usize {
        match self.nodes[self.at] {
            Node::Moves(mover, _) => mover,
            Node::End(_) => 0,
        }
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<usize>) {
        if let Node::Moves(_, next) = &self.nodes[self.at] {
            moves.extend(0..next.len());
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match &self.nodes[self.at] {
            Node::Moves(..) => None,
            Node::End(outcome) => Some(*outcome),
        }
    }

    fn apply(&self, mv: &usize) -> Self {
        let Node::Moves(_, next) = &self.nodes[self.at] else { panic!("the game is over") };
        Self { nodes: self.nodes.clone(), at: next[*mv], plies: self.plies + 1 }
    }
}

impl<const PLAYERS: usize, const REACH: i32> Explicit<PLAYERS, REACH> {
    /// The graph that begins with the first of these positions.
    pub(crate) fn new(nodes: Vec<Node>) -> Self {
        Self { nodes: Arc::new(nodes), at: 0, plies: 0 }
    }

    /// The tree of a row of the data.
    pub(crate) fn of_row(row: &Value) -> Self {
        let node = |node: &Value| match node["v"].is_array() {
            true => Node::End(match scores(&node["v"], REACH)[..] {
                [1.0, 0.0] => Outcome::Win(0),
                [0.0, 1.0] => Outcome::Win(1),
                [0.5, 0.5] => Outcome::Draw,
                ref scores => Outcome::Scores(Scores::new(scores).unwrap()),
            }),
            false => Node::Moves(node["p"].as_u64().unwrap() as usize, indices(&node["c"])),
        };
        Self::new(row["nodes"].as_array().unwrap().iter().map(node).collect())
    }
}

impl<const REACH: i32> Explicit<2, REACH> {
    /// A random graph of `layers` layers of `width` positions: each leads to some of the next
    /// layer, so that most are reached by many ways. Either side may move; a few positions are
    /// ends.
    pub(crate) fn random(seed: u64, layers: usize, width: usize) -> Self {
        let mut rng = Rng::from_seed(seed);
        let mut nodes = vec![Node::Moves(0, (1..=width).collect())];
        for layer in 1..=layers {
            for _ in 0..width {
                let ends = layer == layers || rng.below(12) == 0;
                nodes.push(if ends {
                    let score = [0.0, 1.0, 0.5, rng.below(9) as f64 / 8.0][rng.below(4)];
                    Node::End(Outcome::Scores(Scores::new(&[score, 1.0 - score]).unwrap()))
                } else {
                    let next = || 1 + width * layer + rng.below(width);
                    let mut next: Vec<_> = std::iter::repeat_with(next).take(4).collect();
                    next.sort_unstable();
                    next.dedup();
                    Node::Moves(rng.below(2), next)
                });
            }
        }
        Self::new(nodes)
    }
}

/// The rows of one kind; none if there is no data.
pub(crate) fn rows(kind: &str) -> Vec<Value> {
    let Some(text) = data("search/random_trees.jsonl") else { return Vec::new() };
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<_> = rows.filter(|row| row["kind"] == kind).collect();
    assert_eq!(rows.len(), 12, "{kind}");
    rows
}

/// The payoffs of each player, from `[-reach, reach]` to `[0, 1]`.
pub(crate) fn scores(payoffs: &Value, reach: i32) -> Vec<f64> {
    let payoffs = payoffs.as_array().unwrap().iter();
    payoffs.map(|payoff| (number(payoff) / f64::from(reach) + 1.0) / 2.0).collect()
}

/// A number, written as a number or as text.
pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

/// A list of indices.
pub(crate) fn indices(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|index| index.as_u64().unwrap() as usize).collect()
}
