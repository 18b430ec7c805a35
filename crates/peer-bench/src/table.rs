//! Markdown tables, and numbers as people read them.

use std::fmt::{self, Display};

/// A Markdown table: the first column to the left, the others to the right.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    columns: usize,
}

impl Table {
    /// A table with these headings.
    pub(crate) fn new<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Self {
        let headings: Vec<String> = headings.into_iter().map(Into::into).collect();
        Self { columns: headings.len(), rows: vec![headings] }
    }

    /// Appends a row; cells left out at the end stay empty.
    pub(crate) fn row(&mut self, mut cells: Vec<String>) {
        cells.resize(self.columns, String::new());
        self.rows.push(cells);
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            writeln!(f, "{}", line(row))?;
            if index == 0 {
                writeln!(f, "|---|{}", "--:|".repeat(self.columns.saturating_sub(1)))?;
            }
        }
        Ok(())
    }
}

/// A line of a table.
pub(crate) fn line(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// A count or a rate with three significant digits: `1.23M`, `456k`, `78`.
pub(crate) fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e9 => (n / 1e9, "G"),
        n if n >= 1e6 => (n / 1e6, "M"),
        n if n >= 1e3 => (n / 1e3, "k"),
        n => (n, ""),
    };
    let decimals = match scaled {
        s if s >= 100.0 => 0,
        s if s >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$}{unit}")
}

/// The middle of the numbers, NaN if there are none.
pub(crate) fn median(numbers: &[f64]) -> f64 {
    quantile(numbers, 0.5)
}

/// The quantile `at`, in `[0, 1]`, between neighbours by proportion; NaN of nothing.
pub(crate) fn quantile(numbers: &[f64], at: f64) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = at * last as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::{Table, median, quantile, short};

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new(["engine", "speed"]);
        table.row(vec!["ours".into(), short(1_234_567.0)]);
        table.row(vec!["theirs".into()]);
        assert_eq!(
            table.to_string(),
            "| engine | speed |\n|---|--:|\n| ours | 1.23M |\n| theirs |  |\n"
        );
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(short(999.0), "999");
        assert_eq!(short(45_678.0), "45.7k");
        assert_eq!(short(3.9e9), "3.90G");
    }

    #[test]
    fn quantiles() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0]), 2.5);
        assert_eq!(quantile(&[0.0, 10.0], 0.9), 9.0);
        assert!(median(&[]).is_nan());
    }
}
