//! The rules of the reference games: counts against published numbers, and conformance; what they
//! tell the solver, against a plain search.

use std::collections::HashMap;
use std::fmt::Debug;

use playtree::game::RolloutPolicy;
use playtree::games::gomoku::{self, Rule};
use playtree::games::hex::size_of_text;
use playtree::games::othello::Placement;
use playtree::games::{
    Breakthrough, ConnectFour, GAMES, GameVisitor, Gomoku, Hex, LargeGomoku, LargeHex, MisereNim,
    NormalNim, Othello, TicTacToe, Xiangqi, with_game,
};
use playtree::testing::{
    Law, LawBroken, check_game, check_notation, check_solvable, check_uniform, leaves, perft,
    positions,
};
use playtree::{GameState, Notation, Outcome, Solvable};

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
        // No side has won before ply 2 * size - 1: every order of cells is a line.
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
    let unequal = Hex::with_sides(6, 5).unwrap();
    assert_eq!((perft(&unequal, 1), perft(&unequal, 3)), (30, 30 * 29 * 28));
    // The second move may be a swap, and the third one has all other cells then.
    let swap = Hex::new(5).unwrap().with_swap().unwrap();
    assert_eq!((perft(&swap, 2), perft(&swap, 3)), (25 * 25, 25 * (24 * 23 + 24)));
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

/// OpenSpiel's counts.
#[test]
fn breakthrough_counts_to_depth_5() {
    let start = Breakthrough::default();
    let lines: Vec<u64> = (1..=4).map(|depth| perft(&start, depth)).collect();
    assert_eq!(lines, [22, 484, 11_132, 256_036]);
    let small = Breakthrough::new(5, 6).unwrap();
    let lines: Vec<u64> = (1..=5).map(|depth| perft(&small, depth)).collect();
    assert_eq!(lines, [13, 169, 2_331, 31_545, 453_608]);
}

/// Whether the side to move wins, and in how many plies with best play: the winner hurries, the
/// loser drags it out.
fn solve(state: &Breakthrough, known: &mut HashMap<[u64; 2], (bool, u32)>) -> (bool, u32) {
    if let Some(&found) = known.get(&state.key()) {
        return found;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let mut best = (false, 0);
    for mv in &moves {
        let (loses, plies) = solve(&state.apply(mv), known);
        best = match (best.0, !loses) {
            (true, true) => (true, best.1.min(plies + 1)),
            (false, false) => (false, best.1.max(plies + 1)),
            (true, false) => best,
            (false, true) => (true, plies + 1),
        };
    }
    known.insert(state.key(), best);
    best
}

/// Values of small boards by exhaustive search: the first player wins or not, and in how many
/// plies. Those of the boards with one row of pieces agree with OpenSpiel.
#[test]
fn small_breakthrough_boards_have_their_known_values() {
    for (text, first_wins, plies) in [
        ("pp/pp/PP/PP w", false, 8),
        ("pppp/pppp/PPPP/PPPP w", false, 14),
        ("ppp/3/PPP w", true, 5),
        ("pppp/4/4/PPPP w", true, 11),
        ("ppppp/5/PPPPP w", true, 5),
        ("pp/2/2/PP w", false, 6),
        ("pp/2/2/2/PP w", true, 7),
        ("ppp/3/3/3/PPP w", true, 13),
    ] {
        let start = Breakthrough::parse_position(text).unwrap();
        assert_eq!(solve(&start, &mut HashMap::new()), (first_wins, plies), "{text}");
    }
}

/// OpenSpiel's counts on 9x9, and that no game ends before the ninth ply.
#[test]
fn gomoku_counts_are_falling_factorials() {
    for rule in [Rule::KOrMore, Rule::ExactlyK] {
        let start = Gomoku::new(9, rule).unwrap();
        assert_eq!((perft(&start, 1), perft(&start, 2), perft(&start, 3)), (81, 6_480, 511_920));
    }
    // On 5x5 a row is five and no more, so both rules are one game. Both sides have an open four
    // here and 13 points are left: X wins with e1; takes e2, after which neither side wins in two
    // plies; or leaves it to O.
    let text = "5: a1 a2 b1 b2 c1 c2 d1 d2 a3 b3 a4 b4";
    for text in [text, &text.replace("5:", "5 exact:")] {
        let small = Gomoku::parse_position(text).unwrap();
        let large = LargeGomoku::parse_position(text).unwrap();
        assert_eq!(leaves(&small, 3), 1 + 12 * 11 + 11 * (1 + 11 * 11));
        assert_eq!(leaves(&large, 3), leaves(&small, 3));
    }
}

/// Conformance in this many games.
struct Games {
    count: usize,
    /// Whether rollouts are uniformly random moves.
    uniform: bool,
}

impl Games {
    fn uniform(count: usize) -> Self {
        Self { count, uniform: true }
    }

    /// Of a game whose rollouts see more than the rules.
    fn seeing(count: usize) -> Self {
        Self { count, uniform: false }
    }
}

impl GameVisitor for Games {
    type Output = Result<(), LawBroken>;

    fn visit<G: Notation + Debug + 'static>(self, position: G) -> Self::Output {
        check_game(&position, self.count, 1)?;
        if self.uniform {
            check_uniform(&position, &G::rollouts(), self.count, 1)?;
        }
        check_notation(&position, self.count.min(40), 2)
    }
}

