//! A progress line on stderr, for runs that make a person wait.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::harmless::harmless;

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The line is drawn anew this often: seldom enough that the workers do not feel it.
pub(crate) const REFRESH: Duration = Duration::from_millis(200);

/// Does `work`, and meanwhile shows how long it has run: of `limit`, if there is one.
/// Nothing is shown if stderr is not a terminal. Blocks until `work` is done.
pub(crate) fn while_running<T>(what: &str, limit: Option<Duration>, work: impl FnOnce() -> T) -> T {
    with_notes(what, limit, &Notes::default(), work)
}

/// What is to be known of a run besides its time.
#[derive(Debug, Default)]
pub(crate) struct Notes(Mutex<String>);

impl Notes {
    /// Shows this behind the rest of the line, instead of what was there.
    pub(crate) fn set(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    /// Shows this on a line of its own at once, wherever stderr goes.
    pub(crate) fn warn(&self, text: &str) {
        let clear = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        // Nothing is left to be done if stderr is closed.
        let _ = writeln!(std::io::stderr(), "{clear}playtree: {}", harmless(text));
    }

    /// With what divides it from what is before.
    fn behind(&self) -> String {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if text.is_empty() { String::new() } else { format!(", {text}") }
    }
}

/// As [`while_running`], with more to show.
pub(crate) fn with_notes<T>(
    what: &str,
    limit: Option<Duration>,
    notes: &Notes,
    work: impl FnOnce() -> T,
) -> T {
    if !std::io::stderr().is_terminal() || limit.is_some_and(|limit| limit <= PATIENCE) {
        return work();
    }
    thread::scope(|scope| {
        // Dropped when the work is over, also by a panic: that is what ends the line.
        let (_running, over) = channel::<()>();
        // Without a thread for it there is no line, and the work goes on.
        let _ = thread::Builder::new().spawn_scoped(scope, move || show(what, limit, notes, &over));
        work()
    })
}

fn show(what: &str, limit: Option<Duration>, notes: &Notes, over: &Receiver<()>) {
    let start = Instant::now();
    if over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let bar = match limit {
        Some(limit) => styled(limit.as_millis() as u64, "{msg} {wide_bar} {elapsed}"),
        None => ProgressBar::new_spinner(),
    };
    bar.set_message(what.to_owned());
    let bar = bar.with_elapsed(start.elapsed());
    while over.recv_timeout(REFRESH) == Err(RecvTimeoutError::Timeout) {
        match limit {
            Some(_) => {
                bar.set_message(format!("{what}{}", notes.behind()));
                bar.set_position(start.elapsed().as_millis() as u64);
            }
            None => {
                let seconds = start.elapsed().as_secs();
                bar.set_message(format!("{what}, {seconds} s{}", notes.behind()));
            }
        }
    }
    bar.finish_and_clear();
}

/// A line that a run draws anew itself, about every [`REFRESH`]. Gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Line {
    bar: Option<ProgressBar>,
}

impl Line {
    /// `None` if stderr is not a terminal.
    pub(crate) fn new() -> Option<Self> {
        std::io::stderr().is_terminal().then_some(Self { bar: None })
    }

    /// Shows this text, if the run makes a person wait: if `elapsed` is at least [`PATIENCE`].
    pub(crate) fn show(&mut self, elapsed: Duration, text: impl FnOnce() -> String) {
        if elapsed >= PATIENCE {
            let bar = self.bar.get_or_insert_with(ProgressBar::new_spinner);
            bar.set_message(text());
            bar.tick();
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A line for a run of known length, moved on with `inc`. Hidden if stderr is not a
/// terminal.
pub(crate) fn steps(count: u64) -> ProgressBar {
    styled(count, "{msg} {wide_bar} {pos}/{len}")
}

fn styled(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    ProgressBar::new(length).with_style(style)
}
