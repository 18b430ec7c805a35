use std::time::Duration;

use playtree::StopToken;
use playtree::budget::TimeManager;
use playtree_session::Game;

use super::super::Settings;
use super::super::command::Command;
use super::super::letters::Letters;
use super::{After, Session};
use crate::player::AtCtrlC;
use crate::protocols::{Event, Events, Line};

/// The answers to some lines, without the empty line after each, and how the session has ended.
fn answers(game: &str, lines: &[&str]) -> (Vec<String>, Option<After>) {
    let (game, start) = Game::open(game, None).unwrap();
    let spec = "mcts:simulations=50".parse().unwrap();
    let time = Duration::from_secs(1);
    let manager = TimeManager::new();
    let mut settings = Settings {
        game,
        letters: Letters::All,
        spec,
        time,
        seed: 1,
        manager,
        clock: None,
        clocks: None,
    };
    let stop = AtCtrlC::GivesUp(StopToken::new());
    let mut session = Session::new(start, &[], &mut settings, &stop);
    let (mut texts, mut after) = (Vec::new(), None);
    for line in lines {
        let (mut answer, then) = session.answer(&Line { text: (*line).into(), is_cut: false });
        if session.stream.is_some() {
            // The client has gone: no line is to be awaited.
            let events = Events::listen(&b""[..], None).unwrap();
            let mut shown = Vec::new();
            assert!(matches!(
                session.stream(&events, &mut shown).unwrap(),
                Some(Event::Closed) | None
            ));
            answer += &String::from_utf8(shown).unwrap();
        }
        if !answer.is_empty() {
            texts.push(answer.strip_suffix("\n\n").expect("an empty line").to_owned());
        }
        after = after.or(then);
    }
    (texts, after)
}

/// Whether each line is answered with `=` or `?`.
fn signs(game: &str, lines: &[&str]) -> String {
    let (texts, _) = answers(game, lines);
    texts.iter().filter_map(|text| text.chars().next()).collect()
}

#[test]
fn commands_are_answered_with_their_number() {
    let lines = ["7 protocol_version", "", "8 fly", "known_command play", "undo"];
    let (texts, after) = answers("othello", &lines);
    assert_eq!(texts, ["=7 2", "?8 unknown command", "= true", "? cannot undo"]);
    assert!(after.is_none());
}

#[test]
fn every_command_that_is_listed_is_known_and_answered() {
    // One right way to say each, in the order of the list.
    let lines = [
        "protocol_version",
        "name",
        "version",
        "known_command komi",
        "list_commands",
        "quit",
        "boardsize 8",
        "clear_board",
        "komi 0.5",
        "play b f5",
        "genmove w",
        "reg_genmove b",
        "undo",
        "showboard",
        "set_free_handicap a1 h8",
        "final_score",
        "loadsgf nowhere.sgf",
        "time_settings 300 0 0",
        "kgs-time_settings byoyomi 60 10 3",
        "time_left w 12 0",
        "analyze",
        "lz-analyze b 10 maxmoves 3",
        "kata-analyze 10 rootInfo true",
        "genmove_analyze w",
        "lz-genmove_analyze b 50",
        "kata-genmove_analyze w interval 50",
    ];
    let names: Vec<&str> = Command::ALL.iter().map(|(_, name, _)| *name).collect();
    let said: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(said, names);
    let (texts, _) = answers("othello", &lines);
    assert_eq!(texts[4], format!("= {}", names.join("\n")));
    for (line, text) in lines.iter().zip(&texts) {
        // There is a game under way, and no file.
        let wrong = match *line {
            "set_free_handicap a1 h8" => "? board not empty",
            "final_score" => "? cannot score",
            "loadsgf nowhere.sgf" => "? cannot load file",
            _ => "=",
        };
        assert!(text.starts_with(wrong), "{line}: {text}");
    }
    for (command, name, _) in Command::ALL {
        assert_eq!(Command::find(name), Some(*command));
        // No command takes six arguments, but the handicap, which refuses these.
        let (texts, _) = answers("othello", &[&format!("{name} 1 2 3 4 5 6")]);
        assert!(texts[0].starts_with("? "), "{name}: {texts:?}");
        assert!(!texts[0].contains("unknown command"), "{name}: {texts:?}");
    }
}

