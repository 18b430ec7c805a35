//! Every table in one run.

use clap::Args;

use crate::Failure;
use crate::engine::Entry;
use crate::matches::MatchArgs;
use crate::memory::MemoryArgs;
use crate::overshoot::OvershootArgs;
use crate::speed::SpeedArgs;
use crate::{matches, memory, overshoot, speed};

/// What `all` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct AllArgs {
    /// A tenth of the work or less: a look, not a result
    #[arg(long)]
    quick: bool,
}

/// Speed, memory, overshoot; matches with default constants, with the best ones, and at equal
/// time with two workers.
pub(crate) fn run(args: &AllArgs) -> Result<(), Failure> {
    let pick = |full, quick| if args.quick { quick } else { full };
    let simulations = args.quick.then_some(20_000);
    speed::run(&SpeedArgs {
        games: Vec::new(),
        repetitions: pick(5, 1),
        simulations,
        workers: vec![1, 2],
        exploration: 1.0,
        own_defaults: false,
        without: Vec::new(),
    })?;
    memory::run(&MemoryArgs {
        games: Vec::new(),
        simulations: pick(1_000_000, 50_000),
        threads: 1,
        exploration: 1.0,
        own_defaults: false,
        without: Vec::new(),
    })?;
    overshoot::run(&OvershootArgs {
        games: Vec::new(),
        calls: pick(200, 10),
        time_ms: 100,
        threads: 2,
        without: Vec::new(),
    })?;
    let defaults = MatchArgs {
        game_names: Vec::new(),
        games: args.quick.then_some(10),
        simulations: args.quick.then_some(500),
        time_ms: None,
        threads: 1,
        concurrency: None,
        ours_c: None,
        peer_c: None,
        best: false,
        tune_games: if args.quick { 4 } else { 40 },
        first: Entry::Playtree,
        against: Vec::new(),
        seed: 1,
        fresh: false,
    };
    matches::run(&defaults)?;
    matches::run(&MatchArgs { best: true, ..defaults.clone() })?;
    let time_ms = Some(if args.quick { 5 } else { 50 });
    matches::run(&MatchArgs { simulations: None, time_ms, threads: 2, ..defaults })
}
