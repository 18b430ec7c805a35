//! The curve of a run: an image that needs nothing else.

use std::fmt::Write;

use crate::state::Row;

/// The width of a panel, and its height.
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 220.0;
/// The room left of a panel, and above it.
const LEFT: f64 = 60.0;
const TOP: f64 = 46.0;
/// From the top of one panel to that of the next.
const STEP: f64 = HEIGHT + 84.0;

/// A line of a panel: its name, its colour, and a number for each row that has one.
struct Line {
    name: &'static str,
    colour: &'static str,
    of: fn(&Row) -> f64,
}

const LOSS: [Line; 2] = [
    Line { name: "loss of the policy", colour: "#1f5fa8", of: |row| row.policy_loss },
    Line { name: "loss of the value", colour: "#b3541e", of: |row| row.value_loss },
];

const STRENGTH: [Line; 3] = [
    Line { name: "policy keeps the value", colour: "#1f5fa8", of: |row| row.policy_keeps },
    Line { name: "search keeps the value", colour: "#2e7d32", of: |row| row.search_keeps },
    Line { name: "score against plain search", colour: "#b3541e", of: |row| row.score },
];

/// Loss and strength by the games played, as SVG.
#[must_use]
pub fn curve(settings: &str, rows: &[Row]) -> String {
    let (width, height) = (LEFT + WIDTH + 20.0, TOP + 2.0 * STEP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{settings}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let loss = rows.iter().flat_map(|row| [row.policy_loss, row.value_loss]);
    let most = loss.filter(|loss| loss.is_finite()).fold(0.1, f64::max);
    panel(&mut svg, TOP, "nats", most, &LOSS, rows);
    panel(&mut svg, TOP + STEP, "%", 100.0, &STRENGTH, rows);
    svg + "</svg>\n"
}

/// A panel from `top` on, whose axis goes from 0 to `most`.
fn panel(svg: &mut String, top: f64, unit: &str, most: f64, lines: &[Line], rows: &[Row]) {
    let scale = if unit == "%" { 100.0 } else { 1.0 };
    let games = rows.last().map_or(1.0, |row| row.games.max(1.0));
    let x = |games_then: f64| LEFT + WIDTH * games_then / games;
    let y = |number: f64| top + HEIGHT * (1.0 - number / most);
    for part in 0..=4 {
        let number = most * f64::from(part) / 4.0;
        let (at, digits) = (y(number), if unit == "%" { 0 } else { 2 });
        add(
            svg,
            &format!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{number:.digits$}</text>\n",
                LEFT + WIDTH,
                LEFT - 6.0,
                at + 4.0
            ),
        );
        let then = games * f64::from(part) / 4.0;
        add(
            svg,
            &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{then:.0}</text>\n",
                x(then),
                top + HEIGHT + 18.0
            ),
        );
    }
    add(
        svg,
        &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">games</text>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{unit}</text>\n",
            LEFT + WIDTH / 2.0,
            top + HEIGHT + 34.0,
            LEFT - 6.0,
            top - 12.0
        ),
    );
    for (number, Line { name, colour, of }) in lines.iter().enumerate() {
        let points = rows.iter().map(|row| (row.games, scale * of(row)));
        let points: Vec<String> = points
            .filter(|(_, number)| number.is_finite())
            .map(|(then, number)| format!("{:.1},{:.1}", x(then), y(number)))
            .collect();
        add(
            svg,
            &format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>\n",
                points.join(" "),
                LEFT + 190.0 * number as f64,
                top - 12.0
            ),
        );
    }
}

fn add(svg: &mut String, text: &str) {
    // A text takes all that is written to it.
    let _ = svg.write_str(text);
}

#[cfg(test)]
mod tests {
    use super::curve;
    use crate::state::Row;

    #[test]
    fn lines_go_through_what_was_measured() {
        let row = |games, policy_loss, score| Row {
            games,
            policy_loss,
            score,
            policy_keeps: f64::NAN,
            search_keeps: f64::NAN,
            ..Row::default()
        };
        let rows = [row(50.0, 2.0, f64::NAN), row(100.0, 1.0, 0.5)];
        let svg = curve("connect4, seed 1", &rows);
        assert!(svg.contains("<title>connect4, seed 1</title>"));
        // The first loss is the highest, half-way; the second half of it, at the right.
        assert!(svg.contains("points=\"370.0,46.0 680.0,156.0\""), "{svg}");
        // What was not measured is no point.
        assert!(svg.contains("points=\"680.0,460.0\""), "{svg}");
        assert!(!svg.contains("NaN"));
        assert!(curve("", &[]).ends_with("</svg>\n"));
    }
}
