//! Games without a board: piles and hands.

use playtree::dynamic::AnyMove;
use playtree::games::Doudizhu;
use playtree::games::doudizhu::{Cards, Kind, Play, RANKS};
use playtree::games::nim::{Nim, Take};

use super::{Look, Touched};
use crate::messages::Board;

impl<const MISERE: bool> Look for Nim<MISERE> {
    fn board(&self) -> Board {
        Board::Piles { piles: self.piles().map(u32::from).collect() }
    }

    fn touched(&self, mv: &AnyMove) -> Touched {
        let Some(mv) = mv.get::<Take>() else { return Touched::default() };
        Touched { from: Some(mv.pile.into()), to: None, label: Some(mv.take.to_string()) }
    }
}

impl Look for Doudizhu {
    fn board(&self) -> Board {
        let last = self.last();
        Board::Cards {
            hands: self.hands().into_iter().map(one_by_one).collect(),
            to_beat: (last.kind() != Kind::Pass).then(|| one_by_one(last.cards())),
        }
    }

    /// Cards touch no cell; what a button says is the text of the move.
    fn touched(&self, mv: &AnyMove) -> Touched {
        let pass = mv.get::<Play>().is_some_and(|play| play.kind() == Kind::Pass);
        Touched { label: pass.then(|| "pass".to_owned()), ..Touched::default() }
    }
}

/// The cards, each by itself, from the lowest rank up.
fn one_by_one(cards: Cards) -> Vec<String> {
    let ranks = RANKS.chars().enumerate();
    ranks.flat_map(|(rank, name)| (0..cards.of(rank)).map(move |_| name.to_string())).collect()
}
