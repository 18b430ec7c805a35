//! `playtree play` as a person uses it: lines are typed, and what is shown after each is read.

use std::fs;

use crate::{Run, Scratch, run, run_with_input};

/// What is shown after these lines were typed, cut at the prompts: first what is shown before any
/// was typed. The program ends well.
fn answers(args: &[&str], lines: &[&str]) -> Vec<String> {
    let input: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    let Run { code, stdout, stderr } = run_with_input(&[&["play"], args].concat(), &input);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{args:?}: {stdout}");
    assert!(!stdout.contains('\x1b'), "{stdout}");
    for line in stdout.lines() {
        // On a terminal what is typed ends the line of the prompt.
        let line = line.trim_start_matches("> ");
        assert!(line.chars().count() <= 80, "{line}");
    }
    // A prompt ends no line.
    let parts = stdout.strip_prefix("> ").unwrap_or(&stdout).split("\n> ");
    parts.map(str::to_owned).collect()
}

/// An engine that plays the same wherever it runs.
const RANDOM: [&str; 2] = ["--engine", "random"];
const MCTS: [&str; 4] = ["--engine", "mcts:simulations=200", "--threads", "1"];

fn with(args: &[&'static str], more: &[&'static str]) -> Vec<&'static str> {
    [args, more].concat()
}

#[test]
fn a_move_is_shown_and_answered() {
    let shown = answers(&with(&["connect4", "--position", "moves 4 4"], &MCTS), &["3"]);
    assert_eq!(shown.len(), 3, "{shown:?}");
    assert!(shown[0].starts_with("connect4: you are player 1, the engine is mcts:simulations=200"));
    assert!(shown[0].ends_with("1 2 3 4 5 6 7\n\nlast move: 4 by the engine"), "{}", shown[0]);
    let (own, reply) = shown[1].split_once("the engine plays ").expect("an answer");
    assert!(own.starts_with("you play 3\n\n. . . . . . ."), "{own}");
    assert!(own.contains(". . X X . . ."), "{own}");
    for part in [": win rate ", " %, 200 simulations, ", " s\n\n", "1 2 3 4 5 6 7"] {
        assert!(reply.contains(part), "{part} in {reply}");
    }
}

