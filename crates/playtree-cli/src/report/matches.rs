//! The report of `playtree match`: the result, how the score came about, and what the players
//! expected move by move.

use serde_json::Value;

use super::chart::{Chart, Line};
use super::page::{Page, cell, escaped};
use super::{list, number, shown, text};
use crate::output::percent;

/// Games whose win rates are drawn, the first ones: more lines say nothing.
const DRAWN: usize = 4;

/// The page of this match.
pub(crate) fn page(json: &Value) -> Page {
    let mut page = Page::new(&format!("playtree: a match of {}", text(json, "game")));
    let players = ["a", "b"].map(|side| format!("{side} is {}", text(json, side)));
    page.quiet(&players.join("; "));
    page.heading("Result");
    let interval = |field: &str, of: fn(f64) -> String| {
        let part = |name: &str| cell(&format!("{field}-{name}"), number(&json[field], name), of);
        format!("{} [{}, {}]", part("value"), part("low"), part("high"))
    };
    let plain = |field| cell(field, number(json, field), shown);
    page.table(
        &["of a", "won", "drawn", "lost", "score [95 %]", "Elo [95 %]"],
        std::iter::once(vec![
            shown(list(json, "games").len() as f64) + " games",
            plain("wins"),
            plain("draws"),
            plain("losses"),
            interval("score", percent),
            interval("elo", |elo| format!("{elo:+.0}")),
        ]),
    );
    page.heading("Score of a after each game");
    let mut sum = 0.0;
    let scores = list(json, "games").iter().filter_map(|game| number(game, "score"));
    let points = (1..).zip(scores).map(|(number, score)| {
        sum += score;
        [f64::from(number), sum / f64::from(number)]
    });
    let line =
        Line { name: "score".into(), field: "running_score".into(), points: points.collect() };
    page.chart(&Chart { x: "games", y: "score", least: [0.0, 1.0], lines: vec![line] });
    win_rates(&mut page, json);
    page.heading("Games");
    page.table(
        &["game", "first", "score of a", "end", "plies"],
        list(json, "games").iter().map(|game| {
            vec![
                cell("number", number(game, "number"), shown),
                escaped(text(game, "first")),
                cell("game_score", number(game, "score"), |score| score.to_string()),
                escaped(&text(game, "reason").replace('_', " ")),
                cell("plies", number(game, "plies"), shown),
            ]
        }),
    );
    page
}

/// What the side to move expected for a at each ply of the first games.
fn win_rates(page: &mut Page, json: &Value) {
    let lines: Vec<Line> = list(json, "games")
        .iter()
        .map(|game| Line {
            name: format!("game {}", shown(number(game, "number").unwrap_or(0.0))),
            field: "win_rates".into(),
            points: (list(game, "opening").len() + 1..)
                .zip(list(game, "win_rates"))
                .filter_map(|(ply, rate)| Some([ply as f64, rate.as_f64()?]))
                .collect(),
        })
        .filter(|line| !line.points.is_empty())
        .take(DRAWN)
        .collect();
    if lines.is_empty() {
        return;
    }
    page.heading("Win rate of a, as the side to move saw it");
    page.chart(&Chart { x: "ply", y: "win rate of a", least: [0.0, 1.0], lines });
}
