//! What the ranks but the first do: they search what they are ordered to.

use std::mem;
use std::process::{self, ExitCode};

use playtree::mcts::exchange::Exchange;
use playtree_cli::Shared;
use playtree_mpi::{Cluster, End, MpiCarrier, Settings};
use playtree_session::engine::MctsEngine;
use playtree_session::{Error, Game, Record};

use crate::complain;
use crate::engine::{Seat, about, exchange};
use crate::order::{Order, seed};

/// An engine that takes part in the searches of one of rank 0.
struct Follower {
    number: u64,
    game: Game,
    engine: Box<dyn MctsEngine>,
    exchange: Exchange,
}

/// Searches as ordered, until no more orders come.
pub(crate) fn follow(mut cluster: Cluster<MpiCarrier>, shared: &Shared) -> ExitCode {
    let mut follower = None;
    loop {
        let order = match cluster.next_order() {
            Ok(Some(order)) => order,
            Ok(None) => return ExitCode::SUCCESS,
            Err(error) => {
                complain(&error);
                leave(cluster, 1);
            }
        };
        let rank = cluster.rank();
        let order: Order = match serde_json::from_slice(&order) {
            Ok(order) => order,
            Err(error) => {
                complain(&format_args!("rank {rank}: expected an order of rank 0, found {error}"));
                continue;
            }
        };
        if let Err(error) = obey(&mut cluster, &order, &mut follower, shared) {
            // Without this rank the others are weaker, and not wrong.
            complain(&format_args!("rank {rank}: {error}"));
        }
    }
}

fn obey(
    cluster: &mut Cluster<MpiCarrier>,
    order: &Order,
    follower: &mut Option<Follower>,
    shared: &Shared,
) -> Result<(), Error> {
    let (game, record, root) = order.open()?;
    let (rank, ranks) = (cluster.rank(), cluster.ranks());
    let follower = match follower {
        Some(follower) if follower.number == order.engine => follower,
        other => {
            // First the memory of the one before.
            *other = None;
            let mut settings = order.settings.clone();
            settings.seed = Some(seed(settings.seed, rank));
            let engine = game.mcts(&settings)?;
            let number = order.engine;
            other.insert(Follower { number, game, engine, exchange: exchange(rank, ranks) })
        }
    };
    let budget = order.budget(rank, ranks, Settings::default().grace / 3);
    follower.engine.think(&record, &budget, &root)?;
    let Follower { engine, exchange, .. } = &mut *follower;
    let tally = cluster.search(&mut Seat { engine: &mut **engine, exchange });
    if tally.end == End::Lost {
        answer_alone(cluster, follower, &record, shared);
    }
    Ok(())
}

/// Says what this rank has found, as rank 0 does not answer, and ends the program: to end MPI would
/// be to wait for all.
fn answer_alone(
    cluster: &mut Cluster<MpiCarrier>,
    follower: &mut Follower,
    record: &Record,
    shared: &Shared,
) -> ! {
    let about = about(&cluster.tally(), cluster.rank());
    let written = match follower.engine.stop() {
        Ok(report) => shared.write(follower.game, record.position(), &report, Some(about)),
        Err(error) => complain(&error),
    };
    cluster.carrier().leave();
    process::exit(i32::from(written != ExitCode::SUCCESS))
}

fn leave(mut cluster: Cluster<MpiCarrier>, code: i32) -> ! {
    cluster.carrier().leave();
    mem::forget(cluster);
    process::exit(code)
}
