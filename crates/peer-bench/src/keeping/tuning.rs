//! The settings of an engine of this library, as they are given on the command line.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use playtree::mcts::{
    Expansion, Grave, InFlight, Parallelism, Root, RoundSize, Selection, Sharing, WarmUpDraw,
};
use playtree::{Mcts, MctsBuilder};

use super::positions::Measured;
use crate::Failure;

/// Bytes of a MiB.
const MIB: usize = 1 << 20;

/// Settings that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tuning {
    selection: Option<Formula>,
    exploration: Option<f64>,
    reference: Option<u32>,
    bias: Option<f64>,
    warm_up: Option<u32>,
    draw: Option<WarmUpDraw>,
    urgency: Option<f64>,
    proofs: Option<bool>,
    sharing: Option<Sharing>,
    expansion: Option<Expansion>,
    in_flight: Option<InFlight>,
    round: Option<RoundSize>,
    rollouts_per_leaf: Option<u32>,
    rollout_limit: Option<u32>,
    cut_off: Option<u32>,
    prior: Option<u32>,
    network: Option<PathBuf>,
    root: Option<Root>,
    endgames_mib: Option<usize>,
    memory_mib: Option<usize>,
    workers: Option<usize>,
}

/// A formula by which branches are picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Formula {
    Ucb1,
    Ucb1Tuned,
    Grave,
}

/// The names of the settings, for the message on one that is not known.
const NAMES: &str = "selection, exploration, reference, bias, warm-up, draw, urgency, proofs, \
                     per-path, expansion, in-flight, round, leaf, rollout-limit, cut-off, prior, \
                     network, root, endgames, memory, workers";

impl FromStr for Tuning {
    type Err = String;

    /// Reads settings separated by commas; none of them is the engine as it comes.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut tuning = Self::default();
        for setting in text.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            tuning.set(name, value)?;
        }
        tuning.check()?;
        Ok(tuning)
    }
}

impl Tuning {
    /// Takes one setting.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "selection" => self.selection = Some(formula(value)?),
            "exploration" => self.exploration = Some(number(name, value)?),
            "reference" => self.reference = Some(number(name, value)?),
            "bias" => self.bias = Some(number(name, value)?),
            "warm-up" => self.warm_up = Some(number(name, value)?),
            "draw" => self.draw = Some(draw(value)?),
            "urgency" => self.urgency = Some(number(name, value)?),
            "proofs" => self.proofs = Some(switch(name, value)?),
            "per-path" if value.is_empty() => self.sharing = Some(Sharing::PerPath),
            "expansion" => self.expansion = Some(expansion(value)?),
            "in-flight" => self.in_flight = Some(in_flight(value)?),
            "round" => self.round = Some(round(value)?),
            "leaf" => self.rollouts_per_leaf = Some(number(name, value)?),
            "rollout-limit" => self.rollout_limit = Some(number(name, value)?),
            "cut-off" => self.cut_off = Some(number(name, value)?),
            "prior" => self.prior = Some(number(name, value)?),
            "network" if cfg!(feature = "onnx") => self.network = Some(value.into()),
            "network" => {
                return Err(unexpected("a build with --features onnx for network", value));
            }
            "root" => self.root = Some(root(value)?),
            "endgames" => self.endgames_mib = Some(number(name, value)?),
            "memory" => self.memory_mib = Some(number(name, value)?),
            "workers" => self.workers = Some(number(name, value)?),
            _ => return Err(unexpected(&format!("a setting ({NAMES})"), name)),
        }
        Ok(())
    }

    /// Refuses constants that the formula does not have.
    fn check(&self) -> Result<(), String> {
        let has_grave = self.selection == Some(Formula::Grave);
        if !has_grave && (self.reference.is_some() || self.bias.is_some()) {
            return Err("expected selection=grave with reference and bias, found none".to_owned());
        }
        if self.selection == Some(Formula::Ucb1Tuned) && self.exploration.is_some() {
            return Err("expected no exploration with selection=ucb1-tuned, found one".to_owned());
        }
        Ok(())
    }

    /// The selection that is asked for, `None` for that of the game. An exploration constant alone
    /// is that of UCB1, as in the other subcommands.
    fn selection(&self) -> Option<Selection> {
        let formula = self.selection.or(self.exploration.map(|_| Formula::Ucb1))?;
        Some(match formula {
            Formula::Ucb1 => match self.exploration {
                Some(exploration) => Selection::Ucb1 { exploration },
                None => Selection::default(),
            },
            Formula::Ucb1Tuned => Selection::Ucb1Tuned,
            Formula::Grave => {
                let default = Grave::default();
                Selection::Grave(Grave {
                    exploration: self.exploration.unwrap_or(default.exploration),
                    reference: self.reference.unwrap_or(default.reference),
                    bias: self.bias.unwrap_or(default.bias),
                })
            }
        })
    }

    /// An engine with these settings.
    pub(super) fn engine<G: Measured>(
        &self,
        threads: usize,
        seed: u64,
    ) -> Result<Mcts<G>, Failure> {
        let mut builder = self.knowledge(Mcts::builder().threads(threads).seed(seed))?;
        builder = self.tree(self.choice(builder));
        if let Some(size) = self.round {
            builder = builder.round_size(size);
        }
        if let Some(most) = self.rollouts_per_leaf {
            builder = builder.rollouts_per_leaf(most);
        }
        if let Some(workers) = self.workers {
            builder = builder.parallelism(Parallelism::Simulated { workers });
        }
        Ok(builder.build()?)
    }

    /// Sets how branches are picked.
    fn choice<G: Measured>(&self, mut builder: MctsBuilder<G>) -> MctsBuilder<G> {
        if let Some(selection) = self.selection() {
            builder = builder.selection(selection);
        }
        if let Some(visits) = self.warm_up {
            builder = builder.warm_up(visits);
        }
        if let Some(draw) = self.draw {
            builder = builder.warm_up_draw(draw);
        }
        if let Some(urgency) = self.urgency {
            builder = builder.first_play_urgency(urgency);
        }
        if let Some(policy) = self.in_flight {
            builder = builder.in_flight(policy);
        }
        builder
    }

    /// Sets what the tree is.
    fn tree<G: Measured>(&self, mut builder: MctsBuilder<G>) -> MctsBuilder<G> {
        if let Some(on) = self.proofs {
            builder = builder.proofs(on);
        }
        if let Some(sharing) = self.sharing {
            builder = builder.sharing(sharing);
        }
        if let Some(expansion) = self.expansion {
            builder = builder.expansion(expansion);
        }
        if let Some(mib) = self.memory_mib {
            builder = builder.memory_limit(Some(mib.saturating_mul(MIB)));
        }
        builder
    }

    /// Sets what is known of positions besides random games.
    fn knowledge<G: Measured>(
        &self,
        mut builder: MctsBuilder<G>,
    ) -> Result<MctsBuilder<G>, Failure> {
        let evaluation =
            || G::evaluation().ok_or("cut-off and prior need an evaluation, and the game has none");
        if let Some(plies) = self.cut_off {
            builder = builder.cut_off(plies, evaluation()?);
        }
        if let Some(visits) = self.prior {
            builder = builder.prior(visits, evaluation()?);
        }
        if let Some(file) = &self.network {
            builder = G::asking(builder, file)?;
        }
        if let Some(root) = self.root {
            builder = builder.root(root);
        }
        if let Some(plies) = self.rollout_limit {
            builder = builder.rollout_limit(plies);
        }
        if let Some(mib) = self.endgames_mib {
            builder = builder.endgames(mib.saturating_mul(MIB));
        }
        Ok(builder)
    }
}

