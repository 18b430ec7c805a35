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

/// Columns of a terminal: no line of words is longer.
pub(crate) const WIDTH: usize = 80;
/// A last column of texts is never wrapped to less.
const NARROWEST: usize = 20;

/// A table of short texts, two spaces between its columns, that fits the terminal: a last column of
/// texts is wrapped between words, or what does not fit stands below the rest.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
    /// The first columns, which are repeated where a table is broken.
    keys: usize,
}

impl Table {
    /// An empty table with these columns.
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new(), keys: 1 }
    }

    /// The same with this number of first columns that say what a row is about.
    pub(crate) fn keys(mut self, keys: usize) -> Self {
        self.keys = keys;
        self
    }

    /// Adds a row; it has one text for each column.
    pub(crate) fn row<const N: usize>(&mut self, row: [String; N]) {
        debug_assert_eq!(N, self.columns.len());
        self.rows.push(row.into());
    }

    /// The width of a column, its heading included.
    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].chars().count());
        cells.chain([self.columns[column].0.chars().count()]).max().unwrap_or(0)
    }

    /// Writes the headings and the rows, without trailing spaces.
    pub(crate) fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        let mut widths: Vec<usize> = (0..self.columns.len()).map(|at| self.width(at)).collect();
        let together = |columns: &[usize], widths: &[usize]| {
            columns.iter().map(|&at| widths[at] + 2).sum::<usize>().saturating_sub(2)
        };
        let all: Vec<usize> = (0..self.columns.len()).collect();
        if let Some((last, others)) = all.split_last()
            && self.columns[*last].1 == Align::Left
            && together(&all, &widths) > WIDTH
        {
            let room = WIDTH.saturating_sub(together(others, &widths) + 2).max(NARROWEST);
            widths[*last] = widths[*last].min(room);
        }
        // Blocks of columns that fit beside each other.
        let (keys, rest) = all.split_at(self.keys.min(all.len()));
        let mut blocks = vec![keys.to_vec()];
        for &column in rest {
            let place = blocks.len() - 1;
            let wider = [&blocks[place][..], &[column]].concat();
            if together(&wider, &widths) <= WIDTH || blocks[place].len() == keys.len() {
                blocks[place] = wider;
            } else {
                blocks.push([keys, &[column]].concat());
            }
        }
        let headings: Vec<String> = self.columns.iter().map(|(h, _)| (*h).to_owned()).collect();
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            for row in std::iter::once(&headings).chain(&self.rows) {
                self.write_row(out, row, block, &widths)?;
            }
        }
        Ok(())
    }

    /// Writes some cells of a row; a text that is wider than its column goes on below.
    fn write_row(
        &self,
        out: &mut impl Write,
        row: &[String],
        columns: &[usize],
        widths: &[usize],
    ) -> Result<(), CliError> {
        let mut line = String::new();
        let mut indent = 0;
        for (number, &column) in columns.iter().enumerate() {
            if number > 0 {
                line.push_str("  ");
            }
            let (cell, width) = (&row[column], widths[column]);
            match self.columns[column].1 {
                Align::Right => line.push_str(&format!("{cell:>width$}")),
                Align::Left => {
                    indent = line.chars().count();
                    line.push_str(&format!("{cell:<width$}"));
                }
            }
        }
        let line = line.trim_end();
        let is_wrapped = columns.last().is_some_and(|&at| row[at].chars().count() > widths[at]);
        if is_wrapped { write_wrapped(out, line, indent) } else { Ok(writeln!(out, "{line}")?) }
    }
}

/// Writes a text, broken between words where it does not fit the terminal; every further line
/// begins with `indent` blanks.
pub(crate) fn write_wrapped(
    out: &mut impl Write,
    text: &str,
    indent: usize,
) -> Result<(), CliError> {
    let mut line = String::new();
    let mut width = 0;
    // Blanks in the first `indent` characters are those of a table.
    let mut may_break = false;
    for (number, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if number > 0 {
            if may_break && width + 1 + length > WIDTH {
                writeln!(out, "{}", line.trim_end())?;
                line = " ".repeat(indent);
                width = indent;
            } else {
                line.push(' ');
                width += 1;
            }
        }
        line.push_str(word);
        width += length;
        may_break |= width > indent && !word.is_empty();
    }
    Ok(writeln!(out, "{}", line.trim_end())?)
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
        StopReason::Memory => "a memory limit without room for the position".into(),
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

    fn written(table: &Table) -> String {
        let mut text = Vec::new();
        table.write(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_table_that_is_too_wide_stands_below_itself() {
        let right = |heading| (heading, Align::Right);
        let mut table = Table::new(&[("mode", Align::Left), right("first"), right("second")]);
        table.row(["one".into(), "1".repeat(40), "2".repeat(40)]);
        let expected = format!(
            "mode  {:>40}\none   {}\n\nmode  {:>40}\none   {}\n",
            "first",
            "1".repeat(40),
            "second",
            "2".repeat(40)
        );
        assert_eq!(written(&table), expected);
    }

    #[test]
    fn a_last_column_of_words_is_wrapped_between_them() {
        let mut table =
            Table::new(&[("move", Align::Left), ("n", Align::Right), ("pv", Align::Left)]);
        table.row(["h2e2".into(), "1".into(), ["h2e2"; 20].join(" ")]);
        let text = written(&table);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "move  n  pv");
        assert_eq!(lines[1], format!("h2e2  1  {}", ["h2e2"; 14].join(" ")));
        assert_eq!(lines[2], format!("         {}", ["h2e2"; 6].join(" ")));
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn a_long_text_is_broken_between_words() {
        let mut text = Vec::new();
        write_wrapped(&mut text, &["word"; 30].join(" "), 2).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lines, [79, 71]);
        let mut text = Vec::new();
        write_wrapped(&mut text, &"x".repeat(100), 2).unwrap();
        assert_eq!(text.len(), 101);
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
