//! Requests that are wrong, too long, or meant to do harm.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use playtree_page::server::Options;
use serde_json::{Value, json};

use crate::client::{Client, Numbers, PATIENCE, Session, small, start};

const REQUESTS: usize = 10_000;
const SESSIONS: usize = 64;

/// Writes bytes as they are, and reads the answer to its end: its status and its body. 0 if the
/// server has hung up without an answer.
fn exchange(address: SocketAddr, request: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("the server accepts");
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // It may have answered and hung up before it has read all.
    let _ = stream.write_all(request);
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut part) {
        bytes.extend_from_slice(&part[..count]);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned();
    (status, body)
}

/// A request with these headers and this body.
fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

const LOCAL: (&str, &str) = ("host", "127.0.0.1");
const JSON: (&str, &str) = ("content-type", "application/json");

/// A value that fits nowhere.
fn junk(numbers: &mut Numbers) -> Value {
    match numbers.below(12) {
        0 => json!(-1),
        1 => json!(1e308),
        2 => json!(u64::MAX),
        3 => json!({ "": [] }),
        4 => json!([[[[[[]]]]]]),
        5 => json!("\u{0}\u{202e}%s%n../../etc/passwd"),
        6 => json!("9".repeat(1 + numbers.below(20_000))),
        7 => json!("<script>alert(1)</script>"),
        8 => json!(vec!["a1"; 1 + numbers.below(4_000)]),
        9 => json!(true),
        10 => json!("🙂"),
        _ => json!(-0.5 - numbers.below(100) as f64),
    }
}

/// A body that some route takes, with something in it that it must not take.
fn body(numbers: &mut Numbers) -> (&'static str, Vec<u8>) {
    let shapes = [
        ("play", json!({ "move": "d3" }), "move"),
        ("undo", json!({ "plies": 1 }), "plies"),
        ("redo", json!({ "plies": 1 }), "plies"),
        ("position", json!({ "position": "x" }), "moves"),
        ("think", json!({ "seconds": 1 }), "seconds"),
        ("think", json!({ "simulations": 1 }), "simulations"),
        ("think", json!({ "only": ["d3"] }), "only"),
        ("engine", json!({ "settings": { "mcts": {} } }), "settings"),
        ("node", json!({ "line": [] }), "line"),
        ("stop", json!({ "now": 1 }), "now"),
    ];
    let (route, mut body, field) = shapes[numbers.below(shapes.len())].clone();
    match numbers.below(6) {
        // Not JSON at all, or only the beginning of it.
        0 => (route, (0..1 + numbers.below(300)).map(|_| 128 | numbers.below(256) as u8).collect()),
        1 => {
            let text = body.to_string();
            (route, text[..1 + numbers.below(text.len() - 1)].into())
        }
        2 => (route, "[".repeat(1 + numbers.below(40_000)).into()),
        3 => {
            body["other"] = junk(numbers);
            (route, body.to_string().into())
        }
        4 => (route, vec![b' '; 65_537 + numbers.below(100_000)]),
        _ => {
            // Every one of them is wrong for every field.
            body[field] = junk(numbers);
            (route, body.to_string().into())
        }
    }
}

/// A request that must be refused.
fn attack(numbers: &mut Numbers, session: &str) -> Vec<u8> {
    let path = format!("{session}/play");
    let good = br#"{"move":"d3"}"#;
    match numbers.below(10) {
        0 => {
            let methods = ["PUT", "PATCH", "OPTIONS", "TRACE", "BREW", "HEAD", "CONNECT"];
            request(methods[numbers.below(methods.len())], &path, &[LOCAL, JSON], good)
        }
        1 => {
            let hosts =
                ["evil.example", "localhost.evil.example:80", "", "127.0.0.1@evil", "[::1", "::"];
            request("POST", &path, &[("host", hosts[numbers.below(hosts.len())]), JSON], good)
        }
        2 => {
            let origins =
                ["http://evil.example", "null", "http://127.0.0.1.evil.example", "file://", "x"];
            let origin = ("origin", origins[numbers.below(origins.len())]);
            request("POST", &path, &[LOCAL, JSON, origin], good)
        }
        3 => {
            let sites = ["cross-site", "same-site", "nonsense"];
            let site = ("sec-fetch-site", sites[numbers.below(sites.len())]);
            request("POST", &path, &[LOCAL, JSON, site], good)
        }
        4 => {
            let types =
                ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"];
            let kind = ("content-type", types[numbers.below(types.len())]);
            request("POST", &path, &[LOCAL, kind], good)
        }
        5 => {
            let paths = [
                "/web/../Cargo.toml",
                "/web/..%2f..%2f..%2fetc/passwd",
                "/web/%00",
                "/api/sessions/../../etc/passwd",
                "/api/sessions/%2e%2e/play",
                "/api",
                "/api/sessions/0/events",
                "/api/sessions/00000000000000000000000000000000",
                "/api/games/1",
                "//evil.example/",
                "/web/",
                "/web//etc/passwd",
            ];
            request("GET", paths[numbers.below(paths.len())], &[LOCAL], b"")
        }
        6 => {
            let queries = [
                "format=exe",
                "depth=x",
                "depth=99",
                "at_most=0",
                "at_most=-1",
                "x=1",
                "depth=1&depth=2",
            ];
            let query = queries[numbers.below(queries.len())];
            request("GET", &format!("{session}/export?{query}"), &[LOCAL], b"")
        }
        7 => {
            // No HTTP, too much of it, or a body that does not come.
            match numbers.below(5) {
                0 => {
                    let noise = (0..1 + numbers.below(500)).map(|_| numbers.below(256) as u8);
                    noise.chain(*b"\r\n\r\n").collect()
                }
                1 => {
                    let long = "x".repeat(500_000);
                    request("GET", "/", &[LOCAL, ("x", &long)], b"")
                }
                2 => request("GET", &format!("/{}", "a/".repeat(40_000)), &[LOCAL], b""),
                3 => b"POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: -5\r\n\r\n".to_vec(),
                _ => {
                    let head =
                        format!("POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n");
                    let both = "content-type: application/json\r\ncontent-length: 5\r\n\
                                transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n";
                    (head + both).into_bytes()
                }
            }
        }
        _ => {
            let (route, body) = body(numbers);
            request("POST", &format!("{session}/{route}"), &[LOCAL, JSON], &body)
        }
    }
}

