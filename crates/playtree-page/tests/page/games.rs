//! Whole games of every game.

use playtree::GameState;
use playtree_session::{Game, Position};
use serde_json::{Value, json};

use crate::client::{Client, Numbers, Session, small, start};

/// The cells of a board.
fn cells(view: &Value) -> Option<&Vec<Value>> {
    view["board"]["cells"].as_array()
}

/// Plays a move, and compares what has changed with what the move said, and all with the rules.
fn play(session: &mut Session, mv: &Value, state: &mut Position) {
    let (before, text) = (session.view.clone(), mv["text"].as_str().expect("a text"));
    session.play(text);
    let parsed = state.parse_move(text).expect("a legal move");
    state.apply_in_place(&parsed);
    assert_eq!(session.view["position"], state.position_text());
    assert_eq!(session.view["mover"], state.mover());
    assert!(session.view["version"].as_u64() > before["version"].as_u64());
    let legal = if session.is_over() { Vec::new() } else { state.legal_moves() };
    assert_eq!(session.moves(), legal);
    let (Some(old), Some(new)) = (cells(&before), cells(&session.view)) else { return };
    let changed: Vec<usize> = (0..old.len()).filter(|&cell| old[cell] != new[cell]).collect();
    assert_eq!(mv["cells"], json!(changed), "{text} in {}", before["position"]);
    let touched: Vec<&Value> =
        [&mv["from"], &mv["to"]].into_iter().filter(|c| !c.is_null()).collect();
    assert_eq!(session.view["board"]["last"], json!(touched));
    assert!(touched.iter().all(|cell| changed.contains(&(cell.as_u64().unwrap() as usize))));
}

/// An engine against random moves, to the end.
fn whole_game(
    client: &Client,
    game: &str,
    position: Option<&str>,
    settings: &Value,
    limit: &Value,
) {
    let mut session =
        client.open(&json!({ "game": game, "position": position, "settings": settings }));
    let events = session.events();
    let (_, mut state) = Game::open(game, position).unwrap();
    let mut numbers = Numbers(game.len() as u64);
    let mut plies = 0;
    while !session.is_over() {
        let moves = session.view["moves"].as_array().unwrap().clone();
        let mv = if plies % 2 == 0 {
            let end = session.search_with(&events, limit);
            let best = &end["report"]["best_move"];
            moves.iter().find(|mv| &mv["text"] == best).expect("the best move is legal").clone()
        } else {
            moves[numbers.below(moves.len())].clone()
        };
        play(&mut session, &mv, &mut state);
        plies += 1;
        assert!(plies < 400, "{game} has an end");
    }
    let scores = &session.view["outcome"]["scores"];
    println!("{game} {position:?}: {plies} plies, {scores}");
    assert_eq!(session.view["played"].as_array().unwrap().len(), plies);
    // The link leads to the same game.
    let played = session.view["played"].clone();
    let again = client.open(&json!({ "game": game, "position": position, "moves": played }));
    for field in ["position", "board", "outcome", "link", "moves"] {
        assert_eq!(again.view[field], session.view[field], "{field}");
    }
    client.delete(&again.path).granted();
    client.delete(&session.path).granted();
}

#[test]
fn what_other_programs_write_is_set_up_and_played() {
    let client = Client::new(start(small()));
    // A link of HexWorld's, a line of Edax's problems, and FEN without a side.
    let link = "https://hexworld.org/board/#9r9c1,e5g6c6i9b3";
    let edax =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";
    let general = "4k4/9/9/9/9/9/9/9/9/3K5";
    for (game, position, ours) in [
        ("hex", link, "9: b3 g6 e5 i9 c6"),
        ("othello", edax, "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"),
        ("xiangqi", general, "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"),
    ] {
        let session = client.open(&json!({ "game": game, "position": position }));
        assert_eq!(session.view["position"], ours);
        client.delete(&session.path).granted();
    }
    let mut session = client.open(&json!({ "game": "xiangqi" }));
    session.play("C2=5");
    assert_eq!(session.view["played"], json!(["h2e2"]));
    client.delete(&session.path).granted();
}

#[test]
fn every_game_is_played_to_its_end() {
    let client = Client::new(start(small()));
    let mcts = json!({ "mcts": { "threads": 1, "seed": 1 } });
    let alphabeta = json!({ "alphabeta": { "threads": 1 } });
    let simulations = json!({ "simulations": 300 });
    for game in client.get("/api/games").granted().as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        if name == "xiangqi" {
            whole_game(&client, name, None, &alphabeta, &json!({ "depth": 4 }));
            continue;
        }
        for start in game["starts"].as_array().unwrap() {
            whole_game(&client, name, start["position"].as_str(), &mcts, &simulations);
        }
    }
}