#[test]
fn every_game_keeps_the_laws() {
    for info in GAMES {
        // A random game of Xiangqi has 400 plies with some forty moves each.
        let count = if info.name == "xiangqi" { 20 } else { 1000 };
        let games = match info.name {
            "breakthrough" | "connect4" | "othello" | "xiangqi" => Games::seeing(count),
            _ => Games::uniform(count),
        };
        if !["hex", "gomoku"].contains(&info.name) {
            assert_eq!(with_game(info.name, None, games).unwrap(), Ok(()), "{}", info.name);
        }
    }
}

#[test]
fn hex_keeps_the_laws_on_every_size() {
    for size in 2..=19 {
        // Each position of a large board has hundreds of moves to check.
        let games = if size < 6 { 1000 } else { 300_000 / (size * size * size * size) + 2 };
        let text = format!("{size}:");
        assert_eq!(with_game("hex", Some(&text), Games::uniform(games)).unwrap(), Ok(()), "{size}");
    }
}

#[test]
fn hex_keeps_the_laws_on_unequal_sides_and_with_the_swap_rule() {
    for text in [
        "2x3:",
        "3x2:",
        "5x4:",
        "3x11:",
        "7x6: g1 a6",
        "2 swap:",
        "3 swap:",
        "5 swap: a2",
        "8x13:",
        "19x3:",
        "12 swap:",
        "4 swap: a2 swap",
    ] {
        let count = if size_of_text(text).unwrap() < 6 { 1000 } else { 20 };
        // Rollouts do not swap.
        let games = Games { count, uniform: !text.contains("swap") };
        assert_eq!(with_game("hex", Some(text), games).unwrap(), Ok(()), "{text}");
    }
}

#[test]
fn gomoku_keeps_the_laws_on_every_size() {
    for size in gomoku::DEFAULT_K..=gomoku::MAX_SIZE {
        for rule in ["", " exact"] {
            let games = if size < 7 { 100 } else { 50_000 / (size * size * size * size) + 1 };
            let text = format!("{size}{rule}:");
            assert_eq!(
                with_game("gomoku", Some(&text), Games::seeing(games)).unwrap(),
                Ok(()),
                "{text}"
            );
        }
    }
}

#[test]
fn mnk_games_keep_the_laws() {
    for board in [
        "3x3x3", "4x3x3", "3x4x4", "4x4x4", "6x5x3", "5x8x4", "7x7x6", "15x3x5", "3x15x15",
        "9x11x3", "19x3x3", "4x19x6", "19x17x9", "20x20x8",
    ] {
        for rule in ["", " exact"] {
            let text = format!("{board}{rule}:");
            let points: usize =
                board.split('x').take(2).map(|n| n.parse::<usize>().unwrap()).product();
            let games = Games::seeing(200_000 / (points * points) + 1);
            assert_eq!(with_game("gomoku", Some(&text), games).unwrap(), Ok(()), "{text}");
        }
    }
}

/// The same game with other code: of the 9! orders of the squares the same number is left at each
/// depth.
#[test]
fn three_by_three_with_three_in_a_row_is_tic_tac_toe() {
    let start = Gomoku::mnk(3, 3, 3, Rule::KOrMore).unwrap();
    let other = TicTacToe::new();
    for depth in 1..=9 {
        assert_eq!(perft(&start, depth), perft(&other, depth), "depth {depth}");
    }
    assert_eq!(leaves(&start, 9), 255_168);
    assert_eq!(positions(&start), 5_478);
}

#[test]
fn othello_keeps_the_laws_on_small_boards() {
    for text in ["-----OX--XO----- X".to_owned(), format!("{0}OX----XO{0} X", "-".repeat(14))] {
        assert_eq!(
            with_game("othello", Some(&text), Games::seeing(200)).unwrap(),
            Ok(()),
            "{text}"
        );
    }
}

