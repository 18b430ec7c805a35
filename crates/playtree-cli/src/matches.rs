//! `playtree match`: two players, many games.

pub(crate) mod opening;
mod play;
mod series;
mod summary;
mod test;

use std::io::Write;
use std::time::Duration;

use clap::Args;
use playtree::statistics::Sprt;

use self::play::Plan;
use crate::error::CliError;
use crate::games::{self, GameArgs};
use crate::interrupt;
use crate::makes::{Here, Makes};
use crate::options::{ManagerOptions, WrittenClock, clock, values};
use crate::output;
use crate::player::{self, AtCtrlC, Failure};
use crate::progress;
use crate::report::{self, ReportOptions};
use crate::spec;

/// Let two players play against each other, and say which is stronger.
///
/// A player is a searcher of playtree, random moves, or a program that speaks UCI, UCCI, the xboard
/// protocol or GTP. It is written as mcts:simulations=10000,c=0.7 with the options of analyze as
/// keys, as alphabeta:depth=6,threads=2,mode=split, as random, or as uci:PROGRAM, ucci:PROGRAM,
/// xboard:PROGRAM or gtp:PROGRAM with the keys time, depth, nodes, threads, level, variant, args,
/// options and timeout, which is for a move: for any other answer, as before the first move, a
/// program has 10 s.
///
/// Each opening is played twice with sides swapped. A program that ends, does not answer in
/// time, or plays an illegal move has lost. With --clock each side has a game clock, which
/// programs learn by the words of their protocol. Ctrl-C ends the match and shows what is known.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The first player.
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// The second player.
    #[arg(long, value_name = "SPEC")]
    b: String,
    /// Games to play.
    #[arg(long, value_name = "N", default_value = "20", value_parser = values::count)]
    #[arg(allow_hyphen_values = true)]
    games: usize,
    /// Time of each move, for a player whose own text has no limit.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration)]
    #[arg(allow_hyphen_values = true)]
    time: Duration,
    /// Play on a clock, the same for each side: 5m (sudden death), 5m+3s (Fischer), 10m+3x30s or
    /// 3x30s (byo-yomi), 5m/40 (forty moves to go, again and again), 10s/move. It begins after the
    /// opening; the side that uses it up has lost.
    #[arg(long, value_name = "CLOCK", value_parser = clock::parse_written)]
    #[arg(allow_hyphen_values = true, conflicts_with = "time")]
    clock: Option<WrittenClock>,
    #[command(flatten)]
    manager: ManagerOptions,
    /// Random plies that each game begins with [default: 2, and more where too few openings have
    /// 2].
    #[arg(long, value_name = "K", value_parser = values::plies)]
    #[arg(allow_hyphen_values = true)]
    openings_plies: Option<u32>,
    /// Seed of the openings and of the players.
    #[arg(long, value_name = "S", default_value = "0", value_parser = values::seed)]
    #[arg(allow_hyphen_values = true)]
    seed: u64,
    /// Games at the same time.
    #[arg(long, value_name = "C", default_value = "1", value_parser = values::games)]
    #[arg(allow_hyphen_values = true)]
    concurrency: usize,
    /// End the match as soon as it is clear whether the first player is stronger by ELO0 or by
    /// ELO1, with chances of error ALPHA and BETA [default: 0.05].
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", value_parser = test::parse)]
    #[arg(allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// A game of N plies is a draw.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = values::small)]
    #[arg(allow_hyphen_values = true)]
    max_plies: u32,
    /// Print a line for each game.
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    /// Print one JSON object, with all games and their moves.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    report: ReportOptions,
}

impl MatchArgs {
    /// Refuses several games at a time.
    ///
    /// # Errors
    /// If they are asked for.
    pub(crate) fn expect_one_at_a_time(&self) -> Result<(), CliError> {
        match self.concurrency {
            1 => Ok(()),
            found => {
                let expected = "one game at a time, as all ranks search for it";
                Err(CliError::usage(format_args!(
                    "--concurrency: expected 1 ({expected}), found {found}"
                )))
            }
        }
    }
}

/// What stands below the options.
const EXAMPLES: &str = "\
Examples:
  playtree match othello --a mcts --b alphabeta --time 100ms
  playtree match hex --a mcts:c=0.7 --b mcts:c=0 --games 100 --verbose";

/// Plays the match and writes its result.
pub(crate) fn run(
    args: &MatchArgs,
    maker: &dyn Makes,
    out: &mut impl Write,
) -> Result<(), CliError> {
    games::find(&args.game.game)?;
    args.report.check()?;
    let specs = [spec::parse("--a", &args.a)?, spec::parse("--b", &args.b)?];
    if args.clock.is_some() {
        for (spec, place) in specs.iter().zip(["--a", "--b"]) {
            spec.expect_no_time(place)?;
        }
    }
    let (game, before) = args.game.open()?;
    games::expect_going_on(before.outcome())?;
    let start = before.last();
    games::expect_two_players(game)?;
    let (count, plies) = (args.games.div_ceil(2), args.openings_plies);
    let openings = opening::draw_or_lengthen(start, count, plies, args.seed)?;
    let stop = AtCtrlC::GivesUp(interrupt::stop_token()?);
    let (specs, before, openings, stop) = (&specs, &before, &openings, &stop);
    let plan = Plan { args, game, specs, before, openings, stop, makers: [maker, &Here] };
    try_players(&plan)?;
    let bar = progress::steps(args.games as u64);
    bar.set_message(game.name());
    let series = series::play(&plan, &bar, |played| {
        if args.verbose {
            bar.suspend(|| {
                played.write(out)?;
                Ok::<(), CliError>(out.flush()?)
            })?;
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let summary = summary::Summary::new(&plan, series);
    if args.json {
        output::write_json(out, &summary)?
    } else {
        summary.write(out)?
    }
    args.report.write(&summary, report::matches::page)
}

/// Makes each player once, so that a program that is not there is an error and no lost match.
fn try_players(plan: &Plan<'_>) -> Result<(), CliError> {
    for (side, (spec, place)) in plan.specs.iter().zip(["--a", "--b"]).enumerate() {
        match player::make(spec, &plan.before.states()[0], plan.seat(side, 0)) {
            Ok(_) | Err(Failure::Stopped) => {}
            Err(failure) => return Err(failure.at(place)),
        }
    }
    Ok(())
}
