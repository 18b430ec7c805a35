//! The options of a search at its root: which moves, how much about each, which to play.

use clap::Args;
use playtree::{GameState, Notation, SearchError, mcts};

use super::values;
use crate::error::CliError;

/// What the search is to do at its root. What is not given stays at the library's default.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Moves at the root")]
pub(crate) struct RootOptions {
    /// Search only these moves, with commas between them.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', allow_hyphen_values = true)]
    only: Option<Vec<String>>,
    /// Leave these moves out, with commas between them.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', allow_hyphen_values = true)]
    except: Vec<String>,
    /// How many of the best moves get a line of play, and the visits of --visit-floor [default:
    /// all].
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    detailed: Option<usize>,
    /// The least visits of each of the moves that --detailed counts [default: 0].
    #[arg(long, value_name = "N", value_parser = values::small, allow_hyphen_values = true)]
    visit_floor: Option<u32>,
    /// Draw the best move by visits^(1/T); 0 takes the best [default: 0].
    #[arg(long, value_name = "T", value_parser = values::temperature, allow_hyphen_values = true)]
    temperature: Option<f64>,
    /// How much less than half a point a draw is worth to the side to move, -0.5 to 0.5
    /// [default: 0].
    #[arg(long, value_name = "C", value_parser = values::real, allow_hyphen_values = true)]
    pub(crate) contempt: Option<f64>,
}

/// The moves to be searched, `None` for all, and those to be left out.
type OnlyAndExcept<G> = (Option<Vec<<G as GameState>::Move>>, Vec<<G as GameState>::Move>);

impl RootOptions {
    /// The moves of `--only` and of `--except`, the former `None` if it is not given.
    ///
    /// # Errors
    /// If a move is not legal at `state`.
    pub(crate) fn moves<G: Notation>(&self, state: &G) -> Result<OnlyAndExcept<G>, CliError> {
        let parse = |option: &str, texts: &[String]| -> Result<Vec<G::Move>, CliError> {
            let mv = |text: &String| state.parse_move(text.trim());
            texts.iter().map(mv).collect::<Result<_, _>>().map_err(|e| CliError::at(option, e))
        };
        let only = self.only.as_ref().map(|texts| parse("--only", texts)).transpose()?;
        Ok((only, parse("--except", &self.except)?))
    }

    /// Why a search with these options was refused, with the option that is to blame.
    pub(crate) fn search_error(&self, error: SearchError) -> CliError {
        match error {
            SearchError::NothingAllowed { .. } if !self.except.is_empty() => {
                CliError::at("--except", error)
            }
            SearchError::NothingAllowed { .. } => CliError::at("--only", error),
            other => CliError::usage(other),
        }
    }

    /// The options for a search of `state`.
    ///
    /// # Errors
    /// If a move is not legal there.
    pub(crate) fn options<G: Notation>(&self, state: &G) -> Result<mcts::Options<G>, CliError> {
        let (only, except) = self.moves(state)?;
        let mut options = mcts::Options::new().except(except);
        if let Some(only) = only {
            options = options.only(only);
        }
        if let Some(moves) = self.detailed {
            options = options.detailed(moves);
        }
        if let Some(visits) = self.visit_floor {
            options = options.visit_floor(visits);
        }
        Ok(options.temperature(self.temperature.unwrap_or(0.0)))
    }
}