#[test]
fn breakthrough_keeps_the_laws_on_other_sizes() {
    for (columns, rows) in [(2, 3), (2, 8), (3, 3), (5, 4), (5, 6), (7, 7), (8, 3), (8, 5)] {
        let start = Breakthrough::new(columns, rows).unwrap();
        assert_eq!(Games::seeing(300).visit(start), Ok(()), "{columns}x{rows}");
    }
}

/// What the solver takes on trust, in this many games.
struct Solving(usize);

impl GameVisitor for Solving {
    type Output = Result<(), LawBroken>;

    fn visit<G: Solvable + 'static>(self, position: G) -> Self::Output {
        // A game in which positions come again is not for the solver.
        if G::SETTLED_BY_KEY { check_solvable(&position, self.0, 3) } else { Ok(()) }
    }
}

#[test]
fn what_the_solver_is_told_of_every_game_is_true() {
    for info in GAMES {
        assert_eq!(with_game(info.name, None, Solving(40)).unwrap(), Ok(()), "{}", info.name);
    }
}

/// Most of these are solved from their start.
#[test]
fn what_the_solver_is_told_of_small_boards_is_true() {
    let four = "-----OX--XO----- X".to_owned();
    let six = format!("{0}OX----XO{0} X", "-".repeat(14));
    for (name, texts) in [
        ("othello", &[&*four, &six][..]),
        ("hex", &["2:", "3:", "4:", "5:"]),
        ("nim", &["7", "1,2,4", "3,3,3", "2,2,5,5"]),
        ("nim-misere", &["7", "1,1,1", "1,2,4", "3,3,3"]),
        ("breakthrough", &["pp/pp/PP/PP w", "ppp/3/PPP w", "pp/2/2/2/PP w", "ppppp/5/PPPPP b"]),
        ("gomoku", &["3x3x3:", "4x3x3:", "3x4x4 exact:", "4x4x3 exact:", "4x4x4:", "3x9x3:"]),
        ("doudizhu", &["9874/65/3", "KK54/225543/3 2", "strict 3333TJ/4", "3344/34455/5"]),
    ] {
        for text in texts {
            let found = with_game(name, Some(text), Solving(60)).unwrap();
            assert_eq!(found, Ok(()), "{name} {text}");
        }
    }
}

#[test]
fn a_game_with_repetitions_is_none_to_be_solved() {
    let broken = check_solvable(&Xiangqi::new(), 1, 1).unwrap_err();
    assert_eq!(broken.law, Law::NoRepetition);
}

/// A rollout of the game's own policy.
fn rollout<G: GameState>(state: &G, rng: &mut playtree::Rng) -> Outcome {
    G::rollouts().play(state, rng).expect("the game has rollouts of its own")
}

/// Rollouts on large boards against their moves one by one: the conformance kit plays only a few
/// games there.
#[test]
fn gomoku_rollouts_end_as_their_moves_do() {
    let mut rng = playtree::Rng::from_seed(3);
    for text in [
        "7: d4 a1",
        "9 exact: e5 e4 d5 d4 c5 c4",
        "15: h8 h9 i8 i9 j8 j9",
        "19: a1",
        "7x11x4: d4 d5 e5",
        "12x5x6 exact: a1 b3",
    ] {
        let start = LargeGomoku::parse_position(text).unwrap();
        let mut scores = [[0.0; 2]; 2];
        for _ in 0..4_000 {
            let mut state = start;
            let mut buffer = Vec::new();
            while state.outcome().is_none() {
                let mv = LargeGomoku::rollouts().next_move(&state, &mut rng, &mut buffer);
                state.apply_in_place(&mv.expect("the game goes on"));
            }
            for (scores, outcome) in
                scores.iter_mut().zip([state.outcome().unwrap(), rollout(&start, &mut rng)])
            {
                scores[0] += outcome.score(0);
                scores[1] += f64::from(u8::from(outcome == Outcome::Draw));
            }
        }
        // Each sum has a standard deviation of at most 32, a difference 45.
        let apart = |at: usize| (scores[0][at] - scores[1][at]).abs();
        assert!(apart(0) < 225.0 && apart(1) < 225.0, "{text}: {scores:?}");
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
            scores[0] += rollout(&small, &mut rng).score(0);
            scores[1] += rollout(&large, &mut rng).score(0);
        }
        // Eight standard deviations of the difference.
        assert!((scores[0] - scores[1]).abs() < 8.0 * f64::sqrt(30_000.0), "{text}: {scores:?}");
    }
}
