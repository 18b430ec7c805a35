//! UCI.

use std::time::Duration;

use super::{Client, after};

fn session(game: &str, player: &str) -> Client {
    let mut client = Client::start(&["uci", game, player]);
    client.say("uci");
    client.until("uciok");
    assert_eq!(client.ask("isready", "readyok"), "readyok");
    client
}

/// The move that is answered.
fn best(answer: &str) -> &str {
    after(answer, "bestmove").expect("a move")
}

#[test]
fn every_limit_ends_a_search() {
    for player in ["mcts", "alphabeta"] {
        // A limit that is not understood would have it think for an hour.
        let mut client = Client::start(&["uci", "xiangqi", player, "--time", "1h"]);
        for go in [
            "go movetime 200",
            "go wtime 1000 btime 1000 winc 10 binc 10",
            "go wtime 500 btime 500 movestogo 3",
            "go depth 2",
            "go nodes 500",
            "go mate 1",
        ] {
            client.say("position startpos moves h3e3");
            let answer = client.ask(go, "bestmove ");
            // Ranks from 1: Black's pieces stand on 7 and above.
            let rank = best(&answer)[1..].trim_end_matches(|c: char| !c.is_ascii_digit());
            let rank: String = rank.chars().take_while(char::is_ascii_digit).collect();
            assert!(rank.parse::<u32>().expect("a rank") >= 7, "{player}: {go}: {answer}");
        }
        client.end("quit");
    }
}

#[test]
fn an_infinite_search_is_answered_by_stop_alone() {
    let mut client = session("xiangqi", "mcts");
    // Proven at once, and still not answered.
    client.say("position fen 4k4/R8/9/9/9/p8/9/9/9/1R1K5 w - - 0 1");
    client.say("go infinite");
    let said = client.during(Duration::from_millis(1500));
    assert!(said.iter().any(|line| line.contains("score mate 1")), "{said:?}");
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:?}");
    assert_eq!(best(&client.ask("stop", "bestmove ")), "b1b10");
    // Nothing is left to be stopped.
    client.say("stop");
    assert_eq!(client.ask("isready", ""), "readyok");
    client.end("quit");
}

#[test]
fn moves_are_limited_and_options_are_set() {
    let mut client = session("xiangqi", "mcts");
    for line in [
        "setoption name Hash value 32",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "setoption name Ponder value true",
        "setoption name Move Overhead value 10",
        "setoption name UCI_Variant value xiangqi",
        "setoption name Searcher value mcts:exploration=0.6",
        "setoption name Clear Hash",
    ] {
        client.say(line);
    }
    // None was refused.
    assert_eq!(client.ask("isready", ""), "readyok");
    client.say("position startpos");
    client.say("go nodes 3000 searchmoves h3e3 b3e3");
    let said = client.until("bestmove ");
    assert!(["h3e3", "b3e3"].contains(&best(said.last().expect("an answer"))), "{said:?}");
    let lines: Vec<&str> = said.iter().filter_map(|line| after(line, "multipv")).collect();
    assert_eq!(lines[lines.len() - 2..], ["1", "2"], "{said:?}");
    for word in ["depth", "nodes", "nps", "time", "hashfull", "pv"] {
        assert!(after(&said[said.len() - 2], word).is_some(), "{word}: {said:?}");
    }
    client.say("setoption name FirstRank value 0");
    client.say("position startpos moves h2e2");
    let answer = client.ask("go nodes 300", "bestmove ");
    assert!(best(&answer).len() == 4, "{answer}");
    for (line, expected) in [
        ("setoption name Hash value 0", "expected a number from 1"),
        ("setoption name Threads value x", "found 'x'"),
        ("setoption name Searcher value random", "expected mcts or alphabeta"),
        ("setoption name Nothing value 1", "found 'Nothing'"),
        ("setoption name UCI_Variant value chess", "expected the variant xiangqi"),
        ("position 7", "expected 'startpos' or 'fen', found '7'"),
        ("go nodes 9 depth", "expected a number after depth"),
        ("castle", "unknown command 'castle'"),
    ] {
        client.say("position startpos");
        let said = client.ask(line, "info string");
        assert!(said.contains(expected), "{line}: {said}");
    }
    client.end("quit");
}

#[test]
fn positions_of_other_programs_are_played_on() {
    let mut client = session("xiangqi", "mcts");
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    for position in [
        // Without a side.
        format!("position fen {start}"),
        format!("position fen {start} moves h3e3 h10g8"),
        // In the notation of the World Xiangqi Federation.
        format!("position fen {start} w moves C2=5 H8+7"),
        // Beyond the count of our rules, at first and by the moves.
        format!("position fen {start} w - - 240 300"),
        format!("position fen {start} w - - 119 300 moves h3e3 h10g8"),
        // A position that has come for the third time, where the client plays on.
        format!("position fen {start} w moves {}", "h1g3 h10g8 g3h1 g8h10 ".repeat(3).trim_end()),
    ] {
        client.say(&position);
        let answer = client.ask("go nodes 200", "bestmove ");
        // It is Red's turn in all of them, whose pieces stand on 1 to 4.
        let rank = best(&answer)[1..].chars().take_while(char::is_ascii_digit).collect::<String>();
        assert!(rank.parse::<u32>().is_ok_and(|rank| rank <= 4), "{position}: {answer}");
    }
    assert_eq!(client.end("quit"), Vec::<String>::new());
}

#[test]
fn other_games_are_played_as_they_are_written() {
    for (game, position, expected) in [
        ("connect4", "position startpos moves 1 2 1 2 1 2", "1"),
        ("tictactoe", "position startpos moves 1 4 2 5", "3"),
        ("breakthrough", "position startpos moves a2a3", ""),
        ("othello", "position startpos moves f5", ""),
        // A size of another type.
        ("hex", "position fen 13: moves a1 b2", ""),
    ] {
        let mut client = session(game, "mcts");
        client.say(position);
        let answer = client.ask("go nodes 500", "bestmove ");
        assert!(best(&answer).contains(expected), "{game}: {answer}");
        client.end("quit");
    }
}

#[test]
fn the_last_search_is_answered_when_the_input_ends() {
    let input = "position startpos\ngo nodes 300\n";
    let run = crate::run_with_input(&["uci", "xiangqi"], input);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
    let run = crate::run_with_input(&["uci", "xiangqi"], "position startpos\ngo infinite\n");
    assert!(run.stdout.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
    let run = crate::run_with_input(&["uci", "xiangqi", "random"], "uci\n");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("SPEC: expected mcts or alphabeta"), "{}", run.stderr);
}
