//! UCCI, with clocks and pondering.

use std::time::{Duration, Instant};

use super::{Client, after};

fn session() -> Client {
    let mut client = Client::start(&["uci", "xiangqi", "mcts"]);
    client.say("ucci");
    let said = client.until("ucciok");
    assert!(said[0].starts_with("id name playtree"), "{said:?}");
    for option in ["usemillisec type check", "hashsize type spin", "ponder type check"] {
        let declared = format!("option {option}");
        assert!(said.iter().any(|line| line.starts_with(&declared)), "{option}: {said:?}");
    }
    assert_eq!(client.ask("isready", "readyok"), "readyok");
    client
}

#[test]
fn a_session_with_clocks_and_pondering() {
    let mut client = session();
    client.say("position startpos");
    let begin = Instant::now();
    client.say("go time 4000 increment 100 opptime 4000 oppincrement 100");
    let said = client.until("bestmove ");
    assert!(begin.elapsed() < Duration::from_secs(60));
    let info = said.iter().rfind(|line| line.starts_with("info depth")).expect("an info line");
    let answer = said.last().expect("an answer");
    let best = after(answer, "bestmove").expect("a move").to_owned();
    assert_eq!(after(info, "pv"), Some(best.as_str()));
    // A plain number, without the word of UCI.
    assert!(after(info, "score").expect("a score").parse::<i32>().is_ok(), "{info}");
    assert!(best.as_bytes()[1].is_ascii_digit() && best.len() == 4, "{best}");

    // The reply that it expects, or any.
    let reply = after(answer, "ponder").unwrap_or("b9c7").to_owned();
    let game = format!("position startpos moves {best} {reply}");
    client.say(&game);
    client.say("go ponder time 3000 increment 0 opptime 3000 oppincrement 0");
    let said = client.during(Duration::from_millis(1500));
    assert!(said.iter().any(|line| line.starts_with("info depth")), "{said:?}");
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:?}");
    let next = client.ask("ponderhit", "bestmove ");
    assert!(after(&next, "bestmove").is_some_and(|mv| mv.len() == 4), "{next}");

    // It was not played: the answer to stop is a move all the same.
    client.say(&game);
    client.say("go ponder time 600000 movestogo 1 opptime 600000 oppmovestogo 1");
    assert_eq!(client.ask("stop", "bestmove ").split(' ').next(), Some("bestmove"));
    assert!(client.ask(&format!("probe startpos moves {best} {reply}"), "pophash").len() > 8);
    assert_eq!(client.ask("probe startpos moves a0a1", "pophash"), "pophash");
    assert_eq!(client.end("quit"), ["bye"]);
}

/// Red mates by b0b9 and nothing else.
const MATE: &str = "position fen 4k4/R8/9/9/9/p8/9/9/9/1R1K5 w - - 0 1";

#[test]
fn moves_that_are_banned_are_not_played() {
    let mut client = session();
    // A ban holds in its position alone.
    for (banned, mates) in [("banmoves", true), ("banmoves b0b9", false), ("", true)] {
        client.say(MATE);
        client.say(banned);
        let answer = client.ask("go nodes 300", "bestmove");
        assert_eq!(after(&answer, "bestmove") == Some("b0b9"), mates, "{banned}: {answer}");
    }
    client.end("quit");
}

#[test]
fn where_there_is_no_move_none_is_given() {
    let mut client = session();
    client.say("position fen 1R2k4/R8/9/9/9/9/9/9/9/3K5 b");
    assert_eq!(client.ask("go depth 3", "nobestmove"), "nobestmove");
    // Wrong input has the protocol's own answer, and the session goes on.
    let error = client.ask("position fen nonsense w", "info string");
    assert!(error.contains("expected ten ranks"), "{error}");
    assert_eq!(client.ask("go depth 3", "nobestmove"), "nobestmove");
    let error = client.ask("position startpos moves h2e2 a0a5", "info string");
    assert!(error.contains("move 2: expected a legal move"), "{error}");
    assert!(client.ask("setoption hashsize none", "info string").contains("'none'"));
    assert!(client.ask("fly", "info string").contains("unknown command 'fly'"));
    assert_eq!(client.ask("isready", "readyok"), "readyok");
    client.end("quit");
}
