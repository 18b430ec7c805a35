//! `lz-analyze`, `kata-analyze` and their variants of `genmove`. That `@sabaki/gtp` reads them is
//! shown by `ci/clients.sh`.

use super::{Client, after};

/// A session of Gomoku with two moves.
fn session() -> Client {
    let mut client = Client::start(&["gtp", "gomoku", "mcts:simulations=20000"]);
    client.say("play b h8\nplay w i9");
    assert_eq!([(); 4].map(|()| client.line()), ["= ", "", "= ", ""]);
    client
}

/// The words of a line that begin each entry, and what each of some keys has in the first.
fn entries(line: &str) -> Vec<&str> {
    line.split("info ").filter(|entry| !entry.is_empty()).collect()
}

#[test]
fn an_analysis_goes_on_until_the_next_command() {
    let mut client = session();
    client.say("7 lz-analyze b 5");
    assert_eq!(client.line(), "=7");
    let lines: Vec<String> = (0..5).map(|_| client.line()).collect();
    client.say("8 name");
    // The empty line that ends the one answer comes before the other one.
    let rest = client.until("=8");
    assert_eq!(rest[rest.len() - 2..], ["", "=8 playtree"]);
    let mut before = 0;
    for line in &lines {
        assert!(line.starts_with("info move "), "{line}");
        let first = entries(line)[0];
        let number = |key: &str| after(first, key).and_then(|word| word.parse::<u64>().ok());
        let visits = number("visits").expect("visits");
        assert!(visits >= before, "{lines:?}");
        before = visits;
        assert!(number("winrate").is_some_and(|rate| rate <= 10_000), "{first}");
        assert!(number("prior").is_some() && number("lcb").is_some(), "{first}");
        assert_eq!(number("order"), Some(0));
        assert_eq!(after(first, "pv"), after(first, "move"));
    }
    assert!(before > 0);
    assert_eq!(client.line(), "");
    assert_eq!(client.end("quit"), ["= ", ""]);
}

#[test]
fn win_rates_of_kata_analyze_are_parts_and_moves_can_be_left_out() {
    let mut client = session();
    client.say(
        "kata-analyze b interval 5 maxmoves 2 allow b a1,a2,a3,a4 1 avoid b a2 1 rootInfo true",
    );
    assert_eq!(client.line(), "=");
    let line = client.line();
    client.say("9 undo");
    client.until("=9");
    let found = entries(&line);
    assert_eq!(found.len(), 2, "{line}");
    for entry in found {
        assert!(["a1", "a3", "a4"].contains(&after(entry, "move").expect("a move")), "{entry}");
        let rate = after(entry, "winrate").expect("a win rate");
        assert!(rate.contains('.') && rate.parse::<f64>().is_ok_and(|rate| rate <= 1.0), "{entry}");
        assert!(after(entry, "scoreLead").is_some() && after(entry, "utility").is_some());
    }
    client.end("quit");
}

#[test]
fn a_move_can_be_watched_while_it_is_thought_about() {
    for name in ["genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"] {
        let mut client = session();
        client.say(&format!("3 {name} b 1"));
        let said = client.until("play ");
        assert_eq!(said[0], "=3");
        let last = &said[said.len() - 2];
        let mv = after(&said[said.len() - 1], "play").expect("a move").to_owned();
        assert_eq!(after(last, "move"), Some(mv.as_str()), "{name}");
        assert_eq!(client.line(), "");
        // It was played.
        client.say(&format!("play w {mv}"));
        assert!(client.line().starts_with("? illegal move"));
        client.end("quit");
    }
}

#[test]
fn a_client_without_the_letter_i_has_its_own_columns() {
    let mut client = Client::start(&["gtp", "gomoku", "--without-i", "mcts:simulations=500"]);
    // Four of a row from the eighth column on, so that the fifth is in the last of its letters.
    for mv in ["b H8", "w a1", "b J8", "w a2", "b K8", "w a3", "b L8", "w a15"] {
        client.say(&format!("play {mv}"));
        assert_eq!([client.line(), client.line()], ["= ", ""]);
    }
    client.say("lz-analyze b 5 allow b G8,M8 1");
    assert_eq!(client.line(), "=");
    let line = client.line();
    client.say("play b I9");
    let refused = client.until("?");
    assert!(refused[refused.len() - 1].contains("'I9', a column without a letter"), "{refused:?}");
    client.say("genmove b");
    let said = client.until("= ");
    assert!(line.contains("move m8 ") || line.contains("move g8 "), "{line}");
    assert!(["= m8", "= g8"].contains(&said[said.len() - 1].as_str()), "{said:?}");
    client.end("quit");
}

#[test]
fn what_cannot_be_analyzed_is_refused() {
    let mut client = session();
    for (line, expected) in [
        ("lz-analyze w 5", "? expected black to move, found white"),
        ("lz-analyze b soon", "? syntax error: expected an interval"),
        ("lz-analyze 5 6", "? syntax error"),
        ("kata-analyze b avoid b", "? syntax error: expected a value after avoid"),
        ("kata-genmove_analyze red", "? syntax error: expected black or white, found 'red'"),
        ("genmove_analyze", "? syntax error: expected genmove_analyze COLOUR"),
    ] {
        client.say(line);
        let said = client.line();
        assert!(said.starts_with(expected), "{line}: {said}");
        assert_eq!(client.line(), "");
    }
    client.end("quit");
    let mut client = Client::start(&["gtp", "gomoku", "random"]);
    assert!(client.ask("lz-analyze b 5", "?").contains("expected mcts or alphabeta"));
    client.end("quit");
}
