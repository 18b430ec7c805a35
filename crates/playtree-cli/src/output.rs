//! Text for people and for programs: tables, numbers with separators, JSON.

use std::io::Write;

use playtree::StopReason;
use serde::Serialize;

use crate::error::CliError;

/// How a column of a table is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table of short texts, two spaces between its columns.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these columns.
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row; it has one text for each column.
    pub(crate) fn row<const N: usize>(&mut self, row: [String; N]) {
        debug_assert_eq!(N, self.columns.len());
        self.rows.push(row.into());
    }

    /// Writes the headings and the rows, without trailing spaces.
    pub(crate) fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        let width = |column: usize, heading: &str| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.chain([heading.chars().count()]).max().unwrap_or(0)
        };
        let columns: Vec<(usize, Align)> = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, &(heading, align))| (width(i, heading), align))
            .collect();
        let headings: Vec<String> = self.columns.iter().map(|(h, _)| (*h).to_owned()).collect();
        for row in std::iter::once(&headings).chain(&self.rows) {
            let cells = row.iter().zip(&columns).map(|(cell, &(width, align))| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// One JSON value on a line of its own.
pub(crate) fn write_json(out: &mut impl Write, value: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *out, value).map_err(std::io::Error::from)?;
    Ok(writeln!(out)?)
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of 1 as a percentage with one digit after the point.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A size with a binary unit.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

/// `1 worker`, `2 workers`.
pub(crate) fn workers(workers: usize) -> String {
    match workers {
        1 => "1 worker".to_owned(),
        more => format!("{more} workers"),
    }
}

/// What ended the search, after "stopped by".
pub(crate) fn stopped_by(reason: StopReason) -> String {
    match reason {
        StopReason::Proven => "proof".into(),
        StopReason::Stopped => "Ctrl-C".into(),
        StopReason::OnlyMove => "the only move".into(),
        StopReason::Settled => "a settled best move".into(),
        StopReason::Exhausted => "a tree that has stopped growing".into(),
        StopReason::CannotBeOvertaken => "a lead that cannot be overtaken".into(),
        other => other.as_str().replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&[("move", Align::Left), ("n", Align::Right)]);
        table.row(["pass".into(), "7".into()]);
        table.row(["d3".into(), "1,000".into()]);
        let mut text = Vec::new();
        table.write(&mut text).unwrap();
        let expected = "move      n\npass      7\nd3    1,000\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(bytes(64 << 20), "64.0 MiB");
        assert_eq!(percent(0.5), "50.0 %");
    }
}