#[test]
fn wrong_arguments_are_a_syntax_error_that_shows_the_right_ones() {
    let (texts, _) = answers("hex", &["play", "name x", "play red a1", "komi nan"]);
    assert_eq!(
        texts,
        [
            "? syntax error: expected play COLOUR VERTEX, found no arguments",
            "? syntax error: expected name without arguments, found 'x'",
            "? syntax error: expected black or white, found 'red'",
            "? syntax error: expected a number, found 'nan'",
        ]
    );
}

#[test]
fn moves_are_played_in_turn_and_taken_back() {
    let lines = ["play B F5", "play w f4", "undo", "play W f6", "play b a1", "play b zz99"];
    assert_eq!(signs("othello", &lines), "====??");
}

#[test]
fn a_side_can_move_twice_where_a_position_says_whose_turn_it_is() {
    let (texts, _) = answers(
        "breakthrough",
        &["play b a2a3", "play b b2b3", "genmove black", "undo", "undo", "undo", "undo"],
    );
    assert_eq!(texts[..2], ["= ", "= "]);
    assert!(texts[2].starts_with("= ") && texts[2].len() == 6, "{texts:?}");
    assert_eq!(texts[3..], ["= ", "= ", "= ", "? cannot undo"]);
    assert_eq!(signs("othello", &["play b f5", "play b c3"]), "==");
    assert_eq!(signs("othello", &["play w f4", "genmove w"]), "==");
    assert_eq!(signs("nim", &["play w 1-1", "play w 2-3", "undo"]), "===");
    assert_eq!(signs("xiangqi", &["play b h2e2", "play b e2e6", "play w a9a8"]), "===");
    // Moves alone make these positions.
    for text in [
        answers("hex", &["play b a1", "play b a2"]).0,
        answers("gomoku", &["play b a1", "play b a2"]).0,
        answers("connect4", &["play b 1", "play b 1"]).0,
    ] {
        assert_eq!(text[0], "= ");
        assert!(text[1].starts_with("? illegal move: expected white to move, found black"));
    }
}

#[test]
fn a_turn_that_was_handed_over_and_not_used_is_given_back() {
    let lines = ["play w a1", "showboard", "reg_genmove w", "play b f5", "play w f4"];
    assert_eq!(signs("othello", &lines), "?====");
}

#[test]
fn a_handicap_of_othello_is_discs_before_the_game() {
    let lines = ["set_free_handicap a1 h8", "play w f4", "set_free_handicap a8 h1", "showboard"];
    let (texts, _) = answers("othello", &lines);
    assert_eq!(texts[..3], ["= ", "= ", "? board not empty"]);
    assert!(texts[3].contains("1 X -") && texts[3].contains("- X"), "{}", texts[3]);
    let lines = ["set_free_handicap a1 d4", "set_free_handicap a1 a1", "clear_board", "play b f5"];
    assert_eq!(signs("othello", &lines), "??==");
    assert_eq!(signs("hex", &["set_free_handicap a1 b2"]), "?");
}

#[test]
fn the_score_of_a_game_is_that_of_its_end() {
    let moves = ["1", "2", "1", "2", "1", "2", "1"];
    let mut lines: Vec<String> = Vec::new();
    for (number, mv) in moves.iter().enumerate() {
        lines.push(format!("play {} {mv}", ["b", "w"][number % 2]));
    }
    lines.push("final_score".into());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (texts, _) = answers("connect4", &lines);
    assert_eq!(texts.last().map(String::as_str), Some("= B+1"));
}

#[test]
fn a_size_that_fits_begins_another_session() {
    for size in ["5", "5 5"] {
        let (texts, after) = answers("hex", &["boardsize 11 11", &format!("boardsize {size}")]);
        assert_eq!(texts, ["= ", "= "]);
        assert!(
            matches!(after, Some(After::Resize { board: (_, start), .. }) if start.position_text() == "5:")
        );
    }
    for size in ["1", "40", "x", "", "11 20", "5 5 5"] {
        let (texts, after) = answers("hex", &[&format!("boardsize {size}")]);
        assert!(texts[0].starts_with('?') && after.is_none(), "{size}: {texts:?}");
    }
    for (size, sign) in [("9", "="), ("15 15", "="), ("4", "?"), ("4x4x3", "?"), ("9x9x5", "?")] {
        assert_eq!(signs("gomoku", &[&format!("boardsize {size}")]), sign, "{size}");
    }
    assert_eq!(signs("othello", &["boardsize 8", "boardsize 9"]), "=?");
    let lines = ["boardsize 7", "boardsize 7 6", "boardsize 6"];
    assert_eq!(signs("connect4", &lines), "==?");
    if cfg!(not(feature = "sizes")) {
        for (game, size) in [("othello", 6), ("hex", 12), ("gomoku", 16)] {
            let (texts, after) = answers(game, &[&format!("boardsize {size}")]);
            assert_eq!(texts, ["? unacceptable size"], "{game}");
            assert!(after.is_none());
        }
    }
}

