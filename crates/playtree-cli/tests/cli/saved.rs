//! `--load` and `--save` of `analyze` and `solve`, and `playtree table`.

use crate::{Scratch, json_of, run, text_of};

const HEX: [&str; 8] =
    ["analyze", "hex", "--position", "5:", "--simulations", "2000", "--threads", "1"];

#[test]
fn a_saved_table_is_gone_on_with() {
    let file = Scratch::new("goes-on");
    let save = [&HEX[..], &["--json", "--save", file.path()]].concat();
    let first = json_of(&save);
    let table = json_of(&["table", file.path(), "--json"]);
    assert_eq!((&table["game"], &table["encoding"]), (&"hex 5".into(), &1.into()));
    assert_eq!((&table["nodes"], &table["simulations"]), (&first["nodes"], &2000.into()));
    let load = [&save[..], &["--load", file.path()]].concat();
    let second = json_of(&load);
    let visits = |json: &serde_json::Value| -> u64 {
        let moves = json["moves"].as_array().expect("moves");
        moves.iter().filter_map(|mv| mv["visits"].as_u64()).sum()
    };
    assert!(visits(&second) > 3_900 && visits(&second) > visits(&first), "{second}");
    assert_eq!(json_of(&["table", file.path(), "--json"])["searches"], 2);
}

