//! The report of `playtree analyze`: how the visits are distributed, the best lines, and the top of
//! the tree.

use std::fmt::Write;

use playtree::GameState;
use playtree::dynamic::AnyMove;
use playtree_session::{Engine, Position};
use serde_json::Value;

use super::page::{Page, cell, escaped};
use super::{list, number, shown, text};
use crate::output::percent;

/// How many plies of the tree are shown.
const DEPTH: usize = 3;
/// How many branches of each position.
const BRANCHES: usize = 4;
/// The width of the longest bar, in rem.
const BAR: f64 = 16.0;

/// The page of this position, with a tree in HTML if there is one.
pub(crate) fn page(json: &Value, board: &str, tree: &str) -> Page {
    let mut page = Page::new(&format!("playtree: a position of {}", text(json, "game")));
    page.push(&format!("<pre>{}</pre>", escaped(board)));
    page.quiet(&format!("position: {}", text(json, "position")));
    let plain = |field| cell(field, number(json, field), shown);
    page.push(&format!(
        "<p>Best move <strong class=\"best\">{}</strong>, win rate {}{}. {} positions in {} s with \
         {} workers.</p>",
        escaped(text(json, "best_move")),
        cell("win_rate", number(json, "win_rate"), percent),
        match text(json, "proven") {
            "" => String::new(),
            proven => format!(", proven: {}", escaped(proven)),
        },
        plain("nodes"),
        plain("seconds"),
        plain("workers"),
    ));
    page.heading("The moves");
    // Alpha-beta has no visits: there it is the positions searched below each move.
    let field = if list(json, "moves").iter().any(|found| found["visits"].is_u64()) {
        "visits"
    } else {
        "nodes"
    };
    let most =
        list(json, "moves").iter().filter_map(|found| number(found, field)).fold(1.0, f64::max);
    page.table(
        &["move", field, "", "win rate", "proven", "best line"],
        list(json, "moves").iter().map(|found| {
            let amount = number(found, field);
            let width = BAR * amount.unwrap_or(0.0) / most;
            let line: Vec<&str> = list(found, "pv").iter().filter_map(Value::as_str).collect();
            vec![
                escaped(text(found, "move")),
                cell(field, amount, shown),
                format!("<span class=\"bar\" style=\"width:{width:.2}rem\"></span>"),
                cell("move_win_rate", number(found, "win_rate"), percent),
                escaped(text(found, "proven")),
                format!("<code>{}</code>", escaped(&line.join(" "))),
            ]
        }),
    );
    if !tree.is_empty() {
        page.heading("The top of the tree");
        page.push(tree);
    }
    page
}

/// The most visited lines below a position, as a list in HTML; empty without a tree.
pub(crate) fn tree(engine: &dyn Engine, state: &Position) -> String {
    let mut html = String::new();
    branches(engine, state, &mut Vec::new(), &mut html);
    html
}

fn branches(engine: &dyn Engine, state: &Position, line: &mut Vec<AnyMove>, html: &mut String) {
    let Some(node) = engine.node(line, BRANCHES) else { return };
    if node.branches.is_empty() {
        return;
    }
    html.push_str(if line.is_empty() { "<ul class=\"tree\">" } else { "<ul>" });
    for branch in &node.branches {
        let rate = branch.win_rate.map_or_else(|| "-".into(), percent);
        let _ = write!(
            html,
            "<li><strong>{}</strong> {} visits, {rate}",
            escaped(&branch.mv),
            shown(branch.visits as f64)
        );
        if line.len() + 1 < DEPTH
            && let Ok(mv) = state.parse_move(&branch.mv)
        {
            let after = state.apply(&mv);
            line.push(mv);
            branches(engine, &after, line, html);
            line.pop();
        }
        html.push_str("</li>");
    }
    html.push_str("</ul>");
}
