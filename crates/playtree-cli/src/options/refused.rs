//! Settings that the library refused, under the names of the options that set them.

use std::borrow::Cow;

use playtree::error::{ConfigError, Requirement, Setting};

use crate::error::{CliError, Part, Refusal};
use crate::games;

/// Why the library makes no searcher, in the words of the command line.
pub(crate) fn config_error(error: &ConfigError) -> CliError {
    // Without a setting it is the game, which is none of ours.
    let Some(setting) = error.setting() else { return CliError::usage(error) };
    let refusal = match error {
        // The library speaks of its own names in these two.
        ConfigError::Needs { needs: Requirement::MoveCodes, .. } => {
            let games = games::with_move_codes();
            let expected = format!("a game in which grave can tell moves apart ({games})");
            Refusal::new(expected, "another one")
        }
        ConfigError::Needs { needs: Requirement::CodesToLearn, .. } => {
            let expected = "a game that can tell moves apart, to learn of them";
            Refusal::new(expected, "another one")
        }
        ConfigError::Needs { needs: Requirement::Evaluation, .. } => {
            let (cut_off, prior) = (Part::option("cut-off"), Part::option("prior"));
            let expected = [cut_off, Part::words(" or "), prior, Part::words(" beside it")];
            Refusal::new(expected, error.found())
        }
        ConfigError::Needs { .. } => Refusal::new(error.expected(), error.found()),
        // What was found is a number, as it was typed.
        _ => Refusal::value(error.expected(), &error.found()),
    };
    refusal.at(Part::option(option_of(setting))).into()
}

/// The option of a setting, and the key of a spec: without dashes.
fn option_of(setting: Setting) -> Cow<'static, str> {
    match setting {
        Setting::Exploration => "exploration".into(),
        Setting::Bias => "bias".into(),
        Setting::HistoryWeight => "weight".into(),
        Setting::Expansion => "from-visit".into(),
        Setting::Table => "shards".into(),
        Setting::InFlight => "virtual-loss".into(),
        Setting::Parallelism => "simulated-workers".into(),
        Setting::RolloutMoves
        | Setting::RolloutShare
        | Setting::RolloutTemperature
        | Setting::RolloutVisits => "rollouts".into(),
        Setting::MemoryLimit | Setting::TableBytes => "memory".into(),
        // Those of a pool are those of the page.
        Setting::Engines => "sessions".into(),
        // The others have the name of their setter.
        other => other.as_str().replace('_', "-").into(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::{Command, CommandFactory};
    use playtree::error::Setting;
    use playtree::mcts::{Grave, Selection};
    use playtree_session::Game;
    use playtree_session::settings::MctsSettings;

    use super::option_of;
    use crate::Cli;
    use crate::error::session_error;
    use crate::spec::AlphaBetaSettings;

    fn text(game: &str, settings: MctsSettings) -> String {
        let (game, _) = Game::open(game, None).unwrap();
        session_error(game.mcts(&settings).unwrap_err()).to_string()
    }

    #[test]
    fn every_setting_has_an_option() {
        let longs = |command: &Command| -> Vec<String> {
            command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect()
        };
        let mut options: HashSet<String> =
            longs(&AlphaBetaSettings::command()).into_iter().collect();
        options.extend(Cli::command().get_subcommands().flat_map(longs));
        for &setting in Setting::ALL {
            let option = option_of(setting);
            assert!(options.contains(&*option), "{setting:?}: {option}");
        }
    }

    #[test]
    fn a_setting_is_named_as_the_option_that_sets_it() {
        let all = MctsSettings::default;
        let warm_up = MctsSettings { warm_up: Some(0), ..all() };
        assert_eq!(text("hex", warm_up), "--warm-up: expected at least 1 visit, found '0'");
        let grave = |exploration, bias| {
            let selection = Selection::Grave(Grave { exploration, bias, reference: 1 });
            text("hex", MctsSettings { selection: Some(selection), ..all() })
        };
        assert_eq!(
            [grave(-1.0, 0.0), grave(0.0, -1.0)],
            [
                "--exploration: expected an exploration constant of 0 to 1000000, found '-1'",
                "--bias: expected a bias of 0 to 1000000, found '-1'",
            ]
        );
        let selection = Some(Selection::default());
        let urgency = MctsSettings { first_play_urgency: Some(0.1), selection, ..all() };
        assert_eq!(
            text("hex", urgency),
            "--first-play-urgency: expected --cut-off or --prior beside it, found neither"
        );
        let uncoded = MctsSettings { selection: Some(Selection::grave()), ..all() };
        assert!(
            text("connect4", uncoded)
                .starts_with("--selection: expected a game in which grave can tell")
        );
    }
}
