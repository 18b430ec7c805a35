//! Fit the weights of an evaluation to the results of games, and see in matches what it gains.
//!
//! ```console
//! $ cargo run --release --example tune -- fit breakthrough games=2000 simulations=1000 > weights
//! $ cargo run --release --example tune -- match breakthrough cut=0 plain games=200 time=20
//! $ cargo run --release --example tune -- match breakthrough cut=0,weights=weights cut=0
//! ```
//!
//! `fit` lets the search play against itself and writes one weight for a line, in sixteenths of
//! a hundredth of log odds; what it thinks of them goes to the error output. `match` lets two
//! searches play from random openings, each opening twice with sides swapped.
//!
//! A searcher is `plain`, or parts joined by commas: `cut=PLIES` cuts rollouts off, `prior=VISITS`
//! lets new positions begin with visits, `c=CONSTANT` sets the exploration, `weights=FILE` takes
//! other weights. Options of both: `games`, `simulations` or `time` (milliseconds) a move, `random`
//! plies at the start of each game, `threads` (games at a time), `seed`; of `fit`: `player`, a
//! searcher, `noise`, the share of later plies that are random too, and `ridge`, how strongly the
//! weights are held where they were. Without noise the positions are those of good play alone,
//! and what a search has to see in bad ones is not learnt.

mod fit;
mod play;

use std::error::Error;
use std::fmt::Debug;

use playtree::games::tuning::Tunable;
use playtree::games::{
    Breakthrough, BreakthroughEvaluation, ConnectFour, ConnectFourEvaluation, Gomoku,
    GomokuEvaluation, Othello, OthelloBoard, OthelloEvaluation,
};
use playtree::mcts::Selection;
use playtree::{GameState, Mcts, MctsBuilder};

use play::Contest;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [command, game, rest @ ..] = args.as_slice() else {
        return Err("expected `fit GAME` or `match GAME SEARCHER SEARCHER`, and options".into());
    };
    match game.as_str() {
        "connect4" => run(command, &ConnectFour::new(), &ConnectFourEvaluation::new(), rest),
        "othello" => run(command, &Othello::new(), &OthelloEvaluation::new(), rest),
        "othello6" => {
            run(command, &OthelloBoard::<6>::new(), &OthelloEvaluation::for_size(6), rest)
        }
        "breakthrough" => {
            run(command, &Breakthrough::default(), &BreakthroughEvaluation::new(), rest)
        }
        "gomoku" => run(command, &Gomoku::default(), &GomokuEvaluation::new(), rest),
        found => {
            let games = "connect4, othello, othello6, breakthrough or gomoku";
            Err(format!("expected {games}, found `{found}`").into())
        }
    }
}

fn run<G, E>(command: &str, start: &G, evaluation: &E, args: &[String]) -> Result<(), Failure>
where
    G: GameState + Debug + 'static,
    E: Tunable<G> + Clone + 'static,
{
    match (command, args) {
        ("fit", options) => {
            let contest = Contest::new(start, options)?;
            let player = option(options, "player")?.unwrap_or("plain".to_owned());
            let ridge = option(options, "ridge")?.unwrap_or(1.0);
            fit::run(&contest, &builder(&player, evaluation)?, evaluation, ridge)
        }
        ("match", [one, two, options @ ..]) => {
            let contest = Contest::new(start, options)?;
            let searchers = [builder(one, evaluation)?, builder(two, evaluation)?];
            println!("{one} against {two}: {}", contest.compare(&searchers)?);
            Ok(())
        }
        _ => Err(format!("expected `fit` or `match` with two searchers, found `{command}`").into()),
    }
}

/// The value of `name=value` among the options, if it is there.
fn option<T: std::str::FromStr<Err: Error + Send + Sync + 'static>>(
    options: &[String],
    name: &str,
) -> Result<Option<T>, Failure> {
    let mut values =
        options.iter().filter_map(|option| option.strip_prefix(name)?.strip_prefix('='));
    values
        .next_back()
        .map(str::parse)
        .transpose()
        .map_err(|error| format!("option `{name}`: {error}").into())
}

/// The searcher that a text describes.
fn builder<G, E>(text: &str, evaluation: &E) -> Result<MctsBuilder<G>, Failure>
where
    G: GameState + 'static,
    E: Tunable<G> + Clone + 'static,
{
    let parts: Vec<String> = text.split(',').map(str::to_owned).collect();
    if let Some(wrong) = parts.iter().find(|part| {
        let name = part.split('=').next().unwrap_or("");
        !["plain", "cut", "prior", "c", "weights"].contains(&name)
    }) {
        return Err(format!("expected plain, cut, prior, c or weights, found `{wrong}`").into());
    }
    let mut evaluation = evaluation.clone();
    if let Some(file) = option::<String>(&parts, "weights")? {
        let weights: Result<Vec<i32>, _> =
            std::fs::read_to_string(&file)?.split_whitespace().map(str::parse).collect();
        let count = evaluation.weights().len();
        evaluation = evaluation
            .with_weights(&weights?)
            .ok_or_else(|| format!("expected {count} weights in `{file}`"))?;
    }
    let mut builder = Mcts::builder().threads(1);
    if let Some(plies) = option(&parts, "cut")? {
        builder = builder.cut_off(plies, evaluation.clone());
    }
    if let Some(visits) = option(&parts, "prior")? {
        builder = builder.prior(visits, evaluation);
    }
    if let Some(exploration) = option(&parts, "c")? {
        builder = builder.selection(Selection::Ucb1 { exploration });
    }
    Ok(builder)
}
