//! The report of `playtree bench`: speed, speed-up, drop rate and memory by workers.

use serde_json::Value;

use super::chart::{Chart, Line};
use super::page::{Page, cell, escaped};
use super::{list, number, shown, text};
use crate::output::percent;

/// The page of these results.
pub(crate) fn page(json: &Value) -> Page {
    let mut page = Page::new("playtree: speed");
    for game in list(json, "games") {
        page.heading(text(game, "game"));
        page.quiet(&format!(
            "{} simulations a search, medians of {}; recommended workers: {}",
            shown(number(game, "simulations").unwrap_or(0.0)),
            shown(number(game, "repetitions").unwrap_or(0.0)),
            shown(number(game, "recommended_workers").unwrap_or(0.0)),
        ));
        let results = list(game, "workers");
        let line = |name: &str, field: &str| Line {
            name: name.to_owned(),
            field: field.to_owned(),
            points: points(results, |result| number(result, field)),
        };
        let chart = |y, lines| Chart { x: "workers", y, least: [0.0; 2], lines };
        caption(&mut page, "Simulations a second, beside rollouts alone");
        page.chart(&chart(
            "a second",
            vec![
                line("simulations", "simulations_per_second"),
                line("rollouts", "rollouts_per_second"),
            ],
        ));
        caption(&mut page, "Speed-up against one worker");
        page.chart(&chart(
            "speed-up",
            vec![line("simulations", "speed_up"), line("rollouts", "rollout_speed_up")],
        ));
        caption(&mut page, "Dropped updates, as a share of the simulations");
        page.chart(&chart("dropped", vec![line("dropped", "drop_rate")]));
        caption(&mut page, "Memory at the end of a search, in bytes");
        let bytes =
            |result: &Value| Some(number(result, "nodes")? * number(result, "bytes_per_node")?);
        let memory = points(results, bytes);
        page.chart(&chart(
            "bytes",
            vec![Line { name: "memory".into(), field: "bytes".into(), points: memory }],
        ));
        let headings = [
            "workers",
            "simulations/s",
            "rollouts/s",
            "speed-up",
            "dropped",
            "nodes",
            "bytes a node",
        ];
        page.table(
            &headings,
            results.iter().map(|result| {
                let plain = |field| cell(field, number(result, field), shown);
                vec![
                    plain("workers"),
                    plain("simulations_per_second"),
                    plain("rollouts_per_second"),
                    plain("speed_up"),
                    cell("drop_rate", number(result, "drop_rate"), percent),
                    plain("nodes"),
                    plain("bytes_per_node"),
                ]
            }),
        );
    }
    page
}

fn caption(page: &mut Page, text: &str) {
    page.push(&format!("<h3>{}</h3>", escaped(text)));
}

/// A value of each number of workers.
fn points(results: &[Value], value: impl Fn(&Value) -> Option<f64>) -> Vec<[f64; 2]> {
    results.iter().filter_map(|result| Some([number(result, "workers")?, value(result)?])).collect()
}
