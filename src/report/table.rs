//! Tables of texts, and lines that are broken between words.

use std::fmt;

/// How a column of a [`Table`] is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At the left edge: texts.
    Left,
    /// At the right edge: numbers.
    Right,
}

/// A last column of texts is never wrapped to fewer characters.
const NARROWEST: usize = 20;

/// A table of short texts with a heading above each column and two spaces between columns.
///
/// Displayed, it has no trailing spaces and no trailing line feed. Within a
/// [limited width](Self::width) a last column of texts is wrapped between words, and columns that
/// do not fit stand below the others.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
    /// The first columns, which are repeated where a table is broken.
    keys: usize,
    /// The most characters of a line, if they are limited.
    width: Option<usize>,
}

impl Table {
    /// An empty table with these columns.
    #[must_use]
    pub fn new(columns: &[(&'static str, Align)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new(), keys: 1, width: None }
    }

    /// How many of the first columns say what a row is about: they are repeated where the table is
    /// too wide for one block. Default: 1.
    #[must_use]
    pub fn keys(mut self, keys: usize) -> Self {
        self.keys = keys;
        self
    }

    /// The most characters of a line. A word that is longer is not broken. Default: no limit.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = Some(columns);
        self
    }

    /// Adds a row with a text for each column. A column without one is empty, a text without a
    /// column is dropped.
    pub fn row(&mut self, row: impl Into<Vec<String>>) {
        let mut cells = row.into();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// The number of rows, the headings not counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Keeps the first `rows` rows alone.
    pub fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
    }

    /// The characters of the widest cell of a column, its heading included.
    fn column_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].chars().count());
        cells.chain([self.columns[column].0.chars().count()]).max().unwrap_or(0)
    }

    /// The headings and the rows, block by block.
    fn lines(&self) -> Vec<String> {
        let limit = self.width.unwrap_or(usize::MAX);
        let mut widths: Vec<usize> =
            (0..self.columns.len()).map(|at| self.column_width(at)).collect();
        let together = |columns: &[usize], widths: &[usize]| {
            columns.iter().map(|&at| widths[at] + 2).sum::<usize>().saturating_sub(2)
        };
        let all: Vec<usize> = (0..self.columns.len()).collect();
        if let Some((last, others)) = all.split_last()
            && self.columns[*last].1 == Align::Left
            && together(&all, &widths) > limit
        {
            let room = limit.saturating_sub(together(others, &widths) + 2).max(NARROWEST);
            widths[*last] = widths[*last].min(room);
        }
        // Blocks of columns that fit beside each other.
        let (keys, rest) = all.split_at(self.keys.min(all.len()));
        let mut blocks = vec![keys.to_vec()];
        for &column in rest {
            let place = blocks.len() - 1;
            let wider = [&blocks[place][..], &[column]].concat();
            if together(&wider, &widths) <= limit || blocks[place].len() == keys.len() {
                blocks[place] = wider;
            } else {
                blocks.push([keys, &[column]].concat());
            }
        }
        let headings: Vec<String> = self.columns.iter().map(|(h, _)| (*h).to_owned()).collect();
        let mut lines = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                lines.push(String::new());
            }
            let rows = std::iter::once(&headings).chain(&self.rows);
            lines.extend(rows.map(|row| self.line(row, block, &widths)));
        }
        lines
    }

    /// Some cells of a row; a text that is wider than its column goes on below.
    fn line(&self, row: &[String], columns: &[usize], widths: &[usize]) -> String {
        let mut line = String::new();
        let mut indent = 0;
        for (number, &column) in columns.iter().enumerate() {
            if number > 0 {
                line.push_str("  ");
            }
            let cell = &row[column];
            // A width in a format string ends at 65 535.
            let blanks = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            match self.columns[column].1 {
                Align::Right => {
                    line.push_str(&blanks);
                    line.push_str(cell);
                }
                Align::Left => {
                    indent = line.chars().count();
                    line.push_str(cell);
                    line.push_str(&blanks);
                }
            }
        }
        let line = line.trim_end();
        let is_wider = columns.last().is_some_and(|&at| row[at].chars().count() > widths[at]);
        match self.width {
            Some(width) if is_wider => wrapped(line, width, indent),
            _ => line.to_owned(),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

/// A text in lines of at most `width` characters, broken between words; every further line begins
/// with `indent` blanks. A word that is longer is not broken, and there is no trailing line feed.
#[must_use]
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut line = String::new();
    let mut length = 0;
    // Blanks in the first `indent` characters are those of a table.
    let mut may_break = false;
    for (number, word) in text.split(' ').enumerate() {
        let letters = word.chars().count();
        if number > 0 {
            if may_break && length + 1 + letters > width {
                lines.push_str(line.trim_end());
                lines.push('\n');
                // More would leave no room at all.
                length = indent.min(width);
                line = " ".repeat(length);
            } else {
                line.push(' ');
                length += 1;
            }
        }
        line.push_str(word);
        length += letters;
        may_break |= length > indent && !word.is_empty();
    }
    lines.push_str(line.trim_end());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of a terminal.
    const WIDTH: usize = 80;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&[("move", Align::Left), ("n", Align::Right)]);
        table.row(["pass".into(), "7".into()]);
        table.row(["d3".into(), "1,000".into()]);
        assert_eq!(table.to_string(), "move      n\npass      7\nd3    1,000");
        table.row(["e6".into()]);
        table.row(["f5".into(), "1".into(), "more".into()]);
        assert!(table.to_string().ends_with("\ne6\nf5        1"));
        table.truncate(1);
        assert_eq!(table.to_string(), "move  n\npass  7");
    }

    #[test]
    fn a_cell_may_be_wider_than_any_terminal() {
        let mut table = Table::new(&[("pv", Align::Left), ("n", Align::Right)]);
        table.row(["x".repeat(70_000), "1".into()]);
        table.row(["y".into(), "2".into()]);
        assert!(table.to_string().lines().all(|line| line.len() == 70_003));
    }

    #[test]
    fn a_table_that_is_too_wide_stands_below_itself() {
        let right = |heading| (heading, Align::Right);
        let mut table = Table::new(&[("mode", Align::Left), right("first"), right("second")]);
        table.row(["one".into(), "1".repeat(40), "2".repeat(40)]);
        assert_eq!(table.to_string().lines().count(), 2);
        let expected = format!(
            "mode  {:>40}\none   {}\n\nmode  {:>40}\none   {}",
            "first",
            "1".repeat(40),
            "second",
            "2".repeat(40)
        );
        assert_eq!(table.width(WIDTH).to_string(), expected);
    }

    #[test]
    fn a_last_column_of_words_is_wrapped_between_them() {
        let mut table =
            Table::new(&[("move", Align::Left), ("n", Align::Right), ("pv", Align::Left)]);
        table.row(["h2e2".into(), "1".into(), ["h2e2"; 20].join(" ")]);
        assert_eq!(table.to_string().lines().count(), 2);
        let text = table.width(WIDTH).to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "move  n  pv");
        assert_eq!(lines[1], format!("h2e2  1  {}", ["h2e2"; 14].join(" ")));
        assert_eq!(lines[2], format!("         {}", ["h2e2"; 6].join(" ")));
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn a_long_text_is_broken_between_words() {
        let text = wrapped(&["word"; 30].join(" "), WIDTH, 2);
        let lines: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lines, [79, 71]);
        assert_eq!(wrapped(&"x".repeat(100), WIDTH, 2).len(), 100);
        assert_eq!(wrapped("one two", 0, usize::MAX), "one two");
    }
}
