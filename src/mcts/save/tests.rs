//! A table saved while workers change it: what no public call can do yet.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::records::TreeSource;
use super::{GameTag, SaveOptions, TableInfo, write};
use crate::budget::Budget;
use crate::games::{ConnectFour, Hex};
use crate::mcts::control::Control;
use crate::mcts::watch::Watch;
use crate::mcts::worker::{Search, run_all};
use crate::mcts::{LockPolicy, Mcts};
use crate::{Parallelism, Saveable, Selection};

/// A file that is removed at the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Saves again and again while two workers search, and loads what was saved.
fn save_while_searching<G: Saveable>(name: &str, state: &G, selection: Selection) {
    let file = format!("playtree-live-{name}-{}", std::process::id());
    let file = Scratch(std::env::temp_dir().join(file));
    let tag = GameTag::new("live", 1);
    let builder = Mcts::<G>::builder()
        .threads(2)
        .oversubscribe(true)
        .selection(selection)
        .lock_policy(LockPolicy::Defer);
    let mut mcts = builder.clone().build().unwrap();
    // The header of a table of this game.
    mcts.save(&file.0, &tag, &SaveOptions::default()).unwrap();
    let header = TableInfo::read(&file.0).unwrap();
    let root = mcts.root(state).unwrap().unwrap();
    let (tree, workers, proofs) = (&mcts.tree, &mut mcts.workers, mcts.proofs);
    let budget = Budget::simulations(60_000);
    let control = Control::start(&budget);
    let watch = Watch::new(&budget, mcts.rounds);
    let search = Search {
        tree,
        root,
        state,
        control: &control,
        watch: &watch,
        parallelism: Parallelism::Shared,
        longest_round: u32::MAX,
        proofs,
        seed: 1,
    };
    let running = AtomicBool::new(true);
    let tables = std::thread::scope(|scope| {
        let saver = scope.spawn(|| {
            let mut tables = Vec::new();
            while running.load(Ordering::Relaxed) || tables.is_empty() {
                let source = TreeSource::new(tree, 0);
                let root = source.numbering.number(root);
                let info = TableInfo { root, ..header.clone() };
                let mut bytes = Vec::new();
                write::write(&source, info, Cursor::new(&mut bytes)).unwrap();
                tables.push(bytes);
            }
            tables
        });
        run_all(&search, workers).unwrap();
        running.store(false, Ordering::Relaxed);
        saver.join().unwrap()
    });
    for bytes in tables.iter().step_by(1 + tables.len() / 20) {
        std::fs::write(&file.0, bytes).unwrap();
        let mut reader = builder.clone().build().unwrap();
        let loaded = reader.load(&file.0, &tag).unwrap();
        assert_eq!(loaded.table.version, crate::save::VERSION);
        reader.audit().unwrap_or_else(|error| panic!("{name}: {error}"));
        reader.search(state, &Budget::simulations(2_000)).unwrap();
        reader.audit().unwrap_or_else(|error| panic!("{name}, later: {error}"));
    }
}

#[test]
fn a_table_can_be_saved_while_a_search_changes_it() {
    for selection in [Selection::default(), Selection::Ucb1Tuned] {
        save_while_searching("connect4", &ConnectFour::new(), selection);
        // Proves much while it is saved.
        save_while_searching("hex", &Hex::new(4).unwrap(), selection);
    }
}
