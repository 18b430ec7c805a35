//! What the tests of saved tables share: folders of their own, reports as text, a game.

// Each of the test files uses a part of this.
#![allow(dead_code, unreachable_pub)]

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use playtree::{GameState, GameTag, Mcts, Outcome, Scores, mcts};

/// A folder that is removed at the end of a test.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder of this name, not used by another test.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("playtree-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Everything in a report but the time it took.
pub fn text<M: Debug>(mut report: mcts::Report<M>) -> String {
    report.elapsed = std::time::Duration::ZERO;
    format!("{report:?}")
}

pub fn tag() -> GameTag {
    GameTag::new("test", 1)
}

pub fn audit<G: GameState>(mcts: &Mcts<G>) -> mcts::Audit {
    mcts.audit().unwrap_or_else(|error| panic!("{error}"))
}

/// A small game for any number of players: a pile, from which one, two or three are taken;
/// the last one scores 1, the one before him 1/4.
#[derive(Clone, Debug)]
pub struct Pile<const PLAYERS: usize> {
    pub left: u32,
    pub plies: u32,
}

impl<const PLAYERS: usize> GameState for Pile<PLAYERS> {
    type Key = (u32, usize);
    type Move = String;
    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> Self::Key {
        (self.left, self.mover())
    }
    fn mover(&self) -> usize {
        self.plies as usize % PLAYERS
    }
    fn plies(&self) -> u32 {
        self.plies
    }
    fn moves(&self, moves: &mut Vec<String>) {
        moves.extend((1..=self.left.min(3)).map(|take| format!("take {take}")));
    }
    fn outcome(&self) -> Option<Outcome> {
        let mut scores = [0.0; PLAYERS];
        scores[(self.plies as usize + PLAYERS - 2) % PLAYERS] = 0.25;
        scores[(self.plies as usize + PLAYERS - 1) % PLAYERS] =
            if PLAYERS == 2 { 0.75 } else { 1.0 };
        (self.left == 0).then(|| Outcome::Scores(Scores::new(&scores).unwrap()))
    }
    fn apply(&self, mv: &String) -> Self {
        let take: u32 = mv[5..].parse().unwrap();
        Self { left: self.left - take, plies: self.plies + 1 }
    }
}
