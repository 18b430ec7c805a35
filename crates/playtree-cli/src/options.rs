//! The engine's options, shared by the commands that search.

pub(crate) mod clock;
mod limits;
mod names;
mod refused;
mod rollouts;
mod root;
pub(crate) mod values;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use playtree::mcts::{
    Expansion, Grave, InFlight, LockPolicy, Parallelism, ProgressiveHistory, Puct, RolloutMoves,
    Root, RoundSize, Selection, Sharing, TableLocks, WarmUpDraw,
};
use playtree_session::Game;
use playtree_session::settings::MctsSettings;

pub(crate) use self::clock::{ManagerOptions, WrittenClock};
pub(crate) use self::limits::LimitOptions;
pub(crate) use self::names::{AimName, MethodName, RootMovesName};
use self::names::{
    ExpansionName, InFlightName, LockPolicyName, ParallelismName, RootName, SelectionName,
    TableName, ValuesName, WarmUpDrawName,
};
pub(crate) use self::refused::config_error;
pub(crate) use self::root::RootOptions;
use crate::error::{CliError, Part, Phrase, Refusal};
use crate::games;

/// Every setting of the engine that a search and a benchmark have in common. What is not
/// given stays at the library's default.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineOptions {
    /// How a branch is picked after the warm-up [default: puct with a network; without an evaluation
    /// grave for hex and gomoku; else ucb1, but for othello and breakthrough history].
    #[arg(long, value_name = "POLICY")]
    selection: Option<SelectionName>,
    /// Exploration constant of ucb1, at least 0 [default: 0.45, with --cut-off 0 it is 0.05], of
    /// grave [default: 0], of history [default: 0.45], or of puct [default: 0.6].
    #[arg(long, value_name = "C", value_parser = values::real, allow_hyphen_values = true)]
    exploration: Option<f64>,
    /// Rollouts that a position must have seen before grave uses its counts [default: 50].
    #[arg(long, value_name = "N", value_parser = values::small, allow_hyphen_values = true)]
    reference: Option<u32>,
    /// How soon a branch's own visits outweigh the counts of grave, at least 0 [default: 1e-5].
    #[arg(long, value_name = "B", value_parser = values::real, allow_hyphen_values = true)]
    bias: Option<f64>,
    /// Weight of what moves have been worth elsewhere in the tree, with history, at least 0
    /// [default: 1].
    #[arg(long, value_name = "W", value_parser = values::real, allow_hyphen_values = true)]
    weight: Option<f64>,
    /// Random visits that each branch gets before the policy picks, at least 1.
    #[arg(long, value_name = "N", value_parser = values::small, allow_hyphen_values = true)]
    warm_up: Option<u32>,
    /// Which branches the warm-up draws from.
    #[arg(long, value_name = "BRANCHES", conflicts_with = "literal")]
    warm_up_draw: Option<WarmUpDrawName>,
    /// Which positions of a simulation become nodes.
    #[arg(long, value_name = "POSITIONS", conflicts_with = "literal")]
    expansion: Option<ExpansionName>,
    /// The visit from which a position becomes a node, at least 1.
    #[arg(long, value_name = "N", value_parser = values::small, allow_hyphen_values = true)]
    #[arg(conflicts_with = "literal")]
    from_visit: Option<u32>,
    /// What becomes of a result that finds its position busy with another worker.
    #[arg(long, value_name = "POLICY")]
    lock_policy: Option<LockPolicyName>,
    /// How the table of positions is locked.
    #[arg(long, value_name = "LOCKS", conflicts_with = "literal")]
    table: Option<TableName>,
    /// Shards of the table, rounded up to a power of two.
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    #[arg(conflicts_with = "literal")]
    shards: Option<usize>,
    /// How simulations under way count in selection.
    #[arg(long, value_name = "POLICY")]
    in_flight: Option<InFlightName>,
    /// Lost visits per simulation under way, above 0; implies --in-flight virtual-loss.
    #[arg(long, value_name = "W", value_parser = values::real, allow_hyphen_values = true)]
    virtual_loss: Option<f64>,
    /// Whether the paths to a position share what is known of it.
    #[arg(long, value_name = "SCHEME")]
    values: Option<ValuesName>,
    /// The most memory of the search, such as 64MiB; at the limit the search goes on and drops the
    /// least useful positions.
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true)]
    memory: Option<usize>,
    /// How the workers share the work.
    #[arg(long, value_name = "MODE")]
    parallelism: Option<ParallelismName>,
    /// Workers played by one thread; implies --parallelism simulated.
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    simulated_workers: Option<usize>,
    /// Simulations that a worker selects together: N, or adaptive:N for at most N.
    #[arg(long, value_name = "N", value_parser = values::round_size, conflicts_with = "literal")]
    #[arg(allow_hyphen_values = true)]
    round_size: Option<RoundSize>,
    /// Most plies of a rollout, at least 1; a longer one counts as a repetition.
    #[arg(long, value_name = "PLIES", value_parser = values::small, allow_hyphen_values = true)]
    rollout_limit: Option<u32>,
    /// How rollouts choose their moves: the words default, uniform, decisive, anti-decisive, lgr,
    /// lgr1, mast, nst, joined by +; mast:S and nst:S for the share of best moves, mast-gibbs:T and
    /// nst-gibbs:T for a temperature.
    #[arg(long, value_name = "MOVES", value_parser = rollouts::rollouts)]
    rollouts: Option<RolloutMoves>,
    /// The most simulations that go down a large tree together and are rolled out from the position
    /// at its end, 1 to 64.
    #[arg(long, value_name = "N", value_parser = values::small, allow_hyphen_values = true)]
    rollouts_per_leaf: Option<u32>,
    /// End rollouts after PLIES random moves, and take what the evaluation of the game sees there
    /// [default: 0 in breakthrough, gomoku, othello and xiangqi, where it plays best, unless
    /// another option says how to play rollouts, such as --rollouts default, or pick branches].
    #[arg(long, value_name = "PLIES", value_parser = values::plies, allow_hyphen_values = true)]
    cut_off: Option<u32>,
    /// Let new positions begin with VISITS visits of what the evaluation of the game sees, at
    /// least 1.
    #[arg(long, value_name = "VISITS", value_parser = values::small, allow_hyphen_values = true)]
    prior: Option<u32>,
    /// Take an untried branch to be worth U more than its position, -1 to 1, instead of a warm-up;
    /// needs --cut-off or --prior.
    #[arg(long, value_name = "U", value_parser = values::real, allow_hyphen_values = true,
        conflicts_with_all = ["warm_up", "literal"])]
    first_play_urgency: Option<f64>,
    /// Ask the network in this ONNX file about positions, instead of rollouts.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cut_off", "prior", "literal"])]
    network: Option<PathBuf>,
    /// What is special about the root of each search, with a network.
    #[arg(long, value_name = "KIND")]
    root: Option<RootName>,
    /// Solve positions near the end of the game exactly, with a table of this size, such as 4MiB.
    #[arg(long, value_name = "SIZE", value_parser = values::size, allow_hyphen_values = true)]
    endgames: Option<usize>,
    /// Use more workers than there are cores, if --threads says so.
    #[arg(long)]
    pub(crate) oversubscribe: bool,
    /// The literal design: every position becomes a node, the warm-up draws from all
    /// branches, the table has one lock, and each round is one simulation.
    #[arg(long)]
    literal: bool,
}

