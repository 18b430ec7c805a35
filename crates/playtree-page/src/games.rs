//! The games that can be played, with titles and positions to begin with.

use playtree::games::{GAMES, GameInfo};
use playtree_session::Game;

use crate::messages::{GameAbout, Start};
use crate::networks::Networks;

/// What a page needs to know of every game.
///
/// # Examples
/// ```
/// let games = playtree_page::games::all();
/// let othello = games.iter().find(|game| game.name == "othello").expect("it is there");
/// assert_eq!((othello.title.as_str(), othello.starts.len()), ("Othello", 3));
/// ```
#[must_use]
pub fn all() -> Vec<GameAbout> {
    offering(&Networks::default())
}

/// The same, where a server has these networks.
pub(crate) fn offering(networks: &Networks) -> Vec<GameAbout> {
    GAMES.iter().map(|info| about(info, networks)).collect()
}

fn about(info: &GameInfo, networks: &Networks) -> GameAbout {
    let (game, _) = Game::open(info.name, None).expect("a game of the list has its start");
    // Not all sizes are in every build.
    let is_there = |position: &str| Game::open(info.name, Some(position)).is_ok();
    let starts = starts(info.name).iter();
    let mut starts: Vec<Start> = starts
        .filter(|(_, position)| is_there(position))
        .map(|(name, position)| Start {
            name: (*name).into(),
            position: (*position).into(),
            network: networks.begins(info.name, position),
        })
        .collect();
    if starts.is_empty() {
        let network = networks.begins(info.name, info.start);
        starts.push(Start { name: "start".into(), position: info.start.into(), network });
    }
    GameAbout {
        name: info.name.into(),
        title: title(info.name).into(),
        players: game.players(),
        evaluation: game.has_evaluation(),
        solvable: game.is_solvable(),
        rules: info.rules.into(),
        position_format: info.position_help.into(),
        move_format: info.move_help.into(),
        starts,
    }
}

/// What a game is called; its name if this list does not have it.
pub(crate) fn title(name: &'static str) -> &'static str {
    match name {
        "tictactoe" => "Tic-tac-toe",
        "connect4" => "Connect Four",
        "othello" => "Othello",
        "hex" => "Hex",
        "nim" => "Nim",
        "nim-misere" => "Nim, misère",
        "breakthrough" => "Breakthrough",
        "gomoku" => "Gomoku",
        "xiangqi" => "Xiangqi",
        "doudizhu" => "Dou Dizhu",
        name => name,
    }
}

/// The positions that a page begins the game with, the usual one first.
pub(crate) fn positions(info: &GameInfo) -> Vec<&'static str> {
    match starts(info.name) {
        [] => vec![info.start],
        starts => starts.iter().map(|(_, position)| *position).collect(),
    }
}

/// Names and positions, the usual one first; none where there is one start only.
fn starts(name: &str) -> &'static [(&'static str, &'static str)] {
    match name {
        "othello" => &[
            ("8x8", "---------------------------OX------XO--------------------------- X"),
            ("6x6", "--------------OX----XO-------------- X"),
            ("4x4", "-----OX--XO----- X"),
        ],
        "hex" => &[
            ("11x11", "11:"),
            ("5x5", "5:"),
            ("7x7", "7:"),
            ("9x9", "9:"),
            ("13x13", "13:"),
            ("19x19", "19:"),
            ("11x11, swap rule", "11 swap:"),
            ("7x6", "7x6:"),
        ],
        "gomoku" => &[
            ("15x15", "15:"),
            ("15x15, exactly five", "15 exact:"),
            ("9x9", "9:"),
            ("19x19", "19:"),
            ("4x4, three in a row", "4x4x3:"),
            ("6x6, four in a row", "6x6x4:"),
        ],
        "breakthrough" => &[
            ("8x8", "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w"),
            ("6x6", "pppppp/pppppp/6/6/PPPPPP/PPPPPP w"),
            ("5x5", "ppppp/5/5/5/PPPPP w"),
        ],
        "nim" | "nim-misere" => {
            &[("1, 3, 5, 7", "1,3,5,7"), ("3, 4, 5", "3,4,5"), ("8 piles", "1,2,3,4,5,6,7,8")]
        }
        "doudizhu" => &[
            ("published endgame", "KK5543/225543"),
            ("bomb and kickers", "3333TJ/4"),
            ("to be beaten", "9874/65/3"),
        ],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use playtree_session::Game;

    use super::{GAMES, all, starts};

    #[test]
    fn every_start_is_a_position_that_goes_on() {
        for game in all() {
            assert_ne!(game.title, game.name);
            for start in &game.starts {
                let (_, position) = Game::open(&game.name, Some(&start.position)).unwrap();
                assert!(!position.legal_moves().is_empty(), "{}: {}", game.name, start.name);
            }
        }
    }

    #[test]
    fn the_first_start_is_that_of_the_game() {
        for info in GAMES {
            let first = starts(info.name).first().map_or(info.start, |(_, position)| position);
            assert_eq!(first, info.start, "{}", info.name);
        }
    }
}
