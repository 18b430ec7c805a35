//! Many sessions on few threads: each has its own game, and what is left alone goes.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use playtree::GameState;
use playtree_page::server::Options;
use playtree_session::Game;
use serde_json::{Value, json};

use crate::client::{Client, Numbers, start};

const SESSIONS: usize = 200;
/// Of each session, in bytes.
const MEMORY: usize = 4 << 20;
const CLIENTS: usize = 20;
const IDLE: Duration = Duration::from_secs(15);

/// Small games, each with a position of its own where it has several.
const GAMES: [(&str, Option<&str>); 8] = [
    ("tictactoe", None),
    ("connect4", Some("44")),
    ("connect4", Some("17")),
    ("hex", Some("5: c3")),
    ("othello", Some("-----OX--XO----- X")),
    ("nim", Some("3,4,5")),
    ("breakthrough", Some("ppppp/5/5/5/PPPPP w")),
    ("gomoku", Some("4x4x3: b2")),
];

/// Some moves of a game by the engine and some by chance, with the rules at the side.
fn play_on(client: &Client, number: usize) -> String {
    let (game, position) = GAMES[number % GAMES.len()];
    let settings = json!({ "mcts": { "threads": 1, "seed": number } });
    let mut session =
        client.open(&json!({ "game": game, "position": position, "settings": settings }));
    let (_, mut state) = Game::open(game, position).unwrap();
    let (mut numbers, mut played) = (Numbers(number as u64), Vec::new());
    for _ in 0..4 {
        if session.is_over() {
            break;
        }
        let end = session.search(&json!({ "simulations": 150 }));
        assert_eq!(end["position"], state.position_text(), "the search is of this game");
        assert!(end["memory_bytes"].as_u64() <= Some(MEMORY as u64), "{}", end["memory_bytes"]);
        let found = end["report"]["moves"].as_array().unwrap();
        let found: HashSet<&str> = found.iter().map(|mv| mv["move"].as_str().unwrap()).collect();
        let legal = state.legal_moves();
        assert!(found.iter().all(|mv| legal.iter().any(|other| other == mv)), "{found:?}");
        let mv = if numbers.below(2) == 0 {
            end["report"]["best_move"].as_str().unwrap().to_owned()
        } else {
            legal[numbers.below(legal.len())].clone()
        };
        session.play(&mv);
        state.apply_in_place(&state.parse_move(&mv).unwrap());
        played.push(mv);
        assert_eq!(session.view["position"], state.position_text());
        assert_eq!(session.view["played"], json!(played));
    }
    let view = client.get(&session.path).granted();
    assert_eq!((&view["game"], &view["played"]), (&json!(game), &json!(played)));
    session.path
}

#[test]
fn two_hundred_games_share_two_threads() {
    let options = Options {
        workers: 2,
        sessions: SESSIONS,
        memory: SESSIONS * MEMORY,
        idle: IDLE,
        ..Options::default()
    };
    let client = Client::new(start(options));
    let began = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|first| {
            let client = client.clone();
            let numbers = (first..SESSIONS).step_by(CLIENTS);
            thread::spawn(move || {
                numbers.map(|number| play_on(&client, number)).collect::<Vec<_>>()
            })
        })
        .collect();
    let paths: Vec<String> =
        clients.into_iter().flat_map(|client| client.join().expect("no client fails")).collect();
    println!("{SESSIONS} games in {:.1} s", began.elapsed().as_secs_f64());
    assert_eq!(paths.iter().collect::<HashSet<_>>().len(), SESSIONS);
    // What is left alone is freed, and its place with it. To ask for a session is to use it.
    let is_gone = |path: &String| client.get(path).body["error"]["code"] == "no-session";
    let mut waited = 0;
    while !paths.iter().all(is_gone) {
        assert!(waited < 4, "sessions are left after {waited} times the idle time");
        thread::sleep(IDLE + IDLE / 2);
        waited += 1;
    }
    assert!(waited > 0, "sessions are gone before their time");
    let again: Vec<_> = (0..SESSIONS).map(|_| client.open(&json!({ "game": "nim" }))).collect();
    let full = client_once(&client);
    assert_eq!(full["error"]["code"], "full");
    client.delete(&again[0].path).granted();
    client.open(&json!({ "game": "nim" }));
}

/// A new session, asked for once.
fn client_once(client: &Client) -> Value {
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let request =
        agent.post(client.url("/api/sessions")).header("content-type", "application/json");
    let mut response = request.send(json!({ "game": "nim" }).to_string()).unwrap();
    assert_eq!(response.status().as_u16(), 429);
    serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap()
}

#[test]
fn a_search_that_is_left_alone_is_stopped_and_later_its_session_freed() {
    // Longer than a busy machine takes from one request to the next.
    let idle = Duration::from_secs(2);
    let client = Client::new(start(Options { workers: 1, idle, ..Options::default() }));
    let session = client.open(&json!({ "game": "gomoku" }));
    let events = session.events();
    let begun = session.ask("think", &json!({})).granted()["search"].as_u64().unwrap();
    // One who only looks on keeps the session, but not the search.
    let end = events.end_of(begun);
    assert_eq!(end["report"]["stop_reason"], "stopped");
    events.next_of("bye");
    assert_eq!(client.get(&session.path).refused(404), "no-session");
}

#[test]
fn a_session_that_seems_lost_gives_its_place_and_one_that_is_listened_to_does_not() {
    let idle = Duration::from_secs(60);
    let client =
        Client::new(start(Options { workers: 1, sessions: 2, idle, ..Options::default() }));
    let [listened, lost] = [(); 2].map(|()| client.open(&json!({ "game": "nim" })));
    let events = listened.events();
    events.next_of("view");
    // The other one was used after it.
    client.get(&lost.path).granted();
    // At once none seems lost.
    assert_eq!(client_once(&client)["error"]["code"], "full");
    thread::sleep(Duration::from_millis(1_500));
    client.open(&json!({ "game": "nim" }));
    assert_eq!(client.get(&lost.path).refused(404), "no-session");
    client.get(&listened.path).granted();
}

#[test]
fn a_search_that_waits_for_its_turn_says_so_and_gets_it() {
    let client = Client::new(start(Options { workers: 1, ..Options::default() }));
    let sessions: Vec<_> = (0..12).map(|_| client.open(&json!({ "game": "othello" }))).collect();
    let events = sessions[0].events();
    for session in &sessions {
        session.ask("think", &json!({})).granted();
    }
    // Some minute's worth of events.
    let mut searches = (0..600).map(|_| events.next_of("search"));
    assert!(searches.any(|search| search["waiting"] == true));
    let found = |search: &Value| search["report"]["simulations"].as_u64().unwrap_or(0);
    let before = searches.next().map_or(0, |search| found(&search));
    assert!(searches.any(|search| found(&search) > before));
    // One that waits is stopped as soon as another.
    let began = Instant::now();
    sessions.iter().for_each(|session| drop(session.ask("stop", &json!({})).granted()));
    println!("12 searches stopped in {:.2} s", began.elapsed().as_secs_f64());
}
