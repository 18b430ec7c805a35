//! The files of the page.

use std::path::Path;

use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::answer::Refused;
use crate::messages::{Kind, Refusal};

/// The files that the program has in itself, by name.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The page.
pub(super) const INDEX: &str = "index.html";

/// The file of this name.
pub(super) fn file(name: &str, folder: Option<&Path>) -> Response {
    let bytes = match folder {
        // The name is compared with those that are there: it is never made into a path.
        Some(folder) => find(folder, name).and_then(|path| std::fs::read(path).ok()),
        None => FILES.iter().find(|(file, _)| *file == name).map(|(_, bytes)| bytes.to_vec()),
    };
    let Some(bytes) = bytes else {
        let message = format!("expected a file of the page, found '{}'", name.escape_debug());
        return Refused::from(Refusal::new(Kind::Missing, "no-file", message)).into_response();
    };
    let headers = [(header::CONTENT_TYPE, kind(name)), (header::CACHE_CONTROL, "no-cache")];
    (headers, bytes).into_response()
}

/// The file of this name in a folder or one below it.
fn find(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    let (first, rest) =
        name.split_once('/').map_or((name, None), |(first, rest)| (first, Some(rest)));
    let mut entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let entry = entries.find(|entry| entry.file_name() == first)?;
    let (kind, path) = (entry.file_type().ok()?, entry.path());
    match rest {
        Some(rest) if kind.is_dir() => find(&path, rest),
        None if kind.is_file() => Some(path),
        _ => None,
    }
}

/// The type of a file by the end of its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