impl EngineOptions {
    /// These options as the settings of an engine of the game; what they leave out keeps the
    /// library's default.
    ///
    /// # Errors
    /// If two options contradict each other, or the game has no evaluation and one is asked for.
    pub(crate) fn settings(&self, game: Game) -> Result<MctsSettings, CliError> {
        let settings = self.general()?;
        for (option, given) in [("cut-off", self.cut_off), ("prior", self.prior)] {
            if given.is_some() && !game.has_evaluation() {
                let expected = format!("a game with an evaluation ({})", games::with_evaluation());
                return Err(Refusal::new(expected, "another one").at(Part::option(option)).into());
            }
        }
        Ok(MctsSettings {
            endgames: self.endgames,
            cut_off: self.cut_off,
            prior: self.prior,
            first_play_urgency: self.first_play_urgency,
            ..settings
        })
    }

    /// The most memory of the search, in bytes.
    pub(crate) fn memory(&self) -> Option<usize> {
        self.memory
    }

    /// Those of the options that do not depend on the game.
    ///
    /// # Errors
    /// If two options contradict each other.
    pub(crate) fn general(&self) -> Result<MctsSettings, CliError> {
        Ok(MctsSettings {
            selection: self.selection()?,
            warm_up: self.warm_up.or(self.literal.then_some(1)),
            warm_up_draw: self.warm_up_draw(),
            expansion: self.expansion()?,
            lock_policy: self.lock_policy.map(LockPolicy::from),
            table: self.table()?,
            in_flight: self.in_flight()?,
            sharing: self.values.map(Sharing::from),
            memory_limit: self.memory,
            parallelism: self.parallelism()?,
            round_size: if self.literal { Some(RoundSize::Fixed(1)) } else { self.round_size },
            rollout_limit: self.rollout_limit,
            rollout_moves: self.rollouts,
            rollouts_per_leaf: self.rollouts_per_leaf,
            network: self.network.clone(),
            root: self.root.map(Root::from),
            oversubscribe: Some(self.oversubscribe),
            ..MctsSettings::default()
        })
    }

