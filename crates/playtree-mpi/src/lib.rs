//! One Monte Carlo search on many machines.
//!
//! The *ranks* of a job of MPI search the same position, each with its own workers, table and seed.
//! Every some ten milliseconds rank 0 names the most visited positions, all ranks add up what they
//! have newly found there, and take what the others have found: visits, scores, proofs and the
//! tables of all moves as first, as [`playtree::mcts::exchange`] says. No rank waits for that. So the
//! top of the tree rests on the simulations of all ranks, and below it each rank looks at its own.
//!
//! - [`Cluster`] is a rank among the others: it exchanges during a search.
//! - [`Carrier`] is what it needs of MPI: a broadcast and a sum that do not wait. [`LocalCarrier`]
//!   are ranks of one process, for tests; with the feature `mpi` there is `MpiCarrier`, and
//!   with `program` the program `playtree-mpi`.
//! - [`join`] finds out first whether ranks belong together.
//!
//! # Examples
//! Two ranks, here in one process. Over MPI each rank is a process that does the same with
//! `MpiCarrier::begin()?` in place of its part of `LocalCarrier::ranks_of_one_process(2)`:
//! ```
//! use std::thread;
//!
//! use playtree::games::ConnectFour;
//! use playtree::mcts::exchange::Exchange;
//! use playtree::{Budget, Mcts};
//! use playtree_mpi::{Carrier, Cluster, LocalCarrier, Seat, Settings};
//!
//! fn rank(carrier: impl Carrier) -> Result<u64, Box<dyn std::error::Error + Send + Sync>> {
//!     let mut cluster = Cluster::new(carrier, Settings::default());
//!     let mcts = Mcts::builder().threads(1).seed(cluster.rank() as u64).build()?;
//!     let mut handle = mcts.start(&ConnectFour::new(), &Budget::simulations(20_000));
//!     let mut exchange = Exchange::one_of(cluster.rank(), cluster.ranks())?;
//!     let tally = cluster.search(&mut Seat::new(&mut handle, &mut exchange));
//!     let mut mcts = handle.into_engine();
//!     let report = mcts.search(&ConnectFour::new(), &Budget::simulations(0))?;
//!     assert_eq!(tally.simulations, Some(40_000));
//!     Ok(report.visits())
//! }
//!
//! let ranks = LocalCarrier::ranks_of_one_process(2);
//! let ranks: Vec<_> = ranks.into_iter().map(|one| thread::spawn(|| rank(one))).collect();
//! let visits: Vec<u64> = ranks.into_iter().map(|rank| rank.join().unwrap().unwrap()).collect();
//! assert_eq!(visits[0], visits[1]);
//! ```

pub mod carrier;
mod cluster;
mod join;
mod member;

#[cfg(feature = "mpi")]
pub use carrier::MpiCarrier;
pub use carrier::{Arrived, Carrier, CarrierError, LocalCarrier};
pub use cluster::{Cluster, End, Settings, Tally};
pub use join::{Fact, JoinError, common_facts, join};
pub use member::{Member, Seat};
