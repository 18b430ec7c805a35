//! A server on a port of its own, and one who asks it.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use playtree_page::server::{Options, serve};
use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Response;

/// How long a test waits for what must come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a server for the rest of the test program: its address.
pub(crate) fn start(options: Options) -> SocketAddr {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let ready = |address| sender.send(address).expect("the test waits");
        serve(&options, (Ipv4Addr::LOCALHOST, 0).into(), ready).expect("it serves");
    });
    receiver.recv_timeout(PATIENCE).expect("the server starts")
}

/// Few threads and little memory.
pub(crate) fn small() -> Options {
    Options { workers: 2, memory: 256 << 20, ..Options::default() }
}

/// One who asks.
#[derive(Clone)]
pub(crate) struct Client {
    agent: Agent,
    address: SocketAddr,
}

/// A status and what came with it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Answer {
    /// What came with a request that was granted.
    #[track_caller]
    pub(crate) fn granted(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }

    /// The code of a refusal with this status.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.body);
        let error = &self.body["error"];
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
        error["code"].as_str().expect("a refusal has a code").to_owned()
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let config = Agent::config_builder().http_status_as_error(false);
        let config = config.timeout_connect(Some(PATIENCE)).build();
        Self { agent: config.into(), address }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get_raw(&self, path: &str) -> Response<ureq::Body> {
        self.agent.get(self.url(path)).call().expect("the server answers")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        read(self.get_raw(path))
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        read(self.agent.delete(self.url(path)).call().expect("the server answers"))
    }

    /// Asks again where it is asked too often.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        loop {
            let request =
                self.agent.post(self.url(path)).header("content-type", "application/json");
            let answer = read(request.send(body.to_string()).expect("the server answers"));
            if answer.status != 429 || answer.body["error"]["code"] != "full" {
                return answer;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// A new session.
    #[track_caller]
    pub(crate) fn open(&self, new: &Value) -> Session {
        let view = self.post("/api/sessions", new).granted();
        let id = view["session"].as_str().expect("a session has a number").to_owned();
        assert_eq!(id.len(), 32);
        Session { client: self.clone(), path: format!("/api/sessions/{id}"), view }
    }
}

fn read(mut response: Response<ureq::Body>) -> Answer {
    let text = response.body_mut().read_to_string().expect("a text");
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Answer { status: response.status().as_u16(), body }
}

/// A session of the server.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) path: String,
    /// As it was seen last.
    pub(crate) view: Value,
}

impl Session {
    pub(crate) fn ask(&self, what: &str, body: &Value) -> Answer {
        self.client.post(&format!("{}/{what}", self.path), body)
    }

    /// An order that the answer to is the game.
    #[track_caller]
    pub(crate) fn order(&mut self, what: &str, body: &Value) {
        self.view = self.ask(what, body).granted();
    }

    #[track_caller]
    pub(crate) fn play(&mut self, mv: &str) {
        self.order("play", &json!({ "move": mv }));
    }

    /// The legal moves.
    pub(crate) fn moves(&self) -> Vec<String> {
        let moves = self.view["moves"].as_array().expect("a list");
        moves.iter().map(|mv| mv["text"].as_str().expect("a text").to_owned()).collect()
    }

    pub(crate) fn is_over(&self) -> bool {
        !self.view["outcome"].is_null()
    }

    /// Searches to the end: the last event of it.
    pub(crate) fn search(&self, limits: &Value) -> Value {
        self.search_with(&self.events(), limits)
    }

    /// The same, with events that are read already.
    pub(crate) fn search_with(&self, events: &Events, limits: &Value) -> Value {
        let begun = self.ask("think", limits).granted();
        events.end_of(begun["search"].as_u64().expect("a number"))
    }

    pub(crate) fn events(&self) -> Events {
        let response = self.client.get_raw(&format!("{}/events", self.path));
        assert_eq!(response.status().as_u16(), 200);
        let lines = BufReader::new(response.into_body().into_reader());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut name = String::new();
            for line in lines.lines().map_while(Result::ok) {
                if let Some(event) = line.strip_prefix("event: ") {
                    name = event.to_owned();
                } else if let Some(data) = line.strip_prefix("data: ") {
                    let data = serde_json::from_str(data).expect("an event is JSON");
                    if sender.send((name.clone(), data)).is_err() {
                        break;
                    }
                }
            }
        });
        Events(receiver)
    }
}

/// What a session tells of itself.
pub(crate) struct Events(mpsc::Receiver<(String, Value)>);

impl Events {
    #[track_caller]
    pub(crate) fn next(&self) -> (String, Value) {
        self.0.recv_timeout(PATIENCE).expect("one more event")
    }

    /// The next event of this name.
    #[track_caller]
    pub(crate) fn next_of(&self, name: &str) -> Value {
        let began = Instant::now();
        loop {
            let (found, data) = self.next();
            if found == name {
                return data;
            }
            assert!(began.elapsed() < PATIENCE, "no '{name}' among many events");
        }
    }

    /// The end of the search of this number.
    #[track_caller]
    pub(crate) fn end_of(&self, search: u64) -> Value {
        loop {
            let end = self.next_of("end");
            if end["search"] == search {
                return end;
            }
        }
    }
}

/// Numbers that look random and are the same at each run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
