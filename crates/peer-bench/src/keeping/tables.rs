//! The tables of `keeping`.

use std::fmt::Write;

use playtree::statistics::Estimate;

use super::measure::Measure;
use super::paired;
use super::positions::Measured;
use super::searches::{Plan, Results};
use crate::engine::Limit;
use crate::table::{Table, short};

/// A difference and what it is one of.
#[derive(Clone, Debug)]
struct Fall {
    /// What is lost more, and its interval.
    by: Estimate,
    /// The engine and the budgets.
    of: String,
}

/// Prints what each engine has lost with each budget, as `measure` counts.
pub(super) fn print<G: Measured>(plan: &Plan<'_, G>, results: &Results, measure: Measure) {
    let positions = plan.counted(measure).len();
    println!(
        "\n### {}: {positions} positions, {} searches of each, {} worker(s)\n",
        measure.title(),
        plan.seeds,
        plan.threads
    );
    if positions == 0 {
        println!("There is no position in which it makes a difference which move is played.");
        return;
    }
    let mut table = Table::new(headings(plan, measure));
    let (mut budgets, mut engines) = (Vec::new(), Vec::new());
    for contender in 0..plan.contenders.len() {
        for limit in 0..plan.limits.len() {
            let row = Row { plan, results, measure, limit, contender };
            let (to_budget, to_engine) = (row.against_budget(), row.against_first());
            table.row(row.cells(to_budget.as_ref(), to_engine.as_ref()));
            budgets.extend(to_budget);
            engines.extend(to_engine);
        }
    }
    print!("{table}");
    print!("{}", summary("from one budget to the next", measure, &budgets));
    print!("{}", summary("against the first engine", measure, &engines));
}

/// The headings of the columns.
fn headings<G: Measured>(plan: &Plan<'_, G>, measure: Measure) -> Vec<String> {
    let mean = if measure.is_share() { "kept, % [95 %]" } else { "lost [95 %]" };
    let unit = measure.unit();
    let mut headings = vec!["engine".to_owned(), "budget".to_owned(), mean.to_owned()];
    headings.push(format!("lost more than with the budget before, {unit} [95 %]"));
    if plan.contenders.len() > 1 {
        let first = &plan.contenders[0].name;
        headings.push(format!("lost more than {first} with the same budget, {unit} [95 %]"));
    }
    headings.extend(["simulations per search".to_owned(), "simulations/s".to_owned()]);
    headings
}

/// A row of a table.
#[derive(Clone, Copy)]
struct Row<'a, G: Measured> {
    plan: &'a Plan<'a, G>,
    results: &'a Results,
    measure: Measure,
    limit: usize,
    contender: usize,
}

impl<G: Measured> Row<'_, G> {
    fn losses(&self) -> Vec<f64> {
        self.plan.losses(self.results, self.measure, self.limit, self.contender)
    }

    /// The standard error if one search of all those had ended in another way.
    fn least_error(&self) -> f64 {
        let searches = self.plan.counted(self.measure).len() * self.plan.seeds;
        self.measure.least_loss() / searches as f64
    }

    fn name(&self) -> &str {
        &self.plan.contenders[self.contender].name
    }

    fn budget(&self) -> String {
        match self.plan.limits[self.limit] {
            Limit::Simulations(count) => short(count as f64),
            Limit::Time(time) => format!("{} ms", time.as_millis()),
        }
    }

    /// What is lost more than by the row `other`.
    fn against(&self, other: &Self) -> Estimate {
        paired::difference(&self.losses(), &other.losses(), self.least_error())
    }

    /// What is lost more than with the budget before, if there is one.
    fn against_budget(&self) -> Option<Fall> {
        let before = Self { limit: self.limit.checked_sub(1)?, ..*self };
        let of = format!("{}, from {} to {}", self.name(), before.budget(), self.budget());
        Some(Fall { by: self.against(&before), of })
    }

    /// What is lost more than by the first engine, if this is another one.
    fn against_first(&self) -> Option<Fall> {
        let first = Self { contender: 0, ..*self };
        let of = format!("{} with {}", self.name(), self.budget());
        (self.contender > 0).then(|| Fall { by: self.against(&first), of })
    }

    /// The cells of the row.
    fn cells(&self, budget: Option<&Fall>, engine: Option<&Fall>) -> Vec<String> {
        let decimals = self.measure.decimals();
        let lost = paired::mean(&self.losses(), self.least_error());
        let difference =
            |fall: Option<&Fall>| fall.map_or_else(String::new, |fall| signed(fall.by, decimals));
        let shown = if self.measure.is_share() {
            paired::kept(lost)
        } else {
            Estimate { low: lost.low.max(0.0), ..lost }
        };
        let mut cells =
            vec![self.name().to_owned(), self.budget(), plain(shown, decimals), difference(budget)];
        if self.plan.contenders.len() > 1 {
            cells.push(difference(engine));
        }
        let work = self.plan.work(self.results, self.limit, self.contender);
        cells.extend(match work {
            Some(work) => [short(work.simulations), short(work.speed)],
            None => ["?".to_owned(), "?".to_owned()],
        });
        cells
    }
}

/// A number that cannot be below 0, with its interval.
fn plain(estimate: Estimate, decimals: usize) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{value:.decimals$} [{low:.decimals$}, {high:.decimals$}]")
}

/// A difference with its interval.
fn signed(estimate: Estimate, decimals: usize) -> String {
    let scale = 10f64.powi(decimals as i32);
    // The sum makes 0 of -0.
    let rounded = |number: f64| (number * scale).round() / scale + 0.0;
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(rounded);
    format!("{value:+.decimals$} [{low:+.decimals$}, {high:+.decimals$}]")
}

/// A line on the fall whose interval goes furthest, empty if there is none.
fn summary(what: &str, measure: Measure, falls: &[Fall]) -> String {
    let largest = falls.iter().max_by(|one, other| one.by.high.total_cmp(&other.by.high));
    let mut text = String::new();
    if let Some(Fall { by, of }) = largest {
        let (decimals, unit) = (measure.decimals(), measure.unit());
        let high = by.high;
        writeln!(text, "\nUpper end of the largest fall {what}: {high:.decimals$} {unit} ({of}).")
            .expect("a string takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use playtree::statistics::Estimate;

    use super::{Fall, plain, signed, summary};
    use crate::keeping::measure::Measure;

    #[test]
    fn estimates_are_shown_with_their_interval() {
        let estimate = Estimate { value: -0.04, low: -1.26, high: 1.18 };
        assert_eq!(signed(estimate, 1), "+0.0 [-1.3, +1.2]");
        let estimate = Estimate { value: 97.25, low: 95.0, high: 100.0 };
        assert_eq!(plain(estimate, 1), "97.2 [95.0, 100.0]");
    }

    #[test]
    fn the_summary_names_the_largest_fall() {
        let fall = |high: f64, of: &str| Fall {
            by: Estimate { value: 0.0, low: -high, high },
            of: of.to_owned(),
        };
        let falls = [fall(0.5, "a, from 1 to 2"), fall(1.25, "a, from 2 to 3")];
        assert_eq!(
            summary("from one budget to the next", Measure::Discs, &falls),
            "\nUpper end of the largest fall from one budget to the next: 1.25 discs (a, from 2 \
             to 3).\n"
        );
        assert_eq!(summary("from one budget to the next", Measure::Value, &[]), "");
    }
}
