//! `playtree bench`: that its figures fit together.

use crate::{json_of, text_of};

const QUICK: [&str; 6] = ["--simulations", "2000", "--repetitions", "2", "--threads", "2"];

#[test]
fn the_figures_of_a_game_fit_together() {
    let args = [&["bench", "connect4", "nim", "--json", "--oversubscribe"], &QUICK[..]].concat();
    let json = json_of(&args);
    let games = json["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!((&game["simulations"], &game["repetitions"]), (&2000.into(), &2.into()));
        let lines = game["workers"].as_array().expect("workers");
        assert_eq!(lines.len(), 2);
        assert!((1..=2).contains(&game["recommended_workers"].as_u64().expect("a number")));
        for (workers, line) in (1u64..).zip(lines) {
            let number = |field: &str| line[field].as_f64().expect("a number");
            assert_eq!(line["workers"], workers);
            assert!(number("simulations_per_second") > 0.0 && number("bytes_per_node") > 0.0);
            assert!((0.0..=1.0).contains(&number("drop_rate")));
            let ratio = number("simulations_per_second") / number("rollouts_per_second");
            assert!((ratio - number("ratio")).abs() < 1e-9);
        }
        assert_eq!(lines[0]["speed_up"], 1.0);
    }
}

#[test]
fn the_text_has_a_table_for_each_game() {
    let text = text_of(&[&["bench", "tictactoe"], &QUICK[..]].concat());
    assert!(text.starts_with("tictactoe: 2,000 simulations, median of 2, proofs off\n"), "{text}");
    assert!(text.contains("\nrecommended workers: "), "{text}");
}