/// What is wrong with a value.
fn unexpected(expected: &str, found: &str) -> String {
    format!("expected {expected}, found '{found}'")
}

/// A number.
fn number<T: FromStr<Err: Display>>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|error| format!("expected a number for {name}, found '{value}': {error}"))
}

/// `on` or `off`.
fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(unexpected(&format!("on or off for {name}"), value)),
    }
}

/// The name of a formula.
fn formula(value: &str) -> Result<Formula, String> {
    match value {
        "ucb1" => Ok(Formula::Ucb1),
        "ucb1-tuned" => Ok(Formula::Ucb1Tuned),
        "grave" => Ok(Formula::Grave),
        _ => Err(unexpected("ucb1, ucb1-tuned or grave for selection", value)),
    }
}

/// Among which branches the warm-up draws.
fn draw(value: &str) -> Result<WarmUpDraw, String> {
    match value {
        "any" => Ok(WarmUpDraw::AnyBranch),
        "unfinished" => Ok(WarmUpDraw::UnfinishedBranch),
        _ => Err(unexpected("any or unfinished for draw", value)),
    }
}

/// How the move at the root is found.
fn root(value: &str) -> Result<Root, String> {
    match value {
        "plain" => Ok(Root::Plain),
        "gumbel" => Ok(Root::gumbel()),
        _ => Err(unexpected("plain or gumbel for root", value)),
    }
}

/// Which positions become nodes.
fn expansion(value: &str) -> Result<Expansion, String> {
    match value {
        "adaptive" => Ok(Expansion::Adaptive),
        "everything" => Ok(Expansion::Everything),
        visit => match visit.parse() {
            Ok(from_visit) => Ok(Expansion::OnePerSimulation { from_visit }),
            Err(_) => Err(unexpected(
                "adaptive, everything or the number of a visit for expansion",
                value,
            )),
        },
    }
}

/// How simulations under way count.
fn in_flight(value: &str) -> Result<InFlight, String> {
    match value.split_once(':').unwrap_or((value, "")) {
        ("ignore", "") => Ok(InFlight::Ignore),
        ("count", "") => Ok(InFlight::Count),
        ("loss", weight) => Ok(InFlight::VirtualLoss { weight: number("in-flight=loss", weight)? }),
        _ => Err(unexpected("ignore, count or loss:WEIGHT for in-flight", value)),
    }
}