    fn selection(&self) -> Result<Option<Selection>, CliError> {
        let is_history = self.selection == Some(SelectionName::History);
        if let Some(weight) = self.weight.filter(|_| !is_history) {
            let expected = Part::set("selection", "history");
            return Err(self.other_selection(expected, Part::set("weight", weight)));
        }
        if self.selection != Some(SelectionName::Grave) {
            let reference = self.reference.map(|found| Part::set("reference", found));
            let bias = self.bias.map(|found| Part::set("bias", found));
            if let Some(given) = reference.or(bias) {
                return Err(self.other_selection(Part::set("selection", "grave"), given));
            }
        }
        Ok(match (self.selection, self.exploration) {
            (Some(SelectionName::Grave), exploration) => {
                let paper = Grave::default();
                Some(Selection::Grave(Grave {
                    exploration: exploration.unwrap_or(paper.exploration),
                    reference: self.reference.unwrap_or(paper.reference),
                    bias: self.bias.unwrap_or(paper.bias),
                }))
            }
            (Some(SelectionName::History), exploration) => {
                let default = ProgressiveHistory::default();
                Some(Selection::ProgressiveHistory(ProgressiveHistory {
                    exploration: exploration.unwrap_or(default.exploration),
                    weight: self.weight.unwrap_or(default.weight),
                }))
            }
            (None, None) => self.literal.then(Selection::default),
            (Some(SelectionName::Puct), None) => Some(Selection::Puct(Puct::default())),
            (None, Some(exploration)) if self.network.is_some() => {
                Some(Selection::Puct(Puct { exploration, ..Puct::default() }))
            }
            (Some(SelectionName::Puct), Some(exploration)) => {
                Some(Selection::Puct(Puct { exploration, ..Puct::default() }))
            }
            (Some(SelectionName::Ucb1), None) => Some(Selection::default()),
            (None | Some(SelectionName::Ucb1), Some(exploration)) => {
                Some(Selection::Ucb1 { exploration })
            }
            (Some(SelectionName::Ucb1Tuned), None) => Some(Selection::Ucb1Tuned),
            (Some(SelectionName::Ucb1Tuned), Some(found)) => {
                let given = Part::set("exploration", found);
                let expected = Part::set("selection", "ucb1");
                return contradiction(expected, given, Part::set("selection", "ucb1-tuned"));
            }
        })
    }

    /// What is wrong with a number that belongs to another selection than the one given.
    fn other_selection(&self, expected: Part, given: Part) -> CliError {
        let name = self.selection.and_then(|name| name.to_possible_value());
        let expected = [expected, Part::words(" with "), given];
        let refusal = match name {
            Some(name) => Refusal::new(expected, Part::set("selection", name.get_name())),
            None => Refusal::new(expected, [Part::words("no "), Part::option("selection")]),
        };
        refusal.into()
    }

    fn warm_up_draw(&self) -> Option<WarmUpDraw> {
        if self.literal { Some(WarmUpDraw::AnyBranch) } else { self.warm_up_draw.map(Into::into) }
    }