#[test]
fn an_engine_that_thinks_in_the_person_s_time_says_what_it_knew() {
    let shown = answers(&with(&["connect4", "--ponder"], &MCTS), &["4", "4", "undo", "3"]);
    assert_eq!(shown.len(), 6, "{shown:?}");
    for reply in [&shown[1], &shown[2], &shown[4]] {
        assert!(
            reply.contains(" 200 simulations, ") && reply.contains(" known before, "),
            "{reply}"
        );
    }
    let Run { code, stderr, .. } = run(&["play", "nim", "--ponder", "--engine", "random"]);
    assert_eq!(code, Some(2));
    let expected = "--ponder: expected mcts or alphabeta as the engine, found 'random'";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn the_end_of_the_input_and_quit_end_a_game() {
    for lines in [&[][..], &["quit"], &["exit"], &["", "quit", "never read"]] {
        let shown = answers(&with(&["nim"], &RANDOM), lines);
        assert!(shown[0].contains("the engine is random"), "{shown:?}");
        let more = shown[1..].concat();
        assert!(more.chars().all(|c| matches!(c, '>' | ' ' | '\n')), "{shown:?}");
    }
}

#[test]
fn what_is_not_legal_is_explained_and_the_game_goes_on() {
    let lines = ["e2", "xyz", "d33", "save", "undo 2", "undo", "redo", "c4"];
    let shown = answers(&with(&["othello"], &RANDOM), &lines);
    let lists = " ('moves' and 'help' list what there is)";
    for (number, parts) in [
        (1, &["expected ", "found 'e2'", "; is 'e6' meant?", lists][..]),
        (2, &["expected a square, a1 to h8, or 'pass', found 'xyz'", lists]),
        (3, &["found 'd33'; is 'd3' meant?"]),
        (4, &["expected the name of a file after 'save', found nothing"]),
        (5, &["expected nothing after 'undo', found '2'"]),
        (6, &["expected a move of yours to take back, found none"]),
        (7, &["expected a move that was taken back, found none"]),
        (8, &["you play c4\n", "\nthe engine plays "]),
    ] {
        let text = shown[number].replace("\n  ", " ");
        for part in parts {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
    assert!(!shown[2].contains("meant"), "{}", shown[2]);
    // A move in upper case is that move.
    assert!(answers(&with(&["othello"], &RANDOM), &["C4"])[1].starts_with("you play c4\n"));
    let shown = answers(&with(&["othello"], &RANDOM), &["hnit"]);
    assert!(shown[1].contains("; is 'hint' meant?"), "{}", shown[1]);
}

#[test]
fn what_comes_from_a_keyboard_never_acts_on_the_terminal() {
    let shown = answers(&with(&["hex"], &RANDOM), &["\u{1b}[2J", &"x".repeat(10_000)]);
    assert!(shown[1].contains(r"\u{1b}[2J"), "{}", shown[1]);
    assert!(shown[2].contains("xxx...'"), "{}", shown[2]);
}

#[test]
fn moves_and_help_list_what_there_is() {
    let shown = answers(&with(&["nim", "--position", "1,2"], &RANDOM), &["moves", "help", "board"]);
    assert_eq!(shown[1], "3 moves: 1-1, 2-1, 2-2");
    for command in
        ["hint", "undo", "redo", "go", "flip", "moves", "board", "save FILE", "load FILE", "resign"]
    {
        assert!(shown[2].contains(&format!("\n  {command} ")) || command == "hint", "{}", shown[2]);
    }
    // The board is that of the greeting.
    assert!(shown[0].ends_with(&shown[3]), "{shown:?}");
}

#[test]
fn a_hint_names_the_winning_move_and_its_win_rate() {
    for engine in [&MCTS[..], &["--engine", "alphabeta:depth=2,memory=1MiB", "--threads", "1"]] {
        let shown = answers(&with(&["connect4", "--position", "112233"], engine), &["hint"]);
        assert!(shown[1].starts_with("hint: 4 (win rate 100.0 %, "), "{}", shown[1]);
    }
}

#[test]
fn a_finished_game_takes_commands_and_no_moves() {
    let args = with(&["connect4", "--position", "moves 1 1 2 2 3 3"], &RANDOM);
    let shown = answers(&args, &["4", "5", "hint", "undo", "4", "new", "4"]);
    assert!(shown[1].contains("the game is over: you win\n"), "{}", shown[1]);
    assert!(!shown[1].contains("the engine plays"), "{}", shown[1]);
    assert!(shown[2].contains("expected a command, as the game is over, found '5'"));
    assert!(shown[3].contains("found one that is over"), "{}", shown[3]);
    assert!(shown[4].ends_with("last move: 3 by the engine"), "{}", shown[4]);
    assert!(shown[5].contains("you win"), "{}", shown[5]);
    assert_eq!(shown[6], shown[4]);
    assert!(shown[7].contains("you win"), "{}", shown[7]);
}

#[test]
fn a_game_is_lost_and_drawn_too() {
    let args = with(&["connect4", "--position", "112233", "--side", "second"], &MCTS);
    let shown = answers(&args, &[]);
    assert!(shown[0].contains("\nthe engine plays 4: win rate 100.0 %, "), "{}", shown[0]);
    assert!(shown[0].contains("\nthe game is over: the engine wins\n"), "{}", shown[0]);
    let args = with(&["tictactoe", "--position", "XOXXOO.XO"], &RANDOM);
    assert!(answers(&args, &["7"])[1].contains("the game is over: you win\n"));
    let args = with(&["tictactoe", "--position", "XOXXO.OX.", "--side", "second"], &RANDOM);
    let shown = answers(&args, &["6", "9"]);
    let text = shown.concat();
    assert!(text.contains("the game is over: a draw\n"), "{text}");
}

/// The text of a file that a game was saved to after these lines.
fn saved(args: &[&str], lines: &[&str], name: &str) -> String {
    let file = Scratch::new(name);
    let save = format!("save {}", file.path());
    answers(args, &[lines, &[&save]].concat());
    fs::read_to_string(file.path()).expect("it was saved")
}

#[test]
fn undo_takes_both_moves_back_and_redo_plays_them_again() {
    let args = with(&["othello"], &RANDOM);
    let one = saved(&args, &["c4"], "play-one");
    let words: Vec<&str> = one.split_whitespace().collect();
    assert_eq!((words[0], words[1], words.len()), ("moves", "c4", 3), "{one}");
    assert_eq!(saved(&args, &["c4", "undo"], "play-undo"), "moves\n");
    assert_eq!(saved(&args, &["c4", "undo", "redo"], "play-redo"), one);
    // Another move instead is another game.
    let other = saved(&args, &["c4", "undo", "d3", "redo"], "play-other");
    assert!(other.starts_with("moves d3 ") && other.split_whitespace().count() == 3, "{other}");
    // The moves before the session belong to it.
    let args = with(&["connect4", "--position", "7 moves 6 5"], &RANDOM);
    assert_eq!(saved(&args, &["undo"], "play-before"), "7 moves 6\n");
}

#[test]
fn a_saved_game_goes_on_and_no_file_is_replaced_unasked() {
    let file = Scratch::new("play-saved");
    let (save, replace) = (format!("save {}", file.path()), format!("save! {}", file.path()));
    let args = with(&["hex", "--position", "5:"], &RANDOM);
    let shown = answers(&args, &["c3", &save]);
    assert!(shown[2].starts_with("saved to "), "{}", shown[2]);
    assert!(shown[2].contains("--position") && !shown[2].contains("--side"), "{}", shown[2]);
    let text = fs::read_to_string(file.path()).expect("it is there");
    assert!(text.starts_with("5: moves c3 ") && text.ends_with('\n'), "{text}");
    // As a shell hands it over.
    let again = ["hex", "--engine", "random", "--position", text.trim_end()];
    let board = |text: &str| text.rsplit("\n\n").nth(1).map(str::to_owned);
    let shown = answers(&again, &[&save, &replace]);
    assert!(shown[0].contains("last move: "), "{}", shown[0]);
    assert!(shown[1].contains("expected a file that is not there yet"), "{}", shown[1]);
    assert_eq!(fs::read_to_string(file.path()).expect("it is there"), text);
    assert!(shown[2].starts_with("saved in place of the old"), "{}", shown[2]);
    assert_eq!(fs::read_to_string(file.path()).expect("it is there"), text);
    assert!(board(&shown[0]).is_some_and(|board| board.contains('c')), "{}", shown[0]);
    // The other side goes on as the other side, and a finished game not at all.
    let shown = answers(&again, &["flip", &replace]);
    assert!(shown[2].trim_end().ends_with("--side second"), "{}", shown[2]);
    let won = with(&["connect4", "--position", "112233"], &RANDOM);
    let shown = answers(&won, &["4", &replace]);
    assert!(!shown[2].contains("go on"), "{}", shown[2]);
    let shown = answers(&again, &["save /nowhere/at/all"]);
    let error = shown[1].replace("\n  ", " ");
    let expected = "expected a file that can be written, found /nowhere/at/all: ";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_saved_game_is_loaded_at_the_prompt() {
    let file = Scratch::new("play-loaded");
    let (save, load) = (format!("save {}", file.path()), format!("load {}", file.path()));
    let hex = with(&["hex", "--position", "5:"], &RANDOM);
    // Of what shows nothing before it.
    let board = |text: &str| text.split("\n\n").next().map(str::to_owned);
    let shown =
        answers(&hex, &["c3", "board", &save, "undo", &load, "moves", "new", "undo", "new"]);
    let saved = board(&shown[2]);
    assert!(saved.is_some() && board(&shown[4]) != saved, "{}", shown[4]);
    assert_eq!(board(&shown[5]), saved);
    // 25 cells, and two stones: it is the person's turn. A new game begins where this one did.
    assert!(shown[6].starts_with("23 moves: "), "{}", shown[6]);
    assert_eq!(board(&shown[7]), saved);
    assert!(board(&shown[8]).is_some_and(|board| !board.contains('X')), "{}", shown[8]);
    assert_eq!(board(&shown[9]), saved);

    // Another board, by a person who is the other side; a game that is over; and each clock anew.
    let other = with(&["hex", "--position", "7:", "--side", "second"], &RANDOM);
    let shown = answers(&other, &[&load, "flip", "moves"]);
    assert!(shown[1].contains("the engine plays "), "{}", shown[1]);
    let won = with(&["connect4", "--position", "112233", "--clock", "5m"], &RANDOM);
    let replace = format!("save! {}", file.path());
    let shown = answers(&won, &["4", &replace, "new", &load, "undo"]);
    assert!(shown[4].contains("last move: 4 by you\nthe game is over: you win"), "{}", shown[4]);
    assert!(shown[5].contains("clocks: you 300.0 s, the engine 300.0 s"), "{}", shown[5]);

    // What is no game of these rules leaves the game as it was.
    for (text, error) in [
        (Some("9: z9"), ": expected a column, 1 to 7, found '9' as move 1"),
        (Some("moves 4 4 8"), ": move 3: expected a column, 1 to 7, found '8'"),
        (Some("\u{0}"), ": expected a column, 1 to 7, found "),
        (None, "expected a file that can be read, found /nowhere/at/all: "),
    ] {
        let path = if text.is_some() { file.path() } else { "/nowhere/at/all" };
        text.iter().for_each(|text| fs::write(path, text).expect("a file of ours"));
        let shown = answers(&won, &["4", "board", &format!("load {path}"), "board"]);
        let found = shown[3].replace("\n  ", " ");
        assert!(found.contains(error), "{error} in {found}");
        assert_eq!(board(&shown[4]), board(&shown[2]), "{error}");
    }
}

#[test]
fn what_a_saved_game_goes_on_with_is_one_word_of_a_shell() {
    let folder = Scratch::new("play folder");
    fs::create_dir(folder.path()).expect("a new folder");
    let args = with(&["nim"], &RANDOM);
    let path = |name: &str| format!("{}/{name}", folder.path());
    for (name, word) in [("a b", "'a b'"), ("it's", r"'it'\''s'")] {
        let shown = answers(&args, &[&format!("save {}", path(name))]);
        let expected = format!("\"$(cat '{}/{})\"", folder.path(), &word[1..]);
        let text = shown[1].replace("\n  ", " ");
        assert!(text.contains(&expected), "{expected} in {text}");
    }
    // A folder is never replaced, so it is not said how.
    for command in ["save", "save!"] {
        let shown = answers(&args, &[&format!("{command} {}", folder.path())]);
        let expected = format!("expected a file to save to, found the folder {}", folder.path());
        let text = shown[1].replace("\n  ", " ");
        assert!(text.contains(&expected) && !text.contains("replaces"), "{text}");
    }
    fs::remove_dir_all(folder.path()).expect("the folder is there");
}

#[test]
fn the_mark_that_a_file_of_text_may_begin_with_is_no_part_of_a_move() {
    let shown = answers(&with(&["othello"], &RANDOM), &["\u{feff}c4"]);
    assert!(shown[1].starts_with("you play c4\n"), "{}", shown[1]);
}

#[test]
fn sides_change_and_the_engine_moves_for_a_person() {
    let args = with(&["nim", "--position", "3,4,5", "--side", "second"], &RANDOM);
    let shown = answers(&args, &[]);
    assert!(shown[0].starts_with("nim: you are player 2"), "{}", shown[0]);
    assert!(shown[0].contains("\nthe engine plays "), "{}", shown[0]);
    let shown = answers(&with(&["othello"], &RANDOM), &["flip", "go"]);
    assert!(shown[1].starts_with("you are player 2 now\nthe engine plays "), "{}", shown[1]);
    // One move for the person, and the reply to it.
    assert!(shown[2].starts_with("you play "), "{}", shown[2]);
    assert!(shown[2].contains("\nthe engine plays "), "{}", shown[2]);
}

#[test]
fn who_resigns_has_lost_and_may_think_again() {
    let shown = answers(&with(&["othello"], &RANDOM), &["resign", "undo", "c4"]);
    assert!(shown[1].starts_with("the game is over: the engine wins (you resign)"), "{shown:?}");
    assert!(shown[3].starts_with("you play c4\n"), "{shown:?}");
}

#[test]
fn a_game_on_a_clock_shows_both() {
    let args = ["othello", "--engine", "random", "--clock", "1000h"];
    let shown = answers(&args, &["c4"]);
    assert!(shown[0].ends_with("clocks: you 3600000.0 s, the engine 3600000.0 s"), "{}", shown[0]);
    assert!(shown[1].contains("\nclocks: you 3"), "{}", shown[1]);
    // A clock that is used up by any move.
    let args = ["othello", "--engine", "random", "--clock", "1us"];
    let shown = answers(&args, &["c4", "undo"]);
    assert!(shown[1].starts_with("the game is over: the engine wins (on time: "), "{}", shown[1]);
    assert!(!shown[2].contains("last move"), "{}", shown[2]);
}

#[test]
fn what_cannot_begin_is_an_error() {
    for (args, part) in [
        (&["chess"][..], "expected a game"),
        (&["conect4"], "found 'conect4'; is 'connect4' meant?"),
        (&["connect4", "--position", "1212121"], "found a finished game"),
        (&["nim", "--engine", "mtcs"], "--engine: expected one of mcts, "),
        (&["nim", "--engine", "mcts:cut-off=3"], "--engine: cut-off: expected a game with"),
        (&["nim", "--engine", "gtp:no-such-program"], "--engine: expected a program to run"),
        (&["nim", "--side", "third"], "--side: expected one of first, second, found 'third'"),
        (&["nim", "--clock", "5m", "--engine", "mcts:time=1s"], "--engine: expected a player"),
        (&["nim", "--clock", "5m", "--time", "1s"], "--clock"),
    ] {
        let run = run(&[&["play"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.contains(part), "{args:?}: {}", run.stderr);
    }
}
