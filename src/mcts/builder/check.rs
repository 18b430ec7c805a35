//! Which settings an engine cannot be made with, a function for each subject.

use crate::error::{ConfigError, Requirement, Setting};
use crate::oracle::check_table;

use super::draft::Draft;
use crate::mcts::config::{
    Choice, Dirichlet, Expansion, Grave, Gumbel, InFlight, Learned, Mast, Nst, Parallelism,
    ProgressiveHistory, Puct, RolloutMoves, Root, RoundSize, Selection, TableLocks, ranges,
};

impl Draft<'_> {
    /// Refuses a setting that is out of its range, or that the game or another setting rules out.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        self.check_workers()?;
        self.check_selection()?;
        self.check_warm_up()?;
        self.check_tree()?;
        self.check_memory()?;
        self.check_rollouts()?;
        self.check_players()?;
        self.check_endgames()?;
        self.check_prior()?;
        self.check_network()?;
        self.check_root()?;
        self.check_contempt()
    }

    fn check_workers(&self) -> Result<(), ConfigError> {
        self.settings.workers.check()?;
        match self.settings.parallelism {
            Parallelism::Simulated { workers } => ranges::workers(workers),
            Parallelism::Shared | Parallelism::Rounds => Ok(()),
        }
    }

    fn check_selection(&self) -> Result<(), ConfigError> {
        self.check_own()?;
        let selection = self.selection();
        if let Some(
            Selection::Ucb1 { exploration }
            | Selection::Grave(Grave { exploration, .. })
            | Selection::ProgressiveHistory(ProgressiveHistory { exploration, .. }),
        ) = selection
        {
            ranges::exploration(exploration)?;
        }
        // Where none is asked for an urgency takes the place of the game's, or is refused for want of
        // an evaluation.
        let is_alone = self.settings.urgency.is_none() || self.settings.selection.is_none();
        if let Some(Selection::Grave(Grave { bias, .. })) = selection {
            let has_codes = self.given.codes.is_some();
            ConfigError::check_needs(Setting::Selection, Requirement::MoveCodes, has_codes)?;
            ConfigError::check_needs(Setting::FirstPlayUrgency, Requirement::NoGrave, is_alone)?;
            ranges::bias(bias)?;
        }
        if let Some(Selection::ProgressiveHistory(ProgressiveHistory { weight, .. })) = selection {
            let has_codes = self.history().is_some();
            ConfigError::check_needs(Setting::Selection, Requirement::CodesToLearn, has_codes)?;
            ConfigError::check_needs(Setting::FirstPlayUrgency, Requirement::NoHistory, is_alone)?;
            ranges::history_weight(weight)?;
        }
        Ok(())
    }

    /// What does not go with a policy of the user's own.
    fn check_own(&self) -> Result<(), ConfigError> {
        let Some(needs_squares) = self.given.own_needs_squares else { return Ok(()) };
        let is_lost = matches!(self.settings.in_flight, InFlight::VirtualLoss { .. });
        for (setting, needs, is_set) in [
            (Setting::Selection, Requirement::NoSelectBy, self.settings.selection.is_some()),
            (Setting::FirstPlayUrgency, Requirement::NoSelectBy, self.settings.urgency.is_some()),
            (Setting::InFlight, Requirement::NoSelectBy, is_lost),
            (Setting::Prior, Requirement::NoSquares, needs_squares && self.given.prior.is_some()),
        ] {
            ConfigError::check_needs(setting, needs, !is_set)?;
        }
        Ok(())
    }

    fn check_warm_up(&self) -> Result<(), ConfigError> {
        if let Some(visits) = self.settings.warm_up {
            ConfigError::check_least(Setting::WarmUp, visits, 1)?;
        }
        let Some(urgency) = self.settings.urgency else { return Ok(()) };
        let setting = Setting::FirstPlayUrgency;
        let is_evaluated = self.given.cut_off.is_some() || self.given.prior.is_some();
        ConfigError::check_range(setting, urgency, -1.0..=1.0)?;
        ConfigError::check_needs(setting, Requirement::NoWarmUp, self.settings.warm_up.is_none())?;
        ConfigError::check_needs(setting, Requirement::Evaluation, is_evaluated)
    }

    fn check_tree(&self) -> Result<(), ConfigError> {
        if let Expansion::OnePerSimulation { from_visit } = self.settings.expansion {
            ranges::from_visit(from_visit)?;
        }
        if let TableLocks::Shards(shards) = self.settings.table {
            ranges::shards(shards)?;
        }
        if let InFlight::VirtualLoss { weight } = self.settings.in_flight {
            ranges::weight(weight)?;
        }
        let (RoundSize::Adaptive { most: size } | RoundSize::Fixed(size)) =
            self.settings.round_size;
        ranges::round(size)
    }

    fn check_memory(&self) -> Result<(), ConfigError> {
        let Some(found) = self.settings.memory_limit else { return Ok(()) };
        let least = self.least_memory(found);
        if least > found { Err(ConfigError::MemoryLimit { least, found }) } else { Ok(()) }
    }

    fn check_rollouts(&self) -> Result<(), ConfigError> {
        ConfigError::check_least(Setting::RolloutLimit, self.settings.rollout_limit, 1)?;
        let rollouts = self.settings.rollouts_per_leaf;
        ConfigError::check_range(Setting::RolloutsPerLeaf, rollouts, 1..=LEAF_ROLLOUTS_LIMIT)?;
        self.check_rollout_moves()
    }

    fn check_rollout_moves(&self) -> Result<(), ConfigError> {
        let choice = match self.settings.rollout_moves.learned {
            Learned::Nothing => None,
            Learned::Mast(Mast { choice }) => Some(choice),
            Learned::Nst(Nst { choice, least }) => {
                ranges::least_visits(least)?;
                Some(choice)
            }
        };
        match choice {
            None => {}
            Some(Choice::Greedy { share }) => ranges::greedy_share(share)?,
            Some(Choice::Gibbs { temperature }) => ranges::gibbs_temperature(temperature)?,
        }
        let has_codes = !self.settings.rollout_moves.learn() || self.lessons().is_some();
        ConfigError::check_needs(Setting::RolloutMoves, Requirement::CodesToLearn, has_codes)
    }

    /// What is for games of two players alone.
    fn check_players(&self) -> Result<(), ConfigError> {
        let needs = Requirement::TwoPlayers { found: self.given.players };
        for (setting, is_set) in [
            (Setting::CutOff, self.given.cut_off.is_some()),
            (Setting::Prior, self.given.prior.is_some()),
            (Setting::Endgames, self.given.endgames.is_some()),
        ] {
            ConfigError::check_needs(setting, needs, self.given.players == 2 || !is_set)?;
        }
        Ok(())
    }

    fn check_endgames(&self) -> Result<(), ConfigError> {
        let Some(bytes) = self.given.endgames else { return Ok(()) };
        ConfigError::check_needs(Setting::Endgames, Requirement::Proofs, self.settings.proofs)?;
        check_table(bytes)
    }

    fn check_prior(&self) -> Result<(), ConfigError> {
        let Some(visits) = self.given.prior else { return Ok(()) };
        ConfigError::check_range(Setting::Prior, visits, 1..=PRIOR_VISITS_LIMIT)?;
        let is_alone = self.settings.selection != Some(Selection::Ucb1Tuned);
        ConfigError::check_needs(Setting::Prior, Requirement::NoUcb1Tuned, is_alone)
    }

    fn check_network(&self) -> Result<(), ConfigError> {
        let selection = self.selection();
        if let Some(Selection::Puct(Puct { exploration, growth, reduction, temperature })) =
            selection
        {
            ranges::exploration(exploration)?;
            ranges::growth(growth)?;
            ranges::reduction(reduction)?;
            ranges::temperature(temperature)?;
            let is_there = self.given.network;
            ConfigError::check_needs(Setting::Selection, Requirement::Network, is_there)?;
        }
        if !self.given.network {
            return Ok(());
        }
        let no_moves = self.settings.rollout_moves == RolloutMoves::default();
        let everything = self.settings.expansion == Expansion::Everything;
        for (setting, needs, is_right) in [
            (Setting::CutOff, Requirement::NoNetwork, self.given.cut_off.is_none()),
            (Setting::Prior, Requirement::NoNetwork, self.given.prior.is_none()),
            (Setting::RolloutMoves, Requirement::NoNetwork, no_moves),
            (Setting::Expansion, Requirement::NotEverything, !everything),
        ] {
            ConfigError::check_needs(setting, needs, is_right)?;
        }
        let is_alone = !matches!(selection, Some(Selection::Grave(_)));
        ConfigError::check_needs(Setting::Network, Requirement::NoGrave, is_alone)
    }

    fn check_root(&self) -> Result<(), ConfigError> {
        match self.settings.root {
            Root::Plain => return Ok(()),
            Root::Dirichlet(Dirichlet { alpha, share }) => {
                ranges::alpha(alpha)?;
                ranges::share(share)?;
            }
            Root::Gumbel(Gumbel { considered, scale, visits, noise }) => {
                ranges::considered(considered)?;
                ranges::scale(scale)?;
                ranges::extra_visits(visits)?;
                ranges::noise(noise)?;
            }
        }
        let is_asked = self.given.network && self.keeps_priors();
        ConfigError::check_needs(Setting::Root, Requirement::Network, is_asked)
    }

    fn check_contempt(&self) -> Result<(), ConfigError> {
        let (player, contempt) = self.settings.contempt;
        let needs = Requirement::Player { found: player, players: self.given.players };
        let is_player = self.settings.contempt == (0, 0.0) || player < self.given.players;
        ConfigError::check_needs(Setting::Contempt, needs, is_player)?;
        ConfigError::check_range(Setting::Contempt, contempt, -0.5..=0.5)
    }
}

/// The most rollouts of a leaf at a time.
const LEAF_ROLLOUTS_LIMIT: u32 = 64;

/// The most visits that a position begins with.
const PRIOR_VISITS_LIMIT: u32 = 1000;
