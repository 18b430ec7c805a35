//! The lines of a client without what no protocol has a use for.

use std::io::{self, BufRead, ErrorKind};

/// The most bytes of a line that are kept. Longer than every command with a path in it; what is
/// more is read and thrown away, so that no client can fill the memory.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// A line without control characters and, in a protocol that has them, comments; tabs as blanks.
/// Bytes that are no UTF-8 stand in it as U+FFFD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Whether `text` is only the beginning.
    pub(crate) is_cut: bool,
}

/// The next line, `None` at the end of the input; what follows `comment` is dropped. Blocks until
/// it is there.
///
/// # Errors
/// If the system cannot read.
pub(crate) fn read(input: &mut impl BufRead, comment: Option<u8>) -> io::Result<Option<Line>> {
    let mut cleaner = Cleaner { comment, ..Cleaner::default() };
    let mut is_over = true;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            return Ok((!is_over).then(|| cleaner.finish()));
        }
        is_over = false;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        cleaner.take(&chunk[..end.unwrap_or(chunk.len())]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(cleaner.finish()));
        }
    }
}

/// A line that is not yet over.
#[derive(Debug, Default)]
struct Cleaner {
    /// What a comment begins with.
    comment: Option<u8>,
    kept: Vec<u8>,
    in_comment: bool,
    is_cut: bool,
}

impl Cleaner {
    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                _ if self.in_comment => return,
                byte if Some(byte) == self.comment => self.in_comment = true,
                b'\t' => self.keep(b' '),
                byte if byte.is_ascii_control() => {}
                byte => self.keep(byte),
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.kept.len() < LONGEST_LINE { self.kept.push(byte) } else { self.is_cut = true }
    }

    fn finish(self) -> Line {
        let text = String::from_utf8_lossy(&self.kept);
        // A byte order mark is no part of the text.
        Line { text: text.trim_start_matches('\u{feff}').to_owned(), is_cut: self.is_cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| read(&mut input, Some(b'#')).unwrap()).collect()
    }

    #[test]
    fn control_characters_comments_and_byte_order_marks_are_dropped() {
        let found = lines(b"\xef\xbb\xbf\0name\r\n1\tna\x1bme\x7f # caf\xe9\n\xff\xfe\n#\n\n2 nam");
        let texts: Vec<&str> = found.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["name", "1 name ", "\u{fffd}\u{fffd}", "", "", "2 nam"]);
        assert!(found.iter().all(|line| !line.is_cut));
    }

    #[test]
    fn what_is_dropped_does_not_make_a_line_too_long() {
        let long = LONGEST_LINE + 10;
        let text = ["\0".repeat(long), "name".into(), " #".into(), "x".repeat(long)].concat();
        assert_eq!(lines(text.as_bytes()), [Line { text: "name ".into(), is_cut: false }]);
        let found = lines(format!("{}\nname", "x".repeat(long)).as_bytes());
        assert_eq!((found[0].text.len(), found[0].is_cut), (LONGEST_LINE, true));
        assert_eq!(found[1], Line { text: "name".into(), is_cut: false });
    }
}
