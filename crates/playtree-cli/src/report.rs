//! `--report FILE`: what a run has found as a page of its own, with charts, for a browser.
//!
//! A page is drawn from the JSON form of the run, so its numbers are those.

pub(crate) mod analyze;
pub(crate) mod bench;
mod chart;
pub(crate) mod matches;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use self::page::Page;
use crate::error::CliError;
use crate::saved;

/// Where the report goes.
#[derive(Args, Debug)]
pub(crate) struct ReportOptions {
    /// Write a report with charts to this file as well: a page that needs nothing else, for a
    /// browser; the file is replaced at once.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl ReportOptions {
    /// Refuses a file that cannot be written, before there is something to be lost.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        saved::check("--report", self.report.as_deref())
    }

    /// Whether there is to be a report.
    pub(crate) fn is_wanted(&self) -> bool {
        self.report.is_some()
    }

    /// Writes the page that `draw` makes of the JSON form, if one is wanted.
    pub(crate) fn write(
        &self,
        json: &impl Serialize,
        draw: impl FnOnce(&Value) -> Page,
    ) -> Result<(), CliError> {
        let Some(file) = &self.report else { return Ok(()) };
        let json = serde_json::to_value(json).map_err(std::io::Error::from)?;
        replace(file, &draw(&json).html())
            .map_err(|error| CliError::at("--report", format_args!("{}: {error}", file.display())))
    }
}

/// Puts a text into the place of a file: whole, or not at all.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    // A link stays one: what it leads to is replaced.
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let part = target.with_file_name(name);
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, &target));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// A number of the JSON form; none where there is null or nothing.
fn number(value: &Value, field: &str) -> Option<f64> {
    value[field].as_f64()
}

/// A text of the JSON form; empty where there is none.
fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// A list of the JSON form; empty where there is none.
fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map_or(&[], Vec::as_slice)
}

/// A number as a person reads it: whole ones in groups, others with at most three digits.
fn shown(number: f64) -> String {
    if number.abs() >= 1000.0 || number.fract() == 0.0 {
        let whole = crate::output::grouped(number.abs().round() as u64);
        if number < 0.0 { format!("-{whole}") } else { whole }
    } else {
        format!("{number:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}
