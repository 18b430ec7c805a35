//! The tree of a search: one position of it, and its top as a file.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt::Write;

use playtree::GameState;
use playtree::dynamic::AnyMove;
use playtree::mcts::NodeReport;
use playtree_session::foreign::read_move;
use playtree_session::{Position, Session};
use serde::Serialize;

use super::live::Current;
use super::view;
use crate::look;
use crate::messages::{
    ExportFormat, ExportQuery, Kind, Known, Node, NodeQuery, NothingKnown, Refusal,
};

/// The most branches of a position that are listed.
const MOST_BRANCHES: usize = 500;
/// The most branches of each position of a file.
const LISTED_BRANCHES: usize = 64;
/// The most positions of a file.
const MOST_POSITIONS: usize = 2_000;
/// The greatest depth of a file, in plies.
const GREATEST_DEPTH: usize = 50;

/// What is known of the position after `query.line` from the present one.
pub(super) fn node(
    session: &Session,
    current: Option<&Current>,
    query: &NodeQuery,
) -> Result<Node, Refusal> {
    if query.at_most > MOST_BRANCHES {
        return Err(too_many("0", MOST_BRANCHES, "branches", query.at_most));
    }
    let mut game = session.record().clone();
    let mut moves_text = Vec::with_capacity(query.line.len());
    for text in &query.line {
        let mv = read_move(game.position(), text).map_err(playtree_session::Error::from)?;
        moves_text.push(game.position().move_text(&mv));
        game.play(mv);
    }
    let line = &game.moves()[session.record().moves().len()..];
    let known = current.and_then(|current| {
        let way: Vec<AnyMove> = way(session, current)?.iter().chain(line).cloned().collect();
        current.watcher.node(&way, query.at_most)
    });
    let last = game.moves().last().map(|mv| (&game.positions()[game.moves().len() - 1], mv));
    Ok(Node {
        position: game.position().position_text(),
        board: look::board(game.position(), last),
        moves_text,
        outcome: game.outcome().map(|outcome| view::end(&outcome, session.game().players())),
        known: known.map_or_else(|| nothing(game.position()), Known::Report),
    })
}

fn nothing(state: &Position) -> Known {
    let (plies, mover) = (state.plies(), state.mover());
    Known::Nothing(NothingKnown { plies, mover, ..NothingKnown::default() })
}

/// The moves from the position that was searched last to the present one; `None` if they do not
/// lead there.
fn way<'a>(session: &'a Session, searched: &Current) -> Option<&'a [AnyMove]> {
    let record = session.record();
    let moves = record.moves().get(searched.ply..)?;
    let is_there = record.positions()[searched.ply].position_text() == searched.position;
    is_there.then_some(moves)
}

/// The top of a tree.
#[derive(Serialize)]
struct Top {
    game: &'static str,
    /// The position of the root.
    position: String,
    /// The number of the root.
    root: u32,
    /// Each position once, by whatever moves it is reached, the root first.
    positions: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    /// One way there from the root.
    line: Vec<String>,
    #[serde(flatten)]
    report: NodeReport<String>,
}

/// The top of the tree below the present position.
pub(super) fn export(
    session: &Session,
    current: Option<&Current>,
    query: ExportQuery,
) -> Result<String, Refusal> {
    check("positions", query.at_most, MOST_POSITIONS)?;
    check("plies of depth", query.depth, GREATEST_DEPTH)?;
    let none = || {
        let message = "expected a tree of the present position, found none";
        Refusal::new(Kind::Unready, "session.no-tree", message)
    };
    let current = current.ok_or_else(none)?;
    let way = way(session, current).ok_or_else(none)?;
    let positions = walk(session, current, way, query);
    let Some(first) = positions.first() else { return Err(none()) };
    let top = Top {
        game: session.game().name(),
        position: session.position(),
        root: first.report.number,
        positions,
    };
    Ok(match query.format {
        ExportFormat::Json => serde_json::to_string_pretty(&top).expect("plain data is JSON"),
        ExportFormat::Dot => dot(&top),
    })
}

/// A branch that was not gone down yet: the most visited one is next, of equal ones the first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ahead {
    visits: u64,
    before: Reverse<usize>,
    /// The place among the positions found of the one that it starts from.
    from: usize,
    mv: String,
}

/// The positions from the root down, those behind the most visited branches first.
fn walk(session: &Session, current: &Current, way: &[AnyMove], query: ExportQuery) -> Vec<Found> {
    let look = |moves: &[AnyMove]| {
        let line: Vec<AnyMove> = way.iter().chain(moves).cloned().collect();
        current.watcher.node(&line, LISTED_BRANCHES)
    };
    let Some(root) = look(&[]) else { return Vec::new() };
    let mut seen = HashSet::from([root.number]);
    let mut places = vec![(session.record().position().clone(), Vec::new())];
    let mut found = vec![Found { line: Vec::new(), report: root }];
    let (mut ahead, mut at, mut count) = (BinaryHeap::new(), 0, 0);
    while found.len() < query.at_most {
        if at < found.len() && places[at].1.len() < query.depth {
            for branch in found[at].report.branches.iter().filter(|branch| branch.child.is_some()) {
                let (visits, mv) = (branch.visits, branch.mv.clone());
                ahead.push(Ahead { visits, before: Reverse(count), from: at, mv });
                count += 1;
            }
        }
        at = found.len();
        let Some(Ahead { from, mv: text, .. }) = ahead.pop() else { break };
        let (state, moves) = &places[from];
        let Ok(mv) = state.parse_move(&text) else { continue };
        let moves: Vec<AnyMove> = moves.iter().cloned().chain([mv.clone()]).collect();
        let Some(report) = look(&moves).filter(|report| seen.insert(report.number)) else {
            continue;
        };
        let line = found[from].line.iter().cloned().chain([text]).collect();
        places.push((state.apply(&mv), moves));
        found.push(Found { line, report });
    }
    found
}

/// For Graphviz: what was left out is not drawn.
fn dot(top: &Top) -> String {
    let there: HashMap<u32, &Found> =
        top.positions.iter().map(|found| (found.report.number, found)).collect();
    let mut text = format!("digraph {:?} {{\n  node [shape=box];\n", top.game);
    for Found { report, .. } in &top.positions {
        let rate =
            report.win_rate.map_or_else(String::new, |rate| format!("\\n{:.1} %", 100. * rate));
        let proven = report.proven.map_or_else(String::new, |proven| format!("\\n{proven}"));
        let NodeReport { number, visits, .. } = report;
        let _ =
            writeln!(text, "  n{number} [label=\"#{number}\\n{visits} visits{rate}{proven}\"];");
    }
    for Found { report, .. } in &top.positions {
        for branch in &report.branches {
            if let Some(child) = branch.child.filter(|child| there.contains_key(child)) {
                let (number, mv, visits) = (report.number, &branch.mv, branch.visits);
                let mv = mv.replace(['"', '\\'], "?");
                let _ = writeln!(text, "  n{number} -> n{child} [label=\"{mv} {visits}\"];");
            }
        }
    }
    text.push_str("}\n");
    text
}

fn check(what: &str, found: usize, most: usize) -> Result<(), Refusal> {
    if (1..=most).contains(&found) { Ok(()) } else { Err(too_many("1", most, what, found)) }
}

fn too_many(least: &str, most: usize, what: &str, found: usize) -> Refusal {
    Refusal::wrong("too-many", format!("expected {least} to {most} {what}, found {found}"))
}
