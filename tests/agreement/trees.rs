//! Random trees: some made on the spot, and those of the data beside the repository.

use std::path::PathBuf;
use std::sync::Arc;

use playtree::{GameState, Outcome, Rng, Scores};
use serde_json::Value;

/// A position of an explicit tree.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// The side to move and the positions that follow.
    Moves(usize, Vec<usize>),
    /// The end.
    End(Outcome),
}

/// A place in an explicit tree or graph of two players, who need not take turns.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Arc<Vec<Node>>,
    at: usize,
    plies: u32,
}

impl GameState for Tree {
    type Key = usize;
    type Move = usize;

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

impl Tree {
    /// A random graph of `layers` layers of `width` positions: each leads to some of the next
    /// layer, so that most are reached by many ways. Either side may move; a few positions are ends.
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
        Self { nodes: Arc::new(nodes), at: 0, plies: 0 }
    }
}

/// A row of the data.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) root: Tree,
    /// The payoff of the side to move, from 0 to 1.
    pub(crate) value: f64,
    pub(crate) best: Vec<usize>,
}

/// The rows of one kind, with payoffs up to `reach`. None if there is no data.
pub(crate) fn rows(kind: &str, reach: f64) -> Vec<Row> {
    let name = "../shared/data/search/random_trees.jsonl";
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), name].iter().collect();
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return Vec::new();
    };
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<_> =
        rows.filter(|row| row["kind"] == kind).map(|row| parse(&row, reach)).collect();
    assert_eq!(rows.len(), 12, "{kind}");
    rows
}

fn parse(row: &Value, reach: f64) -> Row {
    let numbers = |list: &Value| -> Vec<usize> {
        list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as usize).collect()
    };
    let scores = |payoffs: &Value| -> Vec<f64> {
        let payoffs = payoffs.as_array().unwrap().iter();
        let payoff = |value: &Value| {
            value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
        };
        payoffs.map(|value| (payoff(value) / reach + 1.0) / 2.0).collect()
    };
    let node = |node: &Value| match node["v"].is_array() {
        true => Node::End(Outcome::Scores(Scores::new(&scores(&node["v"])).unwrap())),
        false => Node::Moves(node["p"].as_u64().unwrap() as usize, numbers(&node["c"])),
    };
    let nodes = row["nodes"].as_array().unwrap().iter().map(node).collect();
    let root = Tree { nodes: Arc::new(nodes), at: 0, plies: 0 };
    Row {
        name: row["id"].as_str().unwrap().to_owned(),
        value: scores(&row["root_value"])[root.mover()],
        best: numbers(&row["best_moves"]),
        root,
    }
}