#[test]
fn ten_thousand_hostile_requests_get_refusals_and_nothing_else_happens() {
    let options = Options { sessions: SESSIONS, memory: SESSIONS * (4 << 20), ..small() };
    let address = start(options);
    let client = Client::new(address);
    let sessions: Vec<Session> =
        (0..SESSIONS).map(|_| client.open(&json!({ "game": "othello" }))).collect();
    let (mut numbers, mut refused, mut unanswered) = (Numbers(42), 0, 0);
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    for at in 0..REQUESTS {
        let request = attack(&mut numbers, &sessions[at % SESSIONS].path);
        let (status, body) = exchange(address, &request);
        let shown = || String::from_utf8_lossy(&request[..request.len().min(400)]).into_owned();
        match status {
            // What is no HTTP has no answer.
            0 => unanswered += 1,
            400..=499 => refused += 1,
            _ => panic!("expected a refusal, found {status} {body} for {}", shown()),
        }
        if let Ok(answer) = serde_json::from_str::<Value>(&body) {
            let code = &answer["error"]["code"];
            let code = code.as_str().unwrap_or_else(|| panic!("{answer} for {}", shown()));
            *codes.entry(format!("{status} {code}")).or_default() += 1;
        }
    }
    println!("{refused} refused, {unanswered} without an answer: {codes:?}");
    // What it is refused for is what is wrong with it, and that is no accident.
    assert!(codes.keys().all(|code| !code.starts_with("429")), "{codes:?}");
    assert!(codes.len() > 10, "{codes:?}");
    assert!(unanswered < REQUESTS / 20, "{unanswered} without an answer");
    for session in &sessions {
        assert_eq!(client.get(&session.path).granted(), session.view);
    }
    let end = sessions[0].search(&json!({ "simulations": 100 }));
    assert_eq!(end["report"]["simulations"], 100);
}

#[test]
fn a_page_of_another_site_cannot_ask() {
    let address = start(Options { hosts: vec!["Play.Example".to_owned()], ..small() });
    let new = br#"{"game":"nim"}"#;
    let ask = |headers: &[(&str, &str)]| {
        let headers: Vec<_> = headers.iter().copied().chain([JSON]).collect();
        exchange(address, &request("POST", "/api/sessions", &headers, new)).0
    };
    // By the address, by a name of the machine, by the name of the proxy.
    assert_eq!(ask(&[LOCAL]), 200);
    assert_eq!(ask(&[("host", "localhost:8080"), ("origin", "http://localhost:8080")]), 200);
    assert_eq!(ask(&[("host", "play.example"), ("origin", "https://play.example")]), 200);
    assert_eq!(ask(&[LOCAL, ("sec-fetch-site", "same-origin")]), 200);
    // A name that was made to lead here, another origin, another port of this machine.
    assert_eq!(ask(&[("host", "evil.example")]), 403);
    assert_eq!(ask(&[LOCAL, ("origin", "http://evil.example")]), 403);
    assert_eq!(ask(&[("host", "localhost:8080"), ("origin", "http://localhost:3000")]), 403);
    assert_eq!(ask(&[LOCAL, ("sec-fetch-site", "cross-site")]), 403);
    assert_eq!(ask(&[LOCAL, ("host", "evil.example")]), 400);
    assert_eq!(ask(&[]), 403);
    // A link to the page is no harm.
    let link = [LOCAL, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    assert_eq!(exchange(address, &request("GET", "/", &link, b"")).0, 200);
}

#[test]
fn one_who_asks_too_often_waits() {
    let address = start(small());
    let client = Client::new(address);
    let session = client.open(&json!({ "game": "nim" }));
    let other = client.open(&json!({ "game": "nim" }));
    let view = request("GET", &session.path, &[LOCAL], b"");
    let refused = (0..1_000).map(|_| exchange(address, &view)).find(|(status, _)| *status != 200);
    let (status, body) = refused.expect("a thousand at once are too many");
    assert_eq!(status, 429);
    assert!(body.contains("\"code\":\"full\""), "{body}");
    // The others do not.
    client.get(&other.path).granted();
    std::thread::sleep(Duration::from_millis(500));
    client.get(&session.path).granted();
}