/// The size of the rounds.
fn round(value: &str) -> Result<RoundSize, String> {
    match value.split_once(':') {
        Some(("fixed", size)) => Ok(RoundSize::Fixed(number("round=fixed", size)?)),
        Some(("adaptive", most)) => {
            Ok(RoundSize::Adaptive { most: number("round=adaptive", most)? })
        }
        _ => Err(unexpected("fixed:SIZE or adaptive:MOST for round", value)),
    }
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "onnx")]
    use playtree::Budget;
    use playtree::games::{ConnectFour, Hex, Othello};
    use playtree::mcts::{Grave, RoundSize, Selection, Sharing};

    use super::{NAMES, Tuning};

    fn parsed(text: &str) -> Tuning {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn settings_are_read() {
        assert_eq!(parsed(""), Tuning::default());
        let tuning = parsed("exploration=0.8,proofs=off,round=fixed:1,per-path");
        assert_eq!(tuning.selection(), Some(Selection::Ucb1 { exploration: 0.8 }));
        assert_eq!(tuning.proofs, Some(false));
        assert_eq!(tuning.round, Some(RoundSize::Fixed(1)));
        assert_eq!(tuning.sharing, Some(Sharing::PerPath));
        let grave = Grave { bias: 0.001, ..Grave::default() };
        assert_eq!(parsed("selection=grave,bias=0.001").selection(), Some(Selection::Grave(grave)));
        assert_eq!(parsed("selection=ucb1").selection(), Some(Selection::default()));
        assert_eq!(parsed("round=adaptive:256").round, Some(RoundSize::Adaptive { most: 256 }));
    }

    #[test]
    fn every_setting_makes_an_engine() {
        let settings = "selection=ucb1-tuned selection=grave,reference=20 exploration=1 warm-up=3 \
                        draw=any draw=unfinished,warm-up=2 cut-off=0,urgency=0.1 proofs=on \
                        per-path expansion=adaptive expansion=everything expansion=3 \
                        in-flight=ignore in-flight=count in-flight=loss:1.5 round=fixed:8 leaf=1 \
                        rollout-limit=50 cut-off=4 prior=8,selection=ucb1 endgames=1 memory=64 \
                        workers=4 root=plain";
        for name in NAMES.split(", ") {
            assert!(["bias", "network"].contains(&name) || settings.contains(name), "{name}");
        }
        for setting in settings.split_whitespace() {
            let engine = parsed(setting).engine::<Othello>(1, 1);
            assert!(engine.is_ok(), "{setting}: {}", engine.unwrap_err());
        }
    }

    #[cfg(feature = "onnx")]
    #[test]
    fn a_network_is_asked() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../playtree-train/nets/connect4.onnx");
        let mut mcts = parsed(&format!("network={file},root=gumbel,proofs=off"))
            .engine::<ConnectFour>(1, 1)
            .unwrap_or_else(|error| panic!("{error}"));
        let report = mcts.search(&ConnectFour::new(), &Budget::simulations(4)).unwrap();
        assert!(report.network.is_some_and(|network| network.evaluations > 0), "{report:?}");
        let other = parsed(&format!("network={file}")).engine::<Hex>(1, 1).unwrap_err();
        assert!(other.to_string().starts_with("expected connect4 or othello"), "{other}");
        let missing = parsed("network=no.onnx").engine::<ConnectFour>(1, 1).unwrap_err();
        assert!(missing.to_string().contains("no.onnx"), "{missing}");
    }

    #[cfg(not(feature = "onnx"))]
    #[test]
    fn a_build_without_networks_says_so() {
        let error = "network=some.onnx".parse::<Tuning>().unwrap_err();
        assert_eq!(error, "expected a build with --features onnx for network, found 'some.onnx'");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = [
            ("root=best", "expected plain or gumbel for root, found 'best'"),
            ("speed=3", "expected a setting (selection, "),
            ("per-path=1", "expected a setting"),
            ("exploration=x", "expected a number for exploration, found 'x'"),
            ("proofs=yes", "expected on or off for proofs, found 'yes'"),
            ("selection=puct", "expected ucb1, ucb1-tuned or grave for selection, found 'puct'"),
            ("round=7", "expected fixed:SIZE or adaptive:MOST for round, found '7'"),
            ("round=fixed:many", "expected a number for round=fixed, found 'many'"),
            ("reference=20", "expected selection=grave with reference and bias"),
            ("exploration=1,selection=ucb1-tuned", "expected no exploration with"),
            ("in-flight=loss", "expected a number for in-flight=loss, found ''"),
        ];
        for (text, expected) in wrong {
            let error = text.parse::<Tuning>().unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(parsed("selection=grave").engine::<ConnectFour>(1, 1).is_err());
        assert!(parsed("cut-off=3").engine::<Hex>(1, 1).is_err());
        assert!(parsed("exploration=-1").engine::<Hex>(1, 1).is_err());
    }
}
