//! A chart of lines as SVG.

use std::fmt::Write;

use super::page::escaped;
use super::shown;

/// The size of a chart, in units of the picture.
const SIZE: [f64; 2] = [640.0, 260.0];
/// What is left for numbers and names: left, right, above, below.
const MARGIN: [f64; 4] = [74.0, 130.0, 16.0, 40.0];
/// About how many steps an axis has.
const STEPS: f64 = 5.0;
/// The colours that there are.
const COLOURS: usize = 4;
/// A line with more points than these has none of them marked.
const MARKED: usize = 60;

/// Lines over a number.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) x: &'static str,
    pub(super) y: &'static str,
    /// The values that the axis shows at least.
    pub(super) least: [f64; 2],
    pub(super) lines: Vec<Line>,
}

/// One line.
#[derive(Debug)]
pub(super) struct Line {
    /// What stands beside it.
    pub(super) name: String,
    /// The field of the JSON form that it shows.
    pub(super) field: String,
    pub(super) points: Vec<[f64; 2]>,
}

/// The values of an axis: from where to where, and the step of its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Round numbers around these values.
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if low == high {
            high = low + 1.0;
        }
        let raw = (high - low) / STEPS;
        let power = 10.0_f64.powf(raw.log10().floor());
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
        let step = round.into_iter().find(|step| *step >= raw * 0.999).unwrap_or(raw);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// The numbers that stand at it.
    fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count).map(move |at| self.low + self.step * at as f64)
    }

    /// Where a value lies, from 0 to 1.
    fn share(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

impl Chart {
    /// The picture; each point has its numbers.
    pub(super) fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = Axis::around(points().map(|point| point[0]));
        let y = Axis::around(points().map(|point| point[1]).chain(self.least));
        let [left, right, top, bottom] = MARGIN;
        let [width, height] = SIZE;
        let place = |value: f64| left + x.share(value) * (width - left - right);
        let level = |value: f64| height - bottom - y.share(value) * (height - top - bottom);
        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" \
             aria-label=\"{} by {}\">",
            escaped(self.y),
            escaped(self.x)
        );
        let _ = write!(svg, "<g stroke=\"var(--line)\">");
        for tick in y.ticks() {
            let (at, end) = (level(tick), width - right);
            let _ = write!(svg, "<path d=\"M{left} {at:.1}H{end}\"/>");
        }
        svg.push_str("</g><g text-anchor=\"end\">");
        for tick in y.ticks() {
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\">{}</text>",
                left - 8.0,
                level(tick) + 4.0,
                shown(tick)
            );
        }
        svg.push_str("</g><g text-anchor=\"middle\">");
        // Plies, games and workers are whole.
        for tick in x.ticks().filter(|tick| tick.fract() == 0.0) {
            let below = height - bottom + 18.0;
            let _ =
                write!(svg, "<text x=\"{:.1}\" y=\"{below}\">{}</text>", place(tick), shown(tick));
        }
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\">{}</text></g>",
            f64::midpoint(left, width - right),
            height - 4.0,
            escaped(self.x)
        );
        for (number, line) in self.lines.iter().enumerate() {
            svg.push_str(&line.svg(number, place, level));
        }
        svg.push_str("</svg>");
        svg
    }
}

impl Line {
    fn svg(&self, number: usize, place: impl Fn(f64) -> f64, level: impl Fn(f64) -> f64) -> String {
        let colour = format!("var(--s{})", number % COLOURS);
        let at = |[x, y]: [f64; 2]| format!("{:.1} {:.1}", place(x), level(y));
        let way: Vec<String> = self.points.iter().map(|&point| at(point)).collect();
        let mut svg = format!("<g class=\"line\" data-field=\"{}\">", escaped(&self.field));
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            way.join(" ")
        );
        let radius = if self.points.len() <= MARKED { 3.5 } else { 0.0 };
        for &[x, y] in &self.points {
            let _ = write!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{colour}\" \
                 data-x=\"{x}\" data-y=\"{y}\"><title>{}: {}</title></circle>",
                place(x),
                level(y),
                shown(x),
                shown(y)
            );
        }
        if !self.name.is_empty() {
            // Names stand one below the other, as lines may end at the same point.
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" style=\"fill:{colour}\">{}</text>",
                SIZE[0] - MARGIN[1] + 10.0,
                MARGIN[2] + 12.0 + 18.0 * number as f64,
                escaped(&self.name)
            );
        }
        svg.push_str("</g>");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn an_axis_has_round_numbers_around_its_values() {
        for (values, low, high, step) in [
            ([0.0, 1.0], 0.0, 1.0, 0.2),
            ([0.0, 947_000.0], 0.0, 1_000_000.0, 200_000.0),
            ([1.0, 2.0], 1.0, 2.0, 0.2),
            ([-3.0, 4.0], -4.0, 4.0, 2.0),
            ([7.0, 7.0], 7.0, 8.0, 0.2),
        ] {
            let axis = Axis::around(values.into_iter());
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(near(axis.low, low) && near(axis.high, high) && near(axis.step, step));
            assert!(near(axis.ticks().last().unwrap(), high), "{axis:?}");
        }
        // Nothing to be shown, or nothing that can be.
        let none = Axis { low: 0.0, high: 1.0, step: 0.2 };
        assert_eq!(Axis::around([f64::NAN, f64::INFINITY].into_iter()).high, none.high);
    }
}
