//! Game records in the Smart Game Format (FF 4), as far as they are a line of moves.

use std::fs;
use std::io::Read;

/// The largest file that is read.
const LARGEST_FILE: u64 = 1 << 20;

/// The main line of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// Columns and rows, if they are given.
    pub(super) size: Option<(String, String)>,
    /// The side that moves, 0 for black, and where.
    pub(super) moves: Vec<(usize, String)>,
}

/// Reads the record in a file.
///
/// # Errors
/// If it cannot be read or is no such record: what was expected and what was found.
pub(super) fn load(path: &str) -> Result<Record, String> {
    let unreadable = |found: String| format!("expected a file that can be read, found {found}");
    // A pipe would be waited for, a device read for ever.
    let is_file = fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.is_file();
    if !is_file {
        return Err(unreadable(format!("'{path}', which is none")));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|error| unreadable(error.to_string()))?;
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!("expected a file of at most {LARGEST_FILE} bytes, found a larger one"));
    }
    parse(&String::from_utf8_lossy(&bytes))
}

/// Reads the main line: the first branch at every fork.
fn parse(text: &str) -> Result<Record, String> {
    let mut record = Record::default();
    let start = text.find('(').ok_or("expected a game record in SGF, found no '('")?;
    let mut rest = &text[start..];
    loop {
        rest = rest.trim_start_matches(|c: char| c == '(' || c == ';' || c.is_whitespace());
        if rest.is_empty() {
            return Err("expected ')' at the end of the record, found nothing".into());
        }
        if rest.starts_with(')') {
            return Ok(record);
        }
        let end = rest.find('[').unwrap_or(rest.len());
        let word = rest[..end].trim_end();
        // Older files have lower case letters besides, which say nothing.
        let name: String = word.chars().filter(char::is_ascii_uppercase).collect();
        let is_name = word.chars().all(|c| c.is_ascii_alphabetic()) && !name.is_empty();
        if !is_name || end == rest.len() {
            let found: String = rest.chars().take(10).collect();
            return Err(format!("expected a property such as B[h8], found '{found}'"));
        }
        rest = &rest[end..];
        while let Some(inside) = rest.strip_prefix('[') {
            let (value, after) = value(inside)?;
            record.note(&name, value)?;
            rest = after.trim_start();
        }
    }
}

/// The text up to the closing bracket, and what follows it.
fn value(text: &str) -> Result<(String, &str), String> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            ']' => return Ok((value, &text[at + 1..])),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    Err("expected ']' after a value, found nothing".into())
}

impl Record {
    fn note(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "B" | "W" => self.moves.push((usize::from(name == "W"), value.trim().to_owned())),
            "SZ" => {
                let (columns, rows) = value.split_once(':').unwrap_or((&value, &value));
                self.size = Some((columns.trim().to_owned(), rows.trim().to_owned()));
            }
            "AB" | "AW" | "AE" | "PL" => {
                return Err(format!("expected a game from the start, found a set-up ({name})"));
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_line_is_the_first_branch_at_every_fork() {
        let text = "text (;FF[4]GM[11]SZ[11]C[a \\] ( bracket] ;B[a3];W [f6]\n(;B[c2](;W[d4])(;W[e5]))(;B[a1]))";
        let record = parse(text).unwrap();
        assert_eq!(record.size, Some(("11".into(), "11".into())));
        let moves: Vec<(usize, &str)> =
            record.moves.iter().map(|(player, text)| (*player, text.as_str())).collect();
        assert_eq!(moves, [(0, "a3"), (1, "f6"), (0, "c2"), (1, "d4")]);
    }

    #[test]
    fn what_is_no_record_is_refused() {
        for (text, found) in [
            ("", "no '('"),
            ("(;B[a1]", "found nothing"),
            ("(;B[a1", "found nothing"),
            ("(;B;W[a1])", "'B;W[a1])'"),
            ("(;AB[a1][b2])", "set-up (AB)"),
            ("(;;)extra", ""),
        ] {
            match parse(text) {
                Ok(record) => assert!(found.is_empty(), "{text}: {record:?}"),
                Err(error) => assert!(error.contains(found), "{text}: {error}"),
            }
        }
        assert!(load("/dev/zero").is_err() && load("/nowhere").is_err());
    }
}
