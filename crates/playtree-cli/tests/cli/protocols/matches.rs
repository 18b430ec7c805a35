//! Matches of `playtree match` against this program itself, over each protocol for which it is both
//! client and server.

use crate::json_of;

#[test]
fn the_server_plays_whole_games_against_the_client() {
    let binary = env!("CARGO_BIN_EXE_playtree");
    for protocol in ["uci", "ucci", "xboard"] {
        let command = if protocol == "xboard" { "xboard" } else { "uci" };
        let player = format!("args={command} xiangqi mcts:simulations=60");
        let b = format!("{protocol}:{binary},{player}");
        let args = ["match", "xiangqi", "--a", "random", "--b", &b, "--games", "2", "--json"];
        let result = json_of(&args);
        assert_eq!(result["players"][1]["forfeits"], 0, "{protocol}: {result}");
        let games = result["games"].as_array().expect("games");
        assert_eq!(games.len(), 2);
    }
}
