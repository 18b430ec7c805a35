//! A program that saves in a loop is killed at random moments: the file is always a table,
//! the one before or the new one.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Folder, audit, tag};
use playtree::games::ConnectFour;
use playtree::{Budget, Mcts, Rng, save};

/// Where the child saves.
const TABLE: &str = "PLAYTREE_TEST_SAVES_TO";

fn engine() -> Mcts<ConnectFour> {
    Mcts::builder().threads(1).seed(1).build().unwrap()
}

/// The child: goes on from the file, if there is one, until it is killed. Does nothing when
/// it is run as a test.
#[test]
fn saves_until_it_is_killed() {
    let Some(file) = std::env::var_os(TABLE) else { return };
    let file = Path::new(&file);
    let mut mcts = engine();
    if file.exists() {
        mcts.load(file, &tag()).unwrap();
    }
    println!("\nready");
    loop {
        // Tables that grow are cut down again, so that a round does not get long.
        let report = mcts.search(&ConnectFour::new(), &Budget::simulations(2_000)).unwrap();
        if report.nodes > 40_000 {
            mcts.clear();
            mcts.search(&ConnectFour::new(), &Budget::simulations(2_000)).unwrap();
        }
        let nodes = mcts.search(&ConnectFour::new(), &Budget::simulations(0)).unwrap().nodes;
        let visits = audit(&mcts).root_visits;
        println!("begin {nodes} {visits}");
        mcts.save(file, &tag(), &save::Options::default()).unwrap();
        println!("saved {nodes} {visits}");
    }
}

/// The child that saves while it searches, with two workers and evictions.
#[test]
fn saves_a_running_search_until_it_is_killed() {
    let Some(file) = std::env::var_os(TABLE) else { return };
    let builder = Mcts::builder().threads(2).oversubscribe(true).memory_limit(Some(4 << 20));
    let thinking = builder.build().unwrap().start(&ConnectFour::new(), &Budget::unlimited());
    println!("\nready");
    loop {
        let info = thinking.save(&file, &tag(), &save::Options::default()).unwrap();
        println!("saved {}", info.search().unwrap().simulations);
    }
}

#[test]
fn a_program_killed_while_it_searches_leaves_the_last_table() {
    let folder = Folder::new("kill-running");
    let file = folder.file("table");
    let mut rng = Rng::from_seed(3);
    for turn in 0..10 {
        let _ = std::fs::remove_file(&file);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::saves_a_running_search_until_it_is_killed", "--nocapture"])
            .env(TABLE, &file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let saved = |line: String| line.strip_prefix("saved ")?.parse::<u64>().ok();
        // At least one file is there.
        let first = lines.by_ref().map_while(Result::ok).find_map(saved);
        std::thread::sleep(Duration::from_micros(rng.below(40_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let last = lines.map_while(Result::ok).filter_map(saved).last().or(first).unwrap();
        let mut mcts = engine();
        let loaded = mcts.load(&file, &tag()).unwrap_or_else(|error| panic!("{turn}: {error}"));
        let simulations = loaded.info.search().unwrap().simulations;
        assert!(simulations >= last, "{turn}: {loaded:?}, not {last}");
        audit(&mcts);
    }
    assert!(std::fs::read_dir(folder.path()).unwrap().count() <= 2);
}

/// Kills `count` children. Returns how many were killed while they saved.
fn kill(name: &str, count: u32) -> u32 {
    let folder = Folder::new(name);
    let file = folder.file("table");
    let mut rng = Rng::from_seed(9);
    let (mut saving, mut last) = (0, None);
    for turn in 0..count {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::saves_until_it_is_killed", "--nocapture", "--test-threads=1"])
            .env(TABLE, &file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.by_ref().find(|line| line.as_ref().is_ok_and(|line| line == "ready"));
        assert!(ready.is_some(), "turn {turn}: the child could not load the file");
        std::thread::sleep(Duration::from_micros(rng.below(40_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut said = HashMap::new();
        for line in lines.map_while(Result::ok) {
            if let Some((what, table)) = line.split_once(' ') {
                said.insert(what.to_owned(), table.to_owned());
            }
        }
        let old = said.get("saved").cloned().or(last);
        let new = said.get("begin").cloned();
        saving += u32::from(new.is_some() && new != old);
        let mut mcts = engine();
        let found = file.exists().then(|| {
            let loaded = mcts.load(&file, &tag()).unwrap_or_else(|error| panic!("{turn}: {error}"));
            format!("{} {}", loaded.info.positions, audit(&mcts).root_visits)
        });
        assert!(found == old || found == new, "{turn}: {found:?}, not {old:?} or {new:?}");
        last = found;
    }
    // One leftover at most: each save removes that of the child before.
    assert!(std::fs::read_dir(folder.path()).unwrap().count() <= 3);
    saving
}

#[test]
fn a_killed_program_leaves_a_table() {
    kill("kill", 30);
}

/// `cargo test --release --test saved kill:: -- --ignored --nocapture`
#[test]
#[ignore = "takes a minute"]
fn five_hundred_killed_programs_leave_a_table() {
    println!("{} of 500 were killed while they saved", kill("kill-500", 500));
}
