//! How late a search with a time limit returns, freeing included.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::engine::{Engine, Entry, Game, Limit, Settings};
use crate::games::{self, GameName, with_game};
use crate::table::{Table, quantile};

/// What `overshoot` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct OvershootArgs {
    /// The games; Connect Four and Hex if none is given.
    pub(crate) games: Vec<GameName>,
    /// Calls of each engine.
    #[arg(long, default_value_t = 200)]
    pub(crate) calls: u64,
    /// The time limit of a call.
    #[arg(long, default_value_t = 100)]
    pub(crate) time_ms: u64,
    /// Worker threads.
    #[arg(long, default_value_t = 2)]
    pub(crate) threads: usize,
    /// Leaves an engine out.
    #[arg(long, value_delimiter = ',', value_parser = Entry::compared())]
    pub(crate) without: Vec<Entry>,
}

/// What the hidden subcommand `serve` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServeArgs {
    game: GameName,
    #[arg(long)]
    entry: Entry,
    #[arg(long)]
    threads: usize,
    #[arg(long)]
    time_ms: u64,
    /// One engine for all the calls, which forgets its tree inside the measured time; else
    /// each call makes an engine and drops it.
    #[arg(long)]
    keep: bool,
}

/// What one call has found, in milliseconds after the limit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Late {
    /// Until the engine's own search function has returned.
    answered: f64,
    /// Until the tree was gone as well, and the caller goes on.
    freed: f64,
}

/// Prints a table per game. One process per engine waits for its turns, so that calls are
/// interleaved and heaps are not shared.
pub(crate) fn run(args: &OvershootArgs) -> Result<(), Failure> {
    println!("## Overshoot\n");
    for game in games::or_default(&args.games, &[GameName::Connect4, GameName::Hex]) {
        println!(
            "### {}: time after a limit of {} ms, {} workers, {} calls, ms\n",
            game.title(),
            args.time_ms,
            args.threads,
            args.calls
        );
        let mut servers = Vec::new();
        for entry in Entry::ALL {
            let left_out = args.without.contains(&entry)
                || entry == Entry::PlaytreeAlone
                || !entry.has_time_limit()
                || entry.most_threads() < args.threads;
            if !left_out {
                servers.push(Server::start(args, game, entry, false)?);
            }
            if !left_out && entry == Entry::Playtree {
                servers.push(Server::start(args, game, entry, true)?);
            }
        }
        for call in 1..=args.calls {
            if call % 20 == 1 {
                eprintln!("overshoot: {} {call}/{}", game.name(), args.calls);
            }
            for server in &mut servers {
                server.call()?;
            }
        }
        let mut table =
            Table::new(["engine", "p50", "p99", "max", "with freeing: p50", "p99", "max"]);
        for server in servers {
            table.row(server.finish()?);
        }
        println!("{table}");
    }
    Ok(())
}

/// A process that makes a call for each line it reads.
struct Server {
    label: String,
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    late: Vec<Late>,
}

impl Server {
    fn start(
        args: &OvershootArgs,
        game: GameName,
        entry: Entry,
        keep: bool,
    ) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve").arg(game.name()).arg("--entry").arg(entry.name());
        command.arg("--threads").arg(args.threads.to_string());
        command.arg("--time-ms").arg(args.time_ms.to_string());
        if keep {
            command.arg("--keep");
        }
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let requests = process.stdin.take().ok_or("no pipe to the child")?;
        let answers = BufReader::new(process.stdout.take().ok_or("no pipe from the child")?);
        let kept = if keep { ", engine kept" } else { "" };
        let label = format!("{}{kept}", entry.label());
        Ok(Self { label, process, requests, answers, late: Vec::new() })
    }

    fn call(&mut self) -> Result<(), Failure> {
        writeln!(self.requests)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        self.late.push(serde_json::from_str(&answer)?);
        Ok(())
    }

    /// Lets the process end; its row of the table.
    fn finish(self) -> Result<Vec<String>, Failure> {
        let Self { label, mut process, requests, late, .. } = self;
        drop(requests);
        process.wait()?;
        let mut row = vec![label];
        for of in [|late: &Late| late.answered, |late: &Late| late.freed] {
            let times: Vec<f64> = late.iter().map(of).collect();
            row.extend([0.5, 0.99, 1.0].map(|at| format!("{:.2}", quantile(&times, at))));
        }
        Ok(row)
    }
}

/// The hidden subcommand: a call for each line of standard input.
pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    with_game!(args.game, start => answer_calls(&start, args))
}

fn answer_calls<G: Game>(start: &G, args: &ServeArgs) -> Result<(), Failure> {
    let time = Duration::from_millis(args.time_ms);
    let make = |seed| -> Box<dyn Engine<G>> {
        args.entry.make(Settings {
            threads: args.threads,
            exploration: None,
            seed,
            proofs: true,
            split_freeing: false,
        })
    };
    let mut kept = args.keep.then(|| make(0));
    let mut call = 0;
    for line in std::io::stdin().lines() {
        line?;
        call += 1;
        let begin = Instant::now();
        let answered = match &mut kept {
            Some(engine) => {
                engine.search(start, Limit::Time(time));
                let answered = begin.elapsed();
                engine.release();
                answered
            }
            None => {
                let mut engine = make(call);
                engine.search(start, Limit::Time(time));
                begin.elapsed()
            }
        };
        let freed = begin.elapsed();
        let after = |end: Duration| 1e3 * (end.as_secs_f64() - time.as_secs_f64());
        let late = Late { answered: after(answered), freed: after(freed) };
        println!("{}", serde_json::to_string(&late)?);
    }
    Ok(())
}