    fn expansion(&self) -> Result<Option<Expansion>, CliError> {
        if self.literal {
            return Ok(Some(Expansion::Everything));
        }
        Ok(match (self.expansion, self.from_visit) {
            (None, None) => None,
            (Some(ExpansionName::Adaptive), None) => Some(Expansion::Adaptive),
            (Some(ExpansionName::One), None) => Some(Expansion::OnePerSimulation { from_visit: 2 }),
            (None | Some(ExpansionName::One), Some(from_visit)) => {
                Some(Expansion::OnePerSimulation { from_visit })
            }
            (Some(ExpansionName::Everything), None) => Some(Expansion::Everything),
            (Some(name @ (ExpansionName::Everything | ExpansionName::Adaptive)), Some(found)) => {
                let name = if name == ExpansionName::Adaptive { "adaptive" } else { "everything" };
                let given = Part::set("from-visit", found);
                let expected = Part::set("expansion", "one");
                return contradiction(expected, given, Part::set("expansion", name));
            }
        })
    }

    fn table(&self) -> Result<Option<TableLocks>, CliError> {
        if let (Some(ValuesName::Tree), true) =
            (self.values, self.table.is_some() || self.shards.is_some())
        {
            let given = if self.table.is_some() { "table" } else { "shards" };
            let found = [Part::set("values", "tree"), Part::words(", which has no table")];
            return contradiction(Part::set("values", "graph"), Part::option(given), found);
        }
        if self.literal {
            return Ok(Some(TableLocks::OneLock));
        }
        Ok(match (self.table, self.shards) {
            (None, None) => None,
            (Some(TableName::Shards), None) => Some(TableLocks::default()),
            (None | Some(TableName::Shards), Some(shards)) => Some(TableLocks::Shards(shards)),
            (Some(TableName::OneLock), None) => Some(TableLocks::OneLock),
            (Some(TableName::OneLock), Some(found)) => {
                let given = Part::set("shards", found);
                let expected = Part::set("table", "shards");
                return contradiction(expected, given, Part::set("table", "one-lock"));
            }
        })
    }

    fn parallelism(&self) -> Result<Option<Parallelism>, CliError> {
        Ok(match (self.parallelism, self.simulated_workers) {
            (None, None) => None,
            (Some(ParallelismName::Shared), None) => Some(Parallelism::Shared),
            (Some(ParallelismName::Rounds), None) => Some(Parallelism::Rounds),
            (Some(ParallelismName::Simulated), None) => {
                let expected = Part::option("simulated-workers");
                return contradiction(expected, Part::set("parallelism", "simulated"), "none");
            }
            (None | Some(ParallelismName::Simulated), Some(workers)) => {
                Some(Parallelism::Simulated { workers })
            }
            (Some(name @ (ParallelismName::Shared | ParallelismName::Rounds)), Some(found)) => {
                let name = if name == ParallelismName::Rounds { "rounds" } else { "shared" };
                let given = Part::set("simulated-workers", found);
                let expected = Part::set("parallelism", "simulated");
                return contradiction(expected, given, Part::set("parallelism", name));
            }
        })
    }

    fn in_flight(&self) -> Result<Option<InFlight>, CliError> {
        Ok(match (self.in_flight, self.virtual_loss) {
            (None, None) => None,
            (Some(InFlightName::VirtualLoss), None) => Some(InFlight::VirtualLoss { weight: 1.0 }),
            (None | Some(InFlightName::VirtualLoss), Some(weight)) => {
                Some(InFlight::VirtualLoss { weight })
            }
            (Some(InFlightName::Ignore), None) => Some(InFlight::Ignore),
            (Some(InFlightName::Count), None) => Some(InFlight::Count),
            (Some(name @ (InFlightName::Ignore | InFlightName::Count)), Some(found)) => {
                let name = if name == InFlightName::Count { "count" } else { "ignore" };
                let given = Part::set("virtual-loss", found);
                let expected = Part::set("in-flight", "virtual-loss");
                return contradiction(expected, given, Part::set("in-flight", name));
            }
        })
    }
}

/// `expected --expansion one with --from-visit 3, found --expansion everything`.
fn contradiction<T>(expected: Part, given: Part, found: impl Into<Phrase>) -> Result<T, CliError> {
    Err(Refusal::new([expected, Part::words(" with "), given], found).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_selection_is_ucb1() {
        // `--selection ucb1` without a constant relies on it.
        assert!(matches!(Selection::default(), Selection::Ucb1 { .. }));
    }
}