#[test]
fn the_header_is_shown_as_text() {
    let file = Scratch::new("text");
    let book = ["--save-visits", "20", "--compress", "--save", file.path()];
    text_of(&[&HEX[..], &book].concat());
    let text = text_of(&["table", file.path()]);
    assert!(text.starts_with("hex 5 (encoding 1), format version 1\n"), "{text}");
    for line in ["  players      2\n", "  thinned      yes\n", "  compressed   yes\n"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn contempt_is_shown_and_asked_for() {
    let file = Scratch::new("contempt");
    let analyze = ["analyze", "tictactoe", "--simulations", "500", "--threads", "1"];
    text_of(&[&analyze[..], &["--save", file.path()]].concat());
    let table = json_of(&["table", file.path(), "--json"]);
    assert!(table.get("draws").is_none(), "{table}");
    assert!(!text_of(&["table", file.path()]).contains("draws"));

    let contempt = [&analyze[..], &["--contempt", "0.25", "--only", "1,5"]].concat();
    text_of(&[&contempt[..], &["--save", file.path()]].concat());
    let table = json_of(&["table", file.path(), "--json"]);
    assert_eq!(table["draws"], serde_json::json!([0.25, 0.75]));
    assert!(text_of(&["table", file.path()]).contains("  draws        0.250, 0.750\n"));
    text_of(&[&contempt[..], &["--load", file.path()]].concat());
    let run = run(&[&analyze[..], &["--load", file.path()]].concat());
    let expected = ": expected a table of draws worth [0.5, 0.5] to the players";
    let expected = format!("--load: {}{expected}", file.path());
    assert!(run.code == Some(2) && run.stderr.contains(&expected), "{}", run.stderr);
}

#[test]
fn what_is_no_table_of_the_game_is_refused() {
    let file = Scratch::new("refused");
    text_of(&[&HEX[..], &["--save", file.path()]].concat());
    let refused = |args: &[&str], expected: &str| {
        let run = run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.contains(expected) && run.stderr.lines().count() == 1, "{}", run.stderr);
    };
    let load = ["--simulations", "10", "--load", file.path()];
    let place = format!("--load: {}: expected a table of", file.path());
    refused(
        &[&["analyze", "hex"], &load[..]].concat(),
        &format!("{place} hex 11 (encoding 1), found one of hex 5 (encoding 1)"),
    );
    refused(&[&["analyze", "nim"], &load[..]].concat(), &format!("{place} nim"));
    let tuned = ["analyze", "hex", "--position", "5:", "--selection", "ucb1-tuned"];
    refused(
        &[&tuned[..], &load[..]].concat(),
        &format!("{place} a search with --selection ucb1-tuned, found one of another"),
    );
    refused(&["table", "/dev/null"], "FILE: ");
    refused(&["analyze", "hex", "--load", "no such file"], "--load: no such file: cannot read");
    refused(&["analyze", "hex", "--simulations", "1", "--save", "no/such/file"], "--save: ");
    refused(&["analyze", "hex", "--compress"], "--compress: expected --save beside it");
    refused(
        &["table", "Cargo.toml"],
        "FILE: Cargo.toml: expected a table or facts saved by playtree",
    );
    let folder = "src: expected a regular file, found a folder";
    refused(&["table", "src"], &format!("FILE: {folder}"));
    refused(&["analyze", "hex", "--load", "src"], &format!("--load: {folder}"));
    // A search that keeps no table is refused before it begins.
    let tree = ["analyze", "hex", "--position", "5:", "--simulations", "10", "--values", "tree"];
    for option in ["--load", "--save"] {
        refused(
            &[&tree[..], &[option, file.path()]].concat(),
            &format!("{option}: expected --values graph, found --values tree"),
        );
    }
    // Each is said of the file that was named, whichever command reads it.
    let path = file.path();
    let mut bytes = std::fs::read(path).expect("it was saved");
    let length = bytes.len();
    let write = |bytes: &[u8]| std::fs::write(path, bytes).expect("the file is written");
    let of_both = |expected: &str| {
        refused(&["table", path], &format!("FILE: {path}: {expected}"));
        let load = ["analyze", "hex", "--position", "5:", "--simulations", "10", "--load", path];
        refused(&load, &format!("--load: {path}: {expected}"));
    };
    write(&bytes[..length - 1]);
    of_both(&format!(
        "expected a file of {length} bytes, found one cut off after {}\n",
        length - 1
    ));
    write(b"");
    of_both("expected a file of 121 bytes, found an empty one\n");
    write(b"PK\x03\x04 another kind of file");
    of_both("expected a table or facts saved by playtree, found another kind of file\n");
    bytes[length - 9] ^= 1;
    write(&bytes);
    of_both("damaged: block of branches at byte ");
}

#[test]
fn saved_facts_are_gone_on_with() {
    let (file, table) = (Scratch::new("facts"), Scratch::new("no-facts"));
    let solve = ["solve", "hex", "--position", "4:", "--threads", "1"];
    let first = json_of(&[&solve[..], &["--json", "--save", file.path()]].concat());
    let second = json_of(&[&solve[..], &["--json", "--load", file.path()]].concat());
    assert_eq!(first["value"], second["value"]);
    let nodes = |json: &serde_json::Value| json["nodes"].as_u64().expect("a number of nodes");
    assert!(nodes(&second) * 10 < nodes(&first), "{first} {second}");
    let header = json_of(&["table", file.path(), "--json"]);
    assert_eq!((&header["game"], &header["max_points"]), (&"hex 4".into(), &1.into()));
    let text = text_of(&["table", file.path()]);
    assert!(text.starts_with("hex 4 (encoding 1), facts of a solver, format version 1\n"));

    text_of(&[&HEX[..], &["--save", table.path()]].concat());
    let facts = "the facts of a solver";
    let search = "the table of a Monte Carlo search";
    let hex = ["solve", "hex", "--position", "5:", "--load"];
    for (args, expected) in [
        ([&hex[..], &[table.path()]].concat(), format!("expected {facts}, found {search}")),
        (
            [&HEX[..], &["--load", file.path()]].concat(),
            format!("expected {search}, found {facts}"),
        ),
        ([&hex[..], &[file.path()]].concat(), "expected a table of hex 5".to_owned()),
        ([&hex[..], &["no such file"]].concat(), "no such file: cannot read".to_owned()),
    ] {
        let run = run(&args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        let said = run.stderr.trim_end();
        assert!(said.contains("--load: ") && said.contains(&expected), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_damaged_file_is_said_to_be_damaged() {
    let refused = |file: &Scratch, place: &str| {
        let mut bytes = std::fs::read(file.path()).expect("it was saved");
        let at = bytes.len() * 3 / 4;
        bytes[at] ^= 1;
        std::fs::write(file.path(), &bytes).expect("the file is written");
        for json in [&[][..], &["--json"]] {
            let run = run(&[&["table", file.path()], json].concat());
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{place}");
            let expected = format!("playtree: FILE: {}: damaged: block of {place} at", file.path());
            assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
        }
    };
    let file = Scratch::new("damaged");
    for compress in [&[][..], &["--compress"]] {
        text_of(&[&HEX[..], &["--save", file.path()], compress].concat());
        text_of(&["table", file.path()]);
        refused(&file, "branches");
    }
    text_of(&["solve", "tictactoe", "--save", file.path()]);
    text_of(&["table", file.path()]);
    refused(&file, "facts");
}

#[test]
fn a_search_is_saved_while_it_runs() {
    let (file, log) = (Scratch::new("every"), Scratch::new("every-log"));
    let every = ["--save", file.path(), "--save-every", "100ms", "--save-visits", "2"];
    let args = ["analyze", "othello", "--threads", "1", "--memory", "16MiB", "--json"];
    let mut child = crate::command(&[&args[..], &every].concat()).spawn().expect("it starts");
    let saved = || std::fs::metadata(file.path()).and_then(|found| found.modified());
    while saved().is_err() {
        assert!(child.try_wait().expect("a child").is_none(), "it has ended early");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    // Of a search that was killed.
    let table = json_of(&["table", file.path(), "--json"]);
    assert_eq!((&table["searches"], &table["thinned"]), (&1.into(), &true.into()));
    // At the end there is the whole table.
    let limit = ["--simulations", "3000", "--load", file.path()];
    let whole = [&args[..], &["--save", log.path(), "--save-every", "1h"], &limit].concat();
    let report = json_of(&whole);
    let table = json_of(&["table", log.path(), "--json"]);
    assert_eq!((&table["nodes"], &table["searches"]), (&report["nodes"], &2.into()));
    let run = run(&["analyze", "othello", "--save-every", "1s", "--simulations", "1"]);
    assert!(run.code == Some(2) && run.stderr.contains("expected --save"), "{}", run.stderr);
}

#[test]
fn a_search_that_is_saved_meanwhile_finds_the_same() {
    let file = Scratch::new("meanwhile");
    let args = ["analyze", "connect4", "--threads", "1", "--seed", "1", "--json"];
    let limit = ["--simulations", "250000"];
    let every = ["--save", file.path(), "--save-every", "100ms"];
    let alone = json_of(&[&args[..], &limit].concat());
    let saved = json_of(&[&args[..], &limit, &every].concat());
    for field in ["nodes", "win_rate", "moves"] {
        assert_eq!(saved[field], alone[field], "{field}");
        assert!(!alone[field].is_null(), "{field}");
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_replaced_is_refused_before_the_search() {
    // Without a limit: a search would not end.
    let refused = |command: &str, path: &str, expected: &str| {
        let run = run(&[command, "connect4", "--save", path]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{path}");
        assert_eq!(run.stderr, format!("playtree: --save: {path}: expected {expected}\n"));
    };
    for command in ["analyze", "solve"] {
        let other = "a regular file or none, found a device, a pipe or a socket";
        refused(command, "/dev/null", other);
        refused(command, "/", "a regular file or none, found a folder");
        refused(command, "no/such/file", "a folder no/such for it, found none");
    }
    let folder = Scratch::new("links");
    std::fs::create_dir(folder.path()).expect("a folder");
    let at = |name: &str| folder.0.join(name).to_str().expect("a path in UTF-8").to_owned();
    std::os::unix::fs::symlink("table", at("link")).expect("a link");
    text_of(&[&HEX[..], &["--save", &at("link")]].concat());
    text_of(&[&HEX[..], &["--save", &at("link")]].concat());
    assert!(std::fs::symlink_metadata(at("link")).expect("it is there").is_symlink());
    text_of(&["table", &at("table")]);
    let _ = std::fs::remove_dir_all(folder.path());
}
