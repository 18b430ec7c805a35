//! The protocol of XBoard. That a whole game goes well under XBoard itself is shown by
//! `ci/clients.sh`.

use std::time::Duration;

use super::{Client, after};

fn session(player: &str) -> Client {
    let mut client = Client::start(&["xboard", "xiangqi", player]);
    client.say("xboard\nprotover 2");
    let said = client.until("feature done=1");
    assert!(said.iter().any(|line| line.contains("variants=\"xiangqi\"")), "{said:?}");
    client.say("accepted ping\nnew\nvariant xiangqi\nlevel 40 5 0\neasy\nping 1");
    assert_eq!(client.until("pong"), ["pong 1"]);
    client
}

#[test]
fn a_game_is_played_taken_back_and_analyzed() {
    let mut client = session("mcts:simulations=300");
    client.say("post\nsd 30\ntime 29000\notim 30000\nusermove h2e2");
    let said = client.until("move ");
    // Plies, score, hundredths of a second, nodes, line.
    let thought = said.iter().rfind(|line| !line.starts_with("move")).expect("a thought");
    let numbers = thought.split(' ').take(4).filter(|word| word.parse::<i64>().is_ok()).count();
    assert_eq!(numbers, 4, "{thought}");
    let mv = after(&said[said.len() - 1], "move").expect("a move").to_owned();
    assert!(thought.contains(&mv), "{said:?}");
    // Both moves are taken back: they can be played again.
    client.say("remove\nforce\nusermove h2e2\nusermove h9g7\nundo\nping 2");
    assert_eq!(client.until("pong"), ["pong 2"]);
    // The engine's turn by go, without usermove before a move.
    client.say("h9g7\ngo");
    client.until("move ");
    client.say("setboard 4k4/R8/9/9/9/p8/9/9/9/1R1K5 w - - 0 1\nanalyze");
    let said = client.during(Duration::from_millis(1500));
    assert!(said.iter().any(|line| line.contains(" 100001 ")), "{said:?}");
    assert!(client.ask(".", "stat01:").len() > 8);
    client.say("exit\nping 3");
    client.until("pong 3");
    // The move that mates is followed by the result.
    assert_eq!(client.ask("go", "move "), "move b0b9");
    assert_eq!(client.line(), "1-0 {Red wins}");
    assert_eq!(client.end("quit"), Vec::<String>::new());
}

#[test]
fn it_ponders_if_it_may_and_moves_when_it_is_told_to() {
    let mut client = session("mcts");
    client.say("hard\nst 600\nusermove h2e2");
    let mv = client.ask("?", "move ");
    assert!(mv.len() > 8, "{mv}");
    let hint = client.ask("hint", "Hint: ");
    assert_eq!(hint.len(), "Hint: h2e2".len(), "{hint}");
    client.say("usermove b2e2\neasy\nresult 1/2-1/2 {both have enough}\nping 4");
    // Whether that move was legal is of no matter here: the search has ended either way.
    client.until("pong 4");
    assert_eq!(client.during(Duration::from_millis(300)), Vec::<String>::new());
    client.end("quit");
}

#[test]
fn the_last_move_is_made_when_the_input_ends() {
    // No pondering follows, which would have no end.
    let input = "new\nhard\ngo\n";
    let mut client = Client::start(&["xboard", "xiangqi", "mcts:simulations=300"]);
    client.say(input);
    client.until("move ");
    client.expect_end();
}

#[test]
fn wrong_input_has_the_answers_of_the_protocol() {
    let mut client = session("mcts:simulations=50");
    client.say("force");
    for (line, expected) in [
        ("usermove a0a9", "Illegal move ("),
        ("fly", "Error (unknown command): fly"),
        ("undo", "Error (no move to take back): undo"),
        ("level x y z", "Error (no such time): level x y z"),
        ("st soon", "Error (no such time): st soon"),
        ("memory 0", "Error (no such number): memory 0"),
        ("cores all", "Error (no such number): cores all"),
        ("variant chess", "Error (unsupported variant): chess"),
        ("setboard 9/9 w", "tellusererror Illegal position: expected ten ranks"),
        ("option Searcher=random", "Error (SPEC: expected mcts or alphabeta"),
        ("option Speed=9", "Error (expected Searcher=SPEC, found 'Speed=9'): option"),
    ] {
        client.say(line);
        let said = client.line();
        assert!(said.starts_with(expected), "{line}: {said}");
    }
    client.say("time -50\nping 9");
    assert_eq!(client.line(), "pong 9");
    client.end("quit");
    let run = crate::run_with_input(&["xboard", "othello"], "xboard\n");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("GAME: expected xiangqi"), "{}", run.stderr);
}
