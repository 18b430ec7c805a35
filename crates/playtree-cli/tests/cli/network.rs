//! Networks from files, on the command line: `--network` and `--root`.

use crate::run;

/// The network of the repository, which a run of `playtree-train` has left.
const NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../playtree-train/nets/connect4.onnx");

#[test]
fn networks_are_refused_where_they_are_of_no_use() {
    for arguments in [
        &["analyze", "connect4", "--network", NETWORK, "--cut-off", "3"][..],
        &["analyze", "connect4", "--root", "gumbel", "--simulations", "10"],
        &["analyze", "connect4", "--selection", "puct", "--simulations", "10"],
        &["match", "connect4", "--a", "mcts:root=dirichlet", "--b", "random", "--games", "2"],
    ] {
        let refused = run(arguments);
        assert_eq!(refused.code, Some(2), "{arguments:?}: {}", refused.stderr);
        assert!(refused.stderr.contains("network"), "{arguments:?}: {}", refused.stderr);
    }
}

#[cfg(not(feature = "network"))]
#[test]
fn a_build_without_networks_says_how_to_get_them() {
    let refused = run(&["analyze", "connect4", "--network", NETWORK, "--simulations", "10"]);
    assert_eq!(refused.code, Some(2));
    let expected = "playtree: --network: no networks in this build: cargo run --release --features \
                    network -- ...";
    assert_eq!(refused.stderr.trim_end(), expected);
}

#[cfg(feature = "network")]
mod with_them {
    use serde_json::Value;

    use super::NETWORK;
    use crate::{json_of, run, text_of};

    fn analyze(more: &[&str]) -> Value {
        json_of(&[&["analyze", "connect4", "--network", NETWORK, "--json"], more].concat())
    }

    #[test]
    fn the_empty_board_is_played_right_with_any_number_of_simulations() {
        for simulations in ["1", "2", "8", "50", "400", "3000"] {
            for root in ["plain", "gumbel"] {
                let arguments = ["--simulations", simulations, "--threads", "1", "--root", root];
                let report = analyze(&arguments);
                assert_eq!(report["best_move"], "4", "{simulations} {root}: {report}");
                let asked = report["network"]["evaluations"].as_u64().expect("it was asked");
                assert!(asked > 1 && asked <= 3_001, "{asked}");
                assert!(report["moves"][0]["prior"].is_number(), "{report}");
            }
        }
    }

    #[test]
    fn it_plays_a_match_and_is_watched() {
        let spec = format!("mcts:network={NETWORK},simulations=16,root=gumbel,threads=1");
        let arguments =
            ["match", "connect4", "--a", &spec, "--b", "random", "--games", "10", "--json"];
        let report = json_of(&arguments);
        assert_eq!(report["wins"].as_u64(), Some(10), "{report}");
        let text = text_of(&[
            "analyze",
            "connect4",
            "--network",
            NETWORK,
            "--simulations",
            "40",
            "--exploration",
            "1",
        ]);
        assert!(text.contains("prior") && text.contains("network: "), "{text}");
    }

    #[test]
    fn files_and_games_that_do_not_fit_are_one_error() {
        let of = |game: &str, file: &str| {
            let refused = run(&["analyze", game, "--network", file, "--simulations", "10"]);
            assert_eq!(refused.code, Some(2), "{}", refused.stderr);
            assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
            refused.stderr
        };
        assert!(of("hex", NETWORK).contains("a game with networks (connect4, othello), found hex"));
        let error = of("othello", NETWORK);
        assert!(error.contains("found one with playtree.game 'connect4'"), "{error}");
        assert!(of("connect4", "no such file").contains("no such file: expected a file"));
        let error = of("connect4", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert!(error.contains("expected an ONNX file"), "{error}");
    }
}
