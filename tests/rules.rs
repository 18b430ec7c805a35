//! The rules of the reference games: counts against published numbers, and conformance.

#![cfg(feature = "games")]

use std::fmt::Debug;

use playtree::games::othello::Placement;
use playtree::games::{
    ConnectFour, GAMES, GameVisitor, Hex, LargeHex, MisereNim, NormalNim, Othello, TicTacToe,
    with_game,
};
use playtree::testing::{LawBroken, check_game, check_notation, leaves, perft, positions};
use playtree::{GameState, Notation};

#[test]
fn tictactoe_has_255168_games_and_5478_positions() {
    let start = TicTacToe::new();
    assert_eq!(leaves(&start, 9), 255_168);
    assert_eq!(positions(&start), 5_478);
    // 9!/(9-d)!, less the lines that go on after a win from depth 6 on.
    let lines: Vec<u64> = (1..=9).map(|depth| perft(&start, depth)).collect();
    assert_eq!(lines, [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]);
}

#[test]
fn connect_four_counts_to_depth_8() {
    let start = ConnectFour::new();
    let lines: Vec<u64> = (1..=8).map(|depth| perft(&start, depth)).collect();
    assert_eq!(lines, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
}

/// Lines of `depth` discs: a pass costs nothing.
fn discs_placed(state: &Othello, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    match moves[..] {
        [] => 1,
        [Placement::PASS] => discs_placed(&state.apply(&Placement::PASS), depth),
        _ => moves.iter().map(|mv| discs_placed(&state.apply(mv), depth - 1)).sum(),
    }
}

#[test]
fn othello_counts_to_depth_9_with_both_conventions() {
    let start = Othello::new();
    let lines = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216];
    for (depth, count) in (1..).zip(lines) {
        assert_eq!(leaves(&start, depth), count, "depth {depth}");
        assert_eq!(discs_placed(&start, depth), count, "depth {depth}");
    }
    // The first forced passes: as a ply (ours), and at no cost.
    assert_eq!(leaves(&start, 9), 3_005_288);
    assert_eq!(discs_placed(&start, 9), 3_005_320);
}

#[test]
fn hex_counts_are_falling_factorials_until_someone_can_win() {
    for size in 2..=5u64 {
        let start = Hex::new(size as usize).unwrap();
        // Nobody has won before ply 2 * size - 1: every order of cells is a line.
        let mut count = 1;
        for depth in 1..=(2 * size as u32 - 1).min(6) {
            count *= size * size + 1 - u64::from(depth);
            assert_eq!(perft(&start, depth), count, "size {size}, depth {depth}");
            let large = LargeHex::new(size as usize).unwrap();
            assert_eq!(perft(&large, depth.min(4)), perft(&start, depth.min(4)));
        }
    }
    // 2x2 by hand: three of the six pairs of cells join top and bottom, so half of the 24
    // lines of three plies end; the other twelve have one more move, which wins.
    let small = Hex::new(2).unwrap();
    assert_eq!((perft(&small, 3), perft(&small, 4), leaves(&small, 4)), (24, 12, 24));
}

#[test]
fn nim_counts_are_those_of_the_piles() {
    // One pile of n is emptied in 2^(n-1) ways.
    for size in 1..=12 {
        let pile = NormalNim::new(&[size]).unwrap();
        assert_eq!(leaves(&pile, 12), 1 << (size - 1));
        let pile = MisereNim::new(&[size]).unwrap();
        assert_eq!(leaves(&pile, 12), 1 << (size - 1));
    }
    let start = NormalNim::default();
    assert_eq!(perft(&start, 1), 1 + 3 + 5 + 7);
    // All ways to have piles up to these sizes, with either side to move; only where each
    // pile touched has lost just one the number of plies, and so the side, is fixed.
    assert_eq!(positions(&start), 2 * (2 * 4 * 6 * 8) - 16);
}

/// Conformance in this many games.
struct Games(usize);

impl GameVisitor for Games {
    type Output = Result<(), LawBroken>;

    fn visit<G: Notation + Debug + 'static>(self, position: G) -> Self::Output {
        check_game(&position, self.0, 1)?;
        check_notation(&position, self.0.min(40), 2)
    }
}

#[test]
fn every_game_keeps_the_laws() {
    for info in GAMES {
        // A random game of Xiangqi has 400 plies with some forty moves each.
        let games = if info.name == "xiangqi" { 20 } else { 1000 };
        if info.name != "hex" {
            assert_eq!(with_game(info.name, None, Games(games)).unwrap(), Ok(()), "{}", info.name);
        }
    }
}

#[test]
fn hex_keeps_the_laws_on_every_size() {
    for size in 2..=19 {
        // Each position of a large board has hundreds of moves to check.
        let games = if size < 6 { 1000 } else { 300_000 / (size * size * size * size) + 2 };
        let text = format!("{size}:");
        assert_eq!(with_game("hex", Some(&text), Games(games)).unwrap(), Ok(()), "{size}");
    }
}

/// The two widths of Hex against each other: the same rules, other words.
#[test]
fn large_boards_roll_out_as_small_ones() {
    let mut rng = playtree::Rng::from_seed(3);
    let mut scores = [0.0; 2];
    for text in ["11:", "11: f6", "11: f6 a1 f7 b2 f8"] {
        let (small, large) =
            (Hex::parse_position(text).unwrap(), LargeHex::parse_position(text).unwrap());
        for _ in 0..20_000 {
            scores[0] += small.rollout(&mut rng).unwrap().score(0);
            scores[1] += large.rollout(&mut rng).unwrap().score(0);
        }
        // Eight standard deviations of the difference.
        assert!((scores[0] - scores[1]).abs() < 8.0 * f64::sqrt(30_000.0), "{text}: {scores:?}");
    }
}
