//! Boards and moves as data: what changes is what a move says.

use playtree_page::look;
use playtree_page::messages::{Board, Grid, Lattice};
use playtree_session::Game;

fn board(game: &str, position: &str) -> Board {
    look::board(&Game::open(game, Some(position)).unwrap().1, None)
}

#[track_caller]
fn grid(game: &str, position: &str) -> Grid {
    match board(game, position) {
        Board::Grid(grid) => grid,
        other => panic!("expected a grid, found {other:?}"),
    }
}

/// The pieces, each with its coordinates as the board is labelled.
fn pieces(grid: &Grid) -> Vec<String> {
    let there = grid.cells.iter().enumerate().filter(|(_, piece)| !piece.is_empty());
    there
        .map(|(cell, piece)| {
            let rank = grid.ranks.get(cell / grid.columns).cloned().unwrap_or_default();
            let file = grid.files.get(cell % grid.columns).cloned().unwrap_or_default();
            format!("{piece}{file}{rank}")
        })
        .collect()
}

#[test]
fn pieces_stand_where_their_coordinates_say() {
    for (game, position, expected, lattice) in [
        ("othello", "-----OX--XO----- X", "1b2 0c2 0b3 1c3", Lattice::Square),
        ("hex", "5: c3 a1 e5", "1a1 0c3 0e5", Lattice::Hex),
        ("hex", "7x6: g1 a6", "0g1 1a6", Lattice::Hex),
        ("hex", "5 swap: a2 swap c3", "1b1 0c3", Lattice::Hex),
        ("hex", "13: c3 m13", "0c3 1m13", Lattice::Hex),
        ("gomoku", "15: h8 a1 o15", "0o15 0h8 1a1", Lattice::Points),
        ("gomoku", "19: s19 a1", "0s19 1a1", Lattice::Points),
        ("gomoku", "4x3x3: d1 a3", "1a3 0d1", Lattice::Points),
        ("breakthrough", "1p1p/P3/3p/4/3P w", "1b5 1d5 0a4 1d3 0d1", Lattice::Square),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R3K4 w", "kd9 Ra0 Ke0", Lattice::Points),
    ] {
        let grid = grid(game, position);
        assert_eq!(pieces(&grid).join(" "), expected, "{game} {position}");
        assert_eq!((grid.lattice, grid.cells.len()), (lattice, grid.columns * grid.rows));
        assert_eq!((grid.files.len(), grid.ranks.len()), (grid.columns, grid.rows));
    }
    assert_eq!(grid("tictactoe", "XO.......").cells[..3], ["0", "1", ""]);
    let connect4 = grid("connect4", "1771");
    let stones = [35, 41, 34, 28].map(|cell: usize| connect4.cells[cell].as_str());
    assert_eq!(stones, ["0", "1", "0", "1"]);
    assert_eq!(board("nim", "3,0,7"), Board::Piles { piles: vec![3, 0, 7] });
    let Board::Cards { hands, to_beat } = board("doudizhu", "9874/65/3") else { panic!("cards") };
    assert_eq!(hands, [vec!["4", "7", "8", "9"], vec!["5", "6"]]);
    assert_eq!(to_beat.as_deref(), Some(["3".to_owned()].as_slice()));
    let Board::Cards { to_beat, .. } = board("doudizhu", "9874/65") else { panic!("cards") };
    assert_eq!(to_beat, None);
}

#[test]
fn moves_say_what_they_touch() {
    let moves = |game, position| look::moves(&Game::open(game, Some(position)).unwrap().1);
    let nim = moves("nim", "0,2");
    let seen: Vec<_> = nim.iter().map(|mv| (mv.from, mv.label.as_str())).collect();
    assert_eq!(seen, [(Some(1), "1"), (Some(1), "2")]);
    let pass = moves("doudizhu", "9874/65/T");
    assert_eq!((pass.len(), pass[0].label.as_str(), pass[0].to), (1, "pass", None));
    let column = &moves("connect4", "44")[3];
    assert_eq!((column.text.as_str(), column.to, column.from), ("4", Some(24), None));
    let xiangqi = moves("xiangqi", "3k5/9/9/9/9/9/9/9/9/R3K4 w");
    let check = xiangqi.iter().find(|mv| mv.text == "a0a9").unwrap();
    assert_eq!(
        (check.from, check.to, check.cells.as_slice()),
        (Some(81), Some(0), [0, 81].as_slice())
    );
}
