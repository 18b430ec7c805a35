//! One who looks on at a session, and what is news to it.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::desk::Live;
use crate::messages::View;

/// Between two events of a search.
const BETWEEN: Duration = Duration::from_millis(100);

/// Something that has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// For whom.
    pub listener: u64,
    /// `view`, `search`, `end` or `bye`.
    pub name: &'static str,
    /// JSON.
    pub data: String,
}

/// What it knows already.
#[derive(Debug)]
pub(super) struct Listener {
    session: String,
    live: Arc<Live>,
    /// Of the game; `None` before the first event.
    version: Option<u64>,
    /// The last search whose end it knows.
    ended: u64,
    /// The search that was shown last, how far it was, and when that was.
    seen: (u64, u64, Duration),
}

impl Listener {
    pub(super) fn new(session: &str, live: Arc<Live>) -> Self {
        // Of the searches before, the last one is news.
        let ended = live.ends_after(0).iter().rev().nth(1).map_or(0, |search| search.search);
        let session = session.to_owned();
        Self { session, live, version: None, ended, seen: (0, 0, Duration::ZERO) }
    }

    pub(super) fn session(&self) -> &str {
        &self.session
    }

    /// Tells the news.
    pub(super) fn follow(
        &mut self,
        is_there: bool,
        now: Duration,
        mut tell: impl FnMut(&'static str, String),
    ) {
        if !is_there {
            tell("bye", "null".into());
            return;
        }
        if self.version.is_none() {
            self.show(&mut tell);
        }
        for search in self.live.ends_after(self.ended) {
            self.ended = search.search;
            tell("end", text(&search));
        }
        if self.version != Some(self.live.version()) {
            self.show(&mut tell);
        }
        let (number, progress, when) = self.seen;
        if self.live.thinking().is_none() || (number > 0 && now < when.saturating_add(BETWEEN)) {
            return;
        }
        let Some(search) = self.live.search().filter(|search| search.thinking) else { return };
        let found = (search.search, search.progress());
        if found != (number, progress) {
            self.seen = (found.0, found.1, now);
            tell("search", text(&search));
        }
    }

    fn show(&mut self, tell: &mut impl FnMut(&'static str, String)) {
        let view = View { session: self.session.clone(), ..self.live.view() };
        self.version = Some(view.version);
        tell("view", text(&view));
    }
}

fn text(what: &impl Serialize) -> String {
    serde_json::to_string(what).expect("plain data is JSON")
}
