//! What a solver may know of Dou Dizhu.

use crate::game::GameState;
use crate::solvable::Solvable;

use super::Doudizhu;
use super::play::{Kind, Play};

impl Solvable for Doudizhu {
    fn promise(&self, mv: &Play, after: &Self) -> i32 {
        let mode: i32 = std::env::var("DDZ").ok().and_then(|v| v.parse().ok()).unwrap_or(0);
        if mode == 0 {
            return 0;
        }
        let mut replies = Vec::new();
        after.moves(&mut replies);
        let n = replies.len() as i32;
        match mode {
            1 => -n,
            2 => {
                if mv.kind() == Kind::Pass {
                    -1000
                } else {
                    -n * 4 + mv.cards().total() as i32
                }
            }
            3 => -n * 4 + mv.cards().total() as i32,
            4 => -n + 4 * mv.cards().total() as i32,
            5 => -n.min(8) * 8 + mv.cards().total() as i32,
            6 => {
                if n == 1 {
                    100 + mv.cards().total() as i32
                } else {
                    mv.cards().total() as i32
                }
            }
            7 => {
                if n == 1 {
                    100 - mv.rank() as i32
                } else {
                    mv.cards().total() as i32 * 16 - mv.rank() as i32
                }
            }
            _ => 0,
        }
    }
}
