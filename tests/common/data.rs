//! The data beside the repository, which others wrote. A test that finds none says so and passes.

// Not every program that has this module needs all of it.
#![allow(dead_code)]

use std::io::Read;
use std::path::PathBuf;

use serde_json::Value;

/// The text of a file, unpacked if its name ends in `.gz`; `None`, with a message, where it is
/// absent.
pub(crate) fn data(name: &str) -> Option<String> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../shared/data", name].iter().collect();
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: {} is not there", path.display());
        return None;
    };
    let mut text = String::new();
    if name.ends_with(".gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    Some(text)
}

/// The JSON lines of a file but the first, which says where it comes from; none where it is absent.
pub(crate) fn lines(name: &str) -> Vec<Value> {
    let text = data(name).unwrap_or_default();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A text of a line.
pub(crate) fn text<'a>(line: &'a Value, field: &str) -> &'a str {
    line[field].as_str().unwrap_or_else(|| panic!("{field} in {line}"))
}
