//! `playtree completions` and `playtree man`.

use std::fs;

use crate::games::names;
use crate::{Scratch, command, run, text_of};

#[test]
fn every_shell_completes_commands_options_games_and_engines() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text_of(&["completions", shell]);
        for part in ["analyze", "play", "completions", "exploration"] {
            assert!(script.contains(part), "{part} for {shell}");
        }
        // What the generators for the others leave out.
        let (games, engines) = (["bash", "zsh"], ["bash", "zsh", "fish"]);
        let has_games = names().all(|name| script.contains(name));
        let has_engines = ["alphabeta", "random"].iter().all(|name| script.contains(name));
        assert!(has_games || !games.contains(&shell), "{shell}");
        assert!(has_engines || !engines.contains(&shell), "{shell}");
    }
    let wrong = run(&["completions", "fihs"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("found 'fihs'; is 'fish' meant?"), "{}", wrong.stderr);
}

#[test]
fn a_terminal_without_columns_is_one_of_unknown_width() {
    let help = |columns: &str| {
        let output = command(&["help", "solve"]).env("COLUMNS", columns).output();
        String::from_utf8(output.expect("it starts").stdout).expect("UTF-8")
    };
    assert_eq!(help("0"), help("80"));
    assert_ne!(help("0"), help("60"));
}

#[test]
fn there_is_a_page_for_each_command() {
    let page = text_of(&["man"]);
    for part in [".TH playtree 1", "playtree\\-analyze(1)", "playtree\\-play(1)"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let folder = Scratch::new("man");
    let said = text_of(&["man", folder.path()]);
    let pages: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    assert!(said.starts_with(&format!("wrote {} pages to ", pages.len())), "{said}");
    for name in ["playtree.1", "playtree-play.1", "playtree-games.1", "playtree-man.1"] {
        assert!(pages.iter().any(|page| page == name), "{name} in {pages:?}");
    }
    let play = fs::read_to_string(format!("{}/playtree-play.1", folder.path())).expect("a page");
    assert!(play.contains("\\-\\-engine"), "{play}");
    fs::remove_dir_all(folder.path()).expect("it goes");
    let file = Scratch::new("man-file");
    fs::write(file.path(), "").expect("a file");
    let wrong = run(&["man", file.path()]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("FOLDER: expected a folder, found "), "{}", wrong.stderr);
}
