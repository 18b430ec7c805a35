//! The protocol of Piskvork and Gomocup.

use std::time::{Duration, Instant};

use super::Client;

fn session() -> Client {
    let mut client = Client::start(&["piskvork", "mcts:simulations=2000"]);
    client.say("INFO timeout_turn 60000");
    client
}

/// Two numbers.
fn field(line: &str) -> (usize, usize) {
    let (column, row) = line.split_once(',').expect("a field");
    (column.parse().expect("a column"), row.parse().expect("a row"))
}

/// The answer that is a field: what is said for people is left out.
fn ask(client: &mut Client, text: &str) -> (usize, usize) {
    client.say(text);
    loop {
        let line = client.line();
        if !line.starts_with("DEBUG") && !line.starts_with("MESSAGE") {
            return field(&line);
        }
    }
}

#[test]
fn a_match_is_won() {
    let board = "BOARD\n11,0,1\n11,5,2\n12,0,1\n3,9,2\n13,0,1\n4,12,2\n14,0,1\n7,13,2";
    win(15, board, (10, 0));
}

#[test]
#[cfg(feature = "sizes")]
fn sizes_a_match_on_twenty_columns_is_won() {
    let board = "BOARD\n16,0,1\n16,5,2\n17,0,1\n3,9,2\n18,0,1\n4,12,2\n19,0,1\n7,17,2";
    win(20, board, (15, 0));
}

#[test]
#[cfg(not(feature = "sizes"))]
fn a_size_that_is_not_built_is_an_error_that_says_how_to_have_it() {
    let mut client = session();
    let refused = client.ask("START 20", "");
    assert_eq!(
        refused,
        "ERROR unsupported board: expected a size that this build has (for others: --features \
         sizes), found '20:'"
    );
    assert_eq!(client.ask("START 15", ""), "OK");
    client.end("END");
}

/// On this board four in a row stand at the last columns of the first row, which is open on one
/// side: at `end`.
fn win(columns: usize, board: &str, end: (usize, usize)) {
    let mut client = session();
    let about = client.ask("ABOUT", "name=");
    assert!(about.starts_with("name=\"playtree\", version=\""), "{about}");
    assert_eq!(client.ask(&format!("START {columns}"), ""), "OK");
    client.say("INFO time_left 2147483647\r\nINFO game_type 1\r\nINFO rule 0\r");
    client.say(board);
    assert_eq!(ask(&mut client, "DONE"), end);
    // The game is over.
    let over = client.ask("TURN 0,0", "ERROR");
    assert!(over.contains("0,0"), "{over}");
    assert_eq!(client.ask("RESTART", ""), "OK");
    let (column, row) = ask(&mut client, "BEGIN");
    assert!(column < columns && row < columns);
    let other = if (column, row) == (0, 0) { "1,1" } else { "0,0" };
    let reply = ask(&mut client, &format!("TURN {other}"));
    assert!(reply != (column, row) && reply != field(other), "{reply:?}");
    let (column, row) = reply;
    assert_eq!(client.ask(&format!("TAKEBACK {column},{row}"), ""), "OK");
    assert_eq!(client.ask(&format!("TAKEBACK {other}"), ""), "OK");
    ask(&mut client, &format!("TURN {other}"));
    client.end("END");
}

#[test]
fn a_game_of_gomocup_judge_begins() {
    judge(15);
}

#[test]
#[cfg(feature = "sizes")]
fn sizes_a_game_of_gomocup_judge_begins_on_twenty_columns() {
    judge(20);
}

/// What GomocupJudge, which plays the games of Gomocup, writes to a brain (`new_protocol.py`): after
/// its first move with the time that is left as a fraction.
fn judge(columns: usize) {
    let mut client = session();
    assert_eq!(client.ask(&format!("START {columns}"), ""), "OK");
    client.say(
        "INFO timeout_turn 1000\nINFO timeout_match 100000\nINFO max_memory 367001600\n\
         INFO game_type 1\nINFO rule 0\nINFO folder C:/Kai/git/GomocupJudge/tmp\n\
         INFO time_left 100000\nBOARD",
    );
    let (column, row) = ask(&mut client, "DONE");
    assert!(column < columns && row < columns);
    let other = if (column, row) == (3, 4) { "4,3" } else { "3,4" };
    client.say("INFO time_left 99876.0959148");
    // Nothing is said against it.
    client.say(&format!("TURN {other}"));
    let line = client.line();
    assert!(line.starts_with("DEBUG") || line.contains(','), "{line}");
    assert!(!line.contains("expected"), "{line}");
    client.end("END");
}

#[test]
fn exactly_five_and_boards_that_are_no_square() {
    let mut client = session();
    client.say("INFO rule 1");
    assert_eq!(client.ask("RECTSTART 9,7", ""), "OK");
    // A sixth stone would make six of the upper row, so five are made of the column alone.
    let board = "BOARD\n0,0,1\n8,6,2\n1,0,1\n8,4,2\n2,0,1\n8,2,2\n4,0,1\n6,6,2\n5,0,1\n6,4,2\n\
                 4,1,1\n6,2,2\n4,2,1\n2,6,2\n4,3,1\n0,6,2";
    client.say(board);
    assert_eq!(ask(&mut client, "DONE"), (4, 4));
    client.end("end");
}

#[test]
fn wrong_input_has_the_answers_of_the_protocol() {
    let mut client = session();
    for (line, expected) in [
        ("TURN 7,7", "ERROR expected START before, found none"),
        ("FLY 1", "UNKNOWN command FLY"),
        ("START 21", "ERROR unsupported size: expected 5 to 20, found 21x21"),
        ("START x", "ERROR expected START SIZE, found 'x'"),
        ("RECTSTART 4,9", "ERROR unsupported size"),
        ("START 15", "OK"),
        ("TURN 15,0", "ERROR expected a field of the board, found 15,0"),
        ("TURN 7", "ERROR expected TURN X,Y, found '7'"),
        ("TAKEBACK 7,7", "ERROR expected the last move"),
        ("INFO rule 4", "MESSAGE expected rule 0"),
        ("INFO max_memory 1", "MESSAGE expected another number for max_memory, found '1'"),
        ("INFO timeout_turn soon", "MESSAGE expected a number for timeout_turn, found 'soon'"),
        ("BOARD\n1,1,1\nDONE", "ERROR expected equally many stones"),
        ("BOARD\n1,1,7", "ERROR expected X,Y,WHO or DONE, found '1,1,7'"),
    ] {
        client.say(line);
        let said = client.line();
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    client.end("END");
}

#[test]
fn there_is_no_game_to_be_named() {
    let run = crate::run(&["piskvork", "gomoku"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    let expected = "SPEC: expected a player such as mcts, found a game: it is always Gomoku here";
    assert_eq!(run.stderr, format!("playtree: {expected}\n"));
}

#[test]
fn a_turn_without_time_is_answered_at_once() {
    let mut client = Client::start(&["piskvork", "mcts"]);
    client.say("INFO timeout_turn 0\nINFO max_memory 83886080");
    assert_eq!(client.ask("START 15", ""), "OK");
    let begin = Instant::now();
    ask(&mut client, "BEGIN");
    // Time for a turn, but none of the match.
    client.say("INFO timeout_turn 3600000\nINFO timeout_match 1000\nINFO time_left 1");
    ask(&mut client, "TURN 0,0");
    assert!(begin.elapsed() < Duration::from_secs(25), "{:?}", begin.elapsed());
    client.end("END");
}
