//! The values of the engine's options, as the command line spells them.

use clap::ValueEnum;
use playtree::mcts::{Gumbel, LockPolicy, Root, Sharing, WarmUpDraw};
use playtree::solver::{Aim, Method, RootMoves};

/// A typed name for each value of an option, as the command line spells it.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(crate) enum $name { $($(#[$value_doc])* $value),+ }
    )+};
}

names! {
    SelectionName {
        /// UCB1 with an exploration constant.
        Ucb1,
        /// UCB1-Tuned, which takes the exploration from the spread of the results.
        Ucb1Tuned,
        /// GRAVE, which also counts how a move does when it is played later.
        Grave,
        /// Progressive history, which also counts how a move does elsewhere in the tree.
        History,
        /// PUCT, which goes by the policy of a network.
        Puct,
    }
    RootName {
        /// Nothing special.
        Plain,
        /// Noise in the priors of the root, to try moves out.
        Dirichlet,
        /// Sequential halving, which makes most of few simulations.
        Gumbel,
    }
    WarmUpDrawName {
        /// All branches.
        Any,
        /// The branches with fewer visits than --warm-up.
        Unfinished,
    }
    ExpansionName {
        /// At most one a simulation: from the first visit on, later where there are many nodes.
        Adaptive,
        /// At most one a simulation: from the visit that --from-visit names, or the second.
        One,
        /// All of them.
        Everything,
    }
    LockPolicyName {
        /// It is lost.
        Yield,
        /// It waits.
        Block,
        /// It is left to the holder of the lock.
        Defer,
    }
    TableName {
        /// One lock for the whole table.
        OneLock,
        /// One lock a shard.
        Shards,
    }
    InFlightName {
        /// Not at all.
        Ignore,
        /// As visits, in the exploration term.
        Count,
        /// As visits that lose.
        VirtualLoss,
    }
    ParallelismName {
        /// Each searches on its own in the one tree.
        Shared,
        /// One selects, all roll out: the same answer for any number of workers.
        Rounds,
        /// One thread plays the number of workers in --simulated-workers.
        Simulated,
    }
    ValuesName {
        /// They share.
        Graph,
        /// Each path has nodes of its own.
        Tree,
    }
    AimName {
        /// Who wins.
        Winner,
        /// By how many points.
        Points,
        /// By how many points, and in how many plies.
        Distance,
    }
    MethodName {
        /// An alpha-beta search that asks for each number of points whether it is reached.
        AlphaBeta,
        /// Proof-number search, which first looks where the fewest replies are left.
        ProofNumbers,
    }
    RootMovesName {
        /// One best move.
        One,
        /// Which moves are best.
        Best,
        /// What each move is worth.
        All,
    }
}

impl From<WarmUpDrawName> for WarmUpDraw {
    fn from(name: WarmUpDrawName) -> Self {
        match name {
            WarmUpDrawName::Any => WarmUpDraw::AnyBranch,
            WarmUpDrawName::Unfinished => WarmUpDraw::UnfinishedBranch,
        }
    }
}

impl From<LockPolicyName> for LockPolicy {
    fn from(name: LockPolicyName) -> Self {
        match name {
            LockPolicyName::Yield => LockPolicy::Yield,
            LockPolicyName::Block => LockPolicy::Block,
            LockPolicyName::Defer => LockPolicy::Defer,
        }
    }
}

impl From<RootName> for Root {
    fn from(name: RootName) -> Self {
        match name {
            RootName::Plain => Root::Plain,
            RootName::Dirichlet => Root::dirichlet(),
            // Noise is for games to learn from; here the best move is wanted.
            RootName::Gumbel => Root::Gumbel(Gumbel { noise: 0.0, ..Gumbel::default() }),
        }
    }
}

impl From<ValuesName> for Sharing {
    fn from(name: ValuesName) -> Self {
        match name {
            ValuesName::Graph => Sharing::Shared,
            ValuesName::Tree => Sharing::PerPath,
        }
    }
}

impl From<AimName> for Aim {
    fn from(name: AimName) -> Self {
        match name {
            AimName::Winner => Aim::Winner,
            AimName::Points => Aim::Points,
            AimName::Distance => Aim::Distance,
        }
    }
}

impl From<RootMovesName> for RootMoves {
    fn from(name: RootMovesName) -> Self {
        match name {
            RootMovesName::One => RootMoves::One,
            RootMovesName::Best => RootMoves::Best,
            RootMovesName::All => RootMoves::All,
        }
    }
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::AlphaBeta => Method::AlphaBeta,
            MethodName::ProofNumbers => Method::ProofNumbers,
        }
    }
}
