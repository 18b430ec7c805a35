//! The settings of the alpha-beta search.

use std::time::Duration;

use clap::{Parser, ValueEnum};
use playtree::Budget;
use playtree::alphabeta::ParallelMode;
use playtree::budget::Depth;
use playtree_session::settings;

use crate::error::CliError;
use crate::options::{config_error, values};

/// The settings of the alpha-beta search. What is not given stays at the library's default.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(crate) struct AlphaBetaSettings {
    #[arg(long, value_parser = values::duration)]
    time: Option<Duration>,
    #[arg(long, value_parser = values::small)]
    depth: Option<u32>,
    #[arg(long, value_parser = values::whole)]
    nodes: Option<u64>,
    #[arg(long, value_parser = values::threads)]
    threads: Option<usize>,
    #[arg(long)]
    oversubscribe: bool,
    #[arg(long)]
    mode: Option<ModeName>,
    #[arg(long, value_parser = values::count)]
    max_root_tasks: Option<usize>,
    #[arg(long, value_parser = values::threads)]
    max_threads_per_split: Option<usize>,
    #[arg(long, value_parser = values::small)]
    min_split_depth: Option<u32>,
    /// Bytes of the table.
    #[arg(long, value_parser = values::size, conflicts_with = "no_table")]
    memory: Option<usize>,
    #[arg(long)]
    no_table: bool,
    #[arg(long, value_parser = values::aspiration)]
    aspiration: Option<i32>,
    #[arg(long, conflicts_with = "aspiration")]
    no_aspiration: bool,
    #[arg(long)]
    no_pvs: bool,
    #[arg(long)]
    no_killers: bool,
    #[arg(long)]
    no_history: bool,
    #[arg(long)]
    no_quiescence: bool,
    #[arg(long)]
    no_check_extension: bool,
    #[arg(long)]
    no_null_move: bool,
    #[arg(long)]
    reductions: bool,
    #[arg(long)]
    random_choice: bool,
    /// Bytes of the table of the solver.
    #[arg(long, value_parser = values::size)]
    endgames: Option<usize>,
}

/// How the workers share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// Root moves.
    Root,
    /// Split points.
    Split,
    /// A shared table.
    Table,
}

impl ModeName {
    /// As the library knows it.
    pub(crate) fn mode(self) -> ParallelMode {
        match self {
            ModeName::Root => ParallelMode::RootTasks,
            ModeName::Split => ParallelMode::SplitPoints,
            ModeName::Table => ParallelMode::SharedTable,
        }
    }
}

impl AlphaBetaSettings {
    /// The settings of an engine.
    pub(crate) fn settings(&self) -> settings::AlphaBetaSettings {
        settings::AlphaBetaSettings {
            threads: self.threads,
            oversubscribe: Some(self.oversubscribe),
            seed: None,
            mode: self.mode.map(ModeName::mode),
            max_root_tasks: self.max_root_tasks,
            max_threads_per_split: self.max_threads_per_split,
            min_split_depth: self.min_split_depth,
            table_bytes: self.memory,
            no_table: self.no_table,
            pvs: Some(!self.no_pvs),
            aspiration: self.aspiration,
            no_aspiration: self.no_aspiration,
            killers: Some(!self.no_killers),
            history: Some(!self.no_history),
            quiescence: Some(!self.no_quiescence),
            check_extension: Some(!self.no_check_extension),
            null_move: Some(!self.no_null_move),
            reductions: Some(self.reductions),
            random_choice: Some(self.random_choice),
            endgames: self.endgames,
        }
    }

    /// The first of the keys given that says how much is searched or how threads share it; the
    /// others say how it is searched.
    pub(crate) fn first_of_effort(&self) -> Option<&'static str> {
        let given = [
            ("time", self.time.is_some()),
            ("depth", self.depth.is_some()),
            ("nodes", self.nodes.is_some()),
            ("threads", self.threads.is_some()),
            ("mode", self.mode.is_some()),
            ("max-root-tasks", self.max_root_tasks.is_some()),
            ("max-threads-per-split", self.max_threads_per_split.is_some()),
            ("min-split-depth", self.min_split_depth.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(key, _)| key)
    }

    /// Whether they limit the time of a move.
    pub(super) fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// The limits of a move: those given, or this time.
    pub(crate) fn budget(&self, time: Duration) -> Budget {
        let limited = self.time.is_some() || self.depth.is_some() || self.nodes.is_some();
        if limited { self.and_limits(Budget::unlimited()) } else { Budget::time(time) }
    }

    /// This budget and the limits given.
    pub(crate) fn and_limits(&self, mut budget: Budget) -> Budget {
        if let Some(time) = self.time {
            budget = budget.and_time(time);
        }
        self.on_a_clock(budget)
    }

    /// The budget of a move on a clock and the limits given but that of its time.
    pub(crate) fn on_a_clock(&self, mut budget: Budget) -> Budget {
        if let Some(nodes) = self.nodes {
            budget = budget.and_nodes(nodes);
        }
        if let Some(depth) = self.depth {
            budget = budget.and(Depth(depth));
        }
        budget
    }

    /// Refuses what the searcher would refuse.
    pub(super) fn check(&self) -> Result<(), CliError> {
        self.settings().check().map_err(|error| config_error(&error))
    }
}
