//! Sessions in one thread: requests and answers as the server has them, without a server.

mod listener;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use listener::Event;

use crate::desk::Desk;
use crate::games;
use crate::messages::{
    About, Closed, ExportQuery, Kind, MoveText, NewEngine, NewPosition, NewSession, NodeQuery,
    Nothing, Plies, Refusal, View,
};
use crate::networks::Networks;
use crate::share::{LONGEST_SEARCH, Share};
use listener::Listener;

/// What was asked for, or why it was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// As in HTTP: 200, or from 400 to 499.
    pub status: u16,
    /// JSON, or the text of a file.
    pub body: String,
}

/// Sessions that search in the thread of the caller, each a slice at a time.
///
/// # Examples
/// ```
/// use std::time::{Duration, Instant};
///
/// use playtree_page::local::Local;
///
/// let mut local = Local::new(16 << 20, 2);
/// let opened = local.ask("POST", "sessions", r#"{"game": "tictactoe"}"#);
/// assert_eq!(opened.status, 200);
/// let listener = local.listen("1").expect("it is there");
/// local.ask("POST", "sessions/1/think", r#"{"simulations": 500}"#);
/// let clock = Instant::now();
/// while local.step(Duration::from_millis(10), clock.elapsed()) {}
/// let events = local.events(clock.elapsed());
/// assert!(events.iter().any(|event| event.listener == listener && event.name == "end"));
/// ```
#[derive(Debug)]
pub struct Local {
    share: Share,
    most: usize,
    /// By their numbers.
    sessions: BTreeMap<String, Desk>,
    opened: u64,
    listeners: BTreeMap<u64, Listener>,
    listened: u64,
}

impl Local {
    /// No session yet; at most `most` of them, each with `memory` bytes.
    #[must_use]
    pub fn new(memory: usize, most: usize) -> Self {
        Self {
            share: Share {
                threads: 1,
                memory,
                pool: None,
                in_steps: true,
                networks: Networks::default(),
            },
            most,
            sessions: BTreeMap::new(),
            opened: 0,
            listeners: BTreeMap::new(),
            listened: 0,
        }
    }

    /// Answers a request, as the server does: `path` is what follows `/api/`. An export has its
    /// query as JSON in the body.
    pub fn ask(&mut self, method: &str, path: &str, body: &str) -> Answer {
        let answer = match (method, path.split('/').collect::<Vec<_>>().as_slice()) {
            ("GET", ["about"]) => json(&self.about()),
            ("GET", ["games"]) => json(&games::all()),
            ("POST", ["sessions"]) => read(body).and_then(|new| json(&self.open(&new)?)),
            ("DELETE", ["sessions", id]) => self.close(id).and_then(|closed| json(&closed)),
            (_, ["sessions", id, rest @ ..]) => self.ask_session(id, method, rest, body),
            _ => Err(no_route()),
        };
        match answer {
            Ok(body) => Answer { status: 200, body },
            Err(error) => Answer { status: error.kind.status(), body: Envelope::of(&error) },
        }
    }

    fn about(&self) -> About {
        About {
            version: env!("CARGO_PKG_VERSION").into(),
            workers: self.share.threads,
            memory_bytes: self.share.memory,
            sessions: self.most,
            idle_seconds: LONGEST_SEARCH.as_secs(),
            longest_search_seconds: LONGEST_SEARCH.as_secs(),
        }
    }

    fn open(&mut self, new: &NewSession) -> Result<View, Refusal> {
        if self.sessions.len() >= self.most {
            let message = format!("expected at most {} sessions, found one more", self.most);
            return Err(Refusal::new(Kind::Full, "full", message));
        }
        let desk = Desk::new(new, self.share.clone())?;
        self.opened += 1;
        let id = self.opened.to_string();
        let view = View { session: id.clone(), ..desk.view() };
        self.sessions.insert(id, desk);
        Ok(view)
    }

    fn close(&mut self, id: &str) -> Result<Closed, Refusal> {
        self.sessions.remove(id).map(|_| Closed {}).ok_or_else(missing)
    }

    fn ask_session(
        &mut self,
        id: &str,
        method: &str,
        rest: &[&str],
        body: &str,
    ) -> Result<String, Refusal> {
        let desk = self.sessions.get_mut(id).ok_or_else(missing)?;
        let view = |view: View| json(&View { session: id.to_owned(), ..view });
        match (method, rest) {
            ("GET", []) => view(desk.view()),
            ("POST", ["play"]) => view(desk.play(&read::<MoveText>(body)?.mv)?),
            ("POST", ["undo"]) => view(desk.undo(read::<Plies>(body)?.plies)?),
            ("POST", ["redo"]) => view(desk.redo(read::<Plies>(body)?.plies)?),
            ("POST", ["position"]) => view(desk.set_position(&read::<NewPosition>(body)?)?),
            ("POST", ["engine"]) => view(desk.set_engine(&read::<NewEngine>(body)?)?),
            ("POST", ["think"]) => json(&desk.think(&read(body)?)?),
            ("POST", ["stop"]) => {
                let Nothing {} = read(body)?;
                json(&desk.stop()?)
            }
            ("POST", ["node"]) => json(&desk.node(&read::<NodeQuery>(body)?)?),
            ("GET", ["export"]) => desk.export(read::<ExportQuery>(body)?),
            _ => Err(no_route()),
        }
    }

    /// One who is to have the [events](Self::events) of a session from now on: its number. `None`
    /// if there is no such session.
    pub fn listen(&mut self, session: &str) -> Option<u64> {
        let desk = self.sessions.get(session)?;
        self.listened += 1;
        self.listeners.insert(self.listened, Listener::new(session, desk.live()));
        Some(self.listened)
    }

    /// One who has left.
    pub fn leave(&mut self, listener: u64) {
        self.listeners.remove(&listener);
    }

    /// Gives every search a slice of about this time: whether there is more to do. `now` is a
    /// moment by any clock.
    pub fn step(&mut self, slice: Duration, now: Duration) -> bool {
        // Each has its turn.
        let searching =
            self.sessions.values_mut().filter_map(|desk| desk.step(slice, now).then_some(()));
        searching.count() > 0
    }

    /// What has happened since the last call, for each who listens.
    pub fn events(&mut self, now: Duration) -> Vec<Event> {
        let mut events = Vec::new();
        self.listeners.retain(|&number, listener| {
            let is_there = self.sessions.contains_key(listener.session());
            listener.follow(is_there, now, |name, data| {
                events.push(Event { listener: number, name, data });
            });
            is_there
        });
        events
    }
}

fn json(value: &impl Serialize) -> Result<String, Refusal> {
    Ok(serde_json::to_string(value).expect("plain data is JSON"))
}

fn read<T: DeserializeOwned>(body: &str) -> Result<T, Refusal> {
    let text = if body.is_empty() { "{}" } else { body };
    serde_json::from_str(text).map_err(|error| Refusal::wrong("body", error))
}

#[derive(Serialize)]
struct Envelope<'a> {
    error: &'a Refusal,
}

impl Envelope<'_> {
    fn of(error: &Refusal) -> String {
        serde_json::to_string(&Envelope { error }).expect("plain data is JSON")
    }
}

fn missing() -> Refusal {
    Refusal::new(Kind::Missing, "no-session", "expected the number of a session, found none of it")
}

fn no_route() -> Refusal {
    Refusal::new(Kind::Missing, "no-route", "expected a request of the list, found another one")
}
