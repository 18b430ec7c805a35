//! `playtree solve`: the form of its answers, that they are right, and that limits are kept.

use serde_json::Value;

use crate::{json_of, run, run_with_input, text_of};

/// A position of Connect Four: player 1 is to move, and wins at once on column 4.
const WIN_IN_ONE: &str = "112233";

fn solve(args: &[&str]) -> Value {
    json_of(&[&["solve"], args, &["--json"]].concat())
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The names of fields, sorted.
fn names(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = text.split_whitespace().collect();
    names.sort_unstable();
    names
}

#[test]
fn the_fields_are_fixed_and_in_order() {
    let args = ["solve", "nim", "--position", "1,2", "--json"];
    let text = text_of(&args);
    let mut rest = text.as_str();
    for field in "game position value points distance least most best_moves moves \
                  question_share nodes seconds nodes_per_second peak_bytes table_used workers \
                  complete stop_reason"
        .split_whitespace()
    {
        let name = format!("\"{field}\":");
        let at = rest.find(&name).unwrap_or_else(|| panic!("{field} in {rest}"));
        rest = &rest[at + name.len()..];
        if field == "moves" {
            rest = rest.split_once(']').expect("a list").1;
        }
    }
    let json = json_of(&args);
    assert_eq!(keys(&json["moves"][0]), names("move value points distance least most"));
    assert_eq!(keys(&json["least"]), names("plies points"));
    assert_eq!(json["moves"].as_array().expect("moves").len(), 3);
}

#[test]
fn a_won_a_drawn_and_a_lost_position() {
    let json = solve(&["connect4", "--position", WIN_IN_ONE, "--moves", "one"]);
    assert_eq!(
        (&json["value"], &json["points"], &json["distance"]),
        (&"win".into(), &1.into(), &1.into())
    );
    assert_eq!(json["best_moves"], Value::from(["4"]));
    assert_eq!(json["least"], json["most"]);
    assert_eq!((&json["complete"], &json["stop_reason"]), (&true.into(), &"proven".into()));

    let json = solve(&["tictactoe", "--position", "X...O...X"]);
    assert_eq!((&json["value"], &json["points"]), (&"draw".into(), &0.into()));
    assert!(json["distance"].is_null());
    let mut best: Vec<_> = json["best_moves"].as_array().expect("moves").to_vec();
    best.sort_by_key(Value::to_string);
    assert_eq!(best, ["2", "4", "6", "8"]);

    // Bouton's rule: the exclusive or of the piles is 0.
    let json = solve(&["nim", "--position", "1,2,3", "--moves", "all"]);
    assert_eq!((&json["value"], &json["points"]), (&"loss".into(), &Value::from(-1)));
    for found in json["moves"].as_array().expect("moves") {
        assert_eq!(found["value"], "loss", "{found}");
        assert!(found["distance"].as_u64() <= json["distance"].as_u64(), "{found}");
    }
}

#[test]
fn an_mnk_game_is_solved_and_analysed() {
    // The first player wins 4,4,3 in five plies; c2 leaves two points that win.
    let json = solve(&["gomoku", "--position", "4x4x3:"]);
    assert_eq!((&json["value"], &json["distance"]), (&"win".into(), &5.into()));
    for engine in ["mcts", "alphabeta"] {
        let args = ["analyze", "gomoku", "--position", "4x4x3: b2 d4", "--engine", engine];
        let json = json_of(&[&args[..], &["--time", "2s", "--json"]].concat());
        assert_eq!(json["position"], "4x4x3: b2 d4");
        assert_eq!(json["proven"], "win", "{json}");
    }
    let draw = solve(&["gomoku", "--position", "4x4x4: b2", "--threads", "1"]);
    assert_eq!(draw["value"], "draw");
}

#[test]
fn the_aim_says_how_much_is_found_out() {
    let of = |aim| solve(&["hex", "--position", "3:", "--aim", aim, "--threads", "1"]);
    let (winner, distance) = (of("winner"), of("distance"));
    assert_eq!((&winner["value"], &distance["value"]), (&"win".into(), &"win".into()));
    assert!(winner["distance"].is_null() && distance["distance"].is_u64());
    assert!(winner["nodes"].as_u64() < distance["nodes"].as_u64());
    assert_eq!(winner["workers"], 1);
}

#[test]
fn either_method_finds_the_same() {
    let of = |method| {
        let json = solve(&["doudizhu", "--position", "KK5543/225543", "--method", method]);
        (json["points"].clone(), json["distance"].clone(), json["complete"].clone())
    };
    assert_eq!(of("alpha-beta"), of("proof-numbers"));
    let json = solve(&["doudizhu", "--position", "KK5543/225543"]);
    assert_eq!((&json["value"], &json["complete"]), (&"win".into(), &true.into()));
}

#[test]
fn all_moves_have_a_worth_if_they_are_asked_for() {
    let args = ["breakthrough", "--position", "pppp/4/4/PPPP w", "--moves"];
    let all = solve(&[&args[..], &["all"]].concat());
    let moves = all["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|found| found["distance"].is_u64()), "{all}");
    let wins = moves.iter().filter(|found| found["value"] == "win").count();
    assert!(wins == 0 || wins == all["best_moves"].as_array().expect("moves").len());
    let one = solve(&[&args[..], &["one"]].concat());
    assert_eq!((&one["value"], &one["distance"]), (&all["value"], &all["distance"]));
    assert_eq!(one["moves"].as_array().expect("moves").len(), moves.len());
}

#[test]
fn limits_end_it_with_what_is_known() {
    let args = ["connect4", "--memory", "16MiB", "--threads", "2"];
    for (option, limit, reason) in [("--nodes", "200000", "nodes"), ("--time", "150ms", "time")] {
        let json = solve(&[&args[..], &[option, limit]].concat());
        assert_eq!((&json["complete"], &json["stop_reason"]), (&false.into(), &reason.into()));
        assert!(json["value"].is_null() && json["points"].is_null(), "{json}");
        assert!(json["best_moves"].as_array().is_some_and(Vec::is_empty), "{json}");
        assert_eq!(
            (&json["least"]["points"], &json["most"]["points"]),
            (&Value::from(-1), &Value::from(1))
        );
        assert!(json["peak_bytes"].as_u64() <= Some(16 << 20), "{json}");
        assert!(option == "--time" || json["nodes"].as_u64() < Some(201_000), "{json}");
    }
}

#[test]
fn the_text_shows_the_board_the_moves_and_a_summary() {
    let text =
        text_of(&["solve", "connect4", "--position", WIN_IN_ONE, "--moves", "one", "--top", "2"]);
    assert!(text.starts_with("connect4, player 1 of 2 to move\n"), "{text}");
    assert!(text.contains("\nmove  worth\n4     win in 1\n"), "{text}");
    assert!(text.contains("\n... and 5 more (--top 7 shows all)\n"), "{text}");
    assert!(text.contains("\nwin in 1, best 4\n") && text.contains("stopped by proof\n"), "{text}");
    let text = text_of(&["solve", "connect4", "--nodes", "1000", "--threads", "1"]);
    assert!(
        text.contains("\nunknown, unfinished\n") && text.contains("stopped by nodes"),
        "{text}"
    );
}

#[test]
fn a_strategy_as_text() {
    let args = ["solve", "nim", "--position", "1,2", "--threads", "1", "--strategy"];
    let text = text_of(&args);
    let tree = "player 1 of 2 (win in 3) > 2-1\n  1-1 (win in 1) > 2-1 win\n";
    assert!(text.contains(tree) && text.contains("positions\n"), "{text}");
    let text = text_of(&[&args[..], &["1"]].concat());
    assert!(text.contains("player 1 of 2 (win in 3) > 2-1 (win in 2) ...\n"), "{text}");
    // The other side's: every move of the winner.
    let text = text_of(&[&args[..], &["--player", "2"]].concat());
    assert!(text.contains("player 2 of 2 (loss in 3)\n"), "{text}");
    let args = ["solve", "connect4", "--strategy", "3", "--nodes", "5000", "--threads", "1"];
    let text = text_of(&args);
    assert!(text.contains("(unknown) ?\n") && text.contains("unfinished\n"), "{text}");
}

#[test]
fn a_strategy_as_json_can_be_followed() {
    // Whichever side wins, nothing but its wins is at the ends, and every answer of the other side
    // is there.
    for (position, size) in [("3: a1", 3), ("3: b2", 3)] {
        let json = solve(&["hex", "--position", position, "--strategy"]);
        let (player, positions) = (&json["player"], json["positions"].as_array().expect("a list"));
        assert_eq!((&json["value"], &json["complete"]), (&"win".into(), &true.into()));
        for (number, found) in positions.iter().enumerate() {
            let text = found["position"].as_str().expect("a text");
            let stones = text.split_whitespace().count() - 1;
            let moves = found["moves"].as_array().expect("a list");
            let kind = found["kind"].as_str().expect("a text");
            let expected = match kind {
                "end" => 0,
                "reply" => 1,
                _ => size * size - stones,
            };
            assert_eq!((moves.len(), &found["value"]), (expected, &"win".into()), "{found}");
            assert_eq!(kind == "reply", kind != "end" && found["mover"] == *player, "{found}");
            for next in moves.iter().map(|mv| mv["to"].as_u64().expect("a number") as usize) {
                assert!(next > number, "{found}");
                assert!(positions[next]["plies"].as_u64() > found["plies"].as_u64(), "{found}");
            }
        }
    }
}

#[test]
fn a_strategy_as_a_graph() {
    let args = ["solve", "nim", "--position", "2,2", "--strategy", "--strategy-format", "dot"];
    let text = text_of(&args);
    let json = solve(&["nim", "--position", "2,2", "--strategy"]);
    let positions = json["positions"].as_array().expect("positions");
    let edges: usize =
        positions.iter().map(|found| found["moves"].as_array().expect("moves").len()).sum();
    assert!(text.starts_with("digraph strategy {\n") && text.ends_with("}\n"), "{text}");
    assert_eq!(text.matches(" [shape=").count(), positions.len(), "{text}");
    assert_eq!(text.matches(" -> ").count(), edges, "{text}");
}

#[test]
fn the_solver_plays_the_winner_against_a_person() {
    let args = ["solve", "nim", "--position", "1,2", "--walk"];
    let played = run_with_input(&args, "moves\n9-9\n1-1\n");
    assert_eq!((played.code, played.stderr.as_str()), (Some(0), ""));
    let text = &played.stdout;
    assert!(text.contains("player 1 plays 2-1 (win in 3)\n"), "{text}");
    assert!(text.contains("1-1 (loss in 2), 2-1 (loss in 2)\n"), "{text}");
    assert!(text.contains("> expected a pile") && text.contains("found pile 9"), "{text}");
    assert!(text.contains("player 1 plays 2-1 (win in 1)\n"), "{text}");
    assert!(text.ends_with("player 1 wins\n"), "{text}");
}

#[test]
fn a_walk_goes_back_and_ends() {
    let args = ["solve", "nim", "--position", "1,2,3", "--walk"];
    let played = run_with_input(&args, "back\n1-1\nboard\nback\n3-3\nquit\n1-1\n");
    assert_eq!((played.code, played.stderr.as_str()), (Some(0), ""));
    let text = &played.stdout;
    assert!(text.contains("> expected a move to take back, found none\n"), "{text}");
    assert_eq!(text.matches("player 2 plays ").count(), 2, "{text}");
    assert_eq!(text.matches("player 1 of 2 to move\n").count(), 3, "{text}");
    // No line more: it ends there.
    let played = run_with_input(&args, "");
    assert_eq!((played.code, played.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_person_who_lets_a_draw_slip_loses() {
    // Drawn: the solver plays the side to move, and X the rest.
    let args = ["solve", "tictactoe", "--position", "X...O...X", "--walk"];
    let text = run_with_input(&args, "moves\n").stdout;
    assert!(text.contains("draw for player 2; player 2 is the solver"), "{text}");
    let args = [&args[..], &["--player", "1"]].concat();
    // O in a corner: X takes the last one and wins.
    let text = run_with_input(&args, "3\n4\n").stdout;
    assert!(text.contains("player 1 plays 7 (win in 3)\n"), "{text}");
    assert!(text.ends_with("player 1 wins\n"), "{text}");
}

#[test]
fn what_cannot_be_solved_is_one_line() {
    for (args, part) in [
        (&["xiangqi"][..], "no position comes again, found xiangqi"),
        (&["chess"], "found 'chess'"),
        (&["nim", "--position", "0,0"], "finished game"),
        (&["nim", "--position", "x"], "--position"),
        (&["nim", "--aim", "mate"], "--aim"),
        (&["nim", "--moves", "some"], "--moves"),
        (&["nim", "--memory", "12"], "--memory"),
        (&["nim", "--nodes", "0"], "--nodes"),
        (&["nim", "--strategy", "deep"], "--strategy"),
        (&["nim", "--strategy", "-1"], "--strategy: expected a number of plies, 0 or more"),
        (&["nim", "--top", "-1"], "--top: expected a whole number of at least 1, found '-1'"),
        (&["nim", "--strategy-format", "dot"], "--strategy"),
        (&["nim", "--strategy", "--walk"], "--walk"),
        (&["nim", "--walk", "--json"], "--walk"),
        (&["nim", "--player", "1"], "--player"),
        (&["nim", "--player", "3", "--walk"], "--player"),
        (&["nim", "--player", "0", "--walk"], "--player"),
        (&["nim", "--top", "3", "--json"], "--top"),
    ] {
        let run = run(&[&["solve"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        for part in ["playtree: ", "expected", "found", part] {
            assert!(run.stderr.contains(part), "'{part}' in {}", run.stderr);
        }
    }
}