#[test]
#[cfg(feature = "sizes")]
fn sizes_of_other_code_begin_another_session() {
    for (game, size, length) in [("othello", 6, 38), ("hex", 19, 3), ("gomoku", 20, 3)] {
        let (texts, after) = answers(game, &[&format!("boardsize {size}")]);
        assert_eq!(texts, ["= "], "{game}");
        assert!(
            matches!(after, Some(After::Resize { board: (_, start), .. }) if start.position_text().len() == length)
        );
    }
}

/// HexGui tells a program of a board of unequal sides so; `a7` is in the last of seven rows.
#[test]
fn a_board_of_unequal_sides_begins_another_session() {
    let (texts, after) = answers("hex", &["boardsize 6 7"]);
    assert_eq!(texts, ["= "]);
    let Some(After::Resize { board: (game, start), .. }) = after else { panic!("another board") };
    assert_eq!((start.position_text().as_str(), game.name()), ("6x7:", "hex"));
    assert!(start.parse_move("a7").is_ok() && start.parse_move("g1").is_err());
}

/// A record in the form of HexGui's, and one that PlayHex has written (in the tests of its source, with
/// names left out).
#[test]
fn a_record_with_a_swap_is_played_by_the_swap_rule() {
    for (number, record, plies) in [
        (1, "(;FF[4]AP[HexGui:0.9.GIT]GM[11]SZ[11];B[a10];W[swap-pieces];B[d4];W[i4])", 4),
        (
            2,
            "(;FF[4]CA[UTF-8]AP[PlayHex:0.0.0]SO[PlayHex.org]GM[11]SZ[11]DT[2024-08-27]HA[0]\
             RE[B+Resign]TM[600]OT[fischer 5 capped];B[a2]BL[600];W[swap-pieces]WL[595];B[k5]BL[595];\
             W[f6]WL[590];B[e3]BL[580])",
            5,
        ),
    ] {
        let path = format!("playtree-swap-{}-{number}.sgf", std::process::id());
        let path = std::env::temp_dir().join(path);
        std::fs::write(&path, record).unwrap();
        let (texts, after) = answers("hex", &[&format!("loadsgf {}", path.to_str().unwrap())]);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(texts, ["= "], "{record}");
        let Some(After::Resize { board: (_, start), moves }) = after else {
            panic!("another board: {record}")
        };
        assert_eq!((start.position_text().as_str(), moves.len()), ("11 swap:", plies));
    }
    // Without a swap the rule stays what it was.
    let lines = ["play b a10", "play w swap-pieces", "play w SWAP"];
    assert_eq!(signs("hex", &lines), "=??");
}

#[test]
fn a_game_record_is_loaded_up_to_a_move() {
    let path = std::env::temp_dir().join(format!("playtree-gtp-{}.sgf", std::process::id()));
    std::fs::write(&path, "(;GM[4]SZ[15];B[hh];W[ii];B[aa])").unwrap();
    let path = path.to_str().unwrap();
    let load = |more: &str| answers("gomoku", &[&format!("loadsgf {path}{more}"), "showboard"]);
    let (texts, after) = load("");
    assert_eq!(texts[0], "= ");
    assert!(after.is_none());
    // The first letter of a row is the top one.
    assert!(
        texts[1].contains("15 X . ") && texts[1].contains(" 8 . . . . . . . X"),
        "{}",
        texts[1]
    );
    let (texts, _) = load(" 3");
    assert!(
        texts[1].contains("15 . . ") && texts[1].contains(" 7 . . . . . . . . O"),
        "{}",
        texts[1]
    );
    std::fs::write(path, "(;SZ[9];B[e5];W[e5])").unwrap();
    assert_eq!(
        load("").0[0],
        "? cannot load file: move 2: illegal move: expected an empty point, found the taken 'e5'"
    );
    let (texts, after) = load(" 2");
    assert_eq!(texts[0], "= ");
    assert!(matches!(after, Some(After::Resize { moves, .. }) if moves.len() == 1));
    std::fs::remove_file(path).unwrap();
}
